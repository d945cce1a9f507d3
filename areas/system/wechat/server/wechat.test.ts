import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { pushConfig, wechatConfig } from '../../../../contract/channel-settings.ts'
import { account } from '../../../../main/testing/providers.ts'
import { jsapiSign } from '../../../../server/channels/wechat.ts'
import { dingRobot, shareConfig, wxConfig } from '../contract.ts'
import { type Channels, startChannels } from './harness.ts'

let c: Channels
beforeAll(async () => {
  c = await startChannels()
  await c.setUp()
})
afterAll(() => c.close())

type Row = { Id: number } & Record<string, unknown>
const log = async (Id: number) => (await c.data<Page<Row>>('owner', 'GET', `/Alarm/AlmPushRecord/List?Id=${Id}`)).Items[0]!

it('each configuration is written and read back; secrets go in and never come out', async () => {
  const drafts: Record<string, object> = {
    wechatConfig: { AppId: account.appId, MpAppId: 'wxmini', Status: 1 },
    wxConfig: { WxAppId: 'wxweb', WxStatus: 1 },
    shareConfig: { ShareTitle: 'Plant', ShareDesc: 'What the plant does', ShareImg: '/picture.png' },
    pushConfig: { SmsRegion: 'cn-shanghai', SmsSign: '水厂' },
  }
  for (const { name, path, ...s } of [wechatConfig, wxConfig, shareConfig, pushConfig]) {
    const secrets = Object.keys(s.secrets)
    const planted = Object.fromEntries(secrets.map((s) => [s, `planted ${s}`]))
    const written = await c.call('owner', 'PUT', path, { ...drafts[name], ...planted })
    const read = await c.call('owner', 'GET', path)
    expect(read.Data).toEqual(written.Data)
    expect(read.Data).toMatchObject({ ...drafts[name], ...Object.fromEntries(secrets.map((s) => [`Has${s}`, 1])) })
    expect(JSON.stringify([written, read])).not.toContain('planted')
    for (const s of secrets) expect(await c.vault.get(c.enterprises.ours, `${name}.${s}`)).toBe(`planted ${s}`)
    // What is not named stays, null takes away.
    await c.data('owner', 'PUT', path, Object.fromEntries(secrets.slice(0, 1).map((s) => [s, null])))
    const [first, ...others] = secrets
    expect(await c.data('owner', 'GET', path)).toMatchObject({
      ...drafts[name],
      ...(first ? { [`Has${first}`]: 0 } : {}),
      ...Object.fromEntries(others.map((s) => [`Has${s}`, 1])),
    })
    expect(await c.call('viewer', 'PUT', path, {})).toMatchObject({ StatusCode: 403 })
    expect(await c.call('nobody', 'GET', path)).toMatchObject({ StatusCode: 403 })
    expect(JSON.stringify(await c.data('stranger', 'GET', path))).not.toContain('wx')
  }
  await c.setUp()
})

it('no secret lies in the database in the clear, in no table', async () => {
  const tables = await c.db.rows<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  for (const { name } of tables) {
    const rows = await c.db.rows<{ text: string }>(
      sql`select convert_from(convert_to(t::text, 'UTF8'), 'UTF8') as text from ${sql.table(name)} t`,
    )
    const text = rows.map((r) => r.text).join('\n')
    for (const secret of ['planted', account.secret, account.sms, 'mail secret', 'hook secret'])
      expect(text.includes(secret), `${name}: ${secret}`).toBe(false)
  }
})

it('a sealed secret is worth nothing under another name or in another tenant', async () => {
  await c.db.rows(sql`
    insert into sealed_secret ("EnterpriseId", "Name", "Value") select ${c.enterprises.theirs}, "Name", "Value" from sealed_secret where "EnterpriseId" = ${c.enterprises.ours} and "Name" = 'pushConfig.SmsSecret'`)
  expect(await c.vault.get(c.enterprises.theirs, 'pushConfig.SmsSecret')).toBeUndefined()
  expect(await c.vault.get(c.enterprises.ours, 'pushConfig.SmsSecret')).toBe(account.sms)
})

