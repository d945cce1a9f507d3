import type { PointRow } from '../driver.ts'

// Byte i of the number, most significant first, is byte order[i] on the wire. Each order is its own inverse.
const ABCD = [0, 1, 2, 3]
const CDAB = [2, 3, 0, 1]
const BADC = [1, 0, 3, 2]
const DCBA = [3, 2, 1, 0]
const AB = [0, 1]
const BA = [1, 0]

type Form = { kind: 'bool' | 'int16' | 'uint16' | 'int32' | 'uint32' | 'float'; order: readonly number[] }
const four = (kind: Form['kind'], first: number): [number, Form][] =>
  [ABCD, CDAB, BADC, DCBA].map((order, i) => [first + i, { kind, order }])

/** Data types by code (ruling 29). */
const forms = new Map<number, Form>([
  [0, { kind: 'bool', order: AB }],
  [1, { kind: 'int16', order: AB }],
  [2, { kind: 'uint16', order: AB }],
  [31, { kind: 'int16', order: BA }],
  [32, { kind: 'uint16', order: BA }],
  ...four('int32', 3),
  ...four('float', 7),
  ...four('uint32', 33),
])

const ranges = { bool: [0, 1], int16: [-0x8000, 0x7fff], uint16: [0, 0xffff], int32: [-0x80000000, 0x7fffffff], uint32: [0, 0xffffffff] }

const form = (type: number) => {
  const found = forms.get(type)
  if (!found) throw new RangeError(`data type ${type} is unknown`)
  return found
}

/** Registers that a value of this type takes. */
export const words = (type: number) => form(type).order.length / 2

const scratch = Buffer.alloc(4)

/**
 * The shortest decimal that is this float32: devices mean 0.1, not 0.10000000149011612. `Math.fround` of it gives the same bits, and
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

/** The raw number at `offset` of register bytes as they came over the wire. Bool: 0 or 1, true when any bit is set. */
export const decode = (type: number, wire: Buffer, offset = 0): number => {
  const { kind, order } = form(type)
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
    case 'float':
      return shortest(scratch.readFloatBE(0))
  }
}

/** Register bytes in wire order. Throws RangeError when the number is none of the type's. */
export const encode = (type: number, raw: number): Buffer => {
  const { kind, order } = form(type)
  const [low, high] = kind === 'float' ? [-3.4028234663852886e38, 3.4028234663852886e38] : ranges[kind]
  if (!(raw >= low! && raw <= high!)) throw new RangeError(`${raw} is outside ${low} to ${high}`)
  if (kind !== 'float' && !Number.isInteger(raw)) throw new RangeError(`${raw} is not a whole number`)
  const number = Buffer.alloc(order.length)
  if (kind === 'float') number.writeFloatBE(raw, 0)
  else if (order.length === 4) number.writeUInt32BE(raw >>> 0, 0)
  else number.writeUInt16BE(raw & 0xffff, 0)
  return Buffer.from(order.map((i) => number[i]!))
}

export type Scaling = Pick<PointRow, 'SampleLow' | 'SampleHigh' | 'ProjectLow' | 'ProjectHigh'>

const line = ({ SampleLow: a, SampleHigh: b, ProjectLow: c, ProjectHigh: d }: Scaling) =>
  a !== null && b !== null && c !== null && d !== null && a !== b && c !== d ? { a, b, c, d } : undefined

/** Engineering value of a raw one, unrounded, so alarms and the store get the exact value. No or flat ranges leave it as it is. */
export const toEngineering = (point: Scaling, raw: number) => {
  const s = line(point)
  return s ? ((raw - s.a) * (s.d - s.c)) / (s.b - s.a) + s.c : raw
}

/** Raw value to write for an engineering one, rounded where the type has no fractions. */
export const toRaw = (point: Scaling & Pick<PointRow, 'ParaDataType'>, value: number) => {
  const s = line(point)
  const raw = s ? ((value - s.c) * (s.b - s.a)) / (s.d - s.c) + s.a : value
  return form(point.ParaDataType).kind === 'float' ? raw : Math.round(raw) + 0 // not -0
}

/** False when the raw value lies outside the sample range, where there is one: the reading is then uncertain (quality 1). */
export const isInRange = ({ SampleLow: a, SampleHigh: b }: Scaling, raw: number) =>
  a === null || b === null || a === b || (raw >= Math.min(a, b) && raw <= Math.max(a, b))
