import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { permissions } from '../../../../contract/menus.ts'
import { emptyScene, type Item } from '../../../../contract/picture/scene.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { device as devices } from '../../../configuration/devices/contract.ts'
import { point as points } from '../../../configuration/points/contract.ts'
import type { Followed, Opening, SharedScreen } from '../contract.ts'
import { openParts } from './parts.fixture.ts'

type Row = Record<string, unknown> & { Id: number }
type Made = Row & { Token: string; Pin: string | null }
const flowcharts = '/Project/Ddt/Flowchart'
const start = Date.parse('2026-03-01T12:00:00Z')
const hour = 3_600_000
let now = start
/** Monotonic. */
let steady = 0
const latest = new Map<number, { time: number; value: number | null; quality: number }>()
let kit: Kit
let parts: Awaited<ReturnType<typeof openParts>>
let make: ReturnType<typeof maker>
let pump: { device: Row; speed: Row; other: Row; project: number }
beforeAll(async () => {
  const telemetry = { latest, query: undefined } as never
  parts = await openParts(
    () => now,
    () => steady,
  )
  kit = await startKit({
    clock: () => now,
    areas: (database, sessions) => parts.routes(database, sessions, telemetry),
  })
  make = maker(kit)
  const device = (await make.create(devices, { DeviceName: 'Pump 1' })) as Row
  const speed = (await make.create(points, { DeviceId: device.Id, ParaName: 'Speed', IsChartShow: 2, ReadWriteType: 1 })) as Row
  const other = (await make.create(points, { DeviceId: device.Id, ParaName: 'Secret recipe' })) as Row
  const { ProjectId } = await kit.data<Row>('owner', 'GET', `/Project/Gateway?Id=${device.GatewayId}`)
  pump = { device, speed, other, project: ProjectId as number }
})
afterAll(async () => {
  await kit.close()
  parts.close()
})

let count = 0
const item: Omit<Item & { kind: 'value' }, 'of'> = { kind: 'value', id: 'speed', x: 0, y: 0, w: 80, h: 30, size: 16 } as never
const picture = async (as = 'owner') => {
  const { Id } = await kit.data<Row>(as, 'POST', flowcharts, { FlowchartName: `Station ${++count}`, ProjectId: pump.project })
  const acts = [{ do: 'set', of: `#${pump.speed.Id}`, value: 1 }]
  await kit.data(as, 'POST', `${flowcharts}/Save`, {
    Id,
    Scene: { ...emptyScene(), items: [{ ...item, of: `#${pump.speed.Id}`, acts }] },
  })
  await kit.data(as, 'POST', `${flowcharts}/Publish`, { Id })
  return Id
}
const share = async (given: object, as = 'owner') =>
  kit.data<Made>(as, 'POST', '/Project/Ddt/Share', { ShareName: `Link ${++count}`, Kind: 1, Hours: 24, ...given })
const open = (Token: string, more: object = {}, from = '192.0.2.1') =>
  kit.app
    .inject({ method: 'POST', url: '/api/Share/Open', payload: { Token, ...more }, remoteAddress: from })
    .then((r) => r.json() as { StatusCode: number; Data: Opening; Details: { Fields?: object } })
const show = (Visit: string | null) => kit.call<SharedScreen>(undefined, 'POST', '/Share/Show', { Visit })
const follow = (Visit: string | null, more: object = {}) => kit.call<Followed>(undefined, 'POST', '/Share/Follow', { Visit, ...more })
const visit = async (Token: string, more: object = {}) => {
  const opened = await open(Token, more)
  expect(opened).toMatchObject({ StatusCode: 200 })
  return opened.Data.Visit
}
/** Advances past the cache lifetime. */
const later = (ms = 4000) => {
  now += ms
  steady += ms
}

