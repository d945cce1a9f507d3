import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mqtt, { type IClientOptions } from 'mqtt'
import { generate } from 'mqtt-packet'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { topic } from '../../contract/areas/gateway-protocol.ts'
import { type EmbeddedOptions, startEmbedded } from './embedded.ts'
import type { OnMessage, RefusalEvent, Uplink } from './uplink.ts'

const keys = new Map([
  ['PUMPHOUSE1', 'first key'],
  ['PUMPHOUSE2', 'second key'],
])
const [one, two] = ['PUMPHOUSE1', 'PUMPHOUSE2'] as const

let broker: Uplink & { port: number }
let handle: OnMessage
let checks: number
const refused: RefusalEvent[] = []
const open: (mqtt.MqttClient | Socket)[] = []

const start = async (limits?: EmbeddedOptions['limits'], tls?: EmbeddedOptions['tls']) => {
  await broker?.close()
  broker = await startEmbedded({
    host: '127.0.0.1',
    port: 0,
    authenticate: async (sn, password) => {
      checks++
      return keys.get(sn) === password.toString()
    },
    onMessage: (sn, kind, payload) => handle(sn, kind, payload),
    refused: (event) => refused.push(event),
    limits,
    tls,
  })
}
const gateway = async (sn: string, options: IClientOptions = {}) => {
  const login = { clientId: sn, username: sn, password: keys.get(sn), reconnectPeriod: 0, connectTimeout: 3000 }
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`, { ...login, ...options })
  client.on('error', () => undefined)
  open.push(client)
  return client
}
const closed = (client: mqtt.MqttClient | Socket) => new Promise<string>((done) => client.once('close', () => done('closed')))
const wire = () =>
  new Promise<Socket>((done) => {
    const socket = connect(broker.port, '127.0.0.1', () => done(socket)).on('error', () => undefined)
    socket.resume()
    open.push(socket)
  })
const loginPacket = (sn: string) =>
  generate({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: 4,
    clean: true,
    keepalive: 60,
    clientId: sn,
    username: sn,
    password: Buffer.from(keys.get(sn)!),
  })

beforeEach(async () => {
  refused.length = 0
  checks = 0
  keys.set(one, 'first key')
  handle = async () => undefined
  await start()
})
afterEach(async () => {
  for (const each of open.splice(0)) each instanceof mqtt.MqttClient ? await each.endAsync(true) : each.destroy()
  await broker.close()
})

const foreignTopics = [
  topic(two, 'up', 'data'),
  topic(one, 'down', 'write'),
  topic(two, 'down', 'write'),
  topic(one, 'up', 'unknown'),
  topic(one, 'up', ''),
  `${topic(one, 'up', 'data')}/more`,
  `/${topic(one, 'up', 'data')}`,
  `iot/v1/${one.toLowerCase()}/up/data`,
  'iot/v1//up/data',
  'iot/v2/PUMPHOUSE1/up/data',
  '$SYS/broker/uptime',
  `$share/x/${topic(one, 'up', 'data')}`,
  'a/'.repeat(10_000),
]
test.each(foreignTopics.map((name) => [name.slice(0, 60), name]))(
  'publishing to %s closes the connection and delivers nothing',
  async (_, name) => {
    const seen = vi.fn(handle)
    handle = seen
    const client = await gateway(one)
    const gone = closed(client)
    client.publish(name, 'x', { qos: 1 })
    await gone
    expect(seen).not.toHaveBeenCalled()
    expect(refused.filter((r) => r.reason !== 'protocol' || name.startsWith('a/')).length).toBe(1)
  },
)

test('a reading that asks to be retained closes the connection', async () => {
  const client = await gateway(one)
  const gone = closed(client)
  client.publish(topic(one, 'up', 'data'), 'x', { qos: 1, retain: true })
  await gone
  expect(broker.counters.refused).toEqual({ retained: 1 })
})

const foreignFilters = [
  '#',
  '+',
  '+/+/+/+/+',
  'iot/#',
  'iot/v1/+/down/ack',
  'iot/v1/#',
  topic(two, 'down', '#'),
  topic(two, 'down', 'write'),
  topic(one, 'up', '#'),
  topic(one, 'up', 'data'),
  `iot/v1/${one}/#`,
  `iot/v1/${one}/+/+`,
  `${topic(one, 'down', 'config')}/#`,
  topic(one, 'down', ''),
  '$SYS/#',
  `$share/group/${topic(one, 'down', '#')}`,
  '$CONTROL/#',
]
test('subscriptions to anything but own topics are refused one by one, and nothing of them is delivered', async () => {
  const client = await gateway(one)
  const other = await gateway(two)
  const heard: string[] = []
  client.on('message', (name) => heard.push(name))
  await other.subscribeAsync(topic(two, 'down', '#'))
  for (const filter of foreignFilters) {
    const answer = await client
      .subscribeAsync([filter, topic(one, 'down', 'ack')])
      .catch((e: Error & { packet?: { granted: number[] } }) => e.packet?.granted)
    expect([filter, JSON.stringify(answer)]).toEqual([filter, expect.stringContaining('128')])
  }
  expect(broker.counters.refused).toEqual({ foreignSubscribe: foreignFilters.length })
  await broker.publish(two, 'write', { to: two })
  await broker.publish(one, 'ack', { to: one })
  await vi.waitFor(() => expect(heard).toEqual([topic(one, 'down', 'ack')]))
})

