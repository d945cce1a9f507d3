// One process at a time owns a database and everything that belongs to it: its readings, its alarms, its messages (docs/decisions/009). The owner's
// session holds a lock of PostgreSQL; when that session ends, however it does, the next process has it.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { applicationUrl } from './connect.ts'
import type { Database } from './db.ts'
import { connectDirectly } from './direct.ts'
import { locks } from './locks.ts'

/**
 * ms: standby poll; renewal of the owner's lease, and its duration; retry interval for a session and its lock; what
 * the standby leaves to the owner after PostgreSQL was down; how long a responsive PostgreSQL may refuse the owner its lock.
 */
const times = { look: 100, prove: 2000, proof: 10_000, again: 250, courtesy: 3000, refused: 2000 }
/** PostgreSQL ends the session of a host that is silent after 14 s: later than a proof ends, so that the old owner has stopped by then. */
const keepalive = '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=3 -c tcp_keepalives_count=3 -c tcp_user_timeout=14000'

export type Lease = ReturnType<typeof openLease>

const shut = (client: pg.Client | undefined) => void client?.end().catch(() => {})
const nameOf = (mark: string) => `penstock owner ${mark}`
const openSession = async (url: string, mark: string) => {
  const more = { options: keepalive, application_name: nameOf(mark), connectionTimeoutMillis: 5000, query_timeout: times.proof }
  const client = new pg.Client({ connectionString: url, ...more })
  client.on('error', () => {})
  await connectDirectly(client)
  return client
}
const takes = async (client: pg.Client) =>
  (await client.query<{ mine: boolean }>(`select pg_try_advisory_lock($1) as mine`, [locks.owner])).rows[0]!.mine

/** Opens a session as soon as PostgreSQL can be reached. */
const reopened = async (url: string, mark: string, isWanted: () => boolean) => {
  for (; isWanted(); await pause(times.again)) {
    const client = await openSession(url, mark).catch(() => undefined)
    if (client) return client
  }
  throw new Error('It was stopped while it stood by.')
}

/** The mark that the latest owner left. */
const readMark = async (database: Database | undefined) => {
  const [row] = (await database?.system.rows<{ Value: Buffer }>(sql`select "Value" from secret where "Name" = 'owner'`)) ?? []
  return row?.Value.toString()
}

/** Whether the lock is ours again: false for another process's, undefined for one that is not to be had just now. */
const regained = async (client: pg.Client, mark: string, isSigned: () => Promise<boolean>): Promise<boolean | undefined> => {
  // Our own former session, whose end PostgreSQL has not noticed yet.
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()', [
    nameOf(mark),
  ])
  const isFree = await takes(client)
  return (await isSigned()) ? isFree || undefined : false
}

/** What is left of the owner before, as on a host that was cut off: its transactions would go on, and hold rows. */
const endOthers = async (client: pg.Client, url: string, log: Pick<Logger, 'warn'>) => {
  const others = `from pg_stat_activity where datname = current_database() and usename = 'penstock_app' and pid <> pg_backend_pid()`
  if (!(await client.query(`select ${others}`)).rowCount) return
  // By their own role, as which everybody may.
  const one = new pg.Client({ connectionString: applicationUrl(url).url, connectionTimeoutMillis: 5000 })
  one.on('error', () => {})
  try {
    await one.connect()
    await one.query(`select pg_terminate_backend(pid, 5000) ${others}`)
  } catch (err) {
    log.warn({ err }, 'sessions of the process before could not be ended')
  } finally {
    shut(one)
  }
}

