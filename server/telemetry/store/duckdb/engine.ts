import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { Fault } from '../../../http/faults.ts'

export type Kind = 'hot' | 'segment' | 'raw' | 'minute' | 'quarter'
/** One entry of the manifest. Hot entries name a table, the others a file; times lie in [start, end), epoch ms, points in [low, high]. */
export type Entry = {
  kind: Kind
  file: string
  start: number
  end: number
  rows: number
  bytes: number
  top: number
  low: number
  high: number
}

export const schema = `
  create table if not exists manifest (kind varchar, file varchar, "start" double, "end" double, rows double, bytes double, top double,
    low double, high double);
  create table if not exists late (point bigint, time bigint, value double, quality utinyint, n bigint, live boolean);
  create table if not exists latest (point bigint, time bigint, value double, quality utinyint, n bigint);
  create table if not exists counter as select 0::double as n;`

/** Rows of a query as objects; cast integers to double in SQL, they arrive as numbers then. */
export const rowsOf = async <T>(db: DuckDBConnection, sql: string) => (await db.runAndReadAll(sql)).getRowObjects() as T[]

/** Work one after the other, in the order asked. */
export const serial = () => {
  let tail: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const run = tail.then(work)
    tail = run.catch(() => {})
    return run
  }
}

/** After one of these an instance refuses everything, also when the cause is gone (findings 5). A file that is missing is not one. */
const fatal = (error: unknown) => /invalidated|FATAL/i.test(String(error))
const failedWrite = (error: unknown) =>
  fatal(error) || /No space left|IO Error|Could not (write|fsync|sync)|Disk quota/i.test(String(error))

const memoryUsed = 'select lower(tag) as kind, memory_usage_bytes::double as bytes from duckdb_memory() where memory_usage_bytes > 0'
const maxWaiting = 200
const retryMs = 1000

/**
 * The DuckDB instance: one connection that writes, one that keeps house, some that read, each call in a transaction of its own.
 * A commit is on disk when it resolves: DuckDB syncs its log at every commit. After an I/O error the instance is opened anew
 * inside the process; until that works every call fails with Fault `unavailable`.
 */
