// A counter's total over a range, from as few readings as will do: quarter-hours whose roll-ups show nothing but a rise are taken as they
// are; readings are looked at around the edges of what is asked for, where the counter falls, and where it rises too steeply.
import { Fault } from '../../http/faults.ts'
import { inSlices, pausing } from '../../jobs/ownTurn.ts'
import { type Buckets, day, quarter, type Store } from '../store/store.ts'
import { type CounterRules, type Curve, counterCurveInPieces, glitchMs } from './counter.ts'

type Source = Pick<Store, 'buckets' | 'columns'>
type MarkSource = Pick<Store, 'marks' | 'columns'>
/** A counter and what counts for it. */
export type Counter = { id: number; counter: CounterRules }
type Span = { start: number; end: number }
type Read = { time: number[]; value: number[] }
type Quarters = Pick<Buckets, 'time' | 'min' | 'max' | 'first' | 'last' | 'count'> & {
  /** Moments of the first and last value; NaN, or no column, where they are not known. */
  firstAt?: number[]
  lastAt?: number[]
}
/** Quarter-hours by point, and whether their moments are known. */
type Look = (points: readonly number[], start: number, end: number) => Promise<Map<number, Quarters>>

const none: Quarters = { time: [], min: [], max: [], first: [], last: [], count: [] }
const floor = (time: number) => Math.floor(time / quarter) * quarter

/** Quarter-hours with values, by point. */
const quartersIn =
  (store: Pick<Store, 'buckets'>): Look =>
  async (points, start, end) => {
    if (end <= start || !points.length) return new Map()
    const found = await store.buckets(points, start, end, { ms: quarter, origin: start })
    return new Map(
      found.map((of) => {
        const kept = of.count.flatMap((count, i) => (count ? [i] : []))
        return [of.point, mapped(of, (column) => kept.map((i) => column[i]!))]
      }),
    )
  }

const marksIn =
  (store: Pick<Store, 'marks'>): Look =>
  async (points, start, end) =>
    new Map((await store.marks(points, start, end)).map((of) => [of.point, of]))

/** How far back the counter's highest reading is looked for, days, one after the other. */
const lookBack = [1, 8, 64, 512, 4096]
const oldest = Date.UTC(2000, 0, 1)

/** Where quarter-hours must begin so that the counter has risen by more than its noise since; nothing where they do not reach so far back. */
const settledFrom = ({ time, first, max }: Quarters, start: number, { tolerance }: CounterRules) => {
  const settledBefore = start - glitchMs - quarter
  let top = Number.NEGATIVE_INFINITY
  for (let i = time.length - 1; i > 0; i--) {
    if (time[i]! <= settledBefore && top - first[i]! >= tolerance) return Math.max(0, i - 2)
    top = Math.max(top, max[i]!)
  }
}

/** Quarter-hours from before the range, so many that each counter's highest reading is known, wherever one begins. */
const quartersBefore = async (look: Look, counters: readonly Counter[], start: number) => {
  const answer = new Map<number, Quarters>()
  let left = [...counters]
  for (const days of lookBack) {
    const ids = left.map(({ id }) => id)
    const found = await look(ids, Math.max(floor(oldest), floor(start) - days * day), floor(start))
    left = left.filter(({ id, counter }) => {
      const quarters = found.get(id) ?? none
      const begin = settledFrom(quarters, start, counter)
      answer.set(id, from(quarters, begin ?? 0))
      return begin === undefined
    })
    if (!left.length) break
  }
  return answer
}
const from = (quarters: Quarters, i: number): Quarters => mapped(quarters, (column) => column.slice(i))
const mapped = (q: Quarters, of: <T>(column: readonly T[]) => T[]): Quarters => ({
  ...{ time: of(q.time), min: of(q.min), max: of(q.max), first: of(q.first), last: of(q.last), count: of(q.count) },
  ...(q.firstAt && q.lastAt ? { firstAt: of(q.firstAt), lastAt: of(q.lastAt) } : {}),
})
const chained = (...all: Quarters[]): Quarters => ({
  time: all.flatMap((q) => q.time),
  ...{ min: all.flatMap((q) => q.min), max: all.flatMap((q) => q.max) },
  ...{ first: all.flatMap((q) => q.first), last: all.flatMap((q) => q.last) },
  ...{ count: all.flatMap((q) => q.count), firstAt: all.flatMap((q) => q.firstAt ?? []), lastAt: all.flatMap((q) => q.lastAt ?? []) },
})

