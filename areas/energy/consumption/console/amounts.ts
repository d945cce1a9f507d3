// Energy, money and changes as people read them.

import { none, numberText, costText as sumText } from '../../../../console/words/formats.ts'
import { language } from '../../../../console/words/words.ts'
import { formatOf } from '../../../../contract/formats.ts'

type Maybe = number | null | undefined

/** Three digits that count, whole numbers from 100 on. */
const digitsOf = (value: number) => (Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2)
export const amountText = (value: Maybe): string =>
  value === null || value === undefined ? none : numberText(value, value === 0 ? 0 : digitsOf(value), language())
export const energyText = (value: Maybe, unit: string): string =>
  value === null || value === undefined ? none : `${amountText(value)} ${unit}`

export const costText = (value: Maybe, currency: string | null | undefined): string => sumText(value, currency, language())
/** Formats a unit price with four decimals. */
export const priceText = (value: Maybe, currency: string | null | undefined, unit: string): string =>
  value === null || value === undefined || !currency
    ? none
    : `${formatOf(language(), { style: 'currency', currency, maximumFractionDigits: 4, minimumFractionDigits: 4 }, `price ${currency}`).format(value)}/${unit}`

/** A share of a hundred. */
export const percentText = (value: Maybe, digits = 0): string =>
  value === null || value === undefined
    ? none
    : `${numberText(value, value > 0 && value < 10 ? Math.max(1, digits) : digits, language())} %`

/** By how much something grew, as +4.2 %; nothing without a base. */
export const changeText = (now: Maybe, before: Maybe): string => {
  if (now === null || now === undefined || before === null || before === undefined || before === 0) return none
  const change = (100 * (now - before)) / Math.abs(before)
  // What rounds to nothing has no sign.
  const rounded = Number(change.toFixed(1)) || 0
  return `${rounded > 0 ? '+' : ''}${numberText(rounded, 1, language())} %`
}
export const signed = (text: string, value: number) => (value > 0 ? `+${text}` : text)

/** Converts the unit of an amount to the unit of its mean power, such as kWh to kW. */
export const powerUnit = (unit: string) => (unit.endsWith('Wh') ? unit.slice(0, -1) : `${unit}/h`)
