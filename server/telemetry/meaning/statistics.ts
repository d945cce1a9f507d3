// Statistics of points over parts of a range: from single readings where these are few enough, otherwise from roll-ups, which know no
// time for which a value held.
import { Fault } from '../../http/faults.ts'
import { type Buckets, day, hour, quarter } from '../store/store.ts'
import { type Counter, curvesOf } from './consumption.ts'
import { type CounterRules, type Curve, countedIn, type Mark } from './counter.ts'
import { createFolding, rowsByDay, type Source } from './folding.ts'
import { heldTimesOf } from './heldTimes.ts'
import { type Expected, emptyPart, joinPart, type Limits, type Part, type Run, thousandths, toThousandths } from './hold.ts'
import { pageOf } from './page.ts'
import type { Periods } from './periods.ts'
import { foldStretched } from './stretched.ts'

/** What the values of a point are. */
export const CalDataType = { instantaneous: 0, counter: 1, amount: 2, state: 3, rate: 4 } as const

export type Meaning = { id: number; type: number; expected: Expected; limits: Limits; counter: CounterRules }

/** `readings`: every figure is there. `rollups`: those are missing that only single readings give. */
export type Basis = 'readings' | 'rollups'
export type Entry = Part & {
  /** By its type: what was counted, the sum of amounts, hours on, or the integral in unit x hours. */
  total: number | null
  /** Of what was counted, how much lies in gaps of two hours or more. */
  inGaps: number
}
/** `timed`: for how long values held is known. */
export type Statistics = { id: number; basis: Basis; timed: boolean; parts: Entry[]; marks: Mark[] }

/** Readings that one question may cost; beyond, roll-ups answer. */
export const mostReadings = 4_000_000
const oldest = Date.UTC(2000, 0, 1)
/** Stretches of one point that fit into memory. */
const mostRuns = 1_000_000

export const rowsOf = (byDay: ReadonlyMap<number, Buckets>) => {
  let rows = 0
  for (const counted of byDay.values()) for (const n of counted.rows) rows += n
  return rows
}

type Deps = { store: Source; clock: () => number; readingsSince?: ((id: number) => number | undefined) | undefined }

/** Parts in groups, each joined in the order of time. */
const grouped = ({ groups }: Periods, parts: Part[]): Part[] => {
  if (!groups) return parts
  const joined = new Map<number, Part>()
  for (const [i, part] of parts.entries()) {
    const to = joined.get(groups[i]!)
    if (to) joinPart(to, part)
    else joined.set(groups[i]!, { ...part })
  }
  return [...joined].sort(([a], [b]) => a - b).map(([group, part]) => ({ ...part, start: group }))
}

const totalOf = (type: number, part: Part): number | null => {
  if (type === CalDataType.amount) return part.count ? part.amount / thousandths : null
  if (type === CalDataType.state) return part.heldMs ? part.onMs / hour : null
  if (type === CalDataType.rate) return part.heldMs ? part.integral / hour : null
  return null
}

/** The coarsest step that has all edges among its own. */
const stepOf = (edges: readonly number[]) => {
  const inner = edges.slice(1, -1)
  for (const ms of [day, hour, quarter])
    if (inner.every((edge) => (edge - inner[0]!) % ms === 0) && (inner[0] ?? 0) % quarter === 0) return ms
  return quarter
}

/** As `joinPart` does, without a part for each of the many buckets. Values of roll-ups know their bucket, not their moment. */
const takeBucket = (part: Part, { min, max, first, last, count, rows, avg }: Buckets, i: number) => {
  const more = count[i]!
  part.bad += rows[i]! - more
  if (!more) return
  const sum = avg[i]! * more
  const apart = avg[i]! - part.mean
  const all = part.count + more
  part.squares += (apart * apart * part.count * more) / all
  part.mean += (apart * more) / all
  part.count = all
  part.sum += sum
  part.amount += toThousandths(sum)
  if (part.min === null || min[i]! < part.min) part.min = min[i]!
  if (part.max === null || max[i]! > part.max) part.max = max[i]!
  part.first ??= first[i]!
  part.last = last[i]!
}

