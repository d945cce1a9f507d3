// Routes list queries to a read replica, with read-your-writes: until the replica has replayed a company's last
// change, its lists are read from the primary.
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database, Db, Scope } from './db.ts'

type Log = { warn(fields: object, text: string): void; info(text: string): void }

/** Polling interval and maximum replication lag, ms. */
const [lookMs, mostBehindMs] = [100, 10_000]

/** read_only_sql_transaction, and conflict with recovery. */
const refused = /^(25006|40001)$/

/**
 * `primary` with lists from `replica`. A replica of another database, or one that signs in as another role, is never asked; neither is one that is
 * away or more than ten seconds behind.
 */
export const withReplica = (primary: Database, replica: Database, log: Log): Database => {
  /** Time of each company's last write or change event; 0 is any company. */
  const wroteAt = new Map<number, number>()
  const mark = (EnterpriseId: number) => {
    const now = performance.now()
    wroteAt.set(EnterpriseId, now).set(0, now)
  }
  const unlisten = primary.onChange(({ EnterpriseId }) => mark(EnterpriseId))

  /** The replica has replayed everything committed before this time. */
  let syncedAt = Number.NEGATIVE_INFINITY
  let isUsed: boolean | undefined
  let closed = false
  const tell = (works: boolean, fields: object) => {
    if (works === isUsed) return
    isUsed = works
    if (works) log.info('Lists come from the replica.')
    else log.warn(fields, 'The replica of DATABASE_REPLICA_URL is not asked: it is away, behind, or not one of this database.')
  }
  const owner = sql`(select encode("Value", 'hex') from secret where "Name" = 'owner')`
  const look = async () => {
    const askedAt = performance.now()
    const [here] = await primary.system.rows(
      sql<{ at: string; owner: string }>`select pg_current_wal_flush_lsn()::text as at, ${owner} as owner`,
    )
    const [there] = await replica.system.rows(
      sql<{ has: boolean; owner: string; role: string }>`
        select coalesce(pg_last_wal_replay_lsn() >= ${here!.at}::pg_lsn, false) as has, ${owner} as owner, session_user as role`,
    )
    if (there!.has && there!.owner === here!.owner && there!.role === 'penstock_app') syncedAt = askedAt
  }
  const looking = (async () => {
    while (!closed) {
      const error = await look().then(
        () => undefined,
        (err: unknown) => err,
      )
      tell(performance.now() - syncedAt < mostBehindMs, { err: error })
      await pause(lookMs, undefined, { ref: false })
    }
  })()

  const isFresh = ({ EnterpriseId, platform }: Scope) =>
    performance.now() - syncedAt < mostBehindMs && (wroteAt.get(platform ? 0 : EnterpriseId) ?? Number.NEGATIVE_INFINITY) < syncedAt

  const lists = (scope: Scope): Db => {
    const db = primary.as(scope)
    if (!isFresh(scope)) return db
    const other = replica.as(scope)
    const all: Db['all'] = (queries) =>
      other.all(queries).catch((error: { code?: string; key?: string }) => {
        if (error.key !== 'unavailable' && !refused.test(error.code ?? '')) throw error
        return db.all(queries)
      })
    return { ...db, all, rows: async (query) => (await all([query]))[0] as never }
  }

  return {
    ...primary,
    lists,
    wrote: ({ EnterpriseId }) => mark(EnterpriseId),
    close: async () => {
      closed = true
      unlisten()
      await looking
      await replica.close()
      await primary.close()
    },
  }
}
