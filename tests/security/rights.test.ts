// Rights inside a tenant (security review F4, F11): a clerk of East, with every right but East's rows only, tries to see West and to widen
// what he sees. tests/two-organisations.calls.test.ts asks every call; here are the requests of the review, and that what is allowed works.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tenantPermissions } from '../../contract/menus.ts'
import { hashPassword } from '../../server/identity/passwords.ts'
import { type House, password, startHouse } from '../house.ts'

type Names = { Items: { Id: number; ProjectName: string; Phone: string | null; UserNO: string }[] }
let house: House
const id: Record<string, number> = {}
const token: Record<string, string> = {}

const data = <T = { Id: number }>(as: string, method: string, path: string, body?: object) => house.data<T>(method, path, body, token[as])
const call = <T = unknown>(as: string, method: string, path: string, body?: object) => house.call<T>(token[as], method, path, body)
const fault = async (...given: Parameters<typeof call>) => (await call(...given)).Details?.Fault
const make = async (path: string, body: object, as = 'manager') => (await data(as, 'POST', path, body)).Id
const projects = async (as: string) =>
  (await data<Names>(as, 'GET', '/Project/Project/List?OrderColumn=ProjectName')).Items.map((p) => p.ProjectName)
const people = async (as: string) => (await data<Names>(as, 'GET', '/System/User/List')).Items.map((u) => u.UserNO)
const role = async (RoleName: string, MenuCodes: readonly string[], rows: object = {}) => {
  const RoleId = await make('/System/Role', { RoleName })
  await data('manager', 'POST', '/System/Role/AuthorizationMenu', { RoleId, MenuCodes })
  await data('manager', 'POST', '/System/Role/DataPermissions', { RoleId, ...rows })
  return RoleId
}
const person = async (name: string, organ: string | null, RoleIds: number[], more: object = {}) => {
  id[name] = await make('/System/User', { UserNO: name, UserName: name, BelongOrganId: organ && id[organ], RoleIds, ...more })
  await house.database.system.rows(sql`update "user" set "PasswordHash" = ${hash}, "MustChangePwd" = 0 where "Id" = ${id[name]}`)
  token[name] = await house.login(name)
}
let hash: string

beforeAll(async () => {
  house = await startHouse()
  hash = await hashPassword(password)
  const enterprise = await house.data('POST', '/System/Enterprise', { Name: 'Works', ManagerNO: 'manager', ManagerName: 'manager' })
  await house.database.system.rows(
    sql`update "user" set "PasswordHash" = ${hash}, "MustChangePwd" = 0 where "EnterpriseId" = ${enterprise.Id}`,
  )
  token.manager = await house.login('manager')
  id.manager = (await data('manager', 'GET', '/System/User/Account')).Id
  for (const name of ['east', 'west']) {
    id[name] = await make('/System/Organ', { OrganName: name })
    id[`plant ${name}`] = await make('/Project/Project', {
      ProjectName: `plant ${name}`,
      BelongOrganId: id[name],
      Address: `street ${name}`,
    })
  }
  id.hidden = await make('/System/DataPermissions', { Name: 'No phones', ModuleCode: 'user', DataScope: 2, HiddenFields: ['Phone'] })
  id.clerks = await role('Clerks', tenantPermissions, { DataScope: 2, DataPermissionIds: [id.hidden] })
  id.readers = await role('Readers', ['m101', 'm10101'], { DataScope: 2, DataPermissionIds: [id.hidden] })
  id.below = await role('Below', ['m101', 'm10101'], { DataScope: 3 })
  id.lookers = await role('Lookers', ['m104', 'm10402'], { DataScope: 3 })
  await make('/System/Organ', { OrganName: 'east sub', ParentOrganId: id.east })
  await person('clerk', 'east', [id.clerks])
  await person('reader', 'east', [id.readers], { Phone: '600100', Email: 'reader@example.com' })
  await person('western', 'west', [id.readers], { Phone: '600200' })
})
afterAll(() => house?.close())

