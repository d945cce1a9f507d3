// Token buckets: a rate per second and a burst.

/** Debt is forgotten beyond so many bursts. */
const mostDebt = 10

/** A token bucket that refills `perSecond` and holds `burst`. It may go into debt; `wait` is the time until it is paid. */
export const rate = (perSecond: number, burst: number, now: () => number = () => performance.now()) => {
  let left = burst
  let filled = now()
  const fill = () => {
    const at = now()
    left = Math.min(burst, left + ((at - filled) / 1000) * perSecond)
    filled = at
    return left
  }
  return {
    perSecond,
    /** Tokens left now; negative in debt. */
    left: fill,
    take: (count = 1) => {
      left = Math.max(left - count, -mostDebt * burst)
    },
    /** ms until there is no debt; 0 when there is none. */
    wait: (): number => {
      if (left >= 0) return 0
      fill()
      return left < 0 ? (-left / perSecond) * 1000 + 1 : 0
    },
  }
}
export type Rate = ReturnType<typeof rate>

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
export const throttle = (share: Share, now?: () => number) => {
  const { messagesPerSecond, burst, bytesPerSecond, readingsPerSecond } = share
  const messages = rate(messagesPerSecond, burst, now)
  const bytes = rate(bytesPerSecond, burstSeconds * bytesPerSecond, now)
  const readings = rate(readingsPerSecond, burstSeconds * readingsPerSecond, now)
  const units = Object.entries({ messages, bytes, readings })
  return {
    take: (length: number) => {
      messages.take()
      bytes.take(length)
    },
    takeReadings: readings.take,
    /** What is over its limit, and for how many ms; undefined when nothing is. */
    wait: () => {
      let longest: { ms: number; limit: string } | undefined
      for (const [unit, { perSecond, wait }] of units) {
        const ms = wait()
        if (ms > (longest?.ms ?? 0)) longest = { ms, limit: `${perSecond} ${unit} a second` }
      }
      return longest
    },
  }
}
export type Throttle = ReturnType<typeof throttle>
