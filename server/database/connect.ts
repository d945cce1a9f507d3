import { createHash, createHmac } from 'node:crypto'
import type { Socket } from 'node:net'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, type RawBuilder } from 'kysely'
import pg from 'pg'
import { withoutPrototype } from '../../contract/prototypes.ts'
import { Fault } from '../http/faults.ts'
import { boundedQueue } from '../jobs/boundedQueue.ts'
import { type Statement, send } from './batch.ts'
import type { Change, Database, Db, Scope } from './db.ts'
import { keyedQueue } from './keyedQueue.ts'
import { openPriorityConnection } from './priorityConnection.ts'

// bigint and numeric as numbers: ids are safe in JSON (ruling 11). bigint 20, bigint[] 1016, numeric 1700.
pg.types.setTypeParser(20, Number)
pg.types.setTypeParser(1016 as 20, (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)))
pg.types.setTypeParser(1700, Number)

/** Kysely writes the SQL, pg sends it: only so do scope and statements leave in one flush (findings 17). */
const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** Statements are prepared once a connection; the bound keeps filters that people combine freely from filling the server. */
const named = new Map<string, { text: string; name: string }>()
/** What is sent of a query. */
export const statement = (query: RawBuilder<unknown>): Statement => {
  const { sql, parameters } = query.compile(compiler)
  if (named.size < 1000 && !named.has(sql)) named.set(sql, { text: sql, name: createHash('sha1').update(sql).digest('base64url') })
  return { text: sql, ...named.get(sql), values: parameters as unknown[] }
}

const lost = /^(08|57P|53)|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|ENOENT/
const failed = (error: unknown): never => {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (lost.test(code) || /terminated|not queryable|timeout exceeded when trying to connect|Connection ended/i.test(message))
    throw new Fault('unavailable')
  throw error
}

const begin: Statement = { name: 'begin', text: 'begin', values: [] }
const commit: Statement = { name: 'commit', text: 'commit', values: [] }
const scoped = (s: Scope): Statement => ({
  name: 'scope',
  text: `select set_config('role', $1, true), set_config('penstock.tenant', $2, true), set_config('penstock.user', $3, true)`,
  values: [s.platform ? 'penstock_platform' : 'penstock_tenant', String(s.EnterpriseId), s.UserId ? String(s.UserId) : ''],
})

type Send = (statements: readonly Statement[]) => ReturnType<typeof send>

const inside = (send: Send, emitted: Change[], deferred: Statement[]): Db => {
  const db: Db = {
    rows: async (query) => (await db.all([query]))[0] as never,
    all: async (queries) => (await send(queries.map(statement))) as never,
    tx: (work) => work(db),
    deferred: async (query) => void deferred.push(statement(query)),
    emit: (change) => void emitted.push(change),
  }
  return db
}

/** The application's own sign-in: derived, so that every process that has DATABASE_URL can use it. */
export const applicationUrl = (adminUrl: string) => {
  const url = new URL(adminUrl)
  const password = createHmac('sha256', url.password || 'penstock')
    .update('penstock_app')
    .digest('base64url')
  url.username = 'penstock_app'
  url.password = password
  return { url: url.href, password }
}

/** Errors whose transaction was rolled back, such as refusals. The connection executed the rollback, so it is intact. */
const rolledBack = new WeakSet<object>()

/** A connection for the time of the work. One that is lost is closed; a new one costs both sides about as much as ten calls. */
const lend = async <T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect().catch(failed)
  let broken: Error | boolean = false
  try {
    return await work(client)
  } catch (error) {
    const { code } = error as { code?: string }
    broken = (code === undefined ? !rolledBack.has(error as object) : lost.test(code)) && (error as Error)
    return failed(error)
  } finally {
    client.release(broken)
  }
}

/** Bytes of an answer that are parsed before other work runs: libuv reads up to 2 MB of a socket in one turn, thousands of rows. */
const bytesOfTurn = 65_536
/** pg's types omit `connection`. With TLS, `stream` is the decrypted one. */
type Connected = pg.PoolClient & { connection: { stream: Socket } }
const giveTurns = ({ connection: { stream } }: Connected) => {
  let bytes = 0
  stream.on('data', ({ length }: Buffer) => {
    bytes += length
    if (bytes < bytesOfTurn) return
    bytes = 0
    stream.pause()
    setImmediate(() => stream.resume())
  })
}

