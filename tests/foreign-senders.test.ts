// Senders that speak another language than ours, with clients that know nothing of us: mqtt.js and HTTP as their documents print it.
import { gzipSync } from 'node:zlib'
import mqtt, { type MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DoorState, SeenKey } from '../areas/configuration/network-components/contract.ts'
import type { Page } from '../contract/call.ts'
import { checksum } from '../contract/parsing/checksum.ts'
import { type House, startHouse, until } from './house.ts'

type Row = Record<string, unknown> & { Id: number }
type Made = Row & { Token: string; GatewayId: number; EnterpriseId: number }
const path = '/Protocol/NetworkComponents'
const minute = 60_000
let house: House
let project = 0
const clients: MqttClient[] = []
beforeAll(async () => {
  house = await startHouse()
  project = (await house.data('POST', '/Project/Project', { ProjectName: 'Foreign', Longitude: 2, Latitude: 41 })).Id
})
afterAll(async () => {
  for (const client of clients) client.end(true)
  await house?.close()
})

let count = 0
const door = (Language: 1 | 2 | 3, more: object = {}) =>
  house.data<Made>('POST', path, { ComponentName: `Door ${++count}`, Language, ProjectId: project, ...more })
const connect = async (username: string, more: mqtt.IClientOptions = {}) => {
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${house.mqttPort}`, { username, reconnectPeriod: 0, ...more })
  client.on('error', () => undefined)
  clients.push(client)
  return client
}
const publish = (client: MqttClient, topic: string, message: unknown) =>
  client.publishAsync(topic, typeof message === 'string' ? message : JSON.stringify(message), { qos: 1 })
const seen = async (Id: number) => (await house.data<Page<SeenKey>>('GET', `${path}/SeenList?Id=${Id}`)).Items
const adopt = async (Id: number, Items?: Pick<SeenKey, 'Device' | 'Key'>[]) => {
  const made = await house.data<{ Devices: number; Points: number }>('POST', `${path}/Adopt`, { Id, ...(Items && { Items }) })
  await house.registry.settled()
  return made
}
const stateOf = async (Id: number) => (await house.data<DoorState[]>('GET', `${path}/StateList?Id=${Id}`))[0]!
const pointsOf = async ({ GatewayId }: Made) => {
  const devices = (await house.data<Page<Row>>('GET', `/Project/Device/List?GatewayId=${GatewayId}&PageSize=100`)).Items
  const ids = devices.map(({ Id }) => Id).join(',')
  const points = (await house.data<Page<Row>>('GET', `/V2/Project/DevPara/List?DeviceIds=${ids}&PageSize=100`)).Items
  return Object.fromEntries(points.map((p) => [`${p.DeviceName}/${p.Address}`, p.Id]))
}
const latest = (point: number | undefined) => house.telemetry.latest.get(point ?? 0)
const send = (url: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${house.port}${url}`, { method: 'POST', body: body as BodyInit, headers })

