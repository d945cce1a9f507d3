// The server is killed while a Sparkplug B edge node sends, and while its readings are forwarded to a third party.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import mqtt from 'mqtt'
import { get } from 'sparkplug-payload'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FrontDoor, until } from '../front-door.ts'
import { ownServer } from './own-server.ts'
import { enter, noReadings, openFiles } from './tally.ts'
import { inTime, pause, rounds } from './tiers.ts'

type Received = { Readings: { Name: string; Time: number; Value: number | null }[] }
/** Values that arrived, by point, in their order. */
const arrived: Record<string, number[]> = { a: [], b: [] }
let onRequest: (reply: ServerResponse) => void = (reply) => void reply.end()
const receiver = createServer((request, reply) => {
  let text = ''
  request.on('data', (part) => {
    text += part
  })
  request.on('end', () => {
    for (const { Name, Value } of (JSON.parse(text) as Received).Readings) if (Value !== null) arrived[Name]?.push(Value)
    onRequest(reply)
  })
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
afterAll(() => void receiver.close())

const outbound = `127.0.0.1/32:${(receiver.address() as AddressInfo).port}`
const own = ownServer({ PENSTOCK_LOG: 'trace', PENSTOCK_OUTBOUND: outbound })
const stepMs = 10
let door: FrontDoor
let node: ReturnType<typeof edgeNode>
let points: number[]
let accessId: number
let component: { Id: number; Token: string }

/** An edge node with two metrics that counts, and forgets what was not acknowledged. Message n says n, at its own time. */
const edgeNode = (token: string, base: number) => {
  const acknowledged = new Set<number>()
  const asked: string[] = []
  let [next, seq, isEnded] = [0, 0, false]
  let client: mqtt.MqttClient | undefined
  const say = async (kind: 'NBIRTH' | 'NDATA') => {
    const n = next++
    const timestamp = base + n * stepMs
    const metric = (name: string, alias: number) => ({ name, alias, type: 'Double', value: n, timestamp })
    const metrics = [metric('a', 1), metric('b', 2)] as never
    seq = kind === 'NBIRTH' ? 0 : (seq + 1) % 256
    const payload = Buffer.from(get('spBv1.0')!.encodePayload({ timestamp, seq, metrics }))
    await client!.publishAsync(`spBv1.0/G/${kind}/E`, payload, { qos: 1 })
    return n
  }
  /** Acknowledged means stored, except for messages before a birth. */
  const count = async (kind: 'NBIRTH' | 'NDATA') => acknowledged.add(await say(kind))
  const live = async () => {
    client = await mqtt.connectAsync(`mqtt://127.0.0.1:${own.process.mqttPort}`, {
      username: 'penstock',
      password: token,
      reconnectPeriod: 0,
    })
    const mine = client
    mine.on('error', () => undefined)
    // Pending messages fail immediately, because nothing would acknowledge them.
    mine.on('close', () => mine.end(true))
    mine.on('message', (topic) => asked.push(topic))
    await mine.subscribeAsync('spBv1.0/G/NCMD/E/#')
    // The first message after a restart precedes a birth, which the server no longer knows.
    if (next) await say('NDATA')
    await count('NBIRTH')
    while (!isEnded && mine.connected) {
      await Promise.all(Array.from({ length: 5 }, () => count('NDATA')))
      await pause(5)
    }
  }
  const run = async () => {
    while (!isEnded) await live().catch(() => pause(100))
  }
  const running = run()
  return {
    acknowledged,
    asked,
    sent: () => next,
    /** It stays connected: its death would be a reading. */
    finish: async () => {
      isEnded = true
      await running
    },
    stop: () => client?.endAsync(true),
  }
}

beforeAll(async () => {
  door = own.door
  await door.ensureCompany()
  const { Id: ProjectId } = await door.data('POST', '/Project/Project', { ProjectName: 'Works' })
  const sender = { ComponentName: 'Line', Language: 4, ProjectId, SparkplugGroup: 'G', SparkplugNode: 'E' }
  component = await door.data('POST', '/Protocol/NetworkComponents', sender)
  node = edgeNode(component.Token, Date.now() - 3_600_000)
  const keys = async () => (await door.data<{ Items: unknown[] }>('GET', `/Protocol/NetworkComponents/SeenList?Id=${component.Id}`)).Items
  await until('both metrics', async () => (await keys()).length === 2)
  await door.data('POST', '/Protocol/NetworkComponents/Adopt', { Id: component.Id })
  const rows = await door.data<{ Items: { Id: number; ParaName: string }[] }>('GET', '/V2/Project/DevPara/List?PageSize=10')
  points = ['a', 'b'].map((name) => rows.Items.find(({ ParaName }) => ParaName === name)!.Id)
  const access = { AccessName: 'Authority', ProjectId, Url: `http://${outbound.replace('/32', '')}/in`, Mode: 2, Period: 10 }
  accessId = (await door.data('POST', '/Project/ThirdPartyAccess', access)).Id
})
afterAll(async () => {
  await node?.stop()
})

type Access = { Cursor: number | null; Sent: number }
const access = async () => (await own.query<Access>(`select "Cursor", "Sent"::int from third_party_access where "Id" = ${accessId}`))[0]!
const soon = () => own.query(`update third_party_access set "NextTime" = now(), "Failures" = 0 where "Id" = ${accessId}`)
const kills = rounds(3, 20)
/** Values of a point in the store, in the order of their times; the server is stopped. */
const storedValues = async () => {
  const files = await openFiles(own.process.folder)
  const rows = Map.groupBy(await files.read(points, 0, Date.now() + 60_000, 10_000_000), ({ point }) => point)
  await files.close()
  return points.map((id) => (rows.get(id) ?? []).flatMap(({ value }) => (value === null ? [] : [value])))
}

test(
  'killed at any moment, the server has what it acknowledged once, asks for a birth, and passes everything on in order',
  inTime(kills),
  async ({ task }) => {
    await until('its place', async () => (await access()).Cursor !== null)
    const from = node.sent()
    await until('the first readings', () => node.acknowledged.size > from + 50)
    for (let i = 0; i < kills; i++) {
      const killed = Promise.withResolvers<void>()
      const kill = () => own.process.kill().then(killed.resolve)
      // Before its answer, behind it, and at any moment.
      onRequest = (reply) => {
        onRequest = (other) => void other.end()
        if (i % 3 === 0) return void kill()
        reply.end()
        if (i % 3 === 1) reply.once('close', kill)
        else setTimeout(kill, Math.random() * 200)
      }
      await soon()
      await killed.promise
      onRequest = (reply) => void reply.end()
      expect(own.process.said()).not.toContain(component.Token)
      const [before, asked] = [node.acknowledged.size, node.asked.length]
      await own.process.start()
      await until('a request for a birth', () => node.asked.length > asked)
      await until('what follows', () => node.acknowledged.size > before + 100)
    }
    await node.finish()
    await until('everything to be passed on', async () => {
      await soon()
      await pause(300)
      return arrived.a!.at(-1) === node.sent() - 1 && arrived.b!.at(-1) === node.sent() - 1
    })
    await own.process.stop()
    const [sent, acked] = [node.sent(), [...node.acknowledged]]
    const counts = { lost: 0, duplicated: 0, wrong: 0, unsent: 0, skipped: 0, again: 0 }
    const stored = await storedValues()
    for (const [i, values] of stored.entries()) {
      const there = new Set(values)
      counts.duplicated += values.length - there.size
      counts.wrong += values.filter((value, at) => value >= sent || (at > 0 && values[at - 1]! >= value)).length
      counts.lost += acked.filter((n) => n >= from && !there.has(n)).length
      const onward = arrived['ab'[i]!]!
      const wanted = values.slice(values.indexOf(onward[0]!))
      const place = new Map(wanted.map((value, at) => [value, at]))
      let highest = -1
      for (const value of onward) {
        const at = place.get(value)
        if (at === undefined) counts.wrong++
        else if (at > highest + 1) counts.skipped++
        else if (at <= highest) counts.again++
        highest = Math.max(highest, at ?? -1)
      }
      counts.unsent += wanted.length - new Set(onward).size
      expect(values.indexOf(onward[0]!)).toBeLessThanOrEqual(from)
    }
    enter(task, {
      ...{ fault: 'server killed under Sparkplug B and third-party access', rounds: kills, ...noReadings },
      ...{ sent: 2 * sent, acked: 2 * acked.length, stored: stored.flat().length, lost: counts.lost },
      ...{ duplicated: counts.duplicated, wrong: counts.wrong, note: `${counts.again} passed on again` },
    })
    expect(counts).toMatchObject({ lost: 0, duplicated: 0, wrong: 0, unsent: 0, skipped: 0 })
    // Unanswered messages are sent again.
    expect(counts.again).toBeGreaterThan(0)
  },
)
