import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import type { DataRights } from '../contract.ts'

type Made = { Id: number }

let kit: Kit
let worker: number
let RoleId: number
const organs: Record<'north' | 'pumping' | 'south', number> = { north: 0, pumping: 0, south: 0 }
let count = 0
beforeAll(async () => {
  kit = await startKit()
  const organ = async (OrganName: string, ParentOrganId: number | null = null) =>
    (await kit.data<Made>('owner', 'POST', '/System/Organ', { OrganName, ParentOrganId })).Id
  organs.north = await organ('North')
  organs.pumping = await organ('Pumping', organs.north)
  organs.south = await organ('South')
  worker = await kit.person('worker', kit.enterprises.ours)
  await kit.data('owner', 'PUT', '/System/User', { Id: worker, BelongOrganId: organs.north })
  RoleId = (await kit.db.rows<Made>(sql`select "Id" from role where "RoleName" = 'worker'`))[0]!.Id
  for (const name of ['north', 'pumping', 'south'] as const) await works(name, organs[name])
  await works('nowhere', null)
})
afterAll(() => kit.close())

/** A project with a gateway in it. */
const works = async (ProjectName: string, BelongOrganId: number | null, as = 'owner') => {
  const project = await kit.data<Made>(as, 'POST', '/Project/Project', { ProjectName, BelongOrganId })
  const SN = `SIGHT${String(++count).padStart(7, '0')}`
  await kit.data('owner', 'POST', '/Project/Gateway', { GatewayName: `Gateway of ${ProjectName}`, SN, ProjectId: project.Id })
  return project.Id
}
const names = async (path: string, field: string, as = 'worker') => {
  const page = await kit.data<Page<Record<string, string>>>(as, 'GET', `${path}/List?OrderColumn=${field}`)
  expect(page.TotalCount).toBe(page.Items.length)
  return page.Items.map((row) => row[field]!)
}
const projects = () => names('/Project/Project', 'ProjectName')
const set = (more: object, as = 'owner') => kit.data<DataRights>(as, 'POST', '/System/Role/DataPermissions', { RoleId, ...more })
const fault = async (...given: Parameters<Kit['call']>) => (await kit.call(...given)).Details?.Fault
const permission = (more: object) => kit.data<Made>('owner', 'POST', '/System/DataPermissions', { Name: `Permission ${++count}`, ...more })

it('[role-authorisations] a role’s data scope narrows lists, counts, single rows and exports, and everything in a project', async () => {
  for (const [scope, seen] of [
    [{ DataScope: 1 }, []],
    [{ DataScope: 2 }, ['north']],
    [{ DataScope: 3 }, ['north', 'pumping']],
    [{ DataScope: 4, OrganIds: [organs.south] }, ['south']],
    [{ DataScope: 5 }, ['north', 'nowhere', 'pumping', 'south']],
  ] as const) {
    expect(await set(scope)).toMatchObject(scope)
    expect(await projects(), JSON.stringify(scope)).toEqual(seen)
    expect(await names('/Project/Gateway', 'GatewayName')).toEqual(seen.map((name) => `Gateway of ${name}`))
    const file = (await kit.request('worker', 'GET', '/Project/Gateway/Output?Format=csv&Fields=GatewayName')).body
    expect(file.match(/Gateway of \w+/g) ?? []).toEqual(seen.map((name) => `Gateway of ${name}`))
  }
  const [south] = await kit.db.rows<Made>(sql`select "Id" from project where "ProjectName" = 'south'`)
  expect((await kit.call('worker', 'GET', `/Project/Project?Id=${south!.Id}`)).Succeeded).toBe(true)
  await set({ DataScope: 3 })
  expect(await fault('worker', 'GET', `/Project/Project?Id=${south!.Id}`)).toBe('notFound')
  expect(await fault('worker', 'PUT', '/Project/Project', { Id: south!.Id, ProjectName: 'stolen' })).toBe('notFound')
})

it('what one makes oneself stays in sight, and what moves into one’s organisation comes into it', async () => {
  await set({ DataScope: 1 })
  const { Id } = await kit.data<Made>('worker', 'POST', '/Project/Project', { ProjectName: 'my own' })
  expect(await projects()).toEqual(['my own'])
  await kit.data('worker', 'PUT', '/Project/Project', { Id, ProjectName: 'mine' })
  expect(await projects()).toEqual(['mine'])
  await kit.data('worker', 'DELETE', '/Project/Project', { Id })
  await set({ DataScope: 2 })
  expect(await projects()).toEqual(['north'])
  const [south] = await kit.db.rows<Made>(sql`select "Id" from project where "ProjectName" = 'south'`)
  await kit.data('owner', 'PUT', '/Project/Project', { Id: south!.Id, BelongOrganId: organs.north })
  expect(await projects()).toEqual(['north', 'south'])
  await kit.data('owner', 'PUT', '/Project/Project', { Id: south!.Id, BelongOrganId: organs.south })
  expect(await projects()).toEqual(['north'])
  await kit.data('owner', 'PUT', '/System/User', { Id: worker, BelongOrganId: organs.south })
  expect(await projects()).toEqual(['south'])
  await kit.data('owner', 'PUT', '/System/User', { Id: worker, BelongOrganId: organs.north })
})

