// Turns single readings of a point into values over time: a value holds until the next reading, at most three times the interval at which readings
// were expected at that moment. Time without a holding value counts for nothing.
import type { RunLengths } from '../store/store.ts'
import type { Stretch } from '../store/stretches.ts'

/** Readings of one point in columns, ascending. Null values have a bad quality. */
export type Readings = { time: readonly number[]; value: readonly (number | null)[]; quality: readonly number[] }

/** The reading interval valid until a moment (epoch ms, exclusive), ascending; the last one ends at Infinity. */
export type Expected = readonly { until: number; ms: number }[]

/** Beyond these, a value is out of its limits. */
export type Limits = { low: number | null; high: number | null }

/** How many expected intervals a value holds at most. */
export const heldIntervals = 3
/** Amounts are added up as whole thousandths, so that parts equal their whole to the last digit. */
export const thousandths = 1000
export const toThousandths = (value: number) => Math.round(value * thousandths)

/** What is known of one part of a range. Times are epoch ms, durations ms. */
export type Part = {
  start: number
  end: number
  /** Readings with a value; of these, uncertain ones; readings without a value. */
  count: number
  uncertain: number
  bad: number
  sum: number
  min: number | null
  minAt: number | null
  max: number | null
  maxAt: number | null
  first: number | null
  firstAt: number | null
  last: number | null
  lastAt: number | null
  /** Mean and sum of squared differences from it, of the readings (Welford). */
  mean: number
  squares: number
  /** Values added up, in thousandths. */
  amount: number
  /** Value times ms, and the ms for which a value held; of these, those of good readings. */
  integral: number
  heldMs: number
  goodMs: number
  /** Other than 0, and 0; changes between the two; the longest time on without a break. */
  onMs: number
  offMs: number
  switchings: number
  longestOnMs: number
  firstChange: number | null
  lastChange: number | null
  lowMs: number
  highMs: number
  /** Times that a value went out of its limits. */
  excursions: number
}

export const emptyPart = (start: number, end: number): Part => ({
  ...{ start, end, count: 0, uncertain: 0, bad: 0, sum: 0 },
  ...{ min: null, minAt: null, max: null, maxAt: null, first: null, firstAt: null, last: null, lastAt: null },
  ...{ mean: 0, squares: 0, amount: 0, integral: 0, heldMs: 0, goodMs: 0 },
  ...{ onMs: 0, offMs: 0, switchings: 0, longestOnMs: 0, firstChange: null, lastChange: null },
  ...{ lowMs: 0, highMs: 0, excursions: 0 },
})

/** Takes the statistics of a later part into an earlier one. */
export const joinPart = (to: Part, from: Part) => {
  const count = to.count + from.count
  if (from.count) {
    const apart = from.mean - to.mean
    to.squares += from.squares + (apart * apart * to.count * from.count) / count
    to.mean += (apart * from.count) / count
    if (to.min === null || from.min! < to.min) [to.min, to.minAt] = [from.min, from.minAt]
    if (to.max === null || from.max! > to.max) [to.max, to.maxAt] = [from.max, from.maxAt]
    if (to.first === null) [to.first, to.firstAt] = [from.first, from.firstAt]
    ;[to.last, to.lastAt] = [from.last, from.lastAt]
  }
  to.count = count
  to.firstChange ??= from.firstChange
  to.lastChange = from.lastChange ?? to.lastChange
  to.longestOnMs = Math.max(to.longestOnMs, from.longestOnMs)
  for (const name of added) to[name] += from[name]
  to.end = from.end
}
const added = [
  ...(['uncertain', 'bad', 'sum', 'amount', 'integral', 'heldMs', 'goodMs'] as const),
  ...(['onMs', 'offMs', 'switchings', 'lowMs', 'highMs', 'excursions'] as const),
]

/** A stretch of time in one state; null = nothing is known. */
export type Run = { start: number; end: number; value: number | null }

type Pending = { time: number; value: number; quality: number }

const count = (part: Part, time: number, value: number, quality: number) => {
  part.count++
  if (quality === 1) part.uncertain++
  part.sum += value
  part.amount += toThousandths(value)
  const apart = value - part.mean
  part.mean += apart / part.count
  part.squares += apart * (value - part.mean)
  if (part.min === null || value < part.min) [part.min, part.minAt] = [value, time]
  if (part.max === null || value > part.max) [part.max, part.maxAt] = [value, time]
  if (part.first === null) [part.first, part.firstAt] = [value, time]
  ;[part.last, part.lastAt] = [value, time]
}

