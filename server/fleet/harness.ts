import mqtt, { type IClientOptions } from 'mqtt'
import pino from 'pino'
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

export const broker = async (url: string) => startBrokerEnd({ nats: await openNats(url, 'gateways', log), log, host: '127.0.0.1', port: 0 })

/** An owner that writes down what it takes. `handle` decides what becomes of a message. */
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
    tenantOf: () => 7,
    onMessage: async (sn, kind, payload, countReadings) => {
      const text = payload.toString()
      await handle(sn, kind, text)
      taken.push(`${sn} ${kind} ${text}`)
      countReadings?.(1)
      if (uplink.hears(sn, 'ack')) await uplink.publish(sn, 'ack', { MsgId: text })
    },
    refused: ({ reason }) => void refused.push(reason),
  })
  return { uplink, taken, refused }
}

/** A gateway with the real client; what it hears, and what it sent that was acknowledged. */
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