it('a clerk does not move himself, or anybody, into another organisation (F4a)', async () => {
  expect(await projects('clerk')).toEqual(['plant east'])
  for (const Id of [id.clerk, id.reader])
    expect(await fault('clerk', 'PUT', '/System/User', { Id, BelongOrganId: id.west })).toBe('invalid')
  // Nor where he sees the other organisation, because only people are narrowed.
  const seesProjects = await make('/System/DataPermissions', { Name: 'Own people', ModuleCode: 'user', DataScope: 2 })
  await person('staff', 'east', [await role('Staff', tenantPermissions, { DataScope: 5, DataPermissionIds: [seesProjects] })])
  expect(await projects('staff')).toEqual(['plant east', 'plant west'])
  expect(await fault('staff', 'PUT', '/System/User', { Id: id.staff, BelongOrganId: id.west })).toBe('moreRights')
  expect(await fault('staff', 'PUT', '/System/User', { Id: id.staff, ValidTo: '2099-01-01 00:00:00' })).toBe('notYourself')
  expect(await people('staff')).not.toContain('western')
  expect(await projects('clerk')).toEqual(['plant east'])
  await data('manager', 'DELETE', '/System/User', { Id: id.staff })
})

it('nobody gets a key with another’s rights: people who may delete a program take it over (F4b)', async () => {
  const program = async (as: string, Permissions: string[]) => {
    const made = await data<{ Id: number; AccessKey: string; Secret: string }>(as, 'POST', '/System/Api', { ApiName: `of ${as}` })
    await data(as, 'POST', '/System/Api/Auth', { Id: made.Id, Permissions })
    return made
  }
  const managers = await program('manager', ['m10101'])
  for (const path of ['ResetKey', 'Enable', 'Disable'])
    expect(await fault('clerk', 'POST', `/System/Api/${path}`, { Id: managers.Id }), path).toBe('notFound')

  // Whoever sees all rows and has fewer rights: the program is his afterwards, with what he may do.
  const codes = ['m101', 'm10101', 'm10433', 'm10433.resetKey', 'm10433.edit', 'm10433.authorise']
  await person('helper', null, [await role('Helpers', codes)])
  expect(await fault('helper', 'POST', '/System/Api/ResetKey', { Id: managers.Id })).toBe('moreRights')
  expect(await fault('helper', 'POST', '/System/Api/Auth', { Id: managers.Id, Permissions: ['m10433'] })).toBe('moreRights')
  expect(await fault('helper', 'PUT', '/System/Api', { Id: managers.Id, RatePerMinute: 1 })).toBe('moreRights')

  const readers = await program('clerk', ['m10101'])
  type Key = { Secret: string; AccessKey: string; UserId: number }
  const taken = await data<Key>('manager', 'POST', '/System/Api/ResetKey', { Id: readers.Id })
  expect(taken.UserId).toBe(id.manager)
  const list = (key: { AccessKey: string; Secret: string }) =>
    house.call<Names>(`${key.AccessKey}.${key.Secret}`, 'GET', '/Project/Project/List')
  expect((await list(taken)).Data.Items).toHaveLength(2)
  expect((await list(readers)).Succeeded).toBe(false)
  const [entry] = await house.database.system.rows<{ Before: object; After: object }>(
    sql`select "Before", "After" from change where "Resource" = 'apiCredential' and "RecordId" = ${readers.Id} order by "Id" desc limit 1`,
  )
  expect(entry).toMatchObject({ Before: { UserId: id.clerk }, After: { UserId: id.manager, Secret: 'reset' } })
  await data('manager', 'DELETE', '/System/Api', { Ids: [managers.Id, readers.Id] })
})

it('the log shows a clerk what he did himself, and no hidden field of it (F4c)', async () => {
  await data('manager', 'PUT', '/Project/Project', { Id: id['plant west'], Address: 'Secret street west' })
  await data('clerk', 'PUT', '/System/User', { Id: id.reader, Remark: 'his own deed' })
  const log = await data<{ Items: { Id: number; UserNO: string }[] }>('clerk', 'GET', '/System/Log/List?PageSize=1000')
  expect(new Set(log.Items.map((e) => e.UserNO))).toEqual(new Set(['clerk']))
  const [entry] = await house.database.system.rows<{ Id: number }>(
    sql`select "Id" from change where "After"::text like '%Secret street%' order by "Id" desc limit 1`,
  )
  expect(await fault('clerk', 'GET', `/System/Log/LogItemList?Id=${entry!.Id}`)).toBe('notFound')
  for (const { Id } of log.Items)
    expect(JSON.stringify(await data('clerk', 'GET', `/System/Log/LogItemList?Id=${Id}`))).not.toMatch(/600100|Secret street/)
})