const partOf = (s: Stretch, end: number): Part => ({
  ...emptyPart(end, end),
  ...{ count: s.count, uncertain: s.uncertain, bad: s.rows - s.count, sum: s.sum, amount: s.amount },
  ...{ min: s.min, max: s.max, first: s.first, last: s.last },
  ...{ mean: s.count ? s.sum / s.count : 0, squares: s.squares },
  ...{ integral: s.integral, heldMs: s.held, goodMs: s.good, onMs: s.on, offMs: s.held - s.on, switchings: s.changes },
})

const isOut = (value: number, { low, high }: Limits) => (low !== null && value < low) || (high !== null && value > high)

/**
 * Folds readings into the parts between `edges`. `take` may be called many times with later and later readings, the first of them from
 * before the range, so that a value holds over its start; `end` closes the last one at `until`.
 */
export const createFold = (edges: readonly number[], expected: Expected, limits: Limits, hear?: (run: Run) => void) => {
  const parts = edges.slice(0, -1).map((start, i) => emptyPart(start, edges[i + 1]!))
  const [first, last] = [edges[0]!, edges.at(-1)!]
  let [at, inForce] = [0, 0]
  let pending: Pending | undefined
  let known: number | undefined
  let [onSince, onUntil, onPart] = [Number.NaN, Number.NaN, -1]

  const partAt = (time: number) => {
    while (edges[at + 1]! <= time) at++
    return parts[at]!
  }
  const holdOn = (part: Part, from: number, to: number) => {
    part.onMs += to - from
    if (onUntil !== from || onPart !== at) onSince = from
    ;[onUntil, onPart] = [to, at]
    part.longestOnMs = Math.max(part.longestOnMs, to - onSince)
  }
  const hold = ({ time, value, quality }: Pending, to: number) => {
    hear?.({ start: time, end: to, value })
    let from = Math.max(time, first)
    for (const end = Math.min(to, last); from < end; ) {
      const part = partAt(from)
      const cut = Math.min(end, part.end)
      const ms = cut - from
      part.integral += value * ms
      part.heldMs += ms
      if (quality === 0) part.goodMs += ms
      if (value === 0) part.offMs += ms
      else holdOn(part, from, cut)
      if (limits.low !== null && value < limits.low) part.lowMs += ms
      else if (limits.high !== null && value > limits.high) part.highMs += ms
      from = cut
    }
  }
  const expectedAt = (time: number) => {
    while (expected[inForce]!.until <= time) inForce++
    return expected[inForce]!.ms
  }
  const release = (until: number) => {
    if (pending) hold(pending, Math.min(until, pending.time + heldIntervals * expectedAt(pending.time)))
    pending = undefined
  }
  /** Takes a value that may differ from the one before. */
  const change = (part: Part, time: number, value: number) => {
    if (known !== undefined && (known === 0) !== (value === 0)) {
      part.switchings++
      part.firstChange ??= time
      part.lastChange = time
    }
    if (isOut(value, limits) && (known === undefined || !isOut(known, limits))) part.excursions++
  }

  return {
    parts,
    take: ({ time, value, quality }: Readings, from = 0, to = time.length) => {
      for (let i = from; i < to; i++) {
        const moment = time[i]!
        release(moment)
        const reading = value[i]!
        const inRange = moment >= first && moment < last
        if (reading === null) {
          if (inRange) partAt(moment).bad++
          continue
        }
        if (inRange) count(partAt(moment), moment, reading, quality[i]!)
        if (inRange) change(partAt(moment), moment, reading)
        known = reading
        pending = { time: moment, value: reading, quality: quality[i]! }
      }
    },
    /** Equal neighbours as one: what holds and what changes. How many readings a part has stays out, and what these come to. */
    takeRuns: ({ first: begins, last: ends, value, quality }: Omit<RunLengths, 'point' | 'rows'>, from = 0, to = begins.length) => {
      for (let i = from; i < to; i++) {
        const moment = begins[i]!
        release(moment)
        const of = { time: moment, value: value[i]!, quality: quality[i]! }
        if (of.value === null) continue
        if (moment >= first && moment < last) change(partAt(moment), moment, of.value)
        known = of.value
        if (ends[i]! > moment) hold(of, ends[i]!)
        pending = { ...of, time: ends[i]! }
      }
    },
    /** Readings that lie in one part, without each of them. What only they tell stays out: moments, limits, the longest time on. */
    takeStretch: (stretch: Stretch) => {
      release(stretch.firstAt)
      const part = partAt(stretch.firstAt)
      joinPart(part, partOf(stretch, part.end))
      const { first, last, value, quality, lastAt } = stretch
      if (known !== undefined && first !== null && (known === 0) !== (first === 0)) part.switchings++
      known = last ?? known
      if (value !== null) pending = { time: lastAt, value, quality }
    },
    end: (until: number) => release(until),
  }
}
