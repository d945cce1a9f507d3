import { setImmediate } from 'node:timers/promises'

let last: Promise<unknown> = Promise.resolve()

/**
 * Waits for an exclusive turn of the event loop. Work that takes milliseconds begins with it: whatever many
 * people ask for, other calls come between two pieces.
 */
export const ownTurn = async () => {
  last = last.then(() => setImmediate())
  await last
}
