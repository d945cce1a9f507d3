/** The gateway's clock: the machine's (`wall`, epoch ms) plus an offset. */
export const startClock = (wall = Date.now) => {
  let offset = 0
  return {
    now: () => Math.round(wall() + offset),
    /** Shifts the clock by ms. */
    shift: (ms: number) => {
      offset += ms
    },
  }
}
export type Clock = ReturnType<typeof startClock>

const earliest = Date.UTC(2022, 0, 1)
const dayMs = 86_400_000

/** False for an implausible server time: before 2022 or more than a day off (result code 5). */
export const isPlausible = (clock: Clock, ts: number) => ts >= earliest && Math.abs(ts - clock.now()) <= dayMs

/** NTP adjusts a clock by less than this in one step, ms. */
const stepMs = 1000
/** Check interval, ms. */
const lookMs = 1000

/**
 * Calls `onSet` with the difference in ms when the machine's clock is set. `steady` is a monotonic clock in ms. If the machine's clock is set
 * back by up to a day, the gateway's clock continues unchanged, because readings with earlier times would be history to the server. Only
 * the server can then correct the time.
 */
export const watchClock = (clock: Clock, onSet: (ms: number) => void, wall = Date.now, steady: () => number = () => performance.now()) => {
  let before = wall() - steady()
  const timer = setInterval(() => {
    const now = wall() - steady()
    const moved = now - before
    before = now
    if (Math.abs(moved) < stepMs) return
    if (moved < 0 && moved >= -dayMs) clock.shift(-moved)
    onSet(moved)
  }, lookMs)
  return () => clearInterval(timer)
}
