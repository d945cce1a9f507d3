import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Geocoder } from '../../areas/people/agents/server/geocoder.ts'
import type { ByWechat } from '../../areas/people/session/server/service.ts'
import type { Wrapper } from '../../contract/call.ts'
import { permissions } from '../../contract/menus.ts'
import { connect } from '../../server/database/connect.ts'
import type { Database } from '../../server/database/db.ts'
import { hashPassword } from '../../server/identity/passwords.ts'
import { openSessions, type Sessions } from '../../server/identity/sessions.ts'
import { openVault } from '../../server/identity/vault.ts'
import { buildApp } from '../app.ts'
import { freshDatabase } from './database.ts'

/** One password for every test account: hashing costs, and no test is about this one. */
const password = 'a password of tests'
const passwordHash = await hashPassword(password)

export type Kit = Awaited<ReturnType<typeof startKit>>

type Running = {
  app: FastifyInstance
  database: Database
  sessions: Sessions
  /** Signs in as the superuser of the database, beside the application. */
  adminUrl: string
  close: () => Promise<void>
}

/** Two tenants with people in them, made in an application that runs. The front door is `call`. */
export const furnish = async ({ app, database, sessions, adminUrl, close }: Running) => {
  const db = database.system
  const people = new Map<string, { token: string; id: number; enterprise: number }>()

  const enterprise = async (name: string) =>
    (await db.rows<{ Id: number }>(sql`insert into enterprise ("Name") values (${name}) returning "Id"`))[0]!.Id
  /** A person with a role of his own; `projects` undefined means all. */
  const person = async (
    name: string,
    enterpriseId: number,
    { menus = permissions as readonly string[], projects = undefined as readonly number[] | undefined, platform = false } = {},
  ) => {
    const [role] = await db.rows<{ Id: number }>(
      sql`insert into role ("EnterpriseId", "RoleName", "MenuCodes", "ProjectIds", "IsPlatform") values (${enterpriseId}, ${name}, ${menus}::text[], ${projects ?? null}::bigint[], ${platform ? 1 : 0}) returning "Id"`,
    )
    const [user] = await db.rows<{ Id: number }>(
      sql`insert into "user" ("EnterpriseId", "UserNO", "UserName", "PasswordHash") values (${enterpriseId}, ${name}, ${name}, ${passwordHash}) returning "Id"`,
    )
    await db.rows(sql`insert into user_role ("EnterpriseId", "UserId", "RoleId") values (${enterpriseId}, ${user!.Id}, ${role!.Id})`)
    people.set(name, {
      token: await sessions.begin(user!.Id, { passwordHash, byPassword: true, ip: '127.0.0.1', agent: 'test' }),
      id: user!.Id,
      enterprise: enterpriseId,
    })
    return user!.Id
  }

  const request = (as: string | undefined, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const token = as === undefined ? undefined : (people.get(as)?.token ?? as)
    return app.inject({
      method: method as 'GET',
      url: `/api${path}`,
      headers: { 'accept-language': 'en', 'x-time-zone': 'UTC', ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
    })
  }
  /** The wrapper of a call. */
  const call = async <T = unknown>(
    as: string | undefined,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Wrapper<T>> => (await request(as, method, path, body, headers)).json()
  /** The Data of a call that must succeed. */
  const data = async <T>(as: string, method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await call<T>(as, method, path, body)
    if (!answer.Succeeded) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer.Data
  }

  /** The wrapper of a call that sends a file. */
  const upload = async <T = Record<string, unknown>>(as: string, path: string, file: Buffer | string, name = 'sheet.xlsx') => {
    const form = new FormData()
    form.set('file', new Blob([typeof file === 'string' ? file : new Uint8Array(file)]), name)
    const sent = new Response(form)
    return call<T>(as, 'POST', path, Buffer.from(await sent.arrayBuffer()), { 'content-type': sent.headers.get('content-type')! })
  }

  // The platform is the first company, as in production.
  const operators = await enterprise('Operators')
  const ours = await enterprise('Ours')
  const theirs = await enterprise('Theirs')
  await person('owner', ours)
  await person('viewer', ours, { menus: permissions.filter((p) => !p.includes('.')) })
  await person('nobody', ours, { menus: [] })
  await person('stranger', theirs)
  await person('platform', operators, { platform: true })

  return {
    app,
    database,
    sessions,
    adminUrl,
    db,
    people,
    password,
    enterprises: { ours, theirs },
    person,
    request,
    call,
    data,
    upload,
    close,
  }
}

/** An application with a new database and its basic records. */
export const startKit = async (
  { areas = (): readonly ((api: FastifyInstance) => void)[] => [], clock = Date.now, wechat, geocode } = {} as {
    areas?: (database: Database, sessions: Sessions) => readonly ((api: FastifyInstance) => void)[]
    clock?: () => number
    /** Asked after `areas`. */
    wechat?: (database: Database) => Promise<ByWechat>
    geocode?: (database: Database) => Geocoder
  },
) => {
  const fresh = await freshDatabase()
  const database = connect(fresh.url, 8)
  const sessions = await openSessions(database, clock, clock)
  const app = await buildApp({
    database,
    sessions,
    vault: openVault(database, Buffer.alloc(32, 7)),
    clock,
    logger: false,
    trustProxy: false,
    areas: areas(database, sessions),
    wechat: await wechat?.(database),
    geocode: geocode?.(database),
  })
  await app.ready()
  return furnish({
    app,
    database,
    sessions,
    adminUrl: fresh.adminUrl,
    close: async () => {
      await app.close()
      await database.close()
      await fresh.drop()
    },
  })
}
