import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useTenant } from '../../../../console/session/useTenant.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { TenantSelect } from '../../../people/enterprises/console/TenantSelect.tsx'
import { alarmCode } from '../../alarm-plans/contract.ts'

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
