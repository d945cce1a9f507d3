import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type MenuBranch, type MenuEntry, menuIcons } from '../../../../contract/menu-entries.ts'
import { tenantPermissions } from '../../../../contract/menus.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'

type Item = Pick<MenuEntry, 'Id' | 'MenuEncoding' | 'MenuName' | 'MenuType' | 'Icon' | 'IsVisible' | 'RoutingAddress' | 'Redirect'> & {
  Names?: Record<string, string>
  MenuChildren: Item[]
}

let kit: Kit
beforeAll(async () => {
  kit = await startKit()
})
afterAll(() => kit.close())

const flat = <T extends { MenuChildren: T[] }>(tree: readonly T[]): T[] => tree.flatMap((m) => [m, ...flat(m.MenuChildren)])
const menuOf = async (as: string) => (await kit.data<{ AllPageMenu: Item[] }>(as, 'GET', '/System/BasicData')).AllPageMenu
const list = async () => (await kit.data<{ Items: MenuEntry[] }>('platform', 'GET', '/System/Menu/List')).Items
const named = async (code: string) => (await list()).find((m) => m.MenuEncoding === code)!
const change = (more: object) => kit.data<MenuEntry>('platform', 'PUT', '/System/Menu', more)
const fault = async (...given: Parameters<Kit['call']>) => (await kit.call(...given)).Details?.Fault

it('[enum-menu-type] menus are directories 0, menus 1 and buttons 2', async () => {
  const tree = flat(await kit.data<MenuBranch[]>('platform', 'GET', '/System/Menu/TreebyModuleType?ModuleType=1'))
  const type = (code: string) => tree.find((m) => m.MenuEncoding === code)?.MenuType
  expect([type('m101'), type('m10101'), type('m10101.add')]).toEqual([0, 1, 2])
  expect(new Set(tree.map((m) => m.MenuType))).toEqual(new Set([0, 1, 2]))
})

it('the sidebar has Home and five groups with icons, and hides unused screens that still have a URL', async () => {
  const top = await menuOf('owner')
  expect(top.map((m) => m.MenuName)).toEqual(['Home', 'Operate', 'Analyse', 'Plant', 'Maintain', 'Administration'])
  for (const { Icon } of top) expect(menuIcons).toContain(Icon)
  const shown = (of: Item[]): Item[] => of.filter((m) => m.IsVisible).flatMap((m) => [...(m.MenuType ? [m] : []), ...shown(m.MenuChildren)])
  const names = shown(top).map((m) => m.MenuName)
  expect(names).toHaveLength(new Set(names).size)
  for (const gone of ['Create rule', 'Points']) {
    expect(names).not.toContain(gone)
    expect(flat(top).find((m) => m.MenuName === gone)).toMatchObject({ IsVisible: 0, RoutingAddress: expect.stringMatching(/^.\w+/) })
  }
  const opened = (code: string) => flat(top).find((m) => m.MenuEncoding === code)?.Redirect
  expect(opened('m102')).toBe('/alarmManagement/alarmInfo')
  expect(opened('m101')).toBe('/projectManagement/projectConfig')
})

it('[menu-permission-code] each menu carries its permission code, by which its screen and calls open', async () => {
  for (const m of flat(await menuOf('owner'))) expect(m.MenuEncoding).toMatch(/^m\d+$/)
  expect(await named('m10201')).toMatchObject({ MenuName: 'Alarms', RoutingAddress: '/alarmManagement/alarmInfo', BuiltIn: true })
})

it('[menu-per-user] the menus and buttons of a person come from the server', async () => {
  await kit.person('narrow', kit.enterprises.ours, { menus: ['m10101', 'm10101.edit'] })
  const basic = await kit.data<{ AllPageMenu: Item[]; AllPageBtn: string[] }>('narrow', 'GET', '/System/BasicData')
  const codes = flat(basic.AllPageMenu).map((m) => m.MenuEncoding)
  expect(codes).toEqual(expect.arrayContaining(['m101', 'm10101']))
  expect(codes).not.toContain('m10102')
  expect(basic.AllPageBtn).toEqual(['m10101.edit'])
  expect((await kit.data<{ ModuleCode: string }[]>('narrow', 'GET', '/System/Module/List')).map((m) => m.ModuleCode)).toContain('m101')
})

