import { expect, test, vi } from 'vitest'
import { topic } from '../../contract/gateway-protocol.ts'
import { broker, closed, gateway, loginPacket, on, one, refused, start, subscribePacket, two, useBroker, wire } from './harness.ts'
import { standardLimits } from './limits.ts'

useBroker()

test('while the store stalls, only so much is taken from a gateway; all of it arrives once the store is back', async () => {
  const waiting: (() => void)[] = []
  let arrived = 0
  on.message = () => {
    arrived++
    return new Promise<void>((done) => waiting.push(done))
  }
  const client = await gateway(one)
  const all = Array.from({ length: 300 }, () => client.publishAsync(topic(one, 'up', 'data'), Buffer.alloc(100_000), { qos: 1 }))
  await vi.waitFor(() => expect(arrived).toBeGreaterThan(5))
  await new Promise((done) => setTimeout(done, 100))
  expect(arrived).toBeLessThan(40)
  on.message = async () => void arrived++
  for (const go of waiting) go()
  await Promise.all(all)
  expect(arrived).toBe(300)
})

test('while the store stalls, all gateways together have so much room; none is cut, and each has its turn when it goes on', async () => {
  await start({ inFlightBytesOfAll: 500_000 })
  const waiting: (() => void)[] = []
  const arrived = { [one]: 0, [two]: 0 }
  on.message = (sn) => {
    arrived[sn as typeof one]++
    return new Promise<void>((done) => waiting.push(done))
  }
  const clients = [await gateway(one), await gateway(two)]
  let cuts = 0
  for (const client of clients) client.on('close', () => cuts++)
  const all = Promise.all(
    clients.flatMap((client, i) =>
      Array.from({ length: 60 }, () => client.publishAsync(topic(i ? two : one, 'up', 'data'), Buffer.alloc(30_000), { qos: 1 })),
    ),
  )
  await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(5))
  await new Promise((done) => setTimeout(done, 100))
  // Each may hold as much as is still free: a third of the memory.
  expect(waiting.length).toBeLessThan(14)
  let over = false
  void all.then(() => {
    over = true
  })
  const between: number[] = []
  while (!over) {
    for (const go of waiting.splice(0)) go()
    between.push(Math.abs(arrived[one] - arrived[two]))
    await new Promise((done) => setTimeout(done, 5))
  }
  expect([arrived, cuts]).toEqual([{ [one]: 60, [two]: 60 }, 0])
  expect(Math.max(...between)).toBeLessThan(40)
  expect(broker.counters.refused).toEqual({})
})

test('an oversized packet disconnects only its sender', async () => {
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
  await start({ messagesPerSecond: 40, burst: 20 })
  const order: string[] = []
  on.message = async (sn) => void order.push(sn)
  const [flooder, neighbour] = await Promise.all([gateway(one), gateway(two)])
  const flood = Promise.all(
    Array.from({ length: 50 }, () => flooder.publishAsync(topic(one, 'up', 'data'), Buffer.alloc(30_000), { qos: 1 })),
  )
  await neighbour.publishAsync(topic(two, 'up', 'data'), 'x', { qos: 1 })
  expect(order.filter((sn) => sn === one).length).toBeLessThan(50)
  await flood
  expect(order).toHaveLength(51)
  expect(broker.counters.refused.limited).toBeGreaterThan(0)
})

test('gateways of one tenant share a rate beside their own, and lose nothing by it', async () => {
  await start({ ofTenant: { ...standardLimits.ofTenant, messagesPerSecond: 40, burst: 2 } })
  let arrived = 0
  on.message = async () => void arrived++
  const clients = [await gateway(one), await gateway(two)]
  const all = clients.flatMap((client, i) =>
    Array.from({ length: 30 }, () => client.publishAsync(topic(i ? two : one, 'up', 'data'), Buffer.alloc(30_000), { qos: 1 })),
  )
  await Promise.all(all)
  expect(arrived).toBe(60)
  expect(broker.counters.refused.tenantLimited).toBeGreaterThan(0)
  expect(broker.counters.refused.limited).toBeUndefined()
})

test('a gateway that requests and never reads is disconnected; others are served', async () => {
  await start({ unsentBytes: 100_000 })
  const deaf = await wire()
  deaf.pause()
  deaf.write(Buffer.concat([loginPacket(one), subscribePacket(one)]))
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
