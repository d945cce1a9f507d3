// Cuts a range into pieces of about as many readings as fit into memory, in the order of time.
import { day, minute, type Store } from '../../../../server/telemetry/store/store.ts'

/** Packed readings for another thread. */
export type Source = Pick<Store['aside'], 'packed' | 'buckets'>
export type Piece = { start: number; end: number; rows: number }

/** No reading is older. */
export const oldest = Date.UTC(2000, 0, 1)
/** Days per count query. */
const daysAtOnce = 366

/** Readings of all points together by buckets of `ms`, those that hold some, in order. */
const countsOf = async (source: Source, ids: readonly number[], start: number, end: number, ms: number) => {
  const sums = new Map<number, number>()
  for (const { time, rows } of await source.buckets(ids, start, end, { ms, origin: Math.floor(start / ms) * ms }))
    for (const [i, at] of time.entries()) sums.set(at, (sums.get(at) ?? 0) + rows[i]!)
  return [...sums].sort(([a], [b]) => a - b)
}

/** Readings of each UTC day of a range. */
export const countDays = async (source: Source, ids: readonly number[], start: number, end: number) => {
  const days: [number, number][] = []
  for (let at = Math.max(oldest, start); at < end; ) {
    const next = Math.min(end, Math.floor(at / day) * day + daysAtOnce * day)
    days.push(...(await countsOf(source, ids, at, next, day)))
    at = next
  }
  return days
}

const grouped = (
  counts: readonly (readonly [number, number])[],
  ms: number,
  { start, end }: { start: number; end: number },
  most: number,
) => {
  const pieces: Piece[] = []
  for (const [time, rows] of counts) {
    const last = pieces.at(-1)
    const until = Math.min(end, time + ms)
    if (last && last.rows + rows <= most) {
      last.end = until
      last.rows += rows
    } else pieces.push({ start: Math.max(start, time), end: until, rows })
  }
  return pieces
}

/** The pieces of counted days; a day of too many readings is cut by minutes. */
export async function* piecesOf(
  source: Source,
  ids: readonly number[],
  days: readonly (readonly [number, number])[],
  range: { start: number; end: number },
  most: number,
): AsyncGenerator<Piece> {
  for (const piece of grouped(days, day, range, most)) {
    if (piece.rows <= most) yield piece
    else {
      const { start, end } = piece
      yield* grouped(await countsOf(source, ids, start, end, minute), minute, piece, most)
    }
  }
}
