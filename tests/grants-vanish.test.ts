// Each setting that grants something, changed alone: what was allowed a moment ago answers 403, or the row is gone from list, count,
// export and hub, within five seconds; set back, it is there again.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tenantPermissions } from '../contract/menus.ts'
import { hashPassword } from '../server/identity/passwords.ts'
import { addRoles } from '../server/identity/setup.ts'
import { connectHub, type House, password, startHouse, until } from './house.ts'

type Listening = Awaited<ReturnType<typeof connectHub>>

const soon = 5000
const shown = ['m101', 'm10101', 'm10102']
const withoutProjects = tenantPermissions.filter((code) => !code.startsWith('m10101'))
const tenant = { id: 0, role: 0, worker: 0, version: 0, permission: 0 }
const projects = { near: 0, far: 0 }
let house: House
let ear: Listening
let token = ''

beforeAll(async () => {
  house = await startHouse()
  const db = house.database.system
  const [made] = await db.rows<{ Id: number }>(sql`insert into enterprise ("Name") values ('Riverside') returning "Id"`)
  tenant.id = made!.Id
  await addRoles(db, tenant.id)
  const [user] = await db.rows<{ Id: number }>(
    sql`insert into "user" ("EnterpriseId", "UserNO", "UserName", "PasswordHash") values (${tenant.id}, 'walter', 'Walter', ${await hashPassword(password)}) returning "Id"`,
  )
  tenant.worker = user!.Id
  const EnterpriseId = tenant.id
  tenant.role = (await house.data('POST', '/System/Role', { RoleName: 'Workers', EnterpriseId })).Id
  await role('AuthorizationMenu', { MenuCodes: shown })
  await role('User', { UserIds: [tenant.worker] })
  const organ = await house.data('POST', '/System/Organ', { OrganName: 'Near', EnterpriseId })
  projects.near = (await house.data('POST', '/Project/Project', { ProjectName: 'Near', EnterpriseId, BelongOrganId: organ.Id })).Id
  projects.far = (await house.data('POST', '/Project/Project', { ProjectName: 'Far', EnterpriseId })).Id
  const narrow = { Name: 'Near only', ModuleCode: 'project', DataScope: 4, OrganIds: [organ.Id], EnterpriseId }
  tenant.permission = (await house.data('POST', '/System/DataPermissions', narrow)).Id
  tenant.version = (await house.data('POST', '/System/Enterprise/Version', { Name: 'Full', MenuCodes: [...tenantPermissions] })).Id
  organOf.near = organ.Id
  ear = await connectHub(house.origin, house.admin)
})
afterAll(async () => {
  await ear?.connection.stop()
  await house?.close()
})

const organOf = { near: 0 }
const role = (path: string, more: object) => house.data('POST', `/System/Role/${path}`, { RoleId: tenant.role, ...more })
const of = (more: object) => house.data('PUT', '/System/Enterprise', { Id: tenant.id, ...more })
const licence = (more: object) => house.data('POST', '/System/Enterprise/AuthorizationMenu', { EnterpriseId: tenant.id, ...more })
const moment = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19).replace('T', ' ')

