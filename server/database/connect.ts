import { createHash, createHmac } from 'node:crypto'
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from 'kysely'
import pg from 'pg'
import { Fault } from '../http/faults.ts'
import type { Change, Database, Db, Scope } from './db.ts'

// bigint and numeric as numbers: ids are safe in JSON (ruling 11). bigint 20, bigint[] 1016, numeric 1700.
pg.types.setTypeParser(20, Number)
pg.types.setTypeParser(1016 as 20, (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)))
pg.types.setTypeParser(1700, Number)

/** Kysely writes the SQL, pg sends it: only so do BEGIN, scope, statement and COMMIT leave in one flush (findings 17). */
const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** Statements are prepared once a connection; the bound keeps filters that people combine freely from filling the server. */
const prepared = new Map<string, string>()
const statement = ({ sql, parameters }: CompiledQuery) => {
  if (prepared.size < 1000 && !prepared.has(sql)) prepared.set(sql, createHash('sha1').update(sql).digest('base64url'))
  const name = prepared.get(sql)
  return { text: sql, values: parameters as unknown[], ...(name ? { name } : {}) }
}

const lost = /^(08|57P|53)|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|ENOENT/
const failed = (error: unknown): never => {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (lost.test(code) || /terminated|timeout exceeded when trying to connect|Connection ended/i.test(message))
    throw new Fault('unavailable')
  throw error
}

/** All settle before the connection goes back, and the statement that failed is the one reported: the rest only say "aborted". */
const flush = async <T>(client: pg.PoolClient, queries: (string | pg.QueryConfig)[]): Promise<T[]> => {
  const results = await Promise.allSettled(queries.map((q) => client.query(q as pg.QueryConfig)))
  const bad = results.filter((r) => r.status === 'rejected').map((r) => r.reason as { code?: string })
  if (bad.length) throw bad.find((e) => e.code !== '25P02') ?? bad[0]
  return results.map((r) => (r as PromiseFulfilledResult<pg.QueryResult>).value as unknown as T)
}

const setScope = (s: Scope): pg.QueryConfig => ({
  name: 'scope',
  text: "select set_config('role', $1, true), set_config('penstock.tenant', $2, true)",
  values: [s.platform ? 'penstock_platform' : 'penstock_tenant', String(s.EnterpriseId)],
})

const inside = (client: pg.PoolClient, told: Change[]): Db => {
  const db: Db = {
    rows: async <T>(query: RawBuilder<T>) => (await flush<pg.QueryResult>(client, [statement(query.compile(compiler))]))[0]!.rows as T[],
    all: async (queries) =>
      (
        await flush<pg.QueryResult>(
          client,
          queries.map((q) => statement(q.compile(compiler))),
        )
      ).map((r) => r.rows) as never,
    tx: (work) => work(db),
    tell: (change) => void told.push(change),
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

/** Opens the database as the application role, which owns nothing and sees only what its scope allows. */
export const connect = (url: string, connections = 16): Database => {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    pipeline: true,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 30_000,
    options: '-c statement_timeout=30000 -c timezone=UTC -c lock_timeout=10000',
  } as pg.PoolConfig)
  pool.on('error', () => {}) // an idle connection that breaks is replaced; the next query reports what is wrong
  pool.on('connect', (client) => client.on('error', () => {})) // nor may one that breaks between two statements end the process

  const listeners = new Set<(change: Change) => void>()
  const tell = (change: Change) => {
    for (const listener of listeners) listener(change)
  }

  const withClient = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect().catch(failed)
    let broken: Error | boolean = false
    try {
      return await work(client)
    } catch (error) {
      broken = lost.test((error as { code?: string }).code ?? '') || !('code' in (error as object)) ? (error as Error) : false
      return failed(error)
    } finally {
      client.release(broken)
    }
  }

  const as = (scope: Scope): Db => ({
    rows: async (query) => (await as(scope).all([query]))[0] as never,
    all: (queries) =>
      withClient(async (client) => {
        const results = await flush<pg.QueryResult>(client, [
          'BEGIN',
          setScope(scope),
          ...queries.map((q) => statement(q.compile(compiler))),
          'COMMIT',
        ])
        return results.slice(2, -1).map((r) => r.rows) as never
      }),
    tx: (work) =>
      withClient(async (client) => {
        const told: Change[] = []
        await flush(client, ['BEGIN', setScope(scope)])
        try {
          const result = await work(inside(client, told))
          await client.query('COMMIT')
          told.forEach(tell)
          return result
        } catch (error) {
          await client.query('ROLLBACK').catch(() => {})
          throw error
        }
      }),
    tell,
  })

  return {
    as,
    system: as({ EnterpriseId: 0, platform: true }),
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    ready: () =>
      pool.query('select 1').then(
        () => true,
        () => false,
      ),
    close: () => pool.end(),
  }
}
