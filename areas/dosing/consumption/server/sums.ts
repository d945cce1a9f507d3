// Sums of parts, exact; numbers are made where they leave.
import { kgOf } from '../../chemicals/amounts.ts'
import type { Drawn } from '../batches.ts'
import type { Figure } from '../contract.ts'
import type { Amount } from './measured.ts'
import type { Drug } from './reading.ts'

/** `both`: sums over the parts in which both amount and water are known; doses are calculated from these. */
export type Sum = {
  /** Parts until now, and those of which the amount is known. */
  count: number
  known: number
  qty: bigint
  missing: bigint
  entered: bigint
  cost: bigint
  unpriced: bigint
  dry: number | null
  water: bigint
  watered: number
  both: { qty: bigint; water: bigint; cost: bigint; unpriced: bigint }
}
export const emptySum = (): Sum => ({
  ...{ count: 0, known: 0, qty: 0n, missing: 0n, entered: 0n, cost: 0n, unpriced: 0n, dry: 0, water: 0n, watered: 0 },
  both: { qty: 0n, water: 0n, cost: 0n, unpriced: 0n },
})

export const partSum = ({ qty, missing, isEntered, water }: Amount, { cost, unpriced, dry }: Drawn, isPast: boolean): Sum => {
  const sum = emptySum()
  sum.count = Number(isPast)
  if (water !== null) [sum.water, sum.watered] = [water, 1]
  if (qty === null) return sum
  Object.assign(sum, { known: 1, qty, missing, entered: isEntered ? qty : 0n, cost, unpriced, dry })
  if (water !== null && water > 0n) sum.both = { qty, water, cost, unpriced }
  return sum
}

export const added = (sums: readonly Sum[]): Sum => {
  const all = emptySum()
  for (const one of sums) {
    for (const name of ['count', 'known', 'watered'] as const) all[name] += one[name]
    for (const name of ['qty', 'missing', 'entered', 'cost', 'unpriced', 'water'] as const) all[name] += one[name]
    for (const name of ['qty', 'water', 'cost', 'unpriced'] as const) all.both[name] += one.both[name]
    if (one.known) all.dry = all.dry === null || one.dry === null ? null : all.dry + one.dry
  }
  return all
}

export const units = (thousandths: bigint) => Number(thousandths) / 1000
const money = (trillionths: bigint) => Number(trillionths) / 1e12
const percent = (of: bigint, whole: bigint) => (100 * Number(of)) / Number(whole)
const per = (of: number | null, base: number) => (of === null || !base ? null : of / base)

type Sees = { seesCost: boolean }
export const qtyOf = ({ known, qty }: Sum) => (known ? units(qty) : null)
export const figureOf = (drug: Pick<Drug, 'Unit' | 'Density'>, sum: Sum, { seesCost }: Sees): Figure => {
  const kg = kgOf(drug)
  const inKg = (qty: number | null) => (kg === null || qty === null ? null : qty * kg)
  const { both, known, count } = sum
  const Qty = qtyOf(sum)
  const Dose = per(inKg(units(both.qty)) === null ? null : inKg(units(both.qty))! * 1000, units(both.water))
  return {
    ...{ Qty, Kg: inKg(Qty), Dry: known && sum.dry !== null ? inKg(sum.dry / 1000) : null },
    ...{ Water: sum.watered ? units(sum.water) : null, Dose, UnitUse: Dose },
    Known: count ? (100 * Math.min(known, count)) / count : 0,
    Shares:
      sum.qty > 0n
        ? {
            Measured: percent(sum.qty - sum.entered - sum.missing, sum.qty),
            Entered: percent(sum.entered, sum.qty),
            Missing: percent(sum.missing, sum.qty),
          }
        : null,
    ...(seesCost
      ? {
          Cost: known && (sum.cost > 0n || sum.unpriced === 0n) ? money(sum.cost) : null,
          CostPerM3: both.unpriced === 0n && both.water > 0n ? per(money(both.cost), units(both.water)) : null,
          Unpriced: known ? units(sum.unpriced) : null,
        }
      : {}),
  }
}
