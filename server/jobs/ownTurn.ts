import { setImmediate } from 'node:timers/promises'

let last: Promise<unknown> = Promise.resolve()

/**
 * Waits for an exclusive turn of the event loop. CPU work of several milliseconds starts with it, so that other calls are served
 * between two pieces, however many people ask at once.
 */
export const ownTurn = async () => {
  last = last.then(() => setImmediate())
  await last
}

/** Entries between two looks at the clock. */
const sliceSize = 4096
/** Calls `take` with consecutive slices of `length` entries, yielding to the event loop between them. */
export const inSlices = async (length: number, take: (from: number, to: number) => void) => {
  const pause = pausing()
  for (let from = 0; from < length; from += sliceSize) {
    take(from, Math.min(length, from + sliceSize))
    await pause()
  }
}
/** Runs `steps` to its end, yielding to the event loop between its steps. */
export const inSteps = async <T>(steps: Generator<void, T>): Promise<T> => {
  const pause = pausing()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await pause()
  }
}

/** Maximum duration of a slice, ms. */
const pieceMs = 5
export type Pause = () => Promise<void>
/** For work that is small enough to be done in one go. */
export const noPause: Pause = async () => undefined
/** For loops of many small steps: yields to the event loop once the slice is used up. */
export const pausing = (): Pause => {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < pieceMs) return
    await ownTurn()
    since = performance.now()
  }
}
