import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { Fault } from '../../../http/faults.ts'
import { serial } from '../../../jobs/serial.ts'

export type Kind = 'hot' | 'segment' | 'raw' | 'minute' | 'quarter' | 'hold'
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
  create table if not exists counter as select 0::double as n;
  create table if not exists noted (file varchar);`

/** All that a query answers, read in one go: each piece that is fetched by itself would wait for a thread and for the main loop. */
export const chunksOf = async (db: DuckDBConnection, sql: string) => {
  const result = await db.run(sql)
  return { names: result.deduplicatedColumnNames(), chunks: Array.from({ length: result.chunkCount }, (_, i) => result.getChunk(i)) }
}

/** Rows of a query as objects; cast integers to double in SQL, they arrive as numbers then. */
export const rowsOf = async <T>(db: DuckDBConnection, sql: string) => {
  const { names, chunks } = await chunksOf(db, sql)
  return chunks.flatMap((chunk) => chunk.getRowObjects(names)) as T[]
}

/** After one of these an instance refuses everything, also when the cause is gone (findings 5). A file that is missing is not one. */
const fatal = (error: unknown) => /invalidated|FATAL/i.test(String(error))
const failedWrite = (error: unknown) =>
  fatal(error) || /No space left|IO Error|Could not (write|fsync|sync)|Disk quota/i.test(String(error))

const memoryUsed = 'select lower(tag) as kind, memory_usage_bytes::double as bytes from duckdb_memory() where memory_usage_bytes > 0'
const maxWaiting = 200
const retryMs = 1000
/** Who reads without end holds up the closing of files by this much a statement. */
const longestYieldMs = 300

type Db = DuckDBConnection
const connect = async (folder: string, files: string, readers: number) => {
  await mkdir(files, { recursive: true })
  const options = { memory_limit: '512MB', threads: '2', temp_directory: join(folder, 'tmp'), preserve_insertion_order: 'false' }
  const instance = await DuckDBInstance.create(join(folder, 'telemetry.duckdb'), {
    ...options,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  })
  const connections = await Promise.all(Array.from({ length: readers + 4 }, () => instance.connect()))
  const [writer, keeper, gauge, aside, ...idle] = connections as [Db, Db, Db, Db, ...Db[]]
  await keeper.run(schema)
  const known = new Set((await rowsOf<{ file: string }>(keeper, 'select file from manifest')).map((m) => m.file))
  for (const name of await readdir(files)) if (!known.has(name)) await rm(join(files, name))
  return { instance, connections, writer, keeper, gauge, aside, idle }
}

const track = <T>(run: Promise<T>, ...sets: Set<Promise<unknown>>[]) => {
  for (const set of sets) set.add(run)
  const over = () => {
    for (const set of sets) set.delete(run)
  }
  run.then(over, over)
  return run
}

type Instance = Awaited<ReturnType<typeof connect>>
type Log = (problem: string, error: unknown) => void

/**
 * The DuckDB instance: one connection that writes, one that keeps house, some that read, each call in a transaction of its own.
 * A commit is on disk when it resolves: DuckDB syncs its log at every commit. After an I/O error the instance is reopened
 * inside the process; until that works every call fails with Fault `unavailable`.
 */
export class Engine {
  readonly folder: string
  readonly files: string
  readonly #log: Log
  readonly #readers: number
  #current: Instance | undefined
  #closed = false
  #reopening: Promise<void> | undefined
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #reads = new Set<Promise<unknown>>()
  readonly #waiting: (() => void)[] = []
  readonly #inWriter = serial()
  readonly #inKeeper = serial()
  readonly #inGauge = serial()
  readonly #inAside = serial()
  /** The manifest, read while it is not being changed; `version` changes whenever it may have changed. */
  #known: Entry[] | undefined
  #changing = 0
  #version = 0

  constructor(folder: string, files: string, log: Log, readers: number, instance: Instance) {
    this.folder = folder
    this.files = files
    this.#log = log
    this.#readers = readers
    this.#current = instance
  }

  static async open(folder: string, log: Log, readers = 2) {
    const files = join(folder, 'files')
    return new Engine(folder, files, log, readers, await connect(folder, files, readers))
  }

  async #shut() {
    const old = this.#current
    this.#current = undefined
    for (const resume of this.#waiting.splice(0)) resume()
    // A merge may take minutes; nothing is lost when it is given up.
    old?.keeper.interrupt()
    await Promise.allSettled(this.#underWay)
    for (const connection of old?.connections ?? []) connection.closeSync()
    old?.instance.closeSync()
  }
  async #reopen() {
    await this.#shut()
    while (!this.#closed && !this.#current)
      try {
        this.#current = await connect(this.folder, this.files, this.#readers)
      } catch (error) {
        this.#log('telemetry store cannot be opened, trying again', error)
        await new Promise((done) => setTimeout(done, retryMs).unref())
      }
    this.#reopening = undefined
  }

  async #attempt<T>(db: DuckDBConnection, work: () => Promise<T>, broken = fatal) {
    try {
      return await work()
    } catch (error) {
      await db.run('rollback').catch(() => {})
      if (!broken(error)) throw error
      this.#log('telemetry store failed, opening it anew', error)
      this.#reopening ??= this.#reopen()
      throw new Fault('unavailable')
    }
  }
  #transact<T>(db: Db, work: (db: Db) => Promise<T>, broken = fatal, commit: () => Promise<unknown> = () => db.run('commit')) {
    return this.#attempt(
      db,
      async () => {
        await db.run('begin transaction')
        const answer = await work(db)
        await commit()
        return answer
      },
      broken,
    )
  }
  /** Readers keep the previous manifest until the commit begins, so long work does not block them. */
  #rearrange<T>(db: Db, work: (db: Db) => Promise<T>, broken = fatal) {
    return this.#transact(db, work, broken, () => this.#changes(() => db.run('commit')))
  }
  async #changes<T>(work: () => Promise<T>) {
    this.#known = undefined
    this.#changing++
    this.#version++
    try {
      return await work()
    } finally {
      this.#changing--
      this.#version++
    }
  }
  /** Leftovers of the keeper's failed transactions, the only writer of temporary files. */
  async #forgetTemporary(error: unknown): Promise<never> {
    for (const name of await readdir(this.files)) if (name.endsWith('.tmp')) await rm(join(this.files, name), { force: true })
    throw error
  }
  #here() {
    if (!this.#current) throw new Fault('unavailable')
    return this.#current
  }
  async #reader() {
    while (this.#here().idle.length === 0) {
      if (this.#waiting.length >= maxWaiting) throw new Fault('unavailable')
      await new Promise<void>((resume) => this.#waiting.push(resume))
    }
    return this.#here().idle.pop()!
  }

  /** A transaction on the connection that appends; the manifest stays as it is. */
  write<T>(work: (db: DuckDBConnection) => Promise<T>) {
    return this.#inWriter(() => track(this.#transact(this.#here().writer, work, failedWrite), this.#underWay))
  }
  /** The same, for one that changes the manifest. */
  arrange<T>(work: (db: DuckDBConnection) => Promise<T>) {
    return this.#inWriter(() => track(this.#rearrange(this.#here().writer, work, failedWrite), this.#underWay))
  }
  /** A transaction on the connection that keeps house; long ones do not hold up appends or reads. */
  keep<T>(work: (db: DuckDBConnection) => Promise<T>) {
    return this.#inKeeper(() =>
      track(this.#rearrange(this.#here().keeper, work), this.#underWay).catch((error) => this.#forgetTemporary(error)),
    )
  }
  /** What a read begun now would be given, where that is known without asking. */
  manifest() {
    return this.#current && !this.#changing ? this.#known : undefined
  }
  /**
   * A snapshot: the manifest and the tables it names stay as they are while it lasts. The answer does not wait for its end.
   * `begins` is called when the connection is taken; the time before was spent waiting for one.
   */
  async read<T>(work: (db: DuckDBConnection, manifest: Entry[]) => Promise<T>, begins?: () => void): Promise<T> {
    const db = await this.#reader()
    begins?.()
    const { idle } = this.#here()
    return this.#snapshot(db, work, () => {
      idle.push(db)
      this.#waiting.shift()?.()
    }).answer
  }
  /** The same on a separate connection, which charts do not wait for. Reads are serialized. */
  aside<T>(work: (db: DuckDBConnection, manifest: Entry[]) => Promise<T>, begins?: () => void): Promise<T> {
    return new Promise((resolve, reject) => {
      const read = async () => {
        const db = this.#here().aside
        begins?.()
        const { answer, over } = this.#snapshot(db, work)
        answer.then(resolve, reject)
        await over
      }
      this.#inAside(read).catch(reject)
    })
  }
  #snapshot<T>(db: DuckDBConnection, work: (db: DuckDBConnection, manifest: Entry[]) => Promise<T>, ended = () => {}) {
    const answer = this.#attempt(db, async () => {
      const at = this.#version
      const manifest = await rowsOf<Entry>(db, 'begin transaction read only; select * from manifest')
      if (at === this.#version && !this.#changing) this.#known = manifest
      return work(db, manifest)
    })
    const over = answer
      .then(() => this.#attempt(db, () => db.run('commit')))
      .then(
        () => {},
        () => {},
      )
      .finally(ended)
    track(over, this.#underWay, this.#reads)
    return { answer, over }
  }
  /** Removes files that the manifest no longer names, after the reads that may still see them. Missing the moment is harmless. */
  discard(names: readonly string[]) {
    const gone = Promise.allSettled([...this.#reads]).then(() =>
      Promise.all(names.map((name) => rm(join(this.files, name), { force: true }))),
    )
    track(gone, this.#underWay).catch((error: unknown) => this.#log('an old telemetry file could not be removed', error))
  }
  /** Long work pauses here between its statements until the reads under way are over, so that charts have both cores to themselves. */
  async yieldToReads() {
    await Promise.race([Promise.allSettled([...this.#reads]), sleep(longestYieldMs, undefined, { ref: false })])
  }
  /** Bytes of memory by what they are for; waits for no reader. */
  memory() {
    return this.#inGauge(() => track(rowsOf<{ kind: string; bytes: number }>(this.#here().gauge, memoryUsed), this.#underWay))
  }
  /** Resolves when DuckDB answers; waits for no reader, so that many charts do not make it look away. */
  ready() {
    return this.#inGauge(() =>
      track(
        this.#attempt(this.#here().gauge, () => rowsOf(this.#here().gauge, 'select count(*) from manifest')),
        this.#underWay,
      ),
    )
  }
  async size() {
    let bytes = 0
    for (const at of [this.folder, this.files])
      for (const name of await readdir(at))
        bytes += await stat(join(at, name)).then(
          (s) => (s.isFile() ? s.size : 0),
          () => 0,
        )
    return bytes
  }
  async close() {
    this.#closed = true
    await this.#reopening
    await this.#shut()
  }
}
