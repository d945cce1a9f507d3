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

type Dated = {
  PlanFinishTime: string | null
  IsClosed: number
  Status?: number
  RespondDue?: string | null
  ArriveDue?: string | null
  ArriveTime?: string | null
  HoldReason?: string | null
  DueByClock?: number
}
/** The next clock to expire: accept, arrive or finish. */
const nextClock = ({
  Status,
  RespondDue,
  ArriveDue,
  ArriveTime,
  PlanFinishTime,
}: Dated): ['respond' | 'arrive' | 'finish', string | null] => {
  if (RespondDue && (Status === 0 || Status === 1)) return ['respond', RespondDue]
  if (ArriveDue && Status === 2 && !ArriveTime) return ['arrive', ArriveDue]
  return ['finish', PlanFinishTime]
}
type Props = { of: Dated; short?: boolean }
/** Due date as relative time, red when overdue. Closed orders show only the date; orders on hold show the reason. */
export const Due = ({ of, short = false }: Props) => {
  const t = useWords()
  const [clock, time] = of.IsClosed ? (['finish', of.PlanFinishTime] as const) : nextClock(of)
  const left = useNowAs((now) => (time ? Math.trunc((wallToEpoch(time) - now) / 60_000) : 0))
  const today = useNowAs((now) => new Date(now).toDateString())
  if (!time && of.HoldReason && of.DueByClock) return <State is="offline">{t('clock.held', { reason: of.HoldReason })}</State>
  if (!time) return <span className="faint">{short ? '' : t('order.noDue')}</span>
  if (of.IsClosed) return <span className="figures">{shortTimeText(time, today)}</span>
  const when = relative(left * 60_000, language())
  const word = clock === 'finish' ? (left < 0 ? 'order.overdue' : 'order.due') : `clock.${clock}.${left < 0 ? 'late' : 'due'}`
  return (
    <span className="figures" title={`${time} (${userZone()})`}>
      <State is={left < 0 ? 'alarm' : 'normal'}>{t(word, { when })}</State>
    </span>
  )
}
