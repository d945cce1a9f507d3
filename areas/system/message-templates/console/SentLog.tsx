import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { type Condition, State } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { almPushRecord } from '../contract.ts'
import { reasonOf } from './reason.ts'

const conditions: Condition[] = ['offline', 'normal', 'normal', 'alarm', 'offline', 'warning']

/** What was sent, to whom and with what result; all of it, or what one subscription was sent. */
export const SentLog = ({ webhook }: { webhook?: number }) => {
  const t = useWords()
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
    />
  )
}
