import type { Part } from '../../../contract/protocols/meter-data.ts'
import { Quality } from '../../../contract/telemetry.ts'
import type { PointRow, Reading } from '../driver.ts'
import { hasScaling, readingOf, toRaw } from '../values.ts'

/** Bytes above which a number is no longer exact. */
const mostBytes = 7

/** Two decimal digits per byte, low byte first. NaN if a nibble is not a digit: meters fill missing values so. */
const digitsOf = (bytes: Buffer) => {
  let value = 0
  for (const byte of bytes.toReversed()) {
    if (byte >> 4 > 9 || (byte & 15) > 9) return Number.NaN
    value = value * 100 + (byte >> 4) * 10 + (byte & 15)
  }
  return value
}

/** The digits of a value as an integer, without the decimal point. */
export const rawOf = ({ isSigned, isBinary }: Pick<Part, 'isSigned' | 'isBinary'>, bytes: Buffer): number => {
  if (!bytes.length || bytes.length > mostBytes) return Number.NaN
  if (isBinary) return bytes.readUIntLE(0, Math.min(bytes.length, 6))
  if (!isSigned) return digitsOf(bytes)
  const own = Buffer.from(bytes)
  const isMinus = (own.at(-1)! & 0x80) !== 0
  own[own.length - 1]! &= 0x7f
  const digits = digitsOf(own)
  return isMinus && digits ? -digits : digits
}

/** Bytes of a value's digits, low byte first. @throws RangeError if they do not fit */
export const bytesOf = ({ bytes, isSigned, isBinary }: Part, raw: number): Buffer => {
  const highest = isBinary ? 256 ** bytes - 1 : isSigned ? 8 * 10 ** (bytes * 2 - 1) - 1 : 10 ** (bytes * 2) - 1
  const lowest = isSigned ? -highest : 0
  if (!Number.isInteger(raw) || raw < lowest || raw > highest) throw new RangeError(`${raw} is outside ${lowest} to ${highest}`)
  const written = Buffer.alloc(bytes)
  if (isBinary) {
    written.writeUIntLE(raw, 0, bytes)
    return written
  }
  written.write(String(Math.abs(raw)).padStart(bytes * 2, '0'), 'hex')
  if (raw < 0) written[0]! |= 0x80
  return written.reverse()
}

export const unknown: Reading = { value: null, quality: Quality.notConfigured }

/** The reading of digits. A point without scaling has the decimals of its identifier. */
export const meterReading = (point: PointRow, decimals: number, raw: number): Reading => {
  const reading = readingOf(point, raw)
  return hasScaling(point) || reading.value === null ? reading : { ...reading, value: reading.value / 10 ** decimals }
}

/** The digits to write for a value. */
export const digitsFor = (point: PointRow, { decimals }: Part, value: number) =>
  Math.round(hasScaling(point) ? toRaw(point, value) : value * 10 ** decimals)
