import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { tenantPermissions } from '../../../../contract/menus.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { noticeRoutes } from '../../../system/notices/server/routes.ts'
import type { Grant } from '../contract.ts'

type Version = { Id: number; Name: string }

let kit: Kit
let now = Date.UTC(2026, 5, 1)
let count = 0
beforeAll(async () => {
  kit = await startKit({ clock: () => now, areas: () => [(api) => noticeRoutes(api, () => undefined)] })
})
afterAll(() => kit.close())

const fault = async (...given: Parameters<Kit['call']>) => (await kit.call(...given)).Details?.Fault
const status = async (as: string, path: string) => (await kit.call(as, 'GET', path)).StatusCode
const grantOf = (EnterpriseId: number) => kit.data<Grant>('platform', 'GET', `/System/Enterprise/Grant?EnterpriseId=${EnterpriseId}`)
const change = (more: object) => kit.data('platform', 'PUT', '/System/Enterprise', more)
const authorise = (more: object) => kit.data<Grant>('platform', 'POST', '/System/Enterprise/AuthorizationMenu', more)
/** A new tenant with a person who holds every right in it. */
const tenant = async () => {
  const name = `tenant${++count}`
  const [row] = await kit.db.rows<{ Id: number }>(sql`insert into enterprise ("Name") values (${name}) returning "Id"`)
  await kit.person(name, row!.Id)
  return { id: row!.Id, name }
}
const version = (more: object = {}) =>
  kit.data<Version>('platform', 'POST', '/System/Enterprise/Version', {
    Name: `Version ${++count}`,
    MenuCodes: ['m101', 'm10101'],
    ...more,
  })
const project = (as: string) => kit.data<{ Id: number }>(as, 'POST', '/Project/Project', { ProjectName: `Works ${++count}` })
const gateway = (as: string, ProjectId: number) => {
  const SN = `GRANTED${String(++count).padStart(5, '0')}`
  return kit.call<{ Id: number }>(as, 'POST', '/Project/Gateway', { GatewayName: SN, SN, ProjectId })
}

it('[enterprise-authorisations] a tenant has a version, a grant and menus of its own', async () => {
  const { id, name } = await tenant()
  const { Id: VersionId, Name } = await version({ MaxUsers: 7 })
  expect(await grantOf(id)).toMatchObject({ VersionId: null, OwnMenus: false, MaxUsers: null, MenuCodes: [...tenantPermissions] })
  expect(await authorise({ EnterpriseId: id, VersionId })).toMatchObject({ VersionName: Name, MenuCodes: ['m101', 'm10101'], MaxUsers: 7 })
  expect(await authorise({ EnterpriseId: id, MenuCodes: ['m101', 'm10101', 'm10102'] })).toMatchObject({ OwnMenus: true, VersionId })
  const tree = await kit.data<object[]>('platform', 'GET', `/System/Enterprise/ObtainAuthorizationMenu?EnterpriseId=${id}`)
  expect(JSON.stringify(tree)).toContain('"MenuEncoding":"m10102","Checked":true')
  expect(await kit.data(name, 'GET', '/System/EnterpriseAuth')).toEqual(
    await kit.data('platform', 'GET', `/System/Enterprise/Grant?EnterpriseId=${id}`),
  )
  const versions = await kit.data<(Version & { TenantCount: number })[]>('platform', 'GET', '/System/Enterprise/Ver')
  expect(versions.find((v) => v.Id === VersionId)).toMatchObject({ Name, MenuCodes: ['m101', 'm10101'], MaxUsers: 7, TenantCount: 1 })
  // One that somebody has is not removed.
  expect(await kit.call('platform', 'DELETE', '/System/Enterprise/Version', { Id: VersionId })).toMatchObject({
    StatusCode: 409,
    Details: { UsedBy: [{ Resource: 'enterprise', Id: id, Title: name }] },
  })
  expect(await fault('platform', 'POST', '/System/Enterprise/AuthorizationMenu', { EnterpriseId: id, MenuCodes: ['m10404'] })).toBe(
    'invalid',
  )
  expect(await fault('platform', 'POST', '/System/Enterprise/AuthorizationMenu', { EnterpriseId: id, VersionId: 999_999 })).toBe('invalid')
})

