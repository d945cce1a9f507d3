// Ways around the judgement of rights: a place moved under people instead of people under a place, two changes at the same moment, rights
// that the licence hides, settings of people who may do more, a role that is switched off.
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { tenantPermissions } from '../../contract/menus.ts'
import { hashPassword } from '../../server/identity/passwords.ts'
import { type House, password, startHouse } from '../house.ts'
import { ask, fill, idsOf, meaning, served } from '../two-tenants.operations.ts'

type Page = { Items: Record<string, unknown>[] }
let house: House
let hash: string
let superuser: pg.Client
const id: Record<string, number> = {}
const token: Record<string, string> = {}

const data = <T = { Id: number }>(as: string, method: string, path: string, body?: object) => house.data<T>(method, path, body, token[as])
const call = <T = unknown>(as: string, method: string, path: string, body?: object) => house.call<T>(token[as], method, path, body)
const fault = async (...given: Parameters<typeof call>) => (await call(...given)).Details?.Fault
const make = async (path: string, body: object, as = 'manager') => (await data(as, 'POST', path, body)).Id
const projects = async (as: string) =>
  (await data<Page>(as, 'GET', '/Project/Project/List?OrderColumn=ProjectName')).Items.map((p) => p.ProjectName)
/** A data permission for projects: 2 of his own organisation, 3 also of those below it. */
const ofProjects = (DataScope: number, as = 'manager') =>
  make('/System/DataPermissions', { Name: `projects ${Math.random()}`, ModuleCode: 'project', DataScope }, as)
const role = async (MenuCodes: readonly string[], rows: object | undefined, as = 'manager') => {
  const RoleId = await make('/System/Role', { RoleName: `role ${Math.random()}` }, as)
  await data(as, 'POST', '/System/Role/AuthorizationMenu', { RoleId, MenuCodes })
  await data(as, 'POST', '/System/Role/SetProject', { RoleId, ProjectIds: null })
  if (rows) await data(as, 'POST', '/System/Role/DataPermissions', { RoleId, ...rows })
  return RoleId
}
const person = async (name: string, RoleIds: number[], organ = 'east', as = 'manager') => {
  id[name] = await make('/System/User', { UserNO: name, UserName: name, BelongOrganId: id[organ], RoleIds }, as)
  await house.database.system.rows(sql`update "user" set "PasswordHash" = ${hash}, "MustChangePwd" = 0 where "Id" = ${id[name]}`)
  token[name] = await house.login(name)
}
const viewing = ['m101', 'm10101']

beforeAll(async () => {
  house = await startHouse()
  superuser = new pg.Client({ connectionString: house.databaseUrl })
  await superuser.connect()
  hash = await hashPassword(password)
  id.works = (await house.data('POST', '/System/Enterprise', { Name: 'Works', ManagerNO: 'manager', ManagerName: 'manager' })).Id
  await house.database.system.rows(sql`update "user" set "PasswordHash" = ${hash}, "MustChangePwd" = 0 where "EnterpriseId" = ${id.works}`)
  token.manager = await house.login('manager')
  id.manager = (await data('manager', 'GET', '/System/User/Account')).Id
  for (const name of ['east', 'west']) {
    id[name] = await make('/System/Organ', { OrganName: name })
    id[`plant ${name}`] = await make('/Project/Project', { ProjectName: `plant ${name}`, BelongOrganId: id[name] })
  }
  // All rights, all organisations and people, but the projects of his own organisation only.
  await person('planner', [await role(tenantPermissions, { DataScope: 5, DataPermissionIds: [await ofProjects(2)] })])
})
afterAll(async () => {
  await superuser?.end()
  await house?.close()
})

const sheet = async (as: string, rows: string) => {
  const body = new FormData()
  body.set('file', new File([`Organisation,Parent organisation\r\n${rows}`], 'organisations.csv'))
  const headers = { authorization: `Bearer ${token[as]}`, 'accept-language': 'en' }
  return (await (await fetch(`${house.origin}/api/System/Organ/Import`, { method: 'POST', headers, body })).json()).Details?.Fault
}

