import { UnorderedListOutlined } from '@ant-design/icons'
import { Drawer } from 'antd'
import { useState } from 'react'
import type { Shown } from '../../../../console/kernel/api.ts'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { State } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { sent as sentList } from '../../../system/message-templates/console/index.ts'
import { Secret } from '../../../system/open-api/console/Secret.tsx'
import { alarmWebhook } from '../../alarm-webhooks/contract.ts'
import { AlarmLevel } from './AlarmLevel.tsx'

const Sent = lazyScreen(sentList)
type Hook = Shown<typeof alarmWebhook>
const events = ['OnRaised', 'OnAcknowledged', 'OnHandled', 'OnRecovered'] as const

/** Webhooks: their subscriptions and the results of delivery. */
const WebhookList = () => {
  const t = useWords()
  const mayLog = useMay('m10431')
  const [secret, setSecret] = useState<{ HookName: string; Secret: string }>()
  const [sent, setSent] = useState<Hook>()
  return (
    <Page title={t('menu.m10231')}>
      <ResourceList
        of={alarmWebhook}
        columns={['HookName', 'Enabled', 'Url', 'ProjectId', 'AlarmLevel', 'Remark']}
        cells={{
          Url: (row) => (
            <>
              <div className="mono">{row.Url}</div>
              <div className="soft">
                {events
                  .filter((name) => row[name] === 1)
                  .map((name) => t(`alarmWebhook.${name}`))
                  .join(' · ')}
              </div>
            </>
          ),
          ProjectId: (row) => (row.ProjectName as string | null) ?? <span className="soft">{t('webhook.allProjects')}</span>,
          AlarmLevel: (row) => <AlarmLevel of={{ ...row, IsActive: 1 }} />,
          Enabled: (row) => <State is={row.Enabled === 1 ? 'normal' : 'offline'}>{t(`alarmWebhook.Enabled.${row.Enabled}`)}</State>,
        }}
        onActed={{
          test: (_, row) => mayLog && setSent(row),
          resetKey: (made) => setSecret(made as unknown as { HookName: string; Secret: string }),
        }}
        form={{ onSaved: (row) => 'Secret' in row && setSecret(row as unknown as { HookName: string; Secret: string }) }}
        actions={(row) => [
          ...(mayLog ? [{ key: 'sent', label: t('webhook.sent'), icon: <UnorderedListOutlined />, run: () => setSent(row) }] : []),
        ]}
      />
      <Drawer
        open={!!sent}
        onClose={() => setSent(undefined)}
        size={900}
        title={sent && t('webhook.sentTo', { title: sent.HookName })}
        destroyOnHidden
      >
        {sent && <Sent above={{ of: alarmWebhook, Id: sent.Id }} prefix="sent." />}
      </Drawer>
      {secret && <Secret of={secret.HookName} secret={secret.Secret} close={() => setSecret(undefined)} />}
    </Page>
  )
}
export default WebhookList
