import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { topic } from '../../../../contract/gateway-protocol.ts'
import { word } from '../../../../server/http/words.ts'
import { point } from '../../points/contract.ts'
import { gatewaySubTypes, gatewayTypes, resultCodes } from '../contract.ts'
import { type Plant, startPlant } from './harness.ts'
import { outdatedKeys, proofOf } from './secrets.ts'

let plant: Plant
beforeAll(async () => {
  plant = await startPlant()
})
afterAll(() => plant.close())

const becomes = (id: number, values: Record<string, unknown>) =>
  vi.waitFor(async () => expect(await plant.row(id)).toMatchObject(values), { timeout: 60_000, interval: 50 })

test('a gateway is online with its birth message, reports its versions, and is offline when its connection breaks', async () => {
  const g = await plant.equip(1)
  expect((await plant.row(g.Id)).OnlineStatus).toBe(2)
  const { client, report } = await plant.connect(g)
  await report('state', { Online: 1, FirmwareVer: '1.2.3', Ip: '10.0.0.9', CCID: '8986' })
  await report('heartbeat', { Rssi: -71, Cpu: 12.5, CacheCount: 3, Devices: [{ DeviceId: g.device, Status: 1, OkCount: 10, ErrCount: 2 }] })
  await becomes(g.Id, { OnlineStatus: 1, FirmwareVer: '1.2.3', Ip: '10.0.0.9', CCID: '8986', Rssi: -71, CpuRate: 12.5, CacheCount: 3 })
  const device = () => plant.kit.data('owner', 'GET', `/Project/Device?Id=${g.device}`)
  expect(await device()).toMatchObject({ Status: 1, OkCount: 10, ErrCount: 2 })
  client.stream.destroy()
  await becomes(g.Id, { OnlineStatus: 0 })
  await vi.waitFor(async () => expect(await device()).toMatchObject({ Status: 0 }))
})

test('[remote-lock-read] the state of a gateway’s remote lock is read, with since when it holds', async () => {
  const g = await plant.equip(1)
  const { report } = await plant.connect(g)
  const read = <T>(what: 'State' | 'Info', as = 'viewer') => plant.kit.call<T>(as, 'GET', `/Project/Gateway/RemoteLock${what}?Id=${g.Id}`)
  type Info = { RemoteLock: number | null; RemoteLockTime: string | null; LastHeartbeatTime: string | null }
  const info = async () => (await read<Info>('Info')).Data!
  // A gateway without a lock does not report one.
  await report('heartbeat', { Rssi: -60 })
  await becomes(g.Id, { Rssi: -60 })
  expect((await read('State')).Data).toEqual({ RemoteLock: null })
  expect(await info()).toMatchObject({ Id: g.Id, SN: g.SN, OnlineStatus: 1, RemoteLock: null, RemoteLockTime: null })
  await report('heartbeat', { RemoteLock: 1 })
  await becomes(g.Id, { RemoteLock: 1 })
  expect((await read('State')).Data).toEqual({ RemoteLock: 1 })
  const since = new Date('2026-01-31T12:00:00Z')
  await plant.kit.db.rows(sql`update gateway set "RemoteLockTime" = ${since} where "Id" = ${g.Id}`)
  await report('heartbeat', { RemoteLock: 1, Rssi: -61 })
  await becomes(g.Id, { Rssi: -61 })
  expect(await info()).toMatchObject({ RemoteLock: 1, RemoteLockTime: '2026-01-31 12:00:00', LastHeartbeatTime: expect.any(String) })
  await report('heartbeat', { RemoteLock: 0 })
  await becomes(g.Id, { RemoteLock: 0 })
  expect((await info()).RemoteLockTime).not.toBe('2026-01-31 12:00:00')
  for (const what of ['State', 'Info'] as const) {
    expect(await read(what, 'stranger')).toMatchObject({ StatusCode: 404 })
    expect(await read(what, 'nobody')).toMatchObject({ StatusCode: 403 })
  }
})

test('a heartbeat cannot speak of devices of another gateway, and nothing in it can stop the others', async () => {
  const [a, b] = [await plant.equip(0), await plant.equip(0)]
  const [mine, other] = [await plant.connect(a), await plant.connect(b)]
  await mine.report('heartbeat', {
    CacheCount: 1e300,
    UpTime: 1e308,
    Cpu: 7,
    Devices: [
      { DeviceId: b.device, Status: 2, OkCount: 1, ErrCount: 1 },
      { DeviceId: a.device, Status: 99999, OkCount: 1e300, ErrCount: -1 },
    ],
  })
  await mine.report('state', { Online: 1, FirmwareVer: 'a\u0000b\ud800', HardwareVer: 'x'.repeat(200), ConfigVersion: 1e12 })
  await other.report('heartbeat', { Rssi: -50 })
  await becomes(b.Id, { Rssi: -50, OnlineStatus: 1 })
  await becomes(a.Id, { CpuRate: 7, UpTime: null, FirmwareVer: 'ab\ufffd', HardwareVer: 'x'.repeat(50), CacheCount: null })
  expect(await plant.kit.data('owner', 'GET', `/Project/Device?Id=${b.device}`)).toMatchObject({ Status: 3, OkCount: null })
})