/** The session that holds the lock, and when PostgreSQL last answered over it. `lost`: it has ended. */
const createOwnership = (lost: (client: pg.Client) => void) => {
  let held: pg.Client | undefined
  let provedAt = Number.NEGATIVE_INFINITY
  let proving: NodeJS.Timeout | undefined
  const own = (client: pg.Client, since: number) => {
    held = client
    provedAt = since
    let asking = false
    proving = setInterval(() => {
      if (asking) return
      asking = true
      const askedAt = performance.now()
      const proved = () => {
        provedAt = askedAt
        asking = false
      }
      client.query('select 1').then(proved, () => lost(client))
    }, times.prove).unref()
    client.once('end', () => lost(client))
  }
  const letGo = () => {
    clearInterval(proving)
    held = undefined
  }
  const isOwner = () => held !== undefined && performance.now() - provedAt < times.proof
  return { held: () => held, own, letGo, isOwner }
}

/** `onLost`: another process became the owner. Memory is outdated, and this process must end. */
export const openLease = (log: Pick<Logger, 'warn'>, onLost: (error: Error) => void) => {
  const mark = randomUUID()
  let url = ''
  let signed: Database | undefined
  /** Changes when what is waited for is wanted no more. */
  let life = 0
  let isGivenUp = false

  const { held, own, letGo, isOwner } = createOwnership((client) => {
    if (held() !== client) return
    letGo()
    shut(client)
    log.warn(
      'The session that makes this process the owner has ended. Until it has one again, readings wait where another could take over.',
    )
    void regain(++life)
  })

  /** Whether no other process was the owner since `sign`. */
  const isSigned = async () => (await readMark(signed)) === mark
  const regain = async (mine: number) => {
    for (let refused = 0; mine === life; await pause(times.again, undefined, { ref: false })) {
      const client = await openSession(url, mark).catch(() => undefined)
      const askedAt = performance.now()
      const is = client && (await regained(client, mark, isSigned).catch(() => 'away' as const))
      if (mine !== life) return shut(client)
      if (client && is === true) {
        log.warn('This process has the session of the owner again; no other was the owner meanwhile.')
        return own(client, askedAt)
      }
      shut(client)
      if (client && is === undefined) refused += times.again
      if (is === false || refused > times.refused)
        return onLost(new Error('Another process has taken this database over: this one ends. Started again, it stands by.'))
    }
  }

  return {
    /**
     * Resolves when this process is the owner of the database. While another is, `standBy` is open; it may throw to wait no longer.
     * Throws when PostgreSQL cannot be reached at first, or when `giveUp` is aborted first.
     */
    hold: async (adminUrl: string, standBy: () => Promise<() => unknown>) => {
      if (held() && url === adminUrl) return
      url = adminUrl
      const mine = ++life
      let client = await openSession(url, mark)
      let askedAt = performance.now()
      let stop: (() => unknown) | undefined
      try {
        for (let is = await takes(client).catch(() => undefined), looks = 1; !is; looks++) {
          await pause(times.look)
          if (is === undefined) {
            shut(client)
            client = await reopened(url, mark, () => mine === life && !isGivenUp)
            if (stop) await pause(times.courtesy)
          }
          if (isGivenUp) throw new Error('It was stopped while it stood by.')
          askedAt = performance.now()
          is = await takes(client).catch(() => undefined)
          if (!is && looks === 1) stop = await standBy()
        }
        if (mine !== life) throw new Error('It was stopped while it stood by.')
        await stop?.()
        stop = undefined
        own(client, askedAt)
        await endOthers(client, url, log)
      } catch (error) {
        letGo()
        shut(client)
        await stop?.()
        throw error
      }
    },
    /** Leaves this process's mark in the database, by which it knows later that no other one was the owner in between. */
    sign: async (database: Database) => {
      await database.system.rows(
        sql`insert into secret ("Name", "Value") values ('owner', ${Buffer.from(mark)}) on conflict ("Name") do update set "Value" = excluded."Value"`,
      )
      signed = database
    },
    /** Whether no other process can be the owner now, by an answer of PostgreSQL's of the last seconds. */
    isOwner,
    /** Ends standby, now or later: its `hold` throws. */
    giveUp: () => {
      isGivenUp = true
    },
    /** Ends it: the next process may have it. */
    release: async () => {
      life++
      const was = held()
      letGo()
      signed = undefined
      await was?.end().catch(() => {})
    },
  }
}
