// A plant with third-party gateways that try the promises of docs/gateway-protocol.md.
import { connect } from 'node:net'
import mqttPacket from 'mqtt-packet'
import { expect } from 'vitest'
import type { Page } from '../contract/call.ts'
import { capabilityOf, dialled } from '../contract/protocols/index.ts'
import { standardLimits } from '../server/mqtt/limits.ts'
import { examples } from '../tools/asyncapi.ts'
import { rowsOf } from './gateway-protocol-page.ts'
import { type House, startHouse, until } from './house.ts'
import { connectPacket, openRawGateway, type RawGateway } from './raw-gateway.ts'

type Made = Awaited<ReturnType<House['newGateway']>>
type Rejected = { reason: string; detail: string; payload: string }
type Event = { MsgId: string; Type: number; Level: number; Text: string }

export let house: House
/** Most tries speak for this one; those that end its connection for others. */
export let main: Made
export let [other, third, silent]: Made[] = []
export let points: number[]
export let raw: RawGateway
let count = 0
const open: RawGateway[] = []

export const gateway = async (of: Made, more: object = {}, address?: string) => {
  const made = await openRawGateway(house.mqttPort, of, more, address)
  open.push(made)
  return made
}
export const refusedWith = async (code: number, of: { SN: string; Key: string }, more: object = {}, address?: string) => {
  const made = await openRawGateway(house.mqttPort, of, more, address)
  expect((await made.connack()).returnCode).toBe(code)
  await made.closed()
}
export const next = () => `try-${++count}`
export const topic = (kind: string, way = 'up', of = main) => `iot/v1/${of.SN}/${way}/${kind}`
export const message = (Data: object, MsgId = next()) => ({ MsgId, Ts: Date.now(), Data })
export const rejected = async (of = main) =>
  (await house.data<Page<Rejected>>('GET', `/Project/Gateway/RejectedList?GatewayId=${of.gateway}&PageSize=1000`)).Items
export const refusal = (what: string) =>
  until(`a refusal: ${what}`, async () => (await rejected()).find(({ detail }) => detail.includes(what)))
export const events = async (of = main) =>
  (await house.data<Page<Event>>('GET', `/Events/Events/List?GatewayId=${of.gateway}&PageSize=1000`)).Items
export const online = async (of: Made) =>
  (await house.data<{ OnlineStatus: number }>('GET', `/Project/Gateway?Id=${of.gateway}`)).OnlineStatus
export const netTest = (of = main) =>
  house.data<{ Code: number }>('POST', '/Project/Gateway/NetTest', { Id: of.gateway, Ip: '10.0.0.1', Port: 502 })
/** Sends one reading of the second point; it is acknowledged whatever becomes of it. */
let lastTime = Date.now() - 100_000
export const reading = async (value: unknown, Q?: object, D: unknown = main.device, MsgId = next()) => {
  lastTime += 1000
  const T = lastTime
  const Items = [{ D, T, V: { [points[1]!]: value }, ...(Q ? { Q } : {}) }]
  await raw.say('data', message({ Items }, MsgId))
  await raw.acked(MsgId)
  return T
}
export const stored = async (T: number) => {
  const range = { ParaIds: [points[1]], Start: T, End: T + 1, Buckets: 10 }
  const { Series } = await house.data<{ Series: { Last: (number | null)[] }[] }>('POST', '/DataCenter/ReportData/Data', range)
  return Series[0]?.Last
}
/** A quality with a number and with null, and the stored result of each; undefined = refused. */
export const quality = async (q: number, withNumber: number | null | undefined, withNull: null | undefined) => {
  for (const [value, wanted] of [[4.5, withNumber] as const, [null, withNull] as const]) {
    const before = (await rejected()).length
    const T = await reading(value, { [points[1]!]: q })
    expect([q, value, await stored(T)]).toEqual([q, value, wanted === undefined ? [] : [wanted]])
    expect((await rejected()).length - before).toBe(wanted === undefined ? 1 : 0)
  }
}
export const event = (Type: number) => async () => {
  const MsgId = next()
  await raw.say('event', message({ Type, Level: 2, Text: `event ${Type}` }, MsgId))
  await raw.acked(MsgId)
  expect((await events()).find((row) => row.MsgId === MsgId)).toMatchObject({ Type, Level: 2, Text: `event ${Type}` })
}
/** A card that was held to a reader, sent again under another name: it is the same reading. */
export const card = async () => {
  const read = { Type: 20, Level: 0, Text: '', CardNo: '00:12:34:56', Reader: 'gate 2', ReadTime: Date.now() - 86_400_000 }
  for (const MsgId of [next(), next()]) {
    await raw.say('event', message(read, MsgId))
    await raw.acked(MsgId)
  }
  const reads = await house.data<{ Items: { CardNo: string }[] }>('GET', '/Project/ProRFIDInfo/ProRFIDHistory/List?Reader=gate 2')
  expect(reads.Items.map(({ CardNo }) => CardNo)).toEqual(['00123456'])
}
/** What the manual shows of a message, with the ids of this plant. */
const example = (kind: string) => {
  const text = JSON.stringify(examples().find((shown) => shown.way === 'up' && shown.kind === kind)!.payload)
  const ours = text.replaceAll('"501"', `"${points[0]}"`).replaceAll('"502"', `"${points[1]}"`)
  return JSON.parse(ours.replace(/"D":31/g, `"D":${main.device}`).replace(/"DeviceId":31/g, `"DeviceId":${main.device}`))
}
export const up =
  (kind: string, retain = false) =>
  async () => {
    const shown = example(kind)
    await raw.say(kind, shown, { retain })
    if (['data', 'history', 'event'].includes(kind)) await raw.acked(shown.MsgId)
    expect((await rejected()).filter(({ payload }) => payload.includes(shown.MsgId))).toEqual([])
  }