it('a clerk loosens no data permission that binds him, and may tighten it (F4d)', async () => {
  const set = (more: object) => fault('clerk', 'PUT', '/System/DataPermissions', { Id: id.hidden, ...more })
  for (const more of [{ HiddenFields: [] }, { DataScope: 3, HiddenFields: [] }]) expect(await set(more)).toBe('moreRights')
  // People of West have it, too: theirs is not his to change.
  expect(await set({ HiddenFields: ['Phone', 'Email'] })).toBe('moreRights')
  const own = await make('/System/DataPermissions', { Name: 'Own', ModuleCode: 'post', DataScope: 2, HiddenFields: ['PostNo'] })
  await data('manager', 'POST', '/System/Role/DataPermissions', { RoleId: id.clerks, DataPermissionIds: [id.hidden, own] })
  await house.hub.recheck(() => true)
  expect(await fault('clerk', 'PUT', '/System/DataPermissions', { Id: own, HiddenFields: [] })).toBe('moreRights')
  expect(await fault('clerk', 'PUT', '/System/DataPermissions', { Id: own, HiddenFields: ['PostNo', 'Remark'] })).toBe(undefined)
  await data('manager', 'POST', '/System/Role/DataPermissions', { RoleId: id.clerks, DataPermissionIds: [id.hidden] })
})

it('people of West are read, addressed and switched off by nobody of East (F4e)', async () => {
  const { western, reader } = id
  expect(await fault('clerk', 'GET', `/WeChat/WeiXinGrant/PushSettingByUserId?UserId=${western}`)).toBe('notFound')
  expect(await fault('clerk', 'POST', '/WeChat/WeiXinGrant/ChangeOpenStatusByUserId', { UserId: western, OpenStatus: 0 })).toBe('notFound')
  expect(await data('manager', 'GET', `/WeChat/WeiXinGrant/PushSettingByUserId?UserId=${western}`)).toMatchObject({ OpenStatus: 1 })
  expect(await data('clerk', 'GET', `/WeChat/WeiXinGrant/PushSettingByUserId?UserId=${reader}`)).toMatchObject({
    Phone: null,
    Email: 'reader@example.com',
  })
  for (const [method, path, body] of [
    ['POST', '/System/Role/UserList', { RoleId: id.readers }],
    ['GET', '/Alarm/AlarmInfo/UserNameList', undefined],
    ['GET', '/Alarm/AlarmRule/User', undefined],
    ['GET', '/System/Notice/Users', undefined],
    ['GET', '/Alarm/AlarmUserSetting/List', undefined],
  ] as const) {
    const answer = await call('clerk', method, path, body)
    expect(JSON.stringify(answer), path).toContain('reader')
    expect(JSON.stringify(answer), path).not.toMatch(/western|"west"/)
  }
  const shift = (Users: (number | undefined)[]) => ({
    RosterName: 'Night',
    TimeZone: 'UTC',
    Shifts: [{ Start: '06:00', End: '14:00', Users }],
  })
  const push = (PushUsers: (number | undefined)[]) => ({ TemplateName: 'Orders', AlarmPush: { PushUsers, PushMethods: [{ Method: 1 }] } })
  for (const [path, body] of [
    ['/Alarm/AlarmRoster', shift],
    ['/Maintenance/MtnAlmTemplate', push],
    ['/System/Notice', (UserIds: (number | undefined)[]) => ({ PushTitle: 'Hello', UserIds })],
  ] as const) {
    expect(await fault('clerk', 'POST', path, body([western])), path).toBe('invalid')
    expect(await fault('clerk', 'POST', path, body([reader])), path).toBe(undefined)
  }
})

it('nobody sees more by looking as a role, or by changing the rows of his own (F11)', async () => {
  // All projects, but of people only himself, without phones.
  const own = await make('/System/DataPermissions', { Name: 'Nobody', ModuleCode: 'user', DataScope: 1, HiddenFields: ['Phone'] })
  const keepers = await role('Keepers', tenantPermissions, { DataScope: 5, DataPermissionIds: [own] })
  await person('keeper', 'east', [keepers])
  expect(await people('keeper')).toEqual(['keeper'])
  const looked = await fetch(`${house.origin}/api/System/User/List`, {
    headers: { authorization: `Bearer ${token.keeper}`, 'x-as-role': String(id.lookers), 'accept-language': 'en' },
  })
  expect(await looked.json()).toMatchObject({ Succeeded: false, StatusCode: 403, Details: { Fault: 'moreRights' } })
  const set = (as: string, RoleId: number, more: object) => fault(as, 'POST', '/System/Role/DataPermissions', { RoleId, ...more })
  expect(await set('keeper', keepers, { DataScope: 3, DataPermissionIds: [] })).toBe('moreRights')
  expect(await people('keeper')).toEqual(['keeper'])
  for (const more of [{ DataScope: 3 }, { DataScope: 5 }, { DataPermissionIds: [] }])
    expect(await set('clerk', id.clerks!, more)).toBe('moreRights')
  expect(await set('clerk', id.clerks!, { DataScope: 1 })).toBe(undefined)
  expect(await set('manager', id.clerks!, { DataScope: 2 })).toBe(undefined)
})

