import { expect, test } from 'vitest'
import { createOracle } from '../store/oracle.ts'
import { day, hour } from '../store/store.ts'
import { createFolding } from './folding.ts'
import { createFold } from './hold.ts'
import { pageOf } from './page.ts'

const t0 = Date.UTC(2026, 2, 27)
const year = 365 * day
/** A store that counts what is read from it. */
const storeWith = (rows: readonly (readonly [time: number, value: number | null])[]) => {
  const oracle = createOracle()
  oracle.append(rows.map(([time, value]) => ({ point: 1, time, value, quality: value === null ? 2 : 0, live: true })))
  const read: number[] = []
  return {
    read,
    oracle,
    store: {
      buckets: async (...asked: Parameters<typeof oracle.buckets>) => oracle.buckets(...asked),
      columns: async (...asked: Parameters<typeof oracle.columns>) => {
        const found = oracle.columns(...asked)
        read.push(found.reduce((sum, { time }) => sum + time.length, 0))
        return found
      },
    },
  }
}
const limits = { low: null, high: null }
const pointOf = (ms: number) => ({
  ...{ id: 1, type: 0, limits, expected: [{ until: Number.POSITIVE_INFINITY, ms }] },
  counter: { maxReading: null, hourlyHigh: null, tolerance: 0, answers: new Map() },
})

test('a value that holds for years costs the day that it is from, not all readings of those years', async () => {
  const busy = Array.from({ length: 30_000 }, (_, i) => [t0 - 400 * day + i * 1000, i] as const)
  const broken = [[t0 - 2 * day, null] as const, [t0 + 6 * hour, 8] as const]
  const { read, oracle, store } = storeWith([...busy, ...broken])
  const { foldOf } = createFolding(store, () => t0 + day)
  const edges = [t0, t0 + 12 * hour, t0 + day]
  const found = await foldOf(pointOf(year), edges)
  const plain = createFold(edges, pointOf(year).expected, limits)
  for (const all of oracle.columns([1], t0 - 3 * year, t0 + day)) plain.take(all)
  plain.end(t0 + day)
  expect(found).toEqual(plain.parts)
  expect(found[0]).toMatchObject({ count: 1, switchings: 0, heldMs: 6 * hour })
  expect(read.reduce((sum, n) => sum + n, 0)).toBeLessThan(2000)
})

test('points are read together as far as they fit into memory, with what lies before the range', async () => {
  const oracle = createOracle()
  const clock = () => t0 + day
  const points = [1, 2, 3, 4, 5].map((id) => ({ ...pointOf(id === 4 ? year : hour), id }))
  for (const { id } of points)
    oracle.append(
      Array.from({ length: 40 }, (_, i) => ({
        ...{ point: id, time: t0 - 2 * hour + i * 30 * 60_000 + id, value: (i * id) % 3 ? i : 0, quality: 0, live: true },
      })),
    )
  const asked: number[][] = []
  /** Of the third point there are more readings than fit. */
  const store = {
    buckets: async (...of: Parameters<typeof oracle.buckets>) =>
      oracle.buckets(...of).map((b) => ({ ...b, rows: b.rows.map((n) => (b.point === 3 ? n + 400_000 : n * 4000)) })),
    columns: async (...of: Parameters<typeof oracle.columns>) => {
      asked.push([...of[0]])
      return oracle.columns(...of)
    },
  }
  const edges = [t0, t0 + 5 * hour, t0 + day]
  const found = []
  for await (const [{ id }, parts] of createFolding(store, clock).foldEach(points, edges)) found.push([id, parts])
  const plain = points.map(({ id, expected }) => {
    const fold = createFold(edges, expected, limits)
    for (const all of oracle.columns([id], t0 - day, t0 + day)) fold.take(all)
    fold.end(clock())
    return [id, fold.parts]
  })
  expect(found).toEqual(plain)
  expect([...new Set(asked.map(String))]).toEqual(['1,2', '3', '4,5'])
})

test('a page out of thousands of readings a minute reads some seconds of them', async () => {
  const { read, store } = storeWith(Array.from({ length: 60_000 }, (_, i) => [t0 + i * 10, i] as const))
  const { rows, more } = await pageOf(store, { ids: [1], start: t0, end: t0 + day, size: 100 }, t0 + day)
  expect([rows.length, rows[99], more]).toEqual([100, { point: 1, time: t0 + 990, value: 99, quality: 0 }, true])
  expect(read).toEqual([200])
})
