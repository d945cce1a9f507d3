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

/** How long one piece of work may take, ms. */
const pieceMs = 5
/** For work in many small pieces: waits for a turn of its own whenever the pieces since the last one have taken long. */
export const pausing = () => {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < pieceMs) return
    await ownTurn()
    since = performance.now()
  }
}
