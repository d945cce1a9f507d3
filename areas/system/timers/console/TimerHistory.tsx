import { Drawer } from 'antd'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { usePhone } from '../../../../console/theme/useWidth.ts'
import { hasWords, useWords } from '../../../../console/words/words.ts'
import { timerLog } from '../contract.ts'
import { Outcome } from './Outcome.tsx'

/** Every run of a task, and the times it missed. */
export const TimerHistory = ({ timer, close }: { timer: { Id: number; TimerName: string }; close: () => void }) => {
  const t = useWords()
  const phone = usePhone()
  const said = (wording: string, values: unknown) => {
    const key = hasWords(`timer.said.${wording}`) ? `timer.said.${wording}` : wording
    return t(key, (values ?? {}) as Record<string, unknown>)
  }
  return (
    <Drawer
      open
      placement={phone ? 'bottom' : 'right'}
      size={phone ? '92%' : 840}
      title={t('timer.historyOf', { title: timer.TimerName })}
      onClose={close}
    >
      <ResourceList
        of={timerLog}
        columns={['StartTime', 'Result', 'Wording', 'DurationMs', 'ByHand']}
        cells={{
          Result: (row) => <Outcome of="timerLog.Result" result={row.Result} />,
          Wording: (row) => <span className="wrap">{said(row.Wording, row.WordValues)}</span>,
        }}
        fixed={{ TimerId: timer.Id }}
        prefix="h."
        readOnly
      />
    </Drawer>
  )
}
