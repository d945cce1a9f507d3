import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createOracle } from '../store/oracle.ts'
import { day, hour, minute, quarter } from '../store/store.ts'
import { type Answer, type CounterRules, countedIn, counterCurve } from './counter.ts'
import { meterQuarters, type QuarterParts, quality, type Segment } from './quarters.ts'

const t0 = Date.UTC(2026, 2, 27)
const now = t0 + 30 * day
const rules = (more: Partial<CounterRules> = {}): CounterRules => ({
  ...{ maxReading: null, hourlyHigh: null, tolerance: 0.2, answers: new Map() },
  ...more,
})
const segment = (id: number, more: Partial<Segment> = {}, counter: Partial<CounterRules> = {}, type = 1): Segment => ({
  meaning: {
    ...{ id, type, limits: { low: null, high: null }, counter: rules(counter) },
    expected: [{ until: Number.POSITIVE_INFINITY, ms: 5 * minute }],
  },
  ...{ factor: 1, from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, startReading: null, endReading: null },
  ...more,
})
type Row = readonly [at: number, value: number]
const storeOf = (rows: ReadonlyMap<number, readonly Row[]>) => {
  const oracle = createOracle()
  for (const [point, own] of rows)
    oracle.append(own.map(([at, value]) => ({ point, time: t0 + at * minute, value, quality: 0, live: true })))
  return {
    buckets: async (...args: Parameters<typeof oracle.buckets>) => oracle.buckets(...args),
    columns: async (...args: Parameters<typeof oracle.columns>) => oracle.columns(...args),
    stretches: async () => ({ stretches: [], unread: [], unknown: [], fresh: [{ start: 0, end: Number.MAX_SAFE_INTEGER }] }),
    marks: async (points: readonly number[], start: number, end: number) =>
      oracle.buckets(points, start, end, { ms: quarter, origin: start }).map((of) => {
        const times = of.time.map((at) => oracle.columns([of.point], at, at + quarter)[0]!.time)
        const known = (column: readonly (number | null)[]) => column as number[]
        return {
          ...{ point: of.point, time: of.time, count: of.count, min: known(of.min), max: known(of.max) },
          ...{ first: known(of.first), last: known(of.last), firstAt: times.map((t) => t[0]!), lastAt: times.map((t) => t.at(-1)!) },
        }
      }),
    all: (point: number) => oracle.columns([point], 0, now)[0] ?? { time: [], value: [] },
  }
}
const sum = (of: QuarterParts, from = 0, to = of.value.length) => of.value.subarray(from, to).reduce((all, one) => all + one, 0)

test('quarter-hours from few readings are those of a curve over all readings, in any order and cut anywhere', async () => {
  const value = fc.integer({ min: 0, max: 400 }).map((v) => v / 10)
  const rows = fc.array(fc.tuple(fc.integer({ min: 0, max: 4 * 24 * 60 }), value, fc.integer({ min: 0, max: 5 })), {
    minLength: 1,
    maxLength: 80,
  })
  const shape = fc.record({
    rows,
    hourlyHigh: fc.constantFrom(null, 50),
    maxReading: fc.constantFrom(null, 40),
    cut: fc.integer({ min: 1, max: 95 }),
    answer: fc.constantFrom<Answer | null>(null, { kind: 'restarted' }, { kind: 'replaced', oldEnd: 30, newStart: 1 }),
  })
  await fc.assert(
    fc.asyncProperty(shape, async ({ rows, hourlyHigh, maxReading, cut, answer }) => {
      const given = rows.map(([at, v, wild]): Row => [at, wild ? v / 10 + at / 60 : v])
      // Back-fill arrives in any order, and twice.
      const store = storeOf(new Map([[1, [...given, ...given.slice(0, 3)]]]))
      const { time, value } = store.all(1)
      const falls = time.filter((_, i) => i && value[i]! < value[i - 1]!)
      const own = rules({ hourlyHigh, maxReading, answers: new Map(answer && falls[0] ? [[falls[0], answer]] : []) })
      const of = segment(1, {}, own)
      const range = { start: t0 + day, count: 2 * 96 }
      const ask = async (start: number, count: number) => (await meterQuarters(store, new Map([[7, [of]]]), { start, count }, now)).get(7)!
      const whole = await ask(range.start, range.count)
      const slow = counterCurve({ time, value: value as number[] }, own, now)
      for (let i = 0; i < range.count; i++) {
        const edge = range.start + i * quarter
        const known = countedIn(slow, edge, edge + quarter)
        expect([whole.value[i], whole.unknown[i]]).toEqual(known ? [known.counted, 0] : [0, 1])
      }
      const [a, b] = [await ask(range.start, cut), await ask(range.start + cut * quarter, range.count - cut)]
      expect([...a.value, ...b.value]).toEqual([...whole.value])
      expect([...a.quality, ...b.quality]).toEqual([...whole.quality])
    }),
    { numRuns: 150 },
  )
})

