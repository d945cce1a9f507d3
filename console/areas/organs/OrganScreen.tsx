import { organ, organCalls } from '../../../contract/areas/organs.ts'
import type { Resource } from '../../../contract/base/resource.ts'
import { Page } from '../../app/Page.tsx'
import { useWords } from '../../words/words.ts'
import { TreeScreen } from './TreeScreen.tsx'

const OrganScreen = () => (
  <Page title={useWords()('menu.m10411')}>
    <TreeScreen of={organ as unknown as Resource} parent="ParentOrganId" calls={organCalls} users={organCalls.users} />
  </Page>
)
export default OrganScreen
