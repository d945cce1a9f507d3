import type { Sample, Stored } from '../sample.ts'
import type { Snapshot } from './duckdb/snapshot.ts'
import type { HeldTimes } from './heldTimes.ts'
import type { QuarterMarks } from './marks.ts'
import type { Holding, Stretches } from './stretches.ts'

/** Bucket widths of roll-ups, aligned to UTC, ms. */
export const minute = 60_000
export const quarter = 900_000
export const hour = 3_600_000
export const day = 86_400_000

/**
 * How a range is cut: fixed buckets of `ms` counted from `origin` (epoch ms, not after the range's start), or hours and days
 * as clocks on the wall of `zone` (IANA name) show them. Every zone's offset since 2000 is a multiple of 15 minutes, so both
 * are put together from UTC quarter-hours (findings 3).
 */
export type Step = { ms: number; origin: number } | { unit: 'hour' | 'day'; zone: string }

/** A reading about to be stored; live is false for back-fill. */
export type Incoming = Sample & { live: boolean }

export type Appended = {
  /** Arrival number of the first reading; the one at index i has `first + i`. */
  first: number
  /** Indices (out of those that were asked about) whose point and time were in the store already, or earlier in this call. */
  replaced: number[]
}

/**
 * Buckets of one point in columns, ascending, only those with at least one reading. Null readings (bad quality) count in `rows`
 * and nowhere else: a bucket of nothing else has count 0 and nulls.
 */
export type Buckets = {
  point: number
  /** Start of the bucket, epoch ms. */
  time: number[]
  min: (number | null)[]
  max: (number | null)[]
  avg: (number | null)[]
  first: (number | null)[]
  last: (number | null)[]
  /** Readings with a value. */
  count: number[]
  /** Readings, null ones too. */
  rows: number[]
  /** The readings themselves, ascending, where few were asked for and there are no more. */
  readings?: Readings
}
export type Readings = { time: number[]; value: (number | null)[] }

/** Readings of one point in columns, ascending. */
export type PointReadings = Readings & { point: number; quality: number[] }

/** The same as arrays that go to another thread without a copy. NaN is no value. */
export type PackedReadings = {
  point: number
  time: Float64Array<ArrayBuffer>
  value: Float64Array<ArrayBuffer>
  quality: Uint8Array<ArrayBuffer>
}

/** How long a value of a point holds at least wherever it holds, ms. */
export type Held = { point: number; ms: number }
/** Successive readings of one point with the same value and quality, `rows` of them, as one entry each: columns, ascending. */
export type RunLengths = { point: number; first: number[]; last: number[]; value: (number | null)[]; quality: number[]; rows: number[] }

/** The number of readings in buckets. */
export const readingsBehind = ({ rows }: Buckets) => rows.reduce((sum, of) => sum + of, 0)

/**
 * What retention removes: readings of these points from before `before` (epoch ms; Infinity = all), their roll-ups from before
 * `rollups`, which is never later; left out, they go with the readings.
 */
export type Cutoff = { points: readonly number[]; before: number; rollups?: number }

/**
 * Where samples live. Of several rows with one point and time the newest arrival number holds, everywhere. Calls fail with
 * Fault `unavailable` while the engine behind is away.
 */
