// One test at one point: its state as plain JSON, and the effects of readings and time.
import { meets, moves, type Test } from './rule.ts'

export type Slot = {
  point: number
  /** Newest evaluated reading; time 0 before the first. */
  time: number
  value: number | null
  /** Whether that reading meets the test. */
  met: boolean
  /** Start of the current result, ms. */
  since: number
  /** Times at which the test became met, within the window. */
  hits: number[]
  /** The condition is met: immediately, for its duration, or often enough. */
  holds: boolean
  /** Start of the silence, or last due time of a timed check. */
  from: number
}

export const emptySlot = (point: number, now: number): Slot => ({
  ...{ point, time: 0, value: null, met: false, since: 0, hits: [], holds: false, from: now },
})

/** Evaluates `met` and `hits` at `time`. */
const weigh = (slot: Slot, test: Test, time: number) => {
  if (test.trigger === 1) slot.holds = slot.met
  else if (test.trigger === 2) slot.holds = slot.met && (slot.holds || time >= slot.since + test.ms)
  else {
    // Only the newest `times` hits matter.
    slot.hits = slot.hits.slice(-test.times).filter((hit) => hit > time - test.ms)
    slot.holds = slot.hits.length >= test.times
  }
}

/** Applies a good reading, not older than the previous one. */
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
  // Each change counts as a hit; a value that stays beyond its limit counts once.
  if (met && (!slot.met || test.style === 2)) {
    slot.since = time
    if (test.trigger === 3) slot.hits.push(time)
  }
  slot.met = met
  weigh(slot, test, time)
}

/** The next time at which the slot may change without a reading, epoch ms. */
export const dueOf = (slot: Slot, test: Test): number => {
  if (test.style === 3) return slot.holds ? Number.POSITIVE_INFINITY : slot.from + test.ms
  if (test.style === 4) return (Math.floor(slot.from / test.ms) + 1) * test.ms
  if (test.trigger === 2 && slot.met && !slot.holds) return slot.since + test.ms
  if (test.trigger === 3 && slot.holds) return slot.hits.at(-test.times)! + test.ms
  return Number.POSITIVE_INFINITY
}

/** A timed check would find the same result as the previous one. */
export const isStill = (slot: Slot, test: Test): boolean =>
  test.style === 4 && slot.holds === slot.met && slot.met === (slot.value !== null && meets(test, slot.value, slot.met))

/** Applies the deadline at `time`, which is not before `dueOf`. */
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

/** The device's clock was ahead by `ms` and was set back: durations so far stay the same. */
export const setBack = (slot: Slot, ms: number) => {
  slot.time -= ms
  slot.since -= ms
  slot.from -= ms
  slot.hits = slot.hits.map((hit) => hit - ms)
}
