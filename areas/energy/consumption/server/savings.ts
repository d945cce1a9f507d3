// What was saved: expected less actual, day by day, with what is known of its uncertainty.
import type { Answer, Query } from '../../../../contract/call.ts'
import type { savingsCalls } from '../savings.ts'
import { knownDays, type Stored, shownBaseline, storedBaselines } from './baselines.ts'
import type { Circuit } from './circuits.ts'
import { costOf, energyOf, ratio } from './figures.ts'
import { currencyOf } from './months.ts'
import { type Keys, keysOf, spanOf, textOfDay, yearBefore } from './ranges.ts'
import type { Reading } from './reading.ts'
import { isInRange, predict } from './regression.ts'
import { added, conversionOf, usageOf } from './usage.ts'

type Report = Answer<typeof savingsCalls.report>
type SavedDay = Report['Days'][number]
type Compared = { days: SavedDay[]; leftOut: number; uncertainty: number | null }

const withCusum = (days: readonly Omit<SavedDay, 'Cusum'>[]): SavedDay[] => {
  let Cusum = 0
  return days.map((day) => {
    Cusum += day.Expected - day.Actual
    return { ...day, Cusum }
  })
}

const againstBaseline = async (reading: Reading, circuit: Circuit, { Model, Fit }: Stored, keys: Keys): Promise<Compared> => {
  const { days, leftOut } = await knownDays(reading, circuit, Model, keys)
  const found = predict(
    Fit,
    days.map(({ variables }) => variables),
  )
  const all = days.map(({ key, energy, variables }, i) => {
    const { expected, band } = found.days[i]!
    return {
      ...{ Day: textOfDay(key), Actual: energy, Expected: expected, Low: expected - band, High: expected + band },
      IsInRange: Number(isInRange(Fit, variables)),
    }
  })
  return { days: withCusum(all), leftOut, uncertainty: days.length ? found.band : null }
}

/** The same days of the year before, where both are known in full. */
const againstLastYear = async (reading: Reading, circuit: Circuit, keys: Keys): Promise<Compared> => {
  const own = await knownDays(reading, circuit, {}, keys)
  const before = await knownDays(reading, circuit, {}, yearBefore(keys))
  const byKey = new Map(before.days.map(({ key, energy }) => [key, energy]))
  const days = own.days.flatMap(({ key, energy }) => {
    const expected = byKey.get(yearBefore({ from: key, to: key }).from)
    return expected === undefined ? [] : [{ Day: textOfDay(key), Actual: energy, Expected: expected, Low: null, High: null, IsInRange: 1 }]
  })
  return { days: withCusum(days), leftOut: keys.to - keys.from + 1 - days.length, uncertainty: null }
}

export const savings = async (reading: Reading, { EnergyInfoId, Method, ...asked }: Query<typeof savingsCalls.report>): Promise<Report> => {
  const keys = keysOf(asked)
  const circuit = reading.byId.get(EnergyInfoId)!
  const [baseline] = Method === 'lastYear' ? [] : await storedBaselines(reading, EnergyInfoId)
  const { days, leftOut, uncertainty } =
    baseline || Method === 'baseline'
      ? baseline
        ? await againstBaseline(reading, circuit, baseline, keys)
        : { days: [], leftOut: keys.to - keys.from + 1, uncertainty: null }
      : await againstLastYear(reading, circuit, keys)
  const sum = (of: (day: SavedDay) => number) => (days.length ? days.reduce((all, day) => all + of(day), 0) : null)
  const [Actual, Expected] = [sum((day) => day.Actual), sum((day) => day.Expected)]
  const Saving = Actual === null || Expected === null ? null : Expected - Actual
  // Money, coal and CO2 of a unit are those of what was used in the range.
  const { edges, weightOf } = await conversionOf(reading, keys)
  const parts = (await usageOf(reading, [circuit], spanOf(reading.zone, keys), { edges, priced: reading.seesCost })).get(EnergyInfoId)!
  const used = added(parts)
  const share = (of: number | null) => (Saving === null || of === null ? null : ratio(Saving * of, energyOf(used)))
  const { Kgce, Kgco2e } = weightOf(circuit, parts)
  return {
    ...currencyOf(reading),
    ...{ Unit: circuit.Unit, Method: baseline || Method === 'baseline' ? 'baseline' : 'lastYear' },
    Baseline: baseline ? shownBaseline(baseline) : null,
    ...{ Actual, Expected, Saving, LeftOut: leftOut, Uncertainty: uncertainty },
    IsProven: Saving === null || uncertainty === null ? null : Number(Math.abs(Saving) > uncertainty),
    ...(reading.seesCost ? { Cost: share(costOf(used)) } : {}),
    ...{ Kgce: share(Kgce), Kgco2e: share(Kgco2e) },
    Days: days,
  }
}