/** Answers the command with the code, and checks that the person gets it. */
export const result = (Code: number) => async () => {
  raw.answer(() => ({ Code, ...(Code === 6 ? { Data: { PrevCode: 301 } } : {}) }))
  expect(await netTest()).toMatchObject({ Code: Code === 6 ? 301 : Code })
}
export const down = (kind: string, ask: () => Promise<unknown>, wanted: object) => async () => {
  raw.answer((heard) => (heard.message.Data?.T1 ? undefined : { Code: 0, Data: { Value: 1, Quality: 0, Values: [] } }))
  const from = raw.heard.length
  await ask()
  expect((await raw.hears(kind, from)).message).toMatchObject({ MsgId: expect.stringMatching(/^.{1,64}$/), ...wanted })
}
let wrongKeysTried: Promise<void> | undefined
const tryWrongKeys = async () => {
  for (let i = 0; i < 20; i++) await refusedWith(4, { SN: other!.SN, Key: 'wrong' }, {}, '127.0.0.7')
  await refusedWith(3, { SN: other!.SN, Key: 'wrong' }, {}, '127.0.0.7')
  await refusedWith(4, { SN: other!.SN, Key: 'wrong' }, {}, '127.0.0.8')
}
export const wrongKeys = () => {
  wrongKeysTried ??= tryWrongKeys()
  return wrongKeysTried
}
/** Tries that take ten seconds run beside the others. */
const noReply = async () => {
  const deaf = await gateway(silent!)
  await deaf.connack()
  await deaf.subscribe(topic('+', 'down', silent!))
  const started = performance.now()
  return { Code: (await netTest(silent!)).Code, ms: performance.now() - started }
}
const slowConnect = async () => {
  const started = performance.now()
  const slow = connect(house.mqttPort, '127.0.0.1').on('error', () => undefined)
  slow.write(mqttPacket.generate(connectPacket(other!)).subarray(0, 20))
  await new Promise((done) => slow.resume().once('close', done))
  return performance.now() - started
}
export let [noReplied, slowConnected]: [ReturnType<typeof noReply>?, Promise<number>?] = []

export const begin = async () => {
  house = await startHouse()
  const made = ['TABLES000001', 'TABLES000002', 'TABLES000003', 'TABLES000004'].map((SN) => house.newGateway(SN, 1))
  ;[main, other, third, silent] = (await Promise.all(made)) as [Made, Made, Made, Made]
  points = []
  for (const Address of ['0', '2']) {
    const point = { DeviceId: main.device, ParaName: `At ${Address}`, Address, ReadWriteType: 1 }
    points.push((await house.data('POST', '/Project/DevPara', point)).Id)
  }
  raw = await gateway(main)
  expect((await raw.connack()).returnCode).toBe(0)
  expect(await raw.subscribe(topic('+', 'down'))).toEqual([1])
  noReplied = noReply()
  slowConnected = slowConnect()
}
export const end = async () => {
  for (const each of open) each.close()
  await house?.close()
}

