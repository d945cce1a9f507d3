/** Arrival numbers are the clock's ms times this plus a count, so that they grow across restarts and processes. */
const perMs = 1024

export type Numbers = ReturnType<typeof openNumbers>
/** Arrival numbers of all shards. `clock` in epoch ms. */
export const openNumbers = (clock: () => number) => {
  let last = 0
  return {
    /** The first of so many that nobody has had. */
    take: (amount: number) => {
      const first = Math.max(last + 1, clock() * perMs)
      last = first + amount - 1
      return first
    },
    /** Those up to it were given by a process before. */
    given: (n: number) => {
      last = Math.max(last, n)
    },
    top: () => last,
  }
}
