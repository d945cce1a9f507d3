import pg from 'pg'
import { applicationUrl } from './connect.ts'
import { locks } from './locks.ts'

const ask = async <T extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []) => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, query_timeout: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<T>(text, values)).rows[0]!
  } finally {
    void client.end().catch(() => {})
  }
}

const refused = (why: string) => new Error(`DATABASE_POOL_URL ${why}`)

/** Completes an address with the application's user and database. */
export const asApplication = (given: string, adminUrl: string): string => {
  const [own, url] = [new URL(applicationUrl(adminUrl).url), new URL(given)]
  if (!url.username) [url.username, url.password] = [own.username, own.password]
  if (!url.pathname.slice(1)) url.pathname = own.pathname
  return url.href
}

/**
 * The address at which the application uses the pooler. Without a user in it, it signs in as the application's role. Throws, by name, where
 * the pooler does not answer, signs in as somebody else, whom row-level security may not hold, or leads to another database.
 */
export const poolUrl = async (poolerUrl: string, adminUrl: string): Promise<string> => {
  const own = new URL(applicationUrl(adminUrl).url)
  const href = asApplication(poolerUrl, adminUrl)
  // Advisory locks are per database: a lock held here must be taken there.
  const holder = new pg.Client({ connectionString: adminUrl })
  holder.on('error', () => {})
  await holder.connect()
  try {
    await holder.query('select pg_advisory_lock($1)', [locks.pooler])
    const seen = await ask<{ role: string; free: boolean }>(href, `select session_user as role, pg_try_advisory_xact_lock($1) as free`, [
      locks.pooler,
    ]).catch((error: Error) => {
      throw refused(`does not work: ${error.message}. See docs/standby.md for what the pooler needs to know.`)
    })
    if (seen.role !== own.username) throw refused(`signs in as ${seen.role}; it must be ${own.username}, which sees only what it may.`)
    if (seen.free) throw refused('leads to another database than DATABASE_URL.')
    return href
  } finally {
    void holder.end().catch(() => {})
  }
}