it('robots are made with a token, listed without it, changed and removed; twenty messages a minute go to one', async () => {
  const robot = await c.data<Row>('owner', 'POST', dingRobot.path, {
    Name: 'Shift',
    Keywords: 'Plant,Alarm',
    AtMobiles: '13800000000',
    AccessToken: account.ding,
    Secret: 'wrong',
  })
  expect(robot).toMatchObject({ HasToken: 1, HasSecret: 1 })
  const send = async () =>
    (await c.data<{ Id: number }>('owner', 'POST', '/System/WechatConfig/MessagePush/Test', { Method: 'dingtalk', RobotId: robot.Id })).Id
  const refused = await send()
  await c.after(0)
  expect(await log(refused)).toMatchObject({ SendStatus: 3, ErrorText: '310000 sign not match' })
  const changed = await c.data<Row>('owner', 'PUT', dingRobot.path, { Id: robot.Id, Name: 'Night shift', Secret: account.robot })
  expect(changed).toMatchObject({ Name: 'Night shift', HasToken: 1 })
  const list = await c.call<Page<Row>>('owner', 'GET', '/System/WechatConfig/DDList')
  expect(list.Data.Items).toEqual([changed])
  expect(JSON.stringify(list)).not.toContain(account.ding)
  c.providers.inbox.length = 0
  const ids: number[] = []
  for (let i = 0; i < 25; i++) ids.push(await send())
  await c.after(0)
  expect(c.providers.inbox).toHaveLength(20)
  // Each contains one of its keywords, and mentions the phones.
  expect(JSON.stringify(c.providers.inbox[0]!.body)).toMatch(/Plant.*@13800000000/)
  expect(await log(ids[20]!)).toMatchObject({ SendStatus: 0, RetryCount: 0 })
  await c.after(59)
  expect(c.providers.inbox).toHaveLength(20)
  await c.after(2)
  expect(c.providers.inbox).toHaveLength(25)
  expect(await log(ids[24]!)).toMatchObject({ SendStatus: 1, Target: 'Night shift' })
  expect(await c.call('stranger', 'DELETE', '/System/WechatConfig/BatchDelete', { Ids: [robot.Id] })).toMatchObject({ StatusCode: 404 })
  expect(await c.call('viewer', 'DELETE', '/System/WechatConfig/BatchDelete', { Ids: [robot.Id] })).toMatchObject({ StatusCode: 403 })
  expect(await c.data('owner', 'DELETE', '/System/WechatConfig/BatchDelete', { Ids: [robot.Id] })).toEqual({ Removed: 1 })
  expect(await c.vault.get(c.enterprises.ours, `dingRobot.${robot.Id}.AccessToken`)).toBeUndefined()
})

it('a webhook gets what was said, signed; an address of the server’s own network is refused, whatever it is called', async () => {
  c.providers.inbox.length = 0
  const test = async () =>
    (await c.data<{ Id: number }>('owner', 'POST', '/System/WechatConfig/MessagePush/Test', { Method: 'webhook' })).Id
  await test()
  await c.after(0)
  expect(c.providers.inbox[0]).toMatchObject({ by: 'webhook', body: { Title: 'Penstock: test message', BizType: 11 } })
  const { port } = c.providers
  for (const url of [
    `http://127.0.0.2:${port}/hook`,
    `http://localhost:${c.mail.port + 1}/`,
    'http://169.254.169.254/latest',
    'http://[::ffff:127.0.0.1]:1/',
    'http://2130706433:1/',
  ]) {
    await c.push({ WebhookUrl: url, WebhookSecret: 'hook secret' })
    const Id = await test()
    await c.after(0)
    const text = String((await log(Id)).ErrorText)
    expect(text, url).toBe('This address does not exist or is not allowed.')
  }
  expect(c.providers.inbox).toHaveLength(1)
  expect(await c.call('owner', 'PUT', '/System/WechatConfig/MessagePush', { WebhookUrl: 'file:///etc/passwd' })).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { WebhookUrl: [expect.any(String)] } },
  })
  // Neither does the mail server lead inside.
  await c.push({ EmailHost: '10.0.0.1', EmailPassword: 'mail secret' })
  const { Id } = await c.data<{ Id: number }>('owner', 'POST', '/System/WechatConfig/MessagePush/Test', { Method: 'email' })
  await c.after(0)
  expect(await log(Id)).toMatchObject({ SendStatus: 3, ErrorText: 'This address does not exist or is not allowed.' })
  await c.setUp()
})

