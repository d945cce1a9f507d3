// Edge nodes of Sparkplug B: the Sparkplug project's own client, unmodified, and frames of its encoder by mqtt.js.
import { setTimeout as wait } from 'node:timers/promises'
import type { IClientOptions, MqttClient } from 'mqtt'
import { newClient } from 'sparkplug-client'
import { get } from 'sparkplug-payload'
import type { UPayload } from 'sparkplug-payload/lib/sparkplugbpayload.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from '../contract/call.ts'
import { type House, until } from './house.ts'
import { type Made, path, type Row, useSenders } from './sender-house.ts'

type Metrics = NonNullable<UPayload['metrics']>
type Client = ReturnType<typeof newClient>
const { encodePayload, decodePayload } = get('spBv1.0')!
const senders = useSenders()
const { door, connect, seen, adopt, stateOf, pointsOf, latest } = senders
let house: House
beforeAll(() => {
  house = senders.house()
})
const clients: Client[] = []
afterAll(() => {
  for (const client of clients) client.stop()
})

const open = (SparkplugNode: string, more: object = {}) => door(4, { SparkplugGroup: 'Plant', SparkplugNode, ...more })
/** Births as its application would send them. */
const start = (made: Made, births: (client: Client) => void, more: object = {}) => {
  const client = newClient({
    ...{ serverUrl: `mqtt://127.0.0.1:${house.mqttPort}`, username: 'penstock', password: made.Token, clientId: 'anything' },
    ...{ groupId: String(made.SparkplugGroup), edgeNode: String(made.SparkplugNode), version: 'spBv1.0', publishDeath: true },
    ...{ mqttOptions: { reconnectPeriod: 50 }, ...more },
  })
  client.on('birth', () => births(client))
  client.on('error', () => undefined)
  clients.push(client)
  return client
}
const values = (metrics: unknown[], timestamp = Date.now()): UPayload => ({ timestamp, metrics: metrics as Metrics })
const speed = (value: number, more: object = {}) => ({ name: 'Motor/Speed', alias: 1, type: 'Double', value, ...more })
const flow = (value: number, more: object = {}) => ({ name: 'Flow', alias: 2, type: 'Float', value, ...more })
const control = { name: 'Node Control/Rebirth', type: 'Boolean', value: false }
const isOnline = async ({ GatewayId }: Made, is: 0 | 1) =>
  (await house.data<Row>('GET', `/Project/Gateway?Id=${GatewayId}`)).OnlineStatus === is
/** An mqtt.js connection that sends arbitrary messages and records what it receives. */
const raw = async (made: Made, more: IClientOptions = {}) => {
  const client = await connect('penstock', { password: made.Token, ...more })
  const heard: { topic: string; payload: Buffer; retain: boolean }[] = []
  client.on('message', (topic, payload, { retain }) => heard.push({ topic, payload, retain }))
  await client.subscribeAsync(`spBv1.0/Plant/NCMD/${made.SparkplugNode}/#`)
  const say = (kind: string, seq: number | undefined, metrics: unknown[], device = '') =>
    client.publishAsync(
      `spBv1.0/Plant/${kind}/${made.SparkplugNode}${device && `/${device}`}`,
      Buffer.from(encodePayload({ ...values(metrics), ...(seq !== undefined && { seq }) })),
      { qos: 1 },
    )
  return { client, heard, say }
}
const bdSeq = { name: 'bdSeq', type: 'UInt64', value: 0 }

