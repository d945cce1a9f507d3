import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'

type Login = { IsSingleUserLogin: boolean; Token?: string; Menu?: string[]; User?: { UserNO: string } }

let kit: Kit
let now = Date.now()
beforeAll(async () => {
  kit = await startKit({ clock: () => now })
})
afterAll(() => kit.close())

const login = (UserNO: string, Pwd: string, path = 'Login') => kit.call<Login>(undefined, 'POST', `/Auth/${path}`, { UserNO, Pwd })
const roleOf = async (UserNO: string) =>
  (
    await kit.db.rows<{ Id: number }>(
      sql`select r."RoleId" as "Id" from user_role r join "user" u on u."Id" = r."UserId" where u."UserNO" = ${UserNO}`,
    )
  )[0]!.Id
const info = (token: string) => kit.request(token, 'GET', '/System/User/UserInfo')

describe('signing in', () => {
  it('gives a token, the menus as codes and the user', async () => {
    const answer = await login(' owner ', kit.password)
    expect(answer).toMatchObject({
      Succeeded: true,
      StatusCode: 200,
      Errors: null,
      Data: { IsSingleUserLogin: true, User: { UserNO: 'owner' } },
    })
    expect(answer.Data.Menu).toContain('m10102.push')
    expect((await info(answer.Data.Token!)).json().Data.UserNO).toBe('owner')
  })

  it("answers wrong passwords and unknown accounts alike, in the caller's language", async () => {
    const wrong = await kit.call(undefined, 'POST', '/Auth/Login', { UserNO: 'owner', Pwd: 'wrong password' }, { 'accept-language': 'ja' })
    const unknown = await kit.call(
      undefined,
      'POST',
      '/Auth/Login',
      { UserNO: 'who is that', Pwd: 'wrong password' },
      { 'accept-language': 'ja' },
    )
    expect(wrong).toMatchObject({ Succeeded: false, StatusCode: 400, Details: { Fault: 'wrongCredentials' } })
    expect(unknown.Errors).toBe(wrong.Errors)
    expect(wrong.Errors).toMatch(/[\u3040-\u30ff]/)
  })

  it('refuses what was left empty without counting it', async () => {
    for (let i = 0; i < 8; i++) expect(await login('', '')).toMatchObject({ StatusCode: 400, Details: { Fault: 'wrongCredentials' } })
    for (let i = 0; i < 8; i++) expect(await login('1', '1')).toMatchObject({ StatusCode: 400, Details: { Fault: 'wrongCredentials' } })
    expect(await kit.db.rows(sql`select 1 from login_attempt where "Account" = '1'`)).toEqual([])
  })

  it('locks an account for half an hour after five failures, also for the right password, also by LoginConfirm', async () => {
    await kit.person('locked', kit.enterprises.ours)
    for (let i = 0; i < 5; i++) await login('locked', 'wrong password', i % 2 ? 'Login' : 'LoginConfirm')
    expect(await login('locked', kit.password)).toMatchObject({ StatusCode: 429, Details: { Fault: 'tooManyTries' } })
    now += 31 * 60_000
    expect(await login('locked', kit.password)).toMatchObject({ Succeeded: true })
  })

  it('locks nobody for longer when the clock is set back', async () => {
    await kit.person('ahead', kit.enterprises.ours)
    for (let i = 0; i < 5; i++) await login('ahead', 'wrong password')
    now -= 86_400_000
    expect(await login('ahead', kit.password)).toMatchObject({ Succeeded: true })
    now += 86_400_000
  })

  it('keeps only argon2id hashes of passwords', async () => {
    const rows = await kit.db.rows<{ PasswordHash: string }>(sql`select "PasswordHash" from "user"`)
    expect(rows.every((r) => /^\$argon2id\$v=19\$m=19456,t=2/.test(r.PasswordHash))).toBe(true)
  })

  it('is refused to people of a disabled tenant, and ends what they had', async () => {
    const [tenant] = await kit.db.rows<{ Id: number }>(sql`insert into enterprise ("Name") values ('Closing') returning "Id"`)
    await kit.person('closing', tenant!.Id)
    await kit.db.rows(sql`update enterprise set "Status" = 0 where "Id" = ${tenant!.Id}`)
    expect(await login('closing', kit.password)).toMatchObject({ StatusCode: 403, Details: { Fault: 'enterpriseDisabled' } })
  })
})

