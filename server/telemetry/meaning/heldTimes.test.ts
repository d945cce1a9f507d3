import { expect, test } from 'vitest'
import { createOracle } from '../store/oracle.ts'
import { day, hour, type Incoming, minute } from '../store/store.ts'
import { rowsByDay } from './folding.ts'
import { timesOfEach } from './heldTimes.ts'

const t0 = Date.UTC(2026, 2, 1)

test('values of many readings, looked at piece by piece, held as long as in one look', async () => {
  const oracle = createOracle()
  for (let i = 0; i < 5 * 24 * 4; i++) {
    // Over midnight of the second day, a value holds until its time is up.
    if (i > 180 && i < 200) continue
    const value = i % 13 === 5 ? null : Math.round(4 * Math.sin(i / 5))
    oracle.append([{ point: 1, time: t0 + i * 15 * minute + 7, value, quality: 0, live: true } satisfies Incoming])
  }
  const store = {
    buckets: async (...asked: Parameters<typeof oracle.buckets>) => oracle.buckets(...asked),
    columns: async (...asked: Parameters<typeof oracle.columns>) => oracle.columns(...asked),
  }
  const meaning = {
    ...{ id: 1, type: 0, expected: [{ until: Number.POSITIVE_INFINITY, ms: 40 * minute }], limits: { low: null, high: null } },
    counter: { maxReading: null, hourlyHigh: null, tolerance: 0, answers: new Map() },
  }
  for (const edges of [
    [t0 + 5, t0 + 5 * day],
    [t0 + 5 * hour, t0 + 30 * hour, t0 + 31 * hour, t0 + 6 * day],
  ])
    for (const until of [edges.at(-1)!, t0 + 3 * day + hour]) {
      const days = await rowsByDay(store, [1], edges[0]!, edges.at(-1)!)
      const [whole] = await Array.fromAsync(timesOfEach(store, [meaning], { edges, until, days }))
      const [pieces] = await Array.fromAsync(timesOfEach(store, [meaning], { edges, until, days, together: 100 }))
      expect(pieces!.parts).toEqual(whole!.parts)
      expect(whole!.parts.some(({ value }) => value.length > 5)).toBe(true)
    }
})
