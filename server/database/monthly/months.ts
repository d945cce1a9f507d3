// Partitions append-only tables by month (UTC), so that retention drops partitions instead of deleting rows. There is no
// default partition, since months could not be detached concurrently then (PostgreSQL, ALTER TABLE ... DETACH PARTITION).
import pg from 'pg'
import { connectDirectly } from '../direct.ts'
import { isPlain, partitionTable, withoutBorder } from './partition.ts'
import { type Month, type MonthlyTable, monthlyTables, monthNamed, monthOf, nameOf } from './tables.ts'

/** Number of partitions created in advance. */
const ahead = 3
/** Comment set before a partition is detached, so that an interrupted drop can be finished at the next start. */
const forgotten = 'forgotten'

/** Partitions of a table, oldest first. `forgotten`: a process was about to remove it. */
const monthsOf = async (client: pg.Client, table: string) => {
  const { rows } = await client.query<{ name: string; attached: boolean; pending: boolean; forgotten: boolean }>(
    `select c.relname as name, i.inhparent is not null as attached, coalesce(i.inhdetachpending, false) as pending,
      coalesce(obj_description(c.oid, 'pg_class') = $2, false) as forgotten
     from pg_class c left join pg_inherits i on i.inhrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname like $1 order by 1`,
    [`${table}\\_%`, forgotten],
  )
  return rows
    .flatMap((row) => [monthNamed(table, row.name)].flatMap((month) => (month ? [{ ...row, ...month }] : [])))
    .sort((a, b) => Number(a.to) - Number(b.to))
}

const nowOf = async (client: pg.Client) => (await client.query<{ now: Date }>('select now()')).rows[0]!.now

/** Creates the table first and attaches it then: attaching blocks neither reads nor writes on the parent. */
const makeMonth = async (client: pg.Client, { table }: MonthlyTable, from: Date) => {
  const [name, to] = [nameOf(table, from), monthOf(from, 1)]
  await client.query('begin')
  try {
    await client.query(`create table "${name}" (like ${table} including defaults including storage including compression)`)
    await client.query(
      `alter table ${table} attach partition "${name}" for values from ('${from.toISOString()}') to ('${to.toISOString()}')`,
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** Finishes interrupted detach and drop operations. */
const finish = async (client: pg.Client, table: string) => {
  for (const { name, attached, pending, forgotten } of await monthsOf(client, table)) {
    if (pending) await client.query(`alter table ${table} detach partition "${name}" finalize`)
    if (forgotten && (!attached || pending)) await client.query(`drop table "${name}"`)
  }
}

const keepTable = async (client: pg.Client, monthly: MonthlyTable, isSmall: boolean) => {
  const { table } = monthly
  if (await isPlain(client, table)) {
    await withoutBorder(client, table)
    if (isSmall && (await client.query(`select from ${table} offset 20000 limit 1`)).rowCount) return
    await partitionTable(client, monthly, await nowOf(client))
  }
  await finish(client, table)
  const [now, there] = [await nowOf(client), await monthsOf(client, table)]
  const last = there.filter((m) => m.attached).at(-1)!.to
  for (let month = last; month <= monthOf(now, ahead); month = monthOf(month, 1)) await makeMonth(client, monthly, month)
}

/**
 * Partitions tables and creates the partitions of the next three months. `isSmall`: skips large tables, since that
 * takes a minute and can run while the server works.
 */
export const keepMonths = async (client: pg.Client, { isSmall = false, tables = monthlyTables } = {}) => {
  for (const monthly of tables) await keepTable(client, monthly, isSmall)
}

const directly = async <T>(adminUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 5000, options: '-c timezone=UTC' })
  client.on('error', () => {})
  await connectDirectly(client)
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Partitions that end at or before a time, oldest first. */
export const monthsBefore = (adminUrl: string, table: string, before: Date): Promise<Month[]> =>
  directly(adminUrl, async (client) =>
    (await monthsOf(client, table))
      .filter((m) => m.attached && !m.pending && m.to <= before)
      .map(({ name, from, to }) => ({ name, from, to })),
  )

/** Detaches and drops a partition without blocking reads or writes. */
export const removeMonth = (adminUrl: string, table: string, { name }: Month): Promise<void> =>
  directly(adminUrl, async (client) => {
    await client.query(`comment on table "${name}" is '${forgotten}'`)
    await client.query(`alter table ${table} detach partition "${name}" concurrently`)
    await client.query(`drop table "${name}"`)
  })

/** End of the last partition of each table. Unpartitioned tables are omitted. */
const endsOf = async (client: pg.Client) => {
  const ends = new Map<string, Date>()
  for (const { table } of monthlyTables) {
    const last = (await monthsOf(client, table)).filter((m) => m.attached).at(-1)
    if (last) ends.set(table, last.to)
  }
  return ends
}
/** Number of months between the current one and `end`. */
const monthsUntil = (end: Date, now: Date) => (end.getUTCFullYear() - now.getUTCFullYear()) * 12 + end.getUTCMonth() - now.getUTCMonth() - 1

type Missing = (of: { table: string; month: Date }) => void

/** Creates partitions in advance, every `everyMs`. Calls `missing` if next month's partition does not exist. */
export const openMonths = (
  adminUrl: string,
  { log, missing, everyMs = 3_600_000 }: { log: { warn(fields: object, text: string): void }; missing: Missing; everyMs?: number },
) => {
  let busy: Promise<void> | undefined
  let ends = new Map<string, Date>()
  const keep = async (client: pg.Client) => {
    await keepMonths(client).catch((err) => log.warn({ err }, 'months of tables that grow could not be made'))
    ends = await endsOf(client)
    const next = monthOf(await nowOf(client), 1)
    for (const [table, end] of ends) if (end <= next) missing({ table, month: next })
  }
  const look = () => {
    busy ??= directly(adminUrl, keep)
      .catch((err) => log.warn({ err }, 'months of tables that grow could not be looked at'))
      .finally(() => {
        busy = undefined
      })
    return busy
  }
  void look()
  const timer = setInterval(() => void look(), everyMs).unref()
  return {
    look,
    /** Number of partitions created in advance, by table; empty before the first run. */
    ahead: (now: number) => [...ends].map(([table, end]) => ({ table, months: monthsUntil(end, new Date(now)) })),
    async close() {
      clearInterval(timer)
      await busy
    },
  }
}
