// The month of a company by kind of energy: today, month to date, forecast and comparison.
import { quarter } from '../../../../server/telemetry/store/store.ts'
import { fromMeter } from '../../circuits/contract.ts'
import type { KindMonth } from '../contract.ts'
import type { Circuit } from './circuits.ts'
import { comparedOf, costOf, energyOf, figureOf } from './figures.ts'
import { elapsedSpan, type Keys, monthKeys, periodBefore, spanOf, textOfDay, today, yearBefore } from './ranges.ts'
import { byKind, counted, type Reading, seenCircuits } from './reading.ts'
import type { Sum } from './sums.ts'
import { added, addedParts, conversionOf, usageOf } from './usage.ts'

/** What the days that are over come to in the whole range: what is left goes on as what is known of them. */
export const forecastOf = (done: Sum, quarters: { passed: number; whole: number }) => {
  const known = done.count ? (quarters.passed * done.known) / done.count : 0
  const stretched = (value: number | null) =>
    value === null || !known ? null : value + (value / known) * (quarters.whole - quarters.passed)
  return { energy: stretched(energyOf(done)), cost: stretched(costOf(done)) }
}

type Bases = {
  months: ReadonlyMap<number, Sum[]>
  year: ReadonlyMap<number, Sum[]>
  before: ReadonlyMap<number, Sum[]>
  today: ReadonlyMap<number, Sum[]>
}
export const monthStatistics = async (
  reading: Reading,
  { Month, ProjectId }: { Month?: string | undefined; ProjectId?: number | undefined },
) => {
  const { zone, seesCost, deriving } = reading
  const current = today(zone, deriving.now)
  const keys = monthKeys(Month ?? textOfDay(current).slice(0, 7))
  const circuits = counted(reading, seenCircuits(reading, { ProjectId }))
  const [span, todaySpan] = [spanOf(zone, keys), spanOf(zone, { from: current, to: current })]
  const doneUntil = Math.min(Math.max(todaySpan.start, span.start), span.end)
  const { edges, weightOf } = await conversionOf(reading, keys, [doneUntil])
  const earlier = (other: Keys) => usageOf(reading, circuits, elapsedSpan(zone, other, keys, deriving.now), { priced: seesCost })
  const bases: Bases = {
    months: await usageOf(reading, circuits, span, { edges, priced: seesCost }),
    year: await earlier(yearBefore(keys)),
    before: await earlier(periodBefore(keys)),
    today: await usageOf(reading, circuits, todaySpan, { priced: seesCost }),
  }
  const partsDone = edges.filter((at) => at < doneUntil).length
  const kindOf = (of: readonly Circuit[]): KindMonth => {
    const parts = addedParts(bases.months, of, edges.length - 1)
    const all = (usage: ReadonlyMap<number, Sum[]>) => added(addedParts(usage, of, 1))
    const [month, lastYear] = [added(parts), all(bases.year)]
    const forecast = forecastOf(added(parts.slice(0, partsDone)), {
      passed: (doneUntil - span.start) / quarter,
      whole: (span.end - span.start) / quarter,
    })
    const { EnergyType, Unit } = of[0]!
    return {
      ...{ EnergyType, Unit },
      Today: figureOf(all(bases.today), reading),
      Month: figureOf(month, reading),
      Forecast: forecast.energy,
      ...comparedOf(month, lastYear, all(bases.before)),
      ...(seesCost ? { ForecastCost: forecast.cost, LastYearCost: costOf(lastYear) } : {}),
      ...weightOf({ EnergyType, Unit }, parts),
    }
  }
  return {
    Month: textOfDay(keys.from).slice(0, 7),
    Zone: zone,
    ...currencyOf(reading),
    Kinds: byKind(circuits).map(kindOf),
  }
}
/** Absent without the right to see money. */
export const currencyOf = ({ currency, seesCost }: Reading) => (seesCost ? { Currency: currency } : {})

/** For the home page: electricity as the month's own answer has it, and open meter events of the month, of all circuits with a meter. */
export const staticEnergy = async (reading: Reading) => {
  const { Kinds } = await monthStatistics(reading, {})
  const { zone, deriving } = reading
  const month = spanOf(zone, monthKeys(textOfDay(today(zone, deriving.now)).slice(0, 7)))
  const meters = seenCircuits(reading).filter(({ Source }) => Source === fromMeter)
  const usage = await usageOf(reading, meters, month, { priced: false })
  const electricity = Kinds.find(({ EnergyType }) => EnergyType === 1)
  return {
    Unit: electricity?.Unit ?? 'kWh',
    TodayEnergy: electricity?.Today.Energy ?? null,
    MonthEnergy: electricity?.Month.Energy ?? null,
    ...(reading.seesCost ? { MonthCost: electricity?.Month.Cost ?? null } : {}),
    ...currencyOf(reading),
    OpenEvents: [...usage.values()].flat().reduce((sum, { open }) => sum + open, 0),
  }
}
