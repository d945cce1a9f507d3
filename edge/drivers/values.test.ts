import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dataTypes, formOf, registersOf } from '../../contract/data-types.ts'
import { pointRow } from '../testing/plc.ts'
import { decode, encode, isInRange, readingOf, toEngineering, toRaw } from './values.ts'

const kindOf = (type: number) => formOf(type).kind
const whole: Record<string, [number, number]> = {
  bool: [0, 1],
  int16: [-32768, 32767],
  uint16: [0, 65535],
  int32: [-2147483648, 2147483647],
  uint32: [0, 4294967295],
  int64: [-(2 ** 53) + 1, 2 ** 53 - 1],
  uint64: [0, 2 ** 53 - 1],
}
const wholeOf = (type: number): [number, number] =>
  whole[kindOf(type)] ?? [0, Math.min(10 ** (formOf(type).order.length * 2) - 1, 2 ** 53 - 1)]
const anyOf = (type: number) => {
  const kind = kindOf(type)
  if (kind === 'float') return fc.float({ noNaN: true, noDefaultInfinity: true })
  if (kind === 'double') return fc.double({ noNaN: true, noDefaultInfinity: true })
  return fc.integer({ min: wholeOf(type)[0], max: wholeOf(type)[1] })
}

describe.each(dataTypes.map((type) => [type, kindOf(type)] as const))('data type %i (%s)', (type, kind) => {
  test('what was encoded decodes to the same number, wherever it lies', () => {
    fc.assert(
      fc.property(anyOf(type), fc.integer({ min: 0, max: 4 }), (x, gap) => {
        const decoded = decode(type, Buffer.concat([Buffer.alloc(gap, 0xa5), encode(type, x), Buffer.alloc(2, 0x5a)]), gap)
        expect((kind === 'float' ? Math.fround(decoded) : decoded) + 0).toBe(x + 0)
        expect(encode(type, x).length).toBe(registersOf(type) * 2)
      }),
    )
  })
  test('a number that it cannot hold is refused', () => {
    const isFloating = kind === 'float' || kind === 'double'
    const over = kind === 'float' ? 3.5e38 : kind === 'double' ? Number.POSITIVE_INFINITY : wholeOf(type)[1] + 1
    expect(() => encode(type, over)).toThrow(RangeError)
    expect(() => encode(type, Number.NaN)).toThrow(RangeError)
    if (!isFloating) expect(() => encode(type, 0.5)).toThrow(RangeError)
  })
})

// 12.5 is 41 48 00 00; 0x12345678 is 305419896; 0xFEDCBA98 is -19088744 or 4275878552. Orders as in the point table (ruling 29).
test.each([
  [7, '41480000', 12.5],
  [8, '00004148', 12.5],
  [9, '48410000', 12.5],
  [10, '00004841', 12.5],
  [3, '12345678', 305419896],
  [4, '56781234', 305419896],
  [5, '34127856', 305419896],
  [6, '78563412', 305419896],
  [3, 'fedcba98', -19088744],
  [6, '98badcfe', -19088744],
  [33, 'fedcba98', 4275878552],
  [34, 'ba98fedc', 4275878552],
  [35, 'dcfe98ba', 4275878552],
  [36, '98badcfe', 4275878552],
  [1, 'fffe', -2],
  [31, 'feff', -2],
  [2, 'fffe', 65534],
  [32, 'feff', 65534],
  // 12.5 is 40 29 00 00 00 00 00 00; 0x0001020304050607 is 283686952306183.
  [101, '4029000000000000', 12.5],
  [102, '0000000000004029', 12.5],
  [103, '2940000000000000', 12.5],
  [104, '0000000000002940', 12.5],
  [105, '0001020304050607', 283686952306183],
  [106, '0607040502030001', 283686952306183],
  [107, '0100030205040706', 283686952306183],
  [108, '0706050403020100', 283686952306183],
  [105, 'fffffffffffffffe', -2],
  [109, '0001020304050607', 283686952306183],
  [112, '0706050403020100', 283686952306183],
  [113, '1234', 1234],
  [114, '00123456', 123456],
  [115, '123456789012', 123456789012],
  [116, '0000000000000042', 42],
])('type %i reads %s as %d', (type, hex, value) => {
  expect(decode(type, Buffer.from(hex, 'hex'))).toBe(value)
  expect(encode(type, value).toString('hex')).toBe(hex)
})

