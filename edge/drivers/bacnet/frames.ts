// Messages of BACnet/IP: the link of annex J, the network of clause 6, and services of clauses 13, 15 and 16.
import {
  application,
  closing,
  context,
  type Element,
  Elements,
  Garbled,
  objectBytes,
  objectOf,
  opening,
  unsignedBytes,
  unsignedOf,
} from './tags.ts'

/** Address of a device: IP address, and behind a router, its network and address there. */
export type Place = { host: string; port: number; network?: number; address?: Buffer }
export type Property = { object: number; instance: number; property: number; index?: number }

export const service = { confirmedCov: 1, subscribeCov: 5, readProperty: 12, readMultiple: 14, writeProperty: 15 }
const [iAm, unconfirmedCov, whoIs] = [0, 2, 8]
/** BVLC functions. */
const link = { result: 0, register: 5, distribute: 9, forwarded: 4, unicast: 10, broadcast: 11 }
/** No segmentation, and 1,476 bytes: the content of one datagram. */
const maxima = 0x05

const wrapped = (kind: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const head = Buffer.of(0x81, kind, 0, 0)
  head.writeUInt16BE(body.length + 4, 2)
  return Buffer.concat([head, body])
}
const network = ({ network, address }: Pick<Place, 'network' | 'address'>, isAsking: boolean): Buffer => {
  const control = isAsking ? 4 : 0
  if (network === undefined) return Buffer.of(1, control)
  const to = address ?? Buffer.alloc(0)
  return Buffer.concat([Buffer.of(1, control | 0x20, network >> 8, network & 255, to.length), to, Buffer.of(255)])
}

export const confirmedPacket = (to: Place, id: number, choice: number, body: Buffer) =>
  wrapped(link.unicast, network(to, true), Buffer.of(0, maxima, id, choice), body)
/** Who-Is for one device. `isThrough`: sent to a BBMD, which forwards it. */
export const whoIsPacket = (instance: number, isThrough: boolean, isBroadcast: boolean) => {
  const limits = [0, 1].map((number) => context(number, unsignedBytes(instance)))
  const kind = isThrough ? link.distribute : isBroadcast ? link.broadcast : link.unicast
  return wrapped(kind, network(isThrough || isBroadcast ? { network: 0xffff } : {}, false), Buffer.of(0x10, whoIs), ...limits)
}
export const registerPacket = (seconds: number) => wrapped(link.register, Buffer.of(seconds >> 8, seconds & 255))
export const ackPacket = (to: Place, id: number, choice: number) => wrapped(link.unicast, network(to, false), Buffer.of(0x20, id, choice))

const propertyParts = ({ property, index }: Property, first: number) => [
  context(first, unsignedBytes(property)),
  ...(index === undefined ? [] : [context(first + 1, unsignedBytes(index))]),
]
export const readBody = (of: Property) => Buffer.concat([context(0, objectBytes(of.object, of.instance)), ...propertyParts(of, 1)])
export const readMultipleBody = (list: readonly Property[]) =>
  Buffer.concat(list.flatMap((of) => [context(0, objectBytes(of.object, of.instance)), opening(1), ...propertyParts(of, 0), closing(1)]))
export const writeBody = (of: Property, type: number, value: number, priority: number) =>
  Buffer.concat([readBody(of), opening(3), application(type, value), closing(3), context(4, unsignedBytes(priority))])
export const subscribeBody = (process: number, { object, instance }: Property, seconds: number) =>
  Buffer.concat([
    ...[context(0, unsignedBytes(process)), context(1, objectBytes(object, instance))],
    ...[context(2, Buffer.of(0)), context(3, unsignedBytes(seconds))],
  ])

/** A device's answer for a property: a value, or an error of clause 18. */
export type Said = Property & ({ values: Element[] } | { error: { kind: number; code: number } })
export type Notification = { process: number; object: number; instance: number; said: Said[] }
export type Message =
  | { kind: 'ack'; id: number; choice: number; body: Buffer }
  | { kind: 'error'; id: number; error: { kind: number; code: number } }
  | { kind: 'reject' | 'abort'; id: number; reason: number }
  | { kind: 'iAm'; instance: number; place: Pick<Place, 'network' | 'address'>; host?: string; port?: number }
  | { kind: 'cov'; notification: Notification; ask?: { id: number } }
  | { kind: 'result'; code: number }
  | { kind: 'other' }

const errorOf = (elements: Elements) => ({ kind: unsignedOf(elements.next()), code: unsignedOf(elements.next()) })

const notificationOf = (body: Buffer): Notification => {
  const elements = new Elements(body)
  const process = unsignedOf(elements.expect(0))
  elements.expect(1)
  const { object, instance } = objectOf(elements.expect(2))
  elements.expect(3)
  elements.expect(4, 'opens')
  const said: Said[] = []
  while (elements.peek()?.kind !== 'closes') {
    const property = unsignedOf(elements.expect(0))
    if (elements.peek()?.number === 1) elements.next()
    elements.expect(2, 'opens')
    said.push({ object, instance, property, values: elements.within(2) })
    const after = elements.peek()
    if (after?.isContext && after.number === 3 && after.kind === 'value') elements.next()
  }
  return { process, object, instance, said }
}

