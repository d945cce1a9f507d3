import { createHash, createHmac } from 'node:crypto'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, type RawBuilder } from 'kysely'
import pg from 'pg'
import { withoutPrototype } from '../../contract/prototypes.ts'
import { Fault } from '../http/faults.ts'
import { type Statement, send } from './batch.ts'
import type { Change, Database, Db, Rows, Scope } from './db.ts'
import { type Reach, traitsOf } from './reach.ts'
import { openTurns } from './turns.ts'
import { copies, type Kept, openUnchanged, own, type Place, seenIn, snapshot } from './unchanged.ts'

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
  if (lost.test(code) || /terminated|timeout exceeded when trying to connect|Connection ended/i.test(message))
    throw new Fault('unavailable')
  throw error
}

const begin: Statement = { name: 'begin', text: 'begin', values: [] }
const commit: Statement = { name: 'commit', text: 'commit', values: [] }
const scoped = (s: Scope): Statement => ({
  name: 'scope',
  text: `select set_config('role', $1, true), set_config('penstock.tenant', $2, true), set_config('penstock.user', $3, true),
    pg_current_snapshot()::text as "Seen"`,
  values: [s.platform ? 'penstock_platform' : 'penstock_tenant', String(s.EnterpriseId), s.UserId ? String(s.UserId) : ''],
})

/**
 * Statements that only read, and where their answer is kept; they are made once for all who ask the same. `parts` has a place of its own
 * for each that depends on less than they all do, as the number of rows does beside the names that stand in them.
 */
type Question = { statements: readonly Statement[]; place: Place | undefined; parts: readonly (Place | undefined)[] }
const mostQuestions = 4000

type Send = (statements: readonly Statement[]) => ReturnType<typeof send>

