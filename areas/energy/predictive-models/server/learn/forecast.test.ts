import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { randomOf } from '../../../analytics/server/learn/random.ts'
import { beatsNaive, dayHours, filled, forecastOf, learnForecast, type Series } from './forecast.ts'
import { predicted, regress } from './solve.ts'

/** Slots of hours that begin on a Monday at midnight. */
const slotsOf = (hours: number) => Uint8Array.from({ length: hours }, (_, i) => (i % 24) + (Math.floor(i / 24) % 7 > 4 ? 24 : 0))
const seriesOf = (hours: number, value: (i: number) => number): Series => ({
  values: Float64Array.from({ length: hours }, (_, i) => value(i)),
  slots: slotsOf(hours + 400),
})
const noisy = (seed: number) => {
  const random = randomOf(seed)
  return (i: number) =>
    100 + 30 * Math.sin((2 * Math.PI * (i % 24)) / 24) - (Math.floor(i / 24) % 7 > 4 ? 40 : 0) + 20 * (random() + random() - 1)
}

it('finds the weights of a linear rule, and bears two variables that say the same', () => {
  const random = randomOf(7)
  const rows = Array.from({ length: 400 }, () => {
    const [a, b] = [random(), random()]
    return Float64Array.of(a, b, a)
  })
  const linear = regress(
    rows,
    Float64Array.from(rows, ([a, b]) => 5 + 10 * a! - 3 * b!),
  )
  for (const row of rows.slice(0, 20)) expect(predicted(linear, row)).toBeCloseTo(5 + 10 * row[0]! - 3 * row[1]!, 1)
  expect(linear.weights[1]).toBeCloseTo(-3, 1)
})

it('beats the same hour of yesterday and of last week where days off differ and values are noisy', () => {
  for (const seed of [1, 2, 3]) {
    const learnt = learnForecast(seriesOf(26 * 168, noisy(seed)))!
    expect(beatsNaive(learnt.errors)).toBe(true)
    // The noise alone has a mean absolute error of 20 / 3.
    expect(learnt.errors.mae).toBeLessThan(9)
    expect(learnt.errors.mae).toBeGreaterThan(5)
  }
})

it('repeats a pattern that never changes', () => {
  const value = (i: number) => 50 + (i % 24) * 2
  const series = seriesOf(8 * 168, value)
  const { linear, bands } = learnForecast(series)!
  const ahead = forecastOf(linear, series, 48)
  for (const [h, forecast] of ahead.entries()) expect(Math.abs(forecast - value(series.values.length + h))).toBeLessThan(1)
  expect(bands[0]!.high - bands[0]!.low).toBeLessThan(2)
})

it('has about nine of ten hours of the next day inside its band', () => {
  const noise = noisy(11)
  const all = Float64Array.from({ length: 40 * 168 }, (_, i) => noise(i))
  const slots = slotsOf(all.length)
  const end = 32 * 168
  const { linear, bands } = learnForecast({ values: all.subarray(0, end), slots })!
  let inside = 0
  let hours = 0
  for (let origin = end; origin + dayHours <= all.length; origin += dayHours)
    for (const [h, value] of forecastOf(linear, { values: all.subarray(0, origin), slots }, dayHours).entries()) {
      const actual = all[origin + h]!
      inside += Number(actual >= value + bands[0]!.low && actual <= value + bands[0]!.high)
      hours++
    }
  expect(inside / hours).toBeGreaterThan(0.8)
  expect(inside / hours).toBeLessThan(0.98)
})

it('a range that begins long before the readings is learnt from as the readings alone', () => {
  const short = seriesOf(6 * 168, noisy(5))
  const values = new Float64Array(52 * 168).fill(Number.NaN)
  values.set(short.values, 46 * 168)
  const learnt = learnForecast({ values, slots: slotsOf(values.length) })!
  const alone = learnForecast(short)!
  expect(learnt.errors.hours).toBe(alone.errors.hours)
  expect(learnt.errors.mae).toBeCloseTo(alone.errors.mae, 1)
})

it('does not learn from a month that is mostly missing, and fills a missing hour from the day before', () => {
  const gaps = seriesOf(40 * 24, (i) => (i % 3 ? Number.NaN : i))
  expect(learnForecast(gaps)).toBeUndefined()
  const { values } = filled({ values: Float64Array.from({ length: 50 }, (_, i) => (i === 30 ? Number.NaN : i)), slots: slotsOf(50) })
  expect(values[30]).toBe(6)
})

const file = fileURLToPath(new URL('../../../../../../shared/data/ett/ETTh1.csv', import.meta.url))
const hourly = (column: number): Series => {
  const lines = readFileSync(file, 'utf8').trim().split('\n').slice(1)
  const isOff = (line: string) => [0, 6].includes(new Date(`${line.slice(0, 10)}T00:00:00Z`).getUTCDay())
  return {
    values: Float64Array.from(lines, (line) => Number(line.split(',')[column])),
    slots: Uint8Array.from(lines, (line) => Number(line.slice(11, 13)) + (isOff(line) ? 24 : 0)),
  }
}
it.skipIf(!existsSync(file))(
  'real transformer (../shared/data/ett): 24 h ahead over the last 30 days, less error than both naive forecasts',
  () => {
    for (const column of [1, 3, 7]) {
      const { values, slots } = hourly(column)
      const from = values.length - 30 * dayHours
      const { linear } = learnForecast({ values: values.subarray(0, from), slots })!
      const errors = { mae: 0, naiveDay: 0, naiveWeek: 0 }
      for (let origin = from; origin + dayHours <= values.length; origin += dayHours)
        for (const [h, value] of forecastOf(linear, { values: values.subarray(0, origin), slots }, dayHours).entries()) {
          const i = origin + h
          errors.mae += Math.abs(value - values[i]!)
          errors.naiveDay += Math.abs(values[i - dayHours]! - values[i]!)
          errors.naiveWeek += Math.abs(values[i - 7 * dayHours]! - values[i]!)
        }
      expect(beatsNaive(errors), `column ${column}: ${JSON.stringify(errors)}`).toBe(true)
    }
  },
)