it('an unmodified ThingsBoard device is heard, its keys are adopted with one click, and what is older is history', async () => {
  const made = await door(1)
  expect(made.Token.length).toBeGreaterThanOrEqual(32)
  expect(JSON.stringify(await house.data('GET', `${path}?Id=${made.Id}`))).not.toContain(made.Token)
  const device = await connect(made.Token, { clientId: 'anything' })
  const now = Date.now()
  await publish(device, 'v1/devices/me/telemetry', { temperature: 21, humidity: '48', door: true, note: 'ok' })
  expect((await seen(made.Id)).map(({ Device, Key, LastValue }) => [Device, Key, LastValue]).sort()).toEqual([
    ['', 'door', 1],
    ['', 'humidity', 48],
    ['', 'note', null],
    ['', 'temperature', 21],
  ])
  const keys = ['temperature', 'humidity', 'door'].map((Key) => ({ Device: '', Key }))
  expect(await adopt(made.Id, keys)).toEqual({ Devices: 1, Points: 3 })
  expect(await adopt(made.Id, keys)).toEqual({ Devices: 0, Points: 0 })
  await publish(device, 'v1/devices/me/telemetry', { ts: now, values: { temperature: 22.5, humidity: 50 } })
  await publish(device, 'v1/devices/me/telemetry', [{ ts: now - minute, values: { temperature: 19 } }, { door: false }])
  const points = await pointsOf(made)
  const of = (key: string) => latest(points[`${made.ComponentName}/${key}`])
  expect([of('temperature')?.value, of('temperature')?.time, of('humidity')?.value, of('door')?.value]).toEqual([22.5, now, 50, 0])
  const history = await house.telemetry.read([points[`${made.ComponentName}/temperature`]!], now - 2 * minute, now + minute)
  expect(JSON.stringify([...(history as Iterable<unknown>)])).toContain('19')
  // It is an ordinary gateway: online, in sync, and takes no configuration.
  const gateway = await until('the gateway to be online', async () => {
    const row = await house.data<Row>('GET', `/Project/Gateway?Id=${made.GatewayId}`)
    return row.OnlineStatus === 1 && row
  })
  expect(gateway).toMatchObject({ GatewayTypeId: 2, GatewaySubTypeId: 21, ConfigStatus: 0 })
  expect(await house.data('POST', '/Project/Protocol/OptionPush', { GatewayId: made.GatewayId })).toMatchObject({ Code: 3 })
  await device.endAsync()
  await until(
    'the gateway to be offline',
    async () => (await house.data<Row>('GET', `/Project/Gateway?Id=${made.GatewayId}`)).OnlineStatus === 0,
  )
})

it('a ThingsBoard gateway names its devices, and a value is written by its RPC', async () => {
  const made = await door(1)
  const gateway = await connect(made.Token)
  await gateway.subscribeAsync('v1/gateway/rpc', { qos: 1 })
  await publish(gateway, 'v1/gateway/connect', { device: 'Pump 1' })
  const telemetry = { 'Pump 1': [{ ts: Date.now(), values: { speed: 40 } }], 'Pump 2': [{ speed: 41 }] }
  await publish(gateway, 'v1/gateway/telemetry', telemetry)
  expect(await adopt(made.Id)).toEqual({ Devices: 2, Points: 2 })
  await publish(gateway, 'v1/gateway/telemetry', telemetry)
  const points = await pointsOf(made)
  expect([latest(points['Pump 1/speed'])?.value, latest(points['Pump 2/speed'])?.value]).toEqual([40, 41])
  // People may call the device what they like.
  const [pump] = (await house.data<Page<Row>>('GET', `/Project/Device/List?GatewayId=${made.GatewayId}&Search=Pump 1`)).Items
  await house.data('PUT', '/Project/Device', { Id: pump!.Id, DeviceName: 'Feed pump' })
  await house.data('PUT', '/Project/DevPara', { Id: points['Pump 1/speed'], ReadWriteType: 1 })
  await house.registry.settled()
  gateway.on('message', (topic, payload) => {
    const { device, data } = JSON.parse(payload.toString())
    expect([topic, device, data.method, data.params]).toEqual(['v1/gateway/rpc', 'Pump 1', 'setValue', { speed: 55 }])
    void publish(gateway, 'v1/gateway/rpc', { device, id: data.id, data: { success: true } })
  })
  expect(await house.data('POST', '/Project/DevPara/Write', { ParaId: points['Pump 1/speed'], Value: 55 })).toMatchObject({ Code: 0 })
  await publish(gateway, 'v1/gateway/telemetry', { 'Pump 1': [{ speed: 55 }] })
  expect(latest(points['Pump 1/speed'])?.value).toBe(55)
})

