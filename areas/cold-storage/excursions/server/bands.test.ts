import { expect, test } from 'vitest'
import { bandAt } from './derive.ts'

test('of ten thousand bands the one that holds is found with a few looks', () => {
  let looks = 0
  const bands = Array.from({ length: 10_000 }, (_, i) => ({
    low: i,
    high: null,
    get from() {
      looks++
      return i * 10
    },
  }))
  const at = bandAt({ bands })
  expect([-1, 0, 9, 10, 50_005, 99_990, 1e9].map((time) => at(time).low)).toEqual([0, 0, 0, 1, 5000, 9999, 9999])
  expect(looks).toBeLessThan(7 * 20)
  expect(bandAt({ bands: [] })(1)).toEqual({ low: null, high: null })
})
