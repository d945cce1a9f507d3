// A WeChat that was tied in a stolen session, and what the owner of the account can do about it (finding H3).
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../contract/call.ts'
import { account, startProviders } from '../../main/testing/providers.ts'
import { resetPassword } from '../../server/identity/setup.ts'
import { type House, password, startHouse } from '../house.ts'
import { person } from '../two-tenants.ts'

let house: House
let providers: Awaited<ReturnType<typeof startProviders>>
let tenant: number
let manager: string
let slug: string
const renewed = 'a river runs through it'

beforeAll(async () => {
  providers = await startProviders()
  house = await startHouse({ WECHAT_URL: providers.url, PENSTOCK_URL: 'https://console.example.com' })
  tenant = (await house.data('POST', '/System/Enterprise', { Name: 'Works', ManagerNO: 'WorksManager', ManagerName: 'M' })).Id
  manager = await person(house, tenant, 'worksBoss', 'Boss', 'Company manager')
  const [row] = await house.database.system.rows<{ Slug: string }>(sql`select "Slug" from enterprise where "Id" = ${tenant}`)
  slug = row!.Slug
  await house.data('PUT', '/System/WechatConfig', { AppId: account.appId, AppSecret: account.secret, Status: 1 }, manager)
  const web = { WxAppId: account.webAppId, WxAppSecret: account.webSecret, WxStatus: 1 }
  await house.data('PUT', '/System/WechatConfig/WxConfig', web, manager)
})
afterAll(async () => {
  await house?.close()
  await providers?.close()
})

let made = 0
/** Somebody with a session, and the thief's WeChat tied in it. */
const robbed = async (tied = true) => {
  const name = `victim${++made}`
  const token = await person(house, tenant, name, name, 'Viewer')
  const [row] = await house.database.system.rows<{ Id: number }>(sql`select "Id" from "user" where "UserNO" = ${name}`)
  const { Url } = await house.data<{ Url: string }>('GET', '/WeChat/WeiXinGrant/GrantUrl', undefined, token)
  const state = new URL(Url).searchParams.get('state')!
  const back = `${house.origin}/api/WeChat/WeiXinGrant/Callback?${new URLSearchParams({ state, code: 'good code' })}`
  const tie = async () => (await fetch(back, { headers: { 'accept-language': 'en' } })).text()
  if (tied) expect(await tie()).toContain('is now linked')
  return { name, token, Id: row!.Id, tie }
}
/** Whose account the thief enters, if any. */
const entered = async () => {
  const { Url } = await house.data<{ Url: string }>('GET', `/WeiXin/WXCode?Slug=${slug}`)
  const [code, state] = [`code ${++made}`, new URL(Url).searchParams.get('state')!]
  providers.webCode(code, 'union')
  const answer = await house.call<{ User?: { UserNO: string } } | null>(undefined, 'POST', '/Auth/Login', {
    ...{ UserNO: '1', Pwd: '1', Code: code, State: state },
  })
  return answer.Data?.User?.UserNO
}
type Victim = Awaited<ReturnType<typeof robbed>>
const recoveries: [string, (v: Victim) => Promise<unknown>][] = [
  ['a new password', (v) => house.data('POST', '/System/User/SetPwd', { OldPwd: password, NewPwd: renewed }, v.token)],
  ['a reset by the manager', (v) => house.data('POST', '/System/User/ResetPwd', { Id: v.Id }, manager)],
  ['npm run reset-password', (v) => resetPassword(house.database, v.name)],
  ['the owner who unties it', (v) => house.data('POST', '/WeChat/WeiXinGrant/Untie', {}, v.token)],
  ['the manager who unties it', (v) => house.data('POST', '/WeChat/WeiXinGrant/Untie', { UserId: v.Id }, manager)],
]

test.each(recoveries)('%s ends the tie, and links that would tie again', async (_name, recover) => {
  const victim = await robbed()
  expect(await entered()).toBe(victim.name)
  await recover(victim)
  expect(await entered()).toBeUndefined()
  const waiting = await robbed(false)
  await recover(waiting)
  expect(await waiting.tie()).toContain('This link has expired')
  expect(await entered()).toBeUndefined()
})

test('a link ends with the session that asked for it, and an old session gets none', async () => {
  const victim = await robbed(false)
  await house.data('POST', '/Auth/Logout', {}, victim.token)
  expect(await victim.tie()).toContain('This link has expired')
  const old = await robbed(false)
  await house.database.system.rows(sql`update session set "CreateTime" = now() - interval '16 minutes' where "UserId" = ${old.Id}`)
  expect(await house.call(old.token, 'GET', '/WeChat/WeiXinGrant/GrantUrl')).toMatchObject({ Details: { Fault: 'signInAgain' } })
})

test('tie and untie are in the log, and the owner gets a notice', async () => {
  const victim = await robbed()
  await house.data('POST', '/WeChat/WeiXinGrant/Untie', {}, victim.token)
  const log = await house.data<Page<{ Resource: string; RecordId: number; Verb: string }>>(
    'GET',
    '/System/Log/List?PageSize=50',
    undefined,
    manager,
  )
  expect(log.Items.filter((e) => e.Resource === 'userPush' && e.RecordId === victim.Id)).toHaveLength(2)
  const notices = await house.data<Page<{ PushTitle: string }>>('GET', '/System/Notice/UserNoticeList?PageSize=50', undefined, victim.token)
  expect(notices.Items.map((n) => n.PushTitle).filter((t) => t.includes(victim.name))).toHaveLength(2)
  // Another person's tie causes no notice.
  expect(await house.call('', 'POST', '/WeChat/WeiXinGrant/Untie', {})).toMatchObject({ StatusCode: 401 })
  const other = await robbed(false)
  expect(await house.call(other.token, 'POST', '/WeChat/WeiXinGrant/Untie', { UserId: victim.Id })).toMatchObject({ StatusCode: 404 })
})
