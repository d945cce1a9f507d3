import { BIGINT, BOOLEAN, DOUBLE, type DuckDBConnection, DuckDBDataChunk, UTINYINT } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import type { Sample } from '../../sample.ts'
import { integer } from '../key.ts'
import { day, type Incoming } from '../store.ts'
import { type Engine, type Entry, rowsOf } from './engine.ts'
import { columns, filesOf, settled, unsettled } from './sql.ts'

const types = [BIGINT, BIGINT, DOUBLE, UTINYINT, BIGINT, BOOLEAN]
/** DuckDB's vector size: a chunk holds no more. */
const chunkRows = 2048

/**
 * Columns of one chunk as they lie in DuckDB's memory. BIGINTs are written as their halves, low first: a BigInt a value would cost
 * more than everything else here (docs/performance.md). DuckDB runs on little-endian machines only.
 */
const [point, time, n] = [new Int32Array(2 * chunkRows), new Int32Array(2 * chunkRows), new Int32Array(2 * chunkRows)]
const value = new Float64Array(chunkRows)
const [quality, live] = [new Uint8Array(chunkRows), new Uint8Array(chunkRows)]
const buffers = [point, time, value, quality, n, live].map((column) => column.buffer as ArrayBuffer)
/** One bit a row: 0 = null. */
const validity = new Uint8Array(chunkRows / 8)

const high = 2 ** 32
type Row = Sample & Partial<Incoming>
const fill = (rows: readonly Row[], from: number, count: number, first: number, by: number) => {
  let nulls = false
  for (let i = 0; i < count; i++) {
    const row = rows[from + i]!
    const number = first + (from + i) * by
    point[2 * i] = row.point | 0
    point[2 * i + 1] = Math.floor(row.point / high)
    time[2 * i] = row.time | 0
    time[2 * i + 1] = Math.floor(row.time / high)
    n[2 * i] = number | 0
    n[2 * i + 1] = Math.floor(number / high)
    quality[i] = row.quality
    live[i] = row.live ? 1 : 0
    if (row.value !== null) value[i] = row.value
    else {
      if (!nulls) validity.fill(0xff)
      nulls = true
      validity[i >> 3]! &= ~(1 << (i & 7))
    }
  }
  return nulls
}

/** Puts rows into a table, numbered from `first`, each `by` more than the one before; the caller's transaction commits them. */
export const appendRows = async (db: DuckDBConnection, table: string, rows: readonly Row[], first: number, by = 1) => {
  const appender = await db.createAppender(table)
  try {
    for (let from = 0; from < rows.length; from += chunkRows) {
      const count = Math.min(chunkRows, rows.length - from)
      const nulls = fill(rows, from, count, first, by)
      const chunk = DuckDBDataChunk.create(types, count)
      for (const [i, buffer] of buffers.entries()) {
        const vector = duckdb.data_chunk_get_vector(chunk.chunk, i)
        duckdb.copy_data_to_vector(vector, 0, buffer, 0, (buffer.byteLength / chunkRows) * count)
        if (i !== 2 || !nulls) continue
        duckdb.vector_ensure_validity_writable(vector)
        duckdb.copy_data_to_vector_validity(vector, 0, validity.buffer, 0, Math.ceil(count / 64) * 8)
      }
      appender.appendDataChunk(chunk)
    }
  } finally {
    appender.closeSync()
  }
}

/** Files that one look-up reads: those of some years, or of a month whose days are not merged yet. */
const mostFiles = 64

/** The newest days whose files are few enough, and these files. */
export const readableDays = (days: ReadonlySet<number>, files: readonly Entry[]) => {
  const wanted = new Set<Entry>()
  let oldest = Number.POSITIVE_INFINITY
  for (const d of [...days].sort((a, b) => b - a)) {
    const more = files.filter((entry) => entry.start < (d + 1) * day && entry.end > d * day && !wanted.has(entry))
    if (wanted.size + more.length > mostFiles) break
    for (const entry of more) wanted.add(entry)
    oldest = d
  }
  return { oldest, wanted }
}

/**
 * Which of the doubtful rows found their point and time in the store, or in an earlier row of the same call: a join on the rows
 * just committed, held to the points and times of the doubtful. Of rows on more days than a look-up may read files, the older ones
 * are not looked for: all commits would wait for that.
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
  const found = await engine.read((db, everything) => {
    const files = everything.filter(({ kind, ...of }) => (kind === 'raw' || kind === 'segment') && of.low <= high && of.high >= low)
    const { oldest, wanted } = readableDays(days, files)
    const from = Math.max(start, oldest * day)
    if (from >= end) return Promise.resolve([])
    const manifest = everything.filter((entry) => entry.kind === 'hot' || wanted.has(entry))
    const within = `time >= ${integer(from)} and time < ${integer(end)} and point >= ${integer(low)} and point <= ${integer(high)}`
    const all = `${unsettled(engine, manifest, from, end, within)} union all
      ${settled(engine, filesOf(manifest, ['raw'], from, end), within)}`
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
