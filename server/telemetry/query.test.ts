import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createQuery, stepFor } from './query.ts'
import { openDuckDbStore } from './store/duckdb/duckdbStore.ts'
import { day, hour, minute, quarter, type Store } from './store/store.ts'
import { temporaryFolder } from './telemetry.fixture.ts'

const start = Date.UTC(2026, 9, 1)
const now = start + 40 * day
const zone = 'America/New_York'

describe('history queries', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let store: Store
  let query: ReturnType<typeof createQuery>
  beforeAll(async () => {
    folder = await temporaryFolder('query')
    store = await openDuckDbStore({ folder: folder.folder, clock: () => now, log: () => {} })
    query = createQuery(store, () => now)
    // Point 1 every minute for 40 days with the minute's number as value; point 2 five times, one of them bad.
    const rows = Array.from({ length: (40 * day) / minute }, (_, i) => ({
      point: 1,
      time: start + i * minute,
      value: i,
      quality: 0,
      live: true,
    }))
    const few = [1, 2, null, 4, 5].map((value, i) => ({
      point: 2,
      time: start + i * day,
      value,
      quality: value === null ? 2 : 0,
      live: true,
    }))
    await store.append([...rows, ...few])
    await store.settle('now')
  })
  afterAll(async () => {
    await store.close()
    await folder.remove()
  })

  test('a point that fits comes raw, bad readings as nulls; one that does not comes in buckets', async () => {
    const answer = await query.series({ ids: [2, 1, 3], start, end: now, buckets: 100, zone })
    expect(answer.Series.map(({ ParaId, Raw }) => [ParaId, Raw])).toEqual([
      [2, true],
      [1, false],
      [3, true],
    ])
    expect(answer.Series[0]).toMatchObject({
      Time: [0, 1, 2, 3, 4].map((i) => start + i * day),
      Avg: [1, 2, null, 4, 5],
      Count: [1, 1, 0, 1, 1],
    })
    const { Time, Count, Min, Max } = answer.Series[1]!
    expect(Time.length).toBeGreaterThan(80)
    expect(Time.length).toBeLessThanOrEqual(100)
    expect(Count.reduce((a, b) => a + b)).toBe((40 * day) / minute)
    expect([Min[0], Max.at(-1)]).toEqual([0, (40 * day) / minute - 1])
    expect(answer.Series[2]!.Time).toEqual([])
  })
  test('the range counts to the millisecond although buckets are whole', async () => {
    const { Series } = await query.series({ ids: [1], start: start + 1, end: start + 10 * day + 1, buckets: 50, zone })
    expect(Series[0]!.Count.reduce((a, b) => a + b)).toBe((10 * day) / minute)
    expect(Series[0]!.First[0]).toBe(1)
    expect(Series[0]!.Last.at(-1)).toBe((10 * day) / minute)
  })
  test('a century is answered by Data and refused by MinData', async () => {
    const century = { ids: [1], start: 0, end: 100 * 365 * day, zone }
    expect((await query.series({ ...century, buckets: 2000 })).Series[0]!.Count.reduce((a, b) => a + b)).toBe((40 * day) / minute)
    await expect(query.units('minute', century)).rejects.toMatchObject({ key: 'rangeTooLong' })
    expect((await query.units('day', century)).Series[0]!.Time).toHaveLength(41)
  })
  test('days are whole, in the zone, 25 hours long when clocks are set back', async () => {
    const from = Date.UTC(2026, 9, 31, 15)
    const { Start, End, Step, TimeZone, Series } = await query.units('day', { ids: [1], start: from, end: from + day, zone })
    expect([Start, End]).toEqual([Date.UTC(2026, 9, 31, 4), Date.UTC(2026, 10, 2, 5)])
    expect([Step, TimeZone]).toEqual([0, zone])
    expect(Series[0]!.Count).toEqual([24 * 60, 25 * 60])
  })
  test('hours and minutes are whole', async () => {
    const hours = await query.units('hour', { ids: [1, 2], start: start + 1, end: start + 2 * hour, zone })
    expect([hours.Start, hours.End, hours.Series[0]!.Count]).toEqual([start, start + 2 * hour, [60, 60]])
    const minutes = await query.units('minute', { ids: [1], start: start + 1, end: start + minute + 1, zone })
    expect([minutes.Series[0]!.Time, minutes.Step]).toEqual([[start, start + minute], minute])
  })
  test('ranges beyond all time or turned round are empty, not errors', async () => {
    const far = 8_640_000_000_000_000
    for (const [from, to] of [
      [far - 1, far],
      [now, start],
      [start, start],
    ] as const) {
      expect((await query.series({ ids: [1], start: from, end: to, zone })).Series[0]!.Time).toEqual([])
      expect((await query.units('day', { ids: [1], start: from, end: to, zone })).Series[0]!.Time).toEqual([])
    }
  })
  test('a step never gives more buckets than asked, and suits the roll-ups', () => {
    fc.assert(
      fc.property(fc.nat(4e12), fc.integer({ min: 1, max: 4e12 }), fc.integer({ min: 1, max: 10_000 }), (from, length, buckets) => {
        const { ms, origin } = stepFor(from, from + length, buckets)
        expect(origin).toBeLessThanOrEqual(from)
        expect(Math.floor((from + length - 1 - origin) / ms) + 1).toBeLessThanOrEqual(buckets)
        if (ms >= minute) expect([ms % minute, origin % minute]).toEqual([0, 0])
        if (ms >= 2 * hour) expect([ms % quarter, origin % quarter]).toEqual([0, 0])
      }),
    )
  })
})
