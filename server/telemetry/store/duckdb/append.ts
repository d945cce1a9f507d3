import { BIGINT, BOOLEAN, DOUBLE, type DuckDBConnection, DuckDBDataChunk, type DuckDBVector, UTINYINT } from '@duckdb/node-api'
import { integer } from '../key.ts'
import { day, type Incoming } from '../store.ts'
import { type Engine, type Entry, rowsOf } from './engine.ts'
import { columns, filesOf, settled, unsettled } from './sql.ts'

const types = [BIGINT, BIGINT, DOUBLE, UTINYINT, BIGINT, BOOLEAN]
type Column = DuckDBVector<number | bigint | boolean>
/** DuckDB's vector size: a chunk holds no more. */
const chunkRows = 2048

/** Puts rows into a hot table, numbered from `first`; the caller's transaction commits them. */
export const appendRows = async (db: DuckDBConnection, table: string, rows: readonly Incoming[], first: number) => {
  const appender = await db.createAppender(table)
  try {
    for (let from = 0; from < rows.length; from += chunkRows) {
      const count = Math.min(chunkRows, rows.length - from)
      const chunk = DuckDBDataChunk.create(types, count)
      const vectors = types.map((_, column) => chunk.getColumnVector(column))
      const [point, time, value, quality, n, live] = vectors as [Column, Column, Column, Column, Column, Column]
      for (let i = 0; i < count; i++) {
        const row = rows[from + i]!
        point.setItem(i, BigInt(row.point))
        time.setItem(i, BigInt(row.time))
        value.setItem(i, row.value)
        quality.setItem(i, row.quality)
        n.setItem(i, BigInt(first + from + i))
        live.setItem(i, row.live)
      }
      for (const vector of vectors) vector.flush()
      appender.appendDataChunk(chunk)
    }
  } finally {
    appender.closeSync()
  }
}

/**
 * Which of the doubtful rows found their point and time in the store, or in an earlier row of the same call: a join on the rows
 * just committed, held to the points and times of the doubtful.
 */
export const findReplaced = async (
  engine: Engine,
  table: string,
  rows: readonly Incoming[],
  first: number,
  doubtful: readonly number[],
) => {
  let [start, end, low, high] = [Number.POSITIVE_INFINITY, 0, Number.POSITIVE_INFINITY, 0]
  const days = new Set<number>()
  for (const i of doubtful) {
    const { point, time } = rows[i]!
    start = Math.min(start, time)
    end = Math.max(end, time + 1)
    low = Math.min(low, point)
    high = Math.max(high, point)
    days.add(Math.floor(time / day))
  }
  const onDay = (entry: Entry) => [...days].some((d) => entry.start < (d + 1) * day && entry.end > d * day)
  const found = await engine.read((db, everything) => {
    const manifest = everything.filter((entry) => entry.kind === 'hot' || (entry.low <= high && entry.high >= low && onDay(entry)))
    const within = `time >= ${integer(start)} and time < ${integer(end)} and point >= ${integer(low)} and point <= ${integer(high)}`
    const all = `${unsettled(engine, manifest, start, end, within)} union all
      ${settled(engine, filesOf(manifest, ['raw'], start, end), within)}`
    const asked = `select point, time, n from ${table} where n >= ${first} and n < ${first + rows.length} and ${within}`
    return rowsOf<{ n: number }>(
      db,
      `with asked as materialized (${asked}) select n::double as n from asked semi join
        (select point as p, time as t, min(n) as m from (select ${columns} from (${all}) semi join asked using (point, time))
         group by point, time) on point = p and time = t and m < n`,
    )
  })
  const known = new Set(doubtful)
  return found.map(({ n }) => n - first).filter((i) => known.has(i))
}
