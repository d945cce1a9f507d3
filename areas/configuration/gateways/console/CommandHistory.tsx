import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { State } from '../../../../console/theme/State.tsx'
import { hasWords, useWords } from '../../../../console/words/words.ts'
import { command } from '../contract.ts'

/** What was sent to the gateway, by whom, and what it answered. */
export const CommandHistory = ({ gatewayId }: { gatewayId: number }) => {
  const t = useWords()
  const result = (code: number | null) => {
    if (code === null) return <State is="warning">{t('command.waiting')}</State>
    const text = hasWords(`result.${code}`) ? t(`result.${code}`) : t('push.failed', { code })
    return code === 0 ? text : <State is="alarm">{text}</State>
  }
  return (
    <ResourceList
      of={command}
      columns={['SendTime', 'CmdType', 'Code', 'AckTime', 'UserId']}
      cells={{
        Code: (row) => <span className="wrap">{result(row.Code)}</span>,
        UserId: (row) => String(row.UserName ?? t('command.system')),
      }}
      fixed={{ GatewayId: gatewayId }}
      readOnly
    />
  )
}
