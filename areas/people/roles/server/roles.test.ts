import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { permissions, tenantPermissions } from '../../../../contract/menus.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import type { RightsNode } from '../contract.ts'

type Role = { Id: number; EnterpriseId: number; RoleName: string }

let kit: Kit
let count = 0
beforeAll(async () => {
  kit = await startKit()
})
afterAll(() => kit.close())

const make = (more: object = {}, as = 'owner') => kit.data<Role>(as, 'POST', '/System/Role', { RoleName: `Role ${++count}`, ...more })
const fault = async (...given: Parameters<Kit['call']>) => (await kit.call(...given)).Details?.Fault
const roleOf = async (name: string) => (await kit.db.rows<{ Id: number }>(sql`select "Id" from role where "RoleName" = ${name}`))[0]!.Id
const status = async (as: string, path: string) => (await kit.call(as, 'GET', path)).StatusCode
const flat = (nodes: RightsNode[]): RightsNode[] => nodes.flatMap((n) => [n, ...flat(n.MenuChildren)])

it('a role has modules, projects and assigned users, and what it gives holds on the next call', async () => {
  const person = await kit.person('worker', kit.enterprises.ours, { menus: [] })
  const { Id: RoleId } = await make()
  const [mine, other] = [
    await kit.data<{ Id: number }>('owner', 'POST', '/Project/Project', { ProjectName: 'Mine' }),
    await kit.data<{ Id: number }>('owner', 'POST', '/Project/Project', { ProjectName: 'Other' }),
  ]
  const seen = async () => (await kit.data<{ Items: { Id: number }[] }>('worker', 'GET', '/Project/Project/List')).Items.map((p) => p.Id)
  await kit.data('owner', 'POST', '/System/User/SetRole', { UserId: person, RoleIds: [] })
  expect(await status('worker', '/Project/Project/List')).toBe(403)

  await kit.data('owner', 'POST', '/System/Role/User', { RoleId, UserIds: [person] })
  expect(await kit.data('owner', 'POST', '/System/Role/UserList', { RoleId })).toEqual({
    Items: [{ Id: person, UserNO: 'worker', UserName: 'worker' }],
    TotalCount: 1,
  })
  await kit.data('owner', 'POST', '/System/Role/SetModule', { RoleId, ModuleCodes: ['m101'] })
  expect(await kit.data('owner', 'GET', `/System/Role/ModuleIds?RoleId=${RoleId}`)).toEqual(['m101'])
  expect(await seen()).toEqual([mine!.Id, other!.Id])
  expect(await fault('worker', 'POST', '/Project/Project', { ProjectName: 'x' })).toBe('forbidden')

  for (const path of ['/V3/System/Role/SetProject', '/System/Role/SetProject'])
    await kit.data('owner', 'POST', path, { RoleId, ProjectIds: [mine!.Id] })
  expect(await kit.data('owner', 'GET', `/System/Role/ProjectIds?RoleId=${RoleId}`)).toEqual({ All: false, ProjectIds: [mine!.Id] })
  expect(await seen()).toEqual([mine!.Id])
  await kit.data('owner', 'POST', '/V3/System/Role/SetProject', { RoleId, ProjectIds: null })
  expect(await seen()).toEqual([mine!.Id, other!.Id])

  await kit.data('owner', 'POST', '/System/Role/AuthorizationMenu', { RoleId, MenuCodes: ['m10101', 'm10101.add'] })
  const tree = flat(await kit.data<RightsNode[]>('owner', 'POST', '/System/Role/AuthorizationMenuList', { RoleId }))
  expect(tree.filter((n) => n.Checked).map((n) => [n.MenuEncoding, n.MenuType])).toEqual([
    ['m10101', 1],
    ['m10101.add', 2],
  ])
  expect(tree.find((n) => n.MenuEncoding === 'm10101')).toMatchObject({ MenuName: 'Projects', Grantable: true })
  expect((await kit.call('worker', 'POST', '/Project/Project', { ProjectName: 'Made' })).Succeeded).toBe(true)
  expect(await status('worker', '/Project/Gateway/List')).toBe(403)

  await kit.data('owner', 'PUT', '/System/Role', { Id: RoleId, Status: 0 })
  expect(await status('worker', '/Project/Project/List')).toBe(403)
  await kit.data('owner', 'PUT', '/System/Role', { Id: RoleId, Status: 1 })
  expect(await status('worker', '/Project/Project/List')).toBe(200)
  await kit.data('owner', 'DELETE', '/System/Role/User', { RoleId, UserIds: [person] })
  expect(await status('worker', '/Project/Project/List')).toBe(403)
})