it('a shared picture shows its published version, its points and their values, and nothing that writes', async () => {
  const FlowchartId = await picture()
  latest.set(pump.speed.Id, { time: now, value: 1450, quality: 0 })
  const made = await share({ FlowchartId })
  expect(made).toMatchObject({ Pin: null, Token: expect.stringMatching(/^[\w-]{32}$/) })
  const opened = await open(made.Token)
  expect(opened.Data).toMatchObject({ Kind: 1, ShareName: made.ShareName, CompanyName: 'Ours' })
  const { Data } = await show(opened.Data.Visit)
  expect(Data).toMatchObject({
    Picture: { Version: 1, Points: [{ ParaName: 'Speed', DeviceName: '', DeviceId: 0 }], Values: [{ Value: 1450 }] },
  })
  expect(JSON.stringify(Data)).not.toMatch(/Secret recipe|Pump 1|acts/)
  expect(await kit.data<Row>('owner', 'GET', `/Project/Ddt/Share?Id=${made.Id}`)).toMatchObject({ Views: 1, UserName: 'owner' })
})

it('values follow as they change, and come again where the last answer was lost', async () => {
  const made = await share({ FlowchartId: await picture() })
  const Visit = await visit(made.Token)
  await show(Visit)
  latest.set(pump.speed.Id, { time: now, value: 7, quality: 0 })
  const first = await follow(Visit)
  expect(first.Data).toMatchObject({ Values: [[pump.speed.Id, now, 7, 0]], Version: 1, Alarms: [] })
  expect((await follow(Visit, { Seq: first.Data.Seq })).Data.Values).toEqual([])
  latest.set(pump.speed.Id, { time: now + 1, value: 8, quality: 0 })
  expect((await follow(Visit, { Seq: first.Data.Seq + 1 })).Data.Values).toMatchObject([[pump.speed.Id, now + 1, 8, 0]])
  expect((await follow(Visit, { Seq: 1 })).Data.Values).toMatchObject([[pump.speed.Id, now + 1, 8, 0]])
})

it('a link ends with its time, its removal, the picture, and the account or the right of its maker', async () => {
  const FlowchartId = await picture()
  const reach = async (Token: string) => [(await open(Token)).StatusCode]
  const ends = async (end: (made: Made) => Promise<unknown>, as = 'owner') => {
    const made = await share({ FlowchartId, Hours: 1 }, as)
    const Visit = await visit(made.Token)
    expect(await show(Visit)).toMatchObject({ StatusCode: 200 })
    await end(made)
    later()
    expect([(await show(Visit)).StatusCode, (await follow(Visit)).StatusCode, ...(await reach(made.Token))]).toEqual([404, 404, 404])
  }
  const before = now
  await ends(async () => later(hour))
  now = before
  await ends(({ Id }) => kit.data('owner', 'DELETE', '/Project/Ddt/Share', { Id }))
  await kit.person('maker', kit.enterprises.ours)
  await ends(
    () => kit.db.rows(sql`update role set "MenuCodes" = array_remove("MenuCodes", 'm10134.add') where "RoleName" = 'maker'`),
    'maker',
  )
  await kit.person('leaver', kit.enterprises.ours)
  await ends(() => kit.db.rows(sql`update "user" set "Status" = 0 where "UserNO" = 'leaver'`), 'leaver')
  await kit.person('mover', kit.enterprises.ours)
  await ends(() => kit.db.rows(sql`update role set "ProjectIds" = '{}' where "RoleName" = 'mover'`), 'mover')
  await ends(() => kit.data('owner', 'POST', `${flowcharts}/CancelPublish`, { Id: FlowchartId }))
})

