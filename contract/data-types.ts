// Data types of points by code: those of ruling 29, and ours from 101 on.

export type Kind = 'bool' | 'int16' | 'uint16' | 'int32' | 'uint32' | 'int64' | 'uint64' | 'float' | 'double' | 'bcd'
/** Byte i of the number, most significant first, is byte `order[i]` on the wire. Each order is its own inverse. */
export type Form = { kind: Kind; order: readonly number[] }

const straight = (bytes: number) => Array.from({ length: bytes }, (_, i) => i)
/** ABCD, CDAB, BADC, DCBA, and the same for 8 bytes: words or bytes are swapped, or both. */
const fourOrders = (bytes: number) => {
  const [abcd, last] = [straight(bytes), bytes - 1]
  const swapped = abcd.map((i) => i ^ 1)
  return [abcd, swapped.map((i) => last - i), swapped, abcd.map((i) => last - i)]
}
const four = (kind: Kind, first: number, bytes = 4): [number, Form][] => fourOrders(bytes).map((order, i) => [first + i, { kind, order }])
const one = (code: number, kind: Kind, order: readonly number[]): [number, Form] => [code, { kind, order }]

const forms = new Map<number, Form>([
  one(0, 'bool', [0, 1]),
  one(1, 'int16', [0, 1]),
  one(2, 'uint16', [0, 1]),
  ...four('int32', 3),
  ...four('float', 7),
  one(31, 'int16', [1, 0]),
  one(32, 'uint16', [1, 0]),
  ...four('uint32', 33),
  ...four('double', 101, 8),
  ...four('int64', 105, 8),
  ...four('uint64', 109, 8),
  ...[2, 4, 6, 8].map((bytes, i) => one(113 + i, 'bcd', straight(bytes))),
])

/** Ruling 29: Bool; Int16, UInt16 AB; Int32 ABCD CDAB BADC DCBA; Float the same; Int16, UInt16 BA; UInt32 the same. */
export const statedTypes = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 31, 32, 33, 34, 35, 36] as const
/** Double, Int64, UInt64 in the four orders; BCD of 2, 4, 6 and 8 bytes. Gateways that support them have the capability `wideTypes`. */
export const ownTypes = [101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116] as const
export const dataTypes = [...statedTypes, ...ownTypes] as const
/** Capability of gateways that support the types from 101 on. */
export const wideTypes = 'wide-types'

/** @throws RangeError for a code that is no data type */
export const formOf = (type: number): Form => {
  const form = forms.get(type)
  if (!form) throw new RangeError(`data type ${type} is unknown`)
  return form
}

/** Registers that a value of this type takes; one where the type is unknown, which another check names. */
export const registersOf = (type: number) => (forms.get(type)?.order.length ?? 2) / 2
/** Whether numbers of the type have fractions. */
export const isFloating = (type: number) => ['float', 'double'].includes(formOf(type).kind)

const float32 = 3.4028234663852886e38
const whole: Readonly<Record<Exclude<Kind, 'bcd'>, readonly [low: number, high: number]>> = {
  bool: [0, 1],
  int16: [-0x8000, 0x7fff],
  uint16: [0, 0xffff],
  int32: [-0x80000000, 0x7fffffff],
  uint32: [0, 0xffffffff],
  // A number that was rounded before it came here is never written.
  int64: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  uint64: [0, Number.MAX_SAFE_INTEGER],
  float: [-float32, float32],
  double: [-Number.MAX_VALUE, Number.MAX_VALUE],
}
/** The raw numbers that can be written. */
export const rangeOf = (type: number): readonly [low: number, high: number] => {
  const { kind, order } = formOf(type)
  return kind === 'bcd' ? [0, Math.min(10 ** (order.length * 2) - 1, Number.MAX_SAFE_INTEGER)] : whole[kind]
}
