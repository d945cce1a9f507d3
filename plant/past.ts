// The plant as it was: a day is simulated from a state that follows from its date, so that any day can be had without those before it.
import { demoPlant } from '../contract/demo-plant.ts'
import { day, sumsBefore } from './model/conditions.ts'
import { counters, setTotal, total, totalBefore } from './model/counters.ts'
import { seeded } from './model/random.ts'
import { newWorld, step, type World } from './model/world.ts'

/** s: what levels and temperatures need to forget where they began; one step. */
const warmUp = 7200
const coarse = 15

const before = (start: number) => {
  const w = newWorld(start - warmUp, demoPlant.length)
  const epochDay = Math.floor(start / day)
  // What has gathered since the last night shift.
  const load = sumsBefore(epochDay).demand - sumsBefore(epochDay - 1).demand
  for (const f of w.water.filters) Object.assign(f, { dirt: 0.44 * load, runMinutes: 1150 })
  w.treatment.coagulant.level = 95 - 38 * load
  w.treatment.chlorine.level = 95 - 29 * load
  return w
}

/** Takes `look` through a day (epoch s of its 00:00 UTC), every 15 s from its beginning to its end. */
export const through = (start: number, look: (w: World) => void) => {
  const w = before(start)
  const random = seeded(start / day)
  while (w.seconds < start) step(w, coarse, random, coarse)
  look(w)
  while (w.seconds < start + day) {
    step(w, coarse, random, coarse)
    look(w)
  }
}

/**
 * Maps what a simulated day has counted, and the share of the day that is over, to what the totals show then: from their value at its
 * beginning to that at its end.
 */
export const scales = (start: number, first: readonly number[], last: readonly number[]) =>
  counters.map((of, i) => {
    const from = totalBefore(of, start / day)
    const growth = totalBefore(of, start / day + 1) - from
    const counted = last[i]! - first[i]!
    const isCounted = counted > growth / 100
    return (value: number, share: number) => from + growth * (isCounted ? (value - first[i]!) / counted : share)
  })

/** The plant as it is at a moment of its past or present, totals included. */
export const worldAt = (seconds: number): World => {
  const start = Math.floor(seconds / day) * day
  let [first, last, then] = [[] as number[], [] as number[], undefined as World | undefined]
  through(start, (w) => {
    last = counters.map((of) => total(w, of))
    if (w.seconds === start) first = last
    if (w.seconds <= seconds && w.seconds + coarse > seconds) then = structuredClone(w)
  })
  scales(start, first, last).forEach((scale, i) => {
    setTotal(then!, counters[i]!, scale(total(then!, counters[i]!), seconds / day - start / day))
  })
  then!.seconds = seconds
  return then!
}