it('a PIN opens the link; five wrong ones an hour lock the address, not others', async () => {
  const made = await share({ FlowchartId: await picture(), WithPin: 1 })
  expect(made.Pin).toMatch(/^\d{6}$/)
  expect((await open(made.Token)).Data).toMatchObject({ Visit: null, Kind: 1 })
  const wrong = made.Pin === '000000' ? '000001' : '000000'
  for (let i = 0; i < 5; i++) expect((await open(made.Token, { Pin: wrong })).Details.Fields).toHaveProperty('Pin')
  expect((await open(made.Token, { Pin: made.Pin! })).StatusCode).toBe(429)
  expect((await open(made.Token, { Pin: made.Pin! }, '198.51.100.9')).Data.Visit).toBeTruthy()
  later(hour + 60_000)
  expect((await open(made.Token, { Pin: made.Pin! })).Data.Visit).toBeTruthy()
})

it('a right PIN of one viewer gives strangers no more tries', async () => {
  const made = await share({ FlowchartId: await picture(), WithPin: 1 })
  const Pin = made.Pin === '000000' ? '000001' : '000000'
  const wrong = (from: number, to: number) =>
    Promise.all(Array.from({ length: to - from }, (_, i) => open(made.Token, { Pin }, `198.18.${(from + i) % 25}.1`)))
  await wrong(0, 50)
  expect((await open(made.Token, { Pin: made.Pin! }, '198.51.100.20')).Data.Visit).toBeTruthy()
  await wrong(50, 100)
  expect((await open(made.Token, { Pin: made.Pin! }, '198.51.100.21')).StatusCode).toBe(429)
  later(hour + 60_000)
})

it('tokens that are none are throttled by address', async () => {
  const tries = await Promise.all(Array.from({ length: 100 }, (_, i) => open(String(i).padStart(32, 'x'), {}, '203.0.113.5')))
  expect(Object.groupBy(tries, ({ StatusCode }) => String(StatusCode))).toMatchObject({ 404: { length: 30 }, 429: { length: 70 } })
  const made = await share({ FlowchartId: await picture() })
  expect((await open(made.Token)).Data.Visit).toBeTruthy()
})

it('fifty look at the same time; whoever leaves makes room', async () => {
  const made = await share({ FlowchartId: await picture() })
  for (let i = 0; i < 50; i++) expect(await visit(made.Token)).toBeTruthy()
  expect((await open(made.Token)).StatusCode).toBe(429)
  later(100_000)
  expect(await visit(made.Token)).toBeTruthy()
})

it('a viewer who asks without a pause is refused, and a company does not take all places', async () => {
  const FlowchartId = await picture()
  const Visit = await visit((await share({ FlowchartId })).Token)
  const asked = async (ask: (Visit: string | null) => Promise<{ StatusCode: number }>, times: number) =>
    Object.groupBy(await Promise.all(Array.from({ length: times }, () => ask(Visit))), ({ StatusCode }) => String(StatusCode))
  expect(await asked(show, 10)).toMatchObject({ 200: { length: 3 }, 429: { length: 7 } })
  expect(await asked(follow, 30)).toMatchObject({ 200: { length: 20 }, 429: { length: 10 } })
  later(20_000)
  expect(await asked(show, 2)).toMatchObject({ 200: { length: 1 }, 429: { length: 1 } })
  later(100_000)
  for (let i = 0; i < 10; i++) {
    const { Token } = await share({ FlowchartId })
    for (let k = 0; k < 50; k++) await open(Token, {}, `198.51.100.${k}`)
  }
  expect((await open((await share({ FlowchartId })).Token)).StatusCode).toBe(429)
  later(100_000)
})

