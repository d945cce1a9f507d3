// Due dates of plans. Pure, in local dates: the server adds the time of day in the company's time zone.

import { dayMs, dayNumber, dayOf } from '../../../contract/days.ts'

/** 1 day, 2 week, 3 month, 4 quarter, 5 half year, 6 year. */
export type Cycle = {
  CycleType: number
  /** Number of units between two dates. */
  CycleValue: number
  /** 1 = Sunday to 7 = Saturday; empty: the weekday of the start. */
  WeekDays: readonly number[]
  /** 29 to 31 mean the last day of a shorter month; empty: the day of the start. */
  MonthDays: readonly number[]
  StartDate: string
  EndDate: string | null
}

/** 1970-01-01 was a Thursday. */
export const weekdayOf = (key: number) => ((((key + 4) % 7) + 7) % 7) + 1
const monthsOf: Readonly<Record<number, number>> = { 3: 1, 4: 3, 5: 6, 6: 12 }

/** The last multiple of `every` up to `from`, counted from 0. */
const skipped = (from: number, every: number) => Math.max(0, Math.floor(from / every)) * every
/** First day of a month. Avoids `Date.UTC`, which maps the years 0 to 99 to 1900 to 1999. */
const monthKey = (year: number, month: number) => new Date(0).setUTCFullYear(year, month, 1) / dayMs

// Each generator starts near `from`: a plan may have started centuries ago.
function* ofWeeks({ CycleValue, WeekDays }: Cycle, start: number, from: number): Generator<number> {
  const days = WeekDays.length ? [...WeekDays].sort((a, b) => a - b) : [weekdayOf(start)]
  // Weeks begin on Sunday, like the weekday numbers.
  const [first, every] = [start - (weekdayOf(start) - 1), 7 * CycleValue]
  for (let week = first + skipped(from - first, every); ; week += every) for (const one of days) yield week + one - 1
}
function* ofMonths({ CycleType, CycleValue, MonthDays, StartDate }: Cycle, start: number, from: number): Generator<number> {
  const days = MonthDays.length ? [...MonthDays].sort((a, b) => a - b) : [Number(StartDate.slice(8))]
  const [year, month] = [Number(StartDate.slice(0, 4)), Number(StartDate.slice(5, 7)) - 1]
  const every = monthsOf[CycleType]! * CycleValue
  for (let step = skipped((from - start) / 31, every); ; step += every) {
    const first = monthKey(year, month + step)
    const length = monthKey(year, month + step + 1) - first
    yield* new Set(days.map((one) => first + Math.min(one, length) - 1))
  }
}
function* ofDays({ CycleValue }: Cycle, start: number, from: number): Generator<number> {
  for (let key = start + skipped(from - start, CycleValue); ; key += CycleValue) yield key
}

/** Last possible date of a plan. */
export const lastKey = dayNumber('2200-01-01')
/** At most `most` dates after a date, in order. Skips dates for which `isFree` is true. */
export const datesAfter = (cycle: Cycle, after: string | null, most: number, isFree: (date: string) => boolean = () => false): string[] => {
  const start = dayNumber(cycle.StartDate)
  const end = cycle.EndDate ? Math.min(dayNumber(cycle.EndDate), lastKey) : lastKey
  const from = after ? dayNumber(after) + 1 : start
  const daysOf = cycle.CycleType === 1 ? ofDays : cycle.CycleType === 2 ? ofWeeks : ofMonths
  const found: string[] = []
  for (const key of daysOf(cycle, start, from)) {
    if (key > end || found.length >= most) break
    if (key < start || key < from) continue
    const date = dayOf(key)
    if (!isFree(date)) found.push(date)
  }
  return found
}

/** Next date of a plan that is based on the completion of its last order. */
export const goingOnFrom = (cycle: Cycle, finished: string): string | undefined => {
  const { CycleType, CycleValue } = cycle
  const at = new Date(`${finished}T00:00:00Z`)
  const next =
    CycleType <= 2
      ? dayNumber(finished) + CycleValue * (CycleType === 2 ? 7 : 1)
      : (() => {
          const [year, month] = [at.getUTCFullYear(), at.getUTCMonth() + monthsOf[CycleType]! * CycleValue]
          const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
          return Date.UTC(year, month, Math.min(at.getUTCDate(), length)) / dayMs
        })()
  return next > (cycle.EndDate ? dayNumber(cycle.EndDate) : lastKey) ? undefined : dayOf(next)
}

/** Restarts a cycle on a day: listed days stay, other dates count from that day. */
export const startedAnew = (cycle: Cycle, day: string): Cycle => {
  const isListed = cycle.CycleType === 2 ? cycle.WeekDays.length > 0 : cycle.CycleType > 2 && cycle.MonthDays.length > 0
  const StartDate = isListed ? dayOf(dayNumber(day) + 1) : goingOnFrom({ ...cycle, EndDate: null }, day)
  return { ...cycle, StartDate: StartDate ?? cycle.StartDate }
}
