import { describe, expect, it } from 'vitest'
import { childrenAreAbove, counterStands, nightIsUp, peakIsNear, waterNeverStands } from './hintRules.ts'

describe('hints', () => {
  const weeks = Array.from({ length: 56 }, (_, i) => 100 + (i % 3))
  it('a night above the median of eight weeks is one; one that is not, or that is compared with few nights, is none', () => {
    expect(nightIsUp(weeks, 130, 20)).toEqual({ value: 130, base: 101, limit: 101 * 1.2, amount: 29 })
    expect(nightIsUp(weeks, 120, 20)).toBeUndefined()
    expect(nightIsUp(weeks, null, 20)).toBeUndefined()
    expect(nightIsUp([...weeks.slice(0, 27), null, null], 200, 20)).toBeUndefined()
  })
  it('water that never stands still is one; water that stood for a quarter-hour, or is not known for one, is none', () => {
    expect(waterNeverStands([3, 0.5, 2])).toEqual({ value: 2, base: null, limit: 0, amount: 48 })
    expect(waterNeverStands([3, 0, 2])).toBeUndefined()
    expect(waterNeverStands([3, null, 2])).toBeUndefined()
    expect(waterNeverStands([])).toBeUndefined()
  })
  it('children above their parent are one; within the tolerance, or in part unknown, they are none', () => {
    expect(childrenAreAbove(100, [60, 50], 3)).toEqual({ value: 110, base: 100, limit: 103, amount: 10 })
    expect(childrenAreAbove(100, [60, 42], 3)).toBeUndefined()
    expect(childrenAreAbove(100, [160, null], 3)).toBeUndefined()
    expect(childrenAreAbove(100, [], 3)).toBeUndefined()
  })
  it('a counter that stands while power flows is one; at rest, or counting, it is none', () => {
    expect(counterStands(0, 12, 1)).toEqual({ value: 12, base: null, limit: 1, amount: 288 })
    expect(counterStands(0, 0.5, 1)).toBeUndefined()
    expect(counterStands(0.25, 12, 1)).toBeUndefined()
    expect(counterStands(null, 12, 1)).toBeUndefined()
  })
  it('a quarter-hour that is about to be the highest is one; a lower one, and one that has just begun, are none', () => {
    expect(peakIsNear(10, 5, 100, 100)).toEqual({ value: 120, base: 100, limit: 100, amount: 20 })
    expect(peakIsNear(10, 10, 100, 100)).toBeUndefined()
    expect(peakIsNear(10, 4, 100, 100)).toBeUndefined()
    expect(peakIsNear(10, 5, null, 100)).toBeUndefined()
  })
})