it('nobody gives a colleague, or takes from one, what he has not himself', async () => {
  // A role without the hidden fields, and one that shows organisations below.
  const plain = await role('Plain', ['m101', 'm10101'], { DataScope: 2 })
  for (const RoleIds of [[plain], [id.below]])
    expect(await fault('clerk', 'POST', '/System/User/SetRole', { UserId: id.reader, RoleIds })).toBe('moreRights')
  expect(await fault('clerk', 'POST', '/System/User', { UserNO: 'fresh', UserName: 'f', BelongOrganId: id.east, RoleIds: [plain] })).toBe(
    'moreRights',
  )
  // Whoever could sign in as somebody who sees more would see it.
  await person('roamer', 'east', [await role('Roamers', ['m101', 'm10101'], { DataScope: 4, OrganIds: [id.west] })])
  for (const path of ['ResetPwd', 'Lock'])
    expect(await fault('clerk', 'POST', `/System/User/${path}`, { Id: id.roamer })).toBe('moreRights')
  // A role that people of West have is not his to change.
  for (const [path, body] of [
    ['/System/Role/AuthorizationMenu', { MenuCodes: [] }],
    ['/V3/System/Role/SetProject', { ProjectIds: [] }],
  ] as const)
    expect(await fault('clerk', 'POST', path, { RoleId: id.readers, ...body })).toBe('moreRights')
  expect(await fault('clerk', 'PUT', '/System/Role', { Id: id.readers, Status: 0 })).toBe('moreRights')
  expect(await projects('western')).toEqual(['plant west'])
})

it('a sheet widens nobody’s sight: an organisation is not moved below one’s own by an import (N6)', async () => {
  const ownPeople = await make('/System/DataPermissions', { Name: 'Own and below', ModuleCode: 'user', DataScope: 3 })
  await person('planner', 'east', [await role('Planners', tenantPermissions, { DataScope: 5, DataPermissionIds: [ownPeople] })])
  expect(await people('planner')).not.toContain('western')
  expect(await fault('planner', 'PUT', '/System/Organ', { Id: id.west, ParentOrganId: id.east })).toBe('moreRights')
  const sheet = async (as: string, rows: string[], query = '') => {
    const body = new FormData()
    body.set('file', new File([['Organisation,Parent organisation', ...rows].join('\r\n')], 'organisations.csv'))
    const headers = { authorization: `Bearer ${token[as]}`, 'accept-language': 'en' }
    const answer = await fetch(`${house.origin}/api/System/Organ/Import${query}`, { method: 'POST', headers, body })
    return (await answer.json()) as { StatusCode: number; Data: object; Details?: { Fault?: string } }
  }
  // By itself, as a preview, and below an organisation that the same sheet adds.
  for (const [rows, query] of [[['west,east']], [['west,east'], '?Preview=1'], [['west,annexe', 'annexe,east']]] as [string[], string?][])
    expect(await sheet('planner', rows, query), rows.join()).toMatchObject({ StatusCode: 403, Details: { Fault: 'moreRights' } })
  expect(await people('planner')).not.toContain('western')
  expect((await sheet('planner', ['workshop,east', 'bench,workshop'])).Data).toMatchObject({ Added: 2 })
  expect((await sheet('planner', ['bench,east'])).Data).toMatchObject({ Changed: 1 })
  await data('manager', 'DELETE', '/System/User', { Id: id.planner })
})

