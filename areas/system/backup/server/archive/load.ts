import { createReadStream, readFileSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { locks } from '../../../../../server/database/locks.ts'
import { migrationHash, migrationsFolder } from '../../../../../server/database/migrate.ts'
import { Fault } from '../../../../../server/http/faults.ts'
import { runningSecrets } from '../../../../../server/identity/installation.ts'
import { quoted } from './dump.ts'
import { measuring } from './files.ts'
import type { Manifest, TableEntry } from './manifest.ts'

/** out_of_memory: PostgreSQL's table of locks is full. */
const tooFewLocks = '53200'

/** Checks that this version has the migrations of the backup. Throws Fault backupOther with the first one that is missing or differs. */
export const checkMigrations = ({ Migrations }: Pick<Manifest, 'Migrations'>) => {
  for (const [name, hash] of Migrations) if (migrationHash(name) !== hash) throw new Fault('backupOther', { migration: name })
}

const loadTable = async (client: pg.Client, table: TableEntry, path: string) => {
  const name = quoted(table.Table)
  // Row-level security applies to the owner, too, and triggers would add rows that the backup already contains.
  await client.query(`alter table ${name} no force row level security; alter table ${name} disable trigger user`)
  const content = measuring()
  await pipeline(
    createReadStream(path),
    createGunzip(),
    content.through,
    client.query(copyFrom(`copy ${name} (${table.Columns.map(quoted).join(', ')}) from stdin`)),
  )
  if (content.sha256() !== table.Content || content.count.lines !== table.Rows) throw new Fault('backupDamaged', { file: table.Name })
  await client.query(`alter table ${name} enable trigger user`)
}

/** Current signing keys, which survive a restore, so that sessions and file addresses stay valid. Empty on a new machine. */
const runningKeys = async (client: pg.Client) => {
  const { rows } = await client.query<{ there: boolean }>(`select to_regclass('public.secret') is not null as there`)
  if (!rows[0]!.there) return []
  await client.query('alter table secret no force row level security')
  const found = await client.query<{ Name: string; Value: Buffer }>('select "Name", "Value" from secret where "Name" = any($1)', [
    runningSecrets,
  ])
  return found.rows
}

export type Carried = {
  /** Session of the person who restores; it stays valid if the backup contains the person. */
  session?: string
  /** Stored in the restored database, so that the readings can follow it. */
  mark: string
  /** Origin for the log entry. */
  by: { UserId: number | null; EnterpriseId: number; Ip?: string | undefined; RequestId?: string | undefined; Title: string }
}

/**
 * Replaces the entire database by a backup in one transaction: readers see either the old or the new state, and a failure changes
 * nothing. The migrations of the backup create the tables; newer ones run at the next start.
 */
export const loadDatabase = async (
  adminUrl: string,
  manifest: Manifest,
  at: (file: string) => string,
  { session, mark, by }: Carried,
  onProgress: (part: number) => void,
) => {
  checkMigrations(manifest)
  const client = new pg.Client({ connectionString: adminUrl, options: '-c timezone=UTC -c datestyle=ISO' })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [locks.migrations])
    await client.query('begin')
    const running = await runningKeys(client)
    const [mine] = session
      ? (
          await client.query(
            `select s.*, u."UserNO" from session s join "user" u on u."Id" = s."UserId" where s."Id" = $1 and s."EndTime" is null`,
            [session],
          )
        ).rows
      : []
    await client.query('drop schema public cascade; create schema public')
    await client.query('create table migration (name text primary key, hash text not null, time timestamptz not null default now())')
    for (const [name, hash] of manifest.Migrations) {
      await client.query(readFileSync(new URL(name, migrationsFolder), 'utf8'))
      // A timestamp of its own preserves their order.
      await client.query('insert into migration (name, hash, time) values ($1, $2, clock_timestamp())', [name, hash])
    }
    const keys = await client.query<{ table: string; name: string; definition: string }>(
      `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
       where contype = 'f' and connamespace = 'public'::regnamespace`,
    )
    for (const { table, name } of keys.rows) await client.query(`alter table ${table} drop constraint ${quoted(name)}`)
    await client.query(`truncate ${manifest.Tables.map((t) => quoted(t.Table)).join(', ')}`)
    const all = manifest.Tables.reduce((sum, t) => sum + t.Size, 1)
    let done = 0
    for (const table of manifest.Tables) {
      await loadTable(client, table, at(table.Name))
      done += table.Size
      onProgress(done / all)
    }
    for (const { table, name, definition } of keys.rows)
      await client.query(`alter table ${table} add constraint ${quoted(name)} ${definition}`)
    const secured = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relrowsecurity`,
    )
    for (const { Name, Last, Called } of manifest.Sequences)
      await client.query('select setval($1::regclass, $2, $3)', [`public.${quoted(Name)}`, Last, Called])
    if (mine)
      await client.query(
        `insert into session ("Id", "UserId", "SecretHash", "Ip", "Agent", "CreateTime", "LastTime")
         select $1, "Id", $3, $4, $5, $6, now() from "user" where "Id" = $2 and "UserNO" = $7`,
        [mine.Id, mine.UserId, mine.SecretHash, mine.Ip, mine.Agent, mine.CreateTime, mine.UserNO],
      )
    await client.query(
      `insert into change ("EnterpriseId", "UserId", "Resource", "RecordId", "Verb", "After", "Ip", "RequestId")
       values ($1, (select "Id" from "user" where "Id" = $2), 'backup', 0, 'restore', $3, $4, $5)`,
      [
        by.EnterpriseId,
        by.UserId,
        JSON.stringify({ Title: by.Title, Time: new Date(manifest.Time).toISOString() }),
        by.Ip ?? null,
        by.RequestId ?? null,
      ],
    )
    await client.query(
      `insert into secret ("Name", "Value") values ('restored', $1) on conflict ("Name") do update set "Value" = excluded."Value"`,
      [Buffer.from(mark)],
    )
    await client.query('delete from secret where "Name" = any($1)', [runningSecrets])
    for (const { Name, Value } of running) await client.query('insert into secret ("Name", "Value") values ($1, $2)', [Name, Value])
    for (const { name } of secured.rows) await client.query(`alter table ${quoted(name)} force row level security`)
    await client.query('commit')
    await client.query('analyze')
  } catch (error) {
    throw (error as { code?: string }).code === tooFewLocks ? new Fault('restoreLocks') : error
  } finally {
    await client.end()
  }
}

/** The restore that the database comes from, if any. */
export const markOf = async (adminUrl: string): Promise<string | undefined> => {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const { rows } = await client
      .query<{ Value: Buffer }>(`select "Value" from secret where "Name" = 'restored'`)
      .catch(() => ({ rows: [] }))
    return rows[0]?.Value.toString()
  } finally {
    await client.end()
  }
}
