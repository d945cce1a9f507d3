// For how long points had which values, over ranges of any length.
import { Fault } from '../../http/faults.ts'
import { ownTurn } from '../../jobs/ownTurn.ts'
import { packing } from '../store/columns.ts'
import { type HeldTimes, heldTimesBy, joinTimes, noTimes, pieceOf, type Times } from '../store/heldTimes.ts'
import type { Buckets } from '../store/store.ts'
import type { Holding } from '../store/stretches.ts'
import { piecesOf, type Source } from './folding.ts'
import { heldIntervals } from './hold.ts'
import type { Meaning } from './statistics.ts'

/** Readings that one question looks at, and entries of one point that fit into memory. */
const [readingsTogether, mostEntries] = [1_000_000, 1_000_000]

/** `together`: readings of one look at the store. */
type Range = { edges: readonly number[]; until: number; days: ReadonlyMap<number, Buckets>; together?: number }

const holdingOf = ({ id, expected }: Meaning): Holding => ({
  point: id,
  most: expected.map(({ until, ms }) => ({ until, ms: heldIntervals * ms })),
})
const rowsOf = (days: Buckets | undefined) => days?.rows.reduce((sum, rows) => sum + rows, 0) ?? 0

/** Points in a row with no more readings than are looked at together. */
const batchesOf = (points: readonly Meaning[], days: Range['days'], together: number) => {
  const batches: { points: Meaning[]; rows: number }[] = []
  for (const point of points) {
    const rows = rowsOf(days.get(point.id))
    const last = batches.at(-1)
    if (last && last.rows + rows <= together) {
      last.points.push(point)
      last.rows += rows
    } else batches.push({ points: [point], rows })
  }
  return batches
}

/** The times of points, in their order. */
export async function* timesOfEach(
  store: Source,
  points: readonly Meaning[],
  { edges, until, days, together = readingsTogether }: Range,
): AsyncGenerator<{ point: Meaning; parts: Times[] }> {
  const ask = store.heldTimes ?? heldTimesBy(async (...asked) => (await store.columns(...asked)).map(packing))
  const [start, end] = [edges[0]!, edges.at(-1)!]
  const count = edges.length - 1
  /** A single point with many readings, piece by piece. Nothing is cut after `until`, where only the last piece knows what is the last reading. */
  const inPieces = async (point: Meaning) => {
    const cuts = piecesOf(days.get(point.id)!, start, end, together).filter((piece) => piece.start < until)
    const pieces: { first: number; times: HeldTimes[] }[] = []
    for (const [i, { start: from }] of cuts.entries()) {
      const to = cuts[i + 1]?.start ?? end
      const { first, edges: own } = pieceOf(edges, from, to)
      pieces.push({ first, times: await ask([holdingOf(point)], own, Math.min(to, until)) })
      await ownTurn()
    }
    return joinTimes(count, pieces)
  }
  for (const { points: some, rows } of batchesOf(points, days, together)) {
    const found = rows > together ? await inPieces(some[0]!) : await ask(some.map(holdingOf), edges, until)
    const byId = new Map(found.map((of) => [of.point, of.parts]))
    for (const point of some) {
      const parts = byId.get(point.id) ?? Array<Times>(count).fill(noTimes)
      if (parts.reduce((sum, { value }) => sum + value.length, 0) > mostEntries) throw new Fault('rangeTooLong')
      yield { point, parts }
    }
    await ownTurn()
  }
}

type DaysIn = (ids: readonly number[], start: number, end: number) => Promise<Range['days']>
/** The same of points with at most `most` readings in the range. */
export const heldTimesOf = (store: Source, daysIn: DaysIn, clock: () => number) =>
  async function* (points: readonly Meaning[], edges: readonly number[], most: number) {
    const [start, end] = [edges[0]!, edges.at(-1)!]
    const ids = points.map(({ id }) => id)
    const days = await daysIn(ids, start, end)
    if (ids.reduce((sum, id) => sum + rowsOf(days.get(id)), 0) > most) throw new Fault('rangeTooLong')
    yield* timesOfEach(store, points, { edges, until: Math.min(end, clock()), days })
  }