it('only menus of the grant open and close calls, immediately and for the tenant’s people only', async () => {
  const { id, name } = await tenant()
  const call = '/Project/Gateway/List'
  expect(await status(name, call)).toBe(200)
  await authorise({ EnterpriseId: id, MenuCodes: tenantPermissions.filter((code) => !code.startsWith('m10102')) })
  expect(await status(name, call)).toBe(403)
  expect(await status(name, '/Project/Project/List')).toBe(200)
  expect(await status('owner', call)).toBe(200)
  const { AllPageMenu } = await kit.data<{ AllPageMenu: object[] }>(name, 'GET', '/System/BasicData')
  expect(JSON.stringify(AllPageMenu)).not.toContain('m10102')
  // Those who manage it still rule over roles that hold what the tenant has not.
  const { Id: RoleId } = await kit.data<{ Id: number }>(name, 'POST', '/System/Role', { RoleName: 'Everything', RouteRole: 'admin' })
  expect(await fault(name, 'PUT', '/System/Role', { Id: RoleId, Remark: 'x' })).toBeUndefined()
  await authorise({ EnterpriseId: id, MenuCodes: null })
  expect(await status(name, call)).toBe(200)
  // The version's own menus hold as well, and what one changes of it.
  const { Id: VersionId } = await version({ MenuCodes: ['m101', 'm10101'] })
  await authorise({ EnterpriseId: id, VersionId })
  expect(await status(name, call)).toBe(403)
  await kit.data('platform', 'PUT', '/System/Enterprise/Version', { Id: VersionId, MenuCodes: ['m101', 'm10101', 'm10102'] })
  expect(await status(name, call)).toBe(200)
})

it('the grant’s number of gateways, users and points alone says whether one more may be added', async () => {
  const { id, name } = await tenant()
  const { Id: ProjectId } = await project(name)
  const first = (await gateway(name, ProjectId)).Data.Id
  const device = await kit.data<{ Id: number }>(name, 'POST', '/Project/Device', { DeviceName: 'Pump', GatewayId: first })
  const point = () =>
    kit.call(name, 'POST', '/Project/DevPara', { DeviceId: device.Id, ParaName: `Point ${++count}`, Address: String(count) })
  const person = () => kit.call(name, 'POST', '/System/User', { UserNO: `granted_${++count}`, UserName: 'x' })
  for (const [limit, add, key] of [
    ['MaxGateways', () => gateway(name, ProjectId), 'noRoomGateways'],
    ['MaxPoints', point, 'noRoomPoints'],
    ['MaxUsers', person, 'noRoom'],
  ] as const) {
    expect((await add()).Succeeded, limit).toBe(true)
    await change({ Id: id, [limit]: 1 })
    expect(await add(), limit).toMatchObject({ StatusCode: 403, Details: { Fault: key }, Errors: expect.stringContaining('1') })
    await change({ Id: id, [limit]: null })
    expect((await add()).Succeeded, limit).toBe(true)
  }
  const { Id: VersionId } = await version({ MaxGateways: 1 })
  await authorise({ EnterpriseId: id, VersionId })
  expect((await gateway(name, ProjectId)).StatusCode).toBe(403)
  expect(await kit.data('platform', 'POST', '/System/Enterprise/CheckGatewayUserCount', { EnterpriseId: id })).toMatchObject({
    GatewayCount: 3,
    MaxGateways: 1,
  })
})

it('two who add the last one at once are not both let in', async () => {
  const { id, name } = await tenant()
  const { Id: ProjectId } = await project(name)
  await change({ Id: id, MaxGateways: 3 })
  const answers = await Promise.all(Array.from({ length: 8 }, () => gateway(name, ProjectId)))
  expect(answers.filter((a) => a.Succeeded)).toHaveLength(3)
  expect((await kit.data<Page<object>>(name, 'GET', '/Project/Gateway/List')).TotalCount).toBe(3)
})

