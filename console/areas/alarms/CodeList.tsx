import { alarmCode } from '../../../contract/areas/alarm-plans.ts'
import { Page } from '../../app/Page.tsx'
import { ResourceList } from '../../resource/ResourceList.tsx'
import { useWords } from '../../words/words.ts'

/** Codes that faults go by. */
const CodeList = () => {
  const t = useWords()
  return (
    <Page title={t('menu.m10205')}>
      <ResourceList of={alarmCode} columns={['Code', 'Name', 'Level', 'Reason', 'AlmPlanId']} filters={['Level']} />
    </Page>
  )
}
export default CodeList
