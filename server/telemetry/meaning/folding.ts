// Reads points from the store and folds their readings, in pieces that fit into memory.
import { type Buckets, day, type Store } from '../store/store.ts'
import { createFold, type Expected, heldIntervals, type Part, type Run } from './hold.ts'
import type { Meaning } from './statistics.ts'

export type Source = Pick<Store, 'buckets' | 'columns'>
const oldest = Date.UTC(2000, 0, 1)
/** Readings that are in memory at a time. */
export const atOnce = 400_000

/** Readings of each point by the UTC days of a range. */
export const rowsByDay = async (store: Source, ids: readonly number[], start: number, end: number) => {
  const origin = Math.floor(start / day) * day
  if (end <= start || !ids.length) return new Map<number, Buckets>()
  return new Map((await store.buckets(ids, start, end, { ms: day, origin })).map((of) => [of.point, of]))
}

/** Pieces of a range that each hold about as many readings as fit, whole UTC days. */
const piecesOf = ({ time, rows }: Pick<Buckets, 'time' | 'rows'>, start: number, end: number, most = atOnce) => {
  const cuts: number[] = []
  let sum = 0
  for (const [i, at] of time.entries()) {
    if (sum && sum + rows[i]! > most) {
      cuts.push(Math.max(start, at))
      sum = 0
    }
    sum += rows[i]!
  }
  const all = [start, ...cuts, end]
  return all.slice(0, -1).map((from, i) => ({ start: from, end: all[i + 1]! }))
}

const longestHold = (expected: Expected) => heldIntervals * Math.max(...expected.map(({ ms }) => ms))

export const createFolding = (store: Source, clock: () => number) => {
  /** Calls `take` with the readings of a range in pieces that fit into memory. */
  const walk = async (id: number, start: number, end: number, take: (readings: Awaited<ReturnType<Source['columns']>>[number]) => void) => {
    const rows = (await rowsByDay(store, [id], start, end)).get(id)
    if (!rows) return
    for (const piece of piecesOf(rows, start, end)) for (const readings of await store.columns([id], piece.start, piece.end)) take(readings)
  }
  /** The parts of points that have few readings, which are read together. */
  const foldTogether = async (
    points: readonly Meaning[],
    edges: readonly number[],
    hearOf?: (id: number) => (run: Run) => void,
  ): Promise<Map<number, Part[]>> => {
    if (!points.length) return new Map()
    const [start, end] = [edges[0]!, edges.at(-1)!]
    const begin = start - Math.max(0, ...points.map(({ expected }) => longestHold(expected)))
    const ids = points.map(({ id }) => id)
    const readings = new Map((await store.columns(ids, Math.max(oldest, begin), end)).map((of) => [of.point, of]))
    return new Map(
      points.map(({ id, expected, limits }) => {
        const fold = createFold(edges, expected, limits, hearOf?.(id))
        const own = readings.get(id)
        if (own) fold.take(own)
        fold.end(Math.min(end, clock()))
        return [id, fold.parts]
      }),
    )
  }
  const foldOf = async ({ id, expected, limits }: Meaning, edges: readonly number[], hear?: (run: Run) => void) => {
    const fold = createFold(edges, expected, limits, hear)
    const [start, end] = [edges[0]!, edges.at(-1)!]
    await walk(id, Math.max(oldest, start - longestHold(expected)), end, fold.take)
    fold.end(Math.min(end, clock()))
    return fold.parts
  }
  return { foldOf, foldTogether }
}
