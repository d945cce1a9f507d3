import { RedoOutlined, StopOutlined } from '@ant-design/icons'
import { useCommand } from '../../../../console/kernel/api.ts'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { type Condition, State } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { almPushRecord, messageCalls } from '../contract.ts'
import { reasonOf } from './reason.ts'

const conditions: Condition[] = ['offline', 'normal', 'normal', 'alarm', 'offline', 'warning']

/** What was sent, to whom and with what result; all of it, or what one subscription was sent. */
export const SentLog = ({ webhook }: { webhook?: number }) => {
  const t = useWords()
  const may = useMay('m10431.test')
  const resend = useCommand(messageCalls.resend, ['almPushRecord'])
  const cancel = useCommand(messageCalls.cancel, ['almPushRecord'])
  return (
    <ResourceList
      of={almPushRecord}
      {...(webhook ? { fixed: { AlarmWebhookId: webhook } } : {})}
      prefix={webhook ? 'sent.' : 'log.'}
      columns={['Title', ...(webhook ? [] : (['Method', 'Target'] as const)), 'SendStatus', 'ErrorText', 'RetryCount', 'SendTime']}
      cells={{
        SendStatus: (row) => <State is={conditions[row.SendStatus]!}>{t(`almPushRecord.SendStatus.${row.SendStatus}`)}</State>,
        ErrorText: (row) => row.ErrorText && reasonOf(row.ErrorText, t),
      }}
      filters={webhook ? ['SendStatus'] : ['Method', 'SendStatus']}
      readOnly
      actions={(row) => [
        ...(may && (row.SendStatus === 3 || row.SendStatus === 5)
          ? [
              {
                key: 'resend',
                label: t('push.resend'),
                icon: <RedoOutlined />,
                run: () => resend.mutate({ body: { Id: row.Id } }),
              },
            ]
          : []),
        ...(may && row.SendStatus === 0
          ? [{ key: 'cancel', label: t('push.cancel'), icon: <StopOutlined />, run: () => cancel.mutate({ body: { Id: row.Id } }) }]
          : []),
      ]}
    />
  )
}
