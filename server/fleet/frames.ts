// NATS messages between gateway processes and the owner. Uplink messages and their answers are binary and batched; the rest is JSON.
import { up } from '../../contract/gateway-protocol.ts'
import type { LiveValue } from '../../contract/hub.ts'
import type { Change } from '../database/db.ts'
import type { Whose } from '../identity/whose.ts'
import type { Sent } from '../live/sent.ts'
import type { Counters, Refusal, UpKind } from '../mqtt/uplink.ts'

/** Protocol version. Processes with different versions do not work together; increase it with each incompatible change. */
export const protocol = 1

/** Batch size in bytes. NATS limits messages to 1 MiB by default, gateways to 256 KiB. */
export const frameBytes = 128 * 1024

/** Announcement of the owner, each second and on request. */
export type Hello = {
  protocol: number
  owner: string
  /** PostgreSQL time in µs when it became the owner. The latest owner wins. */
  epoch: number
  /** Maximum unanswered bytes per gateway process. */
  window: number
  /** Where other processes forward calls to, once it serves. */
  http?: OwnerAddress | undefined
  /** Processes that store readings; undefined while the owner does not know them yet. */
  ingest?: string[] | undefined
}
/** `schema`: name of its newest migration. */
export type OwnerAddress = { url: string; schema: string }
/**
 * For processes that answer calls: committed changes, ended sessions, outdated rights, live values of watched points, and
 * messages to consoles. `seq` counts the frames of an owner.
 */
export type News = {
  owner: string
  seq: number
  changes: Change[]
  ended: { ids: string[]; reason: string }[]
  /** Whose cached rights are outdated. An owner of an earlier version says only whether there are any. */
  rights: Whose[] | boolean
  values: LiveValue[]
  sent: Sent[]
}
/** Heartbeat of a gateway process. `seq`: sequence number of its last sessions frame. */
export type Beat = { process: string; protocol: number; seq: number; counters: Counters; waiting: number }
/**
 * A connection. `kinds`: last level of each subscribed topic, or whole filters of a foreign sender; missing if it was closed. `proof`: of the
 * key that it signed in with.
 */
export type OpenSession = { session: number; sn: string; kinds?: string[]; proof?: string; isPrivate?: boolean; isForeign?: boolean }
/** Session changes. `isFirst`: replaces everything sent before. */
export type SessionsFrame = { process: string; seq: number; isFirst?: boolean; sessions: OpenSession[] }
export type Login = { sn: string; key: string }
export type LoginAnswer = { isRight: boolean; tenant?: number; proof?: string } | { error: string }
export type Down = { sn: string; kind: string; payload: unknown }
export type DownAnswer = { error?: string }
export type Cut = { sn: string; session?: number }
export type Refused = { reason: Refusal; sn?: string; address?: string; detail: string }

/** Requests about a foreign sender, and their answers. */
export type ForeignQuestion =
  | { ask: 'login'; token: string }
  | { ask: 'mayWill'; sn: string; topic: string }
  | { ask: 'maySubscribe'; sn: string; topic: string }
export type ForeignAnswer = { sn?: string; tenant?: number; mostBytes?: number; may?: boolean } | { error: string }
/** Notifications without an answer. */
export type ForeignNews = { sn: string; tooLarge: string } | { sn: string; session: number; subscribed: string }
/** A message to a foreign sender, base64. */
export type ForeignDown = { session: number; topic: string; payload: string; isRetained?: boolean }

/** An uplink message. Payloads of kind `foreign` start with the topic (`withTopic`). */
export type UpMessage = { seq: number; session: number; sn: string; kind: UpKind | 'foreign'; payload: Buffer }
/** The owner's answer. `isTaken`: stored, so the message may be acknowledged. `acks`: JSON payloads for `down/ack`. */
export type UpAnswer = { seq: number; isTaken: boolean; readings: number; acks: string[] }

const kinds = [...Object.keys(up), 'foreign'] as UpMessage['kind'][]

/** Entries in frames of so many, and so many bytes; at least one each, and an empty one where there are none. */
export function* inFrames<T>(entries: readonly T[], most: { entries: number; bytes: number }, bytesOf: (entry: T) => number) {
  let [frame, bytes]: [T[], number] = [[], 0]
  for (const entry of entries) {
    const more = bytesOf(entry)
    if (frame.length && (frame.length === most.entries || bytes + more > most.bytes)) {
      yield frame
      ;[frame, bytes] = [[], 0]
    }
    frame.push(entry)
    bytes += more
  }
  yield frame
}

