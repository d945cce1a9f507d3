// Partitions a table online: it becomes the first partition of a new table with its
// name, policies, grants and indexes. Slow steps run beforehand, so the swap takes milliseconds.
import type pg from 'pg'
import { type MonthlyTable, monthOf, pastName } from './tables.ts'

/** Safety margin: the first partition must accept rows that arrive before the swap. */
const dayMs = 86_400_000
const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')

export const isPlain = async (client: pg.Client, table: string) =>
  (await client.query<{ kind: string }>(`select relkind as kind from pg_class where oid = $1::regclass`, [`public.${table}`])).rows[0]
    ?.kind === 'r'

type Index = { name: string; definition: string; unique: boolean }
const indexesOf = async (client: pg.Client, table: string) =>
  (
    await client.query<Index>(
      `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition, i.indisunique as unique
       from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = $1::regclass order by 1`,
      [`public.${table}`],
    )
  ).rows

/** Statements that copy policies and grants to the new table. */
const doorsOf = async (client: pg.Client, table: string) => {
  const at = [`public.${table}`]
  const policies = await client.query<{ text: string }>(
    `select format('create policy %I on %s as %s for %s to %s%s%s', p.policyname, $1::text, p.permissive, p.cmd,
       (select string_agg(quote_ident(r), ', ') from unnest(p.roles) r),
       case when p.qual is null then '' else format(' using (%s)', p.qual) end,
       case when p.with_check is null then '' else format(' with check (%s)', p.with_check) end) as text
     from pg_policies p where p.schemaname || '.' || p.tablename = $1`,
    at,
  )
  const rights = await client.query<{ text: string }>(
    `select format('grant %s on %s to %I', x.privilege_type, $1::text, x.grantee::regrole::text) as text
       from pg_class c, aclexplode(c.relacl) x where c.oid = $1::regclass and x.grantee <> 0 and x.grantee <> c.relowner
     union all
     select format('grant %s (%I) on %s to %I', x.privilege_type, a.attname, $1::text, x.grantee::regrole::text)
       from pg_attribute a, aclexplode(a.attacl) x where a.attrelid = $1::regclass and x.grantee <> 0`,
    at,
  )
  const closed = [`alter table ${at[0]} enable row level security`, `alter table ${at[0]} force row level security`]
  return [...closed, ...[...policies.rows, ...rights.rows].map((row) => row.text)]
}

/** lock_not_available */
const busy = '55P03'

/** Runs `work` under an exclusive lock, with a lock timeout of 0.2 s and retries. Returns how long the lock was held, in ms. */
const briefly = async (client: pg.Client, table: string, work: () => Promise<unknown>): Promise<number> => {
  for (;;) {
    await client.query('begin')
    try {
      await client.query(`set local lock_timeout = '200ms'`)
      await client.query(`lock table ${table} in access exclusive mode`)
      const since = performance.now()
      await work()
      await client.query('commit')
      return performance.now() - since
    } catch (error) {
      await client.query('rollback')
      if ((error as { code?: string }).code !== busy) throw error
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
}

/** Drops the check constraint of an interrupted attempt, which would reject later rows. */
export const withoutBorder = async (client: pg.Client, table: string) => {
  const { rowCount } = await client.query('select from pg_constraint where conrelid = $1::regclass and conname = $2', [
    `public.${table}`,
    `${table}_until`,
  ])
  if (rowCount) await briefly(client, table, () => client.query(`alter table ${table} drop constraint ${table}_until`))
}

/** Builds the unique indexes with the time column and validates the upper bound. */
const prepare = async (client: pg.Client, { table, time, keys }: MonthlyTable, border: Date) => {
  await withoutBorder(client, table)
  for (const key of keys) await client.query(`drop index concurrently if exists "${key.name}_timed"`)
  await briefly(client, table, () =>
    client.query(`alter table ${table} add constraint ${table}_until check ("${time}" < '${border.toISOString()}') not valid`),
  )
  await client.query(`alter table ${table} validate constraint ${table}_until`)
  for (const { name, columns } of keys)
    await client.query(`create unique index concurrently "${name}_timed" on ${table} (${quoted([...columns, time])})`)
}

type Like = { indexes: Index[]; doors: string[] }
const exchange = async (client: pg.Client, { table, time, keys }: MonthlyTable, border: Date, { indexes, doors }: Like) => {
  const past = pastName(table, border)
  const others = indexes.filter(({ name }) => !keys.some((key) => [key.name, `${key.name}_timed`].includes(name)))
  const sequence = `"${table}_Id_seq"`
  const [given] = (await client.query<{ last: string; called: boolean }>(`select last_value as last, is_called as called from ${sequence}`))
    .rows
  const [primary, ...unique] = keys
  const statements = [
    `alter table ${table} rename to ${past}`,
    `alter table ${past} alter "Id" drop identity`,
    `alter table ${past} drop constraint ${primary!.name}`,
    `alter table ${past} add constraint ${past}_pkey primary key using index "${primary!.name}_timed"`,
    ...unique.map(({ name }) => `drop index "${name}"`),
    ...others.map(({ name }) => `alter index "${name}" rename to "${name}_${past.slice(table.length + 1)}"`),
    `create table ${table} (like ${past} including defaults including comments including storage including compression) partition by range ("${time}")`,
    `alter table ${table} alter "Id" add generated always as identity`,
    `select setval('${sequence}', ${given!.last}, ${given!.called})`,
    `alter table ${table} add constraint ${primary!.name} primary key (${quoted([...primary!.columns, time])})`,
    ...unique.map(({ name, columns }) => `create unique index "${name}" on ${table} (${quoted([...columns, time])})`),
    ...others.map(({ definition }) => definition),
    `alter table ${table} attach partition ${past} for values from (minvalue) to ('${border.toISOString()}')`,
    `alter table ${past} drop constraint ${table}_until`,
    ...doors,
    // Partitions are accessible through the parent only.
    `revoke all on ${past} from penstock_tenant, penstock_platform`,
    `alter table ${past} disable row level security`,
  ]
  for (const statement of statements) await client.query(statement)
}

/**
 * Safe to run again after a process ended in between. Throws what PostgreSQL refuses; the table goes on as it was then. Answers how long
 * others waited for the exchange, ms.
 */
export const partitionTable = async (client: pg.Client, monthly: MonthlyTable, now: Date): Promise<number> => {
  const border = monthOf(new Date(now.getTime() + 2 * dayMs), 1)
  await prepare(client, monthly, border)
  const like = { indexes: await indexesOf(client, monthly.table), doors: await doorsOf(client, monthly.table) }
  return briefly(client, monthly.table, () => exchange(client, monthly, border, like))
}
