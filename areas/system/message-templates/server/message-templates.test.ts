import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { account } from '../../../../main/testing/providers.ts'
import { type Channels, startChannels } from '../../wechat/server/harness.ts'

let c: Channels
beforeAll(async () => {
  c = await startChannels()
  await c.setUp()
})
afterAll(() => c.close())
beforeEach(() => {
  c.providers.inbox.length = 0
  c.mail.mails.length = 0
})

type Row = { Id: number } & Record<string, unknown>
let count = 0
const make = (kind: 'Wechat' | 'Email' | 'Sms', more: object) =>
  c.data<Row>('owner', 'POST', `/Alarm/Alm${kind}Template`, { TemplateName: `${kind} ${++count}`, BizType: 1, ...more })
const log = async (Id: number) => (await c.data<Page<Row>>('owner', 'GET', `/Alarm/AlmPushRecord/List?Id=${Id}`)).Items[0]!
const share = (kind: string, body: object, as = 'owner') =>
  c.call<{ Id: number; Target: string }>(as, 'POST', `/Alarm/Alm${kind}Template/ShareMsgTemplate`, body)
const email = { Title: '[{{Level}}] {{title}}', Content: '{{content}}\n{{source}}\n{{remark}}\n{{Unknown}}' }
const deliver = (more: object = {}) =>
  c.delivery.deliver(c.database.system, {
    EnterpriseId: c.enterprises.ours,
    Method: 'email',
    BizType: 1,
    UserId: c.people.get('owner')!.id,
    values: { title: 'Too hot', content: 'Pump 1' },
    ...more,
  } as Parameters<typeof c.delivery.deliver>[1])
const bind = (openId: string) =>
  c.db.rows(sql`
    insert into user_push ("EnterpriseId", "UserId", "OpenId") values (${c.enterprises.ours}, ${c.people.get('owner')!.id}, ${openId})
    on conflict ("UserId") do update set "OpenId" = excluded."OpenId"`)

it('[template-sample] pushes a template with the sample fields title, content, source and remark to the caller', async () => {
  const { Id } = await make('Email', email)
  const sample = { Id, title: 'Überhitzung 水泵', content: 'the content', source: 'the source', remark: 'the remark' }
  const sent = (await share('Email', sample)).Data!
  expect(sent.Target).toBe('o***@example.com')
  await c.after(0)
  expect(c.mail.mails).toHaveLength(1)
  const [{ from, to, text }] = c.mail.mails as [(typeof c.mail.mails)[0]]
  expect({ from, to }).toEqual({ from: 'alarms@example.com', to: ['owner@example.com'] })
  expect(text).toMatch(/Subject: =\?UTF-8/)
  for (const part of ['the content', 'the source', 'the remark']) expect(text).toContain(part)
  expect(await log(sent.Id)).toMatchObject({
    SendStatus: 1,
    Method: 'email',
    Title: '[3] Überhitzung 水泵',
    RetryCount: 0,
    ErrorText: null,
  })
  // Missing texts come from the sample in the caller's language.
  await share('Email', { Id })
  await c.after(0)
  expect(c.mail.mails[1]!.text).toContain('There is no alarm')
})

it('templates are written and read back by each of their calls, removed by /{id} too, and one of a type is the standard', async () => {
  for (const [kind, draft] of [
    ['Email', email],
    ['Wechat', { TemplateId: 'T1', FieldMap: { thing1: 'content' } }],
    ['Sms', { TemplateId: 'SMS_1', FieldMap: { name: 'DeviceName' }, Content: '{name}' }],
  ] as const) {
    const path = `/Alarm/Alm${kind}Template`
    const first = await make(kind, { ...draft, BizType: 12, IsDefault: 1 })
    expect(await c.data('owner', 'GET', `${path}?Id=${first.Id}`)).toMatchObject({ ...draft, IsDefault: 1 })
    const second = await make(kind, { ...draft, BizType: 12, IsDefault: 1 })
    expect(await c.data('owner', 'GET', `${path}?Id=${first.Id}`)).toMatchObject({ IsDefault: 0 })
    await c.data('owner', 'PUT', path, { Id: first.Id, IsDefault: 1, Remark: 'now this' })
    const rows = (await c.data<Page<Row>>('owner', 'GET', `${path}/List?BizType=12`)).Items
    expect(rows.filter((r) => r.IsDefault === 1).map((r) => r.Id)).toEqual([first.Id])
    expect(await c.call('stranger', 'DELETE', `${path}/${second.Id}`)).toMatchObject({ StatusCode: 404 })
    expect(await c.call('viewer', 'DELETE', `${path}/${second.Id}`)).toMatchObject({ StatusCode: 403 })
    expect(await c.data('owner', 'DELETE', `${path}/${second.Id}`)).toEqual({ Removed: 1 })
    expect(await c.call('owner', 'GET', `${path}?Id=${second.Id}`)).toMatchObject({ StatusCode: 404 })
    expect(await c.call('owner', 'DELETE', `${path}/x`)).toMatchObject({ StatusCode: 404 })
  }
})

