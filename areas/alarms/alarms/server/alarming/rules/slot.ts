// One test at one point: what is known of it, as plain JSON, and what readings and time do to it.
import { meets, moves, type Test } from './rule.ts'

export type Slot = {
  point: number
  /** Newest judged reading; time 0 before the first. */
  time: number
  value: number | null
  /** The test is met by it. */
  met: boolean
  /** Since when, ms. */
  since: number
  /** Times at which the test came to be met, within the window. */
  hits: number[]
  /** The condition is met: immediately, for its duration, or often enough. */
  holds: boolean
  /** When a silence began, or a timed look was last due. */
  from: number
}

export const emptySlot = (point: number, now: number): Slot => ({
  ...{ point, time: 0, value: null, met: false, since: 0, hits: [], holds: false, from: now },
})

/** What follows from `met` and `hits` at `time`. */
const weigh = (slot: Slot, test: Test, time: number) => {
  if (test.trigger === 1) slot.holds = slot.met
  else if (test.trigger === 2) slot.holds = slot.met && (slot.holds || time >= slot.since + test.ms)
  else {
    // No more than the newest `times` are ever asked for.
    slot.hits = slot.hits.slice(-test.times).filter((hit) => hit > time - test.ms)
    slot.holds = slot.hits.length >= test.times
  }
}

/** A good reading, not older than the one before. */
export const read = (slot: Slot, test: Test, time: number, value: number) => {
  const before = slot.value
  slot.time = time
  slot.value = value
  if (test.style === 4) return
  if (test.style === 3) {
    slot.from = Math.max(slot.from, time)
    slot.met = false
    slot.holds = false
    return
  }
  const met = test.style === 1 ? meets(test, value, slot.met) : before !== null && moves(test, before, value)
  // Each change is a time of its own; a value that stays beyond its limit is one.
  if (met && (!slot.met || test.style === 2)) {
    slot.since = time
    if (test.trigger === 3) slot.hits.push(time)
  }
  slot.met = met
  weigh(slot, test, time)
}

/** When time alone may change it, epoch ms. */
export const dueOf = (slot: Slot, test: Test): number => {
  if (test.style === 3) return slot.holds ? Number.POSITIVE_INFINITY : slot.from + test.ms
  if (test.style === 4) return (Math.floor(slot.from / test.ms) + 1) * test.ms
  if (test.trigger === 2 && slot.met && !slot.holds) return slot.since + test.ms
  if (test.trigger === 3 && slot.holds) return slot.hits.at(-test.times)! + test.ms
  return Number.POSITIVE_INFINITY
}

/** A timed look that would find what the one before found. */
export const isStill = (slot: Slot, test: Test): boolean =>
  test.style === 4 && slot.holds === slot.met && slot.met === (slot.value !== null && meets(test, slot.value, slot.met))

/** What is due at `time`, which is not before `dueOf`. */
export const elapse = (slot: Slot, test: Test, time: number) => {
  if (test.style === 3) {
    slot.met = true
    slot.holds = true
    slot.since = time
  } else if (test.style === 4) {
    slot.from = time
    slot.met = slot.value !== null && meets(test, slot.value, slot.met)
    slot.holds = slot.met
  } else weigh(slot, test, time)
}

/** The device's clock was ahead by `ms` and is back: what has begun has lasted as long as it had. */
export const setBack = (slot: Slot, ms: number) => {
  slot.time -= ms
  slot.since -= ms
  slot.from -= ms
  slot.hits = slot.hits.map((hit) => hit - ms)
}
