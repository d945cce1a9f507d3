// Amounts, days and doses as people read them. Pure.
import { none, numberText } from '../../../../console/words/formats.ts'
import { language, type Words } from '../../../../console/words/words.ts'

type Maybe = number | null | undefined
const digitsOf = (value: number) => (Math.abs(value) >= 100 || value === 0 ? 0 : Math.abs(value) >= 10 ? 1 : 2)
export const amountText = (value: Maybe, unit = ''): string =>
  value == null ? none : `${numberText(value, digitsOf(value), language())}${unit && ` ${unit}`}`

/** Forecasts longer than this are not shown. */
const mostDays = 999
/** Whole days, rounded down. */
export const daysText = (days: Maybe, t: Words): string =>
  days == null ? none : days > mostDays ? t('dosing.manyDays', { count: mostDays }) : t('dosing.days', { count: Math.floor(days) })
export const bandText = (low: Maybe, high: Maybe, t: Words): string => {
  if (low == null || high == null || high > mostDays) return ''
  const [a, b] = [Math.floor(low), Math.floor(high)]
  return a === b ? daysText(a, t) : t('dosing.band', { low: a, high: b })
}
