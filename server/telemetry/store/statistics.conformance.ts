import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { States } from '../meaning/folding.ts'
import type { Run } from '../meaning/hold.ts'
import { periodsOf } from '../meaning/periods.ts'
import { createStatistics, type Statistics } from '../meaning/statistics.ts'
import { createOracle } from './oracle.ts'
import { day, hour, type Incoming, minute, type PointReadings, type RunLengths, type Store } from './store.ts'

const t0 = Date.UTC(2026, 2, 1)
const row = (point: number, time: number, value: number | null): Incoming => ({
  point,
  time,
  value,
  quality: value === null ? 2 : 0,
  live: true,
})

/** Sums of many numbers depend on their order in the last digits. */
const near = (value: number | null) => (value === null ? null : Number(value.toPrecision(9)))
/** What roll-ups tell: no moments, no limits, no longest time. */
const comparable = ({ parts, marks }: Statistics) => ({
  marks,
  parts: parts.map((p) => ({
    ...{
      start: p.start,
      end: p.end,
      count: p.count,
      uncertain: p.uncertain,
      bad: p.bad,
      min: p.min,
      max: p.max,
      first: p.first,
      last: p.last,
    },
    ...{ heldMs: p.heldMs, goodMs: p.goodMs, onMs: p.onMs, offMs: p.offMs, switchings: p.switchings, inGaps: p.inGaps },
    ...{ sum: near(p.sum), amount: near(p.amount), integral: near(p.integral), total: near(p.total) },
    deviation: p.count ? Number(Math.sqrt(p.squares / p.count).toFixed(6)) : null,
  })),
})

