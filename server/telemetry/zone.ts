import { day, hour, quarter } from './store/store.ts'

/** From `from` (epoch ms) on, local time = UTC + offset (ms). */
export type Span = { from: number; offset: number }

const formats = new Map<string, Intl.DateTimeFormat>()
const format = (zone: string) => {
  let known = formats.get(zone)
  if (!known) {
    const parts = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const
    known = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', era: 'short', ...parts })
    formats.set(zone, known)
  }
  return known
}

/** Local time minus UTC at an instant on a whole second, ms. Throws RangeError for a zone that is none. */
const offsetAt = (zone: string, time: number) => {
  const part: Record<string, number> = {}
  for (const { type, value } of format(zone).formatToParts(time)) part[type] = Number(value)
  return Date.UTC(part.year!, part.month! - 1, part.day, part.hour, part.minute, part.second) - time
}

const years = new Map<string, Span[]>()
/** Cache of a zone's UTC offset changes by year: finding them takes the local time of every day. */
const changesIn = (zone: string, year: number): Span[] => {
  const key = `${zone}/${year}`
  const known = years.get(key)
  if (known) return known
  const changes: Span[] = []
  let old = offsetAt(zone, Date.UTC(year, 0, 1))
  for (let at = Date.UTC(year, 0, 1); at < Date.UTC(year + 1, 0, 1); at += day) {
    const offset = offsetAt(zone, at + day)
    if (offset === old) continue
    let [before, after] = [at, at + day]
    while (after - before > quarter) {
      const middle = before + Math.floor((after - before) / 2 / quarter) * quarter
      if (offsetAt(zone, middle) === old) before = middle
      else after = middle
    }
    changes.push({ from: after, offset })
    old = offset
  }
  years.set(key, changes)
  return changes
}

/**
 * The offsets of a zone over a range widened by two days, ascending, first span from -Infinity. Instants of change are found to
 * the quarter-hour, where all changes since 2000 lie; two changes within a day would be missed, and no zone has had them.
 */
export const offsets = (zone: string, start: number, end: number): Span[] => {
  const [first, last] = [Math.floor(start / day - 2) * day, end + 2 * day]
  const spans: Span[] = [{ from: Number.NEGATIVE_INFINITY, offset: offsetAt(zone, first) }]
  for (let year = new Date(first).getUTCFullYear(); year <= new Date(last).getUTCFullYear(); year++)
    for (const change of changesIn(zone, year)) if (change.from > first && change.from < last + day) spans.push(change)
  return spans
}

const lengths = { hour, day }
const spanAt = (spans: readonly Span[], time: number) => spans.findLast((s) => s.from <= time)!

/**
 * What a stored row is grouped by. Days: the number of the local date, so that both halves of a day with a change are one.
 * Hours: the instant the wall clock last showed a whole hour under the present offset, so that a repeated hour counts twice.
 */
export const keyOf = (unit: 'hour' | 'day', spans: readonly Span[], time: number) => {
  const { offset } = spanAt(spans, time)
  const label = Math.floor((time + offset) / lengths[unit])
  return unit === 'day' ? label : label * hour - offset
}

const startOfHour = (key: number, spans: readonly Span[], at: number) =>
  (key + spans[at]!.offset) % hour === 0 ? key : (spans[at + 1]?.from ?? key)

/** The first instant of a key's bucket; where the wall clock skips it, the instant of the change. */
export const startOfKey = (unit: 'hour' | 'day', spans: readonly Span[], key: number) => {
  if (unit === 'hour')
    return startOfHour(
      key,
      spans,
      spans.findLastIndex((s) => s.from <= key),
    )
  const index = spans.findIndex((s, i) => key * day - s.offset < (spans[i + 1]?.from ?? Number.POSITIVE_INFINITY))
  return Math.max(key * day - spans[index]!.offset, spans[index]!.from)
}

/** The same of many keys, ascending. */
export const startsOfKeys = (unit: 'hour' | 'day', spans: readonly Span[], keys: readonly number[]) => {
  if (unit === 'day') return keys.map((key) => startOfKey(unit, spans, key))
  let at = 0
  return keys.map((key) => {
    while (at + 1 < spans.length && spans[at + 1]!.from <= key) at++
    return startOfHour(key, spans, at)
  })
}

/** The start of the unit that holds an instant. */
export const floorTo = (unit: 'hour' | 'day', spans: readonly Span[], time: number) => startOfKey(unit, spans, keyOf(unit, spans, time))

/** The first start of a unit that is not before an instant. */
export const ceilTo = (unit: 'hour' | 'day', spans: readonly Span[], time: number) => {
  if (floorTo(unit, spans, time) === time) return time
  const key = keyOf(unit, spans, time)
  return unit === 'day' ? startOfKey('day', spans, key + 1) : floorTo('hour', spans, key + hour)
}
