import type { Series } from '../../contract/telemetry.ts'
import { Fault } from '../http/faults.ts'
import { type Buckets, day, hour, minute, quarter, type Readings, readingsBehind, type Step, type Store } from './store/store.ts'
import { ceilTo, floorTo, offsets } from './zone.ts'

/** The contract's answer to Data, MinData, HourData and DayData. Step in ms, 0 = hours or days of the zone. */
export type SeriesAnswer = { Start: number; End: number; Step: number; TimeZone: string; Series: Series[]; Compared?: SeriesAnswer[] }

/** Points by id (resolved by PostgreSQL, findings 26), start <= time < end in epoch ms. */
export type Asked = { ids: readonly number[]; start: number; end: number; zone: string }
/** `ranges`: ranges of the answer, which share its entries. */
type Charted = Asked & { buckets?: number; width?: number; ranges?: number }

const standardBuckets = 1000
/** Entries of an answer, over all points: what a browser can take. */
export const maxEntries = 500_000
/** Entries of one point in whole units: 34 days of minutes, 5 years of hours. */
export const maxUnits = 50_000
/** Buckets of a point, so that an answer has no more than its entries. */
export const fewerBuckets = (buckets: number, ids: number, ranges = 1) =>
  Math.max(1, Math.min(buckets, Math.floor(maxEntries / Math.max(1, ids * ranges))))
/** No sample is older than 2000 or more than a day ahead. */
const oldest = Date.UTC(2000, 0, 1)

/**
 * The smallest step that cuts the range into at most `buckets`, counted from multiples of itself so that panning keeps the
 * buckets; at least `least` ms, whole minutes from a minute on and whole quarter-hours from two hours on, so that roll-ups serve it.
 */
export const stepFor = (start: number, end: number, buckets: number, least = 1): { ms: number; origin: number } => {
  const unit = (ms: number) => (ms < minute ? 1 : ms < 2 * hour ? minute : quarter)
  const up = (ms: number) => Math.ceil(ms / unit(ms)) * unit(ms)
  let ms = up(Math.max(least, Math.ceil((end - start) / buckets)))
  if (buckets === 1) {
    const origin = Math.floor(start / unit(ms)) * unit(ms)
    return { ms: up(end - origin), origin }
  }
  while (Math.floor((end - 1) / ms) - Math.floor(start / ms) + 1 > buckets) ms = up(ms + 1)
  return { ms, origin: Math.floor(start / ms) * ms }
}

const nothing: Readings = { time: [], value: [] }
const rawSeries = (id: number, { time, value }: Readings): Series => {
  const same = { Min: value, Max: value, Avg: value, First: value, Last: value }
  return { ParaId: id, Raw: true, Time: time, ...same, Count: value.map((one) => (one === null ? 0 : 1)) }
}
const bucketSeries = ({ point, time, min, max, avg, first, last, count }: Buckets): Series => ({
  ...{ ParaId: point, Raw: false, Time: time },
  ...{ Min: min, Max: max, Avg: avg, First: first, Last: last, Count: count },
})

/** `readingsSince`: start of a point's retained readings (epoch ms). Before it there may be roll-ups only. */
export const createQuery = (store: Pick<Store, 'buckets'>, clock: () => number, readingsSince?: (id: number) => number | undefined) => {
  /** Nothing lies outside: keeps hostile ranges cheap. */
  const clamp = (start: number, end: number) => [Math.max(start, oldest), Math.min(end, clock() + 2 * day)] as const
  const bucketsOf = async (ids: readonly number[], from: number, to: number, step: Step, few = 0) => {
    const [start, end] = clamp(from, to)
    if (start >= end || !ids.length) return new Map<number, Buckets>()
    return new Map((await store.buckets(ids, start, end, step, few)).map((buckets) => [buckets.point, buckets]))
  }

  return {
    /**
     * `Data`: at most `buckets` entries a point, always answered whatever the range. A point whose readings in the range are no
     * more than that comes raw. Beside many points or ranges the number of buckets gives way (500,000 entries in all). With a `width` (ms) every
     * bucket is that wide, and no point comes raw.
     */
    series: async ({ ids, start, end, buckets = standardBuckets, width, ranges, zone }: Charted): Promise<SeriesAnswer> => {
      const size = fewerBuckets(buckets, ids.length, ranges)
      const old = new Set(ids.filter((id) => start < (readingsSince?.(id) ?? start)))
      const step = width
        ? { ms: width, origin: Math.floor(Math.max(start, oldest) / width) * width }
        : stepFor(start, Math.max(end, start + 1), size, old.size ? minute : 1)
      const found = await bucketsOf(ids, start, end, step, width ? 0 : size)
      const series = ids.map((id) => {
        const buckets = found.get(id)
        if (!buckets) return { ...rawSeries(id, nothing), Raw: !width }
        const { readings } = buckets
        return readings && (!old.has(id) || readings.time.length >= readingsBehind(buckets))
          ? rawSeries(id, readings)
          : bucketSeries(buckets)
      })
      return { Start: start, End: end, Step: step.ms, TimeZone: zone, Series: series }
    },

    /**
     * `MinData`, `HourData`, `DayData`: whole units of the zone that touch the range. Fault `rangeTooLong` above 50,000 units a
     * point or 500,000 entries.
     */
    units: async (unit: 'minute' | 'hour' | 'day', { ids, start, end, zone }: Asked): Promise<SeriesAnswer> => {
      const units = (end - start) / { minute, hour, day }[unit]
      if (units > maxUnits || units * ids.length > maxEntries) throw new Fault('rangeTooLong')
      const [lo, hi] = clamp(start, end)
      if (lo >= hi)
        return { Start: start, End: end, Step: 0, TimeZone: zone, Series: ids.map((id) => ({ ...rawSeries(id, nothing), Raw: false })) }
      const spans = unit === 'minute' ? [] : offsets(zone, lo, hi)
      const from = unit === 'minute' ? Math.floor(lo / minute) * minute : floorTo(unit, spans, lo)
      const to = unit === 'minute' ? Math.ceil(hi / minute) * minute : ceilTo(unit, spans, hi)
      const step: Step = unit === 'minute' ? { ms: minute, origin: from } : { unit, zone }
      const found = await bucketsOf(ids, from, to, step)
      const series = ids.map((id) => {
        const buckets = found.get(id)
        return buckets ? bucketSeries(buckets) : { ...rawSeries(id, nothing), Raw: false }
      })
      return { Start: from, End: to, Step: unit === 'minute' ? minute : 0, TimeZone: zone, Series: series }
    },
  }
}
export type Query = ReturnType<typeof createQuery>