test('a whole number beyond 2^53 is uncertain, and half bytes that are no digit are no value', () => {
  const point = (type: number) => pointRow(1, 0, { ParaDataType: type })
  const read = (type: number, hex: string) => readingOf(point(type), decode(type, Buffer.from(hex, 'hex')))
  expect(read(109, '001fffffffffffff')).toEqual({ value: 2 ** 53 - 1, quality: 0 })
  expect(read(109, '0020000000000001')).toEqual({ value: 2 ** 53, quality: 1 })
  expect(read(105, 'ff00000000000000').quality).toBe(1)
  expect(read(116, '9999999999999999').quality).toBe(1)
  expect(read(114, '0012345a')).toEqual({ value: null, quality: 3 })
  expect(() => encode(105, 2 ** 53)).toThrow(RangeError)
})

test('a float comes out as the shortest decimal that is the same float', () => {
  expect(decode(7, encode(7, 0.1))).toBe(0.1)
  expect(decode(7, encode(7, 0.026588))).toBe(0.026588)
  expect(decode(7, encode(7, 16777216))).toBe(16777216)
  expect(decode(7, Buffer.from('7fc00000', 'hex'))).toBeNaN()
})

const range = fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((x) => Math.round(x * 100) / 100)
const scaling = fc
  .record({ SampleLow: range, SampleHigh: range, ProjectLow: range, ProjectHigh: range })
  .filter((s) => Math.abs(s.SampleLow - s.SampleHigh) > 1 && Math.abs(s.ProjectLow - s.ProjectHigh) > 1)

test('scaling maps the ends onto the ends and back, and a write gives the raw value that reads as what was written', () => {
  fc.assert(
    fc.property(scaling, fc.integer({ min: -32768, max: 32767 }), (s, raw) => {
      expect(toEngineering(s, s.SampleLow)).toBeCloseTo(s.ProjectLow, 6)
      expect(toEngineering(s, s.SampleHigh)).toBeCloseTo(s.ProjectHigh, 4)
      expect(toRaw({ ...s, ParaDataType: 1 }, toEngineering(s, raw))).toBe(raw)
    }),
  )
})

test('a small negative value is written as 0, not as -0', () => {
  expect(toRaw({ SampleLow: null, SampleHigh: null, ProjectLow: null, ProjectHigh: null, ParaDataType: 1 }, -0.2)).toBe(0)
})

test('without ranges, or with flat ones, values stay as they are', () => {
  const none = { SampleLow: null, SampleHigh: null, ProjectLow: 0, ProjectHigh: 10 }
  expect(toEngineering(none, 7.25)).toBe(7.25)
  expect(toEngineering({ SampleLow: 0, SampleHigh: 0, ProjectLow: 0, ProjectHigh: 0 }, 7.25)).toBe(7.25)
  expect(toRaw({ ...none, ParaDataType: 1 }, 7.4)).toBe(7)
  expect(isInRange(none, 1e9)).toBe(true)
})

test('a raw value beyond its range keeps its value and is uncertain', () => {
  const s = { SampleLow: 0, SampleHigh: 27648, ProjectLow: 0, ProjectHigh: 10 }
  expect(isInRange(s, 27649)).toBe(false)
  expect(isInRange(s, -1)).toBe(false)
  expect(isInRange(s, 27648)).toBe(true)
  expect(isInRange({ ...s, SampleLow: 27648, SampleHigh: 0 }, 5)).toBe(true)
  expect(toEngineering(s, 29030.4)).toBeCloseTo(10.5)
})
