import { ApartmentOutlined } from '@ant-design/icons'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useTenant } from '../../../../console/session/useTenant.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { TenantSelect } from '../../../people/enterprises/console/TenantSelect.tsx'
import { project } from '../contract.ts'

const ProjectList = () => {
  const t = useWords()
  const tenant = useTenant()
  return (
    <Page title={t('menu.m10101')}>
      <ResourceList
        of={project}
        columns={['ProjectName', 'ProjectNo', 'RegionId', 'BelongOrganId', 'Address', 'Remark']}
        filters={['RegionId']}
        extra={<TenantSelect />}
        fixed={tenant}
        form={{
          // An organisation of the tenant that the project belongs to.
          refine: (values) => ({
            where: Object.fromEntries(
              ['BelongOrganId', 'RegionId'].map((f) => [
                f,
                { EnterpriseId: tenant?.EnterpriseId ?? (values.EnterpriseId as number | undefined) },
              ]),
            ),
          }),
        }}
        link={(row) => `/projectManagement/gatewayManagement?ProjectId=${row.Id}`}
        actions={(row) => [
          {
            key: 'gateways',
            label: t('project.gateways'),
            icon: <ApartmentOutlined />,
            to: `/projectManagement/gatewayManagement?ProjectId=${row.Id}`,
          },
        ]}
      />
    </Page>
  )
}
export default ProjectList
