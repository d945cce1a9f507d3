// From quantities to doses. Without water there is no dose.
import type { DrugUnit } from './contract.ts'

type Measured = { Unit: DrugUnit; Density: number | null }
/** Kilograms of one unit; null for litres without a density. */
export const kgOf = ({ Unit, Density }: Measured): number | null => (Unit === 't' ? 1000 : Unit === 'kg' ? 1 : Density)

const per = (of: number | null, base: number | null | undefined) => (of === null || !base ? null : of / base)

/** mg/L: kg × 1000 / m³. */
export const doseOf = (drug: Measured, qty: number, water: number | null | undefined): number | null => {
  const kg = kgOf(drug)
  return per(kg === null ? null : qty * kg * 1000, water)
}
