import { expect, test } from 'vitest'
import { comparedOf } from './figures.ts'
import { forecastOf } from './months.ts'
import { emptySum } from './sums.ts'

const kWh = 1000n
const used = (energy: number, known: number, count: number) => ({ ...emptySum(), energy: BigInt(energy) * kWh, known, count })

test('a forecast is what was used and what is left at the rate of the time that is known', () => {
  const month = { passed: 960, whole: 2880 }
  expect(forecastOf(used(100, 960, 960), month)).toEqual({ energy: 300, cost: null })
  // Half of the days had no meter: the amount is of the other half alone.
  expect(forecastOf(used(100, 480, 960), month).energy).toBe(500)
  // Of two circuits together.
  expect(forecastOf(used(200, 1920, 1920), month).energy).toBe(600)
  expect(forecastOf(used(0, 0, 960), month).energy).toBeNull()
  // The forecast of a completed month is what it used.
  expect(forecastOf(used(100, 480, 2880), { passed: 2880, whole: 2880 }).energy).toBe(100)
})

test('a change is of the base, and null where the base is nothing or little of it is known', () => {
  const month = used(110, 960, 960)
  expect(comparedOf(month, used(100, 960, 960), used(220, 900, 960))).toEqual({ LastYear: 100, LastPeriod: 220, YoY: 10, MoM: -50 })
  expect(comparedOf(month, used(0, 960, 960), used(100, 800, 960))).toEqual({ LastYear: 0, LastPeriod: 100, YoY: null, MoM: null })
  expect(comparedOf(month, undefined, used(0, 0, 960))).toEqual({ LastYear: null, LastPeriod: null, YoY: null, MoM: null })
})
