// Folding many readings of one point does not block the event loop.
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Buckets, PointReadings, RunLengths } from '../store/store.ts'
import { CalDataType, createStatistics, type Meaning } from './statistics.ts'

const count = 900_000
const start = Date.UTC(2026, 0, 1)
const end = start + count * 1000
const [switching, counting] = [1, 2]

/** A switch that changes every second, and a counter that falls every hundred seconds; in memory, so that nothing but folding takes turns. */
const readingOf = (point: number, i: number) => (point === switching ? i % 2 : i % 100)
const time = Array.from({ length: count }, (_, i) => start + i * 1000)
const indexOf = (at: number) => Math.min(count, Math.max(0, Math.ceil((at - start) / 1000)))
const readingsIn = (point: number, from: number, to: number): PointReadings => {
  const own = time.slice(indexOf(from), indexOf(to))
  return { point, time: own, value: own.map((_, i) => readingOf(point, indexOf(from) + i)), quality: own.map(() => 0) }
}
const bucketsIn = (point: number, from: number, to: number, { ms, origin: since }: { ms: number; origin: number }): Buckets => {
  const of: Buckets = { point, time: [], min: [], max: [], avg: [], first: [], last: [], count: [], rows: [] }
  for (let at = since; at < to; at += ms) {
    const [a, b] = [indexOf(Math.max(at, from)), indexOf(Math.min(at + ms, to))]
    if (a === b) continue
    const values = Array.from({ length: b - a }, (_, i) => readingOf(point, a + i))
    of.time.push(at)
    of.min.push(Math.min(...values))
    of.max.push(Math.max(...values))
    of.avg.push(0)
    of.first.push(values[0]!)
    of.last.push(values.at(-1)!)
    of.count.push(b - a)
    of.rows.push(b - a)
  }
  return of
}
const store = {
  columns: async (ids: readonly number[], from: number, to: number) => ids.map((id) => readingsIn(id, from, to)),
  buckets: async (ids: readonly number[], from: number, to: number, by: { ms: number; origin: number }) =>
    ids.map((id) => bucketsIn(id, from, to, by)),
  runLengths: async (points: readonly { point: number }[], from: number, to: number): Promise<RunLengths[]> =>
    points.map(({ point }) => {
      const { time, value, quality } = readingsIn(point, from, to)
      return { point, first: time, last: time, value, quality, rows: time.map(() => 1) }
    }),
}
const meaning = (id: number, type: Meaning['type']) =>
  ({
    ...{ id, type, limits: { low: null, high: null }, expected: [{ until: Number.POSITIVE_INFINITY, ms: 1000 }] },
    counter: { maxReading: null, hourlyHigh: null, tolerance: 0, answers: new Map() },
  }) as unknown as Meaning

const turnsOf = async (work: () => Promise<unknown>) => {
  let [turns, isOver] = [0, false]
  const others = (async () => {
    while (!isOver) {
      await setImmediate()
      turns++
    }
  })()
  await work()
  isOver = true
  await others
  return turns
}
const statistics = createStatistics({ store: store as never, clock: () => end })

it.each([
  ['a switch', () => Array.fromAsync(statistics.runs([meaning(switching, CalDataType.state)], [start, end], 1e7))],
  ['a counter', () => statistics.curves([meaning(counting, CalDataType.counter)], [start, end])],
])('others have their turns while 900,000 readings of %s are folded', async (_, work) => {
  expect(await turnsOf(work)).toBeGreaterThan(8)
})
