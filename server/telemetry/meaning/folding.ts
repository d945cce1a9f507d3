// Reads points from the store and folds their readings, in pieces that fit into memory.
import { inSlices, ownTurn } from '../../jobs/ownTurn.ts'
import { type Buckets, day, quarter, type RunLengths, type Store } from '../store/store.ts'
import { createFold, type Expected, heldIntervals, type Part, type Run } from './hold.ts'
import type { Meaning } from './statistics.ts'

/** Where readings come from; what is worked out has no stretches, and no equal neighbours as one. */
export type Source = Pick<Store, 'buckets' | 'columns'> & Partial<Pick<Store, 'stretches' | 'runLengths' | 'heldTimes'>>
const oldest = Date.UTC(2000, 0, 1)
/** Batch sizes: readings, readings of states, and stretches of other values. */
export const [atOnce, statesAtOnce, stretchesAtOnce] = [400_000, 1_000_000, 100_000]

/** Readings of each point by the UTC days of a range. */
export const rowsByDay = async (store: Source, ids: readonly number[], start: number, end: number) => {
  const origin = Math.floor(start / day) * day
  if (end <= start || !ids.length) return new Map<number, Buckets>()
  return new Map((await store.buckets(ids, start, end, { ms: day, origin })).map((of) => [of.point, of]))
}