describe('a session', () => {
  it('that is missing, malformed or forged is a transport 401', async () => {
    const { Token } = (await login('owner', kit.password)).Data
    const forged = `${Token!.slice(0, -1)}${Token!.endsWith('A') ? 'B' : 'A'}`
    for (const token of [undefined, 'nonsense', forged, `${Token}x`]) {
      const answer = await kit.request(token, 'GET', '/System/User/UserInfo')
      expect(answer.statusCode).toBe(401)
      expect(answer.json()).toMatchObject({ Succeeded: false, StatusCode: 401, Data: null, Errors: expect.any(String) })
    }
  })

  it('that was logged out is a body 401, and only that one', async () => {
    const [a, b] = [(await login('owner', kit.password)).Data.Token!, (await login('owner', kit.password)).Data.Token!]
    expect((await kit.call(a, 'POST', '/Auth/Logout')).Succeeded).toBe(true)
    const over = await info(a)
    expect(over.statusCode).toBe(200)
    expect(over.json()).toMatchObject({ StatusCode: 401, Details: { Fault: 'sessionOver' } })
    expect((await info(b)).json().Succeeded).toBe(true)
  })

  it('that ends, or whose rights are taken away, while calls are under way is that for the next call', async () => {
    await kit.person('hasty', kit.enterprises.ours)
    const token = kit.people.get('hasty')!.token
    const RoleId = await roleOf('hasty')
    const list = () => kit.call(token, 'POST', '/Project/Gateway/List', {})
    for (const age of [0, 2500, 4000, 4500]) {
      now += age
      const many = Array.from({ length: 20 }, list)
      await kit.data('owner', 'POST', '/System/Role/AuthorizationMenu', { RoleId, MenuCodes: age % 1000 ? [] : ['m10102'] })
      expect((await list()).StatusCode, `${age} ms after the first`).toBe(age % 1000 ? 403 : 200)
      await Promise.all(many)
    }
    const many = Array.from({ length: 20 }, list)
    await kit.call(token, 'POST', '/Auth/Logout')
    await Promise.all(many)
    expect(await list()).toMatchObject({ Succeeded: false, StatusCode: 401 })
  })

  it('is one of five at most: the oldest is displaced and gets 205 without body', async () => {
    await kit.person('many', kit.enterprises.ours)
    const first = kit.people.get('many')!.token
    for (let i = 0; i < 5; i++) expect((await login('many', kit.password)).Succeeded).toBe(true)
    const displaced = await info(first)
    expect([displaced.statusCode, displaced.body]).toEqual([205, ''])
  })

  it('of a tenant with single login is confirmed before it displaces the other', async () => {
    const [tenant] = await kit.db.rows<{ Id: number }>(
      sql`insert into enterprise ("Name", "SingleLogin") values ('Single', 1) returning "Id"`,
    )
    await kit.person('single', tenant!.Id)
    const held = kit.people.get('single')!.token
    const asked = await login('single', kit.password)
    expect(asked.Data).toEqual({ IsSingleUserLogin: false, Logo: null, SysName: null })
    expect((await info(held)).json().Succeeded).toBe(true)
    const confirmed = await login('single', kit.password, 'LoginConfirm')
    expect(confirmed.Data.Token).toBeTruthy()
    expect((await info(held)).statusCode).toBe(205)
  })

  it('leaves exactly one live when fifty confirm at once', async () => {
    const [tenant] = await kit.db.rows<{ Id: number }>(
      sql`insert into enterprise ("Name", "SingleLogin") values ('Race', 1) returning "Id"`,
    )
    const id = await kit.person('race', tenant!.Id)
    await Promise.all(Array.from({ length: 50 }, () => login('race', kit.password, 'LoginConfirm')))
    expect(await kit.db.rows(sql`select 1 from session where "UserId" = ${id} and "EndTime" is null`)).toHaveLength(1)
  })

  it('tokens share nothing and are no secret of the database', async () => {
    // Sequentially: of twenty concurrent ones all but five are displaced, some before they are answered.
    const tokens: string[] = []
    while (tokens.length < 20) tokens.push((await login('owner', kit.password)).Data.Token!)
    expect(new Set(tokens.map((t) => t.split('.')[1]!.slice(0, 6))).size).toBe(20)
    const [row] = await kit.db.rows<{ SecretHash: Buffer }>(sql`select "SecretHash" from session where "Id" = ${tokens[0]!.split('.')[0]}`)
    expect(tokens[0]).not.toContain(row!.SecretHash.toString('base64url'))
  })
})

