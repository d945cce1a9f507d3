import { SafetyCertificateOutlined, TeamOutlined } from '@ant-design/icons'
import { Tabs } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { enterprise } from '../contract.ts'
import { NewEnterprise } from './NewEnterprise.tsx'
import { VersionList } from './VersionList.tsx'

const Tenants = () => {
  const t = useWords()
  const [adding, setAdding] = useState(false)
  const page = (row: { Id: number }) => `/systemManagement/tenant/manage?Id=${row.Id}`
  return (
    <>
      <ResourceList
        of={enterprise}
        columns={['Name', 'EnterpriseNo', 'VersionId', 'Contact', 'TimeZoneKey', 'Status', 'GrantTo', 'MaxGateways', 'MaxUsers']}
        filters={['Status']}
        link={page}
        onAdd={() => setAdding(true)}
        actions={(row) => [
          { key: 'grant', label: t('section.grant'), icon: <SafetyCertificateOutlined />, to: page(row) },
          { key: 'users', label: t('menu.m10402'), icon: <TeamOutlined />, to: `/systemManagement/user?EnterpriseId=${row.Id}` },
        ]}
      />
      {adding && <NewEnterprise close={() => setAdding(false)} />}
    </>
  )
}

/** Tenants of the platform, and the versions they can have. */
const EnterpriseList = () => {
  const t = useWords()
  const [params, setParams] = useSearchParams()
  return (
    <Page title={t('menu.m10404')}>
      <Tabs
        activeKey={params.get('tab') ?? 'tenants'}
        onChange={(tab) => setParams(tab === 'tenants' ? {} : { tab }, { replace: true })}
        destroyOnHidden
        items={[
          { key: 'tenants', label: t('menu.m10404'), children: <Tenants /> },
          { key: 'versions', label: t('tenant.versions'), children: <VersionList /> },
        ]}
      />
    </Page>
  )
}
export default EnterpriseList
