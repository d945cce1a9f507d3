import mqtt, { type IClientOptions } from 'mqtt'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { topic } from '../../contract/gateway-protocol.ts'
import { hasMosquitto, startMosquitto } from '../../main/testing/mosquitto.ts'
import { startEmbedded } from './embedded.ts'
import { startExternal } from './external.ts'
import type { OnMessage, Uplink } from './uplink.ts'

const keys: Record<string, string> = { PUMPHOUSE1: 'k'.repeat(43), PUMPHOUSE2: 'm'.repeat(43) }
const [one, two] = ['PUMPHOUSE1', 'PUMPHOUSE2'] as const

const closed = (client: mqtt.MqttClient) => new Promise<void>((done) => client.once('close', () => done()))

type Broker = { port: number; uplink: Uplink; stop(): Promise<void> }
const brokers: [name: string, there: boolean, start: (onMessage: OnMessage) => Promise<Broker>][] = [
  [
    'embedded broker',
    true,
    async (onMessage) => {
      const authenticate = async (sn: string, password: Buffer) => keys[sn] === password.toString()
      const uplink = await startEmbedded({ host: '127.0.0.1', port: 0, authenticate, onMessage })
      await uplink.open()
      return { port: uplink.port, uplink, stop: () => uplink.close() }
    },
  ],
  [
    'mosquitto',
    hasMosquitto,
    async (onMessage) => {
      const broker = await startMosquitto({ ...keys, penstock: 'server' }, 'penstock')
      const uplink = await startExternal({ url: `mqtt://penstock:server@127.0.0.1:${broker.port}`, clientId: 'penstock', onMessage })
      const stop = async () => {
        await uplink.close()
        await broker.remove()
      }
      return { port: broker.port, uplink, stop }
    },
  ],
]

describe.each(brokers)('over the %s', (_name, there, start) => {
  if (!there) return test.skip('(not installed here)', () => undefined)
  let broker: Broker
  let handle: OnMessage
  const received: { sn: string; kind: string; text: string }[] = []
  const clients: mqtt.MqttClient[] = []
  const gateway = async (sn: string, options: IClientOptions = {}) => {
    const login = { clientId: sn, username: sn, password: keys[sn], reconnectPeriod: 0, connectTimeout: 3000 }
    const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`, { ...login, ...options })
    clients.push(client)
    return client
  }
  const texts = (sn: string) => received.filter((r) => r.sn === sn).map((r) => r.text)

  beforeAll(async () => {
    broker = await start((sn, kind, payload) => handle(sn, kind, payload))
    return async () => {
      await broker.stop()
    }
  })
  beforeEach(() => {
    received.length = 0
    handle = async (sn, kind, payload) => void received.push({ sn, kind, text: payload.toString() })
    return async () => {
      await Promise.all(clients.splice(0).map((c) => c.endAsync(true)))
    }
  })

  test('messages arrive once, in order, under the SN that sent them', async () => {
    const [a, b] = await Promise.all([gateway(one), gateway(two)])
    const all = Array.from({ length: 200 }, (_, i) => String(i))
    await Promise.all(all.flatMap((text) => [a, b].map((c, i) => c.publishAsync(topic([one, two][i]!, 'up', 'data'), text, { qos: 1 }))))
    await vi.waitFor(() => expect(received).toHaveLength(400), 5000)
    expect(texts(one)).toEqual(all)
    expect(texts(two)).toEqual(all)
    expect(broker.uplink.counters.messages.data).toBeGreaterThanOrEqual(400)
  })

  test('what is sent down reaches the gateway it is for, and no other', async () => {
    const [a, b] = await Promise.all([gateway(one), gateway(two)])
    const heard: string[] = []
    a.on('message', (name, payload) => heard.push(`a ${name} ${payload}`))
    b.on('message', (name, payload) => heard.push(`b ${name} ${payload}`))
    await a.subscribeAsync(topic(one, 'down', '+'), { qos: 1 })
    await b.subscribeAsync(topic(two, 'down', '+'), { qos: 1 })
    await broker.uplink.publish(one, 'ack', { MsgId: 'x' })
    await broker.uplink.publish(two, 'read', { D: 1 })
    await vi.waitFor(() => expect(heard).toHaveLength(2))
    expect(heard.sort()).toEqual([`a ${topic(one, 'down', 'ack')} {"MsgId":"x"}`, `b ${topic(two, 'down', 'read')} {"D":1}`])
  })

  test('the will is delivered when the connection breaks, and not when it ends', async () => {
    const will = { topic: topic(one, 'up', 'state'), payload: Buffer.from('gone'), qos: 1, retain: true } as const
    const a = await gateway(one, { will })
    a.stream.destroy()
    await vi.waitFor(() => expect(texts(one)).toEqual(['gone']), 5000)
    const again = await gateway(one, { will })
    await again.publishAsync(topic(one, 'up', 'state'), 'here', { qos: 1 })
    await again.endAsync()
    const later = await gateway(one)
    await later.publishAsync(topic(one, 'up', 'event'), 'later', { qos: 1 })
    await vi.waitFor(() => expect(texts(one)).toEqual(['gone', 'here', 'later']), 5000)
  })

  test('a gateway cannot speak for another one, nor listen to it', async () => {
    const b = await gateway(two)
    const foreign = vi.fn()
    b.on('message', foreign)
    b.on('error', () => undefined)
    await b.subscribeAsync(topic(one, 'down', '#'), { qos: 1 }).catch(() => undefined)
    const a = await gateway(one)
    await a.subscribeAsync(topic(one, 'down', '+'))
    await broker.uplink.publish(one, 'ack', { MsgId: 'secret' })
    await Promise.race([b.publishAsync(topic(one, 'up', 'data'), 'forged', { qos: 1 }), closed(b)]).catch(() => undefined)
    await a.publishAsync(topic(one, 'up', 'data'), 'own', { qos: 1 })
    await vi.waitFor(() => expect(texts(one)).toEqual(['own']))
    expect(foreign).not.toHaveBeenCalled()
  })

  test('a wrong key, no key and no name are refused', async () => {
    const attempts = [{ password: 'wrong' }, { username: undefined, password: undefined }, { username: two }]
    for (const attempt of attempts) await expect(gateway(one, attempt)).rejects.toThrow(/Connection refused/)
  })

  test('a handler that fails disturbs no later message', async () => {
    handle = async (sn, kind, payload) => {
      if (payload.toString() === 'bad' && !received.length) throw new Error('the store is away')
      received.push({ sn, kind, text: payload.toString() })
    }
    const a = await gateway(one)
    a.on('error', () => undefined)
    await Promise.race([a.publishAsync(topic(one, 'up', 'data'), 'bad', { qos: 1 }), closed(a)])
    await vi.waitFor(() => expect(broker.uplink.counters.refused.handler).toBe(1))
    const again = await gateway(one)
    await again.publishAsync(topic(one, 'up', 'data'), 'good', { qos: 1 })
    await vi.waitFor(() => expect(texts(one)).toEqual(['good']))
  })
})
