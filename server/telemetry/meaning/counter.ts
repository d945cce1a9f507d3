// What a running counter has counted (docs/figures.md). Totals are whole thousandths of the counter's unit.
import { inSteps } from '../../jobs/ownTurn.ts'
import { hour, minute, quarter } from '../store/store.ts'
import { toThousandths } from './hold.ts'

/** A person's decision on a counter drop, or on an implausibly steep rise. */
export type Answer =
  /** It counts from 0 since then. */
  | { kind: 'restarted' }
  /** Another meter, with the old one's last and the new one's first reading. */
  | { kind: 'replaced'; oldEnd: number; newStart: number }
  /** The readings are wrong until the counter is back where it was. */
  | { kind: 'wrong' }
  /** The steep rise is true. */
  | { kind: 'confirmed' }

export type CounterRules = {
  /** What it shows before it begins at 0 again. */
  maxReading: number | null
  /** No hour adds more than this. */
  hourlyHigh: number | null
  /** A dip of at most this much is noise. */
  tolerance: number
  /** By the moment of the reading, epoch ms. */
  answers: ReadonlyMap<number, Answer>
}

/** Something other than counting up. `open`: it needs an answer from a person. Values are those before and after. */
export type Mark = {
  time: number
  kind: 'event' | 'outlier' | 'glitch' | 'rollover'
  open: boolean
  before: number
  after: number
}

/** A fall that is undone within this time is left out. */
export const glitchMs = 15 * minute
/** A long gap is two hours without a reading. It is measured in whole quarter-hours, which roll-ups resolve as well as readings. */
export const isLongGap = (before: number, after: number) =>
  Math.floor(after / quarter) - Math.floor(before / quarter) > (2 * hour) / quarter
/** A counter that was at least this full has rolled over. */
const nearlyFull = 0.9
/** Steep rises are judged over no less than a quarter of an hour: meters count in steps. */
const leastHours = 0.25

/** Readings with a value, ascending. */
export type Counted = { time: readonly number[]; value: readonly number[] }

/** Total since the first reading, by the time of each reading that counts. */
export type Curve = { time: number[]; total: number[]; marks: Mark[] }

type Walk = { total: number; top: number; last: number }

/** For each reading the index of the next one that is higher, or the end. */
const nextHigher = (value: readonly number[]) => {
  const next = new Int32Array(value.length)
  for (let i = value.length - 1; i >= 0; i--) {
    let at = i + 1
    while (at < value.length && value[at]! <= value[i]!) at = next[at]!
    next[i] = at
  }
  return next
}

/**
 * Where the counter is back at its old value: the index of that reading, or nothing where `within` is over before. It goes from one high to
 * the next: a counter that falls with each reading has as many falls as readings.
 */
const backAt = ({ time, value }: Counted, higher: Int32Array, from: number, top: number, within = Number.POSITIVE_INFINITY) => {
  for (let i = from + 1; i < time.length; i = higher[i]!) {
    if (time[i]! - time[from]! > within) return
    if (value[i]! >= top) return i
  }
}

/** Added by a fall that is no dip and not undone; nothing = the reading is to be left out. */
const fallen = (walk: Walk, value: number, answer: Answer | undefined) => {
  if (answer?.kind === 'restarted') return toThousandths(value)
  if (answer?.kind === 'replaced')
    return (
      Math.max(0, toThousandths(answer.oldEnd) - toThousandths(walk.top)) +
      Math.max(0, toThousandths(value) - toThousandths(answer.newStart))
    )
  return answer?.kind === 'wrong' ? undefined : 0
}

/**
 * The total of a counter over its readings. It never falls, and does not depend on where the readings begin, apart from a constant. `now`:
 * a fall younger than a quarter of an hour may still be undone, so it is left out until then.
 */
