import type { DeltaSeries, Series, SeriesAnswer } from '../../contract/telemetry.ts'

type Column = readonly (number | null)[]

/** Decodes differences: adds each entry to the previous ones; nulls are skipped. */
const added = (column: Column = []): (number | null)[] => {
  let sum = 0
  return column.map((difference) => {
    if (difference === null) return null
    sum += difference
    return sum
  })
}

const seriesOf = ({ ParaId, Raw, Digits, Time, Value, Avg, Below, Above, Count }: DeltaSeries): Series => {
  const unscaled = (column: Column) =>
    column.map((whole) => (whole === null ? null : Digits < 0 ? whole * 10 ** -Digits : whole / 10 ** Digits))
  const time = added(Time) as number[]
  if (Raw) {
    const value = unscaled(added(Value))
    const same = { Min: value, Max: value, Avg: value, First: value, Last: value }
    return { ParaId, Raw, Time: time, ...same, Count: value.map((one) => (one === null ? 0 : 1)) }
  }
  const avg = added(Avg)
  const from = (column: Column = [], sign: number) => unscaled(avg.map((at, i) => (at === null ? null : at + sign * (column[i] ?? 0))))
  return {
    ...{ ParaId, Raw, Time: time, Min: from(Below, -1), Max: from(Above, 1), Avg: unscaled(avg) },
    ...{ First: [], Last: [], Count: added(Count) as number[] },
  }
}

/** The series of an answer with `Shape: 'deltas'`; buckets have no first and last value. */
export const seriesIn = ({ Deltas = [] }: SeriesAnswer): Series[] => Deltas.map(seriesOf)
