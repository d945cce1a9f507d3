/** Arrival numbers are the clock's ms times this plus a count, so that they grow across restarts and processes. */
const perMs = 1024

export type Numbers = ReturnType<typeof openNumbers>
/** Arrival numbers of all shards. `clock` in epoch ms. */
export const openNumbers = (clock: () => number) => {
  let last = 0
  return {
    /** Reserves a range and returns its first number. */
    take: (amount: number) => {
      const first = Math.max(last + 1, clock() * perMs)
      last = first + amount - 1
      return first
    },
    /** Skips numbers assigned by an earlier process. */
    given: (n: number) => {
      last = Math.max(last, n)
    },
    top: () => last,
  }
}
