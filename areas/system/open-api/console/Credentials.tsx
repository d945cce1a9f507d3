import { CheckCircleOutlined, KeyOutlined, SafetyOutlined, StopOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { type Shown, useCommand } from '../../../../console/kernel/api.ts'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useConfirm } from '../../../../console/shell/useConfirm.ts'
import { State } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { apiCredential, openApiCalls } from '../contract.ts'
import { Rights } from './Rights.tsx'
import { Secret } from './Secret.tsx'

type Credential = Shown<typeof apiCredential>
type Key = { ApiName: string; AccessKey: string; Secret: string }

/** Keys of programs: what they may do, how often, from where and until when. */
const Credentials = () => {
  const t = useWords()
  const confirm = useConfirm()
  const [mayEdit, mayReset, mayGive] = [useMay('m10433.edit'), useMay('m10433.resetKey'), useMay('m10433.authorise')]
  const [key, setKey] = useState<Key>()
  const [giving, setGiving] = useState<Credential>()
  const enable = useCommand(openApiCalls.enable, ['apiCredential'])
  const disable = useCommand(openApiCalls.disable, ['apiCredential'])
  const reset = useCommand(openApiCalls.resetKey, ['apiCredential'])
  const body = ({ Id }: Credential) => ({ body: { Id } })
  const ask = (what: 'reset' | 'disable', row: Credential, run: () => Promise<unknown>) =>
    confirm({
      title: t(`api.${what}Title`, { title: row.ApiName }),
      content: t(`api.${what}Text`),
      okText: t(what === 'reset' ? 'button.resetKey' : 'api.disable'),
      run,
    })
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
        form={{ onSaved: (row) => 'Secret' in row && setKey(row as unknown as Key) }}
        actions={(row) => [
          { key: 'rights', label: t('apiCredential.Permissions'), icon: <SafetyOutlined />, run: () => setGiving(row) },
          ...(mayReset
            ? [
                {
                  key: 'reset',
                  label: t('button.resetKey'),
                  icon: <KeyOutlined />,
                  danger: true,
                  run: () => ask('reset', row, () => reset.mutateAsync(body(row)).then((made) => setKey(made as unknown as Key))),
                },
              ]
            : []),
          ...(mayEdit && row.Status === 1
            ? [
                {
                  key: 'disable',
                  label: t('api.disable'),
                  icon: <StopOutlined />,
                  danger: true,
                  run: () => ask('disable', row, () => disable.mutateAsync(body(row))),
                },
              ]
            : []),
          ...(mayEdit && row.Status !== 1
            ? [{ key: 'enable', label: t('api.enable'), icon: <CheckCircleOutlined />, run: () => enable.mutate(body(row)) }]
            : []),
        ]}
      />
      {giving && <Rights of={giving} readOnly={!mayGive} close={() => setGiving(undefined)} />}
      {key && <Secret of={key.ApiName} accessKey={key.AccessKey} secret={key.Secret} close={() => setKey(undefined)} />}
    </Page>
  )
}
export default Credentials
