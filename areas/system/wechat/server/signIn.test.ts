import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { account } from '../../../../main/testing/providers.ts'
import { platformEnterprise } from '../../../../server/identity/setup.ts'
import { type Channels, startChannels } from './harness.ts'

let c: Channels
let slug = ''
const slugOf = async (id: number) => (await c.db.rows<{ Slug: string }>(sql`select "Slug" from enterprise where "Id" = ${id}`))[0]!.Slug
beforeAll(async () => {
  c = await startChannels()
  await c.data('owner', 'PUT', '/System/WechatConfig/WxConfig', { WxAppId: account.webAppId, WxAppSecret: account.webSecret, WxStatus: 1 })
  slug = await slugOf(c.enterprises.ours)
})
afterAll(() => c?.close())

type Entered = { IsSingleUserLogin: boolean; Token?: string; User?: { UserNO: string } }
const address = async (Slug = slug) => {
  const answer = await c.call<{ Url: string }>(undefined, 'GET', `/WeiXin/WXCode?Slug=${Slug}`)
  expect(answer.Errors).toBeNull()
  return new URL(answer.Data.Url)
}
const state = async () => (await address()).searchParams.get('state')!
const enter = (Code: string, State?: string, path = 'Login') =>
  c.call<Entered>(undefined, 'POST', `/Auth/${path}`, { UserNO: '1', Pwd: '1', Code, ...(State ? { State } : {}) })
const tie = (name: string, UnionId: string) =>
  c.db.rows(sql`
    insert into user_push ("EnterpriseId", "UserId", "UnionId") values (${c.people.get(name)!.enterprise}, ${c.people.get(name)!.id}, ${UnionId})
    on conflict ("UserId") do update set "UnionId" = excluded."UnionId"`)
let count = 0
const code = (union: string) => c.providers.webCode(`code ${++count}`, union)

it('[login-wxcode] the address of the sign-in is WeChat’s, with the tenant’s app, and comes back to the console', async () => {
  const { origin, pathname, searchParams } = await address()
  expect(origin + pathname).toBe('https://open.weixin.qq.com/connect/qrconnect')
  expect(Object.fromEntries(searchParams)).toMatchObject({
    appid: account.webAppId,
    scope: 'snsapi_login',
    response_type: 'code',
    redirect_uri: 'https://console.example.com/auth-redirect',
    state: expect.any(String),
  })
})

it('who tied his WeChat signs in by its code, once, and it is written down', async () => {
  await tie('viewer', 'union of vera')
  const [good, at] = [code('union of vera'), await state()]
  const entered = (await enter(good, at)).Data
  expect(entered).toMatchObject({ IsSingleUserLogin: true, User: { UserNO: 'viewer' } })
  expect((await c.call(entered.Token, 'GET', '/System/User/UserInfo')).Succeeded).toBe(true)
  expect((await enter(good, at)).Details?.Fault).toBe('wechatOver')
  const entries = await c.db.rows<{ Verb: string }>(
    sql`select "Verb" from change where "Resource" = 'session' and "UserId" = ${c.people.get('viewer')!.id}`,
  )
  expect(entries).toEqual([{ Verb: 'login' }])
})

it('refuses unknown WeChat accounts, invalid codes, forged, old or foreign states, and a UnionId alone', async () => {
  expect((await enter(code('union of nobody'), await state())).Details?.Fault).toBe('wechatUnknown')
  expect((await enter('made up', await state())).Details?.Fault).toBe('wechatOver')
  const at = await state()
  for (const forged of [`${at}x`, at.replace(/^\d+/, '999'), 'x', `${at.slice(0, -4)}AAAA`])
    expect((await enter(code('union of vera'), forged)).Details?.Fault, forged).toBe('wechatOver')
  await c.after(601)
  expect((await enter(code('union of vera'), at)).Details?.Fault).toBe('wechatOver')
  expect(await c.call(undefined, 'POST', '/Auth/Login', { UserNO: '1', Pwd: '1', UnionId: 'union of vera' })).toMatchObject({
    Succeeded: false,
    Details: { Fault: 'notConfigured' },
  })
  // A tenant's own connection does not admit people of another tenant; the platform's admits everybody.
  const settings = { WxAppId: account.webAppId, WxAppSecret: account.webSecret, WxStatus: 1 }
  await c.data('stranger', 'PUT', '/System/WechatConfig/WxConfig', settings)
  const theirs = (await address(await slugOf(c.enterprises.theirs))).searchParams.get('state')!
  expect((await enter(code('union of vera'), theirs)).Details?.Fault).toBe('wechatUnknown')
  await tie('stranger', 'union of sam')
  expect((await enter(code('union of sam'), theirs)).Data.User).toMatchObject({ UserNO: 'stranger' })
  await c.data('platform', 'PUT', '/System/WechatConfig/WxConfig', settings)
  const ofPlatform = (await address(await slugOf(platformEnterprise))).searchParams.get('state')!
  expect((await enter(code('union of sam'), ofPlatform)).Data.User).toMatchObject({ UserNO: 'stranger' })
  expect((await enter(code('union of sam'))).Data.User).toMatchObject({ UserNO: 'stranger' })
  await c.data('platform', 'PUT', '/System/WechatConfig/WxConfig', { WxStatus: 0 })
})

it('refuses locked people, and tells people of a closed tenant why', async () => {
  await tie('nobody', 'union of nora')
  const Id = c.people.get('nobody')!.id
  await c.data('platform', 'POST', '/System/User/Lock', { Id })
  expect((await enter(code('union of nora'), await state())).Details?.Fault).toBe('wechatUnknown')
  await c.data('platform', 'POST', '/System/User/UnLock', { Id })
  const at = await state()
  await c.db.rows(sql`update enterprise set "Status" = 0 where "Id" = ${c.enterprises.ours}`)
  expect((await enter(code('union of nora'), at)).Details?.Fault).toBe('enterpriseDisabled')
  await c.db.rows(sql`update enterprise set "Status" = 1 where "Id" = ${c.enterprises.ours}`)
})

it('with single login the same code ends the other session after the person has said so, and only that once', async () => {
  await c.data('platform', 'PUT', '/System/Enterprise', { Id: c.enterprises.ours, SingleLogin: 1 })
  const [first, at] = [code('union of vera'), await state()]
  expect((await enter(first, at)).Data).toMatchObject({ IsSingleUserLogin: false })
  const confirmed = await enter(first, at, 'LoginConfirm')
  expect(confirmed.Data).toMatchObject({ IsSingleUserLogin: true, Token: expect.any(String) })
  expect((await enter(first, at, 'LoginConfirm')).Details?.Fault).toBe('wechatOver')
})

it('where nobody has set it up there is no address', async () => {
  await c.data('owner', 'PUT', '/System/WechatConfig/WxConfig', { WxStatus: 0 })
  expect(await c.call(undefined, 'GET', `/WeiXin/WXCode?Slug=${slug}`)).toMatchObject({ Details: { Fault: 'notConfigured' } })
})
