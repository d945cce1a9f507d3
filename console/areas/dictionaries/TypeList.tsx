import { UnorderedListOutlined } from '@ant-design/icons'
import { dict } from '../../../contract/areas/dictionaries.ts'
import { Page } from '../../app/Page.tsx'
import { ResourceList } from '../../resource/ResourceList.tsx'
import { useUser } from '../../session/session.ts'
import { useWords } from '../../words/words.ts'
import { TenantPicker, useTenant } from './TenantPicker.tsx'
import { typeName } from './typeName.ts'

/** Types of dictionaries, a tenant at a time. */
const TypeList = () => {
  const t = useWords()
  const tenant = useTenant()
  const own = useUser()?.EnterpriseId === tenant
  const content = (id: number) => `/systemManagement/dictContent?DictId=${id}${own ? '' : `&EnterpriseId=${tenant}`}`
  return (
    <Page title={t('menu.m10415')} actions={<TenantPicker />}>
      <ResourceList
        key={tenant}
        of={dict}
        columns={['DictName', 'DictCode', 'IsSystem', 'Remark']}
        fixed={{ EnterpriseId: tenant }}
        cells={{ DictName: (row) => typeName(row, t) }}
        link={(row) => content(row.Id)}
        actions={(row) => [{ key: 'content', label: t('menu.m10416'), icon: <UnorderedListOutlined />, to: content(row.Id) }]}
      />
    </Page>
  )
}
export default TypeList