/** Equal neighbours as one, reading by reading. */
const naiveRuns = ({ point, time, value, quality }: PointReadings, ms: number, cut: number): RunLengths => {
  const of: RunLengths = { point, first: [], last: [], value: [], quality: [], rows: [] }
  for (const [i, at] of time.entries()) {
    const before = time[i - 1]
    const isSame = before !== undefined && value[i] === value[i - 1] && quality[i] === quality[i - 1]
    if (isSame && at - before <= ms && !(at >= cut && before < cut)) {
      of.last[of.last.length - 1] = at
      of.rows[of.rows.length - 1]!++
      continue
    }
    of.first.push(at)
    of.last.push(at)
    of.value.push(value[i]!)
    of.quality.push(quality[i]!)
    of.rows.push(1)
  }
  return of
}
/** What is said of states: nothing of single readings. */
const stateOf = ({ parts, runs, bad, uncertain }: States & { runs: Run[] }) => ({
  ...{ runs, bad, uncertain },
  parts: parts.map((p) => ({
    ...{ start: p.start, end: p.end, heldMs: p.heldMs, goodMs: p.goodMs, onMs: p.onMs, offMs: p.offMs, switchings: p.switchings },
    ...{ longestOnMs: p.longestOnMs, firstChange: p.firstChange, lastChange: p.lastChange, excursions: p.excursions },
    ...{ lowMs: p.lowMs, highMs: p.highMs, integral: near(p.integral) },
  })),
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
        // Once with all readings, once with roll-ups alone: every figure that both know is the same.
        const rolled = await found.of(points, periods, 0)
        expect(rolled.map(({ basis, timed }) => [basis, timed])).toEqual(points.map(() => ['rollups', true]))
        expect(rolled.map(comparable)).toEqual((await expected.of(points, periods)).map(comparable))
        const brief = await found.of(points, periods, undefined, true)
        expect(brief.map(({ timed }) => timed)).toEqual(points.map(() => true))
        expect(brief.map(comparable)).toEqual((await expected.of(points, periods)).map(comparable))
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
  }, 400_000)

  test('equal neighbours come as one, and times on are those that each reading gives', async () => {
    const minutes = fc.integer({ min: 0, max: 200 })
    const value = fc.constantFrom(0, 0, 0, 1, 1, 2.5, null)
    const rows = fc.array(fc.tuple(fc.integer({ min: 1, max: 2 }), minutes, value, fc.integer({ min: 0, max: 1 })), {
      minLength: 1,
      maxLength: 80,
    })
    // Within a day, and over several.
    const wide = fc.constantFrom(1, 40)
    const property = fc.asyncProperty(
      fc.array(rows, { minLength: 1, maxLength: 2 }),
      minutes,
      minutes,
      wide,
      async (batches, from, cutAt, by) => {
        await bench().store.drop([1, 2])
        const unit = by * minute
        bench().now = t0 + 9 * day
        const oracle = createOracle()
        const [start, end, cut] = [t0 + from * unit, t0 + 201 * unit, t0 + Math.max(from, cutAt) * unit]
        const held = [1, 2].map((point) => ({ point, ms: point * 7 * unit }))
        for (const [i, batch] of batches.entries()) {
          const arrived = batch.map(([point, at, v, quality]) => ({ ...row(point, t0 + at * unit, v), quality: v === null ? 2 : quality }))
          oracle.append(arrived)
          await bench().store.append(arrived)
          if (i === 0) await bench().store.settle('now')
          const runs = oracle.columns([1, 2], start, end).map((of) => naiveRuns(of, of.point * 7 * unit, cut))
          // The second time, what is settled may come from memory.
          for (const _ of [1, 2]) expect(await bench().store.runLengths(held, start, end, cut)).toEqual(runs)
        }
        const meaning = {
          type: 3,
          limits: { low: null, high: 2 },
          counter: { maxReading: null, hourlyHigh: null, tolerance: 0, answers: new Map() },
        }
        const points = [1, 2].map((id) => ({
          ...{ id, ...meaning },
          expected: [
            { until: t0 + 90 * unit, ms: id * 3 * unit },
            { until: Number.POSITIVE_INFINITY, ms: id * 5 * unit },
          ],
        }))
        const clock = () => bench().now
        const { edges } = periodsOf('hour', start, end, 'Asia/Kathmandu')
        const naive = {
          buckets: async (...a: Parameters<Store['buckets']>) => oracle.buckets(...a),
          columns: async (...a: Parameters<Store['columns']>) => oracle.columns(...a),
        }
        const [expected, found] = await Promise.all(
          [naive, bench().store].map((store) => Array.fromAsync(createStatistics({ store, clock }).runs(points, edges, 1e6))),
        )
        expect(found!.map(stateOf)).toEqual(expected!.map(stateOf))
      },
    )
    await fc.assert(property, { numRuns: 6 })
  }, 400_000)

  test.each([
    { kind: 'any', grain: 4 * minute, offsets: [0, 1, 17_000], runs: 6 },
    // Most readings at the beginning of their quarter-hour, as gateways send them that store every quarter of an hour.
    { kind: 'a regular', grain: 15 * minute, offsets: [...Array(11).fill(0), 17_000], runs: 4 },
  ])(
    'roll-ups of $kind history give the figures that its readings give, wherever a range is cut',
    async ({ grain, offsets, runs }) => {
      const origin = t0 + 5 * hour
      const time = fc
        .tuple(fc.constantFrom(0, 1, 2), fc.integer({ min: 0, max: 80 }), fc.constantFrom(...offsets))
        .map(([days, steps, ms]) => origin + days * day + steps * grain + ms)
      const value = fc.oneof(
        { weight: 6, arbitrary: fc.integer({ min: -3, max: 3 }).map((v) => v / 4) },
        { weight: 1, arbitrary: fc.constant(null) },
      )
      const rows = fc.array(
        fc
          .tuple(fc.integer({ min: 1, max: 2 }), time, value, fc.boolean())
          .map(([point, at, v, good]) => ({ ...row(point, at, v), quality: v === null ? 2 : good ? 0 : 1 })),
        { minLength: 1, maxLength: 60 },
      )
      const range = fc.tuple(time, time, fc.constantFrom(...(['none', 'hour', 'day'] as const)))
      await fc.assert(
        fc.asyncProperty(
          fc.array(rows, { minLength: 1, maxLength: 3 }),
          fc.constantFrom(2, 5, 40),
          fc.array(range, { minLength: 1, maxLength: 3 }),
          async (batches, minutes, ranges) => {
            await bench().store.drop([1, 2])
            bench().now = t0 + 5 * day
            const oracle = createOracle()
            const naive = {
              buckets: async (...a: Parameters<Store['buckets']>) => oracle.buckets(...a),
              columns: async (...a: Parameters<Store['columns']>) => oracle.columns(...a),
            }
            const expectedMs = [
              { until: origin + day + 90 * minute, ms: minutes * minute },
              { until: Number.POSITIVE_INFINITY, ms: 2 * minutes * minute },
            ]
            const points = [1, 2].map((id) => ({
              ...{ id, type: id === 1 ? 3 : 4, expected: expectedMs, limits: { low: null, high: null } },
              counter: { maxReading: null, hourlyHigh: null, tolerance: 0, answers: new Map() },
            }))
            for (const [i, batch] of batches.entries()) {
              oracle.append(batch)
              await bench().store.append(batch)
              // The last one lies in tables, over files of the others.
              if (i < 2) await bench().store.settle('now')
            }
            const clock = () => bench().now
            const [slow, quick] = [createStatistics({ store: naive, clock }), createStatistics({ store: bench().store, clock })]
            for (const [a, b, by] of ranges) {
              const periods = periodsOf(by, Math.min(a, b), Math.max(a, b) + 7 * minute, 'Asia/Kathmandu')
              const found = await quick.of(points, periods, 0)
              expect(found.map(({ timed }) => timed)).toEqual([true, true])
              expect(found.map(comparable)).toEqual((await slow.of(points, periods)).map(comparable))
            }
          },
        ),
        { numRuns: runs },
      )
    },
    400_000,
  )
}