let touched = 0
/** Whether a change of the far project reaches this connection. Another connection confirms that it was sent. */
const hears = async (hub: Listening) => {
  const count = (who: Listening) => who.changes.filter((c) => c.Resource === 'project' && c.Id === projects.far).length
  const [mine, all] = [count(hub), count(ear)]
  await house.data('PUT', '/Project/Project', { Id: projects.far, Remark: `touched ${++touched}` })
  await until('the change to be sent', () => count(ear) > all)
  await hub.connection.invoke('Subscribe', [])
  return count(hub) > mine
}
/** His access to the far project, by each way to reach it. */
const ways = async (hub: Listening) => {
  const ask = (path: string) => house.call<{ Items: { Id: number }[]; TotalCount: number }>(token, 'GET', path)
  const list = await ask('/Project/Project/List?PageSize=100')
  const counted = await ask('/Home/StaticProjectByCity')
  const one = await ask(`/Project/Project?Id=${projects.far}`)
  const file = await fetch(`${house.origin}/api/Project/Project/Output?Format=csv&Fields=ProjectName`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const csv = await file.text()
  return {
    list: list.Succeeded ? list.Data.Items.some((p) => p.Id === projects.far) : list.StatusCode,
    total: list.Succeeded ? list.Data.TotalCount : list.StatusCode,
    counted: counted.Succeeded ? counted.Data.TotalCount : counted.StatusCode,
    one: one.StatusCode,
    csv: csv.startsWith('{') ? (JSON.parse(csv) as { StatusCode: number }).StatusCode : csv.includes('Far'),
    hub: await hears(hub),
  }
}
const there = { list: true, total: 2, counted: 2, one: 200, csv: true, hub: true }
const forbidden = { list: 403, total: 403, counted: 403, one: 403, csv: 403, hub: false }
const gone = { list: false, total: 1, counted: 1, one: 404, csv: false, hub: false }

const becomes = async (hub: Listening, wanted: object) => {
  const began = performance.now()
  let last: object = {}
  const same = async () => {
    last = await ways(hub)
    return JSON.stringify(last) === JSON.stringify(wanted)
  }
  await until('the setting to hold', same, soon).catch(() => expect(last).toEqual(wanted))
  return performance.now() - began
}

const all = { DataScope: 5, OrganIds: [], DataPermissionIds: [] }
describe.each<[string, () => Promise<unknown>, () => Promise<unknown>, object]>([
  ['menus of the tenant', () => licence({ MenuCodes: withoutProjects }), () => licence({ MenuCodes: null }), forbidden],
  [
    'menus of the tenant’s version',
    async () => {
      await house.data('PUT', '/System/Enterprise/Version', { Id: tenant.version, MenuCodes: withoutProjects })
      await licence({ VersionId: tenant.version })
    },
    () => licence({ VersionId: null }),
    forbidden,
  ],
  [
    'menus of the role',
    () => role('AuthorizationMenu', { MenuCodes: ['m101', 'm10102'] }),
    () => role('AuthorizationMenu', { MenuCodes: shown }),
    forbidden,
  ],
  [
    'the state of the role',
    () => house.data('PUT', '/System/Role', { Id: tenant.role, Status: 0 }),
    () => house.data('PUT', '/System/Role', { Id: tenant.role, Status: 1 }),
    forbidden,
  ],
  [
    'the people of the role',
    () => house.data('DELETE', '/System/Role/User', { RoleId: tenant.role, UserIds: [tenant.worker] }),
    () => role('User', { UserIds: [tenant.worker] }),
    forbidden,
  ],
  ['projects of the role', () => role('SetProject', { ProjectIds: [projects.near] }), () => role('SetProject', { ProjectIds: null }), gone],
  [
    'the data scope of the role',
    () => role('DataPermissions', { DataScope: 4, OrganIds: [organOf.near] }),
    () => role('DataPermissions', all),
    gone,
  ],
  [
    'a data permission of the role',
    () => role('DataPermissions', { DataPermissionIds: [tenant.permission] }),
    () => role('DataPermissions', all),
    gone,
  ],
])('%s', (_, take, give, result) => {
  it('alone takes it away and gives it back, everywhere and within five seconds', { timeout: 240_000 }, async () => {
    token = await house.login('walter')
    const hub = await connectHub(house.origin, token)
    expect(await ways(hub)).toEqual(there)
    await take()
    expect(await becomes(hub, result)).toBeLessThan(soon)
    await give()
    expect(await becomes(hub, there)).toBeLessThan(soon)
    await hub.connection.stop()
  })
})

it.each<[string, object, object, string, string, string]>([
  ['is disabled', { Status: 0 }, { Status: 1 }, 'enterpriseClosed', 'tenant', 'enterpriseDisabled'],
  ['has come to its end', { GrantTo: moment(-1) }, { GrantTo: null }, 'enterpriseExpired', 'expiredTenant', 'grantEnded'],
  ['has not begun', { GrantFrom: moment(1) }, { GrantFrom: null }, 'enterpriseExpired', 'expiredTenant', 'grantEnded'],
])('people of a tenant that %s are signed out with that reason, at the call and on the hub, and let in again after', async (...given) => {
  const [, shut, open, fault, Reason, atLogin] = given
  token = await house.login('walter')
  const hub = await connectHub(house.origin, token)
  const ended = new Promise((resolve) => hub.connection.on('Ended', resolve))
  const began = performance.now()
  await of(shut)
  expect(await ended).toEqual({ Reason })
  expect(await house.call(token, 'GET', '/Project/Project/List')).toMatchObject({ StatusCode: 401, Details: { Fault: fault } })
  expect(performance.now() - began).toBeLessThan(soon)
  expect(await house.call(undefined, 'POST', '/Auth/Login', { UserNO: 'walter', Pwd: password })).toMatchObject({
    StatusCode: 403,
    Details: { Fault: atLogin },
  })
  await of(open)
  expect(await house.login('walter')).toEqual(expect.any(String))
  await hub.connection.stop()
})
