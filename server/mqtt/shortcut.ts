import { topic } from '../../contract/gateway-protocol.ts'
import type { GuardedSocket } from './guardedSocket.ts'
import type { UpKind } from './uplink.ts'

/** PUBLISH, QoS 1, not retained; DUP or not (MQTT 3.1.1, 3.3.1). */
const isPlain = (header: number) => (header & 0xf7) === 0x32

const readings = ['data', 'history'] as const satisfies readonly UpKind[]

/**
 * Takes apart the body of such a packet when it goes to a gateway's own readings: the two topics without subscribers. Other packets
 * with readings, and anything else, are the broker's.
 */
export const readingsOf = (sn: string) => {
  const topics = readings.map((kind) => ({ kind, name: Buffer.from(topic(sn, 'up', kind)) }))
  return (first: number, body: Buffer): { kind: UpKind; packetId: number; payload: Buffer } | 'reading' | 'other' => {
    const length = body.length < 4 ? 0 : body.readUInt16BE(0)
    const found = topics.find(({ name }) => name.length === length && name.compare(body, 2, Math.min(2 + length, body.length)) === 0)
    if (!found) return 'other'
    if (!isPlain(first) || body.length < length + 4) return 'reading'
    const packetId = body.readUInt16BE(length + 2)
    return packetId === 0 ? 'reading' : { kind: found.kind, packetId, payload: body.subarray(length + 4) }
  }
}

/** PUBACKs of these packets (MQTT 3.1.1, 3.4), one after the other. */
const pubacks = (packetIds: readonly number[]) => {
  const bytes = Buffer.allocUnsafe(packetIds.length * 4)
  for (const [i, id] of packetIds.entries()) bytes.writeUInt32BE(0x40020000 + id, i * 4)
  return bytes
}

/** A PUBLISH of QoS 0 (MQTT 3.1.1, 3.3). */
export const message = (name: string, payload: string | Buffer, isRetained = false) => {
  const [nameBytes, payloadBytes] = [Buffer.byteLength(name), Buffer.byteLength(payload)]
  const header = [isRetained ? 0x31 : 0x30]
  let rest = 2 + nameBytes + payloadBytes
  for (; rest > 127; rest = Math.floor(rest / 128)) header.push((rest % 128) | 0x80)
  header.push(rest)
  const bytes = Buffer.allocUnsafe(header.length + 2 + nameBytes + payloadBytes)
  bytes.set(header)
  bytes.writeUInt16BE(nameBytes, header.length)
  bytes.write(name, header.length + 2)
  if (typeof payload === 'string') bytes.write(payload, header.length + 2 + nameBytes)
  else bytes.set(payload, header.length + 2 + nameBytes)
  return bytes
}

/** What leaves a connection beside the broker: the acknowledgements and messages of one turn, in one write. */
export const outgoing = (to: Pick<GuardedSocket, 'writable' | 'write' | 'plan'>) => {
  let acks: number[] = []
  let messages: Buffer[] = []
  let planned = 0
  const leave = () => {
    const bytes = Buffer.concat([pubacks(acks), ...messages])
    to.plan(-planned)
    acks = []
    messages = []
    planned = 0
    if (to.writable) to.write(bytes)
  }
  const plan = (bytes: number) => {
    if (!planned) setImmediate(leave)
    planned += bytes
    to.plan(bytes)
  }
  return {
    acknowledge(packetId: number) {
      acks.push(packetId)
      plan(4)
    },
    send(bytes: Buffer) {
      messages.push(bytes)
      plan(bytes.length)
    },
  }
}
