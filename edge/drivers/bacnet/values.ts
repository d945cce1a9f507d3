import { Quality } from '../../../contract/telemetry.ts'
import type { PointRow, Reading } from '../driver.ts'
import { numberInText, readingOfValue } from '../numbers.ts'
import { shortest } from '../values.ts'
import { type Element, tag, unsignedOf } from './tags.ts'

/** Errors of clause 18 for unknown objects and properties. */
export const isUnknown = ({ kind, code }: { kind: number; code: number }) => (kind === 1 && code === 31) || (kind === 2 && code === 32)

const encodings: Readonly<Record<number, BufferEncoding>> = { 0: 'utf8', 5: 'latin1' }
/** A text; undefined for character sets other than UTF-8 and ISO 8859-1. */
export const textOf = ({ number, isContext, value }: Element): string | undefined => {
  const encoding = encodings[value[0] ?? 255]
  return number === tag.text && !isContext && encoding ? value.toString(encoding, 1) : undefined
}

/** Bits, least significant first. */
const bitsOf = (value: Buffer): number | undefined => {
  const count = (value.length - 1) * 8 - (value[0] ?? 0)
  if (count < 1 || count > 32) return undefined
  return Array.from({ length: count }, (_, i) => (value[1 + (i >> 3)]! >> (7 - (i & 7))) & 1).reduce((sum, bit, i) => sum + bit * 2 ** i, 0)
}

export const numberOf = (found: Element | undefined): number | undefined => {
  if (!found || found.isContext || found.kind !== 'value') return undefined
  const { number, length, value } = found
  switch (number) {
    case tag.boolean:
      return length ? 1 : 0
    case tag.unsigned:
    case tag.enumerated:
      return value.length >= 1 && value.length <= 6 ? unsignedOf(found) : undefined
    case tag.signed:
      return value.length >= 1 && value.length <= 6 ? value.readIntBE(0, value.length) : undefined
    case tag.real:
      return value.length === 4 ? shortest(value.readFloatBE()) : undefined
    case tag.double:
      return value.length === 8 ? value.readDoubleBE() : undefined
    case tag.text:
      return numberInText(textOf(found) ?? '')
    case tag.bits:
      return bitsOf(value)
    default:
      return undefined
  }
}

/** Status flags of clause 12: in alarm, fault, overridden, out of service. */
const [fault, overridden, outOfService] = [2, 4, 8]
/** A value with its status flags: FAULT has no value, OVERRIDDEN and OUT_OF_SERVICE are uncertain. */
export const readingOfElements = (point: PointRow, values: readonly Element[], flags: readonly Element[] | undefined): Reading => {
  const value = numberOf(values[0])
  const status = numberOf(flags?.[0]) ?? 0
  if (value === undefined || status & fault) return { value: null, quality: Quality.exception }
  const reading = readingOfValue(point, value)
  const isDoubtful = (status & (overridden | outOfService)) !== 0 && reading.quality === Quality.good
  return isDoubtful ? { ...reading, quality: Quality.uncertain } : reading
}
