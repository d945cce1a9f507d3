// Converts server answers to the columns of a plot. Pure.
import type { ParaInfo, Series } from '../../contract/telemetry.ts'
import type { Latest } from '../live/points.ts'

type Values = (number | null)[]
/** One line: x in ms, with a null for a gap. Low and High are present if each entry is a bucket. */
export type Line = { ParaId: number; Time: number[]; Value: Values; Low?: Values; High?: Values }

/** Longest period without readings that is drawn through, ms: three expected intervals, or two and a half buckets. */
export const longestSilence = (expectedMs: number, step: number, raw: boolean) =>
  raw ? 3 * expectedMs + 1000 : Math.max(3 * expectedMs, 2.5 * step)

/** Readings on one side that establish a coarser interval. */
const rhythm = 3
/**
 * The usual interval around a reading, because history may be coarser than current readings. Takes the median of three,
 * so that a single reading between two gaps does not count as an interval.
 */
const usualPause = (time: readonly number[], i: number): number => {
  const median = (from: number) => {
    if (from < 1 || from + rhythm > time.length) return 0
    return Array.from({ length: rhythm }, (_, k) => time[from + k]! - time[from + k - 1]!).sort((a, b) => a - b)[1]!
  }
  return Math.max(median(i - rhythm), median(i + 1))
}

/** Inserts a null into each period without readings, to draw a gap. */
const withGaps = (time: readonly number[], columns: readonly Values[], silence: number): [number[], Values[]] => {
  const x: number[] = []
  const ys: Values[] = columns.map(() => [])
  time.forEach((at, i) => {
    const before = time[i - 1]
    if (before !== undefined && at - before > silence && at - before > 2.5 * usualPause(time, i)) {
      x.push((before + at) / 2)
      for (const y of ys) y.push(null)
    }
    x.push(at)
    for (const [c, y] of ys.entries()) y.push(columns[c]![i] ?? null)
  })
  return [x, ys]
}

/** A line of stored data, followed by live readings. */
export const assemble = (s: Series, info: Pick<ParaInfo, 'ExpectedMs'>, step: number, tail: readonly Latest[] = []): Line => {
  const newest = s.Time.at(-1) ?? Number.NEGATIVE_INFINITY
  const live = tail.filter(({ Time }) => Time > newest + (s.Raw ? 0 : step))
  const values = live.map(({ Value }) => Value)
  const time = [...s.Time, ...live.map(({ Time }) => Time)]
  const silence = longestSilence(info.ExpectedMs, step, s.Raw)
  const value = [...(s.Raw ? s.Last : s.Avg), ...values]
  if (s.Raw) {
    const [Time, [Value = []]] = withGaps(time, [value], silence)
    return { ParaId: s.ParaId, Time, Value }
  }
  const [Time, [Value = [], Low, High]] = withGaps(time, [value, [...s.Min, ...values], [...s.Max, ...values]], silence)
  return { ParaId: s.ParaId, Time, Value, Low, High }
}

/** The newest value of a line at or before a time, unless there is a gap in between. */
export const valueAt = ({ Time, Value }: Line, at: number): number | null => {
  let low = 0
  let high = Time.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (Time[middle]! <= at) low = middle + 1
    else high = middle
  }
  return Value[low - 1] ?? null
}

/** Shifts labels so that they do not overlap, keeping their order. */
export const spread = (wanted: readonly number[], height: number, top: number, bottom: number): number[] => {
  const order = wanted.map((y, i) => ({ y, i })).sort((a, b) => a.y - b.y)
  let floor = top
  for (const label of order) {
    label.y = Math.max(label.y, floor)
    floor = label.y + height
  }
  let ceiling = bottom
  for (const label of order.toReversed()) {
    label.y = Math.min(label.y, ceiling)
    ceiling = label.y - height
  }
  return order.toSorted((a, b) => a.i - b.i).map(({ y }) => y)
}
