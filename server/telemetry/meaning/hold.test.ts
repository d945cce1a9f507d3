import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFold, type Expected, emptyPart, joinPart, type Limits, type Part, type Readings } from './hold.ts'

type Reading = { time: number; value: number | null; quality: number }
const columns = (rows: readonly Reading[]): Readings => ({
  time: rows.map((r) => r.time),
  value: rows.map((r) => r.value),
  quality: rows.map((r) => r.quality),
})

/** For every millisecond: the reading that holds, and its value. */
const slow = (rows: readonly Reading[], edges: readonly number[], expected: Expected, { low, high }: Limits, now: number) =>
  edges.slice(0, -1).map((start, i) => {
    const end = edges[i + 1]!
    const sum = { integral: 0, heldMs: 0, goodMs: 0, onMs: 0, offMs: 0, lowMs: 0, highMs: 0, longestOnMs: 0 }
    let on = 0
    for (let at = start; at < end; at++) {
      const last = rows.findLast((r) => r.time <= at)
      const interval = last && expected.find((e) => last.time < e.until)!.ms
      const held = last && last.value !== null && at < last.time + 3 * interval! && at < now ? last : undefined
      on = held?.value ? on + 1 : 0
      sum.longestOnMs = Math.max(sum.longestOnMs, on)
      if (!held) continue
      sum.integral += held.value!
      sum.heldMs++
      if (held.quality === 0) sum.goodMs++
      if (held.value) sum.onMs++
      else sum.offMs++
      if (low !== null && held.value! < low) sum.lowMs++
      else if (high !== null && held.value! > high) sum.highMs++
    }
    const inside = rows.filter((r) => r.time >= start && r.time < end)
    const values = inside.flatMap((r) => (r.value === null ? [] : [{ time: r.time, value: r.value }]))
    const isOut = (v: number) => (low !== null && v < low) || (high !== null && v > high)
    const before = (time: number) => rows.findLast((r) => r.time < time && r.value !== null)?.value
    const changes = values.filter((r) => before(r.time) !== undefined && !before(r.time) !== !r.value)
    const mean = values.reduce((s, r) => s + r.value, 0) / values.length
    return {
      ...sum,
      count: values.length,
      bad: inside.length - values.length,
      min: values.length ? Math.min(...values.map((r) => r.value)) : null,
      maxAt: values.find((r) => r.value === Math.max(...values.map((v) => v.value)))?.time ?? null,
      lastAt: values.at(-1)?.time ?? null,
      switchings: changes.length,
      firstChange: changes[0]?.time ?? null,
      lastChange: changes.at(-1)?.time ?? null,
      excursions: values.filter((r) => isOut(r.value) && !(before(r.time) !== undefined && isOut(before(r.time)!))).length,
      deviation: values.length ? Math.sqrt(values.reduce((s, r) => s + (r.value - mean) ** 2, 0) / values.length) : 0,
    }
  })

const shown = (part: Part, like: object) => {
  const all: Record<string, unknown> = { ...part, deviation: part.count ? Math.sqrt(part.squares / part.count) : 0 }
  return Object.fromEntries(Object.keys(like).map((name) => [name, all[name]]))
}

const readings = fc
  .uniqueArray(
    fc.record({
      time: fc.integer({ min: -60, max: 220 }),
      value: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: -3, max: 3 }) }, { weight: 1, arbitrary: fc.constant(null) }),
      quality: fc.constantFrom(0, 0, 1),
    }),
    { selector: (r) => r.time, maxLength: 40 },
  )
  .map((rows) => rows.sort((a, b) => a.time - b.time).map((r) => (r.value === null ? { ...r, quality: 2 } : r)))
const edgesOf = fc.uniqueArray(fc.integer({ min: 0, max: 200 }), { minLength: 2, maxLength: 6 }).map((edges) => edges.sort((a, b) => a - b))
const expectedOf = fc.tuple(fc.integer({ min: -50, max: 150 }), fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 })).map(
  ([until, before, after]): Expected => [
    { until, ms: before },
    { until: Number.POSITIVE_INFINITY, ms: after },
  ],
)

test('any readings, gaps and changes of the interval give what every millisecond by itself gives', () => {
  fc.assert(
    fc.property(
      readings,
      edgesOf,
      expectedOf,
      fc.integer({ min: 50, max: 260 }),
      fc.integer({ min: 0, max: 5 }),
      (rows, edges, expected, now, cut) => {
        const limits = { low: -2, high: cut > 2 ? null : 1 }
        const past = rows.filter((r) => r.time < now)
        const fold = createFold(edges, expected, limits)
        // In pieces, as a store gives them.
        fold.take(columns(past.slice(0, cut)))
        fold.take(columns(past.slice(cut)))
        fold.end(now)
        const oracle = slow(past, edges, expected, limits, now)
        for (const [i, part] of fold.parts.entries()) {
          const { deviation, ...exact } = oracle[i]!
          expect(shown(part, exact)).toEqual(exact)
          expect(shown(part, { deviation }).deviation).toBeCloseTo(deviation, 9)
        }
      },
    ),
    { numRuns: 300 },
  )
})

test('parts that are joined say the same as the whole', () => {
  fc.assert(
    fc.property(readings, edgesOf, expectedOf, (rows, edges, expected) => {
      const foldOver = (over: readonly number[]) => {
        const fold = createFold(over, expected, { low: -1, high: 1 })
        fold.take(columns(rows))
        fold.end(1000)
        return fold.parts
      }
      const joined = emptyPart(edges[0]!, edges[0]!)
      for (const part of foldOver(edges)) joinPart(joined, part)
      const [whole] = foldOver([edges[0]!, edges.at(-1)!])
      const { squares, mean, longestOnMs: _, ...exact } = whole!
      expect(shown(joined, exact)).toEqual(exact)
      expect(joined.squares).toBeCloseTo(squares, 9)
      expect(joined.mean).toBeCloseTo(mean, 9)
    }),
  )
})
