import type { ownServer } from '../faults/own-server.ts'

/**
 * Returns the lowest of up to six measurements, and stops at the first below `enough`. A busy machine causes outliers; slow code is slow
 * every time.
 */
export const least = async (enough: number, measure: () => Promise<number>) => {
  let best = Number.POSITIVE_INFINITY
  for (let n = 0; n < 6 && best >= enough; n++) best = Math.min(best, await measure())
  return best
}

/** Measures the highest event loop lag of a server during some work, in ms. Reading the metric resets it. */
export const latenessOf = (own: ReturnType<typeof ownServer>) => (enough: number, work: () => Promise<void>) => {
  const lag = async () => 1000 * (await own.figure('nodejs_eventloop_lag_max_seconds'))
  return least(enough, async () => {
    await lag()
    await work()
    return lag()
  })
}
