import { connect, type Socket } from 'node:net'
import mqtt, { type IClientOptions } from 'mqtt'
import { generate } from 'mqtt-packet'
import { afterEach, beforeEach } from 'vitest'
import { topic } from '../../contract/gateway-protocol.ts'
import { type EmbeddedOptions, startEmbedded } from './embedded.ts'
import type { OnMessage, RefusalEvent } from './uplink.ts'

export const keys = new Map([
  ['PUMPHOUSE1', 'first key'],
  ['PUMPHOUSE2', 'second key'],
])
export const [one, two] = ['PUMPHOUSE1', 'PUMPHOUSE2'] as const

export let broker: Awaited<ReturnType<typeof startEmbedded>>
/** Handlers of a test: for messages of the broker, and for a wait before a key is looked up. */
export const on: { message: OnMessage; lookUp: () => Promise<void> } = { message: async () => undefined, lookUp: async () => undefined }
/** How often a key was looked up. */
export let checks = 0
export const refused: RefusalEvent[] = []
const open: (mqtt.MqttClient | Socket)[] = []

/** Instead of the one with standard limits. */
export const start = async (
  limits?: EmbeddedOptions['limits'],
  tls?: EmbeddedOptions['tls'],
  isOpen = true,
  more: Pick<EmbeddedOptions, 'isBalancer' | 'proxyProtocol'> = {},
) => {
  await broker?.close()
  broker = await startEmbedded({
    host: '127.0.0.1',
    port: 0,
    // A fixed clock: on a slow machine, failed logins must not expire during a test.
    now: () => 0,
    authenticate: async (sn, password) => {
      checks++
      await on.lookUp()
      return keys.get(sn) === password.toString()
    },
    tenantOf: () => 1,
    onMessage: (sn, kind, payload) => on.message(sn, kind, payload),
    refused: (event) => refused.push(event),
    limits,
    tls,
    ...more,
  })
  if (isOpen) await broker.open()
}
/** A gateway with the real client. */
export const gateway = async (sn: string, options: IClientOptions = {}) => {
  const login = { clientId: sn, username: sn, password: keys.get(sn), reconnectPeriod: 0, connectTimeout: 3000 }
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`, { ...login, ...options })
  client.on('error', () => undefined)
  open.push(client)
  return client
}
export const closed = (client: mqtt.MqttClient | Socket) => new Promise<string>((done) => client.once('close', () => done('closed')))
/** A bare socket to the broker. */
export const wire = () =>
  new Promise<Socket>((done) => {
    const socket = connect(broker.port, '127.0.0.1', () => done(socket)).on('error', () => undefined)
    socket.resume()
    open.push(socket)
  })
export const loginPacket = (sn: string) =>
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
export const subscribePacket = (sn: string) =>
  generate({
    cmd: 'subscribe',
    messageId: 1,
    qos: 1,
    dup: false,
    retain: false,
    subscriptions: [{ topic: topic(sn, 'down', '#'), qos: 1 }],
  } as never)
export const publishPacket = (name: string, payload: string | Buffer, messageId: number, more: object = {}) =>
  generate({ cmd: 'publish', topic: name, payload, qos: 1, messageId, dup: false, retain: false, ...more } as never)

/** Gives each test of a file a new broker. A file calls this itself, because this module may be loaded for another file already. */
export const useBroker = () => {
  beforeEach(async () => {
    refused.length = 0
    checks = 0
    keys.set(one, 'first key')
    on.message = async () => undefined
    on.lookUp = async () => undefined
    await start()
  })
  afterEach(async () => {
    for (const each of open.splice(0)) each instanceof mqtt.MqttClient ? await each.endAsync(true) : each.destroy()
    await broker.close()
  })
}

/** For tests that log in elsewhere. */
export const closeAfterwards = (client: mqtt.MqttClient) => open.push(client)
