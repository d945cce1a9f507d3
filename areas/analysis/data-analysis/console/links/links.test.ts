import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { linearRegression, sampleCorrelation } from 'simple-statistics'
import { expect, test } from 'vitest'
import type { ParaInfo, Series } from '../../../../../contract/telemetry.ts'
import { coverageOf, mostChanged, summaryOf, weekOf } from '../status/weeks.ts'
import { columnOf, lineOf, linksOf, pairsOf } from './correlation.ts'

/** Pairs of values in the form that simple-statistics expects. */
const correlationOf = (pairs: readonly (readonly [number, number])[]) =>
  sampleCorrelation(
    pairs.map(([a]) => a),
    pairs.map(([, b]) => b),
  )
const wave = (i: number) => Math.sin(i / 7) + 0.4 * Math.sin(i / 3.1) + 1000

test('points are as closely linked as a library of statistics says, at the delay that one has behind the other, and over gaps', () => {
  const a = Array.from({ length: 400 }, (_, i) => (i % 11 === 0 ? null : wave(i)))
  const b = Array.from({ length: 400 }, (_, i) => (i % 13 === 0 ? null : -3 * wave(i - 5) + 20))
  const [[, atOnce]] = linksOf([a, b], 0) as [(null | { r: number; lag: number })[]]
  const pairs = a.flatMap((x, i) => (x === null || b[i] === null ? [] : [[x, b[i]!] as const]))
  expect(atOnce!.r).toBeCloseTo(correlationOf(pairs), 9)
  const [[, delayed]] = linksOf([a, b], 12) as [(null | { r: number; lag: number })[]]
  expect(delayed!.lag).toBe(5)
  expect(delayed!.r).toBeCloseTo(-1, 9)
  const line = lineOf(pairsOf(a, b, 5))!
  expect([line.slope, line.offset]).toEqual([expect.closeTo(-3, 6), expect.closeTo(20, 4)])
  // Constant points and points with few values correlate with nothing.
  const still = a.map(() => 7)
  expect(linksOf([a, still, a.map((x, i) => (i < 9 ? x : null))], 3)).toEqual([
    [null, null, null],
    [null, null, null],
    [null, null, null],
  ])
  expect(columnOf({ Time: [1000, 3000], Mean: [1, 2], Avg: [9, 9] }, 1000, 1000, 4)).toEqual([1, null, 2, null])
})

/** Pairs that hardly move, far from the mean of their column. */
const farOut = [...Array<null>(18).fill(null), 400, 400, ...Array<number>(8).fill(1e5)]
const besideIt = [400, ...Array<null>(8).fill(null), ...Array.from({ length: 20 }, (_, i) => 1e5 + wave(i)), ...Array<number>(25).fill(400)]

test('coefficients of columns with gaps, still stretches and far outliers are those of the library over their pairs', () => {
  const value = fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: -50, max: 50 }).map((v) => v / 8 + 400) },
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constant(1e5) },
  )
  const stretch = fc.tuple(value, fc.boolean(), fc.integer({ min: 1, max: 30 }))
  const column = fc
    .array(stretch, { minLength: 3, maxLength: 12 })
    .map((parts) => parts.flatMap(([v, moves, length]) => Array.from({ length }, (_, i) => (v !== null && moves ? v + wave(i) : v))))
  fc.assert(
    fc.property(column, column, fc.integer({ min: 0, max: 20 }), (a, b, most) => {
      const link = linksOf([a, b], most)[0]![1]
      const naive = Array.from({ length: 2 * most + 1 }, (_, n) => n - most).flatMap((lag) => {
        const pairs = a.flatMap((x, t) => (x === null || (b[t + lag] ?? null) === null ? [] : [[x, b[t + lag]!] as const]))
        const isMoving = [0, 1].every((k) => new Set(pairs.map((pair) => pair[k as 0 | 1])).size > 1)
        return pairs.length < 10 || !isMoving ? [] : [{ lag, r: correlationOf(pairs) }]
      })
      if (!naive.length) {
        expect(link).toBeNull()
        return
      }
      const best = Math.max(...naive.map(({ r }) => Math.abs(r)))
      expect(Math.abs(link!.r)).toBeCloseTo(best, 5)
      expect(naive.find(({ lag }) => lag === link!.lag)!.r).toBeCloseTo(link!.r, 5)
    }),
    { examples: [[farOut, besideIt, 0]] },
  )
})

