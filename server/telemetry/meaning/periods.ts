import { day, hour } from '../store/store.ts'
import { floorTo, keyOf, offsets, type Span, startOfKey } from '../zone.ts'

/** How a range is divided. Weeks begin on Monday; weekday-hour puts the same hour of all Mondays together, and so on. */
export const divisions = ['none', 'hour', 'day', 'week', 'month', 'quarter', 'year', 'weekday-hour'] as const
export type By = (typeof divisions)[number]

/**
 * Consecutive parts of a range: part i lasts from edges[i] to edges[i + 1] (epoch ms). `groups` are the parts that belong together, where
 * a part alone is no entry: 168 hours of a week, Monday 0:00 first.
 */
export type Periods = { edges: number[]; groups?: number[] }

/** Days since 1970 of the first day of the unit that holds a day, or of the next one. */
const firstDay: Record<'week' | 'month' | 'quarter' | 'year', (key: number, next: 0 | 1) => number> = {
  // 1 January 1970 was a Thursday.
  week: (key, next) => key - ((((key + 3) % 7) + 7) % 7) + 7 * next,
  month: (key, next) => ofMonths(key, 1, next),
  quarter: (key, next) => ofMonths(key, 3, next),
  year: (key, next) => ofMonths(key, 12, next),
}
const ofMonths = (key: number, months: number, next: number) => {
  const date = new Date(key * day)
  return Date.UTC(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / months) * months + months * next, 1) / day
}

/** Approximate length of a unit, ms: what a range is refused by before anything is counted. */
export const lengthOf: Record<By, number> = {
  none: Number.POSITIVE_INFINITY,
  ...{ hour, day, week: 7 * day, month: 30 * day, quarter: 91 * day, year: 365 * day, 'weekday-hour': hour },
}

const startsOfHours = (spans: readonly Span[], start: number, end: number) => {
  const starts: number[] = []
  // Half an hour on is in the same hour or the next one, also where a clock is set by 30 or 45 minutes.
  for (let at = start; at < end; at += hour / 4) {
    const first = floorTo('hour', spans, at)
    if (first <= start || first === starts.at(-1)) continue
    starts.push(first)
    if (keyOf('hour', spans, at) !== at) continue
    // From a whole hour on, full hours follow until the clock changes.
    const last = Math.min(end, spans.find(({ from }) => from > first)?.from ?? end) - hour
    for (; at + hour < last; at += hour) starts.push(at + hour)
  }
  return starts
}

const startsOfDays = (unit: Exclude<By, 'none' | 'hour' | 'weekday-hour'>, spans: readonly Span[], start: number, end: number) => {
  const starts: number[] = []
  const next = (key: number) => (unit === 'day' ? key + 1 : firstDay[unit](key, 1))
  for (let key = next(keyOf('day', spans, start)); ; key = next(key)) {
    const first = startOfKey('day', spans, key)
    if (first >= end) return starts
    if (first > start) starts.push(first)
  }
}

/** The parts of a range in a zone; the first and the last one are cut where the range begins and ends. */
export const periodsOf = (by: By, start: number, end: number, zone: string): Periods => {
  if (by === 'none') return { edges: [start, end] }
  const spans = offsets(zone, start, end)
  if (by !== 'hour' && by !== 'weekday-hour') return { edges: [start, ...startsOfDays(by, spans, start, end), end] }
  const edges = [start, ...startsOfHours(spans, start, end), end]
  if (by === 'hour') return { edges }
  const groups = edges.slice(0, -1).map((at) => {
    const { offset } = spans.findLast((span) => span.from <= at)!
    const wall = Math.floor((at + offset) / hour)
    return ((((Math.floor(wall / 24) + 3) % 7) + 7) % 7) * 24 + (((wall % 24) + 24) % 24)
  })
  return { edges, groups }
}
