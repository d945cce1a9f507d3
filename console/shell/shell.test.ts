import { describe, expect, it, vi } from 'vitest'

vi.hoisted(() => vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }))

import { openMenus } from '../../contract/menus.ts'
import { version } from '../../contract/version.ts'
import type { MenuEntry } from '../session/session.ts'
import { enterprisePageSize, organPageSize, useSession } from '../session/session.ts'
import { firstPage, landing, menuItems, outsideOf, pages, wayTo, withPaths } from './menus.tsx'
import { elsewhere, isProjectDetails, isPublic, isUncached, redirectTarget } from './places.ts'
import { appSize, isMediumScreen, isSmallScreen, platformType, tableHeight, tableHeightBetween, yearRange } from './sizes.ts'
import { mostTabs, moved, nextAfter, only, outliving, refreshed, type Tab, tabKey, visited, without } from './tabs/tabs.ts'
import { sidebarCookie, sidebarOpen } from './useSidebar.ts'

describe('sizes', () => {
  it('[small-screen] [table-height-default] [table-height-startup] follow the rules', () => {
    expect([1409, 1410, 1899, 1900].map((width) => [isSmallScreen({ width }), isMediumScreen({ width })])).toEqual([
      [true, false],
      [false, true],
      [false, true],
      [false, false],
    ])
    expect(isSmallScreen({ width: 2560, zoom: 1.5 })).toBe(true)
    expect(tableHeight(900)).toBe(520)
    const between = (footer: boolean, small: boolean, tabs: boolean) => tableHeightBetween(900, { footer, small, tabs })
    expect([between(true, false, true), between(true, true, true), between(false, false, true), between(false, false, false)]).toEqual([
      478, 528, 538, 572,
    ])
  })
  it('[platform-type] [app-version] [footer-year] [page-size-enterprise] [page-size-organisation] are the constants', () => {
    expect(platformType('Mozilla/5.0 (iPhone; CPU iPhone OS 19_0)')).toBe(2)
    expect(platformType('Mozilla/5.0 (X11; Linux x86_64)')).toBe(1)
    expect(version).toBe('3.2.5')
    expect(yearRange(new Date('2026-06-01'))).toBe('2022–2026')
    expect(enterprisePageSize).toEqual({ start: 999_999, selector: 99_999 })
    expect(organPageSize).toBe(9999)
  })
  it('[app-size-default] [app-simkeys] components are of medium size, and the keys of the SIM service are not here', () => {
    expect(appSize).toBe('medium')
    expect(useSession.getState()).toMatchObject({ accessKey: '', appId: '' })
  })
  it('[persistent-store] of the open tabs those of projects, alarms, system and data analysis outlive a reload', () => {
    const paths = [
      '/',
      '/projectManagement/a',
      '/alarmManagement/b',
      '/systemManagement/c',
      '/dataAnalysis/d',
      '/profile/index',
      '/energy/e',
    ]
    const tabs = paths.map((path) => ({ key: tabKey(path), to: path, version: 0 }))
    expect(outliving(tabs).map((tab) => tab.to)).toEqual(paths.slice(1, 5))
  })
  it('[sidebar-cookie] the sidebar is open unless its cookie is 0', () => {
    expect([sidebarOpen(''), sidebarOpen('a=1; sidebarStatus=0'), sidebarOpen('sidebarStatus=1')]).toEqual([true, false, true])
    expect([sidebarCookie(true), sidebarCookie(false)].map((c) => c.split(';')[0])).toEqual(['sidebarStatus=1', 'sidebarStatus=0'])
  })
})

describe('addresses', () => {
  it('[public-paths] are matched by whole segments', () => {
    for (const path of ['/map', '/MAP/', '/mapMonitor/3', '/projectManagement/monitor', '/drawapp', '/MP_verify_a1.txt'])
      expect(isPublic(path), path).toBe(true)
    for (const path of ['/mapAnything', '/projectManagement', '/project', '/', '/x/map', '/a/b.txt'])
      expect(isPublic(path), path).toBe(false)
  })
  it('[project-details-no-topbar] [project-details-favicon] [route-profile-nocache] [route-redirect] configure the shell', () => {
    expect([isProjectDetails('/projectDetailsManagement/flowChart/3'), isProjectDetails('/projectManagement')]).toEqual([true, false])
    expect(isUncached('/profile/index')).toBe(true)
    expect(redirectTarget('/redirect/a/b', '?Id=1')).toBe('/a/b?Id=1')
    expect(redirectTarget('/redirect//evil.example', '')).toBe('/evil.example')
  })
})

