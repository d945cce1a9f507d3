import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseFormula } from '../../../contract/expression/parse.ts'
import { createOracle } from '../store/oracle.ts'
import { day, hour, minute } from '../store/store.ts'
import { type Formula, formulaExpected, formulaReadings, widthFor } from './formula.ts'
import { withFormulas } from './formulaSource.ts'
import { createStatistics } from './statistics.ts'

const start = Date.UTC(2026, 2, 1)
const formula = (text: string, holds: [number, number][]): Formula => ({ id: 100, tree: parseFormula(text).tree!, holds: new Map(holds) })
const storeOf = (rows: readonly { point: number; time: number; value: number | null }[]) => {
  const oracle = createOracle()
  oracle.append(rows.map((row) => ({ ...row, quality: row.value === null ? 2 : 0, live: true })))
  return {
    buckets: async (...asked: Parameters<typeof oracle.buckets>) => oracle.buckets(...asked),
    columns: async (...asked: Parameters<typeof oracle.columns>) => oracle.columns(...asked),
  }
}
const minutes = (point: number, values: readonly (number | null)[], every = 1) =>
  values.map((value, i) => ({ point, time: start + i * every * minute, value }))
const later = start + 30 * day

test('the last value of each point goes through the formula, and holds as long as the point’s may', async () => {
  // The second point speaks every five minutes, and is silent from minute 10 to 25.
  const rows = [
    ...minutes(
      1,
      Array.from({ length: 40 }, (_, i) => i),
    ),
    ...[0, 5, 10, 25, 30].map((m) => ({ point: 2, time: start + m * minute, value: 100 })),
  ]
  const of = formula('#1 + #2', [
    [1, 3 * minute],
    [2, 10 * minute],
  ])
  const found = await formulaReadings(storeOf(rows), of, start, start + 40 * minute, later)
  const at = new Map(found.time.map((time, i) => [(time - start) / minute, found.value[i]]))
  expect([at.get(0), at.get(9), at.get(19), at.get(25)]).toEqual([100, 109, 119, 125])
  // From minute 20 on nothing is known of the second point.
  expect([...at].filter(([, value]) => value === null).map(([m]) => m)).toEqual([20, 40].filter((m) => at.has(m)))
  expect([21, 22, 23, 24].filter((m) => at.has(m))).toEqual([])
})

test('what looks back does so by the clock, and a division by zero is a reading without a value', async () => {
  const values = Array.from({ length: 180 }, (_, i) => i * i)
  const store = storeOf(minutes(1, values))
  const ask = (text: string, from = 0) =>
    formulaReadings(store, formula(text, [[1, 3 * minute]]), start + from * minute, start + 180 * minute, later)
  const whole = (found: Awaited<ReturnType<typeof ask>>) =>
    new Map(found.time.flatMap((time, i) => ((time - start) % minute ? [] : [[(time - start) / minute, found.value[i]!] as const])))
  const [back, less, speed, area] = await Promise.all(
    ['shift(#1, 1h)', 'diff(#1, 1h)', 'rate(#1, 30min)', 'integral(#1, 1h)'].map(async (text) => whole(await ask(text, 60))),
  )
  for (const m of [60, 90, 179]) {
    expect(back!.get(m)).toBe((m - 60) ** 2)
    expect(less!.get(m)).toBe(m ** 2 - (m - 60) ** 2)
    expect(speed!.get(m)).toBeCloseTo((m ** 2 - (m - 30) ** 2) * 2, 6)
    // The sum of the steps of an hour, plain.
    const steps = Array.from({ length: 3600 }, (_, s) => values[Math.max(0, Math.floor((m * 60 - s) / 60))]!)
    expect(area!.get(m)! / (steps.reduce((sum, v) => sum + v, 0) / 3600)).toBeCloseTo(1, 3)
  }
  const divided = whole(await ask('1 / (#1 - 100)'))
  expect([divided.get(9), divided.get(10), divided.get(11)]).toEqual([1 / (81 - 100), null, 1 / 21])
})

