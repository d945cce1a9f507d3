import { alarmPlan } from '../../../contract/areas/alarm-plans.ts'
import { Page } from '../../app/Page.tsx'
import { ResourceList } from '../../resource/ResourceList.tsx'
import { useTenant } from '../../session/useTenant.ts'
import { useWords } from '../../words/words.ts'
import { TenantSelect } from '../enterprises/TenantSelect.tsx'

/** What to do when something has failed. */
const PlanList = () => {
  const t = useWords()
  const tenant = useTenant()
  return (
    <Page title={t('menu.m10206')}>
      <ResourceList of={alarmPlan} columns={['PlanName', 'Content']} extra={<TenantSelect />} fixed={tenant} />
    </Page>
  )
}
export default PlanList
