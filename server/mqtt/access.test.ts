import { expect, test, vi } from 'vitest'
import { topic } from '../../contract/gateway-protocol.ts'
import { broker, checks, closed, gateway, keys, on, one, refused, start, two, useBroker } from './harness.ts'

useBroker()

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
    const handler = vi.fn(on.message)
    on.message = handler
    const client = await gateway(one)
    const gone = closed(client)
    client.publish(name, 'x', { qos: 1 })
    await gone
    expect(handler).not.toHaveBeenCalled()
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

test('wrong keys are slowed by address, while keys that were right just now still are', async () => {
  await gateway(two)
  for (let i = 0; i < 20; i++) await expect(gateway(one, { password: 'wrong' })).rejects.toThrow(/Bad username or password/)
  const asked = checks
  await expect(gateway(one, { password: 'wrong' })).rejects.toThrow(/Server unavailable/)
  expect((await gateway(two)).connected).toBe(true)
  expect(checks).toBe(asked)
  expect(broker.counters.refused).toEqual({ badCredentials: 20, tooManyTries: 1 })
})

test('gateways behind one address that come back together all get in, twenty looked up at a time', async () => {
  const many = Array.from({ length: 60 }, (_, i) => `BEHINDROUTER${i}`)
  for (const sn of many) keys.set(sn, `key of ${sn}`)
  let [running, most] = [0, 0]
  const gate = Promise.withResolvers<void>()
  on.lookUp = async () => {
    most = Math.max(most, ++running)
    await gate.promise
    running--
  }
  const joining = Promise.all(many.map((sn) => gateway(sn, { connectTimeout: 30_000 })))
  await vi.waitFor(() => expect(running).toBe(20), { timeout: 60_000 })
  // Others wait.
  await new Promise((done) => setTimeout(done, 100))
  gate.resolve()
  const clients = await joining
  expect(clients.every((client) => client.connected)).toBe(true)
  expect([most, checks]).toEqual([20, 60])
  // Of those that wait and are wrong no more are looked up than may fail.
  await start()
  const tries = await Promise.allSettled(many.map((sn) => gateway(sn, { password: 'wrong' })))
  expect(tries.every(({ status }) => status === 'rejected')).toBe(true)
  expect(broker.counters.refused).toEqual({ badCredentials: 20, tooManyTries: 40 })
  expect(checks).toBe(80)
  for (const sn of many) keys.delete(sn)
})

test('a key that cannot be looked up counts as no wrong one', async () => {
  on.lookUp = () => Promise.reject(new Error('away'))
  for (let i = 0; i < 25; i++) await expect(gateway(one)).rejects.toThrow(/Server unavailable/)
  on.lookUp = async () => undefined
  expect((await gateway(one)).connected).toBe(true)
  expect(broker.counters.refused).not.toHaveProperty('tooManyTries')
})

test('a reset key disconnects the gateway immediately and is refused from then on', async () => {
  const client = await gateway(one)
  const gone = closed(client)
  keys.set(one, 'a new key')
  await broker.disconnect(one)
  await gone
  await expect(gateway(one, { password: 'first key' })).rejects.toThrow(/Bad username or password/)
  expect((await gateway(one)).connected).toBe(true)
  await vi.waitFor(() => expect(broker.counters.connected).toBe(1))
})
