import { patience } from '../front-door.ts'

/** How often a fault is repeated: few times in `npm test`, as often as the table asks in `npm run test:faults`. */
export const isLong = process.env.FAULT_ROUNDS === 'long'
export const rounds = (short: number, long: number) => (isLong ? long : short)
export const pause = (ms: number) => new Promise((r) => setTimeout(r, ms))
/** Seconds, for the table. */
export const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
/** Time for a test of so many rounds, were everything late once: its waits say what did not come before this does. ms */
export const inTime = (rounds: number) => ({ timeout: 2 * patience + rounds * 60_000 })
