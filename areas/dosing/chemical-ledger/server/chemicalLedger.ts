// The ledger of chemicals: amounts, and the water that they went into.
import { sql } from 'kysely'
import { number, text } from '../../../../contract/field.ts'
import { resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { LedgerKind, Slot, Unusual } from '../../../energy/manual-readings/server/service.ts'
import { doseOf } from '../../chemicals/amounts.ts'
import { type DrugUnit, drugInfo, entered } from '../../chemicals/contract.ts'
import { drugInfoData } from '../contract.ts'

type Limits = { Id: number; Unit: DrugUnit; Density: number | null; DoseLow: number | null; DoseHigh: number | null }
/** Doses outside the limits of their chemical. Without water there is none. */
const unusualIn = async (db: Db, slots: readonly Slot[]): Promise<Unusual[]> => {
  const ids = [...new Set(slots.map(({ subject }) => subject.Id))]
  const rows = await db.rows<Limits>(sql`
    select "Id", "Unit", "Density"::float8 as "Density", "DoseLow"::float8 as "DoseLow", "DoseHigh"::float8 as "DoseHigh" from drug_info where "Id" = any(${ids}::bigint[])`)
  const limits = new Map(rows.map((row) => [row.Id, row]))
  return slots.flatMap(({ subject, value, beside }, at): Unusual[] => {
    const of = limits.get(subject.Id)
    const dose = of && typeof value === 'number' ? doseOf(of, value, beside.WaterValue as number | null | undefined) : null
    if (dose === null || !of) return []
    const [low, high] = [of.DoseLow ?? 0, of.DoseHigh ?? Number.POSITIVE_INFINITY]
    if (dose >= low && dose <= high) return []
    const rule = dose < low ? 'dosing.doseBelow' : 'dosing.doseAbove'
    return [{ at, rule, values: { dose: Math.round(dose * 100) / 100, limit: dose < low ? low : high } }]
  })
}

const sheet = resource('drugInfoData', {
  path: drugInfoData.path,
  permission: drugInfoData.permission,
  title: 'DrugCode',
  fields: {
    DataTime: text({ required: true, max: 19, unique: 'DrugCode' }),
    DrugCode: text({ required: true, max: 30 }),
    Value: number({ required: true, min: 0, max: 1e9 }),
    WaterValue: number({ min: 0, max: 1e12 }),
    Remark: text({ max: 200 }),
  },
})

export const chemicalLedger: LedgerKind = {
  ...{ entries: drugInfoData, of: drugInfo, ref: 'DrugInfoId', code: 'DrugCode', name: 'DrugName', entered },
  beside: { WaterValue: 'numeric', Operator: 'text', Batch: 'text', Remark: 'text' },
  ...{ sheet, example: { DataTime: '2026-01-31', DrugCode: 'CO01', Value: 120.5, WaterValue: 5900, Remark: null } },
  unusualIn,
}
