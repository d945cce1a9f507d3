import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bitsOf, type Item, rulesOf } from './apriori.ts'
import { importanceOf, scoresOf, trialOf } from './forest.ts'
import { histogramOf } from './histogram.ts'
import { randomOf } from './random.ts'
import { binned, growTree, leafValue } from './tree.ts'

const rowsOf = (count: number) => Uint32Array.from({ length: count }, (_, i) => i)
const columnsOf = (count: number, features: number, seed: number) => {
  const random = randomOf(seed)
  return Array.from({ length: features }, () => Float64Array.from({ length: count }, random))
}

it('the first split of a tree leaves the least squared error that any split leaves', () => {
  const cell = fc.integer({ min: 0, max: 12 })
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell, fc.integer({ min: 0, max: 5 })), { minLength: 2, maxLength: 60 }), (rows) => {
      const columns = [0, 1].map((k) => Float64Array.from(rows, (row) => row[k]!))
      const target = Float64Array.from(rows, (row) => row[2])
      const error = (of: number[]) => of.reduce((sum, value) => sum + (value - of.reduce((a, b) => a + b, 0) / of.length) ** 2, 0)
      const split = (k: number, at: number) => {
        const [left, right] = [true, false].map((isLeft) => rows.filter((row) => row[k]! <= at === isLeft).map((row) => row[2]))
        return left!.length && right!.length ? error(left!) + error(right!) : Number.POSITIVE_INFINITY
      }
      const best = Math.min(error([...target]), ...[0, 1].flatMap((k) => Array.from({ length: 13 }, (_, at) => split(k, at))))
      const tree = growTree(binned(columns), target, rowsOf(rows.length), { maxDepth: 1, leastRows: 1 })
      const left = tree.split ? split(tree.split.feature, tree.split.threshold) : error([...target])
      expect(left).toBeCloseTo(best, 6)
    }),
  )
})

it('a tree with more values than bins sends each row to one leaf, and its leaves hold all rows', () => {
  const columns = columnsOf(5000, 3, 7)
  const target = Float64Array.from(columns[0]!, (value) => Number(value > 0.3))
  const bins = binned(columns)
  const tree = growTree(bins, target, rowsOf(5000), { maxDepth: 3, leastRows: 5 })
  expect(tree.split!.threshold).toBeCloseTo(0.3, 2)
  const wrong = rowsOf(5000).filter((row) => Math.round(leafValue(tree, bins, row)) !== target[row]).length
  expect(wrong).toBeLessThan(50)
})

it('of 10a + 3b + 0c, a explains most, and c nothing', () => {
  const [a, b, c] = columnsOf(2000, 3, 42) as [Float64Array, Float64Array, Float64Array]
  const target = a.map((value, i) => 10 * value + 3 * b[i]!)
  const found = importanceOf([a, b, c], target, 1)
  expect(found.reduce((sum, { importance }) => sum + importance, 0)).toBeCloseTo(1, 9)
  expect(found[0]!.importance).toBeGreaterThan(0.85)
  expect(found[1]!.importance).toBeGreaterThan(0.03)
  expect(found[2]!.importance).toBeLessThan(0.01)
  expect(found.every(({ importance, low, high }) => low <= importance && importance <= high)).toBe(true)
  expect(importanceOf([a, b, c], target, 1)).toEqual(found)
})

it('a forest is tried on rows that it has not seen, and noise is told no better than by saying what is more frequent', () => {
  const columns = columnsOf(2000, 2, 3)
  const rule = Float64Array.from(columns[0]!, (value, i) => Number(value + columns[1]![i]! > 1))
  const known = trialOf(columns, rule, { split: 0.8, seed: 1 })
  expect(known.flat().reduce((a, b) => a + b, 0)).toBe(400)
  expect(scoresOf(known).accuracy).toBeGreaterThan(0.9)
  const [noise] = columnsOf(2000, 1, 99) as [Float64Array]
  const guessed = scoresOf(
    trialOf(
      columns,
      noise.map((value) => Number(value > 0.5)),
      { split: 0.8, seed: 1 },
    ),
  )
  expect(guessed.accuracy! - guessed.naive!).toBeLessThan(0.05)
})

it('scores are null where nothing was said or nothing happened', () => {
  expect(
    scoresOf([
      [5, 0],
      [0, 0],
    ]),
  ).toEqual({ accuracy: 1, precision: null, recall: null, f1: null, naive: 1 })
  expect(
    scoresOf([
      [50, 10],
      [5, 35],
    ]),
  ).toMatchObject({ accuracy: 0.85, precision: 35 / 45, recall: 35 / 40 })
})

it('rules have the support, confidence and lift that counting gives, and all that reach the limits are there', () => {
  const hours = 70
  fc.assert(
    fc.property(fc.array(fc.array(fc.boolean(), { minLength: hours, maxLength: hours }), { minLength: 2, maxLength: 5 }), (table) => {
      const items: Item[] = table.map((values, i) => ({ key: String(i), of: String(i), hours: bitsOf(values) }))
      const found = rulesOf(items, hours, { support: 0.1, confidence: 0.6 })
      const count = (of: readonly string[]) =>
        Array.from({ length: hours }, (_, h) => of.every((key) => table[Number(key)]![h])).filter(Boolean).length
      const subsets = Array.from({ length: 2 ** table.length }, (_, mask) =>
        table
          .map((_, i) => i)
          .filter((i) => mask & (1 << i))
          .map(String),
      )
      const expected = subsets
        .filter((set) => set.length > 1 && set.length <= 4 && count(set) >= 0.1 * hours)
        .flatMap((set) => set.map((then) => ({ premises: set.filter((one) => one !== then), conclusion: then })))
        .filter((rule) => {
          const all = count([...rule.premises, rule.conclusion])
          return all >= 0.6 * count(rule.premises) && all * hours > count(rule.premises) * count([rule.conclusion])
        })
      expect(found.length).toBe(Math.min(100, expected.length))
      for (const rule of found) {
        const all = count([...rule.premises, ...rule.conclusion])
        expect(rule.support).toBeCloseTo(all / hours, 9)
        expect(rule.confidence).toBeCloseTo(all / count(rule.premises), 9)
        expect(rule.lift).toBeCloseTo((all * hours) / (count(rule.premises) * count(rule.conclusion)), 9)
      }
    }),
    { numRuns: 60 },
  )
})

it('low and high of one value make no rule with each other', () => {
  const hours = bitsOf(Array.from({ length: 64 }, () => true))
  const items = [
    { key: 'e1.low', of: 'e1', hours },
    { key: 'e1.high', of: 'e1', hours },
  ]
  expect(rulesOf(items, 64, { support: 0.1, confidence: 0.1 })).toEqual([])
})

it('a histogram counts every value once, the highest in the last bin', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 1, maxLength: 200 }), (list) => {
      const found = histogramOf(Float64Array.from(list))
      expect(found.counts.reduce((a, b) => a + b, 0)).toBe(list.length)
      expect(found.edges).toHaveLength(found.counts.length + 1)
      expect(found.p5).toBeLessThanOrEqual(found.p50)
      expect(found.p50).toBeLessThanOrEqual(found.p95)
    }),
  )
  expect(histogramOf(Float64Array.from([5, 5, 5]))).toMatchObject({ edges: [5, 5], counts: [3], mean: 5, std: 0 })
  expect(
    histogramOf(
      Float64Array.from({ length: 100 }, (_, i) => i),
      10,
    ),
  ).toMatchObject({ counts: Array(10).fill(10), mean: 49.5 })
})