it('a channel that is off or not set up says so in the log', async () => {
  await c.push({ EmailOn: 0 })
  const { Id } = await c.data<{ Id: number }>('owner', 'POST', '/System/WechatConfig/MessagePush/Test', { Method: 'email' })
  await c.after(0)
  expect(await log(Id)).toMatchObject({ SendStatus: 3, ErrorText: 'channelOff' })
  await c.setUp()
})

it('a person ties his WeChat by a link that works once, and switches what he takes', async () => {
  const { Url } = await c.data<{ Url: string }>('owner', 'GET', '/WeChat/WeiXinGrant/GrantUrl')
  const state = new URL(Url).searchParams.get('state')!
  expect(new URL(Url).searchParams.get('appid')).toBe(account.appId)
  const back = (code: string) => c.request(undefined, 'GET', `/WeChat/WeiXinGrant/Callback?${new URLSearchParams({ code, state })}`)
  expect((await c.data<Row>('owner', 'GET', '/WeChat/WeiXinGrant/OpenIdByUserId')).OpenId).toBeNull()
  expect((await back('good code')).body).toContain('is now linked')
  expect((await back('good code')).body).toContain('This link has expired')
  expect(await c.data('owner', 'GET', '/WeChat/WeiXinGrant/OpenIdByUserId')).toMatchObject({ OpenId: 'openid-of-somebody', OpenStatus: 1 })
  const off = { BizType: 7, Method: 'email', On: 0 }
  const changed = await c.data('owner', 'POST', '/WeChat/WeiXinGrant/ChangeOpenStatusByUserId', { OpenStatus: 0, Switches: [off] })
  expect(changed).toMatchObject({ OpenStatus: 0, Bound: 1, Switches: [off] })
  const UserId = c.people.get('owner')!.id
  expect(await c.data('owner', 'GET', `/WeChat/WeiXinGrant/PushSettingByUserId?UserId=${UserId}`)).toEqual(changed)
  await c.data('owner', 'POST', '/WeChat/WeiXinGrant/ChangeOpenStatusByUserId', { Switches: [{ ...off, On: 1 }] })
  expect(await c.data('owner', 'GET', '/WeChat/WeiXinGrant/PushSettingByUserId')).toMatchObject({ OpenStatus: 0, Switches: [] })
  // Others only by who manages accounts, and of his tenant.
  expect(await c.call('nobody', 'GET', `/WeChat/WeiXinGrant/OpenIdByUserId?UserId=${UserId}`)).toMatchObject({ StatusCode: 404 })
  expect(await c.call('stranger', 'GET', `/WeChat/WeiXinGrant/OpenIdByUserId?UserId=${UserId}`)).toMatchObject({ StatusCode: 404 })
  expect(await c.call('viewer', 'POST', '/WeChat/WeiXinGrant/ChangeOpenStatusByUserId', { UserId, OpenStatus: 1 })).toMatchObject({
    StatusCode: 404,
  })
})

it('a page is signed for WeChat with the tenant’s account, and not at all without one', async () => {
  const Url = 'https://console.example.com/alarm?Id=1'
  const signed = await c.data<{ AppId: string; NonceStr: string; Timestamp: number; Signature: string }>(
    'owner',
    'GET',
    `/System/WechatConfig/ShareMsgConfig/Signature?Url=${encodeURIComponent(Url)}`,
  )
  expect(signed.Signature).toBe(jsapiSign({ ticket: 'a ticket', nonce: signed.NonceStr, timestamp: signed.Timestamp, url: Url }))
  expect(await c.data('stranger', 'GET', `/System/WechatConfig/ShareMsgConfig/Signature?Url=${encodeURIComponent(Url)}`)).toBeNull()
})
