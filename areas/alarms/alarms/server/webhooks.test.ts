// Alarm webhooks: an external incident system receives each alarm once, in order, and can acknowledge it.
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hmacScheme, signingLabel, stringToSign } from '../../../../contract/signature.ts'
import { type PushArea, startPushArea } from '../../../../main/testing/alarmPushes.ts'

let area: PushArea
let p: number
let project: number
beforeAll(async () => {
  area = await startPushArea()
  p = await area.makePoint({ AlarmLow: null, AlarmHigh: null, ParaName: 'Pressure' })
  project = area.registry.get(p)!.ProjectId
})
beforeEach(() => area.settle())
afterEach(() => area.fresh())
afterAll(() => area.close())

type Hook = { Id: number; Secret: string }
let made = 0
const subscribe = async (more: object = {}, as = 'owner') => {
  const hook = await area.kit.data<Hook>(as, 'POST', '/Alarm/AlarmWebhook', {
    ...{ HookName: `Incidents ${++made}`, Url: `${area.providers.url}/hook` },
    ...more,
  })
  area.providers.signHooksWith(hook.Secret)
  return hook
}
/** Received messages, each signed with the webhook's secret. */
const heard = () => area.providers.inbox.map((r) => r.body as { Event: string; Title: string; Alarm: Record<string, unknown> })
const events = () => heard().map((b) => b.Event)
const standing = async () => (await area.alarmsOf(p)).at(-1)!.Id
const log = () =>
  area.kit.db.rows<{ Kind: string; SendStatus: number; RetryCount: number }>(
    sql`select "Kind", "SendStatus", "RetryCount" from alm_push_record where "AlarmWebhookId" is not null order by "Id"`,
  )

