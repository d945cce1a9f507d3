import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { Resource } from '../../../../contract/resource.ts'
import { TreeScreen } from '../../organs/console/TreeScreen.tsx'
import { region, regionCalls } from '../contract.ts'

const RegionScreen = () => (
  <Page title={useWords()('menu.m10414')}>
    <TreeScreen of={region as unknown as Resource} parent="ParentId" calls={regionCalls} />
  </Page>
)
export default RegionScreen