it('a menu has a name in each language, an icon, a place and may be hidden; consoles have it at the next load', async () => {
  const projects = await named('m10101')
  await change({ Id: projects.Id, NameEn: 'Sites', NameEs: 'Plantas', Icon: 'cloud' })
  const own = flat(await menuOf('owner')).find((m) => m.MenuEncoding === 'm10101')
  expect(own).toMatchObject({ MenuName: 'Sites', Icon: 'cloud', Names: { en: 'Sites', es: 'Plantas' } })
  const spanish = await kit.call<{ AllPageMenu: Item[] }>('owner', 'GET', '/System/BasicData', undefined, { 'accept-language': 'es' })
  expect(flat(spanish.Data.AllPageMenu).find((m) => m.MenuEncoding === 'm10101')?.MenuName).toBe('Plantas')
  await change({ Id: projects.Id, IsVisible: 0 })
  expect(flat(await menuOf('owner')).find((m) => m.MenuEncoding === 'm10101')).toMatchObject({ IsVisible: 0 })
  // Hidden is not forbidden (ruling 22).
  expect((await kit.call('owner', 'GET', '/Project/Project/List')).Succeeded).toBe(true)
  expect(await change({ Id: projects.Id, NameEn: null, NameEs: null, Icon: null, IsVisible: 1 })).toMatchObject({
    MenuName: 'Projects',
    IsVisible: 1,
  })
})

it('is renamed in the language of the caller', async () => {
  const { Id } = await named('m10102')
  const renamed = await kit.call<MenuEntry>(
    'platform',
    'PUT',
    '/System/Menu/ReName',
    { Id, MenuName: '网关台账' },
    { 'accept-language': 'zh' },
  )
  expect(renamed.Data).toMatchObject({ MenuName: '网关台账', NameZh: '网关台账', NameEn: null })
  expect((await named('m10102')).MenuName).toBe('Gateways')
})

it('stays where it was placed', async () => {
  const inProjects = async () => (await list()).filter((m) => m.ParentId === 101).map((m) => m.MenuEncoding)
  const before = await inProjects()
  const [first, last] = [before[0]!, before.at(-1)!]
  await change({ Id: Number(last.slice(1)), Before: Number(first.slice(1)) })
  expect(await inProjects()).toEqual([last, ...before.slice(0, -1)])
  await change({ Id: Number(last.slice(1)), Before: null })
  expect(await inProjects()).toEqual(before)
  const alarms = await named('m10201')
  await change({ Id: alarms.Id, ParentId: 103 })
  expect(
    flat(await menuOf('owner'))
      .find((m) => m.MenuEncoding === 'm103')
      ?.MenuChildren.map((m) => m.MenuEncoding),
  ).toContain('m10201')
  await change({ Id: alarms.Id, ParentId: 102 })
  for (const wrong of [
    { Id: 101, ParentId: 102 },
    { Id: alarms.Id, ParentId: null },
    { Id: alarms.Id, ParentId: 10_101 },
  ])
    expect(await fault('platform', 'PUT', '/System/Menu', wrong)).toBe('invalid')
})

it('links are added for everybody who sees their directory, changed and removed; what comes with Penstock is not removed', async () => {
  const draft = { MenuName: 'Wiki', InternalAndExternalLink: 'https://example.com/wiki', ParentId: 101, Icon: 'book' }
  const made = await kit.data<MenuEntry>('platform', 'POST', '/System/Menu', draft)
  expect(made).toMatchObject({ ...draft, OpenWith: 3, MenuType: 1, BuiltIn: false })
  expect(flat(await menuOf('owner')).find((m) => m.Id === made.Id)).toMatchObject({ MenuName: 'Wiki', OpenWith: 3 })
  expect(flat(await menuOf('nobody')).find((m) => m.Id === made.Id)).toBeUndefined()
  await change({ Id: made.Id, InternalAndExternalLink: 'https://example.com/handbook' })
  expect((await list()).find((m) => m.Id === made.Id)?.InternalAndExternalLink).toBe('https://example.com/handbook')
  expect(await fault('platform', 'POST', '/System/Menu', { ...draft, InternalAndExternalLink: 'javascript:alert(1)' })).toBe('invalid')
  expect(await kit.data('platform', 'DELETE', '/System/Menu', { Id: made.Id })).toEqual({ Removed: 1 })
  expect(await fault('platform', 'DELETE', '/System/Menu', { Id: made.Id })).toBe('notFound')
  expect(await fault('platform', 'DELETE', '/System/Menu', { Id: 101 })).toBe('builtIn')
})

it('[roles-toplevel] top-level menus are for editors too; system management and data analysis are the administrators’', async () => {
  const { menuList, menus } = await import('../../../../contract/menus.ts')
  const editors = menus.filter((m) => m.editor).map((m) => m.code)
  expect(editors).toEqual(expect.arrayContaining(['m100', 'm101', 'm102']))
  expect(editors).not.toContain('m103')
  const system = (await list()).filter((m) => m.MenuType === 1 && /^.systemManagement.(?!personal)/.test(m.RoutingAddress))
  const open = new Set(menuList().flatMap((m) => (m.editor ? [m.code] : [])))
  expect(system.flatMap((m) => (open.has(m.MenuEncoding) ? [m.RoutingAddress] : []))).toEqual(['/systemManagement/layout/NoticeList'])
})