it('a shared dashboard leaves out alarms, cards, maps and tables of everything, and its variables are fixed', async () => {
  const widget = (Id: string, more: object) => ({ Id, Kind: 'value', X: 0, Y: 0, W: 4, H: 3, ...more })
  const Widgets = [
    widget('a', { PointNames: ['Speed'] }),
    widget('b', { Kind: 'alarms' }),
    widget('c', { Kind: 'devices' }),
    widget('d', { Kind: 'devices', Devices: [pump.device.Id] }),
    widget('e', { Kind: 'card', Card: 'alarms' }),
    widget('f', { Kind: 'map' }),
  ]
  const Content = { Version: 1, Range: '1h', Variables: [{ Name: 'device' }], Widgets }
  const { Id } = await kit.data<Row>('owner', 'POST', '/blade-visual/visual/save', { Title: 'Hall', Content })
  const made = await share({ Kind: 2, VisualBoardId: Id, Parameters: [{ Name: 'DeviceId', Value: pump.device.Id }] })
  const { Data } = await show(await visit(made.Token))
  expect(Data).toMatchObject({
    Board: {
      Content: { Widgets: [{ Id: 'a' }, { Id: 'd' }] },
      Data: { DeviceId: pump.device.Id, Points: [{ ParaName: 'Speed' }], Devices: [{ DeviceName: 'Pump 1' }], Alarms: [] },
    },
  })
  expect(JSON.stringify(Data)).not.toContain('Secret recipe')
})

it('a link to a picture with parameters shows what was fixed when it was made', async () => {
  const { Id } = await kit.data<Row>('owner', 'POST', flowcharts, { FlowchartName: 'Of a pump', ProjectId: pump.project })
  const Scene = { ...emptyScene(), parameters: [{ name: 'Pump', type: 'device' }], items: [{ ...item, of: '{Pump.Speed}' }] }
  await kit.data('owner', 'POST', `${flowcharts}/Save`, { Id, Scene })
  await kit.data('owner', 'POST', `${flowcharts}/Publish`, { Id })
  const seen = async (Parameters?: object[]) => {
    const made = await share({ FlowchartId: Id, ...(Parameters && { Parameters }) })
    return ((await show(await visit(made.Token))).Data as { Picture: { Points: { ParaName: string }[] } }).Picture.Points
  }
  expect(await seen([{ Name: 'Pump', Value: pump.device.Id }])).toMatchObject([{ ParaName: 'Speed' }])
  expect(await seen()).toEqual([])
})

it('a shared project shows its state, its alarms by level, and the points that it shows first', async () => {
  await kit.db.rows(sql`
    insert into alarm_info ("EnterpriseId", "AlmNo", "RuleName", "AlarmLevel", "ProjectId", "Subject", "IsActive", "StartTime")
    values (${kit.enterprises.ours}, 'A1', 'Hush', 3, ${pump.project}, 's', 1, now())`)
  const made = await share({ Kind: 4, ProjectId: pump.project })
  const { Data } = await show(await visit(made.Token))
  expect(Data).toMatchObject({ Project: { Project: { Id: pump.project }, Levels: { 3: 1 }, Points: [{ ParaName: 'Speed' }] } })
  expect(JSON.stringify(Data)).not.toMatch(/Secret recipe|Hush/)
})

it('people share what they see themselves, and only with the right to', async () => {
  const FlowchartId = await picture()
  const refused = async (as: string, given: object) =>
    (await kit.call(as, 'POST', '/Project/Ddt/Share', { ShareName: 'x', Kind: 1, Hours: 24, ...given })).StatusCode
  expect(await refused('viewer', { FlowchartId })).toBe(403)
  expect(await refused('stranger', { FlowchartId })).toBe(400)
  expect(await refused('owner', {})).toBe(400)
  expect(await refused('owner', { FlowchartId, Hours: 2 })).toBe(400)
  await kit.person('mapless', kit.enterprises.ours, { menus: permissions.filter((p) => p !== 'm10311') })
  expect(await refused('mapless', { Kind: 3 })).toBe(403)
  const draft = await kit.data<Row>('owner', 'POST', flowcharts, { FlowchartName: 'Draft only', ProjectId: pump.project })
  expect(await refused('owner', { FlowchartId: draft.Id })).toBe(400)
})

it('a picture that is shared is not removed', async () => {
  const FlowchartId = await picture()
  await share({ FlowchartId })
  expect(await kit.call('owner', 'DELETE', flowcharts, { Id: FlowchartId })).toMatchObject({ StatusCode: 409 })
})
