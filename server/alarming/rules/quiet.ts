// What leaves rules as they are: for each point the values that change nothing in any condition on it, and until when. Nearly all
// readings are such; they cost a look at one line of numbers instead of at every condition.
import { Operator } from '../../../contract/areas/alarm-configure.ts'
import type { Test } from './rule.ts'
import type { Slot } from './slot.ts'

/** Values from `low` to `high`, both included. */
export type Span = readonly [low: number, high: number]
const every: Span = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
export const none: Span = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]

/** The next number or one a little further: what lies between takes the long way. */
const next = (x: number) => x + Math.abs(x) * Number.EPSILON + Number.MIN_VALUE
const last = (x: number) => x - Math.abs(x) * Number.EPSILON - Number.MIN_VALUE
const from = (low: number): Span => [low, Number.POSITIVE_INFINITY]
const upTo = (high: number): Span => [Number.NEGATIVE_INFINITY, high]

/** Values that meet the test, or fail to, as the newest reading does; where they lie on two sides, those on its own. */
const alike = ({ op, a, b, band }: Test, met: boolean, value: number): Span => {
  const slack = met ? band : 0
  const equals = (is: boolean): Span => (is ? [a, a] : value < a ? upTo(last(a)) : from(next(a)))
  switch (op) {
    case Operator.equal:
      return equals(met)
    case Operator.notEqual:
      return equals(!met)
    case Operator.above:
      return met ? from(next(a - slack)) : upTo(a)
    case Operator.atLeast:
      return met ? from(a - slack) : upTo(last(a))
    case Operator.below:
      return met ? upTo(last(a + slack)) : from(a)
    case Operator.atMost:
      return met ? upTo(a + slack) : from(next(a))
    case Operator.between:
      if (met) return [a - slack, b + slack]
      return value < a ? upTo(last(a)) : from(next(b))
    default:
      if (!met) return [a, b]
      return value < a + slack ? upTo(last(a + slack)) : from(next(b - slack))
  }
}

/** Good values that change nothing of the slot but its newest reading, as long as nothing of it falls due. */
export const quietOf = (test: Test, slot: Slot): Span => {
  if (test.style === 4) return every
  if (test.style === 3) return slot.met || slot.holds ? none : every
  if (test.style === 2 || slot.hits.length || slot.value === null) return none
  return alike(test, slot.met, slot.value)
}

/** A line of numbers a point, in the order in which a reading is held against them. */
const [low, high, time, due, value, noted, touched, width] = [0, 1, 2, 3, 4, 5, 6, 8]

/** Times are epoch ms. */
export const createQuiet = () => {
  const lines = new Map<number, number>()
  const free: number[] = []
  let all = new Float64Array(64 * width)
  let end = 0

  const add = (point: number) => {
    const at = free.pop() ?? end
    if (at === end) end += width
    if (end > all.length) {
      const more = new Float64Array(2 * all.length)
      more.set(all)
      all = more
    }
    all.fill(0, at, at + width)
    lines.set(point, at)
    return at
  }

  return {
    has: (point: number) => lines.has(point),
    /** Whether a good reading changes nothing; then it is noted, in place of the one before. */
    pass(point: number, t: number, v: number): boolean {
      const at = lines.get(point)
      if (at === undefined || v < all[at + low]! || v > all[at + high]! || t < all[at + time]! || t >= all[at + due]!) return false
      all[at + time] = t
      all[at + value] = v
      all[at + noted] = 1
      all[at + touched] = 1
      return true
    },
    /** What passes from now on: values of the span, not older than `t`, before `until`. */
    set(point: number, [l, h]: Span, t: number, until: number) {
      const at = lines.get(point) ?? add(point)
      all[at + low] = l
      all[at + high] = h
      all[at + time] = t
      all[at + due] = until
    },
    /** The newest reading that has passed since this was last asked. */
    take(point: number): { time: number; value: number } | undefined {
      const at = lines.get(point)
      if (at === undefined || !all[at + noted]) return undefined
      all[at + noted] = 0
      return { time: all[at + time]!, value: all[at + value]! }
    },
    touch(point: number) {
      const at = lines.get(point)
      if (at !== undefined) all[at + touched] = 1
    },
    /** Points that have been touched since this was last asked. */
    takeTouched: (): number[] => {
      const points: number[] = []
      for (const [point, at] of lines) {
        if (all[at + touched]) points.push(point)
        all[at + touched] = 0
      }
      return points
    },
    drop(point: number) {
      const at = lines.get(point)
      if (at === undefined) return
      lines.delete(point)
      free.push(at)
    },
  }
}
