// Tenant isolation of every call that takes an id: what belongs to another tenant does not exist (ruling 41, security.md S16).
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '../contract/base/call.ts'
import { calls } from '../contract/index.ts'
import { hashPassword } from '../server/identity/passwords.ts'
import { addRoles } from '../server/identity/setup.ts'
import { type House, password, startHouse } from './house.ts'

type Properties = Record<string, { type?: string; items?: object; minimum?: number; default?: unknown }>
const propertiesOf = (schema: Call['body']): Properties => (schema as { properties?: Properties } | undefined)?.properties ?? {}
const takesIds = (c: Call) =>
  [c.body, c.query].some((s) =>
    Object.keys(propertiesOf(s)).some((k) => /^(Id|Ids|\w+Id|\w+Ids)$/.test(k) && k !== 'UnionId' && k !== 'GatewayTypeId'),
  )
const guarded = calls.filter(takesIds)

let house: House
let ids: Record<string, number>
let stranger: string
const missing = 999_999_999

beforeAll(async () => {
  house = await startHouse()
  const made = await house.newGateway('ISOLATION001', 1)
  const point = await house.data('POST', '/Project/DevPara', { DeviceId: made.device, ParaName: 'P', Address: '0', ReadWriteType: 1 })
  ids = {
    GatewayId: made.gateway,
    DeviceId: made.device,
    DeviceIds: made.device,
    ProjectId: made.project,
    ParaId: point.Id,
    ParaIds: point.Id,
  }
  const db = house.database.system
  const [tenant] = await db.rows<{ Id: number }>(sql`insert into enterprise ("Name") values ('Elsewhere') returning "Id"`)
  await addRoles(db, tenant!.Id)
  const [user] = await db.rows<{ Id: number }>(
    sql`insert into "user" ("EnterpriseId", "UserNO", "UserName", "PasswordHash") values (${tenant!.Id}, 'stranger', 'Stranger', ${await hashPassword(password)}) returning "Id"`,
  )
  await db.rows(
    sql`insert into user_role ("EnterpriseId", "UserId", "RoleId") select ${tenant!.Id}, ${user!.Id}, "Id" from role where "EnterpriseId" = ${tenant!.Id} and "RoleName" = 'Tenant manager'`,
  )
  stranger = await house.login('stranger')
})
afterAll(() => house.close())

/** What `Id` and `Ids` mean depends on the call. */
const meaning = (c: Call) => (c.path.includes('/Gateway/') ? ids.GatewayId! : c.path.includes('/Device/') ? ids.DeviceId! : ids.ParaId!)

const fill = (c: Call, schema: Call['body'], foreign: boolean) =>
  Object.fromEntries(
    Object.entries(propertiesOf(schema)).map(([name, s]) => {
      const id = foreign ? (ids[name] ?? meaning(c)) : missing
      if (/Ids$/.test(name)) return [name, s.type === 'array' ? [id] : String(id)]
      if (/Id$/.test(name)) return [name, id]
      const plain: Record<string, unknown> = { Start: 0, End: 1000, Ip: '127.0.0.1', Items: [{ ParaName: 'X', Address: '1' }] }
      return [name, plain[name] ?? (s.type === 'string' ? 'x' : (s.minimum ?? 1))]
    }),
  )

describe.each(guarded.map((c) => ({ name: `${c.method} ${c.path}`, c })))('$name', ({ c }) => {
  it('answers for a foreign id as for one that does not exist', async () => {
    const ask = (foreign: boolean) => {
      const query = c.query ? `?${new URLSearchParams(Object.entries(fill(c, c.query, foreign)).map(([k, v]) => [k, String(v)]))}` : ''
      return house.call(stranger, c.method, `${c.path}${query}`, c.body ? fill(c, c.body, foreign) : undefined)
    }
    const plain = ({ Details, ...answer }: Awaited<ReturnType<typeof ask>>) => ({
      ...answer,
      Fault: Details?.Fault,
      Fields: Details?.Fields,
    })
    const [foreign, none] = [plain(await ask(true)), plain(await ask(false))]
    expect(foreign).toEqual(none)
    if (foreign.Succeeded) expect(JSON.stringify(foreign.Data)).not.toMatch(/"(GatewayName|DeviceName|ParaName|SN)":/)
    // An import asks for its file first.
    else expect(foreign.StatusCode).toBe(c.path.endsWith('/Import') ? 400 : 404)
  })
})

it('covers the calls that name a gateway, a device or a point', () => {
  expect(guarded.length).toBeGreaterThan(15)
})