const inside = (send: Send, told: Change[], late: Statement[]): Db => {
  const db: Db = {
    rows: async (query) => (await db.all([query]))[0] as never,
    all: async (queries) => (await send(queries.map(statement))) as never,
    unchanged: (queries) => db.all(queries),
    unchangedText: async (_of, queries, write) => write(await db.all(queries())),
    tx: (work) => work(db),
    late: async (query) => void late.push(statement(query)),
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
  const each = withoutPrototype({
    connectionString: url,
    pipeline: true,
    connectionTimeoutMillis: 5000,
    options: '-c statement_timeout=30000 -c timezone=UTC -c lock_timeout=10000',
  })
  const pool = new pg.Pool(withoutPrototype<pg.PoolConfig>({ ...each, max: connections, idleTimeoutMillis: 30_000 }))
  const unchanged = openUnchanged(() => new pg.Client(each))
  const turns = openTurns()
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

  /** Sends statements of one transaction, and tells what is kept how far its writes reach as soon as it has a number. */
  const following = (client: pg.PoolClient, scope: Scope): Send => {
    const born = unchanged.life()
    const reach: Reach = { tenant: scope.platform ? undefined : String(scope.EnterpriseId), tables: new Set() }
    let known = false
    return async (statements) => {
      const traits = statements.map(traitsOf)
      for (const { writesTo } of traits) reach.tables = writesTo && reach.tables?.union(writesTo)
      if (known || !traits.some(({ writes }) => writes)) return send(client, statements)
      const at = statements.at(-1) === commit ? statements.length - 1 : statements.length
      const answers = await send(client, statements.toSpliced(at, 0, own))
      const number = answers.splice(at, 1)[0]?.[0]?.Own
      known = typeof number === 'string'
      unchanged.wrote(born, number, reach)
      return answers
    }
  }

  const inTx = <T>(scope: Scope, work: (db: Db) => Promise<T>): Promise<T> =>
    withClient(async (client) => {
      const told: Change[] = []
      const sending = following(client, scope)
      const late: Statement[] = []
      let begun = false
      // It begins with its first statements, in one flush.
      const sendIn: Send = async (statements) => {
        const first = [...(begun ? [] : [begin, scoped(scope)]), ...late.splice(0)]
        begun = true
        return (await sending([...first, ...statements])).slice(first.length)
      }
      try {
        const result = await work(inside(sendIn, told, late))
        if (begun || late.length) await sendIn([commit])
        told.forEach(tell)
        return result
      } catch (error) {
        await client.query('ROLLBACK').catch(() => {})
        throw error
      }
    })

  const ask = (scope: Scope, statements: readonly Statement[]) =>
    withClient(async (client) => (await following(client, scope)([scoped(scope), ...statements])).slice(1))

  /** What is kept, or what `make` makes of the rows, which is kept from now on. */
  const kept = async <K extends Kept>(scope: Scope, { statements, place, parts }: Question, make: (rows: Rows[]) => K): Promise<K> => {
    if (!place) return make(await ask(scope, statements))
    const held = await unchanged.get(place)
    if (held) return held.kept as K
    const born = unchanged.life()
    const found = await Promise.all(parts.map((part) => part && unchanged.get(part)))
    const missing = statements.filter((_, i) => !found[i])
    const [first, ...read] = await withClient((client) => send(client, [scoped(scope), ...missing, snapshot]))
    const [before, after] = [seenIn(first), seenIn(read.pop())]
    const rows = statements.map((_, i) => (found[i]?.kept[0] as Rows) ?? read.shift()!)
    for (const [i, part] of parts.entries()) if (part && !found[i]) unchanged.put(part, born, before, after, [rows[i]!])
    const made = make(rows)
    unchanged.put(place, born, found.find(Boolean)?.seen ?? before, after, made)
    return made
  }
  const questionOf = (scope: Scope, queries: readonly RawBuilder<unknown>[], as: 'rows' | 'text'): Question => {
    const statements = queries.map(statement)
    const place = unchanged.placeOf([scoped(scope), ...statements], as)
    const parts = statements.map((s) => {
      const part = place && unchanged.placeOf([scoped(scope), s], 'part')
      return part && part.reading.tables.size < place.reading.tables.size ? part : undefined
    })
    return { statements, place, parts }
  }
  const questions = new Map<string, Question>()
  const askedBefore = (scope: Scope, of: string, queries: () => readonly RawBuilder<unknown>[]): Question => {
    const key = `${scoped(scope).values} ${of}`
    const question = questions.get(key) ?? questionOf(scope, queries(), 'text')
    questions.delete(key)
    questions.set(key, question)
    if (questions.size > mostQuestions) questions.delete(questions.keys().next().value!)
    return question
  }

  const as = (scope: Scope): Db => ({
    rows: async (query) => (await as(scope).all([query]))[0] as never,
    all: (queries) => ask(scope, queries.map(statement)) as never,
    unchanged: async (queries) => copies(await kept(scope, questionOf(scope, queries, 'rows'), (rows) => rows)) as never,
    unchangedText: (of, queries, write) => kept(scope, of ? askedBefore(scope, of, queries) : questionOf(scope, queries(), 'text'), write),
    late: async (query) => void (await as(scope).all([query])),
    tx: (work, row) => (row === undefined ? inTx(scope, work) : turns(row, () => inTx(scope, work))),
    tell,
  })

  const all: Scope = { EnterpriseId: 0, platform: true }
  const system = as(all)

  return {
    as,
    system,
    ahead: async (query) => {
      const watching = unchanged.watching()
      if (!watching) return system.rows(query)
      const [, rows] = await send(watching, [scoped(all), statement(query)]).catch(failed)
      return rows as never
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    // Not behind all calls that wait for a connection, as after a start when everybody comes back.
    ready: async () => {
      try {
        if (!(await unchanged.alive())) await pool.query('select 1')
        return true
      } catch {
        return false
      }
    },
    close: async () => {
      await unchanged.close()
      await pool.end()
    },
  }
}
