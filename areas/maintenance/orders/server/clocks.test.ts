// Clocks equal a slow minute-by-minute count over shifts, holidays, holds and both DST changes.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type ShiftPlan, shiftsIn } from '../../../../server/telemetry/meaning/shifts.ts'
import { dueAt } from '../clocks.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const zones = ['Europe/Madrid', 'America/Sao_Paulo', 'Asia/Kathmandu', 'Australia/Lord_Howe']
const starts = ['2026-03-27', '2026-10-23', '2026-04-03', '2026-12-30'].map((date) => Date.parse(`${date}T00:00:00Z`))
const times = [
  [
    { name: 'Early', start: 6 * 60, end: 14 * 60 },
    { name: 'Late', start: 14 * 60, end: 22 * 60 },
  ],
  [{ name: 'Night', start: 22 * 60, end: 30 * 60 }],
  [{ name: 'Day', start: 8 * 60 + 15, end: 16 * 60 + 45 }],
]
const scene = fc.record({
  ...{ zone: fc.constantFrom(...zones), from: fc.constantFrom(...starts), start: fc.integer({ min: 0, max: 3 * 1440 }) },
  ...{ length: fc.integer({ min: 1, max: 2000 }), times: fc.constantFrom(...times), byShifts: fc.boolean() },
  weekdays: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 3, maxLength: 7 }),
  holiday: fc.integer({ min: 0, max: 5 }),
  holds: fc.array(fc.tuple(fc.integer({ min: 0, max: 4000 }), fc.integer({ min: 1, max: 1500 })), { maxLength: 3 }),
})

it('a clock runs out when a slow walk says so', () => {
  fc.assert(
    fc.property(scene, ({ zone, from, start, length, times, byShifts, weekdays, holiday, holds }) => {
      const report = from + start * minute
      const plan: ShiftPlan = {
        from: 0,
        times: times.map((time) => ({ ...time, weekdays: new Set(weekdays) })),
        ...{ holidays: new Set([Math.floor(from / day) + holiday]), makeUps: new Map() },
      }
      const until = report + 60 * day
      const work = byShifts ? shiftsIn([plan], report, until, zone) : [{ start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY }]
      const stops = holds.map(([after, of]) => ({ start: report + after * minute, end: report + (after + of) * minute }))
      let [left, at] = [length, report]
      for (; left > 0 && at < until; at += minute) {
        const works = work.some((span) => at >= span.start && at < span.end)
        if (works && !stops.some((stop) => at >= stop.start && at < stop.end)) left--
      }
      expect(dueAt(report, length * minute, work, stops)).toBe(left ? undefined : at)
    }),
    { numRuns: 40 },
  )
})

it('a clock that is held has no end, and goes on where it was', () => {
  const always = [{ start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY }]
  const hold = { start: hour, end: null }
  expect(dueAt(0, 2 * hour, always, [hold])).toBeUndefined()
  expect(dueAt(0, hour, always, [hold])).toBe(hour)
  expect(dueAt(0, 2 * hour, always, [{ start: hour, end: 5 * hour }])).toBe(6 * hour)
})
