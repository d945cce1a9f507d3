import mqtt, { type IClientOptions } from 'mqtt'
import pino from 'pino'
import { type Foreign, proofOfToken } from '../mqtt/foreign.ts'
import type { Limits } from '../mqtt/limits.ts'
import { startBrokerEnd } from './brokerEnd.ts'
import { openNats } from './natsConnection.ts'
import { startOwnerEnd } from './ownerEnd.ts'

const log = pino({ level: 'silent' })

/** Keys of gateways, as the owners of a test know them. */
export const keys = new Map([
  ['PUMPHOUSE1', 'first key'],
  ['PUMPHOUSE2', 'second key'],
])
export const [one, two] = ['PUMPHOUSE1', 'PUMPHOUSE2'] as const

export const broker = async (url: string, limits: Partial<Limits> = {}) =>
  startBrokerEnd({ nats: await openNats(url, 'gateways', log), log, host: '127.0.0.1', port: 0, limits })

/** Serial numbers of foreign senders whose token was reset. */
export const reset = new Set<string>()

/** Foreign senders whose token is `token of ` and their serial number; they may subscribe to everything. */
const foreignOf = (taken: string[]): Foreign => ({
  login: async (token) => /^token of (\w+)$/.exec(token)?.[1],
  isCurrent: (sn, proof) => proof === proofOfToken(`token of ${sn}`) && !reset.has(sn),
  mayWill: () => true,
  maySubscribe: () => true,
  mostBytes: () => 1024 * 1024,
  tooLarge: () => undefined,
  subscribed: () => undefined,
  onMessage: async (sn, topic, payload) => taken.push(`${sn} ${topic} ${payload.toString().slice(0, 20)}`) && 1,
  joined: () => undefined,
  left: () => undefined,
})

/** An owner that records accepted messages. `handle` decides what becomes of a message. */
export const owner = async (
  url: string,
  epoch: number,
  handle: (sn: string, kind: string, text: string) => Promise<void> = async () => {},
) => {
  const taken: string[] = []
  const refused: string[] = []
  const uplink = await startOwnerEnd({
    nats: await openNats(url, 'owner', log),
    epoch,
    log,
    authenticate: async (sn, password) => keys.get(sn) === password.toString(),
    proofOf: (_sn, key) => key.toString().toUpperCase(),
    outdated: async (proofs) => [...proofs].filter(([sn, proof]) => keys.get(sn)?.toUpperCase() !== proof).map(([sn]) => sn),
    tenantOf: () => 7,
    onMessage: async (sn, kind, payload, countReadings) => {
      const text = payload.toString()
      await handle(sn, kind, text)
      taken.push(`${sn} ${kind} ${text}`)
      countReadings?.(1)
      if (uplink.hears(sn, 'ack')) await uplink.publish(sn, 'ack', { MsgId: text })
    },
    refused: ({ reason }) => void refused.push(reason),
    foreign: foreignOf(taken),
  })
  return { uplink, taken, refused }
}

/** A gateway with the real client, the messages it received, and those that were acknowledged. */
export const gateway = async (port: number, sn: string, options: IClientOptions = {}) => {
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, {
    ...{ clientId: sn, username: sn, password: keys.get(sn), reconnectPeriod: 0, connectTimeout: 8000 },
    ...options,
  })
  const heard: string[] = []
  const acknowledged: string[] = []
  client.on('error', () => undefined)
  client.on('message', (topic, payload) => void heard.push(`${topic.split('/').at(-1)} ${payload}`))
  await client.subscribeAsync(`iot/v1/${sn}/down/+`, { qos: 1 })
  const send = (text: string, kind = 'data') =>
    client.publishAsync(`iot/v1/${sn}/up/${kind}`, text, { qos: 1 }).then(() => void acknowledged.push(text))
  return { client, heard, acknowledged, send, closed: new Promise<void>((done) => client.once('close', () => done())) }
}

/** A foreign sender with the real client. */
export const sender = async (port: number, sn: string) => {
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, {
    username: `token of ${sn}`,
    reconnectPeriod: 0,
    connectTimeout: 8000,
  })
  client.on('error', () => undefined)
  return { client, closed: new Promise<void>((done) => client.once('close', () => done())) }
}
