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

/** Maximum duration of a slice, ms. */
const pieceMs = 5
/** For loops of many small steps: yields to the event loop once the slice is used up. */
export const pausing = () => {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < pieceMs) return
    await ownTurn()
    since = performance.now()
  }
}