describe('addresses that another screen serves', () => {
  const [own, tenants] = [
    ['info/enterprise', 'role', 'user'],
    ['info/platform', 'tenant/manage'],
  ]
  const of = (names: string[]) => names.map((name) => `/systemManagement/${name}`)
  const [manager, platform] = [of(own), of([...own, ...tenants])]
  it.each([
    ['info/system', '', '/systemManagement/info/enterprise', '/systemManagement/info/platform'],
    ['roleauth', '', '/systemManagement/role', '/systemManagement/role'],
    ['useauth', '', '/systemManagement/user', '/systemManagement/user'],
    ['userManage', '', '/systemManagement/user', '/systemManagement/user'],
    ['tenant/user', '?Id=3', undefined, '/systemManagement/user?EnterpriseId=3'],
    ['enterpriseManage/manage', '?Id=3', undefined, '/systemManagement/tenant/manage?Id=3&tab=managers'],
    ['enterpriseManage/manage', '', undefined, '/systemManagement/tenant/manage'],
  ])('%s%s', (path, search, ofManager, ofPlatform) => {
    const at = `/systemManagement/${path}`
    expect([manager, platform, []].map((screens) => elsewhere(at, search, screens))).toEqual([ofManager, ofPlatform, undefined])
  })
  it('product configuration opens the product series, for people with that screen', () => {
    const [series, others] = ['/productSeries/ProductSeries', '/productSeries/productTaskList']
    expect(elsewhere('/projectManagement/productConfig', '', [others!, series!])).toBe(series)
    expect(elsewhere('/projectManagement/productConfig', '', [others!])).toBeUndefined()
  })
  it('the directory of energy lines opens periods, or circuits beside each other', () => {
    const [periods, circuits] = ['/energyLineManagement/energyOverView', '/energyLineManagement/energyCompare']
    expect(elsewhere('/energyLineManagement', '', [circuits!, periods!])).toBe(periods)
    expect(elsewhere('/energyLineManagement', '', [circuits!])).toBe(circuits)
    expect(elsewhere('/energyLineManagement', '', [])).toBeUndefined()
  })
  it('[route-system-default] system management opens info/system', () => {
    for (const screens of [manager, platform])
      expect(elsewhere('/systemManagement', '', screens)).toBe(elsewhere('/systemManagement/info/system', '', screens))
  })
})

const menu = (RoutingAddress: string, more: Partial<MenuEntry> = {}): MenuEntry => ({
  Id: 1,
  ParentId: 0,
  MenuEncoding: RoutingAddress,
  MenuName: RoutingAddress,
  Icon: '',
  RoutingAddress,
  FrontComponent: '',
  Redirect: '',
  MenuType: 1,
  IsVisible: 1,
  OpenWith: 1,
  InternalAndExternalLink: '',
  HasChildren: false,
  MenuChildren: [],
  ...more,
})
const t = (key: string) => key
const keys = (menus: MenuEntry[]) => menuItems(menus, t).map((item) => item?.key)

