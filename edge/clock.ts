/** The gateway's clock: the machine's (`wall`, epoch ms), and what it has been set off by. */
export const startClock = (wall = Date.now) => {
  let offset = 0
  return {
    now: () => Math.round(wall() + offset),
    /** Moves the clock by ms. */
    shift: (ms: number) => {
      offset += ms
    },
  }
}
export type Clock = ReturnType<typeof startClock>

const earliest = Date.UTC(2022, 0, 1)
const dayMs = 86_400_000

/** False when a server time cannot be right: before 2022 or more than a day off (result code 5). */
export const isPlausible = (clock: Clock, ts: number) => ts >= earliest && Math.abs(ts - clock.now()) <= dayMs

/** NTP adjusts a clock by less than this in one step, ms. */
const stepMs = 1000
/** How often it is looked at, ms. */
const lookMs = 1000

/**
 * Calls `onSet` with the difference in ms when somebody sets the machine's clock. `steady` is a monotonic clock in ms. Where it is set back by up to a day
 * the gateway's goes on as if it had not been: readings that seem older than those before would be history to the server. Only
 * the server knows the right time then.
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