it('outside its term nobody of the tenant can sign in, and sessions end with the reason', async () => {
  const { id, name } = await tenant()
  const login = () => kit.call<{ Token: string }>(undefined, 'POST', '/Auth/Login', { UserNO: name, Pwd: kit.password })
  await change({ Id: id, GrantFrom: '2026-01-01 00:00:00', GrantTo: '2026-07-01 00:00:00' })
  expect(await grantOf(id)).toMatchObject({ GrantFrom: '2026-01-01 00:00:00', GrantTo: '2026-07-01 00:00:00' })
  const { Token } = (await login()).Data
  expect(await status(Token, '/System/User/UserInfo')).toBe(200)
  now = Date.UTC(2026, 6, 1, 0, 0, 1)
  expect(await kit.call(Token, 'GET', '/System/User/UserInfo')).toMatchObject({ StatusCode: 401, Details: { Fault: 'enterpriseExpired' } })
  expect(await login()).toMatchObject({ StatusCode: 403, Details: { Fault: 'grantEnded' } })
  await change({ Id: id, GrantTo: '2026-08-01 00:00:00' })
  expect((await login()).Succeeded).toBe(true)
  await change({ Id: id, GrantFrom: '2026-07-15 00:00:00' })
  expect((await login()).Details?.Fault).toBe('grantEnded')
  expect(await fault('platform', 'PUT', '/System/Enterprise', { Id: id, GrantTo: '2026-02-31 00:00:00' })).toBe('invalid')
})

it('passwords of its people are as long as the tenant asks', async () => {
  const { id, name } = await tenant()
  await change({ Id: id, PasswordMin: 12 })
  const set = (NewPwd: string) => fault(name, 'POST', '/System/User/SetPwd', { OldPwd: kit.password, NewPwd })
  expect(await set('elevenchars')).toBe('passwordTooShort')
  expect(await set('twelve chars')).toBeUndefined()
})

it('a session without a call for as long as the tenant says is over', async () => {
  const { id, name } = await tenant()
  await change({ Id: id, IdleMinutes: 10 })
  expect(await status(name, '/System/User/UserInfo')).toBe(200)
  const ago = async (minutes: number) => {
    await kit.db.rows(
      sql`update session set "UseTime" = now() - make_interval(mins => ${minutes}) where "UserId" = ${kit.people.get(name)!.id}`,
    )
    kit.sessions.changed('all')
  }
  const used = sql<{
    is: boolean
  }>`select "UseTime" > now() - interval '1 minute' as is from session where "UserId" = ${kit.people.get(name)!.id}`
  const usedAgain = async () => (await kit.db.rows(used))[0]!.is
  // Automatic requests of a screen are answered, and do not count as use of the session.
  await ago(9)
  const alone = () => kit.call(name, 'GET', '/System/User/UserInfo', undefined, { 'x-background': '1' })
  expect(await alone()).toMatchObject({ StatusCode: 200 })
  expect(await kit.sessions.who(kit.people.get(name)!.token, false)).toMatchObject({ UserId: kit.people.get(name)!.id })
  expect(await usedAgain()).toBe(false)
  // A person's call counts, also right after one of those.
  expect(await status(name, '/System/User/UserInfo')).toBe(200)
  await vi.waitFor(async () => expect(await usedAgain()).toBe(true))
  await ago(11)
  expect(await alone()).toMatchObject({ StatusCode: 401 })
  expect(await status(name, '/System/User/UserInfo')).toBe(401)
})

it('numbers and folder names are proposed that nobody has', async () => {
  const { EnterpriseNo } = await kit.data<{ EnterpriseNo: string }>('platform', 'GET', '/System/Enterprise/Increment')
  expect(EnterpriseNo).toMatch(/^T\d{4}$/)
  const made = await kit.data<{ Id: number; EnterpriseNo: string }>('platform', 'POST', '/System/Enterprise', {
    Name: 'Río Verde S.A.',
    ManagerNO: 'rioverde',
    ManagerName: 'Rosa',
    DirectoryName: 'rio-verde-s-a',
  })
  expect(made.EnterpriseNo).toBe(EnterpriseNo)
  const propose = (Name: string) => kit.data('platform', 'GET', `/System/Enterprise/DirectoryName?Name=${encodeURIComponent(Name)}`)
  expect(await propose('Río Verde S.A.')).toEqual({ DirectoryName: 'rio-verde-s-a-2' })
  expect(await propose('水厂')).toEqual({ DirectoryName: 'tenant' })
})