it('a second sender ends the first, a stopped door or another token ends both, and a wrong token gets in nowhere', async () => {
  const made = await door(1)
  const ended = (client: MqttClient) => new Promise<void>((done) => client.once('close', () => done()))
  const first = await connect(made.Token, { clientId: 'a' })
  const firstEnds = ended(first)
  const second = await connect(made.Token, { clientId: 'b' })
  await firstEnds
  const secondEnds = ended(second)
  const other = await house.data<Made>('POST', `${path}/ResetKey`, { Id: made.Id })
  await secondEnds
  await expect(connect(made.Token)).rejects.toThrow()
  const third = await connect(other.Token)
  const thirdEnds = ended(third)
  await house.data('POST', `${path}/Stop`, { Id: made.Id })
  await thirdEnds
  await expect(connect(other.Token)).rejects.toThrow()
  expect((await send(`/api/v1/${other.Token}/telemetry`, '{"a":1}')).status).toBe(401)
  expect((await send('/api/v1/no-such-token-of-any/telemetry', '{"a":1}')).status).toBe(401)
})

it('a foreign gateway has no key or box of ours, and is not deleted while its door is there', async () => {
  const made = await door(1)
  const ask = (method: string, at: string, body: object) => house.call(house.admin, method, at, body)
  const Id = made.GatewayId
  for (const at of ['ResetKey', 'UnBind'])
    expect(await ask('POST', `/Project/Gateway/${at}`, { Id })).toMatchObject({ Details: { Fault: 'gatewayForeign' } })
  expect((await ask('PUT', '/Project/Gateway', { Id, GatewayName: 'Roof', Remark: 'north' })).StatusCode).toBe(200)
  expect((await ask('PUT', '/Project/Gateway', { Id, GatewayTypeId: 53 })).StatusCode).toBe(409)
  expect((await ask('PUT', '/Project/Gateway', { Id, GatewayTypeId: 2 })).StatusCode).toBe(400)
  expect(await ask('DELETE', '/Project/Gateway', { Id })).toMatchObject({
    StatusCode: 409,
    Details: { UsedBy: [{ Resource: 'networkComponent', Id: made.Id }] },
  })
  expect(await ask('DELETE', '/Protocol/BatchNetworkComponents', { Ids: [made.Id] })).toMatchObject({ Data: { Removed: 1 } })
  expect((await ask('DELETE', '/Project/Gateway', { Id })).StatusCode).toBe(200)
})

it('the HTTP twin of ThingsBoard stores before it answers, and says what is wrong', async () => {
  const made = await door(1, { Token: 'BROUGHT_ALONG_TOKEN_1' })
  const url = '/api/v1/BROUGHT_ALONG_TOKEN_1/telemetry'
  const type = { 'content-type': 'application/json' }
  expect((await send(url, '{"temperature": 25}', type)).status).toBe(200)
  await adopt(made.Id)
  expect((await send(url, '{"temperature": 26}', type)).status).toBe(200)
  const points = await pointsOf(made)
  expect(latest(points[`${made.ComponentName}/temperature`])?.value).toBe(26)
  expect((await send(url, '{"temperature": ', type)).status).toBe(400)
  expect((await send(url.replace('telemetry', 'attributes'), '{"temperature": 27, "serial": "x"}', type)).status).toBe(200)
  expect(latest(points[`${made.ComponentName}/temperature`])?.value).toBe(27)
  expect(await seen(made.Id)).toEqual([])
  expect(await stateOf(made.Id)).toMatchObject({ Messages: 4, Readings: 2, Rejected: 1, Unmatched: 1 })
  // The token of one door is none of another, and the same one cannot be given twice.
  expect(
    (
      await house.call(house.admin, 'POST', path, {
        ComponentName: 'Twice',
        Language: 1,
        ProjectId: project,
        Token: 'BROUGHT_ALONG_TOKEN_1',
      })
    ).StatusCode,
  ).not.toBe(200)
})

