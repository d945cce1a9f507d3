import { SafetyOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import type { Shown } from '../../../../console/kernel/api.ts'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { State } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { apiCredential } from '../contract.ts'
import { Rights } from './Rights.tsx'
import { Secret } from './Secret.tsx'

type Credential = Shown<typeof apiCredential>
type Key = { ApiName: string; AccessKey: string; Secret: string }

/** Program keys: permissions, rate, networks and expiry. */
const Credentials = () => {
  const t = useWords()
  const mayGive = useMay('m10433.authorise')
  const [key, setKey] = useState<Key>()
  const [giving, setGiving] = useState<Credential>()
  const rights = (row: Credential) => {
    const { length } = (row.Permissions ?? []) as string[]
    return length ? t('api.rights', { count: length }) : <span className="soft">{t('api.noRights')}</span>
  }
  return (
    <Page
      title={t('menu.m10433')}
      actions={
        <Button href="/api/docs" target="_blank">
          {t('api.docs')}
        </Button>
      }
    >
      <ResourceList
        of={apiCredential}
        columns={[
          'ApiName',
          'AccessKey',
          'Permissions',
          'UserId',
          'Status',
          'ValidTo',
          'RatePerMinute',
          'LastUsedTime',
          'Calls',
          'Refused',
        ]}
        cells={{
          AccessKey: (row) => <span className="mono">{row.AccessKey}</span>,
          Permissions: rights,
          Status: (row) => <State is={row.Status === 1 ? 'normal' : 'offline'}>{t(`apiCredential.Status.${row.Status}`)}</State>,
        }}
        filters={['Status']}
        onActed={{ resetKey: (made) => setKey(made as unknown as Key) }}
        form={{ onSaved: (row) => 'Secret' in row && setKey(row as unknown as Key) }}
        actions={(row) => [{ key: 'rights', label: t('apiCredential.Permissions'), icon: <SafetyOutlined />, run: () => setGiving(row) }]}
      />
      {giving && <Rights of={giving} readOnly={!mayGive} close={() => setGiving(undefined)} />}
      {key && <Secret of={key.ApiName} accessKey={key.AccessKey} secret={key.Secret} close={() => setKey(undefined)} />}
    </Page>
  )
}
export default Credentials
