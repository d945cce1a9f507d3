// Reads points from the store and folds their readings, in pieces that fit into memory.
import { ownTurn } from '../../jobs/ownTurn.ts'
import { type Buckets, day, quarter, type Store } from '../store/store.ts'
import { createFold, type Expected, heldIntervals, type Part, type Run } from './hold.ts'
import type { Meaning } from './statistics.ts'

/** Where readings come from; what is worked out has no stretches. */
export type Source = Pick<Store, 'buckets' | 'columns'> & Partial<Pick<Store, 'stretches'>>
const oldest = Date.UTC(2000, 0, 1)
/** Readings that are in memory at a time. */
export const atOnce = 400_000

/** Readings of each point by the UTC days of a range. */
export const rowsByDay = async (store: Source, ids: readonly number[], start: number, end: number) => {
  const origin = Math.floor(start / day) * day
  if (end <= start || !ids.length) return new Map<number, Buckets>()
  return new Map((await store.buckets(ids, start, end, { ms: day, origin })).map((of) => [of.point, of]))
}

type Counted = Pick<Buckets, 'time' | 'rows'>
/** Pieces of a range that each hold about as many readings as fit, cut where buckets begin. */
const piecesOf = ({ time, rows }: Counted, start: number, end: number, most = atOnce) => {
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

const quartersOf = async (store: Source, id: number, start: number, end: number): Promise<Buckets | undefined> =>
  end > start ? (await store.buckets([id], start, end, { ms: quarter, origin: Math.floor(start / quarter) * quarter }))[0] : undefined

/** Days with more readings than fit into memory are counted by quarters of an hour. */
const finely = async (store: Source, id: number, { time, rows }: Counted): Promise<Counted> => {
  const fine: { time: number[]; rows: number[] } = { time: [], rows: [] }
  for (const [i, at] of time.entries()) {
    const parts = rows[i]! > atOnce ? await quartersOf(store, id, at, at + day) : undefined
    fine.time.push(...(parts?.time ?? [at]))
    fine.rows.push(...(parts?.rows ?? [rows[i]!]))
  }
  return fine
}

/** The last bucket with a value that ends at `before` or earlier. */
const lastWith = ({ time, count }: Pick<Buckets, 'time' | 'count'>, before: number, ms: number) =>
  time[time.findLastIndex((at, i) => at + ms <= before && count[i]! > 0)]

/** Readings before a range that are read to know the last one; where there are more, it is looked for. */
const mostBefore = 20_000
/**
 * Where to begin to read for a range: with the last value before it, which may lie years back. All others before the range
 * say nothing about it.
 */
const beginOf = async (store: Source, id: number, days: Buckets, earliest: number, start: number) => {
  const today = Math.floor(start / day) * day
  const begin = Math.max(earliest, lastWith(days, today, day) ?? today)
  const before = days.rows.reduce((sum, rows, i) => (days.time[i]! + day > begin && days.time[i]! < start ? sum + rows : sum), 0)
  if (before <= mostBefore || begin >= start) return Math.min(begin, start)
  const quarters = await quartersOf(store, id, begin, start)
  const near = Math.floor(start / quarter) * quarter
  return Math.max(begin, (quarters && lastWith(quarters, near, quarter)) ?? near)
}

const longestHold = (expected: Expected) => heldIntervals * Math.max(...expected.map(({ ms }) => ms))

export const createFolding = (store: Source, clock: () => number) => {
  /** Calls `take` with the readings of a range and the last one before it, in pieces that fit into memory. */
  const walk = async (
    id: number,
    { earliest, start, end }: { earliest: number; start: number; end: number },
    take: (readings: Awaited<ReturnType<Source['columns']>>[number]) => void,
  ) => {
    const days = (await rowsByDay(store, [id], earliest, end)).get(id)
    if (!days) return
    const begin = await beginOf(store, id, days, earliest, start)
    const kept = days.time.flatMap((at, i) => (at + day > begin ? [i] : []))
    const counted = await finely(store, id, { time: kept.map((i) => days.time[i]!), rows: kept.map((i) => days.rows[i]!) })
    const inRange = counted.time.flatMap((at, i) => (at + quarter > begin ? [i] : []))
    const of = { time: inRange.map((i) => counted.time[i]!), rows: inRange.map((i) => counted.rows[i]!) }
    for (const piece of piecesOf(of, begin, end)) {
      for (const readings of await store.columns([id], piece.start, piece.end)) take(readings)
      await ownTurn()
    }
  }
  /** The parts of points that are read together; none where these have too many readings, with those of before the range. */
  const foldTogether = async (
    points: readonly Meaning[],
    edges: readonly number[],
    hearOf?: (id: number) => (run: Run) => void,
  ): Promise<Map<number, Part[]>> => {
    if (!points.length) return new Map()
    const [start, end] = [edges[0]!, edges.at(-1)!]
    const begin = start - Math.max(0, ...points.map(({ expected }) => longestHold(expected)))
    const ids = points.map(({ id }) => id)
    let rows = 0
    for (const days of (await rowsByDay(store, ids, Math.max(oldest, begin), end)).values()) for (const n of days.rows) rows += n
    if (rows > atOnce) return new Map()
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
    await walk(id, { earliest: Math.max(oldest, start - longestHold(expected)), start, end }, fold.take)
    fold.end(Math.min(end, clock()))
    return fold.parts
  }
  return { foldOf, foldTogether }
}
