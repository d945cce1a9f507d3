import type { Stored } from '../../sample.ts'
import { integer } from '../key.ts'
import type { Store } from '../store.ts'
import { chunksOf, type Engine, type Entry } from './engine.ts'
import { numbersOf } from './numbers.ts'
import { filesOf, holding, settled, unsettled, where, whereOfTables } from './sql.ts'

const storedOf = (chunks: Parameters<typeof numbersOf>[0]): Stored[] => {
  const [point, time, value, quality, number] = numbersOf(chunks, 5) as number[][]
  return point!.map((id, i) => ({ point: id, time: time![i]!, value: value![i]!, quality: quality![i]!, n: number![i]! }))
}

const ever = [0, Number.MAX_SAFE_INTEGER] as const

/**
 * Live readings above an arrival number, in the order of arrival, at most `limit`; `next` is the number that none has yet. Hot tables
 * are in that order, so a range of numbers is a small piece of them: all rows above the number would be half a second's work for each
 * page (docs/performance.md). Ranges grow where few of their numbers are live.
 */
export const readSince = (engine: Engine, n: number, limit: number, next: number) =>
  engine.read(async (db, manifest) => {
    const above = manifest.filter((entry) => entry.kind === 'hot' || entry.top > n)
    const rows: Stored[] = []
    for (let [from, range] = [n, limit]; rows.length < limit && from < next; from += range, range *= 4) {
      const numbers = `live and n > ${integer(from)} and n <= ${integer(Math.min(from + range, next))}`
      const { chunks } = await chunksOf(
        db,
        `select point::double, time::double, value, quality::double, n::double from (${unsettled(engine, above, ...ever, numbers)}
           union all ${settled(engine, filesOf(above, ['raw'], ...ever), numbers)})
         order by n limit ${integer(limit - rows.length)}`,
      )
      for (const row of storedOf(chunks)) rows.push(row)
    }
    return rows
  })

const above = (entries: readonly Entry[], points: readonly number[], n: number) =>
  holding(entries, points).filter((entry) => entry.kind === 'hot' || entry.top > n)
/** Rows of some points above an arrival number, up to another one. */
const rowsAbove = (engine: Engine, entries: readonly Entry[], points: readonly number[], numbers: Numbers, [start, end]: Times) => {
  const manifest = above(entries, points, numbers.after)
  const condition = `and n > ${integer(numbers.after)} and n <= ${integer(numbers.upTo)}`
  const [ofFiles, ofTables] = [`${where(points, start, end)} ${condition}`, `${whereOfTables(points, start, end)} ${condition}`]
  return `${unsettled(engine, manifest, start, end, ofFiles, ofTables)} union all ${settled(engine, filesOf(manifest, ['raw'], start, end), ofFiles)}`
}
type Numbers = { after: number; upTo: number }
type Times = readonly [start: number, end: number]

/** `next`: the number that none has yet. A page is looked for in ranges of numbers, as above; few points are found in few of them. */
export const arrivalsOf = (engine: Engine, next: () => number): Pick<Store, 'arrivals' | 'arrived'> => ({
  arrivals: async (points, n, from, limit) => {
    if (!points.length) return []
    return engine.aside(async (db, manifest) => {
      const [found, end]: [Stored[], number] = [[], next()]
      for (let [after, range] = [n, 2 * limit]; found.length < limit && after < end; after += range, range *= 16) {
        const numbers = { after, upTo: Math.min(after + range, end) }
        const rows = rowsAbove(engine, manifest, points, numbers, [from, Number.MAX_SAFE_INTEGER])
        const sql = `select point::double, time::double, value, quality::double, n::double from (${rows}) order by n limit ${integer(limit - found.length)}`
        for (const row of storedOf((await chunksOf(db, sql)).chunks)) found.push(row)
      }
      return found
    })
  },
  arrived: async (points, n, from, to) => {
    if (!points.length) return { count: 0, earliest: null }
    return engine.aside(async (db, manifest) => {
      const rows = rowsAbove(engine, manifest, points, { after: n, upTo: Number.MAX_SAFE_INTEGER }, [from, to])
      const sql = `select count(*)::double, min(time)::double from (${rows})`
      const [count, earliest] = numbersOf((await chunksOf(db, sql)).chunks, 2)
      return { count: count![0] ?? 0, earliest: earliest![0] ?? null }
    })
  },
})