it('modules that can be given are the tenant’s, named in the caller’s language; a person’s are those he sees something of', async () => {
  type Module = { ModuleCode: string; ModuleName: string }
  const modules = await kit.data<Module[]>('owner', 'GET', '/System/Role/Modules')
  expect(modules).toContainEqual({ ModuleCode: 'm101', ModuleName: 'Plant' })
  const zh = await kit.call<Module[]>('owner', 'GET', '/System/Role/Modules', undefined, { 'accept-language': 'zh' })
  expect(zh.Data.map((m) => m.ModuleCode)).toEqual(modules.map((m) => m.ModuleCode))
  expect(zh.Data.map((m) => m.ModuleName)).not.toEqual(modules.map((m) => m.ModuleName))
  await kit.person('moduled', kit.enterprises.ours, { menus: ['m10101'] })
  const own = await kit.data<Module[]>('moduled', 'GET', '/System/User/AccountModules')
  expect(own.map((m) => m.ModuleCode)).toContain('m101')
  expect(own.length).toBeLessThan(modules.length)
})

it('changed rights are announced to listeners of connections', async () => {
  const told: boolean[] = []
  const stop = kit.sessions.onChanged((of) => void told.push(of({ UserId: 0, EnterpriseId: kit.enterprises.ours } as never)))
  const { Id: RoleId } = await make()
  await kit.data('owner', 'POST', '/System/Role/AuthorizationMenu', { RoleId, MenuCodes: ['m100'] })
  stop()
  expect(told).toEqual([true])
})

it('a copy gives what its original gives', async () => {
  const copy = await make({ CopyOf: await roleOf('viewer') })
  const [a, b] = await kit.db.rows<{ MenuCodes: string[] }>(
    sql`select "MenuCodes" from role where "Id" in (${copy.Id}, ${await roleOf('viewer')}) order by "Id"`,
  )
  expect(new Set(b!.MenuCodes)).toEqual(new Set([...a!.MenuCodes.filter((code) => tenantPermissions.includes(code))]))
  expect(await fault('owner', 'POST', '/System/Role', { RoleName: 'stolen', CopyOf: await roleOf('stranger') })).toBe('notFound')
})

it('a role that somebody has is not removed, and the answer says who', async () => {
  const id = await kit.person('holder', kit.enterprises.ours, { menus: ['m100'] })
  const RoleId = await roleOf('holder')
  expect(await kit.call('owner', 'DELETE', '/System/Role', { Id: RoleId })).toMatchObject({
    StatusCode: 409,
    Details: { UsedBy: [{ Resource: 'user', Id: id, Title: 'holder' }] },
  })
  await kit.data('owner', 'DELETE', '/System/Role/User', { RoleId, UserIds: [id] })
  expect(await kit.data('owner', 'DELETE', '/System/Role/BatchDelete', { Ids: [RoleId] })).toEqual({ Removed: 1 })
})

