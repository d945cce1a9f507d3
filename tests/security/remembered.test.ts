// What gateways and senders send is remembered within bounds, whatever its size: names, frames, answers.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { get } from 'sparkplug-payload'
import type { UPayload } from 'sparkplug-payload/lib/sparkplugbpayload.js'
import { expect, it } from 'vitest'
import { openTraces } from '../../areas/configuration/gateways/server/traces.ts'
import type { Door } from '../../areas/configuration/network-components/server/doors.ts'
import { EdgeNodes } from '../../areas/configuration/network-components/server/edgeNodes.ts'
import { openEdges } from '../../areas/configuration/network-components/server/edges.ts'
import { traceFrames } from '../../contract/gateway-protocol.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
/** Bytes that are in use once all that is not needed is collected. */
const used = () => {
  collect()
  return process.memoryUsage().heapUsed
}
/** Milliseconds of the processor: the machine of a test may be busy. */
const cost = (work: () => void) => {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const { encodePayload } = get('spBv1.0')!
const door = { Id: 1, EnterpriseId: 1, GatewayId: 1, SN: 'F1', SparkplugGroup: 'G', SparkplugNode: 'E' } as Door
const payload = (seq: number, metrics: object[]) => Buffer.from(encodePayload({ timestamp: 1_000_000, seq, metrics } as UPayload))
const metric = (name: string, value = 1) => ({ name, type: 'Double', value })
const send = () => true
const edgeNode = (metrics: object[] = []) => {
  const nodes = new EdgeNodes(() => 1_000_000)
  let seq = 0
  const say = (kind: string, of: object[]) => {
    const outcome = nodes.follow(door, `spBv1.0/G/${kind.replace(/^(\w+)/, '$1/E')}`, payload(seq, of), send)
    seq = (seq + 1) % 256
    return outcome
  }
  expect(say('NBIRTH', metrics).heard?.fault).toBeUndefined()
  return { nodes, say }
}

it('metrics whose names have a megabyte take no more memory than others, and are still known by them', () => {
  const { nodes, say } = edgeNode()
  const before = used()
  for (let i = 0; i < 100; i++) expect(say(`DBIRTH/${i}`, [metric(String(i).padEnd(500_000, 'x'))]).heard?.fault).toBeUndefined()
  expect(used() - before).toBeLessThan(10_000_000)
  expect(say('DDATA/7', [metric('7'.padEnd(500_000, 'x'))]).heard).toEqual({ values: [], skipped: 1 })
  expect(say('DDATA/7', [metric('7'.padEnd(500_001, 'x'))]).heard?.fault).toMatch(/^a metric without a birth/)
  expect(nodes.known).toBe(100)
  nodes.leave(send)
  expect(nodes.known).toBe(0)
})

it('a birth of a device with one metric costs little, whatever else its edge node has', () => {
  const { nodes, say } = edgeNode(Array.from({ length: 19_000 }, (_, i) => metric(`m${i}`)))
  const birth = [metric('flow')]
  say('DBIRTH/Pump', birth)
  expect(cost(() => void Array.from({ length: 1000 }, () => say('DBIRTH/Pump', birth)))).toBeLessThan(400)
  expect(nodes.known).toBe(19_001)
})

it('a message of 20,000 values is compared with 1,000 writes that wait in a moment', async () => {
  const answers: string[] = []
  const edges = openEdges({
    intake: { take: async () => ({ readings: 0 }) },
    pointsOf: async () => ({ deviceOf: () => undefined, ofDevice: () => [], ids: new Set() }) as never,
    gone: () => undefined,
    deviceIs: () => undefined,
    answer: (_sn, MsgId, code) => answers.push(`${MsgId} ${code}`),
    sendsOf: () => [send],
    now: () => 1_000_000,
  })
  const tell = (kind: string, seq: number, metrics: object[]) => edges.follow(door, `spBv1.0/G/${kind}/E`, payload(seq, metrics), send)
  await tell('NBIRTH', 0, [metric('speed'), metric('flow')])
  for (let i = 0; i < 1000; i++) edges.write(door, `w${i}`, { device: '', key: 'speed', value: i })
  const many = payload(
    1,
    Array.from({ length: 20_000 }, () => metric('speed', -5)),
  )
  const before = process.cpuUsage()
  await edges.follow(door, 'spBv1.0/G/NDATA/E', many, send)
  const { user } = process.cpuUsage(before)
  expect(user / 1000).toBeLessThan(400)
  await tell('NDATA', 2, [metric('speed', 7), metric('flow', 8)])
  expect(answers).toEqual(['w7 0'])
})

it('a reading from the year 2099, which is refused, does not keep the value of a dead edge node alive', async () => {
  const now = 1_000_000
  const edges = openEdges({
    intake: { take: async () => ({ readings: 0 }) },
    pointsOf: async () => ({ deviceOf: () => undefined, ofDevice: () => [], ids: new Set([5]) }) as never,
    gone: () => undefined,
    deviceIs: () => undefined,
    answer: () => undefined,
    sendsOf: () => [send],
    now: () => now,
  })
  const tell = (kind: string, seq: number, metrics: object[]) => edges.follow(door, `spBv1.0/G/${kind}/E`, payload(seq, metrics), send)
  const born = await tell('NBIRTH', 0, [{ name: 'bdSeq', type: 'UInt64', value: 1 }, metric('speed')])
  born.taken?.([{ point: 5, time: now, value: 1 }])
  const later = await tell('NDATA', 1, [metric('speed', 2)])
  later.taken?.([{ point: 5, time: Date.UTC(2099, 0, 1), value: 2 }])
  const { readings } = await tell('NDEATH', 0, [{ name: 'bdSeq', type: 'UInt64', value: 1 }])
  expect(readings).toEqual([{ point: 5, time: now + 1, value: null, quality: 2 }])
})

it('frames of traced channels stay within a bound for each company, and the company with the most makes room', () => {
  let now = 1_000_000
  const traces = openTraces(() => now)
  const Frames = Array.from({ length: traceFrames }, () => ({ T: 1, Sent: 0 as const, Hex: 'ab'.repeat(512), Meaning: 'x'.repeat(200) }))
  const gateway = (Id: number) => ({ Id, EnterpriseId: Id })
  const fill = (id: number, channels: number) => {
    for (let ChannelId = 1; ChannelId <= channels; ChannelId++) {
      traces.begun(gateway(id), { CommType: 0, ChannelId }, 60)
      traces.came(id, { CommType: 0, ChannelId, Frames })
    }
  }
  fill(1, 1)
  fill(2, 500)
  const megabyte = 1024 * 1024
  expect(traces.bytes).toBeLessThanOrEqual(17 * megabyte)
  const seen = (id: number, ChannelId: number) => traces.frames(id, { CommType: 0, ChannelId }, 0).Frames.length
  expect([seen(1, 1), seen(2, 500), seen(2, 1)]).toEqual([traceFrames, traceFrames, 0])
  // Traces without a frame take memory, too.
  for (let ChannelId = 1; ChannelId <= 10_000; ChannelId++) traces.begun(gateway(3), { CommType: 1, ChannelId }, 60)
  for (let id = 4; id < 20; id++) fill(id, 100)
  expect(traces.bytes).toBeLessThanOrEqual(128 * megabyte)
  expect([seen(1, 1), seen(19, 100)]).toEqual([traceFrames, traceFrames])
  now += 17 * 60_000
  traces.frames(1, { CommType: 0, ChannelId: 1 }, 0)
  expect(traces.bytes).toBe(0)
})