const applicationOf = (apdu: Buffer, place: Pick<Place, 'network' | 'address'>): Message => {
  const [first = 0, second = 0, third = 0, fourth = 0] = apdu
  switch (first >> 4) {
    case 0:
      return fourth === service.confirmedCov && !(first & 8)
        ? { kind: 'cov', notification: notificationOf(apdu.subarray(4)), ask: { id: third } }
        : { kind: 'other' }
    case 1: {
      if (second === unconfirmedCov) return { kind: 'cov', notification: notificationOf(apdu.subarray(2)) }
      if (second !== iAm) return { kind: 'other' }
      return { kind: 'iAm', instance: objectOf(new Elements(apdu.subarray(2)).next()).instance, place }
    }
    case 2:
      return { kind: 'ack', id: second, choice: third, body: Buffer.alloc(0) }
    case 3:
      if (first & 8) throw new Garbled('an answer in segments, which were not asked for')
      return { kind: 'ack', id: second, choice: third, body: apdu.subarray(3) }
    case 5:
      return { kind: 'error', id: second, error: errorOf(new Elements(apdu.subarray(3))) }
    case 6:
    case 7:
      return { kind: first >> 4 === 6 ? 'reject' : 'abort', id: second, reason: third }
    default:
      return { kind: 'other' }
  }
}

/** Parses a datagram. @throws Garbled */
export const readMessage = (bytes: Buffer): Message => {
  if (bytes.length < 4 || bytes[0] !== 0x81 || bytes.readUInt16BE(2) !== bytes.length) throw new Garbled('bytes that are no message')
  const kind = bytes[1]!
  if (kind === link.result) return { kind: 'result', code: bytes.length >= 6 ? bytes.readUInt16BE(4) : 0xffff }
  const isForwarded = kind === link.forwarded
  if (!isForwarded && kind !== link.unicast && kind !== link.broadcast) return { kind: 'other' }
  const packet = bytes.subarray(isForwarded ? 10 : 4)
  const control = packet[1] ?? 0x80
  if (packet[0] !== 1 || control & 0x80) return { kind: 'other' }
  let at = 2
  if (control & 0x20) at += 3 + (packet[at + 2] ?? 0)
  const place: Pick<Place, 'network' | 'address'> = {}
  if (control & 0x08) {
    if (at + 3 > packet.length) throw new Garbled('a sender that is cut off')
    const length = packet[at + 2]!
    place.network = packet.readUInt16BE(at)
    place.address = Buffer.from(packet.subarray(at + 3, at + 3 + length))
    at += 3 + length
  }
  if (control & 0x20) at += 1
  const message = applicationOf(packet.subarray(at), place)
  if (!isForwarded || message.kind !== 'iAm') return message
  return { ...message, host: bytes.subarray(4, 8).join('.'), port: bytes.readUInt16BE(8) }
}

/** @throws Garbled */
export const readAnswer = (body: Buffer): Element[] => {
  const elements = new Elements(body)
  elements.expect(0)
  elements.expect(1)
  if (elements.peek()?.number === 2) elements.next()
  elements.expect(3, 'opens')
  return elements.within(3)
}
/** @throws Garbled */
export const readMultipleAnswer = (body: Buffer): Said[] => {
  const elements = new Elements(body)
  const said: Said[] = []
  while (!elements.isAtEnd) {
    const of = objectOf(elements.expect(0))
    elements.expect(1, 'opens')
    while (elements.peek()?.kind !== 'closes') {
      const property = unsignedOf(elements.expect(2))
      const index = elements.peek()?.number === 3 ? { index: unsignedOf(elements.next()) } : {}
      const { number, kind } = elements.next()
      if (kind !== 'opens' || (number !== 4 && number !== 5)) throw new Garbled('an answer of another shape')
      const values = elements.within(number)
      if (number === 5 && values.length < 2) throw new Garbled('an error that says nothing')
      const what = number === 4 ? { values } : { error: { kind: unsignedOf(values[0]!), code: unsignedOf(values[1]!) } }
      said.push({ ...of, property, ...index, ...what })
    }
    elements.expect(1, 'closes')
  }
  return said
}

const names: Readonly<Record<number, string>> = {
  [service.confirmedCov]: 'change of value',
  [service.subscribeCov]: 'subscribe',
  [service.readProperty]: 'read property',
  [service.readMultiple]: 'read properties',
  [service.writeProperty]: 'write property',
}
const linkNames: Readonly<Record<number, string>> = { 0: 'result', 5: 'register as foreign device', 9: 'search through a BBMD' }
/** Describes a datagram for a trace. */
export const meaningOf = (bytes: Buffer, isSent: boolean): string => {
  if (bytes.length < 4 || bytes[0] !== 0x81) return `${bytes.length} bytes that are no message of BACnet`
  const named = linkNames[bytes[1]!]
  if (named) return named
  try {
    if (isSent) {
      const control = bytes[5] ?? 0
      const at = 6 + (control & 0x20 ? 4 + (bytes[8] ?? 0) : 0)
      return bytes[at] === 0x10 ? 'who is' : `${names[bytes[at + 3] ?? 0] ?? 'request'} ${bytes[at + 2] ?? ''}`
    }
    const message = readMessage(bytes)
    if (message.kind === 'ack') return `answer: ${names[message.choice] ?? 'service'} ${message.id}`
    if (message.kind === 'error') return `error: class ${message.error.kind}, code ${message.error.code}`
    if (message.kind === 'reject' || message.kind === 'abort') return `${message.kind}: reason ${message.reason}`
    return { iAm: 'I am', cov: 'change of value', result: 'result', other: 'another message' }[message.kind]
  } catch {
    return 'a message that is cut off'
  }
}
