import { expect, test } from 'vitest'
import { latePoints } from './late.ts'

test('more readings are late, and so are others in their place; what retention takes is not, nor is rounding', () => {
  const before = { 1: { rows: 10, mean: 5 }, 2: { rows: 10, mean: 5 }, 3: { rows: 10, mean: 5 }, 4: { rows: 10, mean: 5 } }
  const now = { 1: { rows: 11, mean: 5 }, 2: { rows: 10, mean: 5.01 }, 3: { rows: 4, mean: 7 }, 4: { rows: 10, mean: 5 + 1e-12 } }
  expect(latePoints(before, now)).toEqual([1, 2])
})

test('a point without readings gets its first ones late; reports of earlier versions have numbers alone', () => {
  expect(latePoints({ 2: 10, 3: 10 }, { 1: { rows: 1, mean: null }, 2: { rows: 11, mean: 5 }, 3: { rows: 10, mean: 5 } })).toEqual([1, 2])
})
