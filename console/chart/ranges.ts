// Time ranges of a trend. Pure.

export type Range = { start: number; end: number }

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Selectable ranges, ms. */
export const spans: Record<string, number> = {
  '15m': 15 * minute,
  '1h': hour,
  '6h': 6 * hour,
  '24h': day,
  '7d': 7 * day,
  '30d': 30 * day,
  '90d': 90 * day,
  '1y': 365 * day,
}

const shortest = 1000
const longest = 20 * 366 * day

/** Number of buckets to request: two per pixel, so that each pixel column has its minimum and maximum. */
export const bucketCount = (width: number) => Math.min(10_000, Math.max(100, 2 * Math.round(width)))

/** Width of a bucket, ms. */
export const bucketWidth = ({ start, end }: Range, buckets: number) => (end - start) / buckets

export const pan = ({ start, end }: Range, part: number): Range => {
  const by = (end - start) * part
  return { start: start + by, end: end + by }
}

/** Lengthens (factor > 1) or shortens a range around a fixed time. */
export const zoom = ({ start, end }: Range, factor: number, about: number): Range => {
  const span = Math.min(longest, Math.max(shortest, (end - start) * factor))
  const left = end > start ? (about - start) / (end - start) : 0.5
  return { start: about - span * left, end: about + span * (1 - left) }
}

/** Limits a range to whole milliseconds, not before 2000, not after the next day (findings 8). */
export const within = ({ start, end }: Range, now: number): Range => {
  const last = now + day
  const span = Math.min(longest, Math.max(shortest, end - start))
  const to = Math.min(end, last)
  return { start: Math.round(Math.max(Date.UTC(2000, 0, 1), to - span)), end: Math.round(to) }
}

/** From shortly before a time to the end, at least a minute. */
export const fit = ({ start, end }: Range, since: number): Range => {
  const from = Math.min(since, end - minute)
  return { start: Math.max(start, Math.round(from - (end - from) * 0.02)), end }
}