/** Parses a JSON frame. */
export const parse = <T>(data: Uint8Array): T => JSON.parse(Buffer.from(data).toString())

/** seq, session, kind, length of the serial number, length of the payload; then both. */
export const encodeUp = ({ seq, session, sn, kind, payload }: UpMessage): Buffer => {
  const bytes = Buffer.allocUnsafe(14 + sn.length + payload.length)
  bytes.writeUInt32BE(seq, 0)
  bytes.writeUInt32BE(session, 4)
  bytes[8] = kinds.indexOf(kind)
  bytes[9] = sn.length
  bytes.writeUInt32BE(payload.length, 10)
  bytes.write(sn, 14, 'latin1')
  bytes.set(payload, 14 + sn.length)
  return bytes
}

const bufferOf = (data: Uint8Array) => Buffer.from(data.buffer, data.byteOffset, data.byteLength)

/** Throws if the frame is truncated or contains an unknown kind. */
export const decodeUp = (data: Uint8Array): UpMessage[] => {
  const bytes = bufferOf(data)
  const messages: UpMessage[] = []
  for (let at = 0; at < bytes.length; ) {
    if (at + 14 > bytes.length) throw new Error('A frame of messages is broken.')
    const from = at + 14 + bytes[at + 9]!
    const end = from + bytes.readUInt32BE(at + 10)
    const kind = kinds[bytes[at + 8]!]
    if (!kind || end > bytes.length) throw new Error('A frame of messages is broken.')
    messages.push({
      seq: bytes.readUInt32BE(at),
      session: bytes.readUInt32BE(at + 4),
      sn: bytes.toString('latin1', at + 14, from),
      kind,
      payload: bytes.subarray(from, end),
    })
    at = end
  }
  return messages
}

/** seq, whether it is taken, readings, length of the acknowledgements; then those, one a line. */
export const encodeAnswer = ({ seq, isTaken, readings, acks }: UpAnswer): Buffer => {
  const lines = Buffer.from(acks.join('\n'))
  const head = Buffer.allocUnsafe(13)
  head.writeUInt32BE(seq, 0)
  head[4] = Number(isTaken)
  head.writeUInt32BE(readings, 5)
  head.writeUInt32BE(lines.length, 9)
  return lines.length ? Buffer.concat([head, lines]) : head
}

/** Throws if the frame is truncated. */
export const decodeAnswers = (data: Uint8Array): UpAnswer[] => {
  const bytes = bufferOf(data)
  const answers: UpAnswer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + 13 + bytes.readUInt32BE(at + 9)
    if (end > bytes.length) throw new Error('A frame of answers is broken.')
    const lines = bytes.toString('utf8', at + 13, end)
    answers.push({
      seq: bytes.readUInt32BE(at),
      isTaken: bytes[at + 4] === 1,
      readings: bytes.readUInt32BE(at + 5),
      acks: lines ? lines.split('\n') : [],
    })
    at = end
  }
  return answers
}

/** Length of the topic, topic, payload. */
export const withTopic = (topic: string, payload: Buffer): Buffer => {
  const name = Buffer.from(topic)
  const head = Buffer.allocUnsafe(2)
  head.writeUInt16BE(name.length, 0)
  return Buffer.concat([head, name, payload])
}
export const topicOf = (bytes: Buffer): { topic: string; payload: Buffer } => {
  const end = 2 + bytes.readUInt16BE(0)
  return { topic: bytes.toString('utf8', 2, end), payload: bytes.subarray(end) }
}

/** Batches everything sent within one turn of the event loop. */
export const collectFrames = (send: (frame: Buffer) => void) => {
  let parts: Buffer[] = []
  let bytes = 0
  const leave = () => {
    if (!parts.length) return
    const frame = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
    parts = []
    bytes = 0
    send(frame)
  }
  return (part: Buffer) => {
    if (bytes + part.length > frameBytes) leave()
    if (!parts.length) setImmediate(leave)
    parts.push(part)
    bytes += part.length
  }
}