test('a device whose readings come in is there, before any heartbeat names it', async () => {
  const g = await plant.equip(1)
  const { report } = await plant.connect(g)
  await report('state', { Online: 1 })
  const device = () => plant.kit.data('owner', 'GET', `/Project/Device?Id=${g.device}`)
  expect(await device()).toMatchObject({ Status: 3 })
  plant.gateways.stored([{ point: g.points[0]!, time: plant.clock.now }])
  await vi.waitFor(async () => expect(await device()).toMatchObject({ Status: 1, LastDataTime: expect.any(String) }), { timeout: 60_000 })
  // From now on the time of the newest reading is written every five seconds.
  const { LastDataTime } = (await device()) as unknown as { LastDataTime: string }
  plant.clock.now += 10_000
  plant.gateways.stored([{ point: g.points[0]!, time: plant.clock.now }])
  await vi.waitFor(async () => expect((await device()) as unknown).not.toMatchObject({ LastDataTime }), { timeout: 60_000 })
})

test('a gateway that is silent for three heartbeats, at least three minutes, is offline', async () => {
  const g = await plant.equip(0)
  const { report } = await plant.connect(g)
  await report('heartbeat', {})
  await becomes(g.Id, { OnlineStatus: 1 })
  plant.clock.now += 179_000
  await report('heartbeat', {})
  plant.clock.now += 179_000
  expect((await plant.row(g.Id)).OnlineStatus).toBe(1)
  plant.clock.now += 2000
  await vi.waitFor(async () => expect((await plant.row(g.Id)).OnlineStatus).toBe(0), { timeout: 60_000, interval: 100 })
})

test('readings are acknowledged when they are stored, not before', async () => {
  const g = await plant.equip(1)
  const { report, heard } = await plant.connect(g)
  const gate = Promise.withResolvers<void>()
  plant.ingest(async (_sn, _kind, payload) => {
    await gate.promise
    return { MsgId: JSON.parse(payload.toString()).MsgId, readings: 0 }
  })
  const acknowledged = report('data', { Items: [] }, 'reading-1')
  await new Promise((done) => setTimeout(done, 100))
  expect(heard).toEqual([])
  gate.resolve()
  await acknowledged
  await vi.waitFor(() => expect(heard).toEqual([{ kind: 'ack', message: { MsgId: 'reading-1' } }]))
})

test('an invalid message is stored with its reason and affects nothing else', async () => {
  const g = await plant.equip(0)
  const { report, raw } = await plant.connect(g)
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  for (const text of ['', 'not json', '{"MsgId":', '[]', 'null', deep, '{"MsgId":"1","Ts":1,"Data":{"Rssi":1e400}}'])
    await raw('heartbeat', text)
  await report('heartbeat', { Rssi: '12' })
  await report('heartbeat', { Rssi: -1, Humidity: 5 })
  await report('event', { Type: 99, Level: 0, Text: '' })
  await raw('reply', `{"MsgId":"nobody","Ts":1,"Code":0,"Msg":"","Data":{"a":${deep}}}`)
  await raw('state', '{"__proto__":{"Online":1},"MsgId":"1","Ts":1,"Data":{"Online":1}}')
  await report('heartbeat', { Rssi: -44 })
  await becomes(g.Id, { Rssi: -44 })
  const mine = plant.rejected.filter((r) => r.SN === g.SN)
  expect(mine.map((r) => r.reason)).toEqual([...Array(8).fill('malformed'), 'unknownField', 'malformed', 'unknownField'])
  expect(mine[8]!.detail).toBe('Humidity')
  expect(({} as Record<string, unknown>).Online).toBeUndefined()
})

