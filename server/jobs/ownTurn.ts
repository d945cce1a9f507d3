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