it('Influx lines are stored, zipped or not, in every precision, and a bad line is answered by its number', async () => {
  const made = await door(3)
  const headers = { authorization: `Token ${made.Token}` }
  const second = Math.floor(Date.now() / 1000)
  const lines = `weather,station=roof,side=north temperature=21.5,rain=f,count=3i ${second}\nweather,station=roof,side=north note="a, b" ${second}`
  expect((await send('/api/v2/write?bucket=x&org=y&precision=s', lines, headers)).status).toBe(204)
  expect((await seen(made.Id)).map(({ Device, Key }) => [Device, Key]).sort()).toEqual([
    ['weather,side=north,station=roof', 'count'],
    ['weather,side=north,station=roof', 'note'],
    ['weather,side=north,station=roof', 'rain'],
    ['weather,side=north,station=roof', 'temperature'],
  ])
  expect(await adopt(made.Id)).toEqual({ Devices: 1, Points: 4 })
  const zipped = gzipSync(`weather,station=roof,side=north temperature=22.5 ${second}500`)
  expect((await send(`/write?db=x&precision=ms&p=${made.Token}`, zipped, { 'content-encoding': 'gzip' })).status).toBe(204)
  const points = await pointsOf(made)
  const temperature = points['weather,side=north,station=roof/temperature']
  expect([latest(temperature)?.value, latest(temperature)?.time]).toEqual([22.5, second * 1000 + 500])
  const partial = await send('/api/v2/write?precision=s', `weather,station=roof,side=north temperature=23 ${second + 1}\nnonsense`, headers)
  expect([partial.status, await partial.json()]).toEqual([400, { code: 'invalid', message: expect.stringContaining('line 2') }])
  expect(latest(temperature)?.value).toBe(23)
  expect((await send('/api/v2/write', lines, { authorization: 'Token wrong-token-of-nobody' })).status).toBe(401)
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
  expect((await send('/api/v2/write', bomb, { ...headers, 'content-encoding': 'gzip' })).status).toBe(413)
})

it('JSON of any shape is read by the parser that is assigned, over MQTT and HTTP, and its device may be a level of the topic', async () => {
  const made = await door(2, { DeviceLevel: 2 })
  const Mapping = [{ Value: 'data.*', Key: { From: 'name' }, Time: 't', TimeUnit: 's' }]
  const parser = await house.data<Row>('POST', '/Protocol/DataParse', { ParseName: 'Lines', Mapping, EnterpriseId: made.EnterpriseId })
  const client = await connect('somebody', { password: made.Token })
  const second = Math.floor(Date.now() / 1000)
  await publish(client, 'plant/line-1', { t: second, data: { speed: 3 } })
  expect(await stateOf(made.Id)).toMatchObject({ Rejected: 1, LastFault: expect.stringContaining('no parser') })
  await house.data('POST', '/Protocol/DataParse/Project', { DataParseId: parser.Id, ProjectIds: [project] })
  await until('the parser to be known', async () => {
    await publish(client, 'plant/line-1', { t: second, data: { speed: 3 } })
    return (await seen(made.Id)).length > 0
  })
  expect((await seen(made.Id)).map(({ Device, Key }) => [Device, Key])).toEqual([['line-1', 'speed']])
  await adopt(made.Id)
  await publish(client, 'plant/line-1', { t: second + 1, data: { speed: 4 } })
  const points = await pointsOf(made)
  expect(latest(points['line-1/speed'])).toMatchObject({ value: 4, time: (second + 1) * 1000 })
  const headers = { authorization: `Bearer ${made.Token}`, 'content-type': 'application/json' }
  expect((await send('/api/uplink?device=line-1', JSON.stringify({ t: second + 2, data: { speed: 5 } }), headers)).status).toBe(200)
  expect(latest(points['line-1/speed'])?.value).toBe(5)
  expect((await send('/api/uplink', '{', headers)).status).toBe(400)
})