it('the sidebar shows agents and product series if the grant or role names them, or if agents exist', async () => {
  const shows = async (as: string) => flat(await menuOf(as)).find((m) => m.MenuEncoding === 'm120')?.IsVisible
  await kit.person('seller', kit.enterprises.theirs, { menus: ['m12001', 'm10434'] })
  expect(await Promise.all(['owner', 'stranger', 'platform', 'seller'].map(shows))).toEqual([0, 0, 0, 1])
  const screens = flat(await menuOf('owner')).map((m) => m.MenuEncoding)
  expect(screens).toEqual(expect.arrayContaining(['m12001', 'm10434']))
  await kit.data('owner', 'POST', '/V3/System/CrossRegionSale/Agent', { AgentName: 'North' })
  expect(await Promise.all(['owner', 'stranger', 'platform'].map(shows))).toEqual([1, 0, 1])
  const grant = (MenuCodes: readonly string[] | null) =>
    kit.data('platform', 'POST', '/System/Enterprise/AuthorizationMenu', { EnterpriseId: kit.enterprises.theirs, MenuCodes })
  await grant(tenantPermissions)
  expect(await shows('stranger')).toBe(1)
  await grant(null)
})

it('an existing data folder keeps its arrangement, and other entries move to their new group', async () => {
  const owner = new pg.Client({ connectionString: kit.adminUrl })
  await owner.connect()
  const held = (await owner.query('delete from menu returning *')).rows.length
  expect(held).toBeGreaterThan(0)
  // A new name for Live values, and three entries of Alarm management in another order.
  await owner.query(`insert into menu ("Id", "MenuEncoding", "ParentId", "Sort", "NameEn", "IsVisible") values
    (10108, 'm10108', 101, 80, 'Now', null), (10204, 'm10204', 102, 10, null, null), (10201, 'm10201', 102, 20, null, null),
    (10203, 'm10203', 102, 30, null, 1), (120, 'm120', null, 60, 'Sales', null)`)
  await owner.query(readFileSync('server/database/migrations/0128_menu_groups.sql', 'utf8'))
  const rows = await owner.query('select "Id"::int, "ParentId"::int, "Sort" from menu order by "Id"')
  await owner.end()
  expect(rows.rows.map((r) => [r.Id, r.ParentId, r.Sort])).toEqual([
    [120, 104, null],
    [10_108, 102, null],
    [10_201, 102, 20],
    [10_203, 102, 30],
    [10_204, 102, 10],
  ])
})

it('the tree is the platform’s to arrange', async () => {
  for (const [method, path, body] of [
    ['GET', '/System/Menu/List'],
    ['GET', '/System/Menu/TreebyModuleType'],
    ['POST', '/System/Menu', { MenuName: 'x', InternalAndExternalLink: 'https://example.com' }],
    ['PUT', '/System/Menu', { Id: 101, NameEn: 'x' }],
    ['PUT', '/System/Menu/ReName', { Id: 101, MenuName: 'x' }],
    ['DELETE', '/System/Menu', { Id: 101 }],
  ] as const)
    expect(await fault('owner', method, path, body), path).toBe('forbidden')
})

it('a refusal names the screen and the button that are missing, in the language of the caller', async () => {
  const refused = async (as: string, language: string, method: 'GET' | 'POST') =>
    (await kit.call(as, method, `/System/Role${method === 'GET' ? '/List' : ''}`, undefined, { 'accept-language': language })).Errors
  expect(await refused('nobody', 'en', 'GET')).toContain('“Roles”')
  expect(await refused('viewer', 'es', 'POST')).toContain('«Roles · Añadir»')
})

it('who sees a part of the tenant is offered no button that holds for all of it', async () => {
  await kit.person('narrowed', kit.enterprises.ours, { projects: [] })
  const buttons = async (as: string) => (await kit.data<{ AllPageBtn: string[] }>(as, 'GET', '/System/BasicData')).AllPageBtn
  const ofRegions = (as: string) => kit.data<string[]>(as, 'POST', '/System/User/MenuBtns', { MenuEncoding: 'm10414' })
  expect(await buttons('owner')).toEqual(expect.arrayContaining(['m10414.add', 'm10201.acknowledge']))
  expect(await buttons('narrowed')).toContain('m10201.acknowledge')
  expect(await buttons('narrowed')).not.toContain('m10414.add')
  expect([(await ofRegions('owner')).length, await ofRegions('narrowed')]).toEqual([3, []])
})
