// Token buckets: a rate per second and a burst. Classes, since each connection of a gateway has a dozen.

/** Debt is forgotten beyond so many bursts. */
const mostDebt = 10

/** A token bucket that refills `perSecond` and holds `burst`. It may go into debt; `wait` is the time until it is paid. */
export class Rate {
  readonly perSecond: number
  readonly #burst: number
  readonly #now: () => number
  #left: number
  #filled: number

  constructor(perSecond: number, burst: number, now: () => number) {
    this.perSecond = perSecond
    this.#burst = burst
    this.#now = now
    this.#left = burst
    this.#filled = now()
  }

  /** Tokens left now; negative in debt. */
  left(): number {
    const at = this.#now()
    this.#left = Math.min(this.#burst, this.#left + ((at - this.#filled) / 1000) * this.perSecond)
    this.#filled = at
    return this.#left
  }

  take(count = 1) {
    this.#left = Math.max(this.#left - count, -mostDebt * this.#burst)
  }

  /** ms until there is no debt; 0 when there is none. */
  wait(): number {
    if (this.#left >= 0) return 0
    const left = this.left()
    return left < 0 ? (-left / this.perSecond) * 1000 + 1 : 0
  }
}

const steady = () => performance.now()
export const rate = (perSecond: number, burst: number, now: () => number = steady) => new Rate(perSecond, burst, now)

/** What one gateway, or the gateways of one tenant together, may send: rate per second and burst. */
export type Share = {
  messagesPerSecond: number
  burst: number
  bytesPerSecond: number
  readingsPerSecond: number
}

/** Size of the burst of bytes and readings, in seconds of their rate. */
const burstSeconds = 4

/** Limits messages, their bytes and their readings. Readings are counted once they are decoded. */
export class Throttle {
  readonly #messages: Rate
  readonly #bytes: Rate
  readonly #readings: Rate

  constructor({ messagesPerSecond, burst, bytesPerSecond, readingsPerSecond }: Share, now?: () => number) {
    this.#messages = rate(messagesPerSecond, burst, now)
    this.#bytes = rate(bytesPerSecond, burstSeconds * bytesPerSecond, now)
    this.#readings = rate(readingsPerSecond, burstSeconds * readingsPerSecond, now)
  }

  /** A message of so many bytes. */
  take(length: number) {
    this.#messages.take()
    this.#bytes.take(length)
  }

  takeReadings(count: number) {
    this.#readings.take(count)
  }

  /** What is over its limit, and for how many ms; undefined when nothing is. */
  wait(): { ms: number; limit: string } | undefined {
    const [messages, bytes, readings] = [this.#messages.wait(), this.#bytes.wait(), this.#readings.wait()]
    const ms = Math.max(messages, bytes, readings)
    if (!ms) return
    const [unit, over] =
      ms === messages
        ? (['messages', this.#messages] as const)
        : ms === bytes
          ? (['bytes', this.#bytes] as const)
          : (['readings', this.#readings] as const)
    return { ms, limit: `${over.perSecond} ${unit} a second` }
  }
}
