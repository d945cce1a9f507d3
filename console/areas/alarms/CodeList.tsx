import { alarmCode } from '../../../contract/areas/alarm-plans.ts'
import { Page } from '../../app/Page.tsx'
import { ResourceList } from '../../resource/ResourceList.tsx'
import { useTenant } from '../../session/useTenant.ts'
import { useWords } from '../../words/words.ts'
import { TenantSelect } from '../enterprises/TenantSelect.tsx'

/** Codes that faults go by. */
const CodeList = () => {
  const t = useWords()
  const tenant = useTenant()
  return (
    <Page title={t('menu.m10205')}>
      <ResourceList
        of={alarmCode}
        columns={['Code', 'Name', 'ModelId', 'Level', 'Reason', 'AlmPlanId']}
        filters={['Level', 'ModelId']}
        extra={<TenantSelect />}
        fixed={tenant}
        form={{
          // A plan and a model of the tenant that the code belongs to.
          refine: (values) => {
            const own = { EnterpriseId: tenant?.EnterpriseId ?? (values.EnterpriseId as number | undefined) }
            return { where: { AlmPlanId: own, ModelId: own } }
          },
        }}
      />
    </Page>
  )
}
export default CodeList
