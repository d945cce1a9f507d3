import { generate } from 'mqtt-packet'
import { expect, test, vi } from 'vitest'
import { topic } from '../../contract/gateway-protocol.ts'
import { broker, closed, gateway, loginPacket, on, one, refused, start, two, useBroker, wire } from './harness.ts'

useBroker()

const publish = (name: string, payload: string, messageId: number, more: object = {}) =>
  generate({ cmd: 'publish', topic: name, payload, qos: 1, messageId, dup: false, retain: false, ...more } as never)
const own = topic(one, 'up', 'data')

test('readings and everything else arrive whole and are acknowledged, however their bytes are cut', async () => {
  const bytes = Buffer.concat([
    publish(own, 'first', 1),
    publish(topic(one, 'up', 'event'), 'between', 2),
    Buffer.from([0xc0, 0]),
    publish(topic(one, 'up', 'history'), 'h'.repeat(300), 3, { dup: true }),
    publish(topic(one, 'up', 'heartbeat'), 'unacknowledged', 0, { qos: 0 }),
    publish(own, 'last', 4),
  ])
  for (const size of [1, 2, 3, 7, 64, bytes.length]) {
    const heard: string[] = []
    on.message = async (_sn, kind, payload) => void heard.push(`${kind} ${payload.toString().slice(0, 14)}`)
    await start()
    const socket = await wire()
    const answers: Buffer[] = []
    socket.on('data', (chunk) => answers.push(chunk))
    socket.write(loginPacket(one))
    await vi.waitFor(() => expect(Buffer.concat(answers)).toHaveLength(4))
    for (let at = 0; at < bytes.length; at += size) {
      socket.write(bytes.subarray(at, at + size))
      if (size < 64) await new Promise(setImmediate)
    }
    await vi.waitFor(() => expect(heard).toHaveLength(5))
    expect(heard.sort()).toEqual(['data first', 'data last', 'event between', 'heartbeat unacknowledged', 'history hhhhhhhhhhhhhh'])
    const pubacks = [1, 2, 3, 4].map((id) => Buffer.from([0x40, 2, 0, id]).toString('hex'))
    await vi.waitFor(() => expect(pubacks.every((p) => Buffer.concat(answers).toString('hex').includes(p))).toBe(true))
    // CONNACK, four PUBACKs and one PINGRESP.
    await vi.waitFor(() => expect(Buffer.concat(answers)).toHaveLength(4 + 4 * 4 + 2))
    expect(Buffer.concat(answers).toString('hex')).toContain('d000')
  }
})

test('a ping with flags ends the connection', async () => {
  const socket = await wire()
  const gone = closed(socket)
  socket.write(loginPacket(one))
  await vi.waitFor(() => expect(broker.counters.connected).toBe(1))
  socket.write(Buffer.from([0xc1, 0]))
  await gone
  expect(refused).toEqual([expect.objectContaining({ reason: 'protocol', sn: one })])
})

test('a connection goes on being read while its readings wait for their commit', async () => {
  const waiting: (() => void)[] = []
  on.message = () => new Promise<void>((done) => waiting.push(done))
  const client = await gateway(one)
  const first = client.publishAsync(own, 'a', { qos: 1 })
  await vi.waitFor(() => expect(waiting).toHaveLength(1))
  const second = client.publishAsync(own, 'b', { qos: 1 })
  await vi.waitFor(() => expect(waiting).toHaveLength(2))
  for (const go of waiting) go()
  await Promise.all([first, second])
})

test('acknowledgements leave in the order of the messages', async () => {
  const waiting: (() => void)[] = []
  on.message = () => new Promise<void>((done) => waiting.push(done))
  const client = await gateway(one)
  const order: string[] = []
  const sent = ['a', 'b', 'c'].map((text) => client.publishAsync(own, text, { qos: 1 }).then(() => order.push(text)))
  await vi.waitFor(() => expect(waiting).toHaveLength(3))
  for (const go of waiting.reverse()) go()
  await Promise.all(sent)
  expect(order).toEqual(['a', 'b', 'c'])
})

test('readings that were not stored get no acknowledgement and the connection ends', async () => {
  on.message = async () => {
    throw new Error('the store is away')
  }
  const client = await gateway(one)
  const gone = closed(client)
  client.publish(own, 'x', { qos: 1 }, () => undefined)
  await gone
  expect(refused).toEqual([expect.objectContaining({ reason: 'handler', sn: one })])
})

test('readings for the topic of another gateway are refused as before', async () => {
  const client = await gateway(one)
  const gone = closed(client)
  client.publish(topic(two, 'up', 'data'), 'x', { qos: 1 }, () => undefined)
  await gone
  expect(refused).toEqual([expect.objectContaining({ reason: 'foreignPublish', sn: one })])
})

test('a gateway that is silent for one and a half times its keep-alive is cut, one that only sends readings is not', async () => {
  const quiet = await wire()
  const login = (sn: string) => {
    const packet = loginPacket(sn)
    // The keep-alive follows the protocol's name, level and flags: one second.
    packet.writeUInt16BE(1, 10)
    return packet
  }
  const busy = await wire()
  const [quietGone, busyGone] = [closed(quiet), closed(busy)]
  quiet.write(login(one))
  busy.write(login(two))
  await vi.waitFor(() => expect(broker.counters.connected).toBe(2))
  const timer = setInterval(() => busy.write(publish(topic(two, 'up', 'data'), 'x', 1)), 200)
  expect(await Promise.race([quietGone.then(() => 'quiet'), busyGone.then(() => 'busy')])).toBe('quiet')
  clearInterval(timer)
})
