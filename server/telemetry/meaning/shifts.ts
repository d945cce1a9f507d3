// Shifts of a plant: plans hold from a day on, so that history keeps its old ones. A shift belongs to the day on which it begins.
import { day, minute } from '../store/store.ts'
import { keyOf, offsets, type Span } from '../zone.ts'
import type { Periods } from './periods.ts'

/** Minutes of the wall clock, counted from midnight of the day on which it begins; `end` may lie on the next day. Monday is 0. */
export type ShiftTime = { name: string; start: number; end: number; weekdays: ReadonlySet<number> }
/** Days are numbers of local dates since 1970. A make-up day works as another day of the week. */
export type ShiftPlan = {
  from: number
  times: readonly ShiftTime[]
  holidays: ReadonlySet<number>
  makeUps: ReadonlyMap<number, number>
}
/** One shift, epoch ms. */
export type Shift = { start: number; end: number; name: string; day: number }

/** The instant at which the wall clock first shows a local time; where it skips that time, the instant of the change. */
const instantOf = (spans: readonly Span[], wall: number) => {
  for (const [i, { from, offset }] of spans.entries()) {
    const until = spans[i + 1]?.from ?? Number.POSITIVE_INFINITY
    if (wall - offset < until) return Math.max(from, wall - offset)
  }
  return wall
}

// 1 January 1970 was a Thursday.
const weekdayOf = (key: number) => (((key + 3) % 7) + 7) % 7

const ofDay = (plans: readonly ShiftPlan[], key: number): readonly ShiftTime[] => {
  const plan = plans.findLast(({ from }) => from <= key)
  if (!plan) return []
  const weekday = plan.makeUps.get(key) ?? (plan.holidays.has(key) ? undefined : weekdayOf(key))
  return weekday === undefined ? [] : plan.times.filter(({ weekdays }) => weekdays.has(weekday))
}

/** The whole shifts that touch a range, in order of time. Where two meet, such as around a new plan, the earlier one keeps its end. */
export const shiftsIn = (plans: readonly ShiftPlan[], start: number, end: number, zone: string): Shift[] => {
  const spans = offsets(zone, start, end)
  const ascending = plans.toSorted((a, b) => a.from - b.from)
  const found: Shift[] = []
  const last = keyOf('day', spans, end)
  for (let key = keyOf('day', spans, start) - 1; key <= last; key++)
    for (const { name, start: from, end: to } of ofDay(ascending, key).toSorted((a, b) => a.start - b.start)) {
      const begin = Math.max(instantOf(spans, key * day + from * minute), found.at(-1)?.end ?? Number.NEGATIVE_INFINITY)
      const until = instantOf(spans, key * day + to * minute)
      // A change of the clock may take all of a short shift.
      if (until > begin) found.push({ start: begin, end: until, name, day: key })
    }
  return found.filter((shift) => shift.end > start && shift.start < end)
}

/** Shifts as the parts of a range, with null for time between them; the first and the last one are cut where the range begins and ends. */
export const shiftPeriods = (shifts: readonly Shift[], start: number, end: number): Periods & { shifts: (Shift | null)[] } => {
  const [edges, of]: [number[], (Shift | null)[]] = [[start], []]
  const until = (edge: number, shift: Shift | null) => {
    if (edge <= edges.at(-1)!) return
    edges.push(edge)
    of.push(shift)
  }
  for (const shift of shifts) {
    until(Math.min(shift.start, end), null)
    until(Math.min(shift.end, end), shift)
  }
  until(end, null)
  return { edges, shifts: of }
}
