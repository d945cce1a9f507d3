import { randomUUID } from 'node:crypto'
import mqtt from 'mqtt'
import { withoutPrototype } from '../../contract/prototypes.ts'
import { type ClientCertificate, dial } from './dial.ts'
import type { Within } from './outbound.ts'

const timeoutMs = 10_000
/** Bytes that a broker answers: to the sign-in, and to a message. */
const answers = { signIn: 4096, message: 64 }
type Broker = {
  url: string
  user?: string | null | undefined
  password?: string | undefined
  certificate?: ClientCertificate | undefined
  within: Within
}
const fault = (code: string) => Object.assign(new Error(code), { code })

/** A connection to a broker that a tenant names; `publish` resolves once the broker has acknowledged. Fails with the codes of sockets and of MQTT. */
export const openPublisher = async ({ url, user, password, certificate, within }: Broker) => {
  const isSecure = url.startsWith('mqtts:')
  const socket = await dial(url, within, { port: isSecure ? 8883 : 1883, most: answers.signIn, isSecure, certificate })
  const client = new mqtt.MqttClient(
    () => socket as unknown as mqtt.IStream,
    withoutPrototype<mqtt.IClientOptions>({
      ...{
        clientId: `penstock-${randomUUID().slice(0, 12)}`,
        clean: true,
        protocolVersion: 4,
        reconnectPeriod: 0,
        connectTimeout: timeoutMs,
      },
      ...(user ? { username: user } : {}),
      ...(password ? { password } : {}),
    }),
  )
  const closed = new Promise<never>((_, fail) => {
    client.once('error', fail)
    client.once('close', () => fail(fault('ECONNRESET')))
  })
  closed.catch(() => undefined)
  const close = () => {
    client.end(true)
    socket.destroy()
  }
  const inTime = <T>(work: Promise<T>): Promise<T> => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, fail) => {
      timer = setTimeout(() => fail(fault('ETIMEDOUT')), timeoutMs)
    })
    return Promise.race([work, closed, late]).finally(() => clearTimeout(timer))
  }
  await inTime(new Promise<void>((done) => client.once('connect', () => done()))).catch((error) => {
    close()
    throw error
  })
  return {
    close,
    publish: (topic: string, payload: string) => {
      socket.allow(answers.message)
      return inTime(client.publishAsync(topic, payload, { qos: 1 }))
    },
  }
}
