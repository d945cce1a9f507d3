// Forecasts of an hourly series: regression on the hours a day and a week before, and on the time of day. No value of the last 24 hours
// before an hour is used, so that one rule holds for each hour of the day ahead; later days build on the forecast itself.
import { type Linear, predicted, regress } from './solve.ts'

export const [dayHours, weekHours] = [24, 168]
/** Hours before a forecast that it looks at. */
export const lookBack = weekHours + dayHours
/** Days ahead for which the error is known. */
export const mostDays = 7
/** Complete hours from which a forecast can be learnt. */
export const fewestHours = 28 * dayHours

/** An hour of the day from 0, plus 24 on days off. */
export type Slot = number
export type Series = { values: Float64Array; slots: Uint8Array }

const harmonics = 4
const waves = Array.from({ length: dayHours }, (_, hour) =>
  Array.from({ length: harmonics }, (_, k) => (2 * Math.PI * (k + 1) * hour) / dayHours).flatMap((angle) => [
    Math.sin(angle),
    Math.cos(angle),
  ]),
)
const variables = 5 + 1 + 4 * harmonics

const meanBefore = (values: Float64Array, end: number, hours: number) => {
  let sum = 0
  for (let i = end - hours; i < end; i++) sum += values[i]!
  return sum / hours
}

/** Variables for hour `at`, as known a day before. NaN if a value is missing. */
const rowAt = ({ values, slots }: Series, at: number): Float64Array => {
  const row = new Float64Array(variables)
  const known = at - dayHours + 1
  row[0] = values[at - dayHours]!
  row[1] = values[at - 2 * dayHours]!
  row[2] = values[at - weekHours]!
  row[3] = meanBefore(values, known, dayHours)
  row[4] = meanBefore(values, known, weekHours)
  const slot = slots[at]!
  const isOff = slot >= dayHours
  row[5] = Number(isOff)
  // Days off have a curve of their own.
  row.set(waves[slot % dayHours]!, isOff ? 6 + 2 * harmonics : 6)
  return row
}

/** Fills gaps from the day or week before, so that one missing hour does not end a forecast. */
export const filled = ({ values, slots }: Series): Series => {
  const whole = Float64Array.from(values)
  for (let i = 0; i < whole.length; i++)
    for (const back of [dayHours, weekHours]) if (Number.isNaN(whole[i]!) && i >= back) whole[i] = whole[i - back]!
  return { values: whole, slots }
}

/** Mean absolute errors on the same hours: the forecast a day ahead, the same hour of the day before, and of the week before. */
export type Errors = { mae: number; naiveDay: number; naiveWeek: number; hours: number; mape: number | null }
/** Nine of ten errors of each day ahead lie between, actual minus forecast. */
export type Band = { low: number; high: number }
export type Forecast = { linear: Linear; bands: Band[]; errors: Errors; hours: number }

const completeRows = (series: Series, from: number, end: number) => {
  const at: number[] = []
  const rows: Float64Array[] = []
  for (let i = Math.max(from, lookBack); i < end; i++) {
    if (Number.isNaN(series.values[i]!)) continue
    const row = rowAt(series, i)
    if (row.some(Number.isNaN)) continue
    at.push(i)
    rows.push(row)
  }
  return { at, rows }
}
const learn = (series: Series, end: number) => {
  const { at, rows } = completeRows(series, 0, end)
  return {
    linear: regress(
      rows,
      Float64Array.from(at, (i) => series.values[i]!),
    ),
    hours: at.length,
  }
}

const errorsOf = (series: Series, linear: Linear, from: number): Errors => {
  const { values } = series
  const { at, rows } = completeRows(series, from, values.length)
  const mean = (error: (i: number, k: number) => number) => at.reduce((sum, i, k) => sum + Math.abs(error(i, k)), 0) / at.length
  const nonZero = at.filter((i) => values[i] !== 0)
  const said = rows.map((row) => predicted(linear, row))
  return {
    ...{ hours: at.length, mae: mean((i, k) => said[k]! - values[i]!) },
    naiveDay: mean((i) => values[i - dayHours]! - values[i]!),
    naiveWeek: mean((i) => values[i - weekHours]! - values[i]!),
    mape:
      nonZero.length === at.length
        ? (100 * at.reduce((sum, i, k) => sum + Math.abs((said[k]! - values[i]!) / values[i]!), 0)) / at.length
        : null,
  }
}

const quantile = (sorted: readonly number[], share: number) => sorted[Math.round(share * (sorted.length - 1))]!

/** The hours after the series, one after the other. `slots` reach as far as the forecast. */
export const forecastOf = (linear: Linear, { values, slots }: Series, hours: number): Float64Array => {
  const whole = new Float64Array(values.length + hours)
  whole.set(values)
  for (let i = values.length; i < whole.length; i++) whole[i] = predicted(linear, rowAt({ values: whole, slots }, i))
  return whole.subarray(values.length)
}

/** Error bands by day ahead, backtested from every 24th test hour. */
const bandsOf = (series: Series, linear: Linear, from: number): Band[] => {
  const whole = filled(series)
  const left = Array.from({ length: mostDays }, (): number[] => [])
  for (let origin = from; origin + dayHours <= series.values.length; origin += dayHours) {
    const hours = Math.min(mostDays * dayHours, series.values.length - origin)
    const ahead = forecastOf(linear, { values: whole.values.subarray(0, origin), slots: whole.slots }, hours)
    for (const [h, value] of ahead.entries()) {
      const error = series.values[origin + h]! - value
      if (!Number.isNaN(error)) left[Math.floor(h / dayHours)]!.push(error)
    }
  }
  let widest: Band = { low: 0, high: 0 }
  return left.map((of) => {
    const sorted = of.sort((a, b) => a - b)
    // Bands never narrow with the horizon; untested days take the previous band.
    if (sorted.length) widest = { low: Math.min(widest.low, quantile(sorted, 0.05)), high: Math.max(widest.high, quantile(sorted, 0.95)) }
    return widest
  })
}

/**
 * Learns from the first nine tenths of the complete hours and is tried on the last one; what is kept has learnt from all. Undefined where
 * there are fewer hours than `fewestHours`.
 */
export const learnForecast = (series: Series): Forecast | undefined => {
  const { at } = completeRows(series, 0, series.values.length)
  if (at.length + lookBack < fewestHours) return undefined
  const testFrom = at[Math.floor(0.9 * at.length)]!
  const tried = learn(series, testFrom)
  const errors = errorsOf(series, tried.linear, testFrom)
  const bands = bandsOf(series, tried.linear, testFrom)
  const { linear, hours } = learn(series, series.values.length)
  return { linear, bands, errors, hours }
}

export const beatsNaive = ({ mae, naiveDay, naiveWeek }: Pick<Errors, 'mae' | 'naiveDay' | 'naiveWeek'>) =>
  mae < naiveDay && mae < naiveWeek

/** Hour `at` as it was forecast a day before. */
export const dayAhead = (linear: Linear, series: Series, at: number) => predicted(linear, rowAt(series, at))