it('projects that the role names and its data scope hold together; roles add up', async () => {
  const ids = await kit.db.rows<Made>(sql`select "Id" from project where "ProjectName" in ('north', 'south') order by "ProjectName"`)
  await kit.data('owner', 'POST', '/V3/System/Role/SetProject', { RoleId, ProjectIds: ids.map((p) => p.Id) })
  await set({ DataScope: 3 })
  expect(await projects()).toEqual(['north'])
  const second = await kit.data<Made>('owner', 'POST', '/System/Role', { RoleName: `Second ${++count}` })
  await kit.data('owner', 'POST', '/System/Role/AuthorizationMenu', { RoleId: second.Id, MenuCodes: ['m10101'] })
  await set({ RoleId: second.Id, DataScope: 4, OrganIds: [organs.pumping] })
  await kit.data('owner', 'POST', '/System/Role/User', { RoleId: second.Id, UserIds: [worker] })
  expect(await projects()).toEqual(['north', 'pumping'])
  await kit.data('owner', 'DELETE', '/System/Role/User', { RoleId: second.Id, UserIds: [worker] })
  await kit.data('owner', 'POST', '/V3/System/Role/SetProject', { RoleId, ProjectIds: null })
})

describe('a data permission', () => {
  it('holds for its module instead of the role’s scope, and hides fields from lists, exports, filters and writes', async () => {
    await kit.person('colleague', kit.enterprises.ours)
    await kit.data('owner', 'PUT', '/System/User', {
      Id: kit.people.get('colleague')!.id,
      BelongOrganId: organs.pumping,
      Phone: '13800000000',
    })
    await set({ DataScope: 5 })
    expect(await names('/System/User', 'UserNO')).toContain('owner')
    const users = await permission({ ModuleCode: 'user', DataScope: 3, HiddenFields: ['Phone'] })
    const answer = await set({ DataPermissionIds: [users.Id] })
    expect(answer.Items.filter((p) => p.Checked).map((p) => p.Id)).toEqual([users.Id])
    expect(await kit.data('owner', 'POST', '/System/Role/DataPermissionList', { RoleId })).toEqual(answer)
    expect(await names('/System/User', 'UserNO')).toEqual(['colleague', 'worker'])
    expect(await projects()).toHaveLength(4)
    const list = await kit.data<Page<{ UserNO: string; Phone: string | null }>>('worker', 'GET', '/System/User/List?UserNO=colleague')
    expect(list.Items).toMatchObject([{ UserNO: 'colleague', Phone: null }])
    expect(await fault('worker', 'GET', '/System/User/List?Phone=138')).toBe('unknownFilter')
    expect(await fault('worker', 'GET', '/System/User/List?OrderColumn=Phone')).toBe('unknownFilter')
    expect((await kit.data<Page<object>>('worker', 'GET', '/System/User/List?Search=13800000000')).TotalCount).toBe(0)
    await kit.data('worker', 'PUT', '/System/User/Account', { Phone: '1' })
    expect(await kit.data('owner', 'GET', `/System/User?Id=${worker}`)).toMatchObject({ Phone: null })
    expect(await kit.data('owner', 'GET', `/System/User?Id=${kit.people.get('colleague')!.id}`)).toMatchObject({ Phone: '13800000000' })
    // Changes to it apply immediately.
    await kit.data('owner', 'PUT', '/System/DataPermissions', { Id: users.Id, DataScope: 4, OrganIds: [organs.south], HiddenFields: [] })
    expect(await names('/System/User', 'UserNO')).toEqual(['worker'])
    expect(await kit.call('owner', 'DELETE', '/System/DataPermissions/BatchDelet', { Ids: [users.Id] })).toMatchObject({
      StatusCode: 409,
      Details: { UsedBy: [{ Resource: 'role', Id: RoleId, Title: 'worker' }] },
    })
    await set({ DataPermissionIds: [] })
    expect(await names('/System/User', 'UserNO')).toContain('owner')
    expect(await kit.data('owner', 'DELETE', '/System/DataPermissions/BatchDelet', { Ids: [users.Id] })).toEqual({ Removed: 1 })
  })

  it('is made for a module with its own fields, and read back', async () => {
    const draft = { Name: `Posts ${++count}`, ModuleCode: 'post', DataScope: 4, OrganIds: [organs.north], HiddenFields: ['Remark'] }
    const made = await kit.data<Made>('owner', 'POST', '/System/DataPermissions', draft)
    expect(await kit.data('owner', 'GET', `/System/DataPermissions?Id=${made.Id}`)).toMatchObject(draft)
    expect((await kit.data<Page<Made>>('owner', 'GET', '/System/DataPermissions/List?ModuleCode=post')).Items.map((p) => p.Id)).toEqual([
      made.Id,
    ])
    type Module = { ModuleCode: string; ModuleName: string; Fields: { Field: string; FieldName: string }[] }
    const modules = await kit.data<Module[]>('owner', 'GET', '/System/DataPermissions/ObtainPlateModule')
    expect(modules.map((m) => m.ModuleCode)).toEqual(['project', 'user', 'department', 'post'])
    expect(modules.find((m) => m.ModuleCode === 'user')?.Fields).toContainEqual({ Field: 'Phone', FieldName: 'Phone' })
    for (const wrong of [{ HiddenFields: ['PostName'] }, { HiddenFields: ['Nothing'] }, { OrganIds: [999_999] }])
      expect(await fault('owner', 'POST', '/System/DataPermissions', { ...draft, Name: `x ${++count}`, ...wrong })).toBe('invalid')
    expect(await fault('stranger', 'GET', `/System/DataPermissions?Id=${made.Id}`)).toBe('notFound')
  })
})