export const openEngine = async (folder: string, log: (problem: string, error: unknown) => void, readers = 2) => {
  const files = join(folder, 'files')
  const connect = async () => {
    await mkdir(files, { recursive: true })
    const options = { memory_limit: '512MB', threads: '2', temp_directory: join(folder, 'tmp'), preserve_insertion_order: 'false' }
    const instance = await DuckDBInstance.create(join(folder, 'telemetry.duckdb'), {
      ...options,
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    })
    const connections = await Promise.all(Array.from({ length: readers + 3 }, () => instance.connect()))
    const [writer, keeper, gauge, ...idle] = connections as [DuckDBConnection, DuckDBConnection, DuckDBConnection, ...DuckDBConnection[]]
    await keeper.run(schema)
    const known = new Set((await rowsOf<{ file: string }>(keeper, 'select file from manifest')).map((m) => m.file))
    for (const name of await readdir(files)) if (!known.has(name)) await rm(join(files, name))
    return { instance, connections, writer, keeper, gauge, idle }
  }

  let current: Awaited<ReturnType<typeof connect>> | undefined = await connect()
  let closed = false
  let reopening: Promise<void> | undefined
  const underWay = new Set<Promise<unknown>>()
  const reads = new Set<Promise<unknown>>()
  const waiting: (() => void)[] = []
  const [inWriter, inKeeper, inGauge] = [serial(), serial(), serial()]

  const shut = async () => {
    const old = current
    current = undefined
    for (const resume of waiting.splice(0)) resume()
    // A merge may take minutes; nothing is lost when it is given up.
    old?.keeper.interrupt()
    await Promise.allSettled(underWay)
    for (const connection of old?.connections ?? []) connection.closeSync()
    old?.instance.closeSync()
  }
  const reopen = async () => {
    await shut()
    while (!closed && !current)
      try {
        current = await connect()
      } catch (error) {
        log('telemetry store cannot be opened, trying again', error)
        await new Promise((done) => setTimeout(done, retryMs).unref())
      }
    reopening = undefined
  }

  const transact = async <T>(db: DuckDBConnection, begin: string, work: (db: DuckDBConnection) => Promise<T>, broken = fatal) => {
    try {
      await db.run(begin)
      const answer = await work(db)
      await db.run('commit')
      return answer
    } catch (error) {
      await db.run('rollback').catch(() => {})
      if (!broken(error)) throw error
      log('telemetry store failed, opening it anew', error)
      reopening ??= reopen()
      throw new Fault('unavailable')
    }
  }
  const track = <T>(run: Promise<T>, ...sets: Set<Promise<unknown>>[]) => {
    for (const set of sets) set.add(run)
    const over = () => {
      for (const set of sets) set.delete(run)
    }
    run.then(over, over)
    return run
  }
  /** What a failed transaction of the keeper leaves behind: nobody else writes temporary files. */
  const forgetTemporary = async (error: unknown) => {
    for (const name of await readdir(files)) if (name.endsWith('.tmp')) await rm(join(files, name), { force: true })
    throw error
  }
  const here = () => {
    if (!current) throw new Fault('unavailable')
    return current
  }
  const reader = async () => {
    while (here().idle.length === 0) {
      if (waiting.length >= maxWaiting) throw new Fault('unavailable')
      await new Promise<void>((resume) => waiting.push(resume))
    }
    return here().idle.pop()!
  }

  return {
    folder,
    files,
    /** A transaction on the connection that appends. */
    write: <T>(work: (db: DuckDBConnection) => Promise<T>) =>
      inWriter(() => track(transact(here().writer, 'begin transaction', work, failedWrite), underWay)),
    /** A transaction on the connection that keeps house; long ones do not hold up appends or reads. */
    keep: <T>(work: (db: DuckDBConnection) => Promise<T>) =>
      inKeeper(() => track(transact(here().keeper, 'begin transaction', work), underWay).catch(forgetTemporary)),
    /** A snapshot: the manifest and the tables it names stay as they are while it lasts. */
    read: async <T>(work: (db: DuckDBConnection, manifest: Entry[]) => Promise<T>): Promise<T> => {
      const db = await reader()
      const { idle } = here()
      const run = transact(db, 'begin transaction read only', async (db) => work(db, await rowsOf<Entry>(db, 'select * from manifest')))
      return track(run, underWay, reads).finally(() => {
        idle.push(db)
        waiting.shift()?.()
      })
    },
    /** Removes files that the manifest no longer names, after the reads that may still see them. Missing the moment is harmless. */
    discard: (names: readonly string[]) => {
      const gone = Promise.allSettled([...reads]).then(() => Promise.all(names.map((name) => rm(join(files, name), { force: true }))))
      track(gone, underWay).catch((error: unknown) => log('an old telemetry file could not be removed', error))
    },
    /** Bytes of memory by what they are for; waits for no reader. */
    memory: () => inGauge(() => track(rowsOf<{ kind: string; bytes: number }>(here().gauge, memoryUsed), underWay)),
    size: async () => {
      let bytes = 0
      for (const at of [folder, files])
        for (const name of await readdir(at))
          bytes += await stat(join(at, name)).then(
            (s) => (s.isFile() ? s.size : 0),
            () => 0,
          )
      return bytes
    },
    close: async () => {
      closed = true
      await reopening
      await shut()
    },
  }
}
export type Engine = Awaited<ReturnType<typeof openEngine>>

/** Puts a file in place so that it survives a power cut: sync it, rename it, sync the folder. */
export const install = async (folder: string, temporary: string, name: string) => {
  const handle = await open(join(folder, temporary), 'r+')
  await handle.sync()
  const { size } = await handle.stat()
  await handle.close()
  await rename(join(folder, temporary), join(folder, name))
  // Windows has no handle on a folder; its file system logs renames by itself.
  const directory = process.platform === 'win32' ? undefined : await open(folder, 'r')
  await directory?.sync()
  await directory?.close()
  return size
}
