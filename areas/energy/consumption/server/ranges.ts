// Ranges of days and their parts, in the zone of the company.
import { dayNumber } from '../../../../contract/days.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { periodsOf } from '../../../../server/telemetry/meaning/periods.ts'
import { day, quarter } from '../../../../server/telemetry/store/store.ts'
import { keyOf, offsets, startOfKey } from '../../../../server/telemetry/zone.ts'
import { type Division, mostDays, mostParts } from '../contract.ts'
import type { Span } from './days.ts'

export type Days = { DateFrom: string; DateTo: string }
/** Days since 1970, both included. */
export type Keys = { from: number; to: number }
const [earliest, latest] = [dayNumber('2000-01-01'), dayNumber('2100-01-01')]

/** A range of days as numbers since 1970, both included. */
export const keysOf = ({ DateFrom, DateTo }: Days, most = mostDays): Keys => {
  const [from, to] = [dayNumber(DateFrom), dayNumber(DateTo)]
  const isDay = (key: number, text: string) => Number.isFinite(key) && textOfDay(key) === text && key >= earliest && key < latest
  if (!isDay(from, DateFrom)) throw new FieldFaults([{ field: 'DateFrom', rule: 'pattern' }])
  if (!isDay(to, DateTo)) throw new FieldFaults([{ field: 'DateTo', rule: 'pattern' }])
  if (to < from) throw new FieldFaults([{ field: 'DateTo', rule: 'afterStart' }])
  if (to - from >= most) throw new FieldFaults([{ field: 'DateTo', rule: 'fault.rangeTooLong' }])
  return { from, to }
}
/** The days of a month, such as 2026-03. */
export const monthKeys = (Month: string): Keys => {
  const [year, month] = Month.split('-').map(Number) as [number, number]
  if (month < 1 || month > 12) throw new FieldFaults([{ field: 'Month', rule: 'pattern' }])
  const { from } = keysOf({ DateFrom: `${Month}-01`, DateTo: `${Month}-01` })
  return { from, to: Date.UTC(year, month, 1) / day - 1 }
}

export const textOfDay = (key: number) => new Date(key * day).toISOString().slice(0, 10)

/** The instants between which days lie; whole quarter-hours in every zone since 2000. */
export const spanOf = (zone: string, { from, to }: Keys): Span => {
  const spans = offsets(zone, (from - 1) * day, (to + 2) * day)
  return { start: startOfKey('day', spans, from), end: startOfKey('day', spans, to + 1) }
}
export const today = (zone: string, now: number) => keyOf('day', offsets(zone, now, now), now)

/** Edges of parts; hours of the week are grouped over all weeks. */
export const partsOf = (zone: string, { start, end }: Span, by: Division): { edges: number[]; groups?: number[] } => {
  const count = (end - start) / { quarter, hour: 4 * quarter, day, month: 28 * day, 'weekday-hour': 4 * quarter }[by]
  if (count > mostParts) throw new FieldFaults([{ field: 'Division', rule: 'fault.rangeTooLong' }])
  if (by === 'quarter') return { edges: Array.from({ length: (end - start) / quarter + 1 }, (_, i) => start + i * quarter) }
  return periodsOf(by, start, end, zone)
}

/** The same days of the year before: 29 February counts as the 28th. */
export const yearBefore = ({ from, to }: Keys) => {
  const shifted = (key: number) => {
    const date = new Date(key * day)
    const [year, month] = [date.getUTCFullYear() - 1, date.getUTCMonth()]
    const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
    return Date.UTC(year, month, Math.min(date.getUTCDate(), last)) / day
  }
  return { from: shifted(from), to: shifted(to) }
}
/** As many days just before; of a whole month, the month before. */
export const periodBefore = ({ from, to }: Keys) => {
  const [first, after] = [new Date(from * day), new Date((to + 1) * day)]
  const isMonth = first.getUTCDate() === 1 && first.getUTCMonth() === new Date(to * day).getUTCMonth() && to - from < 31
  if (isMonth && after.getUTCDate() === 1) return { from: Date.UTC(first.getUTCFullYear(), first.getUTCMonth() - 1, 1) / day, to: from - 1 }
  if (isMonth) {
    const before = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() - 1, 1) / day
    return { from: before, to: Math.min(from - 1, before + to - from) }
  }
  return { from: from - (to - from + 1), to: from - 1 }
}

/** As much of other days as has passed of these: a running range is compared with the same days up to the same time. */
export const elapsedSpan = (zone: string, other: Keys, asked: Keys, now: number): Span => {
  const whole = spanOf(zone, other)
  const current = today(zone, now)
  if (current > asked.to) return whole
  const day = Math.min(other.to, other.from + Math.max(0, current - asked.from))
  const passed = Math.max(0, Math.ceil((now - spanOf(zone, { from: current, to: current }).start) / quarter) * quarter)
  const end = current < asked.from ? whole.start : spanOf(zone, { from: day, to: day }).start + passed
  return { start: whole.start, end: Math.min(whole.end, end) }
}

/** Days shown as daily bars. Longer periods get monthly bars. */
export const mostBars = 62
/** The days of a span that consists of whole days. Undefined for others, such as shifts. */
export const wholeDaysOf = (zone: string, { start, end }: Span): Keys | undefined => {
  const keys = { from: today(zone, start), to: today(zone, end - 1) }
  const days = spanOf(zone, keys)
  return days.start === start && days.end === end ? keys : undefined
}