it('an unmodified client is born, heard by alias, dies, and is born again: its points have no value meanwhile, and its chart says so', async () => {
  const made = await open('Line 1')
  let last = 20
  const births = (client: Client) => {
    client.publishNodeBirth(values([control, speed(last)]))
    client.publishDeviceBirth(
      'Pump',
      values([flow(2.5), { name: 'Table', type: 'DataSet', value: { numOfColumns: 1, columns: ['a'], types: ['Int32'], rows: [[1]] } }]),
    )
  }
  const client = start(made, births)
  await until('both keys', async () => (await seen(made.Id)).length === 2)
  expect((await seen(made.Id)).map(({ Device, Key, LastValue }) => [Device, Key, LastValue]).sort()).toEqual([
    ['', 'Motor/Speed', 20],
    ['Pump', 'Flow', 2.5],
  ])
  expect(await stateOf(made.Id)).toMatchObject({ Rejected: 1, LastFault: expect.stringContaining('1 values of a kind') })
  expect(await adopt(made.Id)).toEqual({ Devices: 2, Points: 2 })
  const points = await pointsOf(made)
  const [own, pump] = [points[`${made.ComponentName}/Motor/Speed`]!, points['Pump/Flow']!]
  client.publishNodeData(values([{ ...speed(21), name: undefined }]))
  client.publishDeviceData('Pump', values([{ ...flow(2.75), name: undefined }]))
  await until('both values', () => latest(own)?.value === 21 && latest(pump)?.value === 2.75)
  await until('the gateway to be online', () => isOnline(made, 1))
  expect(await house.data<Row>('GET', `/Project/Gateway?Id=${made.GatewayId}`)).toMatchObject({ GatewayTypeId: 2, GatewaySubTypeId: 24 })
  // Messages are shown as people read them.
  const [message] = await house.data<{ Topic: string; Payload: string }[]>('GET', `${path}/MessageList?Id=${made.Id}`)
  expect([message!.Topic, JSON.parse(message!.Payload).metrics[0]]).toMatchObject([
    'spBv1.0/Plant/DDATA/Line 1/Pump',
    { alias: 2, value: 2.75 },
  ])

  // A device dies: its points have no value, those of others do.
  client.publishDeviceDeath('Pump', values([]))
  await until('the device to be without a value', () => latest(pump)?.value === null)
  expect([latest(pump)?.quality, latest(own)?.value]).toEqual([2, 21])
  const statusOf = async (name: string) =>
    (await house.data<Page<Row>>('GET', `/Project/Device/List?GatewayId=${made.GatewayId}&Search=${name}`)).Items[0]?.Status
  await until('the device to be offline', async () => (await statusOf('Pump')) === 0)
  client.publishDeviceBirth('Pump', values([flow(3)]))
  await until('the device to be back', () => latest(pump)?.value === 3)

  // The edge node dies with its connection; the client connects again and is born again.
  last = 25
  const dying = Date.now()
  Reflect.get(client, 'client').stream.destroy()
  await until('it to be back', () => latest(own)?.value === 25 && latest(pump)?.value === 2.5)
  const history = [...((await house.telemetry.read([own], dying - 60_000, Date.now() + 60_000)) as Iterable<{ value: number | null }>)]
  expect(JSON.stringify(history)).toMatch(/21.*null.*25/)
  client.stop()
  await until('all to be without a value', () => latest(own)?.value === null && latest(pump)?.value === null)
  await until('the gateway to be offline', () => isOnline(made, 0))
})

it('a write is done when the new value is reported, by the alias where there is one; a value that a type cannot have is refused', async () => {
  const made = await open('Line 2')
  const level = (value: number, more: object = {}) => ({ name: 'Level', type: 'Int16', value, ...more })
  const client = start(made, (own) => {
    own.publishNodeBirth(values([control, speed(1)]))
    own.publishDeviceBirth('Tank', values([level(5)]))
  })
  await until('both keys', async () => (await seen(made.Id)).length === 2)
  await adopt(made.Id)
  const points = await pointsOf(made)
  const [own, tank] = [points[`${made.ComponentName}/Motor/Speed`]!, points['Tank/Level']!]
  for (const Id of [own, tank]) await house.data('PUT', '/Project/DevPara', { Id, ReadWriteType: 1 })
  await house.registry.settled()
  const write = (ParaId: number, Value: number) =>
    house.data<{ Code: number; Msg: string }>('POST', '/Project/DevPara/Write', { ParaId, Value })
  client.on('ncmd', ({ metrics }) => {
    const { alias, value } = metrics![0]!
    expect(Number(alias)).toBe(1)
    client.publishNodeData(values([{ ...speed(Number(value)), name: undefined }]))
  })
  client.on('dcmd', (device, { metrics }) => {
    const { name, value } = metrics![0]!
    expect([device, name]).toEqual(['Tank', 'Level'])
    // It first sends its backlog, and back-fill does not change current values.
    client.publishDeviceData('Tank', values([level(5), level(Number(value), { isHistorical: true, timestamp: Date.now() - 60_000 })]))
    if (value !== 99) setTimeout(() => client.publishDeviceData('Tank', values([level(Number(value))])), 300)
  })
  expect(await write(own, 0.1)).toMatchObject({ Code: 0 })
  const began = Date.now()
  expect(await write(tank, 7)).toMatchObject({ Code: 0 })
  expect(Date.now() - began).toBeGreaterThan(250)
  await until('the value', () => latest(tank)?.value === 7)
  expect(await write(tank, 40_000)).toMatchObject({ Code: 201, Msg: expect.stringContaining('takes no such value') })
  // What is not reported is not done; after ten seconds its caller has code 2, as from any gateway.
  const unheard = write(tank, 99)
  expect(await Promise.race([unheard, wait(700, 'silence')])).toBe('silence')
  client.publishDeviceData('Tank', values([level(99)]))
  expect(await unheard).toMatchObject({ Code: 0 })
})

