import { alarmPlan } from '../../../contract/areas/alarm-plans.ts'
import { Page } from '../../app/Page.tsx'
import { ResourceList } from '../../resource/ResourceList.tsx'
import { useWords } from '../../words/words.ts'

/** What to do when something has failed. */
const PlanList = () => {
  const t = useWords()
  return (
    <Page title={t('menu.m10206')}>
      <ResourceList of={alarmPlan} columns={['PlanName', 'Content']} />
    </Page>
  )
}
export default PlanList