test('an event is stored once, however often it is sent, and acknowledged', async () => {
  const g = await plant.equip(0)
  const { report, heard } = await plant.connect(g)
  await report('event', { Type: 3, Level: 2, Text: 'power cut' }, 'event-1')
  await report('event', { Type: 3, Level: 2, Text: 'power cut' }, 'event-1')
  const rows = await plant.kit.db.rows(sql`select "Type", "Level", "Text" from gateway_event where "GatewayId" = ${g.Id}`)
  expect(rows).toEqual([{ Type: 3, Level: 2, Text: 'power cut' }])
  await vi.waitFor(() => expect(heard.map((h) => h.message.MsgId)).toEqual(['event-1', 'event-1']))
})

test('a gateway that asks for the time gets it, and its offset is shown', async () => {
  const g = await plant.equip(0)
  const { report, heard } = await plant.connect(g)
  await report('timesync', { T1: plant.clock.now - 7000 }, 'clock')
  await vi.waitFor(() => expect(heard).toHaveLength(1))
  expect(heard[0]).toMatchObject({
    kind: 'timesync',
    message: { MsgId: 'clock', Data: { T1: plant.clock.now - 7000, T2: plant.clock.now, T3: plant.clock.now } },
  })
  await becomes(g.Id, { TimeOffsetMs: 7000 })
})

test('a value is written with the right, checked before sending, and logged with the previous one', async () => {
  const g = await plant.equip(2, { ReadWriteType: 1, ParaDataType: 2, SampleLow: 0, SampleHigh: 1000, ProjectLow: 0, ProjectHigh: 100 })
  const written: unknown[] = []
  await plant.connect(g, (_kind, { Data }) => {
    written.push(Data)
    return { Code: 0, Msg: '', Data: { Value: 42.5, Quality: 0 } }
  })
  plant.latest.set(g.points[0]!, { Time: 1, Value: 40, Quality: 0 })
  const write = (Value: number, as = 'owner', ParaId = g.points[0]) =>
    plant.kit.call<{ Code: number }>(as, 'POST', '/Project/DevPara/Write', { ParaId, Value })
  expect((await write(42.5)).Data).toMatchObject({ Code: 0, Data: { Value: 42.5 } })
  expect(written).toEqual([{ D: g.device, ParaId: g.points[0], Value: 42.5, CheckBack: 1 }])
  expect(await plant.history(g.Id)).toMatchObject([
    { CmdType: 'write', Code: 0, Payload: { Value: 42.5, Before: 40 }, Detail: [{ Value: 42.5 }], UserName: 'owner' },
  ])
  expect(await write(7000)).toMatchObject({ StatusCode: 400, Details: { Fault: 'doesNotFit' } })
  expect(await write(-1)).toMatchObject({ StatusCode: 400, Details: { Fault: 'doesNotFit' } })
  expect(await write(1, 'viewer')).toMatchObject({ StatusCode: 403 })
  expect(await write(1, 'stranger')).toMatchObject({ StatusCode: 404 })
  await plant.kit.data('owner', 'PUT', point.path, { Id: g.points[1], ReadWriteType: 0 })
  expect(await write(1, 'owner', g.points[1])).toMatchObject({ StatusCode: 400, Details: { Fault: 'notWritable' } })
  expect(written).toHaveLength(1)
})

test('points are read on request, and only those requested are returned', async () => {
  const g = await plant.equip(2)
  const Values = [...g.points, 999_999].map((ParaId, i) => ({ ParaId, Value: i ? null : 3.5, Quality: i ? 2 : 0 }))
  await plant.connect(g, () => ({ Code: 0, Msg: '', Data: { Values } }))
  const answer = await plant.kit.data('owner', 'POST', '/Project/DevPara/Read', { ParaIds: g.points })
  expect(answer).toEqual({ Code: 0, Msg: 'Done.', Values: Values.slice(0, 2) })
})

test('a repetition that the gateway recognises has the outcome of the first; another gateway cannot answer for it', async () => {
  const [g, other] = [await plant.equip(0), await plant.equip(0)]
  const forger = await plant.connect(other)
  await plant.connect(g, async (_kind, { MsgId }) => {
    const forged = JSON.stringify({ MsgId, Ts: 1, Code: 0, Msg: 'forged' })
    await forger.client.publishAsync(topic(other.SN, 'up', 'reply'), forged, { qos: 1 })
    return { Code: 6, Msg: 'again', Data: { PrevCode: 301 } }
  })
  const answer = await plant.kit.data('owner', 'POST', '/Project/Gateway/NetTest', { Id: g.Id, Ip: '10.0.0.1', Port: 502 })
  expect(answer).toMatchObject({ Code: 301 })
})

