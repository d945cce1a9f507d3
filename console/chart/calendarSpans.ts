// Days, weeks, months and years in the URL format: `2026-11-29`, `2026-11-23~2026-11-29`, `2026-11`, `2026`. Pure.
import { dayNumber, dayOf, isDay } from '../../contract/days.ts'

/** `range` is from one day to another. */
export type CalendarSpan = 'day' | 'week' | 'month' | 'year' | 'range'
export type Days = { from: string; to: string }

const mondayOf = (day: string) => dayOf(dayNumber(day) - ((dayNumber(day) + 3) % 7))
const lastOfMonth = (month: string) => dayOf(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1) / 86_400_000 - 1)

/** The days of a period; undefined for an invalid text. */
export const daysOf = (of: string): Days | undefined => {
  const [from = '', to = ''] = /^\d{4}$/.test(of)
    ? [`${of}-01-01`, `${of}-12-31`]
    : /^\d{4}-\d\d$/.test(of) && isDay(`${of}-01`)
      ? [`${of}-01`, lastOfMonth(of)]
      : of.includes('~')
        ? of.split('~', 2)
        : [of, of]
  return isDay(from) && isDay(to) && from <= to ? { from, to } : undefined
}
export const lengthOf = ({ from, to }: Days) => dayNumber(to) - dayNumber(from) + 1

export const calendarSpanOf = (of: string): CalendarSpan => {
  if (of.length === 4) return 'year'
  if (of.length === 7) return 'month'
  const days = daysOf(of)
  if (!days || !of.includes('~')) return 'day'
  return lengthOf(days) === 7 && mondayOf(days.from) === days.from ? 'week' : 'range'
}

/** The period of a span that contains a day. */
export const periodAt = (day: string, span: CalendarSpan): string => {
  if (span === 'year') return day.slice(0, 4)
  if (span === 'month') return day.slice(0, 7)
  if (span === 'day') return day
  const from = span === 'week' ? mondayOf(day) : day
  return `${from}~${dayOf(dayNumber(from) + 6)}`
}
/** Converts a period to another span: around today if the period contains it, otherwise around its first day. */
export const inSpan = (of: string, span: CalendarSpan, today: string): string => {
  const { from, to } = daysOf(of) ?? { from: today, to: today }
  if (span === 'range') return `${from}~${to > today && from <= today ? today : to}`
  return periodAt(from <= today && today <= to ? today : from, span)
}

/** The previous or next period: by calendar, or by the same number of days. */
export const steppedPeriod = (of: string, by: 1 | -1): string => {
  const days = daysOf(of)
  if (!days) return of
  const span = calendarSpanOf(of)
  if (span === 'year') return String(Number(of) + by).padStart(4, '0')
  if (span === 'month') return new Date(Date.UTC(Number(of.slice(0, 4)), Number(of.slice(5)) - 1 + by, 1)).toISOString().slice(0, 7)
  const shift = by * lengthOf(days)
  const [from, to] = [dayOf(dayNumber(days.from) + shift), dayOf(dayNumber(days.to) + shift)]
  return span === 'day' ? from : `${from}~${to}`
}