type Counted = Pick<Buckets, 'time' | 'rows'>
/** Pieces of a range that each hold about as many readings as fit, cut where buckets begin. */
export const piecesOf = ({ time, rows }: Counted, start: number, end: number, most = atOnce) => {
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

const rowsFrom = (days: Counted | undefined, begin: number) =>
  days?.rows.reduce((sum, rows, i) => (days.time[i]! + day > begin ? sum + rows : sum), 0) ?? 0
const longestHold = (expected: Expected) => heldIntervals * Math.max(...expected.map(({ ms }) => ms))
const shortestHold = (expected: Expected) => heldIntervals * Math.min(...expected.map(({ ms }) => ms))

export type Hearing = (id: number) => (run: Run) => void
/** What is known of a state without each of its readings. */
export type StatePart = Omit<Part, 'count' | 'uncertain' | 'bad' | 'sum' | 'amount' | 'mean' | 'squares' | Moment>
type Moment = 'min' | 'minAt' | 'max' | 'maxAt' | 'first' | 'firstAt' | 'last' | 'lastAt'
/** Readings in the whole range without a value, and uncertain ones. */
export type States = { point: Meaning; parts: StatePart[]; bad: number; uncertain: number }

const statesOf = (point: Meaning, parts: Part[]): States => ({
  ...{ point, parts },
  ...{ bad: parts.reduce((sum, part) => sum + part.bad, 0), uncertain: parts.reduce((sum, part) => sum + part.uncertain, 0) },
})
const countedOf = (of: RunLengths | undefined, start: number) => {
  let [bad, uncertain] = [0, 0]
  for (const [i, rows] of (of?.rows ?? []).entries()) {
    if (of!.first[i]! < start) continue
    if (of!.value[i] === null) bad += rows
    else if (of!.quality[i] === 1) uncertain += rows
  }
  return { bad, uncertain }
}

export const createFolding = (store: Source, clock: () => number) => {
  /** Calls `take` with the readings of a range and the last one before it, in pieces that fit into memory. */
  const walk = async (
    id: number,
    { earliest, start, end }: { earliest: number; start: number; end: number },
    take: (readings: Awaited<ReturnType<Source['columns']>>[number], from: number, to: number) => void,
  ) => {
    const days = (await rowsByDay(store, [id], earliest, end)).get(id)
    if (!days) return
    const begin = await beginOf(store, id, days, earliest, start)
    const kept = days.time.flatMap((at, i) => (at + day > begin ? [i] : []))
    const counted = await finely(store, id, { time: kept.map((i) => days.time[i]!), rows: kept.map((i) => days.rows[i]!) })
    const inRange = counted.time.flatMap((at, i) => (at + quarter > begin ? [i] : []))
    const of = { time: inRange.map((i) => counted.time[i]!), rows: inRange.map((i) => counted.rows[i]!) }
    for (const piece of piecesOf(of, begin, end)) {
      for (const readings of await store.columns([id], piece.start, piece.end))
        await inSlices(readings.time.length, (from, to) => take(readings, from, to))
      await ownTurn()
    }
  }
  /** Points in a row whose readings, with those of before the range, fit into memory together. */
  const batchesOf = async (points: readonly Meaning[], [start, end]: readonly [number, number], most = atOnce) => {
    const earliest = (of: readonly Meaning[]) => Math.max(oldest, start - Math.max(0, ...of.map(({ expected }) => longestHold(expected))))
    const ids = points.map(({ id }) => id)
    const days = await rowsByDay(store, ids, earliest(points), end)
    const batches: { points: Meaning[]; begin: number; rows: number }[] = []
    for (const point of points) {
      const last = batches.at(-1)
      const join = (of: Meaning[]) => {
        const begin = earliest(of)
        return { points: of, begin, rows: of.reduce((sum, { id }) => sum + rowsFrom(days.get(id), begin), 0) }
      }
      const more = last && join([...last.points, point])
      if (more && more.rows <= most) batches[batches.length - 1] = more
      else batches.push(join([point]))
    }
    return batches
  }
  const foldOf = async ({ id, expected, limits }: Meaning, edges: readonly number[], hear?: (run: Run) => void) => {
    const fold = createFold(edges, expected, limits, hear)
    const [start, end] = [edges[0]!, edges.at(-1)!]
    await walk(id, { earliest: Math.max(oldest, start - longestHold(expected)), start, end }, fold.take)
    fold.end(Math.min(end, clock()))
    return fold.parts
  }
  /**
   * The parts of points, in their order. A question for each point costs more than what it answers, so as many as fit into memory are read
   * together.
   */
  async function* foldEach(points: readonly Meaning[], edges: readonly number[], hearOf?: Hearing) {
    const [start, end] = [edges[0]!, edges.at(-1)!]
    for (const batch of points.length ? await batchesOf(points, [start, end]) : []) {
      if (batch.rows > atOnce) {
        const [point] = batch.points as [Meaning]
        yield [point, await foldOf(point, edges, hearOf?.(point.id))] as const
        continue
      }
      const ids = batch.points.map(({ id }) => id)
      const readings = new Map((await store.columns(ids, batch.begin, end)).map((of) => [of.point, of]))
      for (const point of batch.points) {
        const fold = createFold(edges, point.expected, point.limits, hearOf?.(point.id))
        const own = readings.get(point.id)
        if (own) await inSlices(own.time.length, (from, to) => fold.take(own, from, to))
        fold.end(Math.min(end, clock()))
        yield [point, fold.parts] as const
      }
      await ownTurn()
    }
  }
  /** For how long values held, point by point: the store joins equal neighbours, where it can. */
  async function* foldStates(points: readonly Meaning[], edges: readonly number[], hearOf: Hearing): AsyncGenerator<States> {
    const [start, end] = [edges[0]!, edges.at(-1)!]
    const most = points.every(({ type }) => type === 3) ? statesAtOnce : stretchesAtOnce
    const { runLengths } = store
    for (const batch of runLengths && points.length ? await batchesOf(points, [start, end], most) : []) {
      if (batch.rows > most) {
        const [point] = batch.points as [Meaning]
        yield statesOf(point, await foldOf(point, edges, hearOf(point.id)))
        continue
      }
      const asked = batch.points.map(({ id, expected }) => ({ point: id, ms: shortestHold(expected) }))
      const found = new Map((await runLengths!(asked, batch.begin, end, start)).map((of) => [of.point, of]))
      for (const point of batch.points) {
        const fold = createFold(edges, point.expected, point.limits, hearOf(point.id))
        const own = found.get(point.id)
        if (own) await inSlices(own.first.length, (from, to) => fold.takeRuns(own, from, to))
        fold.end(Math.min(end, clock()))
        yield { point, parts: fold.parts, ...countedOf(own, start) }
      }
      await ownTurn()
    }
    if (!runLengths) for await (const [point, parts] of foldEach(points, edges, hearOf)) yield statesOf(point, parts)
  }
  return { foldOf, foldEach, foldStates }
}