test('a new key is shown once, cuts the gateway that used the old one, and belongs to people with the right', async () => {
  const g = await plant.equip(0)
  const { client, Key } = await plant.connect(g)
  const gone = new Promise<void>((done) => client.once('close', () => done()))
  const reset = (as: string) => plant.kit.call<{ SN: string; Key: string }>(as, 'POST', '/Project/Gateway/ResetKey', { Id: g.Id })
  expect(await reset('viewer')).toMatchObject({ StatusCode: 403 })
  expect(await reset('stranger')).toMatchObject({ StatusCode: 404 })
  const fresh = await reset('owner')
  expect(fresh.Data).toEqual({ SN: g.SN, Key: expect.stringMatching(/^[\w-]{43}$/), Host: 'plant.example', Port: 8421 })
  expect(fresh.Data.Key).not.toBe(Key)
  await gone
  const logged = sql`select count(*)::int as found from change where "After"::text like ${`%${fresh.Data.Key}%`}`
  expect(await plant.kit.db.rows(logged)).toEqual([{ found: 0 }])
  expect(JSON.stringify(await plant.row(g.Id))).not.toMatch(/SecretHash/)
  const outdated = (key: string) => outdatedKeys(plant.kit.database)(new Map([[g.SN, proofOf(g.SN, Buffer.from(key))]]))
  expect([await outdated(Key), await outdated(fresh.Data.Key)]).toEqual([[g.SN], []])
})

test('a gateway that is removed is cut off, and its key is worth nothing', async () => {
  const g = await plant.equip(0)
  const { client } = await plant.connect(g)
  await plant.kit.data('owner', 'DELETE', `/Project/Device?Id=${g.device}`)
  await plant.kit.data('owner', 'DELETE', `/Project/Protocol/NetProtocol?Id=${g.net}`)
  await plant.kit.data('owner', 'DELETE', `/Project/Gateway?Id=${g.Id}`)
  await vi.waitFor(() => expect(client.connected).toBe(false))
  expect(plant.registry.gateway(g.SN)).toBeUndefined()
})

/** The catalogue's text of each code (specification, business 8). */
const catalogue: Record<(typeof resultCodes)[number], RegExp> = {
  0: /^Done/,
  1: /could not save/,
  2: /did not answer/,
  3: /does not support the function/,
  4: /does not know the device or point/,
  5: /[Cc]lock/,
  6: /already received/,
  7: /time differs/,
  9: /interface|serial settings/,
  10: /point table has errors/,
  11: /same serial port/,
  13: /network channel has no/,
  14: /same address and port/,
  15: /rejected the configuration/,
  201: /reason the gateway does not report/,
  301: /connection test failed/,
  999: /channel .* point table/,
}
test('[gateway-result-codes] [gateway-result-code-0] result codes of a gateway are shown in the words of the catalogue', async () => {
  const g = await plant.equip(0)
  let Code = 0
  await plant.connect(g, () => ({ Code, Msg: '' }))
  const ask = (language: string) =>
    plant.kit.call<{ Code: number; Msg: string }>(
      'owner',
      'POST',
      '/Project/Gateway/NetTest',
      { Id: g.Id, Ip: '10.0.0.1', Port: 502 },
      { 'accept-language': language },
    )
  for (Code of resultCodes) {
    const { Data } = await ask('en')
    expect(Data.Code).toBe(Code)
    expect(Data.Msg).toMatch(catalogue[Code as keyof typeof catalogue])
  }
  expect((await ask('zh')).Data.Msg).toBe(word('zh', 'result.999'))
  for (Code of [8, 12]) expect((await ask('en')).Data.Msg).toMatch(new RegExp(`[Uu]nknown result.*${Code}`))
})

test('[gateway-models] the models of the specification can be chosen, under their names, and others cannot', async () => {
  expect(gatewayTypes.map((id) => word('en', `gateway.GatewayTypeId.${id}`)).slice(1)).toEqual([
    'YC-5300',
    'YC-5300N (1)',
    'YC-5300N (2)',
    'YC-7100',
    'YC-7300',
  ])
  const g = await plant.equip(0)
  const become = (GatewayTypeId: number) =>
    plant.kit.call<{ GatewayTypeId: number }>('owner', 'PUT', '/Project/Gateway', { Id: g.Id, GatewayTypeId, GatewaySubTypeId: 1 })
  for (const id of gatewayTypes) {
    expect((await become(id)).Data).toMatchObject({ GatewayTypeId: id })
    const subTypes = await plant.kit.data<{ Id: number }[]>(
      'owner',
      'GET',
      `/V2/Project/GatewayType/GatewaySubTypeList?GatewayTypeId=${id}`,
    )
    expect(subTypes.map((s) => s.Id)).toEqual(gatewaySubTypes[id])
  }
  expect(await become(52)).toMatchObject({ StatusCode: 400 })
})
