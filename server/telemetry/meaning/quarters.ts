// What meters counted, by quarter-hours: whole thousandths, so that hours, days and months add up to the last digit, wherever they are cut.
import { Fault } from '../../http/faults.ts'
import { pausing } from '../../jobs/ownTurn.ts'
import { hour, quarter, type Store } from '../store/store.ts'
import { type Counter, markedReadings } from './consumption.ts'
import { type CounterRules, type Curve, counterCurve, isLongGap } from './counter.ts'
import { toThousandths } from './hold.ts'
import { CalDataType, createStatistics, type Meaning } from './statistics.ts'

/** How a quarter-hour is known. `missing`: its share of a long gap. */
export const quality = { measured: 0, interpolated: 1, entered: 2, corrected: 3, missing: 4 } as const

/**
 * Consecutive quarter-hours. `value` holds whole thousandths; `unknown` is 1 where nothing at all is known, and the value 0 there. `events` are
 * the moments of meter events that wait for an answer.
 */
export type QuarterParts = { start: number; value: Float64Array; quality: Uint8Array; unknown: Uint8Array; events: number[] }

/** A meter that counts from a moment to another one. Its readings times the factor are units; readings of the swap are optional. */
export type Segment = {
  meaning: Meaning
  factor: number
  from: number
  to: number
  startReading: number | null
  endReading: number | null
}
type Range = { start: number; count: number }
type Readings = { time: number[]; value: number[] }
type Source = Pick<Store, 'marks' | 'columns' | 'buckets' | 'stretches'>

export const emptyQuarters = ({ start, count }: Range): QuarterParts => ({
  ...{ start, value: new Float64Array(count), quality: new Uint8Array(count), unknown: new Uint8Array(count).fill(1), events: [] },
})

/** Adds what a curve counted between two moments. A quarter-hour without a reading of its own is interpolated, or missing in a long gap. */
const addCurve = (to: QuarterParts, { time, total, marks }: Curve, from: number, until: number) => {
  if (!time.length) return
  const [first, last] = [time[0]!, time.at(-1)!]
  let at = 0
  const totalOf = (moment: number) => {
    while (at + 1 < time.length && time[at + 1]! <= moment) at++
    const next = time[at + 1]
    if (moment < time[0]! || next === undefined || total[at + 1] === total[at]) return total[at]!
    return total[at]! + Math.round((total[at + 1]! - total[at]!) * ((moment - time[at]!) / (next - time[at]!)))
  }
  const begin = Math.max(0, Math.floor((Math.max(from, first) - to.start) / quarter))
  for (let i = begin; i < to.value.length; i++) {
    const [lo, hi] = [Math.max(from, to.start + i * quarter), Math.min(until, to.start + (i + 1) * quarter)]
    if (lo >= last || lo >= until) break
    if (hi <= lo || hi <= first) continue
    const before = totalOf(lo)
    const [index, isOwn] = [at, time[at]! >= lo || (time[at + 1] ?? Number.POSITIVE_INFINITY) < hi]
    to.value[i]! += totalOf(hi) - before
    const gap = isLongGap(time[index]!, time[index + 1]!) ? quality.missing : quality.interpolated
    to.quality[i] = Math.max(to.quality[i]!, isOwn ? quality.measured : gap)
    to.unknown[i] = 0
  }
  for (const { time: moment, kind, open } of marks) {
    const i = Math.floor((moment - to.start) / quarter)
    if (moment < from || moment >= until || i < 0 || i >= to.value.length || (kind !== 'event' && kind !== 'outlier')) continue
    to.quality[i] = quality.corrected
    if (open) to.events.push(moment)
  }
}

const scaled = (rules: CounterRules, factor: number): CounterRules => ({
  maxReading: rules.maxReading === null ? null : rules.maxReading * factor,
  hourlyHigh: rules.hourlyHigh === null ? null : rules.hourlyHigh * factor,
  tolerance: rules.tolerance * factor,
  answers: new Map(
    [...rules.answers].map(([time, answer]) => [
      time,
      answer.kind === 'replaced' ? { ...answer, oldEnd: answer.oldEnd * factor, newStart: answer.newStart * factor } : answer,
    ]),
  ),
})

/** Readings of a segment in units. A reading of the swap replaces the meter's readings before or after it. */
const ownReadings = ({ time, value }: Readings, { factor, from, to, startReading, endReading }: Segment): Readings => {
  const own: Readings = { time: [], value: [] }
  const take = (at: number, reading: number) => {
    own.time.push(at)
    own.value.push(reading * factor)
  }
  if (startReading !== null) take(from, startReading)
  for (const [i, at] of time.entries()) {
    if (startReading !== null && at <= from) continue
    if (endReading !== null && at >= to) break
    take(at, value[i]!)
  }
  if (endReading !== null && Number.isFinite(to)) take(to, endReading)
  return own
}

/** Adds what a segment counted, given readings of its meter. */
export const addCounted = (to: QuarterParts, readings: Readings, segment: Segment, now: number) => {
  const rules = segment.factor === 1 ? segment.meaning.counter : scaled(segment.meaning.counter, segment.factor)
  addCurve(to, counterCurve(ownReadings(readings, segment), rules, now), segment.from, segment.to)
}

