import { connect } from 'node:net'
import fc from 'fast-check'
import mqtt from 'mqtt'
import { generate, type Packet } from 'mqtt-packet'
import { beforeAll, expect, test } from 'vitest'
import { topic } from '../../contract/gateway-protocol.ts'
import { startEmbedded } from './embedded.ts'

const [offender, neighbour] = ['OFFENDER01', 'NEIGHBOUR1'] as const
let broker: Awaited<ReturnType<typeof startEmbedded>>
let healthy: mqtt.MqttClient
const received: string[] = []

beforeAll(async () => {
  broker = await startEmbedded({
    host: '127.0.0.1',
    port: 0,
    authenticate: async (_sn, password) => password.toString() === 'key',
    onMessage: async (sn, _kind, payload) => {
      if (sn === neighbour) received.push(payload.toString())
    },
  })
  await broker.open()
  const login = { clientId: neighbour, username: neighbour, password: 'key', reconnectPeriod: 0 }
  healthy = await mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`, login)
  return async () => {
    await healthy.endAsync(true)
    await broker.close()
  }
})

const own = (kind: string) => topic(offender, 'up', kind)
const flags = { dup: false, retain: false } as const
const login: Packet = {
  ...{ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clean: true, keepalive: 60, clientId: offender, username: offender },
  password: Buffer.from('key'),
  will: { topic: own('state'), payload: Buffer.from('{}'), qos: 1, retain: true },
}
const packets: Packet[] = [
  login,
  { cmd: 'publish', topic: own('data'), payload: 'x', qos: 1, messageId: 1, ...flags },
  { cmd: 'publish', topic: own('data'), payload: 'x', qos: 2, messageId: 2, ...flags },
  { cmd: 'publish', topic: own('state'), payload: '', qos: 0, ...flags, retain: true },
  { cmd: 'subscribe', messageId: 3, subscriptions: [{ topic: topic(offender, 'down', '#'), qos: 1 }] },
  { cmd: 'unsubscribe', messageId: 4, unsubscriptions: [topic(offender, 'down', '#')] },
  { cmd: 'pubrel', messageId: 2 },
  { cmd: 'puback', messageId: 9 },
  { cmd: 'pubrec', messageId: 9 },
  { cmd: 'pubcomp', messageId: 9 },
  { cmd: 'pingreq' },
  { cmd: 'suback', messageId: 3, granted: [0] },
  { cmd: 'connack', returnCode: 0, sessionPresent: false },
  { cmd: 'disconnect' },
]
const bytes = packets.map((p) => generate(p))

/** A packet with some of its bytes changed, left out, repeated or made up. */
const mutated = fc
  .tuple(
    fc.constantFrom(...bytes),
    fc.array(fc.tuple(fc.nat(), fc.constantFrom('set', 'cut', 'add', 'end'), fc.integer({ min: 0, max: 255 })), { maxLength: 4 }),
  )
  .map(([packet, changes]) => {
    let now = [...packet]
    for (const [at, how, byte] of changes) {
      const i = at % (now.length + 1)
      if (how === 'set') now[i] = byte
      else if (how === 'cut') now.splice(i, 1)
      else if (how === 'add') now.splice(i, 0, byte)
      else now = now.slice(0, i)
    }
    return Buffer.from(now)
  })

const send = (chunks: Buffer[]) =>
  new Promise<void>((done) => {
    const socket = connect(broker.port, '127.0.0.1', () => {
      for (const chunk of chunks) socket.write(chunk)
      setTimeout(() => socket.destroy(), 5)
    })
    socket.on('error', () => undefined).on('close', () => done())
    socket.resume()
  })

test('whatever bytes come, before or after login, only the one who sends them is cut', async () => {
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(mutated, { minLength: 1, maxLength: 6 }), async (first, chunks) => {
      await send(first ? [generate(login), ...chunks] : chunks)
      if (++accepted % 25) return
      await healthy.publishAsync(topic(neighbour, 'up', 'data'), String(accepted), { qos: 1 })
    }),
    { numRuns: 400 },
  )
  await healthy.publishAsync(topic(neighbour, 'up', 'data'), 'last', { qos: 1 })
  expect(received.at(-1)).toBe('last')
  expect(broker.counters.connected).toBeLessThanOrEqual(2)
}, 400_000)
