// Values of protocols that include the type: the data type of the point is not used.
import { Quality } from '../../contract/telemetry.ts'
import type { PointRow, Reading } from './driver.ts'
import { readingOf, toRaw } from './values.ts'

/** A floating-point number: no rounding, no range. */
const double = 101
const asDouble = (point: PointRow): PointRow => ({ ...point, ParaDataType: double })

/** The reading of a device's value; a bigint beyond 2^53 is uncertain, since it was rounded. */
export const readingOfValue = (point: PointRow, value: number | bigint | boolean): Reading => {
  const raw = Number(value)
  const reading = readingOf(asDouble(point), raw)
  const isExact = typeof value !== 'bigint' || Number.isSafeInteger(raw)
  return isExact || reading.quality !== Quality.good ? reading : { ...reading, quality: Quality.uncertain }
}
/** The raw value to write for an engineering value, without rounding. */
export const rawOfValue = (point: PointRow, value: number) => toRaw(asDouble(point), value)

/** A number in a text, possibly with a unit: `21.5`, `-3 °C`, `45%`. A text with further digits (`1.2.3`, `12:30`, `3 of 4`) is not a number. */
export const numberInText = (text: string): number | undefined => {
  const [, digits] =
    /^\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?)\s*[\p{L}°%/²³·]{0,10}\s*$/u.exec(text.replace(/\0+$/, '')) ?? []
  const value = digits === undefined ? Number.NaN : Number(digits)
  return Number.isFinite(value) ? value : undefined
}
