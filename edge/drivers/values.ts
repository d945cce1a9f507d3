import { formOf, isFloating, rangeOf } from '../../contract/data-types.ts'
import { Quality } from '../../contract/telemetry.ts'
import type { PointRow, Reading } from './driver.ts'

const scratch = Buffer.alloc(8)

/**
 * The shortest decimal for this float32: devices mean 0.1, not 0.10000000149011612. `Math.fround` of it gives the same bits, and
 * the store compresses it far better.
 */
export const shortest = (float: number) => {
  if (!Number.isFinite(float)) return float
  for (let digits = 6; digits < 9; digits++) {
    const candidate = Number(float.toPrecision(digits))
    if (Math.fround(candidate) === float) return candidate
  }
  return Number(float.toPrecision(9))
}

/** Two decimal digits per byte; NaN if a nibble is not a digit. */
const decimal = (bytes: number) => {
  let value = 0
  for (const byte of scratch.subarray(0, bytes)) {
    if (byte >> 4 > 9 || (byte & 15) > 9) return Number.NaN
    value = value * 100 + (byte >> 4) * 10 + (byte & 15)
  }
  return value
}

/** The raw number at `offset` of bytes in wire order. Bool: 0 or 1, true if any bit is set. */
export const decode = (type: number, wire: Buffer, offset = 0): number => {
  const { kind, order } = formOf(type)
  for (let i = 0; i < order.length; i++) scratch[i] = wire[offset + order[i]!]!
  switch (kind) {
    case 'bool':
      return scratch.readUInt16BE(0) ? 1 : 0
    case 'int16':
      return scratch.readInt16BE(0)
    case 'uint16':
      return scratch.readUInt16BE(0)
    case 'int32':
      return scratch.readInt32BE(0)
    case 'uint32':
      return scratch.readUInt32BE(0)
    case 'int64':
      return Number(scratch.readBigInt64BE(0))
    case 'uint64':
      return Number(scratch.readBigUInt64BE(0))
    case 'float':
      return shortest(scratch.readFloatBE(0))
    case 'double':
      return scratch.readDoubleBE(0)
    case 'bcd':
      return decimal(order.length)
  }
}

const written: Record<ReturnType<typeof formOf>['kind'], (number: Buffer, raw: number) => unknown> = {
  bool: (number, raw) => number.writeUInt16BE(raw),
  int16: (number, raw) => number.writeInt16BE(raw),
  uint16: (number, raw) => number.writeUInt16BE(raw),
  int32: (number, raw) => number.writeInt32BE(raw),
  uint32: (number, raw) => number.writeUInt32BE(raw),
  int64: (number, raw) => number.writeBigInt64BE(BigInt(raw)),
  uint64: (number, raw) => number.writeBigUInt64BE(BigInt(raw)),
  float: (number, raw) => number.writeFloatBE(raw),
  double: (number, raw) => number.writeDoubleBE(raw),
  bcd: (number, raw) => number.write(String(raw).padStart(number.length * 2, '0'), 'hex'),
}

/** Bytes in wire order. Throws RangeError if the number does not fit the type. */
export const encode = (type: number, raw: number): Buffer => {
  const { kind, order } = formOf(type)
  const [low, high] = rangeOf(type)
  if (!(raw >= low && raw <= high)) throw new RangeError(`${raw} is outside ${low} to ${high}`)
  if (!isFloating(type) && !Number.isInteger(raw)) throw new RangeError(`${raw} is not a whole number`)
  const number = Buffer.alloc(order.length)
  written[kind](number, raw)
  return Buffer.from(order.map((i) => number[i]!))
}

export type Scaling = Pick<PointRow, 'SampleLow' | 'SampleHigh' | 'ProjectLow' | 'ProjectHigh'>

const line = ({ SampleLow: a, SampleHigh: b, ProjectLow: c, ProjectHigh: d }: Scaling) =>
  a !== null && b !== null && c !== null && d !== null && a !== b && c !== d ? { a, b, c, d } : undefined

/** Whether the point defines a scaling of its raw numbers. */
export const hasScaling = (point: Scaling) => line(point) !== undefined

/** Engineering value of a raw value, unrounded, so that alarms and the store get the exact value. Unchanged without ranges or with empty ones. */
export const toEngineering = (point: Scaling, raw: number) => {
  const s = line(point)
  return s ? ((raw - s.a) * (s.d - s.c)) / (s.b - s.a) + s.c : raw
}

/** Raw value to write for an engineering value, rounded if the type is an integer. */
export const toRaw = (point: Scaling & Pick<PointRow, 'ParaDataType'>, value: number) => {
  const s = line(point)
  const raw = s ? ((value - s.c) * (s.b - s.a)) / (s.d - s.c) + s.a : value
  return isFloating(point.ParaDataType) ? raw : Math.round(raw) + 0 // not -0
}

/** False if the raw value is outside a defined sample range: the reading is then uncertain (quality 1). */
export const isInRange = ({ SampleLow: a, SampleHigh: b }: Scaling, raw: number) =>
  a === null || b === null || a === b || (raw >= Math.min(a, b) && raw <= Math.max(a, b))

/** False beyond 2^53, where integers are rounded in transit. */
const isExact = (type: number, raw: number) => isFloating(type) || Math.abs(raw) <= Number.MAX_SAFE_INTEGER

/** The reading of a raw number: scaled, uncertain if out of range or rounded. Broken sensors report NaN. */
export const readingOf = (point: PointRow, raw: number): Reading => {
  const value = toEngineering(point, raw)
  if (!Number.isFinite(value)) return { value: null, quality: Quality.exception }
  return { value, quality: isInRange(point, raw) && isExact(point.ParaDataType, raw) ? Quality.good : Quality.uncertain }
}