export const smallMessages = async () => {
  const text = (bytes: number, MsgId: string) => JSON.stringify(message({ Type: 1, Level: 0, Text: 'long' }, MsgId)).padEnd(bytes)
  raw.publish(topic('event'), text(65_536, 'long-event'))
  raw.publish(topic('event'), text(65_537, 'longer-event'))
  await refusal('more than 65536 bytes')
  await until('both ACKs', () => ['long-event', 'longer-event'].every((id) => raw.heard.some((h) => h.message.MsgId === id)))
  expect((await events()).filter((e) => e.Text === 'long').length).toBe(1)
  raw.publish(topic('timesync'), JSON.stringify(message({ T1: Array(1000).fill(1) })))
  await refusal('more than 1000 values')
}
export const largeMessages = async () => {
  const devices = (count: number) => JSON.stringify(message({ Devices: Array(count).fill(0) }))
  raw.publish(topic('heartbeat'), devices(24_900))
  await refusal('/Data/Devices/0 must be object')
  raw.publish(topic('heartbeat'), devices(25_000))
  await refusal('more than 25000 values')
}

/** tests/security/control-packets.test.ts floods. */
export const controlPackets = {
  'Control packets': async () => expect(standardLimits.control).toMatchObject({ own: { perSecond: 50, burst: 500 }, patienceMs: 5000 }),
  'Control packets of all gateways of an enterprise': async () =>
    expect(standardLimits.control).toMatchObject({ ofTenant: { perSecond: 1000, burst: 20_000 }, guaranteed: { perSecond: 10 } }),
  'Messages that are no readings': async () => expect(standardLimits.others.own).toEqual({ perSecond: 50, burst: 500 }),
  'Messages that are no readings, of all gateways of an enterprise': async () =>
    expect(standardLimits.others).toMatchObject({ ofTenant: { perSecond: 500, burst: 2000 }, guaranteed: { perSecond: 5 } }),
  'A control packet': async () => {
    const made = await gateway(third!)
    await made.connack()
    made.socket.write(Buffer.from([0x82, 0x81, 0x80, 0x01]))
    await made.closed()
  },
}

/** The page names the words that the server asks for before it gives a gateway such a channel. */
const words =
  ([numbers, , ...said]: string[]) =>
  async () => {
    const channels = [{ CommType: 0 }, { CommType: 0, Mode: dialled }, { CommType: 1 }]
    const wanted = channels.map((channel) =>
      numbers!.split(', ').flatMap((number) => capabilityOf({ ...channel, ProtocolType: Number(number) }) ?? []),
    )
    expect(said).toEqual(wanted.map((of) => of.join(', ')))
  }
export const protocolWords = Object.fromEntries(rowsOf('ProtocolType').map((cells) => [cells[0]!, words(cells)]))

/** A command about the channel of the first gateway, which says that it can do it. */
export const lineTry = (kind: 'browse' | 'trace' | 'trust', more: object) => async () => {
  await raw.say('state', message({ Online: 1, Capabilities: ['browse', 'trace', 'trust', 'channels'] }))
  const row = () => house.data<{ Capabilities: string[] | null }>('GET', `/Project/Gateway?Id=${main.gateway}`)
  await until('its words', async () => (await row()).Capabilities?.includes(kind))
  const { Items } = await house.data<Page<{ Id: number }>>('GET', `/Project/Protocol/NetProtocol/List?GatewayId=${main.gateway}`)
  const ChannelId = Items[0]!.Id
  const call = `/Project/Protocol/${kind[0]!.toUpperCase()}${kind.slice(1)}`
  await down(kind, () => house.data('POST', call, { NetProtocolId: ChannelId, ...more }), { Data: { CommType: 0, ChannelId, ...more } })()
}

export const statesTry = async () => {
  await lineTry('trust', { Thumbprint: 'CD'.repeat(20) })()
  const ask = () => house.data('GET', `/Project/Protocol/ChannelState?GatewayId=${main.gateway}`)
  await down('channels', ask, { Data: {} })()
}

export const oneAddress = async () => {
  const address = '127.0.0.9'
  const sockets = Array.from({ length: 1001 }, () => connect({ port: house.mqttPort, host: '127.0.0.1', localAddress: address }))
  let closed = 0
  for (const socket of sockets) socket.on('error', () => undefined).on('close', () => closed++)
  await until('one to be closed', () => closed > 0)
  await new Promise((done) => setTimeout(done, 50))
  expect(closed).toBe(1)
  for (const socket of sockets) socket.destroy()
}
