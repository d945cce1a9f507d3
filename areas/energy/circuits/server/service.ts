// What energy figures read from circuits: the parts of a sum, compiled formulas, conversion factors and cost centre shares.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { type EnergyType, energyInfo, energyTypes, usualFactors } from '../contract.ts'

export { type CompiledFormula, compileFormula, parseFormula, rounded } from '../formula.ts'
export { checkMeter } from './check.ts'
export { readStored } from './formulas.ts'
export { circuits } from './shown.ts'

export type Circuit = {
  Id: number
  EnterpriseId: number
  ProjectId: number
  EnergyName: string
  EnergyCode: string
  EnergyType: EnergyType
  Unit: string
  ParentId: number | null
  /** 1 meter, 2 entered, 3 formula. */
  Source: 1 | 2 | 3
  RegionId: number | null
  AreaM2: number | null
  ProductInfoId: number | null
  CountInTotal: 0 | 1
  Sort: number
  /** Of a formula: the circuits that it names. */
  FormulaIds: number[]
  Formula: string | null
}
const columns = sql`t."Id", t."EnterpriseId", t."ProjectId", t."EnergyName", t."EnergyCode", t."EnergyType", t."Unit", t."ParentId", t."Source",
  t."RegionId", t."AreaM2", t."ProductInfoId", t."CountInTotal", t."Sort", t."FormulaIds", t."Formula"`

/**
 * The parts of a sum: the circuits below it, or those of its formula. `others` are the parts that the actor may not see; screens show them
 * as one band without names.
 */
export const partsOf = async (
  db: Db,
  actor: Actor,
  circuit: Pick<Circuit, 'Id' | 'EnterpriseId' | 'FormulaIds'>,
): Promise<{ seen: Circuit[]; others: Circuit[] }> => {
  const rows = await db.rows<Circuit & { Seen: boolean }>(sql`
    select ${columns}, ${visible(energyInfo, actor)} as "Seen" from energy_info t
    where t."EnterpriseId" = ${circuit.EnterpriseId} and (t."ParentId" = ${circuit.Id} or t."Id" = any(${circuit.FormulaIds}::bigint[]))
    order by t."Sort", t."Id"`)
  const of = (is: boolean) => rows.filter(({ Seen }) => Seen === is).map(({ Seen: _, ...row }) => row)
  return { seen: of(true), others: of(false) }
}

/** Per unit, in billionths of a kg. */
export type Factors = { kgce: bigint; kgco2e: bigint }
const billionths = (value: number) => BigInt(Math.round(value * 1e9))
/** The factors of a company: what counts on a day (YYYY-MM-DD) for a kind. */
export const factorsOf = async (db: Db, enterprise: number): Promise<(type: EnergyType, day: string) => Factors> => {
  const rows = await db.rows<{ EnergyType: EnergyType; From: string; Kgce: string; Kgco2e: string }>(sql`
    select "EnergyType", "From", ("Kgce" * 1000000000)::bigint::text as "Kgce", ("Kgco2e" * 1000000000)::bigint::text as "Kgco2e"
    from energy_factor where "EnterpriseId" = ${enterprise} order by energy_factor."From" desc`)
  const own = Map.groupBy(rows, (row) => row.EnergyType)
  const usual = new Map(
    energyTypes.map((type) => [type, { kgce: billionths(usualFactors[type].Kgce), kgco2e: billionths(usualFactors[type].Kgco2e) }]),
  )
  return (type, day) => {
    const row = own.get(type)?.find(({ From }) => From <= day)
    return row ? { kgce: BigInt(row.Kgce), kgco2e: BigInt(row.Kgco2e) } : usual.get(type)!
  }
}

/** Shares of cost centres from a day on; `percent` in ten-thousandths, 1,000,000 together. */
export type Shares = { from: string; shares: { costCentre: string; percent: bigint }[] }
/** By circuit, the newest first: the first one with `from` on or before a day counts on it. */
export const sharesOf = async (db: Db, ids: readonly number[]): Promise<Map<number, Shares[]>> => {
  const rows = await db.rows<{ Circuit: number; From: string; CostCentre: string; Percent: string }>(sql`
    select "EnergyInfoId" as "Circuit", "From"::text as "From", "CostCentre", ("Percent" * 10000)::bigint::text as "Percent"
    from energy_cost_centre where "EnergyInfoId" = any(${[...new Set(ids)]}::bigint[]) order by energy_cost_centre."From" desc, "CostCentre"`)
  return new Map(
    [...Map.groupBy(rows, ({ Circuit }) => Circuit)].map(([id, all]) => [
      id,
      [...Map.groupBy(all, ({ From }) => From)].map(([from, shares]) => ({
        from,
        shares: shares.map(({ CostCentre, Percent }) => ({ costCentre: CostCentre, percent: BigInt(Percent) })),
      })),
    ]),
  )
}