it('who is narrowed himself hands out nothing wider', async () => {
  await set({ DataScope: 3 })
  const made = await kit.data<Made>('worker', 'POST', '/System/Role', { RoleName: `Narrow ${++count}` })
  expect(await kit.data('owner', 'GET', `/System/Role?Id=${made.Id}`)).toMatchObject({ DataScope: 3 })
  for (const scope of [{ DataScope: 5 }, { DataScope: 4, OrganIds: [organs.south] }])
    expect(await fault('worker', 'POST', '/System/Role/DataPermissions', { RoleId: made.Id, ...scope })).toBe('moreRights')
  expect(await fault('worker', 'POST', '/System/DataPermissions', { Name: `Wide ${++count}`, DataScope: 5 })).toBe('moreRights')
  await set({ DataScope: 5 })
})

it('an administrator looks at the console as a role, and may not touch it', async () => {
  await kit.data('owner', 'POST', '/System/Role/AuthorizationMenu', { RoleId, MenuCodes: ['m101', 'm10101', 'm10101.add'] })
  await set({ DataScope: 2 })
  await kit.data('owner', 'PUT', '/System/User', { Id: kit.people.get('owner')!.id, BelongOrganId: organs.south })
  const as = { 'x-as-role': String(RoleId) }
  const basic = await kit.call<{ AllPageBtn: string[]; AllPageMenu: object[] }>('owner', 'GET', '/System/BasicData', undefined, as)
  expect(JSON.stringify(basic.Data.AllPageMenu)).toContain('m10101')
  expect(JSON.stringify(basic.Data.AllPageMenu)).not.toContain('m10402')
  const list = await kit.call<Page<{ ProjectName: string }>>('owner', 'GET', '/Project/Project/List', undefined, as)
  expect(list.Data.Items.map((p) => p.ProjectName)).toEqual(['south'])
  expect((await kit.call('owner', 'GET', '/System/User/List', undefined, as)).StatusCode).toBe(403)
  for (const [method, path, body] of [
    ['POST', '/Project/Project', { ProjectName: 'x' }],
    ['POST', '/System/User/SetPwd', { OldPwd: kit.password, NewPwd: 'another one indeed' }],
    ['PUT', '/System/User/Account', { UserName: 'x' }],
  ] as const)
    expect(await kit.call('owner', method, path, body, as), path).toMatchObject({ StatusCode: 403, Details: { Fault: 'previewOnly' } })
  expect((await kit.call('owner', 'POST', '/Project/Project', { ProjectName: 'written' })).Succeeded).toBe(true)
  // Nobody looks through a role that he does not see, or that shows more than he may see.
  expect((await kit.call('stranger', 'GET', '/System/BasicData', undefined, as)).Details?.Fault).toBe('notFound')
  expect((await kit.call('worker', 'GET', '/System/BasicData', undefined, as)).Details?.Fault).toBe('notFound')
})
