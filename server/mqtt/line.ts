import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { maxMessageBytes } from '../../contract/areas/gateway-protocol.ts'
import { type Rate, rate } from './rate.ts'
import type { Room } from './room.ts'
import { isReading } from './shortcut.ts'
import type { Refusal } from './uplink.ts'

export type Limits = {
  /** Bytes of one MQTT packet behind its fixed header. The topic and packet id come on top of the message. */
  maxPacketBytes: number
  /** Bytes of CONNECT, will included: nobody is known yet. */
  maxConnectBytes: number
  /**
   * PUBLISH a second in the long run, and at once. More is delayed by not reading. Twenty gateways that send single values at the
   * rate this server is measured at (docs/performance.md) send 1,500 each.
   */
  messagesPerSecond: number
  burst: number
  /** Messages, and bytes of them, that wait for their commit before nothing more is read from this connection. */
  inFlight: number
  inFlightBytes: number
  /** Bytes of messages of all connections that wait for their commit before nothing more is read from any. */
  inFlightBytesOfAll: number
  /** Bytes that may wait to be sent before the connection is cut. */
  unsentBytes: number
}

export const limits: Limits = {
  maxPacketBytes: maxMessageBytes + 256,
  maxConnectBytes: 16 * 1024,
  messagesPerSecond: 2500,
  burst: 10_000,
  inFlight: 256,
  inFlightBytes: 1024 * 1024,
  // Less than ingest holds (four times `maxBytes` of ingest.ts wait there), which closes connections when that is not enough.
  inFlightBytesOfAll: 24 * 1024 * 1024,
  unsentBytes: 4 * 1024 * 1024,
}

/** What a message costs beside its bytes while it waits, about. */
const messageBytes = 256

const CONNECT = 1
const PUBLISH = 3

/**
 * A connection as the broker sees it. Reads the fixed header of each packet (MQTT 3.1.1, 2.2) as it passes: one that is too long,
 * or that is not CONNECT at first, cuts the connection before its body is in memory. Reading stops while the connection is over
 * its rate or holds too much that is not committed, so TCP slows the sender down and nobody else.
 */
export class Line extends Duplex {
  readonly #socket: Socket
  readonly #limits: Limits
  readonly #refuse: (reason: Refusal, detail: string) => void
  readonly #rate: Rate
  readonly #room: Room
  /** What it has in common with the other connections of its tenant. */
  #shared: Rate | undefined
  /** Bytes of the current packet's body still to come; 0 inside a fixed header. */
  #body = 0
  #header: number[] = []
  #take: ((body: Buffer) => boolean) | undefined
  /** Fixed header of a packet on its way to `#take`, and what has come of its body. */
  #diverted: Buffer | undefined
  #parts: Buffer[] = []
  #silence: NodeJS.Timeout | undefined
  #connected = false
  #wanted = false
  #held = 0
  #heldBytes = 0
  #timer: NodeJS.Timeout | undefined

  constructor(socket: Socket, limit: Limits, room: Room, refuse: (reason: Refusal, detail: string) => void, now = () => performance.now()) {
    super({ allowHalfOpen: false })
    this.#socket = socket
    this.#limits = limit
    this.#room = room
    this.#refuse = refuse
    this.#rate = rate(limit.messagesPerSecond, limit.burst, now)
    socket.on('data', (chunk) => this.#receive(chunk))
    socket.on('end', () => this.push(null))
    socket.on('error', (error) => this.destroy(error))
    socket.on('close', () => this.destroy())
    socket.pause()
    room.join(this)
  }

  /** From now on it also keeps to a rate that others keep to with it. */
  share(common: Rate | undefined) {
    this.#shared = common
  }

  /** Called around the time a message waits for its commit. */
  hold(bytes: number) {
    this.#held++
    this.#heldBytes += bytes
    this.#room.hold(bytes + messageBytes)
  }
  release(bytes: number) {
    this.#held--
    this.#heldBytes -= bytes
    this.#room.release(bytes + messageBytes)
    this.flow()
  }

  cut(reason: Refusal, detail: string) {
    if (this.destroyed) return
    this.#refuse(reason, detail)
    this.destroy()
  }

  /** From now on readings go to `take` instead of the broker, unless it answers false. */
  divert(take: (body: Buffer) => boolean) {
    this.#take = take
  }

  /** Cuts the connection when nothing has come for so long, unless it is we who do not read. */
  expectWithin(ms: number) {
    this.#silence = setTimeout(() => {
      if (!this.#socket.isPaused()) this.destroy()
      else this.#silence?.refresh()
    }, ms)
  }

