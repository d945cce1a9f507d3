import { Tabs } from 'antd'
import { Navigate, useSearchParams } from 'react-router'
import { useRow } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { Cell } from '../../../../console/kernel/fields.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { useTabName } from '../../../../console/shell/tabs/TabName.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { enterprise } from '../contract.ts'
import { GrantPart } from './GrantPart.tsx'
import { ManagerPart } from './ManagerPart.tsx'

const facts = [
  'EnterpriseNo',
  'SysName',
  'Contact',
  'Phone',
  'Address',
  'TimeZoneKey',
  'Status',
  'RetentionDays',
  'RetentionMonths',
  'DirectoryName',
] as const

/** One tenant as the platform sees it: what it is, what it may have, who manages it. */
const TenantPage = () => {
  const t = useWords()
  const [params, setParams] = useSearchParams()
  const id = Number(params.get('Id')) || undefined
  const { data, error, refetch } = useRow(enterprise, id)
  useTabName(data?.Name ?? '')
  if (!id) return <Navigate replace to="/systemManagement/enterpriseManage" />
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  if (!data) return null
  return (
    <Page title={data.Name}>
      <dl className="facts">
        {facts.map((name) => (
          <div key={name}>
            <dt>{t(`enterprise.${name}`)}</dt>
            <dd>
              <Cell of={enterprise} field={name} row={data} />
            </dd>
          </div>
        ))}
      </dl>
      <Tabs
        activeKey={params.get('tab') ?? 'grant'}
        onChange={(tab) => setParams({ Id: String(id), tab }, { replace: true })}
        items={[
          { key: 'grant', label: t('section.grant'), children: <GrantPart key={id} id={id} /> },
          { key: 'managers', label: t('tenant.managers'), children: <ManagerPart id={id} /> },
        ]}
      />
    </Page>
  )
}
export default TenantPage
