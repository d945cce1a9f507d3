// A counter's total over a range, from as few readings as will do: quarter-hours whose roll-ups show nothing but a rise are taken as they
// are; readings are looked at around the edges of what is asked for, where the counter falls, and where it rises too steeply.
import { Fault } from '../../http/faults.ts'
import { type Buckets, day, quarter, type Store } from '../store/store.ts'
import { type Counted, type CounterRules, type Curve, counterCurve, glitchMs } from './counter.ts'

type Source = Pick<Store, 'buckets' | 'columns'>
type Quarters = Pick<Buckets, 'time' | 'min' | 'max' | 'first' | 'last' | 'count'>

const none: Quarters = { time: [], min: [], max: [], first: [], last: [], count: [] }
const floor = (time: number) => Math.floor(time / quarter) * quarter

const quartersOf = async (store: Source, point: number, start: number, end: number): Promise<Quarters> => {
  if (end <= start) return none
  const [found] = await store.buckets([point], start, end, { ms: quarter, origin: start })
  if (!found) return none
  // Quarter-hours without a value say nothing.
  const kept = found.count.flatMap((count, i) => (count ? [i] : []))
  const of = <T>(column: readonly T[]) => kept.map((i) => column[i]!)
  return {
    time: of(found.time),
    min: of(found.min),
    max: of(found.max),
    first: of(found.first),
    last: of(found.last),
    count: of(found.count),
  }
}

/** How far back the counter's highest reading is looked for, days, one after the other. */
const lookBack = [1, 8, 64, 512, 4096]
const oldest = Date.UTC(2000, 0, 1)

/**
 * Quarter-hours from before the range, reaching so far back that the counter has risen by more than its noise since: from then on its
 * highest reading is known, wherever one begins.
 */
const quartersBefore = async (store: Source, point: number, start: number, { tolerance }: CounterRules) => {
  for (const days of lookBack) {
    const found = await quartersOf(store, point, Math.max(floor(oldest), floor(start) - days * day), floor(start))
    const settledBefore = start - glitchMs - quarter
    let top = Number.NEGATIVE_INFINITY
    for (let i = found.time.length - 1; i >= 0; i--) {
      if (found.time[i]! <= settledBefore && top - found.first[i]! >= tolerance && i > 0) return from(found, Math.max(0, i - 2))
      top = Math.max(top, found.max[i]!)
    }
    if (days === lookBack.at(-1)) return found
  }
  return none
}
const from = (quarters: Quarters, i: number): Quarters => mapped(quarters, (column) => column.slice(i))
const mapped = (q: Quarters, of: <T>(column: readonly T[]) => T[]): Quarters => ({
  ...{ time: of(q.time), min: of(q.min), max: of(q.max), first: of(q.first), last: of(q.last), count: of(q.count) },
})
const chained = (...all: Quarters[]): Quarters => ({
  time: all.flatMap((q) => q.time),
  ...{ min: all.flatMap((q) => q.min), max: all.flatMap((q) => q.max) },
  ...{ first: all.flatMap((q) => q.first), last: all.flatMap((q) => q.last), count: all.flatMap((q) => q.count) },
})

/** The first quarter-hours with readings after a range, and the ones that may undo a fall in them. */
const quartersAfter = async (store: Source, point: number, end: number, now: number): Promise<Quarters> => {
  for (let days = 1, begin = floor(end - 1) + quarter; begin < now + day; begin += days * day, days *= 8) {
    const found = await quartersOf(store, point, begin, begin + days * day)
    const [next] = found.time
    if (next === undefined) continue
    const near = found.time.findLastIndex((time) => time <= next + glitchMs + quarter)
    return mapped(found, (column) => column.slice(0, near + 1))
  }
  return none
}