test('a will to a foreign topic is refused at login', async () => {
  for (const name of [topic(two, 'up', 'state'), topic(one, 'up', 'data'), topic(one, 'down', 'ack'), '$SYS/x'])
    await expect(gateway(one, { will: { topic: name, payload: Buffer.from('x'), qos: 1, retain: false } })).rejects.toThrow(
      /Not authorized/,
    )
  expect(broker.counters.refused).toEqual({ foreignWill: 4 })
})

test('a gateway that takes the client id of another one, with its own key, does not disturb it', async () => {
  const victim = await gateway(two)
  await expect(gateway(one, { clientId: two })).rejects.toThrow(/Identifier rejected/)
  await expect(gateway(two, { password: keys.get(one) })).rejects.toThrow(/Bad username or password/)
  await victim.publishAsync(topic(two, 'up', 'data'), 'still here', { qos: 1 })
  expect(victim.connected).toBe(true)
})

test('PUBACK waits until the handler is done, in the order of the messages, several at a time', async () => {
  const waiting: (() => void)[] = []
  handle = () => new Promise<void>((done) => waiting.push(done))
  const client = await gateway(one)
  const acknowledged: number[] = []
  for (const n of [0, 1, 2]) client.publish(topic(one, 'up', 'data'), String(n), { qos: 1 }, () => acknowledged.push(n))
  await vi.waitFor(() => expect(waiting).toHaveLength(3))
  waiting[2]!()
  waiting[1]!()
  await new Promise((done) => setTimeout(done, 50))
  expect(acknowledged).toEqual([])
  waiting[0]!()
  await vi.waitFor(() => expect(acknowledged).toEqual([0, 1, 2]))
})

test('when the handler fails there is no PUBACK, and the gateway sends the message again', async () => {
  const seen: string[] = []
  handle = async (_sn, _kind, payload) => {
    seen.push(payload.toString())
    if (seen.length === 1) throw new Error('the store is away')
  }
  const client = await gateway(one, { reconnectPeriod: 10, clean: false })
  await client.publishAsync(topic(one, 'up', 'data'), 'reading', { qos: 1 })
  expect(seen).toEqual(['reading', 'reading'])
  expect(broker.counters.refused).toEqual({ handler: 1 })
})

test('while the store stalls, only so much is taken from a gateway; all of it arrives once the store is back', async () => {
  const waiting: (() => void)[] = []
  let arrived = 0
  handle = () => {
    arrived++
    return new Promise<void>((done) => waiting.push(done))
  }
  const client = await gateway(one)
  const all = Array.from({ length: 300 }, () => client.publishAsync(topic(one, 'up', 'data'), Buffer.alloc(100_000), { qos: 1 }))
  await vi.waitFor(() => expect(arrived).toBeGreaterThan(5))
  await new Promise((done) => setTimeout(done, 100))
  expect(arrived).toBeLessThan(40)
  handle = async () => void arrived++
  for (const go of waiting) go()
  await Promise.all(all)
  expect(arrived).toBe(300)
})

