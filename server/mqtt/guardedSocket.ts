import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { Throttle } from '../jobs/throttle.ts'
import { ConnectionThrottle } from './connectionThrottle.ts'
import type { Shares } from './controlThrottle.ts'
import type { Limits } from './limits.ts'
import type { Account, MemoryBudget } from './memoryBudget.ts'
import type { Refusal } from './uplink.ts'

/** What a message costs beside its bytes while it waits, about. */
const messageBytes = 256
type Take = (first: number, body: Buffer) => 'taken' | 'reading' | 'other'

const [CONNECT, PUBLISH, PINGREQ, PINGRESP] = [1, 3, 0xc0, Buffer.from([0xd0, 0])]

/**
 * A connection as the broker sees it. Reads the fixed header of each packet (MQTT 3.1.1, 2.2) as it passes: one that is too long,
 * or that is not CONNECT at first, cuts the connection before its body is in memory.
 *
 * Backpressure: reading stops while the connection is over its rate, holds too much that is not committed, or does not take what is
 * sent to it. TCP then slows down the sender only.
 */
export class GuardedSocket extends Duplex {
  readonly #socket: Socket
  #limits: Limits
  readonly #refuse: (reason: Refusal, detail: string) => void
  readonly throttle: ConnectionThrottle
  readonly #budget: MemoryBudget
  readonly #account: Account = { used: 0, tenant: undefined, resume: () => this.flow() }
  /** Bytes of the current packet's body still to come; 0 inside a fixed header. */
  #body = 0
  #header: number[] = []
  #take: Take | undefined
  /** Fixed header of a packet on its way to `#take`, and what has come of its body. */
  #intercepted: Buffer | undefined
  #parts: Buffer[] = []
  /** What was read and must wait. */
  #backlog: Buffer | undefined
  #silence: NodeJS.Timeout | undefined
  #connected = false
  #wanted = false
  #inFlight = 0
  #inFlightBytes = 0
  #unsent = 0
  #planned = 0
  #delay: NodeJS.Timeout | undefined

  constructor(socket: Socket, limits: Limits, budget: MemoryBudget, refuse: (reason: Refusal, detail: string) => void) {
    super({ allowHalfOpen: false })
    this.#socket = socket
    this.#limits = limits
    this.#budget = budget
    this.#refuse = refuse
    this.throttle = new ConnectionThrottle(limits)
    socket.on('data', (chunk) => this.#receive(chunk))
    socket.on('end', () => {
      // The peer has ended. Buffered packets are still processed, except control packets above the rate limit.
      const rest = this.#backlog
      this.#backlog = undefined
      if (rest) this.#inspect(rest, () => true)
      this.#backlog = undefined
      this.push(null)
    })
    socket.on('error', (error) => this.destroy(error))
    socket.on('close', () => this.destroy())
    // Node restarts the time-out whenever the kernel takes some of the bytes.
    socket.on('timeout', () => this.cut('slowReader', `It took none of ${this.#unsent} bytes for ${limits.unsentTimeoutMs / 1000} s.`))
    socket.pause()
  }

  /** Bytes that wait to be sent. */
  get unsent() {
    return this.#unsent + this.#planned
  }

  /** So many bytes more, or less, will be written at the end of this turn. */
  plan(bytes: number) {
    this.#planned += bytes
  }

  /** The tenant is known: from now on the connection shares its rate and its memory. Who may send more has limits of its own. */
  join(tenant: number | undefined, shared: Throttle | undefined, shares: Shares, limits = this.#limits) {
    this.#limits = limits
    this.#account.tenant = tenant
    this.throttle.join(shared, shares)
  }

  /** Called around the time a message waits for its commit. */
  hold(bytes: number) {
    this.#inFlight++
    this.#inFlightBytes += bytes
    this.#budget.hold(this.#account, bytes + messageBytes)
  }
  release(bytes: number) {
    this.#inFlight--
    this.#inFlightBytes -= bytes
    this.#budget.release(this.#account, bytes + messageBytes)
    this.flow()
  }

  cut(reason: Refusal, detail: string) {
    if (this.destroyed) return
    this.#refuse(reason, detail)
    this.destroy()
  }

  /** From now on messages go to `take`, and to the broker what it does not take. */
  intercept(take: Take) {
    this.#take = take
  }

  /** Cuts the connection when nothing has come for so long, unless it is we who do not read. */
  expectWithin(ms: number) {
    this.#silence = setTimeout(() => {
      if (!this.#socket.isPaused()) this.destroy()
      else this.#silence?.refresh()
    }, ms)
  }

  /** Reads on, or does not, as things are now. */
  flow() {
    if (this.destroyed || this.#delay || this.#isThrottled()) return
    const rest = this.#backlog
    if (rest && this.#hasRoom()) {
      this.#backlog = undefined
      this.#inspect(rest)
      if (this.destroyed || this.#isThrottled()) return
    }
    if (this.#wanted && !this.#backlog && this.#hasRoom()) this.#socket.resume()
    else this.#socket.pause()
  }

  #isThrottled() {
    const over = this.throttle.wait()
    if (!over) return false
    this.#socket.pause()
    this.#delay = setTimeout(() => {
      this.#delay = undefined
      this.flow()
    }, over.ms)
    if (over.reason === 'flooding') this.cut(over.reason, over.detail)
    else this.#refuse(over.reason, over.detail)
    return true
  }