export type Store = {
  /**
   * Resolves when the rows are on disk. `doubtful` are the indices that may replace something: only they are looked up. `first` is a number
   * that was reserved for them; without it, the store gives them numbers.
   */
  append(rows: readonly Incoming[], doubtful?: readonly number[], first?: number): Promise<Appended>
  /** Reserves arrival numbers and returns the first. Only stores that several processes write to have it. */
  reserve?(amount: number): number
  /** Readings with start <= time < end, by point and time; at most `limit`. */
  read(points: readonly number[], start: number, end: number, limit?: number): Promise<Stored[]>
  /** The same in columns, of points that have any, by point: for reckoning. Callers ask for what fits into memory. */
  columns(points: readonly number[], start: number, end: number): Promise<PointReadings[]>
  /**
   * The same with equal neighbours as one: readings whose value and quality are those of the reading before, at most `ms` after it. No entry
   * goes over `cut`, which is where a range begins when readings of before are asked for as well.
   */
  runLengths(points: readonly Held[], start: number, end: number, cut: number): Promise<RunLengths[]>
  /** For how long each value of a point held in each part, by point; the last readings hold up to `until`, which may be before the last edge. */
  heldTimes(points: readonly Holding[], edges: readonly number[], until: number): Promise<HeldTimes[]>
  /** Points with at most `few` readings in the range bring them along, as they are at the same moment. */
  buckets(points: readonly number[], start: number, end: number, step: Step, few?: number): Promise<Buckets[]>
  /**
   * What closed readings between the first and the last edge come to, for figures over time, and what must be looked at beside: pieces of
   * single readings, and days that are not settled. No stretch goes over an edge. Only whole quarter-hours are in the answer.
   */
  stretches(points: readonly Holding[], edges: readonly number[]): Promise<Stretches>
  /** Quarter-hours of counters with the moments of their first and last values. Start and end are whole quarter-hours. */
  marks(points: readonly number[], start: number, end: number): Promise<QuarterMarks[]>
  /** The same by a connection of its own, one after the other: long work in bounded pieces, for which charts do not wait. */
  aside: Pick<Store, 'columns' | 'runLengths' | 'buckets' | 'stretches' | 'marks'> & {
    packed(points: readonly number[], start: number, end: number): Promise<PackedReadings[]>
  }
  /** The reading with the newest time of every point. */
  latest(): Promise<Stored[]>
  /**
   * Of points that have live readings later than `believed` (epoch ms): the newest live one that came after the last of those, if
   * any did. Looks at what time has not settled yet, some days.
   */
  returned(points: readonly number[], believed: number): Promise<Stored[]>
  /** Live rows with an arrival number above n, in order of arrival, at most `limit`: to replay, ask again from the last one. */
  since(n: number, limit?: number): Promise<Stored[]>
  /**
   * All rows of these points with an arrival number above n and a time from `from` on, back-fill too, in order of arrival, at most `limit`.
   * By the connection of long work. A page reads each file that may have some, so ask for large pages.
   */
  arrivals(points: readonly number[], n: number, from: number, limit: number): Promise<Stored[]>
  /** How many of them there are from `from` to `to`, and the earliest time. */
  arrived(points: readonly number[], n: number, from: number, to: number): Promise<{ count: number; earliest: number | null }>
  /** The highest arrival number that was given. */
  top(): number
  /**
   * Puts readings of a past in place as closed files: they count as older than any that arrived, and the same ones again change nothing,
   * so that a load that was cut off may be repeated. They lie in one UTC month, and in one day where that month is not over.
   */
  load(batches: AsyncIterable<readonly Sample[]>): Promise<void>
  /** Forgets points entirely. */
  drop(points: readonly number[]): Promise<void>
  /** Removes what the cutoffs name; a closed file goes or is cut when it is wholly before the cutoff, so up to a month late (roll-ups up to a year). */
  retain(cutoffs: readonly Cutoff[]): Promise<void>
  /** Moves rows to where they are cheap to keep and to read. Called by a timer; `now` closes even what is not due. */
  settle(now?: 'now'): Promise<void>
  /** Everything as it is now, for a backup; a store behind a server of its own has none. */
  snapshot?(folder: string, keep: (path: string, name: string) => Promise<void>): Promise<Snapshot>
  /** Bytes on disk. */
  size(): Promise<number>
  /** Bytes of this process's memory by what they are for; a store behind a server of its own has none. */
  memory?(): Promise<{ kind: string; bytes: number }[]>
  /** Resolves while the engine answers, however much it has to do. */
  ready(): Promise<void>
  close(): Promise<void>
}