it('people who see a part of the tenant cannot change channels, texts or settings for all of it (N9)', async () => {
  const template = { TemplateName: 'All', BizType: 1, Enabled: 1, Title: 'x', Content: 'x', Subject: 'x' }
  const robot = await make('/System/WechatConfig/DD', { Name: 'shared' })
  const mail = { EmailHost: 'mail.example.org', EmailFrom: 'a@example.org', WebhookOn: 1, WebhookUrl: 'https://example.org/x' }
  const reminder = { Enabled: 0, Levels: [3], Interval: 10, Times: 6 }
  for (const [method, path, body] of [
    ['PUT', '/System/WechatConfig/MessagePush', mail],
    ['PUT', '/System/WechatConfig', { AppId: 'wx', Status: 1 }],
    ['PUT', '/System/WechatConfig/WxConfig', { WxAppId: 'wx' }],
    ['PUT', '/System/WechatConfig/ShareMsgConfig', { ShareTitle: 'x' }],
    ['POST', '/System/WechatConfig/DD', { Name: 'own', AccessToken: 'x'.repeat(64) }],
    ['PUT', '/System/WechatConfig/DD', { Id: robot, AccessToken: 'x'.repeat(64) }],
    ['DELETE', '/System/WechatConfig/BatchDelete', { Ids: [robot] }],
    ['POST', '/Alarm/AlmEmailTemplate', template],
    ['PUT', '/Alarm/ReminderSetting', reminder],
    ['PUT', '/System/Enterprise/System', { SysName: 'East' }],
  ] as const)
    expect(await fault('clerk', method, path, body), path).toBe('moreRights')
  expect(await data('manager', 'GET', '/System/WechatConfig/MessagePush')).toMatchObject({ EmailHost: null, WebhookUrl: null })
  expect(await fault('manager', 'PUT', '/Alarm/ReminderSetting', reminder)).toBe(undefined)
  expect(await fault('manager', 'PUT', '/System/Enterprise/System', { SysName: 'Works' })).toBe(undefined)
  expect(await data('manager', 'DELETE', '/System/WechatConfig/BatchDelete', { Ids: [robot] })).toEqual({ Removed: 1 })
})

it('a preview as a role writes nothing: no setting of one’s own, no question to a device', async () => {
  const headers = { authorization: `Bearer ${token.manager}`, 'x-as-role': String(id.readers), 'content-type': 'application/json' }
  for (const call of ['PUT /Alarm/AlarmUserSetting', 'POST /Project/DevPara/Read', 'POST /Project/ImportExportTask']) {
    const [method, path] = call.split(' ') as [string, string]
    expect(await (await fetch(`${house.origin}/api${path}`, { method, headers, body: '{}' })).text()).toContain('previewOnly')
  }
})

it('a session that must change its password reads no file (N10.1)', async () => {
  const body = new FormData()
  body.set('file', new File(['of the works'], 'plan.txt', { type: 'text/plain' }))
  const headers = (as: string) => ({ authorization: `Bearer ${token[as]}`, 'accept-language': 'en' })
  const kept = await fetch(`${house.origin}/api/System/File/Upload`, { method: 'POST', headers: headers('manager'), body })
  const { FilePath } = ((await kept.json()) as { Data: { FilePath: string } }).Data
  const open = (as: string) => fetch(`${house.origin}/api/${FilePath}`, { headers: headers(as) })
  await person('starter', 'east', [id.readers!])
  expect((await open('starter')).status).toBe(200)
  await house.database.system.rows(sql`update "user" set "MustChangePwd" = 1 where "Id" = ${id.starter}`)
  token.starter = await house.login('starter')
  const refused = await open('starter')
  expect([refused.status, await refused.text()]).toEqual([expect.any(Number), expect.stringContaining('mustChangePassword')])
  await data('manager', 'DELETE', '/System/User', { Id: id.starter })
})

it('what is allowed goes on working: one’s own name, a colleague, and all of it for the manager', async () => {
  expect(await data('clerk', 'PUT', '/System/User/Account', { UserName: 'Clerk', Email: 'c@example.com', Pwd: password })).toMatchObject({
    UserName: 'Clerk',
  })
  const fresh = await make('/System/User', { UserNO: 'fresh', UserName: 'Fresh', BelongOrganId: id.east, RoleIds: [id.readers] }, 'clerk')
  for (const path of ['ResetPwd', 'Lock', 'UnLock'])
    expect(await fault('clerk', 'POST', `/System/User/${path}`, { Id: fresh })).toBe(undefined)
  expect(await fault('clerk', 'DELETE', '/System/User', { Id: fresh })).toBe(undefined)
  const branch = await make('/System/Organ', { OrganName: 'branch', ParentOrganId: id.east }, 'clerk')
  expect(await fault('clerk', 'PUT', '/System/Organ', { Id: branch, Remark: 'new' })).toBe(undefined)

  // All rights and rows: his own organisation, validity and role, too.
  for (const BelongOrganId of [id.west, null])
    expect(await data('manager', 'PUT', '/System/User', { Id: id.manager, BelongOrganId, ValidTo: null })).toMatchObject({ BelongOrganId })
  const [own] = await data<{ Id: number }[]>('manager', 'GET', `/System/User/Roles?UserId=${id.manager}`)
  expect(await fault('manager', 'PUT', '/System/Role', { Id: own!.Id, Remark: 'mine' })).toBe(undefined)
  const log = await data<{ Items: { UserNO: string }[] }>('manager', 'GET', '/System/Log/List?PageSize=1000')
  expect(new Set(log.Items.map((e) => e.UserNO))).toContain('clerk')
})
