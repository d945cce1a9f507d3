// Dumps the database in one repeatable-read transaction while writes continue: every table in PostgreSQL's COPY format, ordered by key.
// Streams the rows, so memory does not grow with the tables.
import { join } from 'node:path'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { runningSecrets } from '../../../../../server/identity/installation.ts'
import { measuring, writeStream } from './files.ts'
import type { Manifest, TableEntry } from './manifest.ts'
import { neverDumped } from './manifestSchema.ts'

/** Main resources whose counts describe the size of an installation: resource to table. */
export const things = {
  enterprise: 'enterprise',
  user: 'user',
  project: 'project',
  gateway: 'gateway',
  device: 'device',
  point: 'point',
  alarmInfo: 'alarm_info',
}

type Table = { name: string; columns: string[]; key: string[]; bytes: number }

const tablesOf = async (client: pg.Client): Promise<Table[]> =>
  (
    await client.query<Table>(`
      select c.relname as name,
        coalesce((select sum(pg_table_size(t.relid)) from pg_partition_tree(c.oid) t), pg_table_size(c.oid))::float8 as bytes,
        array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
        array(select a.attname::text from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
          where i.indrelid = c.oid and i.indisprimary order by array_position(i.indkey::int2[], a.attnum)) as key
      from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1`)
  ).rows.filter(({ name }) => !neverDumped.includes(name))

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
/** Leaves out secret keys, so that nobody can sign with the keys of an archive. */
const withoutKeys = (table: string) =>
  table === 'secret' ? ` where "Name" not in (${runningSecrets.map((name) => `'${name}'`).join(', ')})` : ''

type Dump = Pick<Manifest, 'Migrations' | 'Tables' | 'Things'>

/**
 * Writes the tables into `folder`, then runs `during` in the same snapshot, and reads the sequences last,
 * so that Ids assigned in the meantime are not assigned again. `onProgress`: fraction done, 0 to 1.
 */
export const dumpDatabase = async (
  { adminUrl, applicationUrl }: { adminUrl: string; applicationUrl: string },
  folder: string,
  onProgress: (part: number) => void,
  during: () => Promise<void>,
): Promise<Dump & Pick<Manifest, 'Sequences'>> => {
  const admin = new pg.Client({ connectionString: adminUrl })
  // Row-level security also applies to the owner; the platform's role sees every row.
  // Dumping a table may exceed the statement timeout of the role.
  const options = '-c datestyle=ISO -c extra_float_digits=1 -c statement_timeout=0 -c lock_timeout=0'
  const client = new pg.Client({ connectionString: applicationUrl, options })
  await admin.connect()
  try {
    await client.connect()
    const Migrations = (await admin.query<{ name: string; hash: string }>('select name, hash from migration order by time, name')).rows.map(
      (m): [string, string] => [m.name, m.hash],
    )
    const tables = await tablesOf(admin)
    await client.query('begin isolation level repeatable read read only')
    await client.query('set local role penstock_platform')
    const all = tables.reduce((sum, { bytes }) => sum + bytes, 1)
    let done = 0
    const Tables: TableEntry[] = []
    for (const { name, columns, key, bytes } of tables) {
      const order = key.length ? ` order by ${key.map(quoted).join(', ')}` : ''
      const rows = client.query(
        copyTo(`copy (select ${columns.map(quoted).join(', ')} from ${quoted(name)}${withoutKeys(name)}${order}) to stdout`),
      )
      const [content, packed] = [measuring(), measuring()]
      const Name = `${name}.copy.gz`
      const Size = await writeStream(rows, join(folder, Name), content.through, createGzip({ level: 4 }), packed.through)
      Tables.push({
        Table: name,
        Columns: columns,
        Rows: content.count.lines,
        Content: content.sha256(),
        Name,
        Size,
        Sha256: packed.sha256(),
      })
      done += bytes
      onProgress(done / all)
    }
    await client.query('commit')
    await during()
    const Sequences = (
      await admin.query<{ name: string; last: string | null }>(
        `select sequencename as name, last_value::text as last from pg_sequences where schemaname = 'public' order by 1`,
      )
    ).rows.map(({ name, last }) => ({ Name: name, Last: Number(last ?? 1), Called: last !== null }))
    const Things = Object.fromEntries(
      Object.entries(things).map(([thing, table]) => [thing, Tables.find((t) => t.Table === table)?.Rows ?? 0]),
    )
    return { Migrations, Tables, Sequences, Things }
  } finally {
    await client.end().catch(() => {})
    await admin.end().catch(() => {})
  }
}
