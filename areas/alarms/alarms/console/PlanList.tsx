import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useTenant } from '../../../../console/session/useTenant.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { TenantSelect } from '../../../people/enterprises/console/TenantSelect.tsx'
import { alarmPlan } from '../../alarm-plans/contract.ts'

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