test('a packet that is too long cuts the gateway that sends it, and nobody else', async () => {
  const [offender, neighbour] = await Promise.all([gateway(one), gateway(two)])
  const gone = closed(offender)
  offender.publish(topic(one, 'up', 'data'), Buffer.alloc(10_000_000), { qos: 1 })
  await gone
  await neighbour.publishAsync(topic(two, 'up', 'data'), Buffer.alloc(262_144), { qos: 1 })
  expect(refused).toEqual([expect.objectContaining({ reason: 'tooLarge', sn: one })])
})

test('a long packet is cut by its header, before CONNECT and after, however it is chopped', async () => {
  const longConnect = Buffer.from([0x10, 0x80, 0x80, 0x08, 0, 4])
  const longPublish = Buffer.from([0x30, 0xff, 0xff, 0x7f])
  const before = await wire()
  const gone = closed(before)
  for (const byte of longConnect) before.write(Buffer.from([byte]))
  expect(await gone).toBe('closed')
  const after = await wire()
  const goneToo = closed(after)
  after.write(loginPacket(one))
  for (const byte of longPublish) after.write(Buffer.from([byte]))
  expect(await goneToo).toBe('closed')
  expect(broker.counters.refused).toEqual({ tooLarge: 2 })
})

test('what is not MQTT, or does not begin with CONNECT, is cut', async () => {
  for (const bytes of [
    'GET / HTTP/1.1\r\n\r\n',
    '\x10\xff\xff\xff\xff\xff',
    '\x30\x03\x00\x01a',
    '\x10\x02\x00\x00',
    '\x00\x00',
    '\x82\x00',
  ]) {
    const socket = await wire()
    const gone = closed(socket)
    socket.write(Buffer.from(bytes, 'latin1'))
    expect(await gone).toBe('closed')
  }
  const twice = await wire()
  const gone = closed(twice)
  twice.write(Buffer.concat([loginPacket(one), loginPacket(one)]))
  expect(await gone).toBe('closed')
  expect(broker.counters.refused.protocol).toBeGreaterThanOrEqual(6)
})

test('who connects and says nothing is cut', async () => {
  await start({ connectTimeoutMs: 50 })
  expect(await closed(await wire())).toBe('closed')
  const half = await wire()
  half.write(Buffer.from([0x10, 0x20, 0]))
  expect(await closed(half)).toBe('closed')
})

test('an address has so many connections and no more', async () => {
  await start({ connectionsPerAddress: 3 })
  const some = await Promise.all([wire(), wire(), wire()])
  expect(await closed(await wire())).toBe('closed')
  expect(broker.counters.refused).toEqual({ tooManyConnections: 1 })
  some[0].destroy()
  await vi.waitFor(async () => {
    const next = await wire()
    expect(await Promise.race([closed(next), new Promise((done) => setTimeout(done, 20))])).not.toBe('closed')
  })
})

test('a gateway that floods is slowed down, loses nothing, and its neighbour is not slowed', async () => {
  await start({ messagesPerSecond: 200, burst: 20 })
  const order: string[] = []
  handle = async (sn) => void order.push(sn)
  const [flooder, neighbour] = await Promise.all([gateway(one), gateway(two)])
  const flood = Promise.all(
    Array.from({ length: 60 }, () => flooder.publishAsync(topic(one, 'up', 'data'), Buffer.alloc(30_000), { qos: 1 })),
  )
  await neighbour.publishAsync(topic(two, 'up', 'data'), 'x', { qos: 1 })
  expect(order.filter((sn) => sn === one).length).toBeLessThan(60)
  await flood
  expect(order).toHaveLength(61)
  expect(broker.counters.refused.limited).toBeGreaterThan(0)
})

test('wrong keys are slowed by address, while keys that were right just now still are', async () => {
  await gateway(two)
  for (let i = 0; i < 20; i++) await expect(gateway(one, { password: 'wrong' })).rejects.toThrow(/Bad username or password/)
  const asked = checks
  await expect(gateway(one, { password: 'wrong' })).rejects.toThrow(/Server unavailable/)
  expect((await gateway(two)).connected).toBe(true)
  expect(checks).toBe(asked)
  expect(broker.counters.refused).toEqual({ badCredentials: 20, tooManyTries: 1 })
})

