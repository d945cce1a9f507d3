import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'

type Made = { Id: number; Name: string; Slug: string; UserNO: string; OneTimePwd: string }

let kit: Kit
let count = 0
beforeAll(async () => {
  kit = await startKit()
})
afterAll(() => kit.close())

const make = (more: object = {}) =>
  kit.data<Made>('platform', 'POST', '/System/Enterprise', {
    Name: `Tenant ${++count}`,
    ManagerNO: `manager_${count}`,
    ManagerName: `Manager ${count}`,
    ...more,
  })
const login = (UserNO: string, Pwd: string) =>
  kit.call<{ Token: string; Menu: string[] }>(undefined, 'POST', '/Auth/Login', { UserNO, Pwd })
const fault = async (...given: Parameters<Kit['call']>) => (await kit.call(...given)).Details?.Fault

it('names the first roles in the language of the company', async () => {
  const names = async (Id: number) =>
    (await kit.data<Page<{ RoleName: string }>>('platform', 'GET', `/System/Role/List?EnterpriseId=${Id}&PageSize=50`)).Items.map(
      ({ RoleName }) => RoleName,
    )
  expect(await names((await make({ Language: 'es' })).Id)).toContain('Operador')
  expect(await names((await make()).Id)).toContain('Operator')
})

it('[tenant-managers] a tenant is made with its first manager, who holds everything in it and nothing of the platform', async () => {
  const made = await make({ TimeZoneKey: 'Asia/Tokyo' })
  const { Data } = await login(made.UserNO, made.OneTimePwd)
  const { Token } = await kit.data<{ Token: string }>(Data.Token, 'POST', '/System/User/SetPwd', {
    OldPwd: made.OneTimePwd,
    NewPwd: 'a river runs through it',
  })
  const { AllPageBtn } = await kit.data<{ AllPageBtn: string[] }>(Token, 'GET', '/System/BasicData')
  expect(AllPageBtn).toEqual(expect.arrayContaining(['m10101.add', 'm10402.add', 'm10403.authorise', 'm10406.edit']))
  expect(AllPageBtn.filter((code) => code.startsWith('m10404'))).toEqual([])
  expect(await kit.data('platform', 'GET', `/System/Enterprise/Manager?EnterpriseId=${made.Id}`)).toMatchObject([{ UserNO: made.UserNO }])
  expect(await kit.data('platform', 'POST', '/System/Enterprise/CheckGatewayUserCount', { EnterpriseId: made.Id })).toEqual({
    UserCount: 1,
    MaxUsers: null,
    GatewayCount: 0,
    MaxGateways: null,
  })
  const list = await kit.data<Page<{ Id: number }>>(Token, 'GET', '/System/Enterprise/List?PageIndex=1&PageSize=999999')
  expect(list.Items.map((e) => e.Id)).toEqual([made.Id])
  expect((await kit.data<Page<{ Id: number }>>('platform', 'GET', '/System/Enterprise/List?PageSize=999999')).TotalCount).toBeGreaterThan(3)
})

it('companies that are made at the same moment get numbers of their own', async () => {
  const made = await Promise.all([make(), make(), make()] as Promise<Made & { EnterpriseNo: string }>[])
  expect(new Set(made.map(({ EnterpriseNo }) => EnterpriseNo)).size).toBe(3)
})

it('is not made in halves: a manager whose account is taken leaves no tenant', async () => {
  expect(await kit.call('platform', 'POST', '/System/Enterprise', { Name: 'Half', ManagerNO: 'OWNER', ManagerName: 'x' })).toMatchObject({
    StatusCode: 409,
    Details: { Fields: { ManagerNO: [expect.any(String)] } },
  })
  expect((await kit.data<Page<object>>('platform', 'GET', '/System/Enterprise/List?Name=Half')).Items).toEqual([])
})

it('when it is disabled, its people are signed out with the reason, and sign-in says why', async () => {
  const made = await make()
  const { Data } = await login(made.UserNO, made.OneTimePwd)
  await kit.data('platform', 'PUT', '/System/Enterprise', { Id: made.Id, Status: 0 })
  expect(await fault(Data.Token, 'GET', '/System/User/UserInfo')).toBe('enterpriseClosed')
  expect(await login(made.UserNO, made.OneTimePwd)).toMatchObject({ StatusCode: 403, Details: { Fault: 'enterpriseDisabled' } })
  await kit.data('platform', 'PUT', '/System/Enterprise', { Id: made.Id, Status: 1 })
  expect((await login(made.UserNO, made.OneTimePwd)).Succeeded).toBe(true)
  const own = kit.people.get('platform')!.enterprise
  expect(await fault('platform', 'PUT', '/System/Enterprise', { Id: own, Status: 0 })).toBe('lastPlatform')
})

