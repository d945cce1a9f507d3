import type { RemoteInfo } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import type { Allowed } from '../../../contract/networks.ts'
import { bacnet as protocol } from '../../../contract/protocols/bacnet.ts'
import { settingOf } from '../../../contract/protocols/settings.ts'
import { type ChannelRow, DriverFault, type Frame } from '../driver.ts'
import {
  ackPacket,
  confirmedPacket,
  type Message,
  meaningOf,
  type Notification,
  type Place,
  readMessage,
  registerPacket,
  service,
  whoIsPacket,
} from './frames.ts'
import { join, type Shared } from './socket.ts'

/** Timeout of Who-Is, and lifetime of a foreign device registration. */
const [searchMs, registeredSeconds] = [300, 120]
const connectMs = 3000

/** A device refused a request: an error of clause 18, or a reason to reject or abort it. */
export class Refused extends Error {
  readonly kind: 'error' | 'reject' | 'abort'
  readonly code: number
  readonly of: number
  constructor(kind: Refused['kind'], of: number, code: number) {
    super(kind === 'error' ? `error of class ${of}, code ${code}` : `${kind}, reason ${code}`)
    this.kind = kind
    this.of = of
    this.code = code
  }
}
type Waiting = { host: string; port: number; choice: number; settle(body: Buffer | undefined, fault?: Error): void }

/** Link to the devices of a BACnet/IP network. */
export class BacnetLink {
  readonly #channel: ChannelRow
  readonly #instances: readonly number[]
  readonly #places = new Map<number, Place>()
  readonly #waiting = new Map<number, Waiting>()
  #socket: Shared | undefined
  #host = ''
  #id = 0
  #registering: NodeJS.Timeout | undefined
  #registered: ((code: number) => void) | undefined
  #trace: ((frame: Frame) => void) | undefined
  /** Receives unsolicited values. */
  notified: ((notification: Notification, from: number | undefined) => void) | undefined

  readonly #reach: Allowed | undefined

  constructor(channel: ChannelRow, instances: readonly number[], reach?: Allowed) {
    this.#channel = channel
    this.#instances = instances
    this.#reach = reach
  }

  get connected() {
    return this.#socket !== undefined
  }
  trace(receive: ((frame: Frame) => void) | undefined) {
    this.#trace = receive
  }

