import type { DeltaSeries, Series, SeriesAnswer } from '../../contract/telemetry.ts'
import { noPause } from '../jobs/ownTurn.ts'

type Column = readonly (number | null)[]
/** Each entry as its difference from the entry before; nulls stay nulls and are passed over. */
const differences = (column: Column): (number | null)[] => {
  let before = 0
  return column.map((value) => {
    if (value === null) return null
    const difference = value - before
    before = value
    return difference
  })
}

/** Heights that a chart can distinguish, and significant digits of a constant value. */
const [heights, significant] = [2000, 5]
/** Whole numbers up to here, and their differences, are exact in a double. */
const mostWhole = 1e15
/** Powers of ten beyond this are no doubles. */
const mostDigits = 300

/** The digits that the point shows, more where its values lie closer together, fewer where a double has no more. */
const digitsOf = (columns: readonly Column[], shown: number) => {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const column of columns)
    for (const value of column) {
      if (value === null) continue
      low = Math.min(low, value)
      high = Math.max(high, value)
    }
  const largest = Math.max(Math.abs(low), Math.abs(high))
  if (low > high || !largest) return shown
  const fine = high > low ? Math.log10(heights) - Math.log10(high - low) : significant - Math.log10(largest)
  const needed = Math.max(shown, Math.ceil(fine))
  const possible = Math.floor(Math.log10(mostWhole) - Math.log10(largest))
  return Math.max(-mostDigits, Math.min(needed, possible, mostDigits))
}

/** The compact shape of a series (contract/telemetry.ts); `shown` are the decimal digits that the point is shown with. */
export const deltasOf = (series: Series, shown: number): DeltaSeries => {
  const { ParaId, Raw, Min, Max, Avg, Last, Count } = series
  const Digits = digitsOf(Raw ? [Last] : [Min, Max], shown)
  const whole = (value: number | null) => (value === null ? null : Math.round(Digits < 0 ? value / 10 ** -Digits : value * 10 ** Digits))
  const own = { ParaId, Raw, Digits, Time: differences(series.Time) as number[] }
  if (Raw) return { ...own, Value: differences(Last.map(whole)) }
  const avg = Avg.map(whole)
  const from = (column: Column, sign: number) => avg.map((at, i) => (at === null ? null : sign * (whole(column[i]!)! - at)))
  return { ...own, Avg: differences(avg), Below: from(Min, -1), Above: from(Max, 1), Count: differences(Count) as number[] }
}

/** An answer in the compact shape; `digits` by point. */
export const withDeltas = async (answer: SeriesAnswer, digits: ReadonlyMap<number, number>, pause = noPause): Promise<SeriesAnswer> => {
  const Deltas: DeltaSeries[] = []
  for (const series of answer.Series) {
    Deltas.push(deltasOf(series, digits.get(series.ParaId) ?? 0))
    await pause()
  }
  return { ...answer, Series: [], Deltas }
}
