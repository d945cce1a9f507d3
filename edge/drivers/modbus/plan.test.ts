import fc from 'fast-check'
import { expect, test } from 'vitest'
import { registersOf } from '../../../contract/data-types.ts'
import { pointRow } from '../../testing/plc.ts'
import { halves, plan } from './plan.ts'

const shape = (points: Parameters<typeof plan>[0]) => plan(points).map((b) => [b.unit, b.register, b.start, b.count])

test('addresses with holes of at most ten share a request, wider holes do not', () => {
  expect(shape([pointRow(1, 0), pointRow(2, 11), pointRow(3, 23)])).toEqual([
    [1, 4, 0, 12],
    [1, 4, 23, 1],
  ])
})

test('units and register kinds are asked apart', () => {
  expect(shape([pointRow(1, 0), pointRow(2, 0, { RegisterType: 3 }), pointRow(3, 0, { SlaveNumber: 2 })])).toHaveLength(3)
})

test('a value of two registers is never cut at the limit of 125', () => {
  const floats = Array.from({ length: 63 }, (_, i) => pointRow(i + 1, i * 2, { ParaDataType: 7 }))
  expect(shape(floats)).toEqual([
    [1, 4, 0, 124],
    [1, 4, 124, 2],
  ])
})

test('up to 2,000 bits go into one request', () => {
  const bits = Array.from({ length: 2001 }, (_, i) => pointRow(i + 1, i, { RegisterType: 1, ParaDataType: 0 }))
  expect(shape(bits)).toEqual([
    [1, 1, 0, 2000],
    [1, 1, 2000, 1],
  ])
})

const points = fc
  .uniqueArray(
    fc.record({
      Address: fc.integer({ min: 0, max: 3000 }),
      RegisterType: fc.constantFrom(3, 4) as fc.Arbitrary<number>,
      SlaveNumber: fc.integer({ min: 1, max: 2 }),
      ParaDataType: fc.constantFrom(1, 2, 7, 36),
    }),
    { maxLength: 200, selector: (p) => `${p.SlaveNumber}/${p.RegisterType}/${p.Address}` },
  )
  .map((rows) => rows.map((r, i) => pointRow(i + 1, r.Address, { ...r, Address: String(r.Address) })))

test('every point is in exactly one block that covers it and no block breaks the protocol', () => {
  fc.assert(
    fc.property(points, (rows) => {
      const blocks = plan(rows)
      expect(blocks.flatMap((b) => b.points.map((p) => p.Id)).sort((a, b) => a - b)).toEqual(rows.map((p) => p.Id))
      for (const block of blocks.flatMap((b) => [b, ...halves(b)])) {
        expect(block.count).toBeLessThanOrEqual(125)
        for (const p of block.points) {
          expect([p.SlaveNumber, p.RegisterType]).toEqual([block.unit, block.register])
          expect(Number(p.Address)).toBeGreaterThanOrEqual(block.start)
          expect(Number(p.Address) + registersOf(p.ParaDataType)).toBeLessThanOrEqual(block.start + block.count)
        }
      }
    }),
  )
})
