import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { type Check, tenantOf } from '../../../../server/resource/store.ts'
import { calDataType } from '../../../analysis/telemetry/server/service.ts'
import { point } from '../../../configuration/points/contract.ts'
import { type EnergyType, energyInfo, fromFormula, reactiveUnit, unitsOfTypes } from '../contract.ts'
import { codesOf, inCodes, judgeFormula, lockFormulas, refusedFormula } from './formulas.ts'

type Values = {
  Id?: number
  EnterpriseId?: number
  ProjectId?: number
  EnergyType?: EnergyType
  Unit?: string | null
  Source?: number
  ParaId?: number | null
  Formula?: string | null
  FormulaIds?: number[]
  PriceStandardId?: number | null
  ReactiveInfoId?: number | null
}

/** A running counter, amounts, or a rate. */
const counting = [1, 2, 4]

/**
 * A point that counts for something must be of the same project, because everyone who sees that sees its readings. `counts`: it must be a
 * counter, amounts or a rate.
 */
export const checkMeter = async (
  db: Db,
  actor: Actor,
  ParaId: number,
  ProjectId: number,
  { field = 'ParaId', counts = true }: { field?: string; counts?: boolean } = {},
) => {
  const [found] = await db.rows<{ ProjectId: number; DeviceId: number; CalDataType: number }>(sql`
    select g."ProjectId", t."DeviceId", ${calDataType} as "CalDataType"
    from point t join device d on d."Id" = t."DeviceId" join gateway g on g."Id" = d."GatewayId" left join point_meaning m on m."PointId" = t."Id"
    where t."Id" = ${ParaId} and ${visible(point, actor)}`)
  const refuse = (rule: string) => new FieldFaults([{ field, rule }])
  if (!found) throw refuse('unknownReference')
  if (found.ProjectId !== ProjectId) throw refuse('pointElsewhere')
  if (counts && !counting.includes(found.CalDataType)) throw refuse('pointCountsNothing')
  return found.DeviceId
}

const unitOf = ({ Unit, EnergyType = 1 }: Values) => Unit?.trim() || unitsOfTypes[EnergyType]

/** Formulas that use this circuit were validated against its unit. */
const assertUnitFree = async (db: Db, id: number, enterprise: number) => {
  await lockFormulas(db, enterprise)
  const [user] = await db.rows(sql`select 1 from energy_info where "FormulaIds" @> to_jsonb(${id}::bigint) limit 1`)
  if (user) throw new FieldFaults([{ field: 'Unit', rule: 'unitOfFormula' }])
  const [reactive] = await db.rows(sql`select 1 from energy_info where "ReactiveInfoId" = ${id} limit 1`)
  if (reactive) throw new FieldFaults([{ field: 'Unit', rule: 'circuit.reactiveUnit' }])
}

/** The reactive-energy circuit belongs to the same project, so access to one implies access to both. */
const assertReactive = async (db: Db, { Id, ProjectId, ReactiveInfoId }: Values) => {
  const [other] = await db.rows(sql`
    select 1 from energy_info where "Id" = ${ReactiveInfoId} and "Id" <> ${Id ?? 0} and "ProjectId" = ${ProjectId} and "Unit" = ${reactiveUnit} for share`)
  if (!other) throw new FieldFaults([{ field: 'ReactiveInfoId', rule: 'circuit.notReactive' }])
}

/** The formula to store. Accepts the masked form from people who may see only part of it. */
const withFormula = async (db: Db, actor: Actor, given: Values, held: Values | undefined, now: Values) => {
  if (now.Source !== fromFormula) return { Formula: null, FormulaIds: [] }
  const missing = new FieldFaults([{ field: 'Formula', rule: 'formulaMissing' }])
  const enterprise = held?.EnterpriseId ?? (await tenantOf(db, actor, energyInfo, given as Record<string, unknown>))
  await lockFormulas(db, enterprise)
  const [before, ids] = [held?.Formula ?? '', held?.FormulaIds ?? []]
  const shown = before && inCodes(before, await codesOf(db, actor, ids))
  const isSame = given.Formula === undefined || given.Formula === shown
  if (isSame && before && unitOf(held!) === unitOf(now)) return { Formula: before, FormulaIds: ids }
  const formula = given.Formula === undefined ? shown : given.Formula
  if (!formula?.trim()) throw missing
  const { flaw, ...stored } = await judgeFormula(db, actor, { formula, unit: unitOf(now), enterprise, id: held?.Id, hold: true })
  if (flaw) throw refusedFormula(flaw)
  return { Formula: stored.text!, FormulaIds: (stored as { ids: number[] }).ids }
}

/** A circuit and its tariff are of the same kind of energy. */
const assertTariff = async (db: Db, { PriceStandardId, EnergyType = 1 }: Values, held: Values | undefined) => {
  if (typeof PriceStandardId !== 'number' || (held?.PriceStandardId === PriceStandardId && held.EnergyType === EnergyType)) return
  const other = await db.rows(
    sql`select 1 from electricity_price_standard where "Id" = ${PriceStandardId} and "EnergyType" <> ${EnergyType}`,
  )
  if (other.length) throw new FieldFaults([{ field: 'PriceStandardId', rule: 'tariff.otherKind' }])
}

export const circuitCheck: Check = async (db, actor, given, row) => {
  const held = row as Values | undefined
  const now = { ...held, ...given } as Values
  const ParaId = given.ParaId as number | null | undefined
  if (typeof ParaId === 'number' && ParaId !== held?.ParaId) await checkMeter(db, actor, ParaId, now.ProjectId!)
  await assertTariff(db, now, held)
  if (typeof given.ReactiveInfoId === 'number' && given.ReactiveInfoId !== held?.ReactiveInfoId) await assertReactive(db, now)
  const Unit = unitOf(now)
  if (held && Unit !== held.Unit) await assertUnitFree(db, held.Id!, held.EnterpriseId!)
  return { ...given, ...(Unit === held?.Unit ? {} : { Unit }), ...(await withFormula(db, actor, given as Values, held, now)) }
}