  /** Opens the port, registers with a BBMD, and searches the devices. @throws DriverFault down */
  async open() {
    this.close()
    const { Ip, Settings } = this.#channel
    const { address } = await lookup(Ip!, { family: 4 }).catch((error: Error) => {
      throw new DriverFault('down', error.message)
    })
    this.#host = address
    const socket = await join(Number(settingOf(protocol.channel, Settings, 'LocalPort')), (bytes, from) => this.#hear(bytes, from))
    this.#socket = socket
    try {
      if (this.#isForeign) await this.#register()
      await this.search()
    } catch (error) {
      this.close()
      throw error
    }
    if (this.#socket !== socket) throw new DriverFault('down', 'closed')
  }

  close() {
    clearInterval(this.#registering)
    this.#socket?.leave()
    this.#socket = undefined
    this.#places.clear()
    this.#registered?.(0xffff)
    for (const { settle } of [...this.#waiting.values()]) settle(undefined, new DriverFault('down', 'closed'))
  }

  /** Searches devices that have not been found. Silent devices are assumed to be at the channel's address. */
  async search() {
    const missing = this.#instances.filter((instance) => !this.#places.has(instance))
    const isBroadcast = this.#host.endsWith('.255')
    for (const instance of missing) this.#send(whoIsPacket(instance, this.#isForeign, isBroadcast), this.#target)
    for (let waited = 0; waited < searchMs && missing.some((instance) => !this.#places.has(instance)); waited += 20)
      await new Promise((resolve) => setTimeout(resolve, 20))
  }

  /** Sends a request to a device. @throws DriverFault silent, garbled, down; Refused */
  ask(instance: number, choice: number, body: Buffer, timeoutMs: number): Promise<Buffer> {
    if (!this.#socket) return Promise.reject(new DriverFault('down', 'not connected'))
    const id = this.#freeId()
    if (id === undefined) return Promise.reject(new DriverFault('down', 'too many questions at once'))
    const to = this.#places.get(instance) ?? this.#target
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.get(id)?.settle(undefined, new DriverFault('silent', `no answer within ${timeoutMs} ms`))
      }, timeoutMs)
      const settle: Waiting['settle'] = (answer, fault) => {
        clearTimeout(timer)
        this.#waiting.delete(id)
        if (fault || !answer) reject(fault)
        else resolve(answer)
      }
      this.#waiting.set(id, { host: to.host, port: to.port, choice, settle })
      this.#send(confirmedPacket(to, id, choice, body), to)
    })
  }

  get #isForeign() {
    return settingOf(protocol.channel, this.#channel.Settings, 'IsForeign') === 1
  }
  get #target(): Place {
    return { host: this.#host, port: this.#channel.Port! }
  }

  /** Cycles through the invoke Ids, so that a late answer meets a free Id or that of another device. */
  #freeId(): number | undefined {
    for (let i = 0; i < 256; i++) {
      this.#id = (this.#id + 1) % 256
      if (!this.#waiting.has(this.#id)) return this.#id
    }
    return undefined
  }

  #send(bytes: Buffer, { host, port }: Place) {
    this.#trace?.({ isSent: true, bytes, meaning: meaningOf(bytes, true) })
    this.#socket?.send(bytes, port, host)
  }

  async #register() {
    const ask = () => this.#send(registerPacket(registeredSeconds), this.#target)
    const code = await new Promise<number>((resolve) => {
      const timer = setTimeout(() => resolve(-1), connectMs)
      this.#registered = (answer) => {
        clearTimeout(timer)
        resolve(answer)
      }
      ask()
    })
    this.#registered = undefined
    if (code !== 0)
      throw new DriverFault('down', code < 0 ? `${this.#host}: no BBMD answers` : `${this.#host}: the BBMD refuses to register`)
    this.#registering = setInterval(ask, (registeredSeconds / 3) * 1000)
  }

  #hear(bytes: Buffer, { address, port }: RemoteInfo) {
    let message: Message
    try {
      message = readMessage(bytes)
    } catch (error) {
      // Ignore datagrams from any address but the device's.
      const asked = [...this.#waiting.values()].find((w) => w.host === address && w.port === port)
      if (asked) this.#tell(bytes)
      asked?.settle(undefined, new DriverFault('garbled', (error as Error).message))
      return
    }
    this.#take(message, bytes, address, port)
  }

  #tell(bytes: Buffer) {
    this.#trace?.({ isSent: false, bytes, meaning: meaningOf(bytes, false) })
  }

  #take(message: Message, bytes: Buffer, host: string, port: number) {
    if (message.kind === 'iAm') {
      if (!this.#instances.includes(message.instance)) return
      this.#tell(bytes)
      const place = { host: message.host ?? host, port: message.port ?? port }
      if (this.#reach && !this.#reach(place.host, place.port)) return
      this.#places.set(message.instance, { ...place, ...message.place })
      return
    }
    if (message.kind === 'result') {
      if (host === this.#host) this.#registered?.(message.code)
      return
    }
    if (message.kind === 'cov') {
      const from = [...this.#places].find(([, place]) => place.host === host && place.port === port)?.[0]
      this.#tell(bytes)
      if (message.ask) this.#send(ackPacket({ host, port }, message.ask.id, service.confirmedCov), { host, port })
      this.notified?.(message.notification, from)
      return
    }
    if (message.kind === 'other') return
    const waiting = this.#waiting.get(message.id)
    if (waiting?.host !== host || waiting.port !== port) return
    this.#tell(bytes)
    if (message.kind === 'error') waiting.settle(undefined, new Refused('error', message.error.kind, message.error.code))
    else if (message.kind !== 'ack') waiting.settle(undefined, new Refused(message.kind, 0, message.reason))
    else if (message.choice !== waiting.choice) waiting.settle(undefined, new DriverFault('garbled', 'an answer to another question'))
    else waiting.settle(message.body)
  }
}