describe('routes from the menus', () => {
  it('[routes-leading-slash] start at the root', () => {
    const [top, parent] = withPaths([menu('board'), menu('a', { MenuType: 0, MenuChildren: [menu('b')] })])
    expect(top!.RoutingAddress).toBe('/board')
    expect(parent!.MenuChildren[0]!.RoutingAddress).toBe('/a/b')
  })
  it('[routes-hidden-omitted] [route-hidden-reachable] [sidebar-items] [routes-parent-expand] leave hidden ones out of the sidebar only', () => {
    const hidden = menu('/a/hidden', { IsVisible: 0 })
    const parent = menu('/a', { MenuType: 0, MenuChildren: [menu('/a/b'), hidden] })
    expect(menuItems([parent], t)).toMatchObject([{ key: '/a', children: [{ key: '/a/b' }] }])
    expect(pages([parent]).map((m) => m.RoutingAddress)).toEqual(['/a/b', '/a/hidden'])
    expect(wayTo([parent], '/A/hidden')).toEqual([parent, hidden])
    expect(keys([{ ...parent, MenuChildren: [hidden] }])).toEqual([])
    const [plain] = menuItems([{ ...parent, MenuType: 1, MenuChildren: [hidden] }], t)
    expect(plain).not.toHaveProperty('children')
  })
  it('[sidebar-external] follow web addresses only when they open outside', () => {
    expect(outsideOf(menu('/x', { OpenWith: 3, InternalAndExternalLink: 'https://example.org' }))).toBe('https://example.org')
    expect(outsideOf(menu('/x', { OpenWith: 1, InternalAndExternalLink: 'https://example.org' }))).toBeUndefined()
    expect(outsideOf(menu('/x', { OpenWith: 3, InternalAndExternalLink: 'javascript:alert(1)' }))).toBeUndefined()
  })
  it('[route-project-default] a directory opens its default child', () => {
    expect(landing(menu('/projectManagement', { Redirect: '/projectManagement/projectConfig' }))).toBe('/projectManagement/projectConfig')
    expect(landing(menu('/a', { MenuChildren: [menu('/a/h', { IsVisible: 0 }), menu('/a/b')] }))).toBe('/a/b')
    const branch = menu('/a', { MenuType: 0, MenuChildren: [menu('/a/h', { IsVisible: 0 }), menu('/a/b')] })
    const notices = menu('/notices', { MenuEncoding: openMenus[0] })
    expect([[branch], [notices, branch], [notices], []].map(firstPage)).toEqual(['/a/b', '/a/b', '/notices', undefined])
  })
})

describe('tabs', () => {
  const tab = (key: string, affixed = false): Tab => ({ key, to: key, affixed, version: 0 })
  const tabs = [tab('/', true), tab('/a'), tab('/b'), tab('/c')]
  const names = (list: readonly Tab[]) => list.map((entry) => entry.key).join(' ')

  it('[tabs-affixed] [tabs-affixed-survive] affixed ones survive every way of closing', () => {
    expect(names(without(tabs, '/b'))).toBe('/ /a /c')
    expect(names(without(tabs, '/'))).toBe('/ /a /b /c')
    expect(names(only(tabs, '/b'))).toBe('/ /b')
    expect(names(only(tabs))).toBe('/')
  })
  it('[tabs-strip] are one a screen and record, carry the newest address, and the longest unvisited makes room', () => {
    expect(tabKey('/A', '?Id=3&tab=x')).toBe('/a?Id=3')
    const again = visited(tabs, '/a', '?PageIndex=2')
    expect([names(again), again[1]!.to]).toEqual(['/ /a /b /c', '/a?PageIndex=2'])
    const full = Array.from({ length: mostTabs }, (_, i) => tab(`/${i}`, i === 0))
    const next = visited(full, '/new', '', ['/1', '/2'])
    expect(next).toHaveLength(mostTabs)
    expect(next.map((entry) => entry.key)).toEqual(expect.arrayContaining(['/0', '/1', '/2', '/new']))
  })
  it('[tabs-refresh] move, refresh, and hand over to what was seen before', () => {
    expect(names(moved(tabs, '/c', 1))).toBe('/ /c /a /b')
    expect(names(moved(tabs, '/c', 0))).toBe('/ /c /a /b')
    expect(names(moved(tabs, '/', 3))).toBe('/ /a /b /c')
    expect(refreshed(tabs, '/a').map((entry) => entry.version)).toEqual([0, 1, 0, 0])
    expect(nextAfter(without(tabs, '/c'), '/c', ['/c', '/a'])).toBe('/a')
    expect(nextAfter(tabs, '/c', [])).toBeUndefined()
  })
})
