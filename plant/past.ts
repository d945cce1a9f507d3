// The plant as it was: a day is simulated from a state that follows from its date, so that any day can be had without those before it.
import { demoPlant } from '../contract/demo-plant.ts'
import { day, sumsBefore } from './model/conditions.ts'
import { countedBefore, counters, setTotal, shownAt, total } from './model/counters.ts'
import { losses } from './model/meter.ts'
import { seeded } from './model/random.ts'
import { newWorld, step, type World } from './model/world.ts'

/** s: what levels and temperatures need to forget where they began; one step. */
const warmUp = 7200
const coarse = 30

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

/** Takes `look` through a day (epoch s of its 00:00 UTC), every 30 s from its beginning to its end. */
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
 * Maps what the totals of a simulated day show to what their meters have counted since 2024: from its value at the beginning of the day
 * to that at its end, and by the share of the day that is over where nothing moved. A meter of feeders counts what they count.
 */
export const scales = (start: number, first: readonly number[], last: readonly number[]) => {
  const own = counters.map((of, i) => {
    const from = countedBefore(of, start / day)
    const growth = countedBefore(of, start / day + 1) - from
    const moved = last[i]! - first[i]!
    const isMoving = moved > growth / 100
    return (value: number, share: number) => from + growth * (isMoving ? (value - first[i]!) / moved : share)
  })
  const sums = counters.map(({ sum, ...of }) => {
    /** What a meter of feeders counts on top of them. */
    const from = countedBefore(of, start / day)
    return sum && { from, growth: countedBefore(of, start / day + 1) - from, feeders: sum.map((feeder) => counters.indexOf(feeder)) }
  })
  return (totals: readonly number[], share: number) => {
    const counted = totals.map((value, i) => own[i]!(value, share))
    return sums.map((sum, i) =>
      sum
        ? sum.from + share * sum.growth + (1 + losses.share) * sum.feeders.reduce((all, feeder) => all + counted[feeder]!, 0)
        : counted[i]!,
    )
  }
}

/** The plant as it is at a moment of its past or present, totals included. */
export const worldAt = (seconds: number): World => {
  const start = Math.floor(seconds / day) * day
  let [first, last, then] = [[] as number[], [] as number[], undefined as World | undefined]
  through(start, (w) => {
    last = counters.map((of) => total(w, of))
    if (w.seconds === start) first = last
    if (w.seconds <= seconds && w.seconds + coarse > seconds) then = structuredClone(w)
  })
  const totals = counters.map((of) => total(then!, of))
  for (const [i, counted] of scales(start, first, last)(totals, seconds / day - start / day).entries())
    setTotal(then!, counters[i]!, shownAt(counters[i]!, counted, start / day))
  then!.seconds = seconds
  return then!
}