test('a key that was reset disconnects the gateway at once and opens nothing any more', async () => {
  const client = await gateway(one)
  const gone = closed(client)
  keys.set(one, 'a new key')
  await broker.disconnect(one)
  await gone
  await expect(gateway(one, { password: 'first key' })).rejects.toThrow(/Bad username or password/)
  expect((await gateway(one)).connected).toBe(true)
  await vi.waitFor(() => expect(broker.counters.connected).toBe(1))
})

test('a gateway that is not there, or does not listen, gets nothing, and the sender is told', async () => {
  await expect(broker.publish(one, 'write', {})).rejects.toThrow(/not connected/)
  const client = await gateway(one)
  await expect(broker.publish(one, 'write', {})).rejects.toThrow(/does not listen/)
  await client.subscribeAsync(topic(one, 'down', 'write'))
  await broker.publish(one, 'write', {})
  await client.unsubscribeAsync(topic(one, 'down', 'write'))
  await expect(broker.publish(one, 'write', {})).rejects.toThrow(/does not listen/)
})

test('closing the broker says nothing about the gateways on it', async () => {
  const seen = vi.fn(handle)
  handle = seen
  const client = await gateway(one, { will: { topic: topic(one, 'up', 'state'), payload: Buffer.from('gone'), qos: 1, retain: true } })
  const gone = closed(client)
  await broker.close()
  await gone
  expect(seen).not.toHaveBeenCalled()
})

test('a gateway that asks and never reads is cut; meanwhile others get what is theirs', async () => {
  await start({ unsentBytes: 100_000 })
  const deaf = await wire()
  deaf.pause()
  const subscribe = generate({
    cmd: 'subscribe',
    messageId: 1,
    qos: 1,
    dup: false,
    retain: false,
    subscriptions: [{ topic: topic(one, 'down', '#'), qos: 1 }],
  } as never)
  deaf.write(Buffer.concat([loginPacket(one), subscribe]))
  const other = await gateway(two)
  const heard = vi.fn()
  other.on('message', heard)
  await other.subscribeAsync(topic(two, 'down', '+'))
  const payload = 'x'.repeat(200_000)
  await vi.waitFor(() => broker.publish(one, 'read', 'first'))
  for (let i = 0; i < 500 && !broker.counters.refused.slowReader; i++) {
    void broker.publish(one, 'read', payload).catch(() => undefined)
    await new Promise(setImmediate)
  }
  await broker.publish(two, 'ack', { MsgId: 'x' })
  await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1))
  expect(broker.counters.refused).toEqual({ slowReader: 1 })
  await vi.waitFor(() => expect(broker.counters.connected).toBe(1))
})

const certificate = () => {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-tls-'))
  try {
    const out = ['-keyout', join(folder, 'key'), '-out', join(folder, 'cert')]
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', ...out, ...subject],
      { stdio: 'ignore' },
    )
    return { key: readFileSync(join(folder, 'key')), cert: readFileSync(join(folder, 'cert')) }
  } catch {
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
const tls = certificate()

test.skipIf(!tls)('with a certificate the port speaks TLS 1.2 or newer and nothing else (skipped without openssl)', async () => {
  await start({}, tls)
  const url = `mqtts://127.0.0.1:${broker.port}`
  const login = { clientId: one, username: one, password: keys.get(one), reconnectPeriod: 0, connectTimeout: 3000 }
  const client = await mqtt.connectAsync(url, { ...login, ca: tls!.cert })
  open.push(client)
  await client.publishAsync(topic(one, 'up', 'data'), 'x', { qos: 1 })
  await expect(mqtt.connectAsync(url, login)).rejects.toThrow(/self.signed/i)
  await expect(
    mqtt.connectAsync(url, { ...login, ca: tls!.cert, maxVersion: 'TLSv1.1', minVersion: 'TLSv1' } as IClientOptions),
  ).rejects.toThrow()
  const plain = await wire()
  const gone = closed(plain)
  plain.write(loginPacket(one))
  expect(await gone).toBe('closed')
})
