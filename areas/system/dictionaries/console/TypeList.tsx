import { UnorderedListOutlined } from '@ant-design/icons'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useUser } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { dict } from '../contract.ts'
import { TenantPicker, useTenant } from './TenantPicker.tsx'
import { typeName } from './typeName.ts'

/** Lookup lists, per tenant. */
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