export const counterCurve = (readings: Counted, rules: CounterRules, now: number): Curve => {
  const steps = curveSteps(readings, rules, now)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
/** The same for many readings, yielding to the event loop. */
export const counterCurveInPieces = (readings: Counted, rules: CounterRules, now: number): Promise<Curve> =>
  inSteps(curveSteps(readings, rules, now))

/** Readings between two steps. */
const stepSize = 4096
function* curveSteps(readings: Counted, { maxReading, hourlyHigh, tolerance, answers }: CounterRules, now: number): Generator<void, Curve> {
  const { time, value } = readings
  const curve: Curve = { time: [], total: [], marks: [] }
  if (!time.length) return curve
  const higher = nextHigher(value)
  const walk: Walk = { total: 0, top: value[0]!, last: time[0]! }
  const keep = (i: number, top: number, more: number) => {
    walk.total += more
    ;[walk.top, walk.last] = [top, time[i]!]
    curve.time.push(time[i]!)
    curve.total.push(walk.total)
  }
  const mark = (i: number, kind: Mark['kind'], open: boolean) =>
    curve.marks.push({ time: time[i]!, kind, open, before: walk.top, after: value[i]! })
  const rise = (i: number) => {
    const more = toThousandths(value[i]!) - toThousandths(walk.top)
    const most = hourlyHigh === null ? Number.POSITIVE_INFINITY : hourlyHigh * Math.max(leastHours, (time[i]! - walk.last) / hour)
    const steep = value[i]! - walk.top > most
    const confirmed = answers.get(time[i]!)?.kind === 'confirmed'
    if (steep) mark(i, 'outlier', !confirmed)
    keep(i, value[i]!, steep && !confirmed ? 0 : more)
  }
  /** Answers the reading to go on with. */
  const fall = (i: number): number => {
    const drop = walk.top - value[i]!
    if (drop <= tolerance) {
      keep(i, walk.top, 0)
      return i + 1
    }
    if (maxReading !== null && walk.top > nearlyFull * maxReading && value[i]! < (1 - nearlyFull) * maxReading) {
      mark(i, 'rollover', false)
      keep(i, value[i]!, toThousandths(maxReading) - toThousandths(walk.top) + toThousandths(value[i]!))
      return i + 1
    }
    const back = backAt(readings, higher, i, walk.top, glitchMs)
    if (back !== undefined) {
      mark(i, 'glitch', false)
      return back
    }
    if (now - time[i]! <= glitchMs) return time.length
    const answer = answers.get(time[i]!)
    const more = fallen(walk, value[i]!, answer)
    mark(i, 'event', answer === undefined)
    if (more === undefined) return backAt(readings, higher, i, walk.top) ?? time.length
    keep(i, value[i]!, more)
    return i + 1
  }
  keep(0, value[0]!, 0)
  for (let [i, next] = [1, stepSize]; i < time.length; ) {
    if (value[i]! < walk.top) i = fall(i)
    else rise(i++)
    if (i < next) continue
    next = i + stepSize
    yield
  }
  return curve
}

/** The last index whose time is not after `at`; -1 without any. */
export const indexAt = (time: readonly number[], at: number) => {
  let [low, high] = [-1, time.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (time[middle]! <= at) low = middle
    else high = middle - 1
  }
  return low
}

/** The total at a moment: in a straight line between two readings, and as it was at the end before the first and after the last. */
export const totalAt = ({ time, total }: Curve, at: number) => {
  const i = indexAt(time, at)
  if (i < 0) return 0
  const next = time[i + 1]
  if (next === undefined || total[i + 1] === total[i]) return total[i]!
  return total[i]! + Math.round((total[i + 1]! - total[i]!) * ((at - time[i]!) / (next - time[i]!)))
}

/** What was counted in a part of time, in thousandths, and how much of it lies in long gaps. Null where nothing is known of it. */
export const countedIn = (curve: Curve, start: number, end: number): { counted: number; inGaps: number } | null => {
  const { time } = curve
  if (!time.length || end <= time[0]! || start >= time.at(-1)!) return null
  let inGaps = 0
  for (let i = Math.max(0, indexAt(time, start)); i + 1 < time.length && time[i]! < end; i++)
    if (isLongGap(time[i]!, time[i + 1]!)) inGaps += totalAt(curve, Math.min(end, time[i + 1]!)) - totalAt(curve, Math.max(start, time[i]!))
  return { counted: totalAt(curve, end) - totalAt(curve, start), inGaps }
}