/** Indices of the quarter-hours whose readings must be looked at. */
const doubtful = ({ time, min, max, first, last }: Quarters, edges: readonly number[], { hourlyHigh }: CounterRules) => {
  const asked = new Set<number>()
  const near = (i: number) => {
    for (const k of [i - 1, i, i + 1]) if (k >= 0 && k < time.length) asked.add(k)
  }
  const most = hourlyHigh === null ? Number.POSITIVE_INFINITY : hourlyHigh / 4
  for (let i = 0; i < time.length; i++) {
    const before = i ? last[i - 1]! : first[i]!
    const falls = min[i]! < first[i]! || max[i]! > last[i]! || first[i]! < before
    if (falls || last[i]! - before > most) near(i)
  }
  let i = 0
  for (const edge of edges) {
    while (i < time.length && time[i]! + quarter <= edge) i++
    // The quarter-hour that holds the edge or comes after it, and the ones beside it.
    near(Math.min(i, time.length - 1))
  }
  return asked
}

/** Quarter-hours that stand beside each other are read together. */
const spansOf = ({ time }: Quarters, asked: ReadonlySet<number>) => {
  const spans: { start: number; end: number }[] = []
  for (const i of [...asked].sort((a, b) => a - b)) {
    const span = spans.at(-1)
    if (span && time[i]! - span.end <= 4 * quarter) span.end = time[i]! + quarter
    else spans.push({ start: time[i]!, end: time[i]! + quarter })
  }
  return spans
}

/** With so many pieces, one look at everything is cheaper. */
const mostPieces = 100
/** Readings of one counter that are looked at. */
const mostLooked = 2_000_000

/** How many values the quarter-hours of these spans have. */
const valuesIn = ({ time, count }: Quarters, spans: readonly { start: number; end: number }[]) => {
  let [at, sum] = [0, 0]
  for (const [i, of] of time.entries()) {
    while (at < spans.length && spans[at]!.end <= of) at++
    if (spans[at] && of >= spans[at]!.start) sum += count[i]!
  }
  return sum
}

const readingsIn = async (store: Source, point: number, spans: readonly { start: number; end: number }[]) => {
  const byQuarter = new Map<number, Counted & { time: number[]; value: number[] }>()
  for (const { start, end } of spans) {
    const [found] = await store.columns([point], start, end)
    for (const [i, time] of (found?.time ?? []).entries()) {
      const value = found!.value[i]!
      if (value === null) continue
      const key = floor(time)
      const of = byQuarter.get(key) ?? { time: [], value: [] }
      byQuarter.set(key, of)
      of.time.push(time)
      of.value.push(value)
    }
  }
  return byQuarter
}

/**
 * The curve of a counter that answers for every part between `edges`. Readings that retention has taken are stood in for by their roll-ups,
 * the first value at the start of its quarter-hour and the last one at its end. @throws Fault `rangeTooLong` where too many of them are doubtful
 */
export const counterOf = async (
  store: Source,
  point: number,
  rules: CounterRules,
  edges: readonly number[],
  now: number,
): Promise<Curve> => {
  const [start, end] = [edges[0]!, edges.at(-1)!]
  const quarters = chained(
    await quartersBefore(store, point, start, rules),
    await quartersOf(store, point, floor(start), Math.min(floor(end - 1) + quarter, floor(now) + 2 * day)),
    await quartersAfter(store, point, end, now),
  )
  if (!quarters.time.length) return { time: [], total: [], marks: [] }
  const asked = doubtful(quarters, edges, rules)
  const some = spansOf(quarters, asked)
  const spans = some.length > mostPieces ? [{ start: quarters.time[0]!, end: quarters.time.at(-1)! + quarter }] : some
  if (valuesIn(quarters, spans) > mostLooked) throw new Fault('rangeTooLong')
  const readings = await readingsIn(store, point, spans)
  const [time, value]: [number[], number[]] = [[], []]
  for (const [i, at] of quarters.time.entries()) {
    const own = readings.get(at) ?? {
      time: quarters.count[i]! > 1 ? [at, at + quarter - 1] : [at],
      value: quarters.count[i]! > 1 ? [quarters.first[i]!, quarters.last[i]!] : [quarters.first[i]!],
    }
    for (const k of own.time.keys()) {
      time.push(own.time[k]!)
      value.push(own.value[k]!)
    }
  }
  return counterCurve({ time, value }, rules, now)
}
