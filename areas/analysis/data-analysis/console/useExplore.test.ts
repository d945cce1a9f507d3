import { expect, test } from 'vitest'
import { timeText, wallToEpoch } from '../../../../console/words/formats.ts'
import { earlierOf, earlierPeriods, isNotOver } from './useExplore.ts'

test('a year before has the same date, 52 weeks before the same weekdays, and the end of a month stays in its month', () => {
  // A Tuesday.
  const range = { start: wallToEpoch('2026-03-31 06:00:00'), end: wallToEpoch('2026-04-01 06:00:00') }
  const texts = Object.fromEntries(
    earlierPeriods.map((period) => {
      const { start, end } = earlierOf(period, range)
      return [period, [timeText(start).slice(0, 16), timeText(end).slice(0, 16)]]
    }),
  )
  expect(texts).toEqual({
    previous: ['2026-03-30 06:00', '2026-03-31 06:00'],
    day: ['2026-03-30 06:00', '2026-03-31 06:00'],
    week: ['2026-03-24 06:00', '2026-03-25 06:00'],
    month: ['2026-02-28 06:00', '2026-03-01 06:00'],
    year: ['2025-03-31 06:00', '2025-04-01 06:00'],
    weeks52: ['2025-04-01 06:00', '2025-04-02 06:00'],
  })
  expect(new Date('2025-04-01T00:00Z').getUTCDay()).toBe(new Date('2026-03-31T00:00Z').getUTCDay())
})

test('a range that ends later than now is not over, but one that follows now is whole', () => {
  const range = { start: 0, end: 100 }
  expect([isNotOver(range, false, 99), isNotOver(range, false, 100), isNotOver(range, true, 99)]).toEqual([true, false, false])
})
