// Senders that speak another language than ours, with clients that know nothing of us: mqtt.js and HTTP as their documents print it.
import { gzipSync } from 'node:zlib'
import type { MqttClient } from 'mqtt'
import { beforeAll, expect, it } from 'vitest'
import type { Page } from '../contract/call.ts'
import { webhookSign } from '../server/channels/webhook.ts'
import { type House, until } from './house.ts'
import { type Made, path, type Row, useSenders } from './sender-house.ts'

const minute = 60_000
const senders = useSenders()
const { door, connect, publish, seen, adopt, stateOf, pointsOf, latest, send } = senders
let [house, project]: [House, number] = [undefined as never, 0]
beforeAll(() => {
  ;[house, project] = [senders.house(), senders.project()]
})

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

it('a disabled language takes no new sender', async () => {
  const made = await door(1)
  const ask = (at: string, body: object) => house.call<Row>(house.admin, 'POST', at, body)
  const { Items } = await house.data<{ Items: Row[] }>('GET', '/Protocol/Plugins/List?PageSize=1000')
  const plugin = (language: number) => Items.find((p) => p.EnterpriseId === made.EnterpriseId && p.Kind === 2 && p.Number === language)!.Id
  const using = await ask('/Protocol/Plugins/Disable', { Id: plugin(1) })
  expect(using).toMatchObject({
    StatusCode: 409,
    Details: { UsedBy: expect.arrayContaining([{ Resource: 'networkComponent', Id: made.Id, Title: made.ComponentName }]) },
  })
  const lines = { ComponentName: 'Not now', Language: 3, ProjectId: project }
  await ask('/Protocol/Plugins/Disable', { Id: plugin(3) })
  expect((await ask(path, lines)).Details?.Fields).toHaveProperty('Language')
  await ask('/Protocol/Plugins/Enable', { Id: plugin(3) })
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
  // A token opens one connection only, and cannot be used for two.
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

it('a sender of JSON that signs needs no token; what is altered, old or repeated is not stored', async () => {
  const made = await door(2)
  const Mapping = [{ Value: 'level', Key: { From: 'text', Is: 'level' } }]
  const parser = await house.data<Row>('POST', '/Protocol/DataParse', { ParseName: 'Level', Mapping, EnterpriseId: made.EnterpriseId })
  await house.data('POST', '/Protocol/DataParse/Gateway', { DataParseId: parser.Id, GatewayIds: [made.GatewayId] })
  const bearer = async (token: string) => (await send('/api/uplink', '{"level":1}', { authorization: `Bearer ${token}` })).status
  expect(await bearer(made.Token)).toBe(200)
  await adopt(made.Id)
  const { Secret } = await house.data<{ Secret: string }>('POST', `${path}/Sign`, { Id: made.Id })
  const { SN } = await house.data<{ SN: string }>('GET', `${path}/Connect?Id=${made.Id}`)
  expect(await until('the token to open nothing', async () => (await bearer(made.Token)) === 401)).toBe(true)

  type Way = { id?: string; at?: number; signed?: string; sn?: string; secret?: string }
  const signed = async (level: number, { id = `m${level}`, at = Date.now(), signed, sn = SN, secret = Secret }: Way = {}) => {
    const [body, seconds] = [JSON.stringify({ level }), Math.floor(at / 1000)]
    const signature = `v1,AAAA ${webhookSign(secret, id, seconds, signed ?? body)}`
    const headers = { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signature }
    return (await send(`/api/uplink/${sn}`, body, headers)).status
  }
  const level = async () => latest((await pointsOf(made))[`${made.ComponentName}/level`])?.value
  expect([await signed(2), await level()]).toEqual([200, 2])
  expect([await signed(3, { id: 'm2' }), await level()]).toEqual([200, 2])
  for (const wrong of [
    { signed: '{"level":5}' },
    { at: Date.now() - 6 * minute },
    { at: Date.now() + 2 * minute },
    { sn: 'F123' },
    { id: 'ä' },
  ])
    expect([wrong, await signed(4, wrong).catch(() => 401)]).toEqual([wrong, 401])
  expect([await signed(4, { secret: 'whsec_b3RoZXI=' }), await level()]).toEqual([401, 2])
  expect([await signed(6), await level()]).toEqual([200, 6])
  const { Token } = await house.data<Made>('POST', `${path}/ResetKey`, { Id: made.Id })
  expect(await until('the new token', async () => (await bearer(Token)) === 200)).toBe(true)
  expect(await signed(7)).toBe(401)
})

it('what was received is what was stored, replaced, rejected or live only', async () => {
  for (const { received, stored, replaced, rejected, liveOnly } of house.telemetry.counters.values())
    expect(received).toBe(stored + replaced + rejected + liveOnly)
})
