// What cost centres used, by the shares of each day.
import { dayNumber } from '../../../../contract/days.ts'
import { sharesOf } from '../../circuits/server/service.ts'
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
  const found = new Map<string, Sum>()
  for (const [i, day] of days.entries()) {
    const sharesAt = ({ Id }: Circuit) => shares.get(Id)!.find(({ from }) => from <= textOfDay(day))?.shares ?? []
    for (const circuit of counted(
      reading,
      named.filter((one) => sharesAt(one).length),
    ))
      for (const { costCentre, percent } of sharesAt(circuit))
        found.set(costCentre, addSum(found.get(costCentre) ?? emptySum(), times(usage.get(circuit.Id)![i]!, percent)))
  }
  return [...found].map(([name, sum]) => ({ name, id: null, area: null, sum: divided(sum) }))
}