it('an organisation is not moved below people who would then see more than the one who moves it', async () => {
  expect(await projects('planner')).toEqual(['plant east'])
  // Sight of lower organisations, by the role itself and by one of its data permissions.
  await person('puppet', [await role(viewing, undefined, 'planner')], 'east', 'planner')
  const permitted = { DataScope: 2, DataPermissionIds: [await ofProjects(3, 'planner')] }
  await person('second', [await role(viewing, permitted, 'planner')], 'east', 'planner')
  await person('surveyor', [await role(tenantPermissions, undefined)])
  const [held] = await data<{ Id: number }[]>('manager', 'GET', `/System/User/Roles?UserId=${id.surveyor}`)
  await data('manager', 'POST', '/System/Role/SetProject', { RoleId: held!.Id, ProjectIds: [id['plant east']] })
  await house.hub.recheck(() => true)
  const yard = await make('/System/Organ', { OrganName: 'yard', ParentOrganId: id.east })
  const moves = { Id: id.west, ParentOrganId: id.east }
  for (const as of ['planner', 'surveyor']) {
    for (const ParentOrganId of [id.east, yard])
      expect(await fault(as, 'PUT', '/System/Organ/Move', { Id: id.west, ParentOrganId }), as).toBe('moreRights')
    expect(await fault(as, 'PUT', '/System/Organ', moves), as).toBe('moreRights')
    for (const rows of ['west,east', 'west,yard', 'west,annexe\r\nannexe,east']) expect(await sheet(as, rows), rows).toBe('moreRights')
  }
  for (const name of ['puppet', 'second']) expect(await projects(name)).toEqual(['plant east'])
  // Changes that show no one more stay allowed, as does everything for people who see all rows.
  const shed = await make('/System/Organ', { OrganName: 'shed', ParentOrganId: yard })
  for (const ParentOrganId of [id.east, yard, null])
    expect(await fault('planner', 'PUT', '/System/Organ/Move', { Id: shed, ParentOrganId })).toBe(undefined)
  expect(await fault('manager', 'PUT', '/System/Organ/Move', moves)).toBe(undefined)
  expect(await projects('puppet')).toEqual(['plant east', 'plant west'])
  await data('manager', 'PUT', '/System/Organ/Move', { Id: id.west, ParentOrganId: null })
  await data('manager', 'DELETE', '/System/Organ/BatchDelete', { Ids: [shed, yard] })
  await data('manager', 'DELETE', '/System/User/BatchDelete', { Ids: [id.puppet, id.second, id.surveyor] })
})

/** Both have judged, or wait, before either ends: entries of the log come last, and wait for the table. */
const together = async (...calls: (() => Promise<string | undefined>)[]) => {
  await superuser.query('begin')
  await superuser.query('lock table change in share mode')
  const answers = calls.map((ask) => ask())
  const waiting = () =>
    superuser.query(
      'select count(*)::int as n from pg_locks l where not granted and database = (select oid from pg_database where datname = current_database())',
    )
  await vi
    .waitFor(async () => expect((await waiting()).rows[0].n).toBeGreaterThanOrEqual(calls.length))
    .finally(() => superuser.query('commit'))
  return Promise.all(answers)
}

