import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { applicationUrl } from './connect.ts'
import { connectDirectly } from './direct.ts'
import { locks } from './locks.ts'
import { keepMonths } from './monthly/months.ts'

export const migrationsFolder = new URL('./migrations/', import.meta.url)
const folder = migrationsFolder

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const migrationFiles = () =>
  readdirSync(folder)
    .filter((f) => f.endsWith('.sql'))
    .sort()
/** Name of this version's newest migration. */
export const newestMigration = () => migrationFiles().at(-1)!

/** Nothing for one that this version has not. Names come from databases and backups: nothing but a name is looked for. */
export const migrationHash = (name: string): string | undefined =>
  /^\d{4}_\w+\.sql$/.test(name) && existsSync(new URL(name, folder)) ? hashOf(readFileSync(new URL(name, folder), 'utf8')) : undefined

/** SQLSTATEs of races between processes: duplicate object, unique violation, tuple concurrently updated. */
const raced = new Set(['42710', '23505', 'XX000'])

/** Session settings of the application role. A pooler ignores startup options. */
const sessionSettings = [`statement_timeout = '30s'`, `lock_timeout = '10s'`, `timezone = 'UTC'`]

/** Roles belong to the whole server, where no lock of ours reaches: databases that are brought up together may race for them. */
const makeRoles = async (client: pg.Client, password: string, tries = 10): Promise<void> => {
  const statements = ['penstock_tenant', 'penstock_platform', 'penstock_app'].map(
    (role) =>
      `do $$ begin if not exists (select from pg_roles where rolname = '${role}') then create role ${role} noinherit; end if; end $$;`,
  )
  try {
    await client.query(
      `${statements.join('')} alter role penstock_app login password '${password}'; grant penstock_tenant, penstock_platform to penstock_app;
       ${sessionSettings.map((s) => `alter role penstock_app set ${s}`).join(';')}`,
    )
  } catch (error) {
    if (!tries || !raced.has((error as { code?: string }).code ?? '')) throw error
    await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 100))
    await makeRoles(client, password, tries - 1)
  }
}

/**
 * Brings a database to this version as its owner, once, whichever process comes first; answers the application's URL.
 * A migration that was changed after it ran, or one from a newer version, is refused by name.
 */
export const migrate = async (adminUrl: string): Promise<string> => {
  const { url, password } = applicationUrl(adminUrl)
  const client = new pg.Client({ connectionString: adminUrl })
  await connectDirectly(client)
  try {
    await client.query('select pg_advisory_lock($1)', [locks.migrations])
    await makeRoles(client, password)
    await client.query(
      'create table if not exists migration (name text primary key, hash text not null, time timestamptz not null default now())',
    )

    const done = new Map(
      (await client.query<{ name: string; hash: string }>('select name, hash from migration')).rows.map((r) => [r.name, r.hash]),
    )
    const files = migrationFiles()
    for (const name of done.keys())
      if (!files.includes(name))
        throw new Error(
          `The database was written by a newer version of Penstock (it has ${name}). Install that version, or restore a backup of this one.`,
        )
    for (const name of files) {
      const text = readFileSync(new URL(name, folder), 'utf8')
      const hash = hashOf(text)
      if (done.get(name) === hash) continue
      if (done.has(name)) throw new Error(`Migration ${name} was changed after it ran here; migrations are append-only.`)
      await client.query('begin')
      await client.query(text)
      await client.query('insert into migration (name, hash) values ($1, $2)', [name, hash])
      await client.query('commit')
    }
    await keepMonths(client, { isSmall: true })
    return url
  } finally {
    await client.end()
  }
}
