// An installed Penstock: the server's main file as a separate process, embedded engines, a temporary data folder.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { setSecret } from '../areas/configuration/gateways/server/secrets.ts'
import type { Wrapper } from '../contract/call.ts'
import { permissions } from '../contract/menus.ts'
import { connect } from '../server/database/connect.ts'
import type { Database } from '../server/database/db.ts'
import { startPostgres } from '../server/database/embedded.ts'
import { migrate } from '../server/database/migrate.ts'
import { hashPassword } from '../server/identity/passwords.ts'
import { firstStart } from '../server/identity/setup.ts'
import type { Gateway } from './load/publisher.ts'
import { cpuOf } from './tab.ts'

export const password = 'a password of benches'
const quiet = { info: () => undefined, error: console.error }

export type World = Awaited<ReturnType<typeof startWorld>>

/**
 * Fills the database before the server starts, then starts it. With BENCH_PROFILE=<folder> the server writes a CPU profile there.
 */
export const startWorld = async <T>(
  seed: (database: Database, url: string) => Promise<T>,
  env: Record<string, string> = {},
  /** Puts history into the telemetry folder. */
  remember: (made: { telemetry: string; seeded: T }) => Promise<void> = async () => undefined,
) => {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-bench-'))
  const prepare = async (adminUrl: string) => {
    const database = connect(await migrate(adminUrl))
    await firstStart(database, password)
    const seeded = await seed(database, adminUrl)
    await database.close()
    return seeded
  }
  const ownServer = env.DATABASE_URL
  const postgres = ownServer ? undefined : await startPostgres({ folder: join(folder, 'postgres'), log: quiet })
  const seeded = await prepare(ownServer ?? postgres!.url)
  await postgres?.stop()
  await remember({ telemetry: join(folder, 'telemetry'), seeded })

  const profile = process.env.BENCH_PROFILE
  // As tools/start.mjs does.
  const flags = ['--max-old-space-size=1536', ...(profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [])]
  const { BENCH_TRACE } = process.env
  if (BENCH_TRACE) flags.push('--import', new URL('load/trace.ts', import.meta.url).href)
  const child: ChildProcess = spawn(process.execPath, [...flags, join(import.meta.dirname, '../main/server.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      PENSTOCK_DATA: folder,
      PENSTOCK_PORT: '0',
      PENSTOCK_MQTT_PORT: '0',
      PENSTOCK_DEMO: 'off',
      PENSTOCK_LOG: process.env.BENCH_LOG ?? 'error',
      ...(BENCH_TRACE ? { BENCH_TRACE } : {}),
      ...env,
    },
  })
  const gone = new Promise<void>((done) => child.once('exit', () => done()))
  const { origin, mqttPort } = await new Promise<{ origin: string; mqttPort: number }>((done, failed) => {
    let said = ''
    child.stdout!.on('data', (chunk) => {
      said += chunk
      if (process.env.BENCH_LOG) process.stdout.write(chunk)
      const http = /ready: +(http:\/\/\S+)/.exec(said)?.[1]
      const mqtt = /mqtt:\/\/[^:]+:(\d+)/.exec(said)?.[1]
      if (http && mqtt) done({ origin: http, mqttPort: Number(mqtt) })
    })
    child.once('exit', () => failed(new Error(`The server did not start:\n${said}`)))
  })

  /** The answer's text, when its last byte is there. */
  const ask = async (token: string | undefined, method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${origin}/api${path}`, {
      method,
      headers: {
        'x-time-zone': 'UTC',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return answer.text()
  }
  const call = async <D>(...[token, method, path, body]: Parameters<typeof ask>): Promise<D> => {
    const text = await ask(token, method, path, body)
    const wrapper = JSON.parse(text) as Wrapper<D>
    if (!wrapper.Succeeded) throw new Error(`${method} ${path}: ${text.slice(0, 300)}`)
    return wrapper.Data
  }
  const rss = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024
  return {
    seeded,
    folder,
    origin,
    mqttPort,
    ask,
    call,
    login: async (UserNO = 'admin') => (await call<{ Token: string }>(undefined, 'POST', '/Auth/Login', { UserNO, Pwd: password })).Token,
    /** MiB of the server's process, PostgreSQL not counted. */
    rss,
    /** Seconds of the processor that the server and its database have taken. */
    cpu: () => cpuOf(child.pid!),
    /** One figure of /metrics, summed over its labels. */
    metric: async (name: string) => {
      const text = await (await fetch(`${origin}/metrics`)).text()
      return text
        .split('\n')
        .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
        .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
    },
    close: async () => {
      child.kill('SIGTERM')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** What the application's own role may not. */
export const asOwner = async (url: string, statement: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** Tenants with a manager each, `manager1` and so on; they share the bench's password. */
export const seedTenants = async (database: Database, count: number) => {
  const hash = await hashPassword(password)
  const db = database.system
  const tenants = await db.rows<{ Id: number }>(
    sql`insert into enterprise ("Name") select 'Tenant ' || n from generate_series(1, ${count}) n returning "Id"`,
  )
  const ids = tenants.map((t) => t.Id)
  await db.rows(sql`
    insert into role ("EnterpriseId", "RoleName", "RouteRole", "MenuCodes") select id, 'Manager', 'admin', ${permissions}::text[] from unnest(${ids}::bigint[]) id`)
  await db.rows(sql`
    insert into "user" ("EnterpriseId", "UserNO", "UserName", "PasswordHash")
    select id, 'manager' || n, 'Manager', ${hash} from unnest(${ids}::bigint[]) with ordinality as t (id, n)`)
  await db.rows(sql`
    insert into user_role ("EnterpriseId", "UserId", "RoleId") select u."EnterpriseId", u."Id", r."Id" from "user" u join role r using ("EnterpriseId")
    where u."EnterpriseId" = any(${ids}::bigint[])`)
  await db.rows(sql`insert into project ("EnterpriseId", "ProjectName") select id, 'Works' from unnest(${ids}::bigint[]) id`)
  return ids
}

/**
 * One tenant's plant: gateways with their keys, a device and so many points each, limits on every fourth point. The last
 * `ofOther` gateways belong to a second tenant.
 */
export const seedPlant =
  ({ gateways, points, ofOther = 0 }: { gateways: number; points: number; ofOther?: number }) =>
  async (database: Database): Promise<Gateway[]> => {
    const tenants = await seedTenants(database, ofOther ? 2 : 1)
    const db = database.system
    // Ids of an installation that is not new: six digits in every message.
    await db.rows(sql`alter sequence "point_Id_seq" restart with 100001`).catch(() => undefined)
    const made: Gateway[] = []
    for (let g = 1; g <= gateways; g++) {
      const sn = `BENCH${String(g).padStart(5, '0')}`
      const tenant = tenants[g > gateways - ofOther ? 1 : 0]
      const [gateway] = await db.rows<{ Id: number; SN: string }>(sql`
        insert into gateway ("EnterpriseId", "GatewayName", "SN", "ProjectId") select ${tenant}, ${sn}, ${sn}, "Id" from project where "EnterpriseId" = ${tenant} returning "Id", "SN"`)
      const [device] = await db.rows<{ Id: number }>(sql`
        insert into device ("EnterpriseId", "DeviceName", "GatewayId", "SlaveNumber") values (${tenant}, 'Device', ${gateway!.Id}, 1) returning "Id"`)
      const rows = await db.rows<{ Id: number }>(sql`
        insert into point ("EnterpriseId", "DeviceId", "ParaName", "Address", "AlarmLow", "AlarmHigh", "ProjectLow", "ProjectHigh")
        select ${tenant}, ${device!.Id}, 'Point ' || n, n::text, case when n % 4 = 1 then 0 end, case when n % 4 = 1 then 100 end, 0, 200
        from generate_series(1, ${points}) n returning "Id"`)
      made.push({ sn, key: await setSecret(db, gateway!), device: device!.Id, points: rows.map((r) => r.Id) })
    }
    return made
  }
