import { expect, test } from 'vitest'
import { periodsOf } from '../meaning/periods.ts'
import { createStatistics } from '../meaning/statistics.ts'
import { createOracle } from './oracle.ts'
import { day, type Incoming, minute, type Store } from './store.ts'

const t0 = Date.UTC(2026, 2, 1)
const row = (point: number, time: number, value: number | null): Incoming => ({
  point,
  time,
  value,
  quality: value === null ? 2 : 0,
  live: true,
})

/** What figures every store has to answer alike. */
export const statisticsConformance = (bench: () => { store: Store; now: number }) => {
  test('statistics of counters, levels and states are those of the naive computation, settled or not', async () => {
    const oracle = createOracle()
    bench().now = t0 + 3 * day
    // Old ClickHouse servers read a text of many digits to the last but one.
    const rows = Array.from({ length: 2 * 24 * 12 }, (_, i) => i).flatMap((i) => [
      row(1, t0 + i * 5 * minute, i % 97 === 50 ? null : 1000 + i * 1.5 - (i > 300 ? 1100 : 0)),
      { ...row(2, t0 + i * 5 * minute + 7, Math.round(Math.sin(i) * 400) / 8 + 0), quality: i % 11 ? 0 : 1 },
      ...(i % 7 ? [] : [row(3, t0 + i * 5 * minute, Math.floor(i / 21) % 2)]),
    ])
    oracle.append(rows)
    await bench().store.append(rows)
    const naive = {
      buckets: async (...a: Parameters<Store['buckets']>) => oracle.buckets(...a),
      columns: async (...a: Parameters<Store['columns']>) => oracle.columns(...a),
    }
    const clock = () => bench().now
    const [expected, found] = [createStatistics({ store: naive, clock }), createStatistics({ store: bench().store, clock })]
    const counter = { maxReading: null, hourlyHigh: 100, tolerance: 1, answers: new Map() }
    const points = [1, 2, 3].map((id) => {
      return {
        id,
        type: [1, 4, 3][id - 1]!,
        expected: [{ until: Number.POSITIVE_INFINITY, ms: 300_000 }],
        limits: { low: -20, high: 30 },
        counter,
      }
    })
    const same = async () => {
      for (const [zone, by] of [
        ['Europe/Madrid', 'none'],
        ['Asia/Kathmandu', 'hour'],
        ['Asia/Kathmandu', 'weekday-hour'],
      ] as const) {
        const periods = periodsOf(by, t0 + 7 * minute, t0 + 2 * day - 1, zone)
        expect(await found.of(points, periods)).toEqual(await expected.of(points, periods))
        const [sums, naiveSums] = [await found.of(points, periods, 0), await expected.of(points, periods, 0)]
        expect(sums.map((s) => s.parts.map((p) => [p.count, p.min, p.last, p.total]))).toEqual(
          naiveSums.map((s) => s.parts.map((p) => [p.count, p.min, p.last, p.total])),
        )
      }
      const asked = { ids: [1, 2, 3], start: t0 + 1, end: t0 + 2 * day, size: 400 }
      let after: { time: number; point: number } | undefined
      const seen = []
      for (let more = true; more; ) {
        const page = await found.page({ ...asked, after })
        seen.push(...page.rows)
        ;({ more } = page)
        after = page.rows.at(-1)
      }
      const all = oracle.read([1, 2, 3], t0 + 1, t0 + 2 * day).toSorted((a, b) => a.time - b.time || a.point - b.point)
      expect(seen).toEqual(all)
    }
    await same()
    await bench().store.settle('now')
    await same()
  }, 60_000)
}
