import { Page } from '../../app/Page.tsx'
import { useWords } from '../../words/words.ts'
import { EventTable } from './EventTable.tsx'

const EventScreen = () => (
  <Page title={useWords()('menu.m10302')}>
    <EventTable />
  </Page>
)
export default EventScreen
