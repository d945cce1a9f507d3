import { Button } from 'antd'
import type { Fault } from '../session/request.ts'
import { Shape } from '../theme/State.tsx'
import { useWords } from '../words/words.ts'

type Action = { label: string; run: () => void } | undefined | false

/** An empty list: a sentence, and a button that adds the first row. */
export const EmptyList = ({ text, action }: { text: string; action?: Action }) => (
  <div className="empty">
    <p>{text}</p>
    {action && <Button onClick={action.run}>{action.label}</Button>}
  </div>
)

/** A failed query: the reason, which is that of its fields where there are any, and a button to retry. */
export const Failure = ({ fault, retry }: { fault: Fault | Error; retry?: () => void }) => {
  const t = useWords()
  const reasons = 'details' in fault ? Object.values(fault.details.Fields ?? {}).flat() : []
  return (
    <div className="empty" role="alert">
      <p>
        <Shape is="warning" /> {[...new Set(reasons)].join(' ') || fault.message}
      </p>
      {retry && <Button onClick={retry}>{t('retry')}</Button>}
    </div>
  )
}
