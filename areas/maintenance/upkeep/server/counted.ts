// Calculates when a counter reaches its steps. Pure functions.
import { type Curve, countedIn, totalAt } from '../../../../server/telemetry/meaning/counter.ts'
import { day } from '../../../../server/telemetry/store/store.ts'

/** Times are epoch ms, amounts in the unit of the counter. */
export type Count = {
  /** Start of the count, and the amount counted before it. */
  from: number
  done: number
  step: number
  /** Multiples of the step so far. */
  multiple: number
}
export type Reached = Count & { time: number }

const thousandths = 1000
/** Days of history behind a forecast. */
const forecastDays = 14
/** Minimum share of a day for a daily rate. */
const leastForecast = day / 24
/** Maximum multiples per check that get an order each. Beyond it, only the last one gets an order: the step is too small. */
const mostMissed = 31

const counted = (curve: Curve, from: number, to: number) => (totalAt(curve, to) - totalAt(curve, from)) / thousandths

/** First moment at which an amount has been counted since `from`, rounded up to 1 ms. Undefined if after `now`. */
const momentOf = (curve: Curve, from: number, amount: number, now: number) => {
  const goal = totalAt(curve, from) + Math.ceil(amount * thousandths - 1e-6)
  if (goal <= totalAt(curve, from)) return from
  const i = curve.time.findIndex((time, i) => time > from && curve.total[i]! >= goal)
  if (i < 0) return
  const [end, top] = [curve.time[i]!, curve.total[i]!]
  const start = Math.max(from, curve.time[i - 1] ?? from)
  const base = totalAt(curve, start)
  const time = top === base ? end : Math.min(end, Math.ceil(start + ((goal - base) / (top - base)) * (end - start)))
  return time <= now ? time : undefined
}

/** Multiples reached since the count began, and the continued count. `once`: stops after the first. */
export const reachedBy = (curve: Curve, count: Count, now: number, once = false): { reached: Reached[]; next: Count } => {
  const reached: Reached[] = []
  let next = count
  const behind = Math.floor((count.done + counted(curve, count.from, now)) / count.step)
  if (behind > mostMissed) next = { ...count, done: count.done - count.step * (behind - 1), multiple: count.multiple + behind - 1 }
  for (;;) {
    const time = momentOf(curve, next.from, next.step - next.done, now)
    if (time === undefined) break
    // The excess counts towards the next step.
    const done = next.done + counted(curve, next.from, time) - next.step
    next = { ...next, from: time, done, multiple: next.multiple + 1 }
    reached.push({ ...next, time })
    if (once) break
  }
  return { reached, next }
}

/** Progress, rate and forecast of a count. */
export const stateOf = (curve: Curve, { from, done, step }: Count, now: number) => {
  const used = done + (from < now ? counted(curve, from, now) : 0)
  const since = Math.max(now - forecastDays * day, curve.time[0] ?? now)
  const known = now - since >= leastForecast ? countedIn(curve, since, now) : null
  const perDay = known ? (known.counted / thousandths / (now - since)) * day : null
  const next = perDay ? Math.max(now, from) + ((step - used) / perDay) * day : null
  const open = curve.marks.filter((mark) => mark.open && mark.time > from && mark.time <= now).length
  return { used, perDay, next: next !== null && next < Date.UTC(2200, 0, 1) ? Math.round(next) : null, open }
}

/** Long counts are rebased at the last point without open meter events, which keeps each check short. */
const [longest, kept] = [45 * day, 30 * day]
export const shortened = (curve: Curve, count: Count, now: number): Count => {
  const from = now - kept
  if (count.from > now - longest || curve.marks.some(({ open, time }) => open && time > count.from && time <= from)) return count
  return { ...count, from, done: count.done + counted(curve, count.from, from) }
}
