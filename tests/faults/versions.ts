// An installation as an earlier version left it, and what its database holds.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freshDatabase } from '../../main/testing/database.ts'
import { password, temporary } from '../front-door.ts'

/** Written by that version itself, up to migration 0062: two gateways of five points, 2,000 readings, 40 alarms, people. */
const archive = join(import.meta.dirname, 'versions', '0062.tar')
const server = (file: string) => join(import.meta.dirname, '../../main', file)

export const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
const asAdmin = (url: string, sql: string) => withClient(url.replace(/\w+$/, 'postgres'), (client) => client.query(sql))

const environment = (url: string, folder: string) => ({
  PENSTOCK_DATA: folder,
  PENSTOCK_PORT: '0',
  PENSTOCK_MQTT_PORT: '0',
  PENSTOCK_ADMIN_PASSWORD: password,
  PENSTOCK_DEMO: 'off',
  PENSTOCK_LOG: 'warn',
  DATABASE_URL: url,
})

export type Place = { url: string; folder: string; env: Record<string, string> }

/** npm run restore, onto whatever is there. */
export const bringBack = async ({ env }: Place) => {
  const run = promisify(execFile)(process.execPath, [server('restore.ts'), archive, '--yes', '--unverified'], {
    env: { ...process.env, ...env },
  })
  return (await run).stdout
}

/** The earlier version's database and folder, and as many copies of both as are asked for. */
export const earlier = async () => {
  const fresh = await freshDatabase()
  const first: Place = { url: fresh.adminUrl, folder: temporary(), env: {} }
  first.env = environment(first.url, first.folder)
  await bringBack(first)
  const made: Place[] = []
  return {
    place: first,
    copy: async (): Promise<Place> => {
      const name = `${/\w+$/.exec(first.url)![0]}_${made.length}`
      await asAdmin(first.url, `create database ${name} template ${/\w+$/.exec(first.url)![0]}`)
      const folder = temporary()
      cpSync(first.folder, folder, { recursive: true })
      const url = first.url.replace(/\w+$/, name)
      made.push({ url, folder, env: environment(url, folder) })
      return made.at(-1)!
    },
    remove: async () => {
      for (const { url, folder } of made) {
        await asAdmin(url, `drop database ${/\w+$/.exec(url)![0]} with (force)`)
        rmSync(folder, { recursive: true, force: true })
      }
      await fresh.drop()
      rmSync(first.folder, { recursive: true, force: true })
    },
  }
}

/** The real program with its output and exit status; it may exit before it serves. */
export const launch = ({ env }: Place) => {
  const child = spawn(process.execPath, [server('server.ts')], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let said = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk) => {
      said += chunk
    })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  return { child, said: () => said, ended }
}

/** Names of the migrations that have run, in their order. */
export const migrated = (url: string) =>
  withClient(url, async (client) =>
    (await client.query<{ name: string }>('select name from migration order by name')).rows.map((r) => r.name),
  )

/** Everything that migrations make, as one text: columns, constraints, indexes, policies, rights, functions. */
export const schemaOf = (url: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ line: string }>(`
      select format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) as line
        from information_schema.columns where table_schema = 'public'
      union all select format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint where connamespace = 'public'::regnamespace
      union all select indexdef from pg_indexes where schemaname = 'public'
      union all select format('%s %s %s %s %s', tablename, policyname, roles, qual, with_check) from pg_policies where schemaname = 'public'
      union all select format('%s %s %s %s', relname, relrowsecurity, relforcerowsecurity, relacl) from pg_class where relnamespace = 'public'::regnamespace
      union all select format('%s %s', proname, md5(prosrc)) from pg_proc where pronamespace = 'public'::regnamespace
      order by 1`)
    return rows.map((row) => row.line)
  })

type Contents = Map<string, { columns: string[]; rows: number; content: string }>
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
/** Number and digest of every table's rows, in the columns of `like` where it is given. */
export const contentsOf = (url: string, like?: Contents): Promise<Contents> =>
  withClient(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string; columns: string[] }>(`
      select c.relname as name, array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
        and not a.attisdropped order by a.attnum) as columns
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`)
    const found: Contents = new Map()
    for (const table of tables) {
      if (like && !like.has(table.name)) continue
      const columns = like?.get(table.name)?.columns ?? table.columns
      const { rows } = await client.query<{ rows: number; content: string }>(
        `select count(*)::int as rows, md5(coalesce(string_agg(r::text, chr(10) order by r::text), '')) as content
         from (select ${columns.map(quoted).join(', ')} from ${quoted(table.name)}) r`,
      )
      found.set(table.name, { columns, ...rows[0]! })
    }
    return found
  })
