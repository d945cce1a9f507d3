import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { kept, type Reply, startAnswering, wrapped } from './harness.ts'
import { actAs, forgetSession, login, loginConfirm, loginPath, onForget, startSession, useSession } from './session.ts'

let server: Awaited<ReturnType<typeof startAnswering>>
const replies = new Map<string, Reply>()
beforeAll(async () => {
  server = await startAnswering((path) => replies.get(path) ?? { status: 404, body: wrapped(null, 404, 'Nothing here') })
})
afterAll(() => server.close())

const user = { Id: 7, UserNO: 'ana', EnterpriseId: 3, BelongOrganId: 9, TimeZoneKey: 'Asia/Tokyo', TimeZoneVal: 540 }
const menu = { MenuEncoding: 'm100', MenuName: 'Home', RoutingAddress: '/', MenuType: 1, MenuChildren: [] }
const say = (path: string, data: unknown, StatusCode = 200, Errors: unknown = null) =>
  replies.set(`/api${path}`, { status: 200, body: wrapped(data, StatusCode, Errors) })
const paths = () => server.asked.map(({ url }) => url)
const here = () => useSession.getState().session

beforeEach(() => {
  server.asked.length = 0
  forgetSession()
  kept.set('Authorization', 'the.token')
  say('/System/User/UserInfo', user)
  say('/System/BasicData', { DataDictionary: {}, AllPageBtn: ['m10201.handle'], AllPageMenu: [menu] })
  say('/System/Enterprise/List', { Items: [{ Id: 3, Name: 'Ours' }], TotalCount: 1 })
  say('/System/Enterprise/MapKey', { BaiduKey: 'a key' })
})

describe('starting', () => {
  it('[startup-load] [timezone-stored] reads person, menus with buttons, and all enterprises at once', async () => {
    await startSession()
    expect(paths()).toEqual(
      expect.arrayContaining([
        '/api/System/User/UserInfo',
        '/api/System/BasicData',
        '/api/System/Enterprise/List?PageIndex=1&PageSize=999999&Status=1',
      ]),
    )
    expect(here()).toMatchObject({ user, enterprises: [{ Id: 3 }] })
    expect([...here()!.codes]).toEqual(['m100', 'm10201.handle'])
    expect(kept.get('TimeZoneKey')).toBe('Asia/Tokyo')
    expect(here()!.user.TimeZoneVal).toBe(540)
  })

  it('is nobody for the queue while another tab has signed in somebody else', async () => {
    const { ownerNow } = await import('../offline/owner.ts')
    await startSession()
    expect(ownerNow()).toBe('3/7')
    kept.set('Authorization', 'another.token')
    expect(ownerNow()).toBeUndefined()
    await startSession()
    expect(ownerNow()).toBe('3/7')
  })

  it('[startup-empty-menu] refuses somebody without a menu, in words', async () => {
    say('/System/BasicData', { DataDictionary: {}, AllPageBtn: [], AllPageMenu: [] })
    await expect(startSession()).rejects.toThrow('No menus')
    expect(here()).toBeNull()
  })

  it('[startup-failure] fails with what the server said', async () => {
    say('/System/Enterprise/List', null, 500, 'The list is broken')
    await expect(startSession()).rejects.toThrow('The list is broken')
    expect(here()).toBeNull()
  })

  it('[startup-other-loads] [map-key-fallback] asks for the map key of tenant and organisation, and does without it silently', async () => {
    await startSession()
    await expect.poll(() => here()?.mapKey).toBe('a key')
    expect(paths()).toContain('/api/System/Enterprise/MapKey?EnterpriseId=3&BelongOrganId=9')
    say('/System/Enterprise/MapKey', null, 500, 'No key')
    await startSession()
    await expect.poll(() => paths().filter((path) => path.includes('MapKey')).length).toBe(2)
    expect(here()?.mapKey).toBe('')
  })
})

describe('signing in', () => {
  const answer = {
    IsSingleUserLogin: true,
    Token: 'new.token',
    Menu: ['m100', 'm10201.handle'],
    User: user,
    Logo: '/logo.png',
    SysName: 'Harbour',
  }

  it('[login-single] [login-sysinfo-storage] [login-menu-storage] keeps token, menu, name and mark when they come at once', async () => {
    say('/Auth/Login', answer)
    expect(await login({ UserNO: 'ana', Pwd: 'x' })).toBe(true)
    expect([kept.get('Authorization'), kept.get('penstock.menu')]).toEqual(['new.token', 'm100,m10201.handle'])
    expect([kept.get('penstock.system'), kept.get('penstock.logo')]).toEqual(['Harbour', '/logo.png'])
    expect(JSON.parse(server.asked[0]!.body)).toMatchObject({ Browser: '' })
    expect(useSession.getState()).toMatchObject({ systemName: 'Harbour', logo: '/logo.png' })
  })

  it('keeps the mark of this browser, also when somebody leaves, and sends it with the next sign-in', async () => {
    say('/Auth/Login', { ...answer, Browser: 'a mark' })
    await login({ UserNO: 'ana', Pwd: 'x' })
    forgetSession()
    await login({ UserNO: 'ana', Pwd: 'x' })
    expect(JSON.parse(server.asked[0]!.body)).toMatchObject({ Browser: 'a mark' })
  })

  it('[login-confirm] keeps nothing until the same is confirmed', async () => {
    say('/Auth/Login', { IsSingleUserLogin: false, Logo: null, SysName: null })
    say('/Auth/LoginConfirm', answer)
    const given = { UserNO: 'ana', Pwd: 'x', UnionId: 'u', Code: 'c' }
    expect(await login(given)).toBe(false)
    expect([kept.get('Authorization'), kept.get('penstock.menu')]).toEqual(['the.token', undefined])
    const first = server.asked[0]!.body
    expect(await loginConfirm(given)).toBe(true)
    expect(server.asked[0]).toMatchObject({ url: '/api/Auth/LoginConfirm', body: first })
    expect([kept.get('Authorization'), kept.get('penstock.menu')]).toEqual(['new.token', 'm100,m10201.handle'])
  })
})

it('[change-roles] another role swaps the token, rebuilds the menus and closes open tabs', async () => {
  await startSession()
  let cleared = 0
  onForget(() => cleared++)
  say('/Auth/ActAs', { Token: 'as.viewer' })
  say('/System/BasicData', { DataDictionary: {}, AllPageBtn: [], AllPageMenu: [{ ...menu, MenuEncoding: 'm102' }] })
  await actAs(5)
  expect(JSON.parse(server.asked.find(({ url }) => url === '/api/Auth/ActAs')!.body)).toEqual({ RoleId: 5 })
  expect(kept.get('Authorization')).toBe('as.viewer')
  expect([...here()!.codes]).toEqual(['m102'])
  expect(cleared).toBe(1)
})

it('[forced-logout-clears] [logout-clears] forgetting clears token, menu and person', async () => {
  kept.set('penstock.menu', 'm100')
  await startSession()
  forgetSession()
  expect([kept.get('Authorization'), kept.get('penstock.menu'), here()]).toEqual([undefined, undefined, null])
  expect(loginPath('/a?b=1')).toBe('/login?redirect=%2Fa%3Fb%3D1')
})