describe('nobody', () => {
  it('makes or changes a role that gives more than he has', async () => {
    const menus = permissions.filter((code) => /^m1040[23]/.test(code))
    await kit.person('clerk', kit.enterprises.ours, { menus })
    const { Id: RoleId } = await make({}, 'clerk')
    const set = (MenuCodes: string[]) => fault('clerk', 'POST', '/System/Role/AuthorizationMenu', { RoleId, MenuCodes })
    expect(await set(['m10402'])).toBeUndefined()
    expect(await set(['m10402', 'm10101'])).toBe('moreRights')
    expect(await fault('clerk', 'PUT', '/System/Role', { Id: RoleId, RouteRole: 'admin' })).toBe('moreRights')
    expect(await fault('clerk', 'POST', '/System/Role', { RoleName: 'x', RouteRole: 'admin' })).toBe('moreRights')
    expect(await fault('clerk', 'POST', '/System/Role', { RoleName: 'x', CopyOf: await roleOf('owner') })).toBe('moreRights')
    const owner = await roleOf('owner')
    expect(await fault('clerk', 'POST', '/System/Role/AuthorizationMenu', { RoleId: owner, MenuCodes: [] })).toBe('moreRights')
    expect(await fault('clerk', 'DELETE', '/System/Role', { Id: owner })).toBe('moreRights')
    await kit.person('narrow', kit.enterprises.ours, { menus, projects: [] })
    expect(await fault('narrow', 'POST', '/V3/System/Role/SetProject', { RoleId, ProjectIds: null })).toBe('moreRights')
  })

  it('gives a tenant what only the platform may hold, or a right that is none', async () => {
    const { Id: RoleId } = await make()
    for (const code of ['m10404', 'm10404.add', 'm999'])
      for (const as of ['owner', 'platform'])
        expect(await kit.call(as, 'POST', '/System/Role/AuthorizationMenu', { RoleId, MenuCodes: [code] })).toMatchObject({
          StatusCode: 400,
        })
    // Nor does a row that was written some other way.
    await kit.person('forged', kit.enterprises.ours, { menus: permissions })
    expect(await fault('forged', 'POST', '/System/Role', { RoleName: 'y', IsPlatform: 1, MenuCodes: ['m10404'] })).toBeUndefined()
    const [row] = await kit.db.rows(sql`select "IsPlatform", "MenuCodes" from role where "RoleName" = 'y'`)
    expect(row).toEqual({ IsPlatform: 0, MenuCodes: [] })
    const { AllPageBtn } = await kit.data<{ AllPageBtn: string[] }>('forged', 'GET', '/System/BasicData')
    expect(AllPageBtn.filter((code) => code.startsWith('m10404'))).toEqual([])
  })

  it('sees or touches a role, a project or a person of another tenant', async () => {
    const { Id: RoleId } = await make()
    const project = await kit.data<{ Id: number }>('stranger', 'POST', '/Project/Project', { ProjectName: 'Theirs' })
    for (const [method, path, body] of [
      ['GET', `/System/Role?Id=${RoleId}`],
      ['PUT', '/System/Role', { Id: RoleId, RoleName: 'stolen' }],
      ['DELETE', '/System/Role', { Id: RoleId }],
      ['POST', '/System/Role/AuthorizationMenuList', { RoleId }],
      ['POST', '/System/Role/AuthorizationMenu', { RoleId, MenuCodes: [] }],
      ['POST', '/System/Role/UserList', { RoleId }],
      ['POST', '/System/Role/User', { RoleId, UserIds: [1] }],
      ['GET', `/System/Role/ProjectIds?RoleId=${RoleId}`],
    ] as const)
      expect(await fault('stranger', method, path, body), path).toBe('notFound')
    expect(await fault('owner', 'POST', '/V3/System/Role/SetProject', { RoleId, ProjectIds: [project.Id] })).toBe('invalid')
    expect(await fault('owner', 'POST', '/System/Role/User', { RoleId, UserIds: [kit.people.get('stranger')!.id] })).toBe('notFound')
  })

  it('disables the role of the last administrators of the platform', async () => {
    expect(await fault('platform', 'PUT', '/System/Role', { Id: await roleOf('platform'), Status: 0 })).toBe('lastPlatform')
  })
})
