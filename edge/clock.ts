/** The gateway's clock: the machine's, and what the server has set it off by. */
export const startClock = () => {
  let offset = 0
  return {
    now: () => Math.round(Date.now() + offset),
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
