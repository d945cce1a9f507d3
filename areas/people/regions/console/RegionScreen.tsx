import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { TreeScreen } from '../../organs/console/TreeScreen.tsx'
import { region, regionCalls } from '../contract.ts'

const RegionScreen = () => (
  <Page title={useWords()('menu.m10414')}>
    <TreeScreen of={region} parent="ParentId" calls={regionCalls} />
  </Page>
)
export default RegionScreen