it('two changes at the same moment give nobody what neither may give alone', async () => {
  let count = 0
  const puppet = async (given: number, scope: number) => {
    const permission = await make(
      '/System/DataPermissions',
      { Name: `narrow ${++count}`, ModuleCode: 'project', DataScope: given },
      'planner',
    )
    const RoleId = await role(viewing, { DataScope: scope, DataPermissionIds: [permission] }, 'planner')
    const UserId = await make('/System/User', { UserNO: `puppet${count}`, UserName: 'p', BelongOrganId: id.east }, 'planner')
    return { permission, RoleId, UserId }
  }
  const below = await make('/System/Organ', { OrganName: 'below', ParentOrganId: id.east })
  await make('/Project/Project', { ProjectName: 'plant below', BelongOrganId: below })
  const change = (method: string, path: string, body: object) => () => fault('planner', method, path, body)
  const give = (p: { UserId: number; RoleId: number }) => change('POST', '/System/User/SetRole', { UserId: p.UserId, RoleIds: [p.RoleId] })
  const widen = (Id: number, DataScope: number) => change('PUT', '/System/DataPermissions', { Id, DataScope })
  const given = await puppet(2, 2)
  expect((await together(give(given), widen(given.permission, 3))).sort()).toEqual(['moreRights', undefined])

  const placed = await puppet(1, 1)
  expect(await give(placed)()).toBe(undefined)
  const place = change('PUT', '/System/User', { Id: placed.UserId, BelongOrganId: id.west })
  expect((await together(place, widen(placed.permission, 2))).sort()).toEqual(['moreRights', undefined])

  const attached = await puppet(2, 2)
  const wider = await ofProjects(3, 'planner')
  const attach = change('POST', '/System/Role/DataPermissions', { RoleId: attached.RoleId, DataPermissionIds: [wider] })
  expect((await together(give(attached), attach)).sort()).toEqual(['moreRights', undefined])
  await data('manager', 'PUT', '/System/Organ/Move', { Id: below, ParentOrganId: null })
  const above = await puppet(3, 2)
  const move = change('PUT', '/System/Organ/Move', { Id: below, ParentOrganId: id.east })
  expect((await together(give(above), move)).sort()).toEqual(['moreRights', undefined])
})

it('rights that the licence hides are given by those who hold them only, not by others to themselves', async () => {
  const codes = ['m104', 'm10403', 'm10403.authorise', 'm10403.edit', 'm10402', 'm10402.authorise', 'm10402.resetPwd']
  const RoleId = await role(codes, undefined)
  await person('clerk', [RoleId])
  const more = [...codes, 'm10433', 'm10433.add', 'm101', 'm10104', 'm10104.write']
  const licence = (MenuCodes: string[] | null) =>
    house.data('POST', '/System/Enterprise/AuthorizationMenu', { EnterpriseId: id.works, MenuCodes })
  const give = (as: string, MenuCodes: string[]) => fault(as, 'POST', '/System/Role/AuthorizationMenu', { RoleId, MenuCodes })
  expect(await give('clerk', more)).toBe('moreRights')
  await licence(['m100', ...codes])
  await house.hub.recheck(() => true)
  expect(await give('clerk', more)).toBe('moreRights')
  expect(await fault('clerk', 'POST', '/System/User/ResetPwd', { Id: id.planner })).toBe('moreRights')
  expect(await give('clerk', codes)).toBe(undefined)
  expect(await give('manager', more)).toBe(undefined)
  expect(await give('manager', codes)).toBe(undefined)
  await licence(null)
  expect(await fault('clerk', 'POST', '/Project/DevPara/Write', { ParaId: 1, Value: 1 })).toBe('forbidden')
  await data('manager', 'DELETE', '/System/User', { Id: id.clerk })
})

it('nobody switches off the messages of people who may do or see more', async () => {
  const clerks = await role(['m104', 'm10402', 'm10402.edit', 'm10213', 'm10213.edit'], undefined)
  await person('clerk', [clerks])
  await person('colleague', [clerks])
  const NoDisturb = { Enabled: 0, Mode: 1, Start: '00:00', End: '01:00' }
  const Setting = { Levels: [], Methods: [], Types: [], WithoutRule: 0, Sound: 0, NoDisturb }
  const silence = (as: string, ...UserIds: number[]) => fault(as, 'PUT', '/Alarm/AlarmUserSetting/User', { UserIds, Setting })
  const close = (as: string, UserId: number) => fault(as, 'POST', '/WeChat/WeiXinGrant/ChangeOpenStatusByUserId', { UserId, OpenStatus: 0 })
  for (const [as, other] of [
    ['clerk', id.manager!],
    ['clerk', id.planner!],
    ['planner', id.manager!],
  ] as const) {
    expect(await silence(as, other)).toBe('moreRights')
    expect(await silence(as, id.colleague!, other)).toBe('moreRights')
    expect(await close(as, other)).toBe('moreRights')
  }
  expect(await data('manager', 'GET', '/WeChat/WeiXinGrant/PushSettingByUserId')).toMatchObject({ OpenStatus: 1 })
  expect(await data<{ Levels: number[] }>('manager', 'GET', '/Alarm/AlarmUserSetting')).toMatchObject({ Levels: [1, 2, 3] })
  expect([await silence('clerk', id.colleague!, id.clerk!), await close('clerk', id.colleague!)]).toEqual([undefined, undefined])
  expect([await silence('manager', id.planner!), await close('manager', id.planner!)]).toEqual([undefined, undefined])
})

