// For how long a point had each of its values: what distributions are made of.
import { ownTurn, pausing } from '../../jobs/ownTurn.ts'
import type { PackedReadings, Store } from './store.ts'
import type { Holding } from './stretches.ts'

/** Ascending values, and for how many ms each of them held. */
export type Times = { value: Float64Array; ms: Float64Array }
/** `parts`: those between the edges of a range. */
export type HeldTimes = { point: number; parts: Times[] }

export const noTimes: Times = { value: new Float64Array(), ms: new Float64Array() }

/** Both together. */
const joined = (a: Times, b: Times): Times => {
  if (!a.value.length || !b.value.length) return a.value.length ? a : b
  const length = a.value.length + b.value.length
  const [value, ms] = [new Float64Array(length), new Float64Array(length)]
  let [i, k, n] = [0, 0, 0]
  while (i < a.value.length || k < b.value.length) {
    const [x, y] = [a.value[i] ?? Number.POSITIVE_INFINITY, b.value[k] ?? Number.POSITIVE_INFINITY]
    value[n] = Math.min(x, y)
    if (x <= y) ms[n]! += a.ms[i++]!
    if (y <= x) ms[n]! += b.ms[k++]!
    n++
  }
  return { value: value.slice(0, n), ms: ms.slice(0, n) }
}

/** All of them together. Halves are joined, so that no entry is looked at more often than there are halves. */
export const allTimes = async (parts: readonly Times[]): Promise<Times> => {
  if (parts.length < 2) return parts[0] ?? noTimes
  const half = parts.length >> 1
  const [a, b] = [await allTimes(parts.slice(0, half)), await allTimes(parts.slice(half))]
  if (a.value.length + b.value.length > 10_000) await ownTurn()
  return joined(a, b)
}

/** Consecutive pieces of a range, `parts` of it each: a part that is cut has some of its time in both. */
export const joinTimes = async (count: number, pieces: readonly { first: number; times: readonly HeldTimes[] }[]): Promise<HeldTimes[]> => {
  const found = new Map<number, Times[][]>()
  for (const { first, times } of pieces)
    for (const { point, parts } of times) {
      const of = found.get(point) ?? Array.from({ length: count }, (): Times[] => [])
      for (const [i, part] of parts.entries()) if (part.value.length) of[first + i]!.push(part)
      found.set(point, of)
    }
  const answer: HeldTimes[] = []
  for (const [point, of] of [...found].sort(([a], [b]) => a - b)) {
    const parts: Times[] = []
    for (const some of of) parts.push(await allTimes(some))
    answer.push({ point, parts })
  }
  return answer
}

/** Index of the part that holds a moment. */
const partAt = (edges: readonly number[], time: number) => {
  let [low, high] = [0, edges.length - 2]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (edges[middle]! <= time) low = middle
    else high = middle - 1
  }
  return low
}

/** A piece of a range from one moment to another: its own edges, and which part of the range is its first. */
export const pieceOf = (edges: readonly number[], from: number, to: number) => {
  const [start, end] = [Math.max(from, edges[0]!), Math.min(to, edges.at(-1)!)]
  return { first: partAt(edges, start), edges: [start, ...edges.filter((edge) => edge > start && edge < end), end] }
}

/** Readings between two looks at the clock. */
const together = 4096

/** Of readings, the first of them from before the range. */
const timesOfReadings = async (
  { time, value }: Pick<PackedReadings, 'time' | 'value'>,
  most: Holding['most'],
  edges: readonly number[],
  until: number,
): Promise<Times[]> => {
  const parts: Times[] = []
  let held = new Map<number, number>()
  const close = () => {
    const values = Float64Array.from(held.keys()).sort()
    parts.push(values.length ? { value: values, ms: values.map((one) => held.get(one)!) } : noTimes)
    held = new Map()
  }
  let inForce = 0
  const pause = pausing()
  const take = (i: number) => {
    const at = time[i]!
    while (most[inForce]!.until <= at) inForce++
    const next = i + 1 < time.length ? time[i + 1]! : until
    const end = Math.min(next, at + most[inForce]!.ms, edges.at(-1)!)
    for (let from = Math.max(at, edges[0]!); from < end; ) {
      while (edges[parts.length + 1]! <= from) close()
      const cut = Math.min(end, edges[parts.length + 1]!)
      held.set(value[i]!, (held.get(value[i]!) ?? 0) + cut - from)
      from = cut
    }
  }
  for (let i = 0; i < time.length; i++) {
    if (!Number.isNaN(value[i]!)) take(i)
    if (i % together === together - 1) await pause()
  }
  while (parts.length < edges.length - 1) close()
  return parts
}

/** The same of a source that only has readings. */
export const heldTimesBy =
  (packed: Store['aside']['packed']): Store['heldTimes'] =>
  async (points, edges, until) => {
    if (!points.length || edges.at(-1)! <= edges[0]!) return []
    const longest = Math.max(...points.flatMap(({ most }) => most.map(({ ms }) => ms)))
    const byPoint = new Map(points.map((point) => [point.point, point]))
    const answer: HeldTimes[] = []
    for (const readings of await packed([...byPoint.keys()], Math.max(0, edges[0]! - longest), edges.at(-1)!)) {
      const parts = await timesOfReadings(readings, byPoint.get(readings.point)!.most, edges, until)
      if (parts.some(({ value }) => value.length)) answer.push({ point: readings.point, parts })
    }
    return answer
  }
