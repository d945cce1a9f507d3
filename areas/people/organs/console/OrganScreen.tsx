import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { organ, organCalls } from '../contract.ts'
import { TreeScreen } from './TreeScreen.tsx'

const OrganScreen = () => (
  <Page title={useWords()('menu.m10411')}>
    <TreeScreen of={organ} users={organCalls.users} />
  </Page>
)
export default OrganScreen
