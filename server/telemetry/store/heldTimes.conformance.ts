import fc from 'fast-check'
import { expect, test } from 'vitest'
import { periodsOf } from '../meaning/periods.ts'
import { createStatistics } from '../meaning/statistics.ts'
import type { HeldTimes } from './heldTimes.ts'
import { createOracle } from './oracle.ts'
import { day, hour, type Incoming, minute, type PointReadings, type Store } from './store.ts'
import type { Holding } from './stretches.ts'

const t0 = Date.UTC(2026, 2, 1)

/** Each reading by itself, in each part by itself. */
const naiveTimes = ({ point, time, value }: PointReadings, most: Holding['most'], edges: readonly number[], until: number) => ({
  point,
  parts: edges.slice(0, -1).map((start, k) => {
    const held = new Map<number, number>()
    for (const [i, at] of time.entries()) {
      const longest = at + most.find((of) => at < of.until)!.ms
      const ms = Math.min(time[i + 1] ?? until, longest, edges[k + 1]!) - Math.max(at, start)
      if (value[i] !== null && ms > 0) held.set(value[i]!, (held.get(value[i]!) ?? 0) + ms)
    }
    return [...held].sort(([a], [b]) => a - b)
  }),
})
const plain = (times: readonly HeldTimes[]) =>
  times.map(({ point, parts }) => ({ point, parts: parts.map(({ value, ms }) => Array.from(value, (one, i) => [one, ms[i]!])) }))
const hasAny = ({ parts }: ReturnType<typeof naiveTimes>) => parts.some((part) => part.length)

/** For how long values held, wherever readings lie and a range is cut. */
export const heldTimesConformance = (bench: () => { store: Store; now: number }) => {
  test('values held as long as loops over their readings say, over gaps, days and changes of how long they may hold', async () => {
    const origin = t0 + 5 * hour
    const time = fc
      .tuple(fc.constantFrom(0, 1, 2, 3), fc.integer({ min: 0, max: 90 }), fc.constantFrom(0, 0, 17_001))
      .map(([days, steps, ms]) => origin + days * day + steps * 4 * minute + ms)
    const value = fc.constantFrom(0, 0.5, 0.5, -3, 1e9, null)
    const row = fc
      .tuple(fc.integer({ min: 1, max: 2 }), time, value)
      .map(([point, at, v]): Incoming => ({ point, time: at, value: v, quality: v === null ? 2 : 0, live: true }))
    const range = fc.tuple(time, time, time, fc.constantFrom(...(['none', 'hour', 'day'] as const)))
    const batches = fc.array(fc.array(row, { minLength: 1, maxLength: 80 }), { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(
        batches,
        fc.constantFrom(2, 40, 2000),
        fc.array(range, { minLength: 2, maxLength: 4 }),
        async (all, minutes, ranges) => {
          await bench().store.drop([1, 2])
          bench().now = t0 + 5 * day
          const oracle = createOracle()
          for (const [i, batch] of all.entries()) {
            oracle.append(batch)
            await bench().store.append(batch)
            // The last one lies in tables, over files of the others.
            if (i < 2) await bench().store.settle('now')
          }
          const expected = [
            { until: origin + day + 90 * minute, ms: minutes * minute },
            { until: Number.POSITIVE_INFINITY, ms: 2 * minutes * minute },
          ]
          const most = expected.map(({ until, ms }) => ({ until, ms: 3 * ms }))
          for (const [a, b, now, by] of ranges) {
            const { edges } = periodsOf(by, Math.min(a, b), Math.max(a, b) + 7 * minute, 'Asia/Kathmandu')
            const until = Math.min(edges.at(-1)!, now)
            const holding = [1, 2].map((point) => ({ point, most }))
            const longest = Math.max(...most.map(({ ms }) => ms))
            const naive = oracle.columns([1, 2], edges[0]! - longest, edges.at(-1)!).map((of) => naiveTimes(of, most, edges, until))
            // The second time, what is settled may come from memory.
            for (const _ of [1, 2]) expect(plain(await bench().store.heldTimes(holding, edges, until))).toEqual(naive.filter(hasAny))
            const meaning = {
              ...{ type: 0, expected, limits: { low: null, high: null } },
              counter: { maxReading: null, hourlyHigh: null, tolerance: 0, answers: new Map() },
            }
            const found = createStatistics({ store: bench().store, clock: () => now })
            const each = await Array.fromAsync(
              found.heldTimes(
                [1, 2].map((id) => ({ id, ...meaning })),
                edges,
                1e6,
              ),
            )
            expect(plain(each.map(({ point, parts }) => ({ point: point.id, parts })))).toEqual(
              [1, 2].map((point) => naive.find((of) => of.point === point) ?? { point, parts: edges.slice(1).map(() => []) }),
            )
          }
        },
      ),
      { numRuns: 8 },
    )
  }, 400_000)
}