  #hasRoom = () =>
    this.#inFlight < this.#limits.inFlight &&
    this.#inFlightBytes < this.#limits.inFlightBytes &&
    this.unsent <= this.#limits.unsentPauseBytes &&
    this.#budget.admits(this.#account)

  #receive(chunk: Buffer) {
    if (this.destroyed) return
    this.#silence?.refresh()
    if (this.#backlog) this.#backlog = Buffer.concat([this.#backlog, chunk])
    else this.#inspect(chunk)
    if (!this.destroyed) this.flow()
  }

  #pass(bytes: Buffer) {
    if (bytes.length) this.#wanted = this.push(bytes)
  }

  /**
   * Follows the packets through a chunk, and passes on what the broker is to see: a fixed header only when it is whole. Stops after a
   * packet when there is no room for another one; the rest becomes the backlog.
   */
  #inspect(chunk: Buffer, hasRoom = this.#hasRoom) {
    // What lies between `from` and `at`, but for a header that is not whole, is for the broker.
    let from = 0
    let headerAt = 0
    for (let at = 0; at < chunk.length; ) {
      if (this.#body) {
        const part = Math.min(this.#body, chunk.length - at)
        this.#body -= part
        at += part
        if (!this.#intercepted) continue
        this.#parts.push(chunk.subarray(at - part, at))
        from = at
        if (this.#body) continue
        this.#hand()
        if (at < chunk.length && (this.throttle.isOverOthers() || !hasRoom())) {
          this.#backlog = chunk.subarray(at)
          return
        }
        continue
      }
      const byte = chunk[at++]!
      if (!this.#header.length) {
        headerAt = at - 1
        if (this.throttle.holdsBack(byte)) {
          this.#pass(chunk.subarray(from, headerAt))
          this.#backlog = chunk.subarray(headerAt)
          return
        }
      }
      this.#header.push(byte)
      if (this.#header.length === 1 || byte & 0x80) {
        if (this.#header.length < 5) continue
        return this.cut('protocol', 'A remaining length has at most four bytes.')
      }
      const length = this.#header.slice(1).reduce((sum, b, i) => sum + (b & 0x7f) * 128 ** i, 0)
      const first = this.#header[0]!
      if (!this.#admit(first, length)) return
      this.#body = length
      // Of a header that began in an earlier chunk the first part has not been passed on.
      const early = Math.max(0, this.#header.length - at)
      // To the broker, a ping would take twice the time.
      const isPing = this.#take && first === PINGREQ && !length
      if (isPing || (this.#take && length && first >> 4 === PUBLISH)) {
        this.#pass(chunk.subarray(from, headerAt))
        from = at
        if (isPing) this.#send(PINGRESP)
        else this.#intercepted = Buffer.from(this.#header)
      } else if (early) this.#pass(Buffer.from(this.#header.slice(0, early)))
      this.#header = []
      headerAt = chunk.length
    }
    this.#pass(chunk.subarray(from, this.#header.length ? headerAt : chunk.length))
  }

  /** An intercepted packet is whole. */
  #hand() {
    const body = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts)
    const header = this.#intercepted!
    this.#parts = []
    this.#intercepted = undefined
    const kind = this.#take!(header[0]!, body)
    if (kind === 'other') this.throttle.takeOther(body.length)
    if (kind !== 'taken') this.#pass(Buffer.concat([header, body]))
  }

  #admit(first: number, length: number): boolean {
    const type = first >> 4
    if (!this.#connected && type !== CONNECT) {
      this.cut('protocol', 'The first packet is not CONNECT.')
      return false
    }
    const most = this.#connected && type === PUBLISH ? this.#limits.maxPacketBytes : this.#limits.maxConnectBytes
    if (length > most) {
      this.cut('tooLarge', `A packet of ${length} bytes; at most ${most}.`)
      return false
    }
    this.#connected = true
    this.throttle.take(first, length)
    return true
  }

  override _read() {
    this.#wanted = true
    this.flow()
  }

  /** All writes go through here, so the limit of unsent bytes applies to every writer. */
  #send(chunk: Buffer) {
    this.#unsent += chunk.length
    this.#socket.write(chunk, () => {
      this.#unsent -= chunk.length
      if (this.destroyed || this.unsent > this.#limits.unsentPauseBytes) return
      if (this.#socket.timeout) this.#socket.setTimeout(0)
      if (this.#socket.isPaused()) this.flow()
    })
    if (this.#unsent > this.#limits.unsentBytes) return this.cut('slowReader', `It did not take ${this.#unsent} bytes.`)
    if (this.#unsent <= this.#limits.unsentPauseBytes || this.#socket.timeout) return
    this.#socket.setTimeout(this.#limits.unsentTimeoutMs)
    this.#socket.pause()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void) {
    this.#send(chunk)
    done()
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void) {
    this.#socket.cork()
    for (const { chunk } of chunks) if (!this.destroyed) this.#send(chunk)
    this.#socket.uncork()
    done()
  }

  override _final(done: (error?: Error | null) => void) {
    this.#socket.end(() => done())
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void) {
    clearTimeout(this.#delay)
    clearTimeout(this.#silence)
    this.#budget.leave(this.#account)
    this.#backlog = undefined
    this.#socket.destroy()
    done(error)
  }
}
