// What cost centres used, by the shares of each day.
import { dayNumber, dayOf } from '../../../../contract/days.ts'
import { pausing } from '../../../../server/jobs/ownTurn.ts'
import { type Shares, sharesOf } from '../../circuits/server/service.ts'
import type { Circuit } from './circuits.ts'
import { type Keys, spanOf, textOfDay } from './ranges.ts'
import { counted, type Reading } from './reading.ts'
import type { SmallSum } from './smallSums.ts'
import { addSum, emptySum, type Sum } from './sums.ts'
import { usageOf } from './usage.ts'

/** Shares are whole millionths: sums of products are divided last, so that shares of a circuit add up to it. */
const times = (sum: Sum, millionths: bigint): Sum => {
  const all = (of: readonly bigint[]) => of.map((one) => one * millionths)
  return {
    ...sum,
    ...{ energy: sum.energy * millionths, cost: sum.cost * millionths, unpriced: sum.unpriced * millionths },
    ...{ made: all(sum.made), levels: all(sum.levels), costs: all(sum.costs) },
  }
}
const divided = ({ energy, cost, unpriced, made, levels, costs, isPriced, known, count, open }: Sum): SmallSum => {
  const one = (of: bigint) => Number(of) / 1e6
  return {
    ...{ energy: one(energy), cost: one(cost), unpriced: one(unpriced), isPriced, known, count, open },
    ...{ made: Float64Array.from(made, one), levels: Float64Array.from(levels, one), costs: Float64Array.from(costs, one) },
  }
}

/** Of circuits that name cost centres, one below another is part of it and adds nothing of its own. */
export const costCentresOf = async (reading: Reading, circuits: readonly Circuit[], keys: Keys) => {
  const { db, zone, seesCost } = reading
  const ids = circuits.map(({ Id }) => Id)
  const shares = await sharesOf(db, ids)
  const named = circuits.filter(({ Id }) => shares.has(Id))
  const changes = named.flatMap(({ Id }) => shares.get(Id)!.map(({ from }) => dayNumber(from)))
  const days = [...new Set([keys.from, ...changes.filter((day) => day > keys.from && day <= keys.to)])].sort((a, b) => a - b)
  const span = spanOf(zone, keys)
  const edges = [...days.map((day) => spanOf(zone, { from: day, to: day }).start), span.end]
  const usage = await usageOf(reading, named, span, { edges, priced: seesCost })
  const pause = pausing()
  // Shares are multiplied once for all of their days: a circuit has up to a thousand of them, and a range four hundred days.
  const sums = new Map<Shares, Sum>()
  const next = new Map(named.map(({ Id }) => [Id, shares.get(Id)!.length]))
  for (const [i, day] of days.entries()) {
    const text = textOfDay(day)
    const at = new Map<number, Shares>()
    for (const { Id } of named) {
      const own = shares.get(Id)!
      let place = next.get(Id)!
      while (place && own[place - 1]!.from <= text) place--
      next.set(Id, place)
      const version = own[place]
      if (version?.shares.length) at.set(Id, version)
    }
    for (const { Id } of counted(
      reading,
      named.filter((one) => at.has(one.Id)),
    ))
      sums.set(at.get(Id)!, addSum(sums.get(at.get(Id)!) ?? emptySum(), usage.get(Id)![i]!))
    await pause()
  }
  const found = new Map<string, Sum>()
  for (const [{ shares }, sum] of sums) {
    for (const { costCentre, percent } of shares) found.set(costCentre, addSum(found.get(costCentre) ?? emptySum(), times(sum, percent)))
    await pause()
  }
  return [...found].map(([name, sum]) => ({ name, id: null, area: null, sum: divided(sum) }))
}

/** The days of a month on which a share counts, both included; without them, all of it. */
export type MonthShare = { costCentre: string; percent: bigint; from?: string; to?: string }
/** Shares of a circuit, the newest first, on the days of a month. */
export const sharesIn = (all: readonly Shares[], month: Keys): MonthShare[] =>
  all.flatMap(({ from, shares }, i) => {
    const start = Math.max(dayNumber(from), month.from)
    const end = Math.min(month.to, i ? dayNumber(all[i - 1]!.from) - 1 : month.to)
    return start > end ? [] : shares.map((share) => ({ ...share, from: dayOf(start), to: dayOf(end) }))
  })

const summed = (values: readonly bigint[]) => values.reduce((all, one) => all + one, 0n)
/**
 * Splits a month that costs `total` among cost centres: energy and its cost by the shares of each day; demand, charges and taxes by the
 * energy. Without energy, each day counts the same. `percent` in ten-thousandths.
 */
export const sharedMonth = (shares: readonly MonthShare[], days: readonly Pick<Sum, 'energy' | 'cost'>[], total: bigint) => {
  const [energies, costs] = [days.map(({ energy }) => energy), days.map(({ cost }) => cost)]
  const [energy, fixed] = [summed(energies), total - summed(costs)]
  const weights = energy ? energies : days.map(() => 1n)
  const whole = summed(weights)
  return [...Map.groupBy(shares, ({ costCentre }) => costCentre)].map(([costCentre, own]) => {
    const of = (values: readonly bigint[]) =>
      summed(
        own.map(({ percent, from = '01', to = '31' }) => percent * summed(values.slice(Number(from.slice(-2)) - 1, Number(to.slice(-2))))),
      )
    const weight = of(weights)
    return {
      costCentre,
      percent: weight / whole,
      energy: of(energies) / 1_000_000n,
      cost: (of(costs) + (fixed * weight) / whole) / 1_000_000n,
    }
  })
}
