// Readings as they are at one moment, for a backup, and a store made from such a moment. Files never change once they are closed:
// they are handed over as they are; what is still in tables leaves as files of its own.
import { constants, copyFile, mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { type Engine, type Entry, rowsOf, schema } from './engine.ts'

/** `tables` are Parquet files named for the table; `files` are closed files of the store, by their own names. */
export type Snapshot = { manifest: Entry[]; tables: string[]; files: string[]; readings: number }

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
const standing = ['late', 'latest', 'counter']

/** Writes what lies in tables into `folder`, and passes each closed file to `keep` while it cannot be removed. */
export const takeSnapshot = (engine: Engine, folder: string, keep: (path: string, name: string) => Promise<void>): Promise<Snapshot> =>
  engine.read(async (db, manifest) => {
    const hot = manifest.filter((entry) => entry.kind === 'hot').map((entry) => entry.file)
    const closed = manifest.filter((entry) => entry.kind !== 'hot')
    let readings = closed.filter((entry) => entry.kind === 'segment' || entry.kind === 'raw').reduce((sum, { rows }) => sum + rows, 0)
    const tables: string[] = []
    for (const table of [...standing, ...hot]) {
      await db.run(`copy ${table} to ${literal(join(folder, `${table}.parquet`))} (format parquet, compression zstd)`)
      tables.push(table)
      if (table === 'late' || hot.includes(table))
        readings += (await rowsOf<{ n: number }>(db, `select count(*)::double as n from ${table}`))[0]!.n
    }
    for (const { file } of closed) await keep(join(engine.files, file), file)
    return { manifest, tables, files: closed.map((entry) => entry.file), readings }
  })

/** A store like the one the snapshot was taken of, in a folder of its own; `at` answers where a file of the snapshot lies. */
export const buildStore = async (folder: string, snapshot: Snapshot, at: { table(name: string): string; file(name: string): string }) => {
  const files = join(folder, 'files')
  await mkdir(files, { recursive: true })
  for (const name of snapshot.files) {
    await copyFile(at.file(name), join(files, name), constants.COPYFILE_EXCL)
    const copied = await open(join(files, name), 'r+')
    await copied.sync()
    await copied.close()
  }
  const instance = await DuckDBInstance.create(join(folder, 'telemetry.duckdb'), {
    memory_limit: '512MB',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  })
  const db = await instance.connect()
  try {
    await db.run('begin transaction')
    await db.run(schema)
    for (const table of snapshot.tables) {
      const rows = `select * from read_parquet(${literal(at.table(table))})`
      if (!/^(late|latest|counter|hot_\d+)$/.test(table)) throw new Error(`There is no table ${table} of readings.`)
      if (standing.includes(table)) await db.run(`delete from ${table}; insert into ${table} ${rows}`)
      else await db.run(`create table ${table} as ${rows}`)
    }
    for (const e of snapshot.manifest)
      await db.run(
        `insert into manifest values (${literal(e.kind)}, ${literal(e.file)}, ${[e.start, e.end, e.rows, e.bytes, e.top, e.low, e.high].map(Number).join(', ')})`,
      )
    await db.run('commit')
    await db.run('checkpoint')
  } finally {
    db.closeSync()
    instance.closeSync()
  }
}