it('single login, zone and language hold for its people', async () => {
  const made = await make()
  await kit.data('platform', 'PUT', '/System/Enterprise', { Id: made.Id, SingleLogin: 1, Language: 'es', TimeZoneKey: 'Europe/Madrid' })
  const { Data } = await login(made.UserNO, made.OneTimePwd)
  expect(Data.Token).toEqual(expect.any(String))
  expect((await login(made.UserNO, made.OneTimePwd)).Data.Token).toBeUndefined()
  expect(await fault('platform', 'PUT', '/System/Enterprise', { Id: made.Id, TimeZoneKey: 'x' })).toBe('invalid')
})

it('its login link shows its name, and guessed links show nothing', async () => {
  const made = await make()
  await kit.data('platform', 'PUT', '/System/Enterprise', { Id: made.Id, SysName: 'Waterworks', Language: 'es' })
  expect(await kit.data(undefined as never, 'GET', `/System/Enterprise/LoginUrl?Slug=${made.Slug}`)).toEqual({
    Name: made.Name,
    SysName: 'Waterworks',
    Logo: null,
    Language: 'es',
  })
  expect(await kit.data(undefined as never, 'GET', '/System/Enterprise/LoginUrl?Slug=guess')).toEqual({
    Name: null,
    SysName: null,
    Logo: null,
    Language: null,
  })
})

it('its manager sets its own system name and logo, and no limit', async () => {
  const row = await kit.data('owner', 'PUT', '/System/Enterprise/System', { SysName: 'Our plant', MaxUsers: 999, Status: 0 })
  expect(row).toMatchObject({ Id: kit.enterprises.ours, SysName: 'Our plant', MaxUsers: null, Status: 1 })
  expect(await fault('owner', 'PUT', '/System/Enterprise/System', { Logo: 'javascript:alert(1)' })).toBe('invalid')
  expect(await fault('viewer', 'PUT', '/System/Enterprise/System', { SysName: 'x' })).toBe('forbidden')
})

it('is removed with its people while nothing was built in it', async () => {
  const made = await make()
  const built = await make()
  await kit.data('platform', 'POST', '/Project/Project', { ProjectName: 'Built', EnterpriseId: built.Id })
  const { Data } = await login(made.UserNO, made.OneTimePwd)
  expect(await fault('platform', 'DELETE', '/System/Enterprise', { Ids: [made.Id, built.Id] })).toBe('inUse')
  expect((await kit.call(Data.Token, 'GET', '/System/User/UserInfo')).Succeeded).toBe(true)
  expect(await kit.data('platform', 'DELETE', '/System/Enterprise', { Id: made.Id })).toEqual({ Removed: 1 })
  expect((await kit.call(Data.Token, 'GET', '/System/User/UserInfo')).Succeeded).toBe(false)
})

it('several are removed at once, or none', async () => {
  const [a, b, built] = [await make(), await make(), await make()]
  await kit.data('platform', 'POST', '/Project/Project', { ProjectName: 'Built', EnterpriseId: built.Id })
  const remove = (Ids: number[]) => kit.call('platform', 'DELETE', '/System/Enterprise/BatchDelete', { Ids })
  expect(await remove([a.Id, built.Id])).toMatchObject({ StatusCode: 409, Details: { Fault: 'inUse' } })
  expect(await kit.data('platform', 'GET', `/System/Enterprise?Id=${a.Id}`)).toMatchObject({ Name: a.Name })
  expect((await remove([a.Id, b.Id])).Data).toEqual({ Removed: 2 })
  expect(await fault('platform', 'GET', `/System/Enterprise?Id=${b.Id}`)).toBe('notFound')
})

it('only the platform sees and changes tenants; others only change their own name and logo', async () => {
  const made = await make()
  expect(await fault('owner', 'GET', `/System/Enterprise?Id=${made.Id}`)).toBe('notFound')
  expect(await kit.data('owner', 'GET', `/System/Enterprise?Id=${kit.enterprises.ours}`)).toMatchObject({ Name: 'Ours' })
  for (const [method, path, body] of [
    ['POST', '/System/Enterprise', { Name: 'x', ManagerNO: 'someone', ManagerName: 'x' }],
    ['PUT', '/System/Enterprise', { Id: kit.enterprises.ours, Name: 'x' }],
    ['DELETE', '/System/Enterprise', { Id: kit.enterprises.ours }],
    ['DELETE', '/System/Enterprise/Manager/BatchDelete', { Ids: [kit.people.get('owner')!.id] }],
    ['GET', `/System/Enterprise/Manager?EnterpriseId=${kit.enterprises.ours}`],
    ['POST', '/System/Enterprise/CheckGatewayUserCount', { EnterpriseId: kit.enterprises.ours }],
  ] as const)
    expect(await fault('owner', method, path, body), path).toBe('forbidden')
})
