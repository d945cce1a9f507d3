import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { EventTable } from './EventTable.tsx'

const EventScreen = () => (
  <Page title={useWords()('menu.m10302')}>
    <EventTable />
  </Page>
)
export default EventScreen
