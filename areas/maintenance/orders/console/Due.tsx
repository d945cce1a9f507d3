import { useNowAs } from '../../../../console/live/clock.ts'
import { State } from '../../../../console/theme/State.tsx'
import { shortTimeText, userZone, wallToEpoch } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const
/** `in 3 hours`, `2 days ago`. */
export const relative = (ms: number, locale: string): string => {
  const [unit, of] = units.find(([, of]) => Math.abs(ms) >= of) ?? units[2]
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.round(ms / of), unit)
}

type Props = { of: { PlanFinishTime: string | null; IsClosed: number }; short?: boolean }
/** Due date of an order as relative time; overdue ones are red. Closed orders show the date alone. */
export const Due = ({ of: { PlanFinishTime, IsClosed }, short = false }: Props) => {
  const t = useWords()
  const left = useNowAs((now) => (PlanFinishTime ? Math.trunc((wallToEpoch(PlanFinishTime) - now) / 60_000) : 0))
  const today = useNowAs((now) => new Date(now).toDateString())
  if (!PlanFinishTime) return <span className="faint">{short ? '' : t('order.noDue')}</span>
  if (IsClosed) return <span className="figures">{shortTimeText(PlanFinishTime, today)}</span>
  const when = relative(left * 60_000, language())
  return (
    <span className="figures" title={`${PlanFinishTime} (${userZone()})`}>
      <State is={left < 0 ? 'alarm' : 'normal'}>{t(left < 0 ? 'order.overdue' : 'order.due', { when })}</State>
    </span>
  )
}
