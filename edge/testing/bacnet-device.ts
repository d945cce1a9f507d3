// A device of BACnet/IP by the makers of another client, on a line that misbehaves when a test says so.
import { createSocket } from 'node:dgram'
import { EventEmitter, once } from 'node:events'
import { createRequire } from 'node:module'
import { ApplicationTag } from '@bacnet-js/client'
import type { Behaviour } from './raw.ts'

// Node and Vitest see its default export differently.
const { default: BACnetClient }: typeof import('@bacnet-js/client') = createRequire(import.meta.url)('@bacnet-js/client')

export const [analogInput, analogOutput, binaryValue, multiStateValue, deviceObject] = [0, 1, 5, 19, 8]
export const [presentValue, statusFlags, objectName, objectList, units] = [85, 111, 77, 76, 117]
type Value = { type: number; value: unknown }
const [objectError, unknownObject, propertyError, unknownProperty, services] = [1, 31, 2, 32, 5]
const readMultiple = 14
const allOfIt = 0xffffffff

/** A line of datagrams for the library, in place of its own. */
class Line extends EventEmitter {
  readonly askers = new Map<number, number>()
  how: Behaviour = 'good'
  lateMs = 100
  #socket = createSocket('udp4')
  #port = 0
  readonly #timers = new Set<NodeJS.Timeout>()
  /** Requests that the device never hears: services by number. */
  readonly refused = new Set<number>()

  constructor() {
    super()
    this.#socket.on('message', (bytes, from) => this.#hear(bytes, from))
  }
  get port() {
    return this.#port
  }
  getBroadcastAddress = () => '127.255.255.255'
  getMaxPayload = () => 1482
  open() {}
  async start() {
    this.#socket.bind(0, '127.0.0.1')
    await once(this.#socket, 'listening')
    this.#port = this.#socket.address().port
  }
  /** Restarts; pending requests are lost. */
  restart() {
    this.#socket.close()
    this.#socket = createSocket('udp4').on('message', (bytes, from) => this.#hear(bytes, from))
    this.#socket.bind(this.#port, '127.0.0.1')
  }
  close() {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#socket.close()
  }
  send(buffer: Buffer, length: number, receiver?: string) {
    const [host, port] = (receiver ?? '').split(':')
    if (!host || !port) return
    const isSearch = buffer[6] === 0x10
    const bytes = Buffer.from(buffer.subarray(0, length))
    const send = (sent: Buffer) => this.#socket.send(sent, Number(port), host, () => {})
    if (isSearch || this.how === 'good' || this.how === 'refused') return send(bytes)
    if (this.how === 'cut') return send(bytes.subarray(0, bytes.length - 2))
    if (this.how === 'garbled') return send(Buffer.concat([bytes.subarray(0, 9), Buffer.of(0xff, 0xff), bytes.subarray(11)]))
    if (this.how !== 'late') return
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      send(bytes)
    }, this.lateMs)
    this.#timers.add(timer)
  }
  #hear(bytes: Buffer, { address, port }: { address: string; port: number }) {
    this.askers.set(port, performance.now())
    if (this.how !== 'silent') this.emit('message', bytes, `${address}:${port}`)
  }
}