/** The first quarter-hours with readings after a range, and the ones that may undo a fall in them. */
const quartersAfter = async (look: Look, points: readonly number[], end: number, now: number) => {
  const answer = new Map<number, Quarters>()
  for (let days = 1, begin = floor(end - 1) + quarter; begin < now + day; begin += days * day, days *= 8) {
    const left = points.filter((id) => !answer.has(id))
    if (!left.length) break
    const until = begin + days * day
    // What undoes a fall may be on the next day.
    for (const [id, found] of await look(left, begin, until + glitchMs + 2 * quarter)) {
      const [next] = found.time
      if (next === undefined || next >= until) continue
      const near = found.time.findLastIndex((time) => time <= next + glitchMs + quarter)
      answer.set(
        id,
        mapped(found, (column) => column.slice(0, near + 1)),
      )
    }
  }
  return answer
}

/** Indices of the quarter-hours whose readings must be looked at. */
const doubtful = ({ time, min, max, first, last, firstAt }: Quarters, edges: readonly number[], { hourlyHigh }: CounterRules) => {
  const asked = new Set<number>()
  const near = (i: number) => {
    for (const k of [i - 1, i, i + 1]) if (k >= 0 && k < time.length) asked.add(k)
  }
  const most = hourlyHigh === null ? Number.POSITIVE_INFINITY : hourlyHigh / 4
  for (let i = 0; i < time.length; i++) {
    const before = i ? last[i - 1]! : first[i]!
    const falls = min[i]! < first[i]! || max[i]! > last[i]! || first[i]! < before
    if (falls || last[i]! - before > most) near(i)
    else if (firstAt?.length && Number.isNaN(firstAt[i])) asked.add(i)
  }
  let i = 0
  for (const edge of edges) {
    while (i < time.length && time[i]! + quarter <= edge) i++
    // The quarter-hour that holds the edge or comes after it, and the ones beside it.
    near(Math.min(i, time.length - 1))
  }
  return asked
}

