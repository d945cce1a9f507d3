// The period that one is compared with. Pure.
import { calendarSpanOf, type Days, daysOf, lengthOf, steppedPeriod } from '../../../../console/chart/calendarSpans.ts'
import { dayNumber, dayOf } from '../../../../contract/days.ts'

export const comparisons = ['none', 'before', 'year'] as const
export type Comparison = (typeof comparisons)[number]

const yearBefore = (day: string) => {
  const [year = '', month = '', date = ''] = day.split('-')
  const last = new Date(Date.UTC(Number(year) - 1, Number(month), 0)).getUTCDate()
  return `${String(Number(year) - 1).padStart(4, '0')}-${month}-${String(Math.min(Number(date), last)).padStart(2, '0')}`
}

/** As many days from a day on. */
export const daysFrom = (from: string, count: number): Days => ({ from, to: dayOf(dayNumber(from) + count - 1) })

/** As many days as are shown of a period, in the period `count` steps before it. */
export const stepsBefore = (of: string, days: Days, count: number): Days => {
  let earlier = of
  for (let i = 0; i < count; i++) earlier = steppedPeriod(earlier, -1)
  return daysFrom(daysOf(earlier)?.from ?? days.from, lengthOf(days))
}
export const earlierOf = (of: string, days: Days, comparison: Comparison): Days | undefined => {
  if (comparison === 'none') return undefined
  if (comparison === 'year' && calendarSpanOf(of) !== 'year') return daysFrom(yearBefore(days.from), lengthOf(days))
  return stepsBefore(of, days, 1)
}