type Options = {
  instance?: number
  lateMs?: number
  largest?: number
  isSimple?: boolean
  /** Another device, whose presence it tells as a BBMD would. */
  beside?: { instance: number; port: number }
}
/** `instance`: its number. `largest`: properties of one answer. `isSimple`: it reads one property at a time, and tells no changes. */
export const startBacnet = async ({ instance = 1001, lateMs = 100, largest = 100, isSimple = false, beside }: Options = {}) => {
  const line = new Line()
  line.lateMs = lateMs
  await line.start()
  const client = new BACnetClient({ transport: line })
  const held = new Map<string, Value[]>()
  const keyOf = (type: number, number: number, property: number) => `${type}:${number}/${property}`
  const asked: number[] = []
  const written: { key: string; priority: number; value: unknown }[] = []
  const subscribers = new Map<string, { process: number; to: { address: string } }>()
  const senderOf = (header: { sender: { address?: string } } | undefined) => ({ address: header?.sender.address ?? '' })

  client.on('whoIs', ({ header, payload }) => {
    const to = senderOf(header)
    if (payload.lowLimit !== beside?.instance) return client.iAmResponse(to, instance, 3, 999)
    const iAm = Buffer.from('01001000c4020000002205c49103210a', 'hex')
    iAm.writeUInt16BE(beside!.instance, 7)
    const head = Buffer.of(0x81, 4, 0, 10 + iAm.length, 127, 0, 0, 1, beside!.port >> 8, beside!.port & 255)
    line.send(Buffer.concat([head, iAm]), head.length + iAm.length, to.address)
  })
  client.on('readProperty', ({ header, service, invokeId, payload }) => {
    const { objectId, property } = payload
    asked.push(1)
    const values = held.get(keyOf(objectId.type, objectId.instance, property.id))
    const isPart = property.index !== allOfIt && property.index !== undefined
    const part =
      isPart && values
        ? property.index === 0
          ? { type: ApplicationTag.UNSIGNED_INTEGER, value: values.length }
          : values[property.index - 1]
        : undefined
    if (line.how === 'refused') client.errorResponse(senderOf(header), service!, invokeId!, services, 0)
    else if (!values || (isPart && !part)) client.errorResponse(senderOf(header), service!, invokeId!, objectError, unknownObject)
    else client.readPropertyResponse(senderOf(header), invokeId!, objectId, property, (part ? [part] : values) as never)
  })
  if (!isSimple)
    client.on('readPropertyMultiple', ({ header, invokeId, payload }) => {
      const count = payload.properties.flatMap((o) => o.properties).length
      asked.push(count)
      const to = senderOf(header)
      if (line.how === 'refused') return client.errorResponse(to, readMultiple, invokeId!, services, 0)
      // Abort: segmentation is not supported.
      if (count > largest) return line.send(Buffer.of(0x81, 10, 0, 9, 1, 0, 0x71, invokeId!, 4), 9, to.address)
      const isKnown = (o: { type: number; instance: number }) => [...held.keys()].some((key) => key.startsWith(`${o.type}:${o.instance}/`))
      const answers = payload.properties.map(({ objectId, properties }) => ({
        objectId,
        values: properties.map((property) => {
          const [errorClass, errorCode] = isKnown(objectId) ? [propertyError, unknownProperty] : [objectError, unknownObject]
          const error = [{ type: 105, value: { type: 'BacnetError', errorClass, errorCode } }]
          return { property, value: held.get(keyOf(objectId.type, objectId.instance, property.id)) ?? error }
        }),
      }))
      client.readPropertyMultipleResponse(to, invokeId!, answers as never)
    })
  client.on('writeProperty', ({ header, service, invokeId, payload }) => {
    const { objectId, value } = payload
    const key = keyOf(objectId.type, objectId.instance, value.property.id)
    const given = value.value[0] as Value
    written.push({ key, priority: value.priority, value: given.value })
    held.set(key, [{ type: given.type, value: given.value }])
    client.simpleAckResponse(senderOf(header), service!, invokeId!)
  })
  const notify = (type: number, number: number) => {
    const subscriber = subscribers.get(`${type}:${number}`)
    if (!subscriber) return
    const values = [presentValue, statusFlags].flatMap((id) => {
      const value = held.get(keyOf(type, number, id))
      return value ? [{ property: { id, index: allOfIt }, value }] : []
    })
    const objectId = { type, instance: number }
    client.unconfirmedCOVNotification(subscriber.to, subscriber.process, instance, objectId, 60, values as never)
  }
  if (!isSimple)
    client.on('subscribeCov', ({ header, service, invokeId, payload }) => {
      const { type, instance: number } = payload.monitoredObjectId
      if (!held.has(keyOf(type, number, presentValue)))
        return client.errorResponse(senderOf(header), service!, invokeId!, objectError, unknownObject)
      subscribers.set(`${type}:${number}`, { process: payload.subscriberProcessId, to: senderOf(header) })
      client.simpleAckResponse(senderOf(header), service!, invokeId!)
      notify(type, number)
    })
  const set = (type: number, number: number, property: number, ...values: Value[]) => {
    held.set(keyOf(type, number, property), values)
    if (property === presentValue) notify(type, number)
  }
  return {
    port: line.port,
    instance,
    set,
    real: (number: number, value: number, type = analogInput) => set(type, number, presentValue, { type: ApplicationTag.REAL, value }),
    flags: (type: number, number: number, bits: number) =>
      set(type, number, statusFlags, { type: ApplicationTag.BIT_STRING, value: { bitsUsed: 4, value: [bits] } }),
    held: (type: number, number: number) => held.get(keyOf(type, number, presentValue))?.[0]?.value,
    /** Properties of each request. */
    asked,
    written,
    subscribers,
    behave: (how: Behaviour) => {
      line.how = how
    },
    cut: () => line.restart(),
    connections: () => [...line.askers.values()].filter((at) => performance.now() - at < 300).length,
    close: () => line.close(),
  }
}
