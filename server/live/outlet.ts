import type { WebSocket } from 'ws'
import type { Limits } from './limits.ts'
import { valuesFrame } from './protocol.ts'

/**
 * The way out to one client, bounded: one value is queued per point and pushed at most every `pushMs`; when the client does
 * not take what was sent they wait and newer replace older; messages are never left out, so too many unsent end the connection.
 */
export class Outlet {
  pushes = 0
  readonly #socket: WebSocket
  readonly #limits: Limits
  readonly #clock: () => number
  readonly #overflow: () => void
  readonly #pending = new Map<number, string>()
  #lastPush = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #unsent = 0
  #progress = 0

  constructor(socket: WebSocket, limits: Limits, clock: () => number, overflow: () => void) {
    this.#socket = socket
    this.#limits = limits
    this.#clock = clock
    this.#overflow = overflow
  }

  /** Number of the last value push on this connection. */
  get seq() {
    return this.pushes
  }

  /** ms since anything left although something waits to; 0 when nothing waits. */
  stalledFor(now: number) {
    return this.#unsent ? now - this.#progress : 0
  }

  /** Takes a value, as JSON of a LiveValue; `flush` sends it. */
  offer(point: number, value: string) {
    this.#pending.set(point, value)
  }

  withdraw(point: number) {
    this.#pending.delete(point)
  }

  /** Sends what was offered, now when the last push is long enough ago, else as soon as it is. */
  flush() {
    if (!this.#pending.size || this.#timer || this.#socket.readyState !== this.#socket.OPEN) return
    if (this.#socket.bufferedAmount > this.#limits.pauseBytes) return // #sent comes back here
    const wait = this.#lastPush + this.#limits.pushMs - performance.now()
    if (wait > 0) {
      this.#timer = setTimeout(() => {
        this.#timer = undefined
        this.flush()
      }, wait)
      return
    }
    this.#lastPush = performance.now()
    this.pushes++
    const frame = valuesFrame(this.pushes, this.#pending.values())
    this.#pending.clear()
    this.send(frame)
  }

  send(frame: string) {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    if (this.#unsent++ === 0) this.#progress = this.#clock()
    this.#socket.send(frame, () => this.#sent())
    if (this.#socket.bufferedAmount > this.#limits.dropBytes) this.#overflow()
  }

  #sent() {
    this.#unsent--
    this.#progress = this.#clock()
    this.flush()
  }

  close() {
    clearTimeout(this.#timer)
    this.#pending.clear()
  }
}
