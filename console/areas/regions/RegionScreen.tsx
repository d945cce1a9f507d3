import { region, regionCalls } from '../../../contract/areas/regions.ts'
import type { Resource } from '../../../contract/base/resource.ts'
import { Page } from '../../app/Page.tsx'
import { useWords } from '../../words/words.ts'
import { TreeScreen } from '../organs/TreeScreen.tsx'

const RegionScreen = () => (
  <Page title={useWords()('menu.m10414')}>
    <TreeScreen of={region as unknown as Resource} parent="ParentId" calls={regionCalls} />
  </Page>
)
export default RegionScreen
