// Values of protocols that say themselves what type a value has: the data type of the point plays no part.
import { Quality } from '../../contract/telemetry.ts'
import type { PointRow, Reading } from './driver.ts'
import { readingOf, toRaw } from './values.ts'

/** A number with fractions: nothing is rounded, and nothing has a range. */
const double = 101
const asDouble = (point: PointRow): PointRow => ({ ...point, ParaDataType: double })

/** The reading of what a device said; a bigint beyond 2^53 is uncertain, since it was rounded. */
export const readingOfValue = (point: PointRow, value: number | bigint | boolean): Reading => {
  const raw = Number(value)
  const reading = readingOf(asDouble(point), raw)
  const isExact = typeof value !== 'bigint' || Number.isSafeInteger(raw)
  return isExact || reading.quality !== Quality.good ? reading : { ...reading, quality: Quality.uncertain }
}
/** What is written for a value in engineering units, not rounded. */
export const rawOfValue = (point: PointRow, value: number) => toRaw(asDouble(point), value)

/** A number in a text, perhaps with its unit: `21.5`, `-3 °C`, `45%`. Anything with more digits (`1.2.3`, `12:30`, `3 of 4`) is none. */
export const numberInText = (text: string): number | undefined => {
  const [, digits] =
    /^\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?)\s*[\p{L}°%/²³·]{0,10}\s*$/u.exec(text.replace(/\0+$/, '')) ?? []
  const value = digits === undefined ? Number.NaN : Number(digits)
  return Number.isFinite(value) ? value : undefined
}
