import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { day } from '../store.ts'
import { type Engine, type Entry, rowsOf } from './engine.ts'
import { install } from './install.ts'
import { inSlice, slicesOf } from './slices.ts'
import { columns, copy, newestOf, parquet, readingOf } from './sql.ts'

/** Rows on disk under a temporary name; a crash leaves a file that the next start removes. */
export const writeTemporary = async (engine: Engine, db: DuckDBConnection, select: string) => {
  await engine.yieldToReads()
  const name = `${randomUUID()}.tmp`
  await db.run(copy(select, join(engine.files, name)))
  return name
}

/** Gives a temporary file its place and its entry, in force when the caller's transaction commits; an empty one is left out. Answers its name. */
export const registerSegment = async (
  engine: Engine,
  db: DuckDBConnection,
  kind: Entry['kind'],
  temporary: string,
  { start, end }: { start: number; end: number },
) => {
  const top = kind === 'segment' || kind === 'raw' ? 'max(n)' : '0'
  const [sum] = await rowsOf<{ rows: number; top: number; low: number; high: number }>(
    db,
    `select count(*)::double as rows, ${top}::double as top, min(point)::double as low, max(point)::double as high
     from ${parquet(engine, [temporary])}`,
  )
  if (!sum!.rows) return void engine.discard([temporary])
  const file = `${kind}-${new Date(start).toISOString().slice(0, 10)}-${randomUUID()}.parquet`
  const bytes = await install(engine.files, temporary, file)
  await addEntry(db, { kind, file, start, end, bytes, ...sum! })
  return file
}

const addEntry = (db: DuckDBConnection, e: Entry) =>
  db.run(
    `insert into manifest values ('${e.kind}', '${e.file}', ${e.start}, ${e.end}, ${e.rows}, ${e.bytes}, ${e.top}, ${e.low}, ${e.high})`,
  )

export const removeEntries = async (db: DuckDBConnection, files: readonly string[]) => {
  const some = files.map((file) => `'${file}'`).join(', ')
  if (files.length) await db.run(`delete from manifest where file in (${some}); delete from noted where file in (${some})`)
}

/** Notes the newest readings of points, out of these rows and of what was noted before, so that a start need not look for them. */
export const noteLatest = async (db: DuckDBConnection, rows: string) => {
  await db.run(`create or replace temp table newest as ${newestOf(`select ${readingOf} from (${rows})`)}`)
  const both = `select ${readingOf} from latest semi join newest using (point) union all select ${readingOf} from newest`
  await db.run(`create or replace temp table newer as ${newestOf(both)}`)
  await db.run(`delete from latest where point in (select point from newer); insert into latest select ${readingOf} from newer;
    drop table newest; drop table newer`)
}

/** Name of a hot table; numbers only grow. */
export const hotName = (number: number | '') => `hot_${number}`
export const createHot = async (db: DuckDBConnection, number: number, opened: number) => {
  await db.run(`create table ${hotName(number)} as select ${columns} from late limit 0`)
  await addEntry(db, { kind: 'hot', file: hotName(number), start: opened, end: opened, rows: 0, bytes: 0, top: 0, low: 0, high: 0 })
}

/** Fewer rows of a day are not worth a file of their own. */
const fewRows = 100_000

/**
 * Turns a closed hot table into sorted segments of one UTC day and some points each. A few rows of days that are
 * merged already, or end before `lateBefore`, become late rows instead, to wait for the next merge. All in one transaction: the table goes as the entries come.
 */
export const closeHot = (engine: Engine, table: string, lateBefore: number, sliceRows: number) =>
  engine.keep(async (db) => {
    const days = await rowsOf<{ day: number; rows: number }>(
      db,
      `select (time // ${day})::double as day, count(*)::double as rows from ${table} group by 1`,
    )
    const settled = await rowsOf<Entry>(db, `select * from manifest where kind = 'raw'`)
    const late: number[] = []
    for (const { day: d, rows: count } of days) {
      const span = { start: d * day, end: (d + 1) * day }
      const rows = `select ${columns} from ${table} where time >= ${span.start} and time < ${span.end}`
      const isLate = span.end <= lateBefore || settled.some((entry) => entry.start <= span.start && entry.end >= span.end)
      if (isLate && count < fewRows) late.push(d)
      else {
        for (const slice of await slicesOf(db, rows, sliceRows)) {
          const sorted = `${rows} and ${inSlice(slice)} order by point, time, n`
          const file = await registerSegment(engine, db, 'segment', await writeTemporary(engine, db, sorted), span)
          await db.run(`insert into noted values ('${file}')`)
        }
      }
    }
    // One statement: each costs memory until the commit, and readings of one gateway may lie on ten thousand days.
    if (late.length) await db.run(`insert into late select ${columns} from ${table} where time // ${day} in (${late.join()})`)
    await engine.yieldToReads()
    await noteLatest(db, `select ${columns} from ${table}`)
    await db.run(`update counter set n = greatest(n, (select coalesce(max(n), 0) from ${table}))`)
    await db.run(`drop table ${table}`)
    await removeEntries(db, [table])
  })