describe('changing the password', () => {
  it('needs the one that holds, refuses short and common ones, and ends every other session', async () => {
    await kit.person('changer', kit.enterprises.ours)
    const old = kit.people.get('changer')!.token
    const set = (OldPwd: string, NewPwd: string) => kit.call<{ Token: string }>(old, 'POST', '/System/User/SetPwd', { OldPwd, NewPwd })
    expect(await set('not it at all', 'a better password')).toMatchObject({ StatusCode: 400, Details: { Fault: 'wrongPassword' } })
    expect(await set(kit.password, 'short')).toMatchObject({ Details: { Fault: 'passwordTooShort' } })
    for (const common of ['password123', '12345678', 'changer2026', 'aaaaaaaaaa'])
      expect(await set(kit.password, common)).toMatchObject({ Details: { Fault: 'passwordCommon' } })
    const { Token } = (await set(kit.password, '  correct horse 电池  ')).Data
    expect((await info(old)).json()).toMatchObject({ StatusCode: 401 })
    expect((await info(Token)).json().Succeeded).toBe(true)
    expect((await login('changer', 'correct horse 电池')).Succeeded).toBe(false)
    expect((await login('changer', '  correct horse 电池  ')).Succeeded).toBe(true)
  })

  it('comes first for an account that must: nothing else is allowed', async () => {
    const id = await kit.person('fresh', kit.enterprises.ours)
    await kit.db.rows(sql`update "user" set "MustChangePwd" = 1 where "Id" = ${id}`)
    const { Token } = (await login('fresh', kit.password)).Data
    expect(await kit.call(Token, 'GET', '/Project/Project/List')).toMatchObject({ StatusCode: 403 })
    const changed = await kit.call<{ Token: string }>(Token, 'POST', '/System/User/SetPwd', {
      OldPwd: kit.password,
      NewPwd: 'a better password',
    })
    expect((await kit.call(changed.Data.Token, 'GET', '/Project/Project/List')).Succeeded).toBe(true)
  })
})

it('the start-up call answers menus of the caller in his language, hidden ones marked', async () => {
  type Item = { MenuName: string; RoutingAddress: string; IsVisible: number; MenuChildren: Item[] }
  const { AllPageMenu, AllPageBtn } = (
    await kit.call<{ AllPageMenu: Item[]; AllPageBtn: string[] }>('viewer', 'GET', '/System/BasicData', undefined, {
      'accept-language': 'es',
    })
  ).Data
  expect(AllPageBtn).toEqual([])
  const projects = AllPageMenu.find((m) => m.RoutingAddress === '/projectManagement')!
  expect(projects.MenuName).toBe('Planta')
  expect(projects.MenuChildren.find((m) => m.RoutingAddress === '/projectManagement/gatewayPreView')!.IsVisible).toBe(0)
  expect((await kit.data<{ AllPageMenu: Item[] }>('nobody', 'GET', '/System/BasicData')).AllPageMenu).toEqual([])
})

it('bad bodies and unknown paths get the wrapper, with the status of the transport where it is one', async () => {
  const post = (payload: string, type = 'application/json') =>
    kit.app.inject({ method: 'POST', url: '/api/Auth/Login', payload, headers: { 'content-type': type, 'accept-language': 'en' } })
  expect((await post('{"UserNO":')).json()).toMatchObject({ StatusCode: 400, Details: { Fault: 'malformedJson' } })
  expect((await post('hello', 'text/plain')).json()).toMatchObject({ StatusCode: 400, Details: { Fault: 'unsupportedMedia' } })
  expect((await post('{"__proto__":{"admin":true},"UserNO":"owner","Pwd":"x"}')).json()).toMatchObject({ Succeeded: false })
  const large = await post(JSON.stringify({ UserNO: 'x'.repeat(2_000_000) }))
  expect([large.statusCode, large.json().StatusCode]).toEqual([413, 413])
  const nowhere = await kit.request('owner', 'GET', '/No/Such/Call')
  expect([nowhere.statusCode, nowhere.json().StatusCode]).toEqual([404, 404])
})

it('shows the OpenAPI document of every call with its permission', async () => {
  const { paths } = (await kit.request('nobody', 'GET', '/openapi.json')).json()
  expect(paths['/api/Project/Gateway/List'].get['x-permission']).toBe('m10102')
  expect(Object.keys(paths).length).toBeGreaterThan(50)
})
