import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Answer, type CounterRules, counterCurve } from '../../../../server/telemetry/meaning/counter.ts'
import { type Count, reachedBy, shortened, stateOf } from './counted.ts'

const hour = 3_600_000
const day = 24 * hour
const t0 = Date.parse('2026-01-01T00:00:00Z')
const rules = (answers: [number, Answer][] = []): CounterRules => ({
  maxReading: null,
  hourlyHigh: null,
  tolerance: 0.02,
  answers: new Map(answers),
})
const count = (of: Partial<Count> = {}): Count => ({ from: t0, done: 0, step: 100, multiple: 0, ...of })
/** A machine that runs all the time, read once an hour; `shown` turns its true hours into readings. */
const running = (hours: number, shown: (n: number) => number | undefined = (n) => n) => {
  const rows = Array.from({ length: hours + 1 }, (_, n) => ({ time: t0 + n * hour, value: shown(n) })).filter(
    (row) => row.value !== undefined,
  )
  return { time: rows.map((row) => row.time), value: rows.map((row) => row.value!) }
}
const hoursOf = (reached: { time: number; multiple: number }[]) => reached.map(({ time, multiple }) => [(time - t0) / hour, multiple])

it('a reset, a gap and a new meter neither trigger nor lose a multiple, and an open event is counted', () => {
  const now = t0 + 350 * hour
  const plain = [
    [100, 1],
    [200, 2],
    [300, 3],
  ]
  expect(hoursOf(reachedBy(counterCurve(running(350), rules(), now), count(), now).reached)).toEqual(plain)
  const gap = running(350, (n) => (n > 150 && n < 260 ? undefined : n))
  expect(hoursOf(reachedBy(counterCurve(gap, rules(), now), count(), now).reached)).toEqual(plain)
  // A new meter begins at 5,000 after 150 h. The true hours at the change are unknown until somebody enters them.
  const changed = running(350, (n) => (n < 150 ? 9000 + n : 5000 + n - 150))
  const at = t0 + 150 * hour
  const open = counterCurve(changed, rules(), now)
  expect(hoursOf(reachedBy(open, count(), now).reached)).toEqual([
    [100, 1],
    [201, 2],
    [301, 3],
  ])
  expect(stateOf(open, count(), now)).toMatchObject({ used: 349, open: 1 })
  const said = counterCurve(changed, rules([[at, { kind: 'replaced', oldEnd: 9150, newStart: 5000 }]]), now)
  expect(hoursOf(reachedBy(said, count(), now).reached)).toEqual(plain)
  expect(stateOf(said, count(), now).open).toBe(0)
})

it('the forecast follows the last 14 days, and says nothing of a machine that stood still', () => {
  const now = t0 + 40 * day
  // Runs every other day, then continuously for 14 days.
  const curve = counterCurve(
    running(40 * 24, (n) => (n < 26 * 24 ? Math.floor(n / 48) * 24 + Math.min(24, n % 48) : 13 * 24 + n - 26 * 24)),
    rules(),
    now,
  )
  const { next } = reachedBy(curve, count({ step: 1000 }), now)
  const state = stateOf(curve, next, now)
  expect(state).toMatchObject({ used: 27 * 24, perDay: 24 })
  expect(state.next).toBe(now + ((1000 - 27 * 24) / 24) * day)
  expect(stateOf(counterCurve({ time: [t0, now], value: [7, 7] }, rules(), now), count(), now)).toMatchObject({ perDay: 0, next: null })
  // An initial count brings the first multiple forward.
  expect(hoursOf(reachedBy(curve, count({ step: 1000, done: 990 }), now, true).reached)).toEqual([[10, 1]])
  expect(reachedBy(curve, count({ step: 0.01 }), now).reached).toHaveLength(1)
})

it('however often one looks, and whenever the count is shortened, each multiple is reached once, at the time that a slow walk finds', () => {
  const steps = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 2, maxLength: 80 })
  fc.assert(
    fc.property(
      steps,
      fc.integer({ min: 40, max: 90 }),
      fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 8 }),
      (rises, step, looks) => {
        const value = [0, ...rises.map((_, i) => rises.slice(0, i + 1).reduce((sum, rise) => sum + rise, 0))]
        const time = value.map((_, i) => t0 + i * day)
        const end = time.at(-1)!
        const curve = counterCurve({ time, value }, rules(), end)
        const expected: number[] = []
        for (let at = t0, multiple = 1; at <= end; at += hour / 4) {
          const i = Math.min(value.length - 2, Math.floor((at - t0) / day))
          const shown = value[i]! + (value[i + 1]! - value[i]!) * ((at - time[i]!) / day)
          for (; shown >= step * multiple - 1e-9; multiple++) expected.push(at)
        }
        let state = count({ step })
        const found: number[] = []
        for (let now = t0, i = 0; now < end; i++) {
          now = Math.min(end, now + looks[i % looks.length]! * day)
          const { reached, next } = reachedBy(curve, state, now)
          found.push(...reached.map((one) => one.time))
          expect(reached.map((one) => one.multiple)).toEqual(reached.map((_, k) => state.multiple + k + 1))
          state = shortened(curve, next, now)
        }
        expect(found).toHaveLength(expected.length)
        for (const [i, at] of found.entries()) expect(Math.abs(at - expected[i]!)).toBeLessThanOrEqual(hour / 4)
      },
    ),
    { numRuns: 30 },
  )
})
