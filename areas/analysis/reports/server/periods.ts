import { FieldFaults } from '../../../../server/http/faults.ts'
import { periodsOf } from '../../../../server/telemetry/meaning/periods.ts'
import type { ReportAsk } from '../contract.ts'

const dayMs = 86_400_000
/** Days that are looked back for the last whole unit. */
const lookBack = { day: 4, week: 22, month: 95, year: 1100 } as const
/** Days of a range of one's own. */
const mostDays = 800

export type Span = { start: number; end: number }

/** The last whole day, week, month or year before a moment, by the calendar of a zone. */
export const lastWhole = (unit: 'day' | 'week' | 'month' | 'year', before: number, zone: string): Span => {
  const { edges } = periodsOf(unit, before - lookBack[unit] * dayMs, before + 1, zone)
  // The last edge is the moment itself; the one before it begins the unit that holds it.
  return { start: edges.at(-3)!, end: edges.at(-2)! }
}

export const spanOf = ({ Period, Start, End }: Pick<ReportAsk, 'Period' | 'Start' | 'End'>, now: number, zone: string): Span => {
  if (Period !== 'range') return lastWhole(Period, now, zone)
  if (Start === undefined || End === undefined) throw new FieldFaults([{ field: Start === undefined ? 'Start' : 'End', rule: 'required' }])
  if (End <= Start) throw new FieldFaults([{ field: 'End', rule: 'afterStart' }])
  if (End - Start > mostDays * dayMs) throw new FieldFaults([{ field: 'End', rule: 'mostDays', values: { max: mostDays } }])
  return { start: Start, end: End }
}

/** The comparison period: the previous calendar unit, or the same duration before the start. */
export const before = ({ Period }: Pick<ReportAsk, 'Period'>, { start, end }: Span, zone: string): Span =>
  Period === 'range' ? { start: start - (end - start), end: start } : lastWhole(Period, start, zone)
