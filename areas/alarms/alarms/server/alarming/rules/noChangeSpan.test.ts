import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noChangeSpan } from './noChangeSpan.ts'
import type { Test } from './rule.ts'
import { emptySlot, read } from './slot.ts'

const tests = fc
  .record({
    style: fc.constantFrom(1, 1, 1, 1, 2, 3, 4),
    trigger: fc.constantFrom(1, 2, 3),
    op: fc.integer({ min: 1, max: 8 }),
    a: fc.constantFrom(-3, 0, 1, 0.1, 59.8),
    wide: fc.constantFrom(0, 3),
    band: fc.constantFrom(0, 0.5, 2),
  })
  .map(({ wide, ...t }) => ({ ...t, b: t.a + wide, ms: 1e9, times: 2, binary: false }) as Test)

const beside = (x: number) => [
  x,
  x + Math.abs(x) * Number.EPSILON,
  x - Math.abs(x) * Number.EPSILON,
  x + Number.MIN_VALUE,
  x - Number.MIN_VALUE,
]
/** Values around all limits of a test. */
const edges = ({ a, b, band }: Test) =>
  [a, b, a - band, a + band, b + band, b - band].flatMap(beside).concat([-1e6, a + 1, a - 1, b + 1, 1e6])

test('a reading that passes quietly would have changed nothing but what is newest', () => {
  let passed = 0
  fc.assert(
    fc.property(tests, fc.array(fc.nat(), { minLength: 1, maxLength: 8 }), fc.nat(), (t, before, pick) => {
      const values = edges(t)
      const slot = emptySlot(1, 0)
      let time = 1
      for (const i of before) read(slot, t, time++, values[i % values.length]!)
      const value = values[pick % values.length]!
      const [low, high] = noChangeSpan(t, slot)
      if (value < low || value > high) return
      passed++
      const after = structuredClone(slot)
      read(after, t, time, value)
      expect(after).toEqual({ ...slot, time, value, from: t.style === 3 ? time : slot.from })
    }),
    { numRuns: 20_000 },
  )
  expect(passed).toBeGreaterThan(5000)
})

test('a value that stays on its side of a limit passes', () => {
  const over = { style: 1, trigger: 1, op: 3, a: 10, b: 0, band: 2, ms: 0, times: 0, binary: false } as const
  const slot = emptySlot(1, 0)
  read(slot, over, 1, 4)
  expect(noChangeSpan(over, slot)).toEqual([Number.NEGATIVE_INFINITY, 10])
  read(slot, over, 2, 11)
  const [low, high] = noChangeSpan(over, slot)
  expect([low > 8, low < 8.000001, high]).toEqual([true, true, Number.POSITIVE_INFINITY])
})