it('back-fill moves no latest value; a gap, an unknown alias and data before a birth ask for one', async () => {
  const made = await open('Line 3')
  const { heard, say, client } = await raw(made)
  const rebirths = () => heard.filter(({ topic }) => topic === 'spBv1.0/Plant/NCMD/Line 3')
  await say('NDATA', 9, [{ ...speed(1), name: undefined }])
  await until('the request', () => rebirths().length === 1)
  expect(decodePayload(rebirths()[0]!.payload).metrics).toMatchObject([{ name: 'Node Control/Rebirth', value: true }])
  expect(await stateOf(made.Id)).toMatchObject({ Readings: 0, LastFault: 'NDATA before a birth' })
  await say('NBIRTH', 0, [bdSeq, control, speed(10)])
  await adopt(made.Id)
  const point = (await pointsOf(made))[`${made.ComponentName}/Motor/Speed`]!
  const old = Date.now() - 3_600_000
  await say('NDATA', 1, [
    speed(11),
    speed(5, { isHistorical: true, timestamp: old }),
    speed(6, { isHistorical: true, timestamp: Date.now() }),
  ])
  // Acknowledged is stored.
  expect(latest(point)?.value).toBe(11)
  const stored = JSON.stringify([...((await house.telemetry.read([point], old - 1000, Date.now() + 1000)) as Iterable<unknown>)])
  expect(stored).toContain(String(old))
  await say('NDATA', 7, [speed(12)])
  await until('a request for the gap', () => rebirths().length === 2)
  expect(latest(point)?.value).toBe(12)
  expect(await stateOf(made.Id)).toMatchObject({ LastFault: 'seq 7 where 2 follows' })
  await say('NDATA', 8, [{ alias: 77, type: 'Double', value: 1 }])
  expect(await stateOf(made.Id)).toMatchObject({ LastFault: 'an alias without a birth: 77' })
  // A death that names another life is none.
  await say('NDEATH', undefined, [{ ...bdSeq, value: 4 }])
  expect(latest(point)?.value).toBe(12)
  await say('NDEATH', undefined, [bdSeq])
  expect([latest(point)?.value, latest(point)?.quality]).toEqual([null, 2])
  await client.endAsync()
})

it('an edge node hears that its host is there, retained, and as those of Sparkplug 2.2 want it', async () => {
  const made = await open('Line 4')
  const { client, heard } = await raw(made)
  await client.subscribeAsync(['spBv1.0/STATE/penstock', 'STATE/#'])
  await until('both states', () => heard.length >= 2)
  expect([...new Map(heard.map(({ topic, payload, retain }) => [topic, [payload.toString(), retain]]))].sort()).toEqual([
    ['STATE/penstock', ['ONLINE', true]],
    ['spBv1.0/STATE/penstock', [expect.stringMatching(/^\{"online":true,"timestamp":\d{13}\}$/), true]],
  ])
  await expect(client.subscribeAsync('spBv1.0/#')).rejects.toThrow()
  await client.endAsync()
})

const ended = (client: MqttClient) => new Promise<void>((done) => client.once('close', () => done()))
it('a token is for one edge node: another one’s messages and will are refused where its owner looks, and births are bounded', async () => {
  const made = await open('Line 5')
  const { client, say } = await raw(made)
  const birth = (topic: string) => client.publishAsync(topic, Buffer.from(encodePayload({ ...values([speed(1)]), seq: 0 })), { qos: 1 })
  await birth('spBv1.0/Plant/NBIRTH/Line 4')
  expect(await stateOf(made.Id)).toMatchObject({
    Unmatched: 0,
    LastFault: 'the token is of Plant/Line 5, and not of spBv1.0/Plant/NBIRTH/Line 4',
  })
  const many = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `m${i}`, alias: i, type: 'Int8', value: 1 }))
  await say('NBIRTH', 0, many(20_001))
  expect(await stateOf(made.Id)).toMatchObject({ Unmatched: 0, LastFault: expect.stringContaining('more than 20000 metrics') })
  await say('NBIRTH', 0, many(15_000))
  expect(await stateOf(made.Id)).toMatchObject({ Unmatched: 15_000, Seen: 1000 })
  const gone = ended(client)
  say('NBIRTH', 0, many(100_000)).catch(() => undefined)
  await gone
  // In a fleet, the gateway process reports it to the server.
  await expect.poll(() => stateOf(made.Id)).toMatchObject({ LastFault: expect.stringMatching(/A packet of \d+ bytes; at most/) })
  const will = (topic: string) => ({ password: made.Token, will: { topic, payload: Buffer.from('x'), qos: 0 as const, retain: false } })
  await expect(connect('penstock', will('spBv1.0/Plant/NDEATH/Line 4'))).rejects.toThrow()
  expect(await stateOf(made.Id)).toMatchObject({ LastFault: expect.stringContaining('its will is no death of Plant/Line 5') })
  await (await connect('penstock', will('spBv1.0/Plant/NDEATH/Line 5'))).endAsync()
  const ask = (body: object) =>
    house.call(house.admin, 'POST', path, { ComponentName: 'x', ProjectId: senders.project(), Language: 4, ...body })
  expect((await ask({ SparkplugGroup: 'G' })).Details?.Fields).toHaveProperty('SparkplugNode')
  expect((await ask({ SparkplugGroup: 'a/b', SparkplugNode: 'E' })).Details?.Fields).toHaveProperty('SparkplugGroup')
  expect((await ask({ SparkplugGroup: 'Plant', SparkplugNode: 'Line 5' })).Details?.Fields).toHaveProperty('SparkplugNode')
})

it('what was received is what was stored, replaced, rejected or live only', async () => {
  for (const { received, stored, replaced, rejected, liveOnly } of house.telemetry.counters.values())
    expect(received).toBe(stored + replaced + rejected + liveOnly)
})