/** Edges that are sent to the store, and quarter-hours that it joins for one question: some seconds of work. */
const [mostEdges, mostQuarters] = [20_000, 400_000]
const withoutMoments = (part: Part): Part => ({ ...part, minAt: null, maxAt: null, firstAt: null, lastAt: null })

/** Roll-ups of several points that are in memory at a time. */
const bucketsTogether = 400_000

const fromRollups = async (store: Source, points: readonly Meaning[], { edges }: Periods) => {
  const ms = stepOf(edges)
  const [start, end] = [edges[0]!, edges.at(-1)!]
  const apart = (start - (edges.length > 2 ? edges[1]! : 0)) % ms
  const origin = start - (apart < 0 ? apart + ms : apart)
  const answer = new Map<number, Part[]>()
  const size = Math.max(1, Math.floor((bucketsTogether * ms) / (end - start)))
  for (let i = 0; i < points.length; i += size) {
    const ids = points.slice(i, i + size).map(({ id }) => id)
    const found = new Map((await store.buckets(ids, start, end, { ms, origin })).map((of) => [of.point, of]))
    for (const id of ids) {
      const parts = edges.slice(0, -1).map((from, k) => emptyPart(from, edges[k + 1]!))
      let at = 0
      for (const [k, time] of (found.get(id)?.time ?? []).entries()) {
        while (edges[at + 1]! <= Math.max(time, start)) at++
        takeBucket(parts[at]!, found.get(id)!, k)
      }
      answer.set(id, parts)
    }
  }
  return answer
}

/** Collects the stretches of a point in a range; neighbours with one value are one. */
const createRuns = (edges: readonly number[]) => {
  const [start, end] = [edges[0]!, edges.at(-1)!]
  const runs: Run[] = []
  const hear = (run: Run) => {
    const [from, to] = [Math.max(run.start, start), Math.min(run.end, end)]
    if (from >= to) return
    const last = runs.at(-1)
    if (last && last.end === from && last.value === run.value) last.end = to
    else if (runs.push({ start: from, end: to, value: run.value }) > mostRuns) throw new Fault('rangeTooLong')
  }
  return { runs, hear }
}