it('a script reads bytes of a sender, takes a write down, and is switched off with an event when it hangs; others are heard all the while', async () => {
  const [made, loops] = [await door(2), await door(2)]
  const Script = `function parse(topic, payload) {
      if (crc.crc16Modbus(payload, 0, 6) !== read.u16(payload, 6, 'DCBA')) throw new Error('checksum')
      return { Items: [{ V: { level: read.u16(payload, 2) / 10, flow: read.u16(payload, 4) } }], Events: read.u16(payload, 4) > 999 ? [{ Text: 'overflow', Level: 2 }] : [] }
    }
    function encode({ Key, Value }) { return { topic: 'down/' + Key, payload: new Uint8Array([6, Value]) } }`
  const parser = (ParseName: string, text: string, Input: number) =>
    house.call<Row>(house.admin, 'POST', '/Protocol/DataParse', {
      ParseName,
      Kind: 2,
      Input,
      Script: text,
      EnterpriseId: made.EnterpriseId,
    })
  expect(await parser('Broken', 'function parse( {', 3)).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { Script: expect.anything() } },
  })
  const [bytes, endless] = [(await parser('Frames', Script, 3)).Data, (await parser('Endless', 'function parse() { for (;;); }', 1)).Data]
  expect(bytes).toMatchObject({ Kind: 2, Mapping: null, Version: 1, Hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
  await house.data('POST', '/Protocol/DataParse/Gateway', { DataParseId: bytes.Id, GatewayIds: [made.GatewayId] })
  await house.data('POST', '/Protocol/DataParse/Gateway', { DataParseId: endless.Id, GatewayIds: [loops.GatewayId] })
  const [client, other] = [await connect('meter', { password: made.Token }), await connect('loop', { password: loops.Token })]
  await client.subscribeAsync('down/#')
  await expect(client.subscribeAsync('iot/v1/#')).rejects.toThrow()
  const frame = (level: number, flow: number) => {
    const head = Buffer.from([1, 3, level >> 8, level & 255, flow >> 8, flow & 255])
    const sum = checksum('crc16Modbus', head)
    return Buffer.from([...head, sum & 255, sum >> 8])
  }
  const sendFrame = (level: number, flow: number) => client.publishAsync('up', frame(level, flow), { qos: 1 })
  await until('the script to be known', async () => {
    await sendFrame(215, 7)
    return (await seen(made.Id)).length > 0
  })
  await adopt(made.Id)
  const hung = Promise.all([1, 2, 3, 4].map(() => publish(other, 'up', {})))
  await sendFrame(216, 1000)
  const points = await pointsOf(made)
  expect([latest(points[`${made.ComponentName}/level`])?.value, latest(points[`${made.ComponentName}/flow`])?.value]).toEqual([21.6, 1000])
  await hung
  expect(await stateOf(loops.Id)).toMatchObject({ Messages: 4, Rejected: 4, LastFault: expect.stringContaining('script') })
  const events = async (of: Made) =>
    (await house.data<Page<Row>>('GET', `/Events/Events/List?GatewayId=${of.GatewayId}&PageSize=50`)).Items.map(({ Type, Text }) => [
      Type,
      Text,
    ])
  await until('both events', async () => JSON.stringify([await events(made), await events(loops)]).match(/15,"overflow.*14,"Endless/))
  // A write is what the script makes of it.
  await house.data('PUT', '/Project/DevPara', { Id: points[`${made.ComponentName}/flow`], ReadWriteType: 1 })
  await house.registry.settled()
  const down = new Promise((done) => client.once('message', (topic, payload) => done([topic, payload.toString('hex')])))
  expect(await house.data('POST', '/Project/DevPara/Write', { ParaId: points[`${made.ComponentName}/flow`], Value: 9 })).toMatchObject({
    Code: 0,
  })
  expect(await down).toEqual(['down/flow', '0609'])
})

it('what was received is what was stored, replaced, rejected or live only', async () => {
  for (const { received, stored, replaced, rejected, liveOnly } of house.telemetry.counters.values())
    expect(received).toBe(stored + replaced + rejected + liveOnly)
})