/** Adjacent quarter-hours are read together. */
const spansOf = ({ time }: Quarters, asked: ReadonlySet<number>) => {
  const spans: Span[] = []
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
/** Readings, and quarter-hours, of several counters that are in memory at a time. */
const [valuesTogether, quartersTogether] = [400_000, 400_000]

/** How many values the quarter-hours of these spans have. */
const valuesIn = ({ time, count }: Quarters, spans: readonly Span[]) => {
  let [at, sum] = [0, 0]
  for (const [i, of] of time.entries()) {
    while (at < spans.length && spans[at]!.end <= of) at++
    if (spans[at] && of >= spans[at]!.start) sum += count[i]!
  }
  return sum
}

/** Readings of quarter-hours by point: counters that are asked for the same stretch are read together. */
const readingsIn = async (store: Pick<Store, 'columns'>, asked: ReadonlyMap<number, readonly Span[]>) => {
  const together = new Map<string, { span: Span; ids: number[] }>()
  for (const [id, spans] of asked)
    for (const span of spans) {
      const key = `${span.start} ${span.end}`
      const one = together.get(key) ?? { span, ids: [] }
      one.ids.push(id)
      together.set(key, one)
    }
  const answer = new Map<number, Map<number, Read>>()
  for (const { span, ids } of together.values())
    for (const { point, time, value } of await store.columns(ids, span.start, span.end)) {
      const byQuarter = answer.get(point) ?? new Map<number, Read>()
      answer.set(point, byQuarter)
      await inSlices(time.length, (from, to) => {
        for (let i = from; i < to; i++) {
          if (value[i] === null) continue
          const key = floor(time[i]!)
          const of = byQuarter.get(key) ?? { time: [], value: [] }
          byQuarter.set(key, of)
          of.time.push(time[i]!)
          of.value.push(value[i]!)
        }
      })
    }
  return answer
}

/** Stretches of which readings are looked at. @throws Fault `rangeTooLong` where too many of them are doubtful */
const lookedAt = (quarters: Quarters, edges: readonly number[], rules: CounterRules) => {
  const some = spansOf(quarters, doubtful(quarters, edges, rules))
  const spans = some.length > mostPieces ? [{ start: quarters.time[0]!, end: quarters.time.at(-1)! + quarter }] : some
  if (valuesIn(quarters, spans) > mostLooked) throw new Fault('rangeTooLong')
  return spans
}

/** Readings where they were looked at; otherwise, or where retention has taken them, the first value of a quarter-hour at its start and the last one at its end. */
const countedOf = async (quarters: Quarters, readings: ReadonlyMap<number, Read> | undefined): Promise<Read> => {
  const [time, value]: [number[], number[]] = [[], []]
  const pause = pausing()
  for (const [i, at] of quarters.time.entries()) {
    const [from, to] = [quarters.firstAt?.[i] || at, quarters.lastAt?.[i] || at + quarter - 1]
    const own = readings?.get(at) ?? {
      time: quarters.count[i]! > 1 ? [from, to] : [from],
      value: quarters.count[i]! > 1 ? [quarters.first[i]!, quarters.last[i]!] : [quarters.first[i]!],
    }
    for (const k of own.time.keys()) {
      time.push(own.time[k]!)
      value.push(own.value[k]!)
    }
    await pause()
  }
  return { time, value }
}

/** `cuts`: edges around which single readings must be looked at. */
type Asked = { start: number; end: number; cuts: readonly number[]; now: number }
type Reading = { look: Look; store: Pick<Store, 'columns'> }
const readTogether = async ({ look, store }: Reading, counters: readonly Counter[], { start, end, cuts, now }: Asked) => {
  const ids = counters.map(({ id }) => id)
  const all = await Promise.all([
    quartersBefore(look, counters, start),
    look(ids, floor(start), Math.min(floor(end - 1) + quarter, floor(now) + 2 * day)),
    quartersAfter(look, ids, end, now),
  ])
  const found = new Map<number, Read>()
  let waiting: { counter: Counter; quarters: Quarters; spans: Span[] }[] = []
  let values = 0
  const pause = pausing()
  const read = async () => {
    const readings = await readingsIn(store, new Map(waiting.map(({ counter, spans }) => [counter.id, spans])))
    for (const { counter, quarters } of waiting) {
      found.set(counter.id, await countedOf(quarters, readings.get(counter.id)))
    }
    ;[waiting, values] = [[], 0]
  }
  for (const counter of counters) {
    const quarters = chained(...all.map((of) => of.get(counter.id) ?? none))
    const spans = quarters.time.length ? lookedAt(quarters, cuts, counter.counter) : []
    const more = valuesIn(quarters, spans)
    if (values && values + more > valuesTogether) await read()
    values += more
    waiting.push({ counter, quarters, spans })
    await pause()
  }
  await read()
  return found
}

/**
 * Curves of counters that answer for every part between `edges`. As many as fit into memory are read together: a question for each
 * counter and stretch costs more than what it answers.
 */
export const curvesOf = async (store: Source, counters: readonly Counter[], edges: readonly number[], now: number) => {
  const curves = new Map<number, Curve>()
  const size = Math.max(1, Math.floor((quartersTogether * quarter) / (edges.at(-1)! - edges[0]!)))
  for (let i = 0; i < counters.length; i += size)
    for (const [id, read] of await readTogether({ look: quartersIn(store), store }, counters.slice(i, i + size), {
      ...{ start: edges[0]!, end: edges.at(-1)!, cuts: edges, now },
    }))
      curves.set(id, await counterCurveInPieces(read, counters.find((one) => one.id === id)!.counter, now))
  return curves
}

/**
 * Few readings of each counter, of which a curve has the same total at each whole quarter-hour as that of all readings: the first and last
 * of each quarter-hour, and all where they fall or rise too steeply. They begin before the range and end after it.
 */
export const markedReadings = (store: MarkSource, counters: readonly Counter[], start: number, end: number, now: number) =>
  readTogether({ look: marksIn(store), store }, counters, { start, end, cuts: [], now })
