import { setImmediate } from 'node:timers/promises'

let last: Promise<unknown> = Promise.resolve()

/**
 * Waits for a turn of the event loop that nobody else here has. A piece of work that takes milliseconds begins with it: whatever many
 * people ask for, other calls come between two pieces.
 */
export const ownTurn = async () => {
  last = last.then(() => setImmediate())
  await last
}
