import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { day } from '../store.ts'
import { type Engine, type Entry, install, rowsOf } from './engine.ts'
import { columns, copy, parquet } from './sql.ts'

/** Rows on disk under a temporary name; a crash leaves a file that the next start removes. */
export const writeTemporary = async (engine: Engine, db: DuckDBConnection, select: string) => {
  const name = `${randomUUID()}.tmp`
  await db.run(copy(select, join(engine.files, name)))
  return name
}

/** Gives a temporary file its place and its entry; in force when the caller's transaction commits. */
export const enter = async (
  engine: Engine,
  db: DuckDBConnection,
  kind: Entry['kind'],
  temporary: string,
  { start, end }: { start: number; end: number },
) => {
  const name = `${kind}-${new Date(start).toISOString().slice(0, 10)}-${randomUUID()}.parquet`
  const top = kind === 'segment' || kind === 'raw' ? 'coalesce(max(n), 0)' : '0'
  const [sum] = await rowsOf<{ rows: number; top: number }>(
    db,
    `select count(*)::double as rows, ${top}::double as top from ${parquet(engine, [temporary])}`,
  )
  const bytes = await install(engine.files, temporary, name)
  await addEntry(db, { kind, file: name, start, end, rows: sum!.rows, bytes, top: sum!.top })
}

export const addEntry = (db: DuckDBConnection, e: Entry) =>
  db.run(`insert into manifest values ('${e.kind}', '${e.file}', ${e.start}, ${e.end}, ${e.rows}, ${e.bytes}, ${e.top})`)

export const removeEntries = async (db: DuckDBConnection, files: readonly string[]) => {
  if (files.length) await db.run(`delete from manifest where file in (${files.map((f) => `'${f}'`).join(', ')})`)
}

/** Name of a hot table; numbers only grow. */
export const hotName = (number: number | '') => `hot_${number}`
export const createHot = async (db: DuckDBConnection, number: number, opened: number) => {
  await db.run(`create table ${hotName(number)} as select ${columns} from late limit 0`)
  await addEntry(db, { kind: 'hot', file: hotName(number), start: opened, end: opened, rows: 0, bytes: 0, top: 0 })
}

/**
 * Turns a hot table that nobody appends to any more into sorted segments, one per UTC day that is still open. Rows from before
 * `openFrom` become late rows, to be merged into the closed days. All in one transaction: the table goes as the entries come.
 */
export const closeHot = (engine: Engine, table: string, openFrom: number) =>
  engine.keep(async (db) => {
    const days = await rowsOf<{ day: number }>(
      db,
      `select distinct (time // ${day})::double as day from ${table} where time >= ${openFrom}`,
    )
    for (const { day: d } of days) {
      const span = { start: d * day, end: (d + 1) * day }
      const rows = `select ${columns} from ${table} where time >= ${span.start} and time < ${span.end} order by point, time, n`
      await enter(engine, db, 'segment', await writeTemporary(engine, db, rows), span)
    }
    await db.run(`insert into late select ${columns} from ${table} where time < ${openFrom}`)
    await db.run(`update counter set n = greatest(n, (select coalesce(max(n), 0) from ${table}))`)
    await db.run(`drop table ${table}`)
    await removeEntries(db, [table])
  })