export const createStatistics = ({ store, clock, readingsSince }: Deps) => {
  const { foldEach, foldStates } = createFolding(store, clock)
  /** How many readings points have in a range. */
  const daysIn = (ids: readonly number[], start: number, end: number) =>
    rowsByDay(store, ids, Math.max(start, oldest), Math.min(end, clock() + 2 * day))
  /** Of roll-ups: moments are known to the quarter-hour at best. */
  const stretchedOf = async (points: readonly Meaning[], { edges }: Periods, days: ReadonlyMap<number, Buckets>) => {
    const { stretches } = store
    const quarters = (points.length * (edges.at(-1)! - edges[0]!)) / quarter
    if (!stretches || !points.length || edges.length > mostEdges || quarters > mostQuarters) return new Map<number, Part[]>()
    const found = await foldStretched({ columns: store.columns, stretches }, points, {
      edges,
      until: Math.min(edges.at(-1)!, clock()),
      days,
    })
    return new Map([...found].map(([id, parts]) => [id, parts.map(withoutMoments)]))
  }
  const counted = (curve: Curve, periods: Periods, parts: Part[]) => {
    const marks = curve.marks.filter(({ time }) => time >= periods.edges[0]! && time < periods.edges.at(-1)!)
    const sums = new Map<number, { counted: number; inGaps: number }>()
    for (const [i, start] of periods.edges.slice(0, -1).entries()) {
      const of = countedIn(curve, start, periods.edges[i + 1]!)
      if (!of) continue
      const key = periods.groups?.[i] ?? i
      const sum = sums.get(key) ?? { counted: 0, inGaps: 0 }
      sums.set(key, { counted: sum.counted + of.counted, inGaps: sum.inGaps + of.inGaps })
    }
    const keyOf = (i: number, part: Part) => (periods.groups ? part.start : i)
    return {
      marks,
      parts: parts.map((part, i) => {
        const sum = sums.get(keyOf(i, part))
        return { ...part, total: sum ? sum.counted / thousandths : null, inGaps: (sum?.inGaps ?? 0) / thousandths }
      }),
    }
  }

  return {
    /** Start of a point's retained readings; undefined if all are. */
    since: (id: number) => readingsSince?.(id),
    /** Readings by point and UTC day. */
    days: daysIn,
    /** What counters have counted, for callers that need the moment of a total. */
    curves: (counters: readonly Counter[], edges: readonly number[]) => curvesOf(store, counters, edges, clock()),
    /** Single readings of many points in the order of time, a page of them. */
    page: (asked: Parameters<typeof pageOf>[1]) => pageOf(store, asked, clock()),
    /**
     * States over time, point by point: every stretch in which a value held, in the range, and what they come to in each part of it. Refuses
     * more than `most` readings, since roll-ups know no stretches.
     */
    async *runs(points: readonly Meaning[], edges: readonly number[], most: number) {
      const ids = points.map(({ id }) => id)
      if (rowsOf(await daysIn(ids, edges[0]!, edges.at(-1)!)) > most) throw new Fault('rangeTooLong')
      const collected = new Map(ids.map((id) => [id, createRuns(edges)]))
      for await (const of of foldStates(points, edges, (id) => collected.get(id)!.hear)) {
        yield { ...of, runs: collected.get(of.point.id)!.runs }
        collected.delete(of.point.id)
      }
    },
    /** For how long values held in each part, point by point. Refuses more than `most` readings, as roll-ups do not know. */
    heldTimes: heldTimesOf(store, daysIn, clock),
    /**
     * Statistics of every part of the periods, of points whose readings in the range are at most `most`, or of roll-ups. `brief`: of roll-ups
     * wherever these know for how long values held, since moments, time out of limits and the longest time on are not wanted.
     */
    of: async (points: readonly Meaning[], periods: Periods, most = mostReadings, brief = false): Promise<Statistics[]> => {
      const [start, end] = [Math.max(periods.edges[0]!, oldest), periods.edges.at(-1)!]
      const ids = points.map(({ id }) => id)
      const days = await daysIn(ids, start, end)
      const rows = rowsOf(days)
      const answer: Statistics[] = []
      const counters = points.filter(({ type }) => type === CalDataType.counter)
      const curves = counters.length ? await curvesOf(store, counters, periods.edges, clock()) : undefined
      const isRead = ({ id }: Meaning) => rows <= most && start >= (readingsSince?.(id) ?? start)
      const [read, others] = [points.filter(isRead), points.filter((point) => !isRead(point))]
      const known = await stretchedOf(others, periods, days)
      const short = brief ? await stretchedOf(read, periods, days) : new Map<number, Part[]>()
      for (const [id, parts] of short) known.set(id, parts)
      const unknown = read.filter(({ id }) => !known.has(id))
      for await (const [point, parts] of foldEach(unknown, periods.edges)) known.set(point.id, parts)
      const rolled = await fromRollups(
        store,
        others.filter(({ id }) => !known.has(id)),
        periods,
      )
      for (const point of points) {
        const joined = grouped(periods, (known.get(point.id) ?? rolled.get(point.id))!)
        const curve = curves?.get(point.id)
        const figures = curve
          ? counted(curve, periods, joined)
          : { marks: [], parts: joined.map((part) => ({ ...part, total: totalOf(point.type, part), inGaps: 0 })) }
        const basis = isRead(point) && !short.has(point.id) ? 'readings' : 'rollups'
        answer.push({ id: point.id, basis, timed: known.has(point.id), ...figures })
      }
      return answer
    },
  }
}
export type StatisticsOf = ReturnType<typeof createStatistics>