const openPool = (each: pg.PoolConfig, max: number) => {
  const pool = new pg.Pool(withoutPrototype<pg.PoolConfig>({ ...each, max, idleTimeoutMillis: 30_000 }))
  pool.on('error', () => {}) // an idle connection that breaks is replaced; the next query reports what is wrong
  pool.on('connect', (client) => giveTurns(client as Connected))
  pool.on('connect', (client) => client.on('error', () => {})) // nor may one that breaks between two statements end the process
  return pool
}

/** Named statements do not survive a pooler in transaction mode, which may use another session for each transaction. */
const sendUnnamed: typeof send = (client, statements) =>
  send(
    client,
    statements.map(({ text, values }) => ({ text, values })),
  )

/**
 * Opens the database as the application role, which owns nothing and sees only what its scope allows. The role brings time zone and
 * timeouts (migrate.ts). `pooled`: the URL leads to a pooler, in transaction mode.
 */
export const connect = (url: string, connections = 16, { pooled = false } = {}): Database => {
  const each = withoutPrototype({ connectionString: url, pipeline: true, connectionTimeoutMillis: 5000 })
  const sendBatch = pooled ? sendUnnamed : send
  const pool = openPool(each, connections)
  const priority = openPriorityConnection(() => new pg.Client(each))
  const rowQueue = keyedQueue()
  // The people of one tenant never hold more than half of the connections, and those of all leave some to the server itself.
  const tenants = boundedQueue({
    ...{ concurrency: connections - Math.ceil(connections / 8), perKey: Math.ceil(connections / 2), backlog: Number.POSITIVE_INFINITY },
    ...{ maxWaitMs: each.connectionTimeoutMillis, refusal: 'unavailable' },
  })

  const listeners = new Set<(change: Change) => void>()
  const emit = (change: Change) => {
    for (const listener of listeners) listener(change)
  }

  /** The server's own work has no tenant and waits for the pool alone. */
  const withClient = <T>({ EnterpriseId }: Scope, work: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
    EnterpriseId ? tenants(() => lend(pool, work), { key: EnterpriseId }) : lend(pool, work)

  const inTx = <T>(scope: Scope, work: (db: Db) => Promise<T>): Promise<T> =>
    withClient(scope, async (client) => {
      const emitted: Change[] = []
      const deferred: Statement[] = []
      let [begun, ended] = [false, false]
      // It begins with its first statements, in one flush.
      const sendIn: Send = async (statements) => {
        // Work that continues after its transaction must not reach the next transaction.
        if (ended) throw new Error('The transaction is over.')
        const first = [...(begun ? [] : [begin, scoped(scope)]), ...deferred.splice(0)]
        begun = true
        return (await sendBatch(client, [...first, ...statements])).slice(first.length)
      }
      try {
        const result = await work(inside(sendIn, emitted, deferred))
        if (begun || deferred.length) await sendIn([commit])
        ended = true
        emitted.forEach(emit)
        return result
      } catch (error) {
        ended = true
        const undo = begun ? client.query('ROLLBACK') : Promise.resolve()
        await undo.then(
          () => rolledBack.add(error as object),
          () => {},
        )
        throw error
      }
    })

  const ask = (scope: Scope, statements: readonly Statement[]) =>
    withClient(scope, async (client) => (await sendBatch(client, [scoped(scope), ...statements])).slice(1))

  const as = (scope: Scope): Db => ({
    rows: async (query) => (await as(scope).all([query]))[0] as never,
    all: (queries) => ask(scope, queries.map(statement)) as never,
    deferred: async (query) => void (await as(scope).all([query])),
    tx: (work, row) => (row === undefined ? inTx(scope, work) : rowQueue(row, () => inTx(scope, work))),
    emit,
  })

  const all: Scope = { EnterpriseId: 0, platform: true }
  const system = as(all)

  return {
    as,
    lists: as,
    wrote: () => {},
    system,
    priorityRead: async (query) => {
      const client = priority.client()
      if (!client) return system.rows(query)
      const [, rows] = await sendBatch(client, [scoped(all), statement(query)]).catch(failed)
      return rows as never
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    // Not behind all calls that wait for a connection, as after a start when everybody comes back.
    ready: async () => {
      try {
        if (!(await priority.alive())) await pool.query('select 1')
        return true
      } catch {
        return false
      }
    },
    close: async () => {
      await priority.close()
      await pool.end()
    },
  }
}
