import { CopyOutlined, UnorderedListOutlined } from '@ant-design/icons'
import { modelCalls, proModel } from '../../../contract/areas/models.ts'
import { Page } from '../../app/Page.tsx'
import { useCommand } from '../../resource/api.ts'
import { ResourceList } from '../../resource/ResourceList.tsx'
import { useMay } from '../../session/session.ts'
import { useTenant } from '../../session/useTenant.ts'
import { useWords } from '../../words/words.ts'
import { TenantSelect } from '../enterprises/TenantSelect.tsx'

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