it('its map is its own, else the installation’s', async () => {
  const { id, name } = await tenant()
  const map = () => kit.data(name, 'GET', '/System/Enterprise/Map')
  expect(await map()).toEqual({ MapProvider: 'offline', BaiduKey: '', Longitude: null, Latitude: null })
  await kit.db.rows(sql`insert into enterprise ("Id", "Name") values (1, 'The platform itself') on conflict do nothing`)
  await kit.data('platform', 'POST', '/System/Enterprise/PlateformConfig', { MapProvider: 'baidu', BaiduKey: 'of all', SysName: 'Console' })
  expect(await map()).toMatchObject({ MapProvider: 'baidu', BaiduKey: 'of all' })
  await kit.data(name, 'PUT', '/System/Enterprise/System', { BaiduKey: 'our own', Longitude: 114.5, Latitude: 22.5 })
  expect(await map()).toEqual({ MapProvider: 'baidu', BaiduKey: 'our own', Longitude: 114.5, Latitude: 22.5 })
  expect(await kit.data('platform', 'GET', `/System/Enterprise/Map?EnterpriseId=${id}`)).toEqual(await map())
  expect(await fault('owner', 'GET', `/System/Enterprise/Map?EnterpriseId=${id}`)).toBe('notFound')
  expect(await fault('owner', 'POST', '/System/Enterprise/PlateformConfig', { SysName: 'Mine' })).toBe('forbidden')
})

it('a text for its managers is filled in for the tenant and reaches only them', async () => {
  const { id, name } = await tenant()
  await kit.person(`${name}_worker`, id, { menus: ['m100', 'm10421'] })
  await kit.db.rows(sql`update role set "RouteRole" = 'admin' where "RoleName" = ${name}`)
  await change({ Id: id, GrantTo: '2026-09-30 12:00:00' })
  type Text = { Template: string; PushTitle: string; PushContent: string }
  const texts = await kit.data<Text[]>('platform', 'GET', `/System/Enterprise/ObtainMsgPushTemplate?EnterpriseId=${id}`)
  const { PushTitle, PushContent } = texts.find((t) => t.Template === 'grantEnds')!
  expect(PushTitle).toBe(`${name}'s subscription to this platform ends on 2026-09-30`)
  const push = { EnterpriseId: id, PushTitle, PushContent: `${PushContent}<script>alert(1)</script>` }
  expect(await kit.data('platform', 'POST', '/System/Enterprise/ManagerMsgPush', push)).toEqual({ Managers: 1 })
  const heard = async (as: string) =>
    (await kit.data<Page<{ PushTitle: string; PushContent: string; BizType: number }>>(as, 'GET', '/System/Notice/UserNoticeList')).Items
  expect(await heard(name)).toMatchObject([{ PushTitle, PushContent, BizType: 11 }])
  expect(await heard(`${name}_worker`)).toEqual([])
})

it('versions and grants are the platform’s alone', async () => {
  const EnterpriseId = kit.enterprises.ours
  for (const [method, path, body] of [
    ['GET', '/System/Enterprise/Ver'],
    ['GET', '/System/Enterprise/Version/List'],
    ['POST', '/System/Enterprise/Version', { Name: 'Mine' }],
    ['GET', `/System/Enterprise/Grant?EnterpriseId=${EnterpriseId}`],
    ['GET', `/System/Enterprise/ObtainAuthorizationMenu?EnterpriseId=${EnterpriseId}`],
    ['POST', '/System/Enterprise/AuthorizationMenu', { EnterpriseId, MenuCodes: null }],
    ['GET', '/System/Enterprise/Increment'],
    ['GET', '/System/Enterprise/DirectoryName?Name=x'],
    ['GET', `/System/Enterprise/ObtainMsgPushTemplate?EnterpriseId=${EnterpriseId}`],
    ['POST', '/System/Enterprise/ManagerMsgPush', { EnterpriseId, PushTitle: 'x', PushContent: 'x' }],
  ] as const)
    expect(await fault('owner', method, path, body), path).toBe('forbidden')
})
