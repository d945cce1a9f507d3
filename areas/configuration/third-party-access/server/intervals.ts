// Mean, minimum and maximum of each interval, computed from stored readings.
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import type { Due } from './accesses.ts'
import type { SentPoint, SentReading } from './format.ts'
import { delivered, type Sending } from './outcome.ts'
import type { Way } from './targets.ts'

/** Limits of one query: points, and seconds of all of them: some have a reading each second. */
const [mostTogether, mostSeconds] = [500, 1_000_000]
/** Delay after an interval's end before it is sent, ms: readings take a moment to arrive. */
const graceMs = 15_000
/** Age limit of intervals that are sent late, ms. */
const longestMs = 31 * 86_400_000

/** The next interval to send, and whether it is complete. */
const nextInterval = (cursor: number, periodMs: number, now: number) => {
  const start = Math.max(cursor, Math.floor((now - longestMs) / periodMs) * periodMs)
  return { start, end: start + periodMs, isOver: now >= start + periodMs + graceMs }
}

/** Time until the present interval is sent, ms. */
export const untilNext = (periodMs: number, now: number) => periodMs - (now % periodMs) + graceMs

type Row = { value: number | null; quality: number }
const summed = (point: SentPoint, time: number, rows: readonly Row[]): SentReading[] => {
  const values = rows.flatMap(({ value, quality }) => (value !== null && quality <= 1 ? [value] : []))
  if (!values.length) return []
  let [sum, min, max] = [0, values[0]!, values[0]!]
  for (const value of values) {
    sum += value
    min = Math.min(min, value)
    max = Math.max(max, value)
  }
  const quality = rows.some((row) => row.quality) ? 1 : 0
  return [{ point, time, value: Number((sum / values.length).toPrecision(12)), quality, spread: { min, max } }]
}

/** Statistics of the points for an interval; points without a good reading are omitted. */
const readInterval = async (read: Telemetry['read'], points: readonly SentPoint[], start: number, end: number) => {
  const all: SentReading[] = []
  const together = Math.max(1, Math.min(mostTogether, Math.floor((mostSeconds * 1000) / (end - start))))
  for (let from = 0; from < points.length; from += together) {
    const some = points.slice(from, from + together)
    const ids = some.map(({ Id }) => Id)
    const rows = Map.groupBy(await read(ids, start, end), ({ point }) => point)
    for (const point of some) all.push(...summed(point, start, rows.get(point.Id) ?? []))
  }
  return all
}

type Needs = {
  read: Telemetry['read']
  clock(): number
  turnMs: number
  openWay(due: Due): Promise<Way>
  deliver(way: Way, readings: readonly SentReading[], taken: () => Promise<unknown>): Promise<Sending>
  moved(Id: number, sent: number, cursor: number): Promise<unknown>
}
/** Sends completed intervals. The cursor is the start of the next interval; it advances once an interval is fully delivered. */
export const openIntervals =
  ({ read, clock, turnMs, openWay, deliver, moved }: Needs) =>
  async (due: Due, points: readonly SentPoint[]): Promise<Sending | 'more' | undefined> => {
    const end = performance.now() + turnMs
    let way: Way | undefined
    let cursor = due.Cursor ?? 0
    try {
      for (;;) {
        const next = nextInterval(cursor, due.Period * 1000, clock())
        if (!next.isOver) return way && delivered
        if (performance.now() > end) return 'more'
        const readings = await readInterval(read, points, next.start, next.end)
        if (readings.length) way ??= await openWay(due)
        const outcome = way && readings.length ? await deliver(way, readings, async () => undefined) : delivered
        if (outcome.fault) return outcome
        cursor = next.end
        await moved(due.Id, readings.length, cursor)
      }
    } finally {
      way?.close()
    }
  }
