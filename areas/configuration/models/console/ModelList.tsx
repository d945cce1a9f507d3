import { CopyOutlined, UnorderedListOutlined } from '@ant-design/icons'
import { useCommand } from '../../../../console/kernel/api.ts'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useTenant } from '../../../../console/session/useTenant.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { TenantSelect } from '../../../people/enterprises/console/TenantSelect.tsx'
import { modelCalls, proModel } from '../contract.ts'

/** Models of devices, and from each to the devices that are of it. */
const ModelList = () => {
  const t = useWords()
  const tenant = useTenant()
  const mayAdd = useMay(`${proModel.permission}.add`)
  const copy = useCommand(modelCalls.copy, [proModel.name])
  return (
    <Page title={t('menu.m10110')}>
      <ResourceList
        of={proModel}
        columns={['ModelName', 'ModelNo', 'Brand', 'Remark']}
        actions={(row) => [
          {
            key: 'devices',
            label: t('model.devices'),
            icon: <UnorderedListOutlined />,
            to: `/projectManagement/deviceManagement?ModelId=${row.Id}`,
          },
          ...(mayAdd
            ? [{ key: 'copy', label: t('model.copy'), icon: <CopyOutlined />, run: () => copy.mutate({ body: { Ids: [row.Id] } }) }]
            : []),
        ]}
        extra={<TenantSelect />}
        fixed={tenant}
      />
    </Page>
  )
}
export default ModelList