describe('webhooks of alarms', () => {
  it('get signed events when an alarm is raised, acknowledged, handled and over, each once, also across restarts', async () => {
    await subscribe()
    await area.rule(p, { RuleName: 'High pressure' })
    await area.reads(p, 50)
    await area.restart()
    const id = await standing()
    await area.kit.data('owner', 'POST', '/Alarm/AlarmInfo/Acknowledge', { Ids: [id] })
    await area.settle()
    await area.restart()
    await area.kit.data('owner', 'POST', '/Alarm/AlarmInfo/Handle', { Ids: [id], HandleDesc: 'Valve closed.' })
    await area.settle()
    await area.after(60)
    await area.reads(p, 5)
    await area.restart()
    await area.after(86_400)
    expect(events()).toEqual(['raised', 'acknowledged', 'handled', 'recovered'])
    expect(new Set(area.providers.inbox.map((r) => r.headers['webhook-id'])).size).toBe(4)
    const [raised, acknowledged, handled, recovered] = heard()
    expect(raised).toMatchObject({
      Time: '2026-06-01T12:00:00.000Z',
      Title: 'High pressure',
      Alarm: { Id: id, RuleName: 'High pressure', AlarmLevel: 2, ParaId: p, ParaName: 'Pressure', TriggerValue: 50, ProjectId: project },
    })
    expect(acknowledged!.Alarm).toMatchObject({ Id: id, AckUserName: 'owner' })
    expect(handled!.Alarm).toMatchObject({ HandleUserName: 'owner', HandleDesc: 'Valve closed.' })
    expect(recovered!.Alarm).toMatchObject({ RecoverTime: '2026-06-01T12:01:00.000Z', LastValue: 5 })
    expect((await log()).map((r) => [r.Kind, r.SendStatus])).toEqual(events().map((kind) => [kind, 1]))
    const shown = await area.kit.data<{ Kind: string }[]>('owner', 'GET', `/Alarm/AlarmInfo/PushTimeline?Id=${id}`)
    expect(shown.map((e) => e.Kind)).toEqual(events())
  })

  it('nobody is notified twice: the rule’s own webhook only gets its own messages', async () => {
    await area.rule(p, { IsSend: 1, AlarmPush: { PushUsers: [], PushMethods: [{ Method: 7 }], RecoveryNotice: 1 } })
    area.providers.signHooksWith('hook secret')
    await area.kit.data('owner', 'POST', '/Alarm/AlarmWebhook', { HookName: 'Elsewhere', Url: `${area.providers.url}/nowhere` })
    await area.reads(p, 50)
    await area.reads(p, 5)
    expect(area.providers.inbox.map((r) => r.body.Title)).toHaveLength(2)
  })

  it('a receiver that is down is asked again, and hears everything in its order once it is back', async () => {
    await subscribe()
    await area.rule(p, {})
    area.providers.troubles.push({ status: 503 }, { status: 503 })
    await area.reads(p, 50)
    await area.reads(p, 5)
    await area.reads(p, 60)
    expect(events()).toEqual(['raised'])
    await area.restart()
    await area.after(10)
    expect(events()).toEqual(['raised', 'raised'])
    await area.after(60)
    expect(events()).toEqual(['raised', 'raised', 'raised', 'recovered', 'raised'])
    expect(new Set(area.providers.inbox.slice(0, 3).map((r) => r.headers['webhook-id'])).size).toBe(1)
    expect((await log()).map((r) => [r.SendStatus, r.RetryCount])).toEqual([
      [1, 2],
      [1, 0],
      [1, 0],
    ])
  })

  it('chooses by project, level and event; an alarm that rises to its level is sent then', async () => {
    const hook = await subscribe({ AlarmLevel: 3, OnAcknowledged: 0 })
    const Severity = [{ AlarmLevel: 3, ParamValue: 80 }]
    await area.rule(p, { AlarmLevel: 2 }, { Severity })
    await area.reads(p, 50)
    expect(events()).toEqual([])
    await area.reads(p, 90)
    await area.kit.data('owner', 'POST', '/Alarm/AlarmInfo/Acknowledge', { Ids: [await standing()] })
    await area.reads(p, 5)
    expect(heard().map((b) => [b.Event, b.Alarm.AlarmLevel])).toEqual([
      ['raised', 3],
      ['recovered', 3],
    ])
    await area.kit.data('owner', 'PUT', '/Alarm/AlarmWebhook', { Id: hook.Id, AlarmLevel: 1 })
    await area.reads(p, 50)
    await area.reads(p, 90)
    expect(events().slice(2)).toEqual(['raised', 'level'])
    await area.kit.data('owner', 'PUT', '/Alarm/AlarmWebhook', { Id: hook.Id, Enabled: 0 })
    await area.reads(p, 5)
    expect(events()).toHaveLength(4)
    const other = await area.makePoint({ AlarmLow: null, AlarmHigh: null })
    await subscribe({ ProjectId: area.registry.get(other)!.ProjectId })
    await area.reads(p, 50)
    expect(events()).toHaveLength(4)
  })

  it('gives its secret once, never again, and a new one puts the old out of use', async () => {
    const { Id, Secret } = await subscribe()
    expect(Secret).toMatch(/^whsec_/)
    const textOf = async (path: string) => JSON.stringify(await area.kit.data('owner', 'GET', path))
    for (const path of [`/Alarm/AlarmWebhook?Id=${Id}`, '/Alarm/AlarmWebhook/List']) expect(await textOf(path)).not.toContain(Secret)
    expect(JSON.stringify(await area.kit.db.rows(sql`select * from change`))).not.toContain(Secret)
    await area.kit.data('owner', 'POST', '/Alarm/AlarmWebhook/Test', { Id })
    await area.settle()
    expect(events()).toEqual(['test'])
    const renewed = await area.kit.data<Hook>('owner', 'POST', '/Alarm/AlarmWebhook/ResetKey', { Id })
    expect(renewed.Secret).not.toBe(Secret)
    area.providers.signHooksWith(renewed.Secret)
    await area.kit.data('owner', 'POST', '/Alarm/AlarmWebhook/Test', { Id })
    await area.settle()
    expect(events()).toEqual(['test', 'test'])
    await area.kit.data('owner', 'DELETE', '/Alarm/AlarmWebhook', { Id })
    expect(await area.kit.db.rows(sql`select 1 from sealed_secret where "Name" = ${`alarmWebhook.${Id}`}`)).toEqual([])
  })

  it('an address inside the server’s own network is never called', async () => {
    const hook = await subscribe({ Url: 'http://127.0.0.1:1/hook' })
    await area.kit.data('owner', 'POST', '/Alarm/AlarmWebhook/Test', { Id: hook.Id })
    await area.settle()
    expect((await log())[0]!.SendStatus).toBe(3)
    const bad = await area.kit.call('owner', 'POST', '/Alarm/AlarmWebhook', { HookName: 'File', Url: 'file:///etc/passwd' })
    expect(bad.Details!.Fields).toHaveProperty('Url')
  })

  it('belongs to its tenant and its project: another sees, changes and hears nothing', async () => {
    const mine = await subscribe()
    const as = 'limited'
    const menus = ['m10231', 'm10231.add', 'm10231.edit', 'm10231.remove', 'm10231.resetKey']
    await area.kit.person(as, area.kit.enterprises.ours, { projects: [project], menus })
    for (const who of ['stranger', as]) {
      expect(await area.kit.call(who, 'GET', `/Alarm/AlarmWebhook?Id=${mine.Id}`)).toMatchObject({ StatusCode: 404 })
      expect(await area.kit.call(who, 'PUT', '/Alarm/AlarmWebhook', { Id: mine.Id, Url: 'https://x.example' })).toMatchObject({
        StatusCode: 404,
      })
      for (const call of ['ResetKey', 'Test'])
        expect(await area.kit.call(who, 'POST', `/Alarm/AlarmWebhook/${call}`, { Id: mine.Id })).toMatchObject({ StatusCode: 404 })
      expect(await area.kit.call(who, 'DELETE', '/Alarm/AlarmWebhook', { Id: mine.Id })).toMatchObject({ StatusCode: 404 })
    }
    const wide = await area.kit.call(as, 'POST', '/Alarm/AlarmWebhook', { HookName: 'All', Url: 'https://x.example/a' })
    expect(wide.Details!.Fields).toHaveProperty('ProjectId')
    const own = await subscribe({ ProjectId: project }, as)
    expect((await area.kit.data<{ Items: { Id: number }[] }>(as, 'GET', '/Alarm/AlarmWebhook/List')).Items.map((h) => h.Id)).toEqual([
      own.Id,
    ])
    await area.kit.data('owner', 'DELETE', '/Alarm/AlarmWebhook', { Ids: [mine.Id, own.Id] })
    await subscribe({}, 'stranger')
    await area.rule(p, {})
    await area.reads(p, 50)
    expect(events()).toEqual([])
  })

  it('the incident system lists active alarms and acknowledges one with its own key; who acknowledged is the key’s person', async () => {
    await subscribe()
    await area.rule(p, {})
    await area.reads(p, 50)
    const { AlarmId } = { AlarmId: heard()[0]!.Alarm.Id as number }
    type Key = { Id: number; AccessKey: string; Secret: string }
    const key = await area.kit.data<Key>('owner', 'POST', '/System/Api', { ApiName: 'Incident system' })
    await area.kit.data('owner', 'POST', '/System/Api/Auth', { Id: key.Id, Permissions: ['m10201', 'm10201.acknowledge'] })
    const signed = async (method: 'GET' | 'POST', path: string, body?: object) => {
      const ContentSha256 = createHash('sha256')
        .update(body ? JSON.stringify(body) : '')
        .digest('hex')
      const [Timestamp, Nonce, target] = [String(Math.floor(Date.now() / 1000)), randomUUID(), `/api${path}`]
      const secret = createHmac('sha256', key.Secret).update(signingLabel).digest()
      const text = stringToSign({ method, target, timestamp: Timestamp, nonce: Nonce, bodySha256: ContentSha256 })
      const Signature = createHmac('sha256', secret).update(text).digest('hex')
      const fields = Object.entries({ AccessKey: key.AccessKey, Timestamp, Nonce, ContentSha256, Signature }).map(([k, v]) => `${k}=${v}`)
      const headers = { authorization: `${hmacScheme} ${fields.join(', ')}`, ...(body ? { 'content-type': 'application/json' } : {}) }
      return area.kit.app.inject({ method, url: target, headers, ...(body ? { payload: JSON.stringify(body) } : {}) })
    }
    const list = await signed('GET', '/Alarm/AlarmInfo/List?IsActive=1&AckStatus=0')
    expect(list.json().Data.Items.map((a: { Id: number }) => a.Id)).toEqual([AlarmId])
    expect((await signed('POST', '/Alarm/AlarmInfo/Acknowledge', { Ids: [AlarmId] })).json()).toMatchObject({ Data: { Changed: 1 } })
    expect((await signed('POST', '/Alarm/AlarmInfo/Handle', { Ids: [AlarmId], HandleDesc: '' })).statusCode).toBe(403)
    await area.settle()
    expect(heard().map((b) => [b.Event, b.Alarm.AckUserName])).toEqual([
      ['raised', undefined],
      ['acknowledged', 'owner'],
    ])
  })
})
