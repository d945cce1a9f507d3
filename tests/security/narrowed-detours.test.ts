// What a list does not show a person, nothing else does: no message, joined title, statistic, announcement or list of members.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hashPassword } from '../../server/identity/passwords.ts'
import { type House, password, startHouse } from '../house.ts'

type Row = { Id: number } & Record<string, unknown>
type Page = { Items: Row[]; TotalCount: number }
let house: House
let hash: string
const id: Record<string, number> = {}
const token: Record<string, string> = {}

const data = <T = Row>(as: string, method: string, path: string, body?: object) => house.data<T>(method, path, body, token[as])
const call = <T = unknown>(as: string, method: string, path: string, body?: object) => house.call<T>(token[as], method, path, body)
const make = async (path: string, body: object, as = 'manager') => (await data(as, 'POST', path, body)).Id
const items = async (as: string, path: string) => (await data<Page>(as, 'GET', path)).Items
const person = async (
  name: string,
  MenuCodes: string[],
  given: { fields?: Record<string, string[]>; projects?: number[] } = {},
  more: object = {},
) => {
  const RoleId = await make('/System/Role', { RoleName: name })
  await data('manager', 'POST', '/System/Role/AuthorizationMenu', { RoleId, MenuCodes })
  const hide = ([ModuleCode, HiddenFields]: [string, string[]]) =>
    make('/System/DataPermissions', { Name: `${name} ${ModuleCode}`, ModuleCode, DataScope: 5, HiddenFields })
  const DataPermissionIds = await Promise.all(Object.entries(given.fields ?? {}).map(hide))
  if (DataPermissionIds.length) await data('manager', 'POST', '/System/Role/DataPermissions', { RoleId, DataScope: 5, DataPermissionIds })
  if (given.projects) await data('manager', 'POST', '/V3/System/Role/SetProject', { RoleId, ProjectIds: given.projects })
  id[name] = await make('/System/User', { UserNO: name, UserName: name, RoleIds: [RoleId], ...more })
  await house.database.system.rows(sql`update "user" set "PasswordHash" = ${hash}, "MustChangePwd" = 0 where "Id" = ${id[name]}`)
  token[name] = await house.login(name)
}

beforeAll(async () => {
  house = await startHouse()
  hash = await hashPassword(password)
  const db = house.database.system
  const enterprise = await house.data('POST', '/System/Enterprise', { Name: 'Works', ManagerNO: 'manager', ManagerName: 'manager' })
  await db.rows(sql`update "user" set "PasswordHash" = ${hash}, "MustChangePwd" = 0 where "EnterpriseId" = ${enterprise.Id}`)
  token.manager = await house.login('manager')
  id.organ = await make('/System/Organ', { OrganName: 'West' })
  id.department = await make('/System/Department', { DepartmentName: 'Pumps', BelongOrganId: id.organ })
  id.region = await make('/System/Region', { RegionName: 'SECRETREGION' })
  id.east = await make('/Project/Project', { ProjectName: 'East', RegionId: id.region })
  id.west = await make('/Project/Project', { ProjectName: 'West' })
  const hook = (name: string, ProjectId: number) =>
    make('/Alarm/AlarmWebhook', { HookName: name, Url: `https://${name}.example/hook`, ProjectId })
  id.westHook = await hook('westsecret', id.west)
  id.eastHook = await hook('eastern', id.east)
  await person('worker', [], {}, { BelongOrganId: id.organ, DepartmentId: id.department, Phone: '600100', Email: 'worker@example.com' })
})
afterAll(() => house?.close())

it('messages of a webhook of another project are not read, sent again or cancelled, and their titles not shown', async () => {
  await person('eastern', ['m10231', 'm10431', 'm10431.test', 'm10101'], { projects: [id.east!] })
  const sent = await Promise.all([id.westHook, id.eastHook].map((Id) => make('/Alarm/AlarmWebhook/Test', { Id: Id! })))
  const list = '/Alarm/AlmPushRecord/List'
  expect((await items('eastern', list)).map((m) => [m.Id, m.AlarmWebhookName])).toEqual([[sent[1], 'eastern']])
  for (const act of ['Cancel', 'ReSend'])
    expect(await call('eastern', 'POST', `/Alarm/AlmPushRecord/${act}`, { Id: sent[0] }), act).toMatchObject({ StatusCode: 404 })
  // A message to himself stays his; what it names and he does not see has no title there, and is no condition.
  await house.database.system.rows(sql`update alm_push_record set "UserId" = ${id.eastern} where "Id" = ${sent[0]}`)
  const own = await items('eastern', `${list}?Id=${sent[0]}`)
  expect(own).toMatchObject([{ Id: sent[0], AlarmWebhookName: null }])
  for (const filter of [`AlarmWebhookId=${id.westHook}`, 'AlarmWebhookName=westsecret'])
    expect(await items('eastern', `${list}?${filter}`), filter).toEqual([])
  for (const filter of [`AlarmWebhookId=${id.eastHook}`, 'AlarmWebhookName=eastern'])
    expect(
      (await items('eastern', `${list}?${filter}`)).map((m) => m.Id),
      filter,
    ).toEqual([sent[1]])
})