it('no call acts on a person with more rights', async () => {
  await person('deputy', [await role(tenantPermissions.slice(1), undefined)])
  // Whoever sees people may address them, and name them as leaders.
  const addresses = /^\/System\/(Notice|Organ$)|^\/Alarm\/(AlarmRoster|AlarmRule|AlarmInfo)/
  const [asked, done]: string[][] = [[], []]
  for (const o of await served(house.origin, token.manager!)) {
    if (o.reads || !tenantPermissions.concat('session').includes(o.permission) || addresses.test(o.path)) continue
    if (!idsOf(o).some((name) => meaning(o, name) === 'user')) continue
    const request = fill(o, (name) => (meaning(o, name) === 'user' ? id.manager : undefined))
    const { code } = await ask(house.origin, token.manager!, token.deputy, o, request)
    asked!.push(o.name)
    if (code === 200) done!.push(o.name)
  }
  expect(done).toEqual([])
  expect(asked!.length).toBeGreaterThan(15)
})

it('who acts as a role that is switched off, or has none, sees nothing', async () => {
  const people = await make('/System/DataPermissions', { Name: 'own people', ModuleCode: 'user', DataScope: 2 })
  const narrow = await role(viewing, { DataScope: 2, DataPermissionIds: [people] })
  const off = await role(viewing, { DataScope: 5, DataPermissionIds: [] })
  await person('acting', [narrow, off])
  await person('bare', [])
  token.acting = (await data<{ Token: string }>('acting', 'POST', '/Auth/ActAs', { RoleId: off })).Token
  const organs = async (as: string) => (await data<Page>(as, 'GET', '/System/Organ/List')).Items.map((o) => o.OrganName)
  expect(await organs('acting')).toContain('west')
  await data('manager', 'PUT', '/System/Role', { Id: off, Status: 0 })
  for (const as of ['acting', 'bare']) expect(await organs(as), as).toEqual([])
})

it('roles are given to a new account by those who may give roles', async () => {
  const adding = await role(['m104', 'm10402', 'm10402.add'], undefined)
  await person('adder', [adding])
  const fresh = (UserNO: string, more: object) => fault('adder', 'POST', '/System/User', { UserNO, UserName: UserNO, ...more })
  expect(await fresh('fresh1', { RoleIds: [adding] })).toBe('forbidden')
  expect(await fresh('fresh2', {})).toBe(undefined)
})

it('a role out of sight is answered like one that does not exist, also as a preview', async () => {
  const clerks = await role(['m104', 'm10403', 'm10402'], { DataScope: 2 })
  await person('seer', [clerks])
  const elsewhere = await role(viewing, { DataScope: 4, OrganIds: [id.west] })
  const look = async (role: number) => {
    const headers = { authorization: `Bearer ${token.seer}`, 'x-as-role': String(role), 'accept-language': 'en' }
    const answer = await (await fetch(`${house.origin}/api/System/User/List`, { headers })).json()
    return { ...answer, Details: answer.Details.Fault }
  }
  expect(await look(elsewhere)).toMatchObject({ StatusCode: 404 })
  expect(await look(elsewhere)).toEqual(await look(999_999_999))
})