/** Adds amounts, or what a rate comes to, of meters that do not count up. */
const addTotals = async (store: Source, to: QuarterParts, segment: Segment, now: number) => {
  const { meaning, factor, from, to: until } = segment
  const marks = Array.from({ length: to.value.length + 1 }, (_, i) => to.start + i * quarter)
  const end = Math.min(until, marks.at(-1)!, now)
  const edges = [...new Set([Math.max(from, to.start), ...marks.filter((at) => at > from && at < end), end])]
  if (edges.length < 2 || edges.at(-1)! <= edges[0]!) return
  const [found] = await createStatistics({ store, clock: () => now }).of([meaning], { edges })
  for (const { start, end: partEnd, total, heldMs } of found!.parts) {
    const i = Math.floor((start - to.start) / quarter)
    const isRate = meaning.type === CalDataType.rate
    if (total === null) continue
    to.value[i]! += toThousandths(total * factor)
    to.quality[i] = Math.max(to.quality[i]!, isRate && heldMs < (partEnd - start) / 2 ? quality.interpolated : quality.measured)
    to.unknown[i] = 0
  }
  markGaps(to, edges[0]!, end)
}
/** Quarter-hours between known ones are 0: interpolated for up to two hours, missing in longer gaps. */
const markGaps = (to: QuarterParts, from: number, end: number) => {
  let known = -1
  for (let i = Math.max(0, Math.floor((from - to.start) / quarter)); i < to.value.length && to.start + i * quarter < end; i++) {
    if (to.unknown[i]) continue
    const empty = known < 0 ? 0 : i - known - 1
    for (let k = known + 1; empty > 0 && k < i; k++) {
      to.unknown[k] = 0
      to.quality[k] = empty < (2 * hour) / quarter ? quality.interpolated : quality.missing
    }
    known = i
  }
}

/** Marks values that are not numbers, or too large to be exact, as unknown: a meter may show 1e300. */
const leaveOutSenseless = ({ value, quality, unknown }: QuarterParts) => {
  for (let i = 0; i < value.length; i++) {
    if (Math.abs(value[i]!) <= Number.MAX_SAFE_INTEGER) continue
    value[i] = 0
    quality[i] = 0
    unknown[i] = 1
  }
}

/** Quarter-hours of all meters that are in memory at a time. */
const together = 100_000

/**
 * Quarter-hours of meters by key, each a row of segments, from few readings of each: equal to what all readings come to. Long ranges are
 * for the caller to cut; a range with too many doubtful readings is halved.
 */
export const meterQuarters = async (
  store: Source,
  meters: ReadonlyMap<number, readonly Segment[]>,
  range: Range,
  now: number,
): Promise<Map<number, QuarterParts>> => {
  const end = range.start + range.count * quarter
  const answer = new Map([...meters.keys()].map((key) => [key, emptyQuarters(range)]))
  const inRange = ({ from, to }: Segment) => from < end && to > range.start
  const all = [...meters].flatMap(([key, segments]) => segments.filter(inRange).map((segment) => ({ key, segment })))
  const counters = Map.groupBy(
    all.filter(({ segment }) => segment.meaning.type === CalDataType.counter),
    ({ segment }) => segment.meaning.id,
  )
  const ids = [...counters.keys()]
  const size = Math.max(1, Math.floor(together / range.count))
  const pause = pausing()
  for (let i = 0; i < ids.length; i += size) {
    const some = ids.slice(i, i + size).map((id): Counter => ({ id, counter: counters.get(id)![0]!.segment.meaning.counter }))
    const readings = await readHalving(store, some, range, now)
    for (const { id } of some)
      for (const { key, segment } of counters.get(id)!) {
        addCounted(answer.get(key)!, readings.get(id) ?? { time: [], value: [] }, segment, now)
        await pause()
      }
  }
  for (const { key, segment } of all)
    if (segment.meaning.type === CalDataType.amount || segment.meaning.type === CalDataType.rate)
      await addTotals(store, answer.get(key)!, segment, now)
  for (const parts of answer.values()) leaveOutSenseless(parts)
  return answer
}

const readHalving = async (
  store: Source,
  counters: readonly Counter[],
  { start, count }: Range,
  now: number,
): Promise<Map<number, Readings>> => {
  try {
    return await markedReadings(store, counters, start, start + count * quarter, now)
  } catch (error) {
    if (!(error instanceof Fault) || error.key !== 'rangeTooLong' || count < 2) throw error
    const half = Math.floor(count / 2)
    const [a, b] = [
      await readHalving(store, counters, { start, count: half }, now),
      await readHalving(store, counters, { start: start + half * quarter, count: count - half }, now),
    ]
    const middle = start + half * quarter
    return new Map(counters.map(({ id }) => [id, joined(a.get(id), b.get(id), middle)]))
  }
}
const joined = (a: Readings = { time: [], value: [] }, b: Readings = { time: [], value: [] }, middle = 0): Readings => {
  const [upTo, from] = [a.time.filter((at) => at < middle).length, b.time.findIndex((at) => at >= middle)]
  const rest = from < 0 ? b.time.length : from
  return { time: [...a.time.slice(0, upTo), ...b.time.slice(rest)], value: [...a.value.slice(0, upTo), ...b.value.slice(rest)] }
}
