import { TeamOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { enterprise } from '../../../contract/areas/enterprises.ts'
import { Page } from '../../app/Page.tsx'
import { ResourceList } from '../../resource/ResourceList.tsx'
import { useWords } from '../../words/words.ts'
import { NewEnterprise } from './NewEnterprise.tsx'

/** Tenants of the platform. */
const EnterpriseList = () => {
  const t = useWords()
  const [adding, setAdding] = useState(false)
  const people = (row: { Id: number }) => `/systemManagement/user?EnterpriseId=${row.Id}`
  return (
    <Page title={t('menu.m10404')}>
      <ResourceList
        of={enterprise}
        columns={['Name', 'SysName', 'Contact', 'Phone', 'TimeZoneKey', 'Status', 'MaxUsers']}
        filters={['Status']}
        link={people}
        onAdd={() => setAdding(true)}
        actions={(row) => [{ key: 'users', label: t('menu.m10402'), icon: <TeamOutlined />, to: people(row) }]}
      />
      {adding && <NewEnterprise close={() => setAdding(false)} />}
    </Page>
  )
}
export default EnterpriseList