it('WeChat gets its keywords cut to what it takes, and a new access token when the old one is refused', async () => {
  await bind('openid-of-owner')
  const map = { thing2: '{{DeviceName}}: {{content}}', character_string5: 'Value', time3: 'Time' }
  const { Id } = await make('Wechat', { TemplateId: 'TPL', FieldMap: map })
  const content = 'far more than twenty characters of text'
  expect((await share('Wechat', { Id, content })).Succeeded).toBe(true)
  await c.after(0)
  const [first] = c.providers.inbox
  expect(first).toMatchObject({
    by: 'wechat',
    body: { touser: 'openid-of-owner', template_id: 'TPL', client_msg_id: expect.stringMatching(/^push-/) },
  })
  const data = first!.body.data as Record<string, { value: string }>
  expect(data.thing2!.value).toBe('Pump P-101: far mor…')
  expect(data.character_string5).toEqual({ value: '81.5' })
  c.providers.expire()
  await share('Wechat', { Id })
  await c.after(0)
  expect(c.providers.inbox).toHaveLength(2)
  await bind('gone')
  const { Data } = await share('Wechat', { Id })
  await c.after(0)
  await c.after(400)
  expect(await log(Data!.Id)).toMatchObject({ SendStatus: 3, RetryCount: 0, ErrorText: '43004 require subscribe' })
})

it('an SMS goes out by Aliyun or Tencent Cloud, signed, with its variables', async () => {
  const { Id } = await make('Sms', { TemplateId: 'SMS_9', FieldMap: { device: 'DeviceName', what: 'content' } })
  await share('Sms', { Id, content: 'hot' })
  await c.after(0)
  expect(c.providers.inbox[0]).toMatchObject({
    by: 'aliyun',
    body: { PhoneNumbers: '13800000000', SignName: '水厂', TemplateCode: 'SMS_9' },
  })
  expect(JSON.parse(String(c.providers.inbox[0]!.body.TemplateParam))).toEqual({ device: 'Pump P-101', what: 'hot' })
  await c.push({ SmsProvider: 'tencent', SmsSecret: account.sms })
  const numbered = await make('Sms', { TemplateId: 'SMS_9', FieldMap: { 2: 'content', 1: 'DeviceName' } })
  await share('Sms', { Id: numbered.Id, content: 'hot' })
  await c.after(0)
  expect(c.providers.inbox[1]).toMatchObject({
    by: 'tencent',
    body: { PhoneNumberSet: ['+8613800000000'], SmsSdkAppId: '1400000000', TemplateId: 'SMS_9', TemplateParamSet: ['Pump P-101', 'hot'] },
  })
  await c.push({ SmsProvider: 'aliyun', SmsSecret: 'another' })
  const { Data } = await share('Sms', { Id })
  await c.after(0)
  expect(await log(Data!.Id)).toMatchObject({ SendStatus: 3, ErrorText: 'SignatureDoesNotMatch wrong' })
  await c.setUp()
})

it('trouble of a provider is tried again after 10, 60 and 300 seconds, then given up', async () => {
  c.mail.refuse.push(450, 450, 450, 450)
  const { Id } = (await deliver())!
  for (const [wait, state] of [
    [0, { RetryCount: 1, SendStatus: 0 }],
    [9, { RetryCount: 1, SendStatus: 0 }],
    [1, { RetryCount: 2, SendStatus: 0 }],
    [60, { RetryCount: 3, SendStatus: 0 }],
    [299, { RetryCount: 3, SendStatus: 0 }],
    [1, { RetryCount: 3, SendStatus: 3 }],
  ] as const) {
    await c.after(wait)
    expect(await log(Id), `${wait}`).toMatchObject(state)
  }
  c.mail.refuse.push(550)
  const permanent = (await deliver())!
  await c.after(0)
  expect(await log(permanent.Id)).toMatchObject({ SendStatus: 3, RetryCount: 0 })
  // A person may send it once more.
  expect(await c.call('viewer', 'POST', '/Alarm/AlmPushRecord/ReSend', { Id })).toMatchObject({ StatusCode: 403 })
  expect(await c.call('stranger', 'POST', '/Alarm/AlmPushRecord/ReSend', { Id })).toMatchObject({ StatusCode: 404 })
  await c.data('owner', 'POST', '/Alarm/AlmPushRecord/ReSend', { Id })
  await c.after(0)
  expect(await log(Id)).toMatchObject({ SendStatus: 1 })
  expect(c.mail.mails).toHaveLength(1)
  expect(await c.call('owner', 'POST', '/Alarm/AlmPushRecord/ReSend', { Id })).toMatchObject({ StatusCode: 409 })
})

it('a message that waits can be cancelled, and is not sent then', async () => {
  const { Id } = (await deliver({ notBefore: c.clock() + 60_000 }))!
  expect(await c.data('owner', 'POST', '/Alarm/AlmPushRecord/Cancel', { Id })).toMatchObject({ Id })
  await c.after(120)
  expect(await log(Id)).toMatchObject({ SendStatus: 5 })
  expect(c.mail.mails).toEqual([])
})

