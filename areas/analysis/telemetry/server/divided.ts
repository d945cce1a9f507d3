import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { type By, lengthOf, type Periods, periodsOf } from '../../../../server/telemetry/meaning/periods.ts'
import { type Shift, shiftPeriods, shiftsIn } from '../../../../server/telemetry/meaning/shifts.ts'
import { shiftPlansOf } from '../../shifts/server/service.ts'
import { type Division, mostPoints } from '../contract.ts'

export type Asked = { ids: readonly number[]; Start: number; End: number; By: Division }
type Times = { start: number; end: number }

/** Entries of one answer, over all points: each has thirty figures, and all are written in one go. */
const mostEntries = 20_000
/** Hours that are put together by weekday. */
const mostGrouped = 200_000
const coarser: Partial<Record<Division, string>> = { hour: 'day', day: 'month', shift: 'month', week: 'quarter', 'weekday-hour': 'day' }
export const oldest = Date.UTC(2000, 0, 1)
export const dayMs = 86_400_000
/** A range is refused by this length of a shift before any is counted. */
const shortShift = dayMs / 6

/** Refuses what no browser can show; the message names what to reduce. */
export const assertFits = ({ ids, Start, End, By }: Asked) => {
  if (End <= Start) throw new FieldFaults([{ field: 'End', rule: 'afterStart' }])
  if (ids.length > mostPoints) throw new FieldFaults([{ field: 'ParaIds', rule: 'mostPoints', values: { max: mostPoints } }])
  const parts = (End - Math.max(Start, oldest)) / (By === 'shift' ? shortShift : lengthOf[By])
  const most = By === 'weekday-hour' ? mostGrouped : mostEntries
  assertParts(parts, ids, By, most)
}
const assertParts = (parts: number, ids: Asked['ids'], By: Division, most: number) => {
  if (parts * Math.max(1, ids.length) <= most) return
  throw new FieldFaults([{ field: parts > most ? 'End' : 'ParaIds', rule: `coarser.${coarser[By] ?? 'year'}` }], 'rangeTooLong')
}

/** The time of a part that is over, of which readings can be known. */
export const past = ({ start, end }: Times, now: number) => Math.min(end, now) - start

/** Whether a part is cut by the range that was asked for, or not over yet. */
const partialOf = ({ edges }: Periods, zone: string, by: By, now: number) => {
  const [start, end] = [edges[0]!, edges.at(-1)!]
  if (by === 'none' || by === 'weekday-hour') return () => 0
  const around = periodsOf(by, start - 1, end + 1, zone)
  const cutFirst = !around.edges.includes(start)
  const cutLast = !around.edges.includes(end)
  return (part: Times) => Number((cutFirst && part.start === start) || (cutLast && part.end === end) || part.end > now)
}

/** How long the parts of each entry are together, as far as they are over: of hours of the week, all of that hour. */
const lengthsOf = ({ edges, groups }: Periods, now: number) => {
  if (!groups) return (part: Times) => past(part, now)
  const sums = new Map<number, number>()
  for (const [i, group] of groups.entries())
    sums.set(group, (sums.get(group) ?? 0) + Math.max(0, past({ start: edges[i]!, end: edges[i + 1]! }, now)))
  return (part: Times) => sums.get(part.start) ?? 0
}

export type Divided = {
  periods: Periods
  /** ms of it that are over. */
  lengthOf: (part: Times) => number
  partialOf: (part: Times) => number
  /** What names a part: nothing, or its shift with the day on which that begins. Null: it lies between shifts, and is no part. */
  nameOf: (part: Times) => { Shift?: string; Day?: string } | null
}

/** Its name, with the day on which it begins. */
export const nameOfShift = ({ name, day }: Shift) => ({ Shift: name, Day: new Date(day * dayMs).toISOString().slice(0, 10) })

const byShift = (shifts: readonly Shift[], { start, end }: Times, now: number): Divided => {
  const periods = shiftPeriods(shifts, start, end)
  const of = new Map(periods.shifts.map((shift, i) => [periods.edges[i]!, shift]))
  return {
    periods,
    lengthOf: (part) => past(part, now),
    partialOf: (part) => {
      const shift = of.get(part.start)
      return Number(!shift || shift.start < part.start || shift.end > part.end || part.end > now)
    },
    nameOf: (part) => {
      const shift = of.get(part.start)
      return shift ? nameOfShift(shift) : null
    },
  }
}

/** The parts of the range that can have readings; nothing where none can. */
export const divided = async (db: Db, { ids, Start, End, By }: Asked, zone: string, now: number): Promise<Divided | undefined> => {
  const plans = By === 'shift' ? await shiftPlansOf(db, ids) : []
  const [start, end] = [Math.max(Start, oldest), Math.min(End, now + 2 * dayMs)]
  if (start >= end) return
  if (By === 'shift') {
    const shifts = shiftsIn(plans, start, end, zone)
    // A plan may have 24 a day.
    assertParts(shifts.length, ids, By, mostEntries)
    return byShift(shifts, { start, end }, now)
  }
  const periods = periodsOf(By, start, end, zone)
  return { periods, lengthOf: lengthsOf(periods, now), partialOf: partialOf(periods, zone, By, now), nameOf: () => ({}) }
}