  #receive(chunk: Buffer) {
    if (this.destroyed) return
    this.#silence?.refresh()
    this.#room.served(this)
    this.#inspect(chunk)
    if (!this.destroyed) this.flow()
  }

  #pass(bytes: Buffer) {
    if (bytes.length) this.#wanted = this.push(bytes)
  }

  /** Follows the packets through a chunk, and passes on what the broker is to see: a fixed header only when it is whole. */
  #inspect(chunk: Buffer) {
    // What lies between `from` and `at`, but for a header that is not whole, is for the broker.
    let from = 0
    let headerAt = 0
    for (let at = 0; at < chunk.length; ) {
      if (this.#body) {
        const part = Math.min(this.#body, chunk.length - at)
        this.#body -= part
        at += part
        if (!this.#diverted) continue
        this.#parts.push(chunk.subarray(at - part, at))
        from = at
        if (!this.#body) this.#hand()
        continue
      }
      const byte = chunk[at++]!
      if (!this.#header.length) headerAt = at - 1
      this.#header.push(byte)
      if (this.#header.length === 1 || byte & 0x80) {
        if (this.#header.length < 5) continue
        return this.cut('protocol', 'A remaining length has at most four bytes.')
      }
      const length = this.#header.slice(1).reduce((sum, b, i) => sum + (b & 0x7f) * 128 ** i, 0)
      const first = this.#header[0]!
      if (!this.#admit(first >> 4, length)) return
      this.#body = length
      // Of a header that began in an earlier chunk the first part has not been passed on.
      const early = Math.max(0, this.#header.length - at)
      if (this.#take && length && isReading(first)) {
        this.#pass(chunk.subarray(from, headerAt))
        from = at
        this.#diverted = Buffer.from(this.#header)
      } else if (early) this.#pass(Buffer.from(this.#header.slice(0, early)))
      this.#header = []
      headerAt = chunk.length
    }
    this.#pass(chunk.subarray(from, this.#header.length ? headerAt : chunk.length))
  }

  /** A diverted packet is whole. */
  #hand() {
    const body = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts)
    const header = this.#diverted!
    this.#parts = []
    this.#diverted = undefined
    if (!this.#take!(body)) this.#pass(Buffer.concat([header, body]))
  }

  #admit(type: number, length: number): boolean {
    if (!this.#connected && type !== CONNECT) {
      this.cut('protocol', 'The first packet is not CONNECT.')
      return false
    }
    const most = this.#connected ? this.#limits.maxPacketBytes : this.#limits.maxConnectBytes
    if (length > most) {
      this.cut('tooLarge', `A packet of ${length} bytes; at most ${most}.`)
      return false
    }
    this.#connected = true
    if (type === PUBLISH) {
      this.#rate.take()
      this.#shared?.take()
    }
    return true
  }

  /** Reads on, or does not, as things are now. */
  flow() {
    if (this.destroyed || this.#timer) return
    const { inFlight, inFlightBytes } = this.#limits
    const own = this.#rate.wait()
    const ours = this.#shared?.wait() ?? 0
    if (own || ours) {
      this.#socket.pause()
      if (own) this.#refuse('limited', `More than ${this.#rate.perSecond} messages a second.`)
      else
        this.#refuse(
          'tenantLimited',
          `The gateways of the enterprise send more than ${this.#shared!.perSecond} messages a second together.`,
        )
      this.#timer = setTimeout(
        () => {
          this.#timer = undefined
          this.flow()
        },
        Math.max(own, ours),
      )
      return
    }
    const hasRoom = this.#held < inFlight && this.#heldBytes < inFlightBytes && !this.#room.full
    if (this.#wanted && hasRoom) this.#socket.resume()
    else this.#socket.pause()
  }

  override _read() {
    this.#wanted = true
    this.flow()
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void) {
    this.#socket.write(chunk, encoding, done)
    this.#bound()
  }

  override _writev(chunks: { chunk: Buffer; encoding: BufferEncoding }[], done: (error?: Error | null) => void) {
    this.#socket.cork()
    chunks.forEach(({ chunk, encoding }, i) => {
      this.#socket.write(chunk, encoding, i === chunks.length - 1 ? done : undefined)
    })
    this.#socket.uncork()
    this.#bound()
  }

  #bound() {
    if (this.writableLength > this.#limits.unsentBytes) this.cut('slowReader', 'It does not read what it asked for.')
  }

  override _final(done: (error?: Error | null) => void) {
    this.#socket.end(() => done())
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void) {
    clearTimeout(this.#timer)
    clearTimeout(this.#silence)
    this.#room.leave(this)
    this.#socket.destroy()
    done(error)
  }
}