it('a hidden field is shown by no statistic', async () => {
  await person('analyst', ['m100', 'm101', 'm10101'], { fields: { project: ['RegionId', 'Address'] } })
  const byCity = (as: string) => data(as, 'GET', '/Home/StaticProjectByCity')
  expect(await byCity('manager')).toMatchObject({
    TotalCount: 2,
    Items: [
      { City: 'SECRETREGION', Count: 1 },
      { RegionId: null, Count: 1 },
    ],
  })
  expect(await byCity('analyst')).toEqual({ TotalCount: 2, Items: [{ RegionId: null, City: null, Count: 2 }] })
})

it('announcements do not disclose organisations that the reader cannot see', async () => {
  await person('writer', ['m10402', 'm10422', 'm10422.add', 'm10422.edit', 'm10411'], { fields: { user: ['BelongOrganId'] } })
  const refused = await call('writer', 'POST', '/System/Notice', { PushTitle: 'Who is there', OrganIds: [id.organ] })
  expect(refused).toMatchObject({ Succeeded: false, Details: { Fault: 'moreRights' } })
  const own = await make('/System/Notice', { PushTitle: 'To all' }, 'writer')
  expect(await call('writer', 'PUT', '/System/Notice', { Id: own, OrganIds: [id.organ] })).toMatchObject({
    Details: { Fault: 'moreRights' },
  })
  // Nor by those of others.
  const readers = async (as: string, Id: number) => (await items(as, `/System/Notice/NoticeUsers?Id=${Id}`)).map((u) => u.UserNO)
  const others = await make('/System/Notice', { PushTitle: 'To West', OrganIds: [id.organ], UserIds: [id.writer] })
  expect(await readers('manager', others)).toEqual(['worker', 'writer'])
  expect(await readers('writer', others)).toEqual(['writer'])
  expect(await readers('writer', own)).toContain('worker')
})

it('members of a department or organisation show only name and account to people who may not see accounts', async () => {
  await person('clerk', ['m10411', 'm10412'])
  for (const path of [`/System/Department/Users?Id=${id.department}`, `/System/Organ/Users?Id=${id.organ}`]) {
    expect(await items('manager', path)).toMatchObject([{ UserNO: 'worker', Phone: '600100', Email: 'worker@example.com', Status: 1 }])
    expect(await items('clerk', path)).toEqual([{ Id: id.worker, UserNO: 'worker', UserName: 'worker' }])
    expect(await items('clerk', `${path}&Search=600100`)).toEqual([])
    expect(await items('clerk', `${path}&Search=work`)).toHaveLength(1)
  }
})

it('the platform’s notes about a company are hidden from its people, also in the log', async () => {
  const [{ EnterpriseId }] = (await house.database.system.rows(sql`select "EnterpriseId" from project where "Id" = ${id.east}`)) as [Row]
  await house.data('PUT', '/System/Enterprise', { Id: EnterpriseId, Remark: 'Pays late' })
  const company = `/System/Enterprise?Id=${EnterpriseId}`
  expect(await house.data('GET', company)).toMatchObject({ Remark: 'Pays late' })
  expect(await data('manager', 'GET', company)).toMatchObject({ Name: 'Works', Remark: null })
  expect(await items('manager', '/System/Enterprise/List')).toMatchObject([{ Name: 'Works', Remark: null }])
  expect(await data('manager', 'PUT', '/System/Enterprise/System', { Contact: 'Ann' })).toMatchObject({ Contact: 'Ann', Remark: null })
  const entries = await items('manager', '/System/Log/List?Resource=enterprise')
  expect(entries.length).toBeGreaterThan(1)
  for (const { Id } of entries) {
    const fields = await data<{ Field: string }[]>('manager', 'GET', `/System/Log/LogItemList?Id=${Id}`)
    expect(fields.map((f) => f.Field)).not.toContain('Remark')
  }
  expect(await house.data('GET', company)).toMatchObject({ Remark: 'Pays late' })
})

it('a comparison of configurations lists no row that his roles do not show, and a reset needs to show them all', async () => {
  const gateway = await make('/Project/Gateway', { GatewayName: 'compared', SN: 'COMPARED0001', ProjectId: id.east })
  await make('/Project/Protocol/NetProtocol', { ProtocolName: 'line', GatewayId: gateway, Ip: '10.9.8.7', Port: 502 })
  await make('/Project/Device', { DeviceName: 'compared device', GatewayId: gateway })
  await house.database.system.rows(sql`
    insert into config_version ("EnterpriseId", "GatewayId", "Version", "Hash", "HeartbeatPeriod", "Devices", "Points")
    select "EnterpriseId", "Id", 1, 'none', 60, 0, 0 from gateway where "Id" = ${gateway}`)
  await person('operator', ['m10102', 'm10102.resetConfig', 'm10103'])
  type Compared = { Added: number; Rows: { Resource: string }[] }
  const found = await data<Compared>('operator', 'POST', '/Project/Gateway/Version/Compare', { GatewayId: gateway })
  expect([found.Added, found.Rows.map((row) => row.Resource)]).toEqual([2, ['device']])
  expect(await call('operator', 'POST', '/Project/Gateway/Reset', { Id: gateway, Preview: true })).toMatchObject({
    StatusCode: 403,
    Details: { Fault: 'moreRights' },
  })
})
