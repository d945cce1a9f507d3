// A recorded session of the previous gateway version (commit f8f1b0b), replayed packet by packet.
import { readFileSync } from 'node:fs'
import type { Packet } from 'mqtt-packet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../contract/call.ts'
import { type House, startHouse, until } from './house.ts'
import { openRawGateway, type RawGateway } from './raw-gateway.ts'

type Recorded = Record<string, unknown> & { cmd: string; topic: string; payload: string; messageId: number; will?: { payload: string } }
type Item = { D: number; T: number; V: Record<string, number | null>; Q?: Record<string, number> }
type Message = { MsgId: string; Ts: number; Data: { Items?: Item[]; T1?: number; Online?: number } | undefined }

const lines = readFileSync(new URL('gateway-session.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
const [recorded, ...packets] = lines.map((line) => JSON.parse(line)) as [{ device: number; points: number[] }, ...Recorded[]]
/** The recording's first moment becomes this one. */
const shift = Date.now() - (JSON.parse(packets[0]!.will!.payload) as Message).Ts

let house: House
let gateway: Awaited<ReturnType<House['newGateway']>>
const points: number[] = []
beforeAll(async () => {
  house = await startHouse()
  // Ids that are not those of the recording.
  await house.newGateway('SPAREONE0001', 1)
  gateway = await house.newGateway('RECORDED0001', 1)
  for (const i of recorded.points.keys()) {
    const fields = { DeviceId: gateway.device, ParaName: `P${i}`, Address: String(2 * i), ReadWriteType: 1 }
    points.push((await house.data('POST', '/Project/DevPara', fields)).Id)
  }
})
afterAll(() => house?.close())

/** What a person does before each `reply` of the recording. */
const commands = () => [
  () => house.push(gateway.gateway),
  () => house.data('POST', '/Project/DevPara/Write', { ParaId: points[0], Value: 42.5 }),
  () => house.data('POST', '/Project/DevPara/Read', { ParaIds: points }),
  () => house.data('POST', '/Project/Gateway/NetTest', { Id: gateway.gateway, Ip: '127.0.0.1', Port: 1 }),
]

test('a recorded session is understood as it was: all is acknowledged and stored, nothing refused, commands are answered', async () => {
  const left = commands()
  const results: unknown[] = []
  const sent: Item[] = []
  let raw: RawGateway | undefined
  for (const packet of packets) {
    if (packet.cmd === 'connect') {
      raw?.close()
      raw = await openRawGateway(house.mqttPort, gateway, { ...packet, password: Buffer.from(gateway.Key) })
      expect(await raw.connack()).toMatchObject({ returnCode: 0, sessionPresent: false })
    } else if (packet.cmd === 'publish') {
      const kind = packet.topic.split('/').at(-1)!
      const message = JSON.parse(packet.payload) as Message
      message.Ts += shift
      if (message.Data?.T1) message.Data.T1 += shift
      for (const item of message.Data?.Items ?? []) {
        item.D = gateway.device
        item.T += shift
        item.V = Object.fromEntries(Object.entries(item.V).map(([id, v]) => [points[recorded.points.indexOf(Number(id))], v]))
        sent.push(item)
      }
      let result: Promise<unknown> | undefined
      if (kind === 'reply') {
        const from = raw!.heard.length
        result = left.shift()!()
        const commanded = await until('the command', () => raw!.heard.slice(from).find((heard) => heard.kind !== 'ack'))
        message.MsgId = commanded.message.MsgId
      }
      raw!.send({ ...packet, payload: JSON.stringify(message) })
      await raw!.puback(packet.messageId)
      if (['data', 'history', 'event'].includes(kind)) await raw!.acked(message.MsgId)
      if (kind === 'timesync') expect((await raw!.hears('timesync')).message.Data).toMatchObject({ T1: expect.any(Number) })
      if (message.Data?.Online === 1) await house.online(gateway.gateway)
      if (result) results.push(await result)
    } else if (packet.cmd === 'subscribe') {
      raw!.send(packet)
      await until('SUBACK', () => raw!.of('suback').some((p: Packet) => p.messageId === packet.messageId))
    } else raw!.send(packet)
  }
  await raw!.closed()
  expect(results).toMatchObject([{ Code: 0 }, { Code: 0, Data: { Value: 42.5 } }, { Code: 0 }, { Code: 0 }])
  const state = () => house.data<Record<string, unknown>>('GET', `/Project/Gateway?Id=${gateway.gateway}`)
  await until('the gateway to be offline', async () => (await state()).OnlineStatus === 0)
  expect(await state()).toMatchObject({ FirmwareVer: '0.1.0', ConfigVersion: 1, CacheCount: expect.any(Number) })
  const rejected = await house.data<Page<unknown>>('GET', `/Project/Gateway/RejectedList?GatewayId=${gateway.gateway}`)
  expect(rejected.Items).toEqual([])

  const times = sent.map(({ T }) => T)
  const range = { ParaIds: points, Start: Math.min(...times), End: Math.max(...times) + 1, Buckets: 10_000 }
  type Series = { ParaId: number; Time: number[]; Last: number[] }
  const { Series } = await house.data<{ Series: Series[] }>('POST', '/DataCenter/ReportData/Data', range)
  for (const point of points) {
    const wanted = new Map(sent.filter(({ V }) => point in V).map(({ T, V }) => [T, V[point]]))
    const { Time, Last } = Series.find(({ ParaId }) => ParaId === point)!
    expect(new Map(Time.map((time, i) => [time, Last[i]]))).toEqual(new Map([...wanted].sort(([a], [b]) => a - b)))
  }
})