const recording = fileURLToPath(new URL('../../../../../../shared/data/ett/ETTh1.csv', import.meta.url))
test.skipIf(!existsSync(recording))(
  'loads and oil of a real transformer are linked at the lag, and by the line, that the library finds in the lines of its file',
  () => {
    const [head, ...lines] = readFileSync(recording, 'utf8').trim().split('\n')
    const at = head!.trim().split(',')
    const column = (name: string) => lines.slice(0, 60 * 24).map((line) => Number(line.trim().split(',')[at.indexOf(name)]))
    const columns = ['HUFL', 'MUFL', 'OT'].map(column)
    const links = linksOf(columns, 24)
    for (const [i, k] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      const found = Array.from({ length: 49 }, (_, n) => n - 24).map((lag) => ({
        lag,
        r: correlationOf(columns[i]!.flatMap((x, t) => (columns[k]![t + lag] === undefined ? [] : [[x, columns[k]![t + lag]!] as const]))),
      }))
      const best = found.reduce((a, b) => (Math.abs(b.r) > Math.abs(a.r) ? b : a))
      expect(links[i]![k]).toEqual({ lag: best.lag, r: expect.closeTo(best.r, 9) })
      const pairs = pairsOf(columns[i]!, columns[k]!, best.lag)
      const { m, b } = linearRegression(pairs.map(({ x, y }) => [x, y]))
      expect(lineOf(pairs)).toEqual({
        r: expect.closeTo(best.r, 9),
        slope: expect.closeTo(m, 9),
        offset: expect.closeTo(b, 9),
        count: pairs.length,
      })
    }
  },
)

test('the overview lists what moved beyond its usual days, what is silent, and what is busy', () => {
  const day = 86_400_000
  const end = 20 * day
  const of = (Avg: (number | null)[], Count = Avg.map(() => 10)) =>
    ({ Time: Avg.map((_, i) => end - (i + 1) * day), Avg, Count }) as unknown as Series
  const point = (ParaId: number, CalDataType = 0) => ({ ParaId, CalDataType, DecimalDigits: 1 }) as ParaInfo
  const week = (value: number, spread = 1) => Array.from({ length: 7 }, (_, i) => value + (i % 2 ? spread : -spread))
  const moved = weekOf(point(1), of([...week(60), ...week(50)]), end)
  const usual = weekOf(point(2), of([...week(51), ...week(50)]), end)
  const counter = weekOf(point(3, 1), of([...week(90), ...week(50)]), end)
  const silent = weekOf(point(4), of([null, ...week(50)], [0, 9, 9, 9, 9, 9, 9, 9]), end)
  const weeks = [moved, usual, counter, silent]
  expect(mostChanged(weeks)).toEqual([moved])
  expect([moved.now, moved.before]).toEqual([expect.closeTo(60 - 1 / 7, 9), expect.closeTo(50 - 1 / 7, 9)])
  const summary = summaryOf(weeks)
  expect([summary.heard, summary.silent, summary.perDay]).toEqual([3, [silent], expect.closeTo(30 + 54 / 7, 9)])
  const shares = new Map([
    [1, 0.97],
    [2, 0.4],
    [4, 0],
  ])
  expect(coverageOf(weeks, shares, 95)).toEqual({ mean: expect.closeTo(1.37 / 3, 9), unknown: 1, little: [silent, usual] })
  expect(coverageOf(weeks, new Map(), 95)).toEqual({ mean: null, unknown: 4, little: [] })
})
