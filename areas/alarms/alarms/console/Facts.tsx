import { language, useWords } from '../../../../console/words/words.ts'
import type { Alarm } from './AlarmLevel.tsx'

const text = (value: number) => value.toLocaleString(language(), { maximumFractionDigits: 3 })

/** The value and the limit it passed. */
export const Facts = ({ alarm: { LastValue, TriggerValue, Limit, LimitValue } }: { alarm: Alarm }) => {
  const t = useWords()
  const value = LastValue ?? TriggerValue
  if (value === null) return null
  return (
    <span className="figures">
      {text(value)}
      {LimitValue !== null && (
        <span className="unit"> {t(Limit === 'low' ? 'alarm.below' : 'alarm.above', { limit: text(LimitValue) })}</span>
      )}
    </span>
  )
}
