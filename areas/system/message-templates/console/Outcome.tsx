import { Alert } from 'antd'
import { useCall } from '../../../../console/kernel/api.ts'
import { useWords } from '../../../../console/words/words.ts'
import { messageCalls } from '../contract.ts'
import { reasonOf } from './reason.ts'

const tone = ['info', 'success', 'success', 'error', 'info', 'warning'] as const

/** Result of a message, as soon as it is known. */
export const Outcome = ({ of: { Id, Target } }: { of: { Id: number; Target: string } }) => {
  const t = useWords()
  const { data } = useCall(messageCalls.records, { query: { Id }, of: ['almPushRecord'], refetchInterval: 1500 })
  const row = data?.Items[0] as { SendStatus: 0 | 1 | 2 | 3 | 4 | 5; ErrorText: string | null } | undefined
  const status = row?.SendStatus ?? 0
  return (
    <Alert
      type={tone[status]}
      showIcon
      role="status"
      title={t('template.outcome', { target: Target, state: t(`almPushRecord.SendStatus.${status}`) })}
      description={row?.ErrorText ? reasonOf(row.ErrorText, t) : undefined}
    />
  )
}