test('a dip after a gap counts for nothing, also where midnight lies between it and what undoes it', async () => {
  const dip: Row[] = [
    [0, 0.3],
    [4 * 24 * 60 - 15, 0],
    [4 * 24 * 60, 96],
  ]
  const range = { start: t0 + 2 * day, count: 96 }
  const of = (await meterQuarters(storeOf(new Map([[1, dip]])), new Map([[1, [segment(1)]]]), range, now)).get(1)!
  expect(sum(of)).toBe(Math.round((96_000 - 300) / 4))
})

test('a gap of two hours is interpolated, a longer one is missing, and both count', async () => {
  const store = storeOf(
    new Map([
      [
        1,
        [
          [0, 0],
          [14, 1],
          [15, 1],
          [15 + 120, 9],
          [15 + 120 + 300, 29],
          [15 + 120 + 301, 29.1],
        ],
      ],
    ]),
  )
  const of = (await meterQuarters(store, new Map([[1, [segment(1)]]]), { start: t0, count: 96 }, now)).get(1)!
  expect(sum(of)).toBe(29_100)
  expect([of.quality[0], of.quality[2], of.quality[12], of.unknown[40]]).toEqual([
    quality.measured,
    quality.interpolated,
    quality.missing,
    1,
  ])
})

test('a circuit has no seam where its meter is replaced, with readings of the swap, another factor, and within a quarter-hour', async () => {
  const true0 = (at: number) => at / 10
  const swap = 1000 * minute + t0
  const [old, fresh] = [[], []] as [Row[], Row[]]
  for (let at = 0; at < 2000; at += 7) (at < 1000 ? old : fresh).push([at, at < 1000 ? 500 + true0(at) / 4 : 3 + true0(at - 1000)])
  const store = storeOf(
    new Map([
      [1, old],
      [2, fresh],
    ]),
  )
  const segments = [
    segment(1, { factor: 4, to: swap, endReading: 500 + true0(1000) / 4 }),
    segment(2, { from: swap, startReading: 3 }, { answers: new Map() }),
  ]
  const of = (await meterQuarters(store, new Map([[1, segments]]), { start: t0, count: 128 }, now)).get(1)!
  expect(sum(of)).toBe(Math.round(true0(128 * 15) * 1000))
  expect([...of.value].every((one) => Math.abs(one - 1500) <= 4)).toBe(true)
})

test('a quarter-hour with a fall that nobody explained is marked, and its event is counted', async () => {
  const rows: Row[] = [
    [0, 100],
    [15, 101],
    [30, 5],
    [45, 6],
    [90, 7],
  ]
  const of = (await meterQuarters(storeOf(new Map([[1, rows]])), new Map([[1, [segment(1)]]]), { start: t0, count: 8 }, now)).get(1)!
  expect([of.events.length, of.quality[2], sum(of)]).toEqual([1, quality.corrected, 3000])
})

test('a meter that shows numbers without sense says nothing for that time, and counts on afterwards', async () => {
  const rows: Row[] = [
    [0, 100],
    [20, 1e300],
    [40, 1.7e308],
    [60, 101],
    [80, 102],
    [100, 103],
  ]
  const answer = await meterQuarters(
    storeOf(new Map([[1, rows]])),
    new Map([[1, [segment(1, { factor: 1e6 })]]]),
    { start: t0, count: 8 },
    now,
  )
  const { value, unknown } = answer.get(1)!
  expect([...value].every((one) => Number.isSafeInteger(one))).toBe(true)
  expect([value[1], unknown[1]]).toEqual([0, 1])
})

test('amounts are added up, and a rate over time comes to its integral', async () => {
  const amounts: Row[] = Array.from({ length: 24 }, (_, i) => [i * 10, 0.25])
  const rates: Row[] = Array.from({ length: 49 }, (_, i) => [i * 5, 12])
  const store = storeOf(
    new Map([
      [1, amounts],
      [2, rates],
    ]),
  )
  const meters = new Map([
    [1, [segment(1, { factor: 2 }, {}, 2)]],
    [2, [segment(2, {}, {}, 4)]],
  ])
  const found = await meterQuarters(store, meters, { start: t0, count: 16 }, t0 + 4 * hour)
  expect(sum(found.get(1)!)).toBe(24 * 500)
  expect(sum(found.get(2)!)).toBe(48_000)
})
