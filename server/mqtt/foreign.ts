// Senders that speak another language than ours, on the embedded broker.
import { createHash } from 'node:crypto'
import { isSerial } from './access.ts'

/** Sends to one connection, QoS 0, where it listens to the topic. False when it does not. `isRetained`: it answers a subscription. */
export type Send = (topic: string, payload: string | Buffer, isRetained?: boolean) => boolean

export type Foreign = {
  /** Serial number of the gateway that a token belongs to; undefined = of none, or its door is closed. */
  login(token: string): Promise<string | undefined>
  /** Whether a connection that logged in with the token of this proof may stay. */
  isCurrent(sn: string, proof: string): boolean
  /** Whether a sender may leave a will to this topic. It is never published, because the end of a connection means the same. */
  mayWill(sn: string, topic: string): boolean | Promise<boolean>
  /** Bytes of a message of a sender; one that was longer. */
  mostBytes(sn: string): number
  tooLarge(sn: string, detail: string): void
  maySubscribe(sn: string, filter: string): boolean | Promise<boolean>
  subscribed(sn: string, filter: string, send: Send): void
  /** Resolves with the number of readings when they are stored; rejects when that cannot be promised. */
  onMessage(sn: string, topic: string, payload: Buffer, send: Send): Promise<number>
  joined(sn: string, send: Send): void
  left(sn: string, send: Send): void
}

/** Who logs in with a token: by its name alone, or with a name that is no serial number. Others are gateways of ours. */
export const tokenOf = (user: string | undefined, password: Buffer | undefined): string | undefined => {
  if (password?.length) return isSerial(user) ? undefined : password.toString()
  return user || undefined
}

/** Identifies a token without containing it: the first 96 bits of its SHA-256, lower-case hex. */
export const proofOfToken = (token: string) => createHash('sha256').update(token).digest('hex').slice(0, 24)

/** Client id inside the broker: one connection per token, regardless of the client's own id. 21 characters, as MQTT 3.1 allows 23. */
export const clientIdOf = (token: string) => `f${createHash('sha256').update(`client ${token}`).digest('hex').slice(0, 20)}`

/** Whether a topic is one of a filter with `+` and `#` (MQTT 3.1.1, 4.7). */
export const matchesFilter = (filter: string, topic: string): boolean => {
  const [want, has] = [filter.split('/'), topic.split('/')]
  for (const [i, level] of want.entries()) {
    if (level === '#') return true
    if (i >= has.length || (level !== '+' && level !== has[i])) return false
  }
  return want.length === has.length
}

/** A PUBLISH taken apart (MQTT 3.1.1, 3.3); undefined for QoS 2, and for what is broken: both are the broker's. */
export const publishOf = (first: number, body: Buffer): { topic: string; packetId: number; payload: Buffer } | undefined => {
  const qos = (first >> 1) & 3
  if (qos > 1 || body.length < 2) return undefined
  const length = body.readUInt16BE(0)
  const from = 2 + length + qos * 2
  if (length === 0 || body.length < from) return undefined
  const topic = body.toString('utf8', 2, 2 + length)
  const packetId = qos ? body.readUInt16BE(2 + length) : 0
  return /[+#\0]/.test(topic) || (qos && !packetId) ? undefined : { topic, packetId, payload: body.subarray(from) }
}