it('after a process died while sending, a webhook is called again with the same id, and a mail is not sent twice', async () => {
  const [mail, hook] = [(await deliver())!, (await deliver({ Method: 'webhook' }))!]
  await c.after(0)
  expect(c.mail.mails).toHaveLength(1)
  // The state after a crash between sending and recording it.
  const until = new Date(c.clock() + 120_000)
  await c.db.rows(
    sql`update alm_push_record set "SendStatus" = 0, "SendTime" = null, "LeaseUntil" = ${until} where "Id" = any(${[mail.Id, hook.Id]}::bigint[])`,
  )
  const other = c.open()
  await other.delivery.settle()
  expect(await log(mail.Id)).toMatchObject({ SendStatus: 0 })
  await c.after(121)
  expect(await log(mail.Id)).toMatchObject({ SendStatus: 3, ErrorText: 'unknownOutcome' })
  await c.after(10)
  await other.delivery.stop()
  expect(await log(hook.Id)).toMatchObject({ SendStatus: 1 })
  expect(c.mail.mails).toHaveLength(1)
  const hooks = c.providers.inbox.filter((m) => m.by === 'webhook')
  expect(hooks).toHaveLength(2)
  expect(new Set(hooks.map((m) => m.headers['webhook-id'])).size).toBe(1)
})

it('an SMS whose answer got lost is not sent again, since nobody would know it for the same', async () => {
  await make('Sms', { TemplateId: 'SMS_9', FieldMap: {}, BizType: 1, IsDefault: 1 })
  c.providers.troubles.push({ cut: true })
  const { Id } = (await deliver({ Method: 'sms' }))!
  await c.after(0)
  await c.after(400)
  expect(await log(Id)).toMatchObject({ SendStatus: 3, RetryCount: 0 })
  expect(c.providers.inbox).toHaveLength(1)
})

it('what is waiting goes out after a restart, once, however many look for it', async () => {
  const { Id } = (await deliver({ notBefore: c.clock() + 30_000 }))!
  const others = [c.open(), c.open(), c.open()]
  await Promise.all([c.after(30), ...others.map((o) => o.delivery.settle())])
  await Promise.all(others.map((o) => o.delivery.stop()))
  expect(await log(Id)).toMatchObject({ SendStatus: 1 })
  expect(c.mail.mails).toHaveLength(1)
})

it('the same source is sent once', async () => {
  expect(await deliver({ Source: 'alarm/1/email' })).toBeDefined()
  expect(await deliver({ Source: 'alarm/1/email' })).toBeUndefined()
  await c.after(0)
  expect(c.mail.mails).toHaveLength(1)
})

it('a person without an address, or with messages off, sees why; an alarm for him leaves a record', async () => {
  await c.person('plain', c.enterprises.ours)
  const { Id } = await make('Email', email)
  expect(await share('Email', { Id }, 'plain')).toMatchObject({ StatusCode: 400, Details: { Fault: 'noEmail' } })
  const UserId = c.people.get('plain')!.id
  const none = (await deliver({ UserId }))!
  expect(await log(none.Id)).toMatchObject({ SendStatus: 5, ErrorText: 'noEmail', Target: '-' })
  await c.data('plain', 'PUT', '/System/User/Account', { Email: 'plain@example.com', Pwd: c.password })
  await c.data('plain', 'POST', '/WeChat/WeiXinGrant/ChangeOpenStatusByUserId', { Switches: [{ BizType: 1, Method: 'email', On: 0 }] })
  expect(await log((await deliver({ UserId }))!.Id)).toMatchObject({ SendStatus: 5, ErrorText: 'switchedOff' })
  expect(await log((await deliver({ UserId, BizType: 2 }))!.Id)).toMatchObject({ ErrorText: null })
  await c.after(0)
  expect(c.mail.mails).toHaveLength(1)
})

it('a template of another tenant cannot be pushed', async () => {
  const { Id } = await make('Email', email)
  expect(await share('Email', { Id }, 'stranger')).toMatchObject({ StatusCode: 404 })
  expect(await share('Email', { Id }, 'viewer')).toMatchObject({ StatusCode: 403 })
})

it('more than a tenant may have waiting is refused', async () => {
  const small = c.open()
  await small.delivery.stop()
  await c.db.rows(sql`
    insert into alm_push_record ("EnterpriseId", "Method", "Target", "Title", "Address", "Payload", "NextTime")
    select ${c.enterprises.theirs}, 'email', '-', 'x', 'x@example.com', '{}', now() + interval '1 year' from generate_series(1, 10000)`)
  const full = small.delivery.deliver(c.database.system, { EnterpriseId: c.enterprises.theirs, Method: 'webhook', BizType: 1, values: {} })
  await expect(full).rejects.toMatchObject({ key: 'tooMany' })
})
