import { expect, it } from 'vitest'
import { fit, isEnough, isInRange, predict } from './regression.ts'

/** Numbers that look random and are the same each time. */
const noise = (i: number) => Math.sin(i * 12.9898) * 43758.5453 - Math.floor(Math.sin(i * 12.9898) * 43758.5453) - 0.5

it('finds the coefficients behind exact data, and nothing is left', () => {
  const rows = Array.from({ length: 60 }, (_, i) => [i % 17, (i * 7) % 23])
  const found = fit(
    rows,
    rows.map(([a, b]) => 100 + 3 * a! + 0.5 * b!),
  )!
  for (const [i, value] of [100, 3, 0.5].entries()) expect(found.coefficients[i]).toBeCloseTo(value, 8)
  expect([found.r2, found.cv]).toEqual([expect.closeTo(1, 9), expect.closeTo(0, 6)])
  expect(predict(found, [[10, 10]]).expected).toBeCloseTo(135, 8)
})

it('figures of a textbook: heights and weights of fifteen women', () => {
  const heights = [1.47, 1.5, 1.52, 1.55, 1.57, 1.6, 1.63, 1.65, 1.68, 1.7, 1.73, 1.75, 1.78, 1.8, 1.83]
  const weights = [52.21, 53.12, 54.48, 55.84, 57.2, 58.57, 59.93, 61.29, 63.11, 64.47, 66.28, 68.1, 69.92, 72.19, 74.46]
  const found = fit(
    heights.map((height) => [height]),
    weights,
  )!
  expect(found.coefficients).toEqual([expect.closeTo(-39.062, 3), expect.closeTo(61.272, 3)])
  expect([found.deviation, found.r2]).toEqual([expect.closeTo(0.759, 3), expect.closeTo(0.9892, 4)])
})

it('nineteen of twenty days lie in the band, and the sum of many days has a narrower one than its days', () => {
  const rows = Array.from({ length: 400 }, (_, i) => [i % 30])
  const energy = rows.map(([degree], i) => 200 + 8 * degree! + 40 * noise(i))
  const found = fit(rows.slice(0, 200), energy.slice(0, 200))!
  const { days, expected, band } = predict(found, rows.slice(200))
  const inside = days.filter((day, i) => Math.abs(energy[i + 200]! - day.expected) <= day.band).length
  expect(inside / 200).toBeGreaterThan(0.9)
  expect(band).toBeLessThan(days.reduce((sum, day) => sum + day.band, 0) / 3)
  expect(Math.abs(energy.slice(200).reduce((sum, value) => sum + value, 0) - expected)).toBeLessThan(band)
})

it('variables that say the same have no coefficients, few days are not enough, and what was never seen is out of range', () => {
  const rows = Array.from({ length: 40 }, (_, i) => [i, 2 * i])
  expect(
    fit(
      rows,
      rows.map(([a]) => a!),
    ),
  ).toBeUndefined()
  expect([isEnough(29, 1), isEnough(30, 1), isEnough(30, 10), isEnough(33, 10)]).toEqual([false, true, false, true])
  const found = { ranges: [{ min: 0, max: 20 }] }
  expect([isInRange(found, [20]), isInRange(found, [21])]).toEqual([true, false])
})