test('statistics of a formula are those of a stored point with the same values', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(fc.integer({ min: -50, max: 50 }), { freq: 8 }), { minLength: 30, maxLength: 200 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 200, maxLength: 200 }),
      async (first, second) => {
        const [a, b] = [minutes(1, first), minutes(2, second.slice(0, first.length))]
        // The same, worked out in a plain loop.
        const sums = a.map(({ time, value }, i) => ({ point: 3, time, value: value === null ? null : value * 2 + b[i]!.value! }))
        const store = storeOf([...a, ...b, ...sums])
        const end = start + first.length * minute
        const source = withFormulas(
          store,
          new Map([
            [
              100,
              formula(
                '#1 * 2 + #2',
                [1, 2].map((id) => [id, 3 * minute]),
              ),
            ],
          ]),
          () => end,
        )
        const meaning = {
          type: 0,
          limits: { low: null, high: 40 },
          counter: { maxReading: null, hourlyHigh: null, tolerance: 0, answers: new Map() },
        }
        const asked = [
          { ...meaning, id: 3, expected: [{ until: Number.POSITIVE_INFINITY, ms: minute }] },
          { ...meaning, id: 100, expected: formulaExpected },
        ]
        const { of } = createStatistics({ store: source, clock: () => end })
        const [stored, computed] = await of(asked, { edges: [start, start + 20 * minute, end] })
        const known = ({ min, max, integral, heldMs, highMs, last }: (typeof stored & object)['parts'][number]) => ({
          min,
          max,
          integral,
          heldMs,
          highMs,
          last,
        })
        expect(computed!.parts.map(known)).toEqual(stored!.parts.map(known))
      },
    ),
    { numRuns: 40 },
  )
})

test('a question over any time takes a bounded number of steps', () => {
  for (const span of [minute, hour, day, 30 * day, 400 * day, 20 * 366 * day]) expect(span / widthFor(span)).toBeLessThanOrEqual(25_000)
  expect([hour, day, 90 * day].map(widthFor)).toEqual([1000, 10_000, 15 * minute])
})

test('points that hold for days, and parts that look back, keep the grid of an hour small', async () => {
  const ids = Array.from({ length: 20 }, (_, i) => i + 1)
  const store = storeOf(ids.map((point) => ({ point, time: start - 2 * day, value: 1 })))
  let most = 0
  const counted: typeof store = {
    ...store,
    buckets: (points, from, to, step) => {
      most = Math.max(most, (points.length * (to - from)) / (step as { ms: number }).ms)
      return store.buckets(points, from, to, step)
    },
  }
  const holds = ids.map((id): [number, number] => [id, 3 * day])
  const sum = formula(ids.map((id) => `#${id}`).join(' + '), holds)
  expect((await formulaReadings(counted, sum, start, start + hour, later)).value[0]).toBe(20)
  const parts = Array.from({ length: 60 }, (_, i) => `shift(#1, ${i + 1}s)`)
  const groups = Array.from({ length: 3 }, (_, i) => `max(${parts.slice(20 * i, 20 * i + 20).join(', ')})`)
  const found = await formulaReadings(counted, formula(`max(${groups.join(', ')})`, [[1, 3 * day]]), start, start + 6 * hour, later)
  expect(found.time[1]! - found.time[0]!).toBe(10_000)
  expect(most).toBeLessThan(200_000)
})

test('a long formula lets others have their turns', async () => {
  const names = Array.from({ length: 18 }, () => '#1').join(',')
  const leaf = formula(`min(${names})`, []).tree
  const back = formula(`shift(max(${names}), 10s)`, []).tree
  const tree = Array.from({ length: 50 }).reduce<Formula['tree']>(
    (right, _, i) => ({ kind: 'operator', operator: '+', left: i % 10 ? leaf : back, right }),
    leaf,
  )
  let [turns, isOver] = [0, false]
  const turn = () => {
    turns++
    if (!isOver) setImmediate(turn)
  }
  turn()
  const store = storeOf(minutes(1, [1, 1, 1]))
  const found = await formulaReadings(store, { id: 1, tree, holds: new Map([[1, day]]) }, start, start + 4 * hour, later)
  isOver = true
  expect(found.value.at(-1)).toBe(51)
  expect(turns).toBeGreaterThan(15)
})
