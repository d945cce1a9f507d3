// Readings of many points in the order of time, page by page, each found by the last reading of the page before.
import { day, quarter, type Store } from '../store/store.ts'

type Source = Pick<Store, 'buckets' | 'columns'>
export type PageRow = { point: number; time: number; value: number | null; quality: number }
/** The last reading of the page before. */
export type After = { time: number; point: number }
type Asked = { ids: readonly number[]; start: number; end: number; after?: After | undefined; size: number }

const second = 1000
const oldest = Date.UTC(2000, 0, 1)
/** Readings that are looked at to find a page. */
const fine = 20_000

/** The end of the first buckets that hold `rows` readings together, and how many they hold. */
const reach = async (store: Source, ids: readonly number[], start: number, end: number, ms: number, rows: number) => {
  const sums = new Map<number, number>()
  for (const counted of await store.buckets(ids, start, end, { ms, origin: Math.floor(start / ms) * ms }))
    for (const [i, time] of counted.time.entries()) sums.set(time, (sums.get(time) ?? 0) + counted.rows[i]!)
  let [sum, from] = [0, end]
  for (const [time, n] of [...sums].sort(([a], [b]) => a - b)) {
    if (!sum) from = Math.max(start, time)
    sum += n
    if (sum > rows) return { from, end: Math.min(end, time + ms), rows: sum }
  }
  return { from, end, rows: sum }
}

/** How far the days are counted at once; a year of one point is no more than one look. */
const daysAtOnce = 366

/** A page, and whether readings follow. */
export const pageOf = async (
  store: Source,
  { ids, start, end, after, size }: Asked,
  now: number,
): Promise<{ rows: PageRow[]; more: boolean }> => {
  let begin = Math.max(oldest, after?.time ?? start)
  const last = Math.min(end, now + 2 * day)
  // The first readings of the page are those of the moment of the last one.
  const wanted = size + ids.length
  while (begin < last) {
    const far = Math.min(last, begin + daysAtOnce * day)
    const days = await reach(store, ids, begin, far, day, wanted)
    if (days.rows) {
      let near = days
      for (const ms of [quarter, second]) if (near.rows > fine) near = await reach(store, ids, near.from, near.end, ms, wanted)
      const found = (await store.columns(ids, near.from, near.end)).flatMap(({ point, time, value, quality }) =>
        time.map((at, i): PageRow => ({ point, time: at, value: value[i]!, quality: quality[i]! })),
      )
      const rows = found
        .filter((row) => !after || row.time > after.time || (row.time === after.time && row.point > after.point))
        .sort((a, b) => a.time - b.time || a.point - b.point)
      if (rows.length) return { rows: rows.slice(0, size), more: rows.length > size || near.end < last }
      begin = near.end
    } else begin = far
  }
  return { rows: [], more: false }
}
