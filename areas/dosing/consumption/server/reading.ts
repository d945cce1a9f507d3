// What somebody asks of the chemicals of one company: those that he sees, its zone and its currency.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { hiddenFields, visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { region } from '../../../people/regions/contract.ts'
import { type DrugUnit, drugInfo, seesDosingCost } from '../../chemicals/contract.ts'

export type Measuring = { telemetry: Pick<Telemetry, 'aside' | 'statistics' | 'withFormulas' | 'latest'>; now: number }

export type Drug = {
  Id: number
  EnterpriseId: number
  ProjectId: number
  ProjectName: string
  RegionId: number | null
  RegionName: string | null
  DrugName: string
  DrugCode: string
  DrugType: number
  Unit: DrugUnit
  Concentration: number | null
  Density: number | null
  /** Billionths of the currency. */
  Price: string | null
  Source: number
  ParaId: number | null
  Multiplier: number
  RunParaId: number | null
  PumpRate: number | null
  WaterParaId: number | null
  TankParaId: number | null
  TankSize: number | null
  TankFactor: number | null
  LeadDays: number | null
  MinStock: number | null
  StockQty: number
  ComponentId: number | null
  PlaceId: number | null
  TargetDose: number | null
  DoseLow: number | null
  DoseHigh: number | null
  FlowParaId: number | null
  TurbidityParaId: number | null
  ResidualParaId: number | null
  Zone: string
  Currency: string | null
}
const numbers = [
  ...['Concentration', 'Density', 'Multiplier', 'PumpRate', 'TankSize', 'TankFactor', 'MinStock', 'StockQty'],
  ...['TargetDose', 'DoseLow', 'DoseHigh'],
]
const plain = [
  ...['Id', 'EnterpriseId', 'ProjectId', 'RegionId', 'DrugName', 'DrugCode', 'DrugType', 'Unit', 'Source', 'LeadDays'],
  ...['ParaId', 'RunParaId', 'WaterParaId', 'TankParaId', 'FlowParaId', 'TurbidityParaId', 'ResidualParaId', 'ComponentId', 'PlaceId'],
]
const columns = sql.raw(
  [...plain.map((name) => `t."${name}"`), ...numbers.map((name) => `t."${name}"::float8 as "${name}"`), 't."Price"::text as "Price"'].join(
    ', ',
  ),
)
/** Chemicals that a condition on `t` names. */
export const drugsWhere = (db: Db, condition: RawBuilder<unknown>) =>
  db.rows<Drug>(sql`
    select ${columns}, p."ProjectName", r."RegionName", e."TimeZoneKey" as "Zone", e."CurrencyCode" as "Currency"
    from drug_info t join project p on p."Id" = t."ProjectId" join enterprise e on e."Id" = t."EnterpriseId" left join region r on r."Id" = t."RegionId"
    where ${condition} order by t."Sort", t."DrugCode"`)

/** Fields that the reader does not see are empty. */
const masked = (actor: Actor, drug: Drug): Drug => {
  const hidden = hiddenFields(drugInfo, actor)
  if (hiddenFields(project, actor)?.has('ProjectName')) drug.ProjectName = ''
  if (hiddenFields(region, actor)?.has('RegionName')) drug.RegionName = null
  if (!hidden) return drug
  for (const name of ['DrugName', 'DrugCode'] as const) if (hidden.has(name)) drug[name] = ''
  for (const name of ['RegionId', 'TargetDose', 'DoseLow', 'DoseHigh', 'LeadDays', 'MinStock', 'TankSize', 'Concentration'] as const)
    if (hidden.has(name)) drug[name] = null
  return drug
}

export type Asked = { ProjectId?: number | undefined; DrugInfoId?: number | undefined }
export type Reading = {
  db: Db
  actor: Actor
  measuring: Measuring
  zone: string
  currency: string | null
  /** Whether the reader sees money. */
  seesCost: boolean
  drugs: readonly Drug[]
}
/** Chemicals of one company: of a project, one alone, or all of the reader's own. */
export const openReading = async (db: Db, actor: Actor, measuring: Measuring, { ProjectId, DrugInfoId }: Asked): Promise<Reading> => {
  const own = ProjectId === undefined ? undefined : await store(project).find(db, actor, ProjectId)
  const of =
    DrugInfoId !== undefined
      ? sql`t."Id" = ${DrugInfoId}`
      : own
        ? sql`t."ProjectId" = ${own.Id}`
        : sql`t."EnterpriseId" = ${actor.EnterpriseId}`
  const drugs = (await drugsWhere(db, sql`${of} and ${visible(drugInfo, actor)}`)).map((drug) => masked(actor, drug))
  if (DrugInfoId !== undefined && !drugs.length) throw notFound()
  const enterprise = drugs[0]?.EnterpriseId ?? own?.EnterpriseId ?? actor.EnterpriseId
  const [company] = await db.rows<{ Zone: string; Currency: string | null }>(
    sql`select "TimeZoneKey" as "Zone", "CurrencyCode" as "Currency" from enterprise where "Id" = ${enterprise}`,
  )
  return {
    ...{ db, actor, measuring, drugs, seesCost: actor.may.has(seesDosingCost) },
    ...{ zone: company!.Zone, currency: company!.Currency },
  }
}
/** Absent without the right to see money. */
export const currencyOf = ({ currency, seesCost }: Reading) => (seesCost ? { Currency: currency } : {})
export const chemicalFields = ({ Id, DrugName, DrugCode, DrugType, Unit }: Drug) => ({ DrugInfoId: Id, DrugName, DrugCode, DrugType, Unit })
export const limitsOf = ({ TargetDose, DoseLow, DoseHigh }: Drug) => ({ TargetDose, DoseLow, DoseHigh })
