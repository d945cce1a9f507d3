import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { TreeScreen } from '../../organs/console/TreeScreen.tsx'
import { region } from '../contract.ts'

const RegionScreen = () => (
  <Page title={useWords()('menu.m10414')}>
    <TreeScreen of={region} />
  </Page>
)
export default RegionScreen
