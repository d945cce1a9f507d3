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
export const readingsOf = (
  sn: string,
  first: number,
  body: Buffer,
): { kind: UpKind; packetId: number; payload: Buffer } | 'reading' | 'other' => {
  const length = body.length < 4 ? 0 : body.readUInt16BE(0)
  const name = body.toString('latin1', 2, 2 + length)
  const kind = readings.find((each) => name === topic(sn, 'up', each))
  if (!kind) return 'other'
  if (!isPlain(first) || body.length < length + 4) return 'reading'
  const packetId = body.readUInt16BE(length + 2)
  return packetId === 0 ? 'reading' : { kind, packetId, payload: body.subarray(length + 4) }
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
export class Outgoing {
  readonly #to: Pick<GuardedSocket, 'writable' | 'write' | 'plan'>
  #acks: number[] | undefined
  #messages: Buffer[] | undefined
  #planned = 0

  constructor(to: Pick<GuardedSocket, 'writable' | 'write' | 'plan'>) {
    this.#to = to
  }

  acknowledge(packetId: number) {
    this.#acks ??= []
    this.#acks.push(packetId)
    this.#plan(4)
  }

  send(bytes: Buffer) {
    this.#messages ??= []
    this.#messages.push(bytes)
    this.#plan(bytes.length)
  }

  #plan(bytes: number) {
    if (!this.#planned) setImmediate(() => this.#leave())
    this.#planned += bytes
    this.#to.plan(bytes)
  }

  #leave() {
    const bytes = Buffer.concat([pubacks(this.#acks ?? []), ...(this.#messages ?? [])])
    this.#to.plan(-this.#planned)
    this.#acks = undefined
    this.#messages = undefined
    this.#planned = 0
    if (this.#to.writable) this.#to.write(bytes)
  }
}
