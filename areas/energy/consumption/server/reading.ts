// What somebody asks of the energy of one company: its circuits, those among them that he sees, its zone and its currency.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { hiddenFields, visible } from '../../../../server/resource/sql.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { region } from '../../../people/regions/contract.ts'
import { energyInfo } from '../../circuits/contract.ts'
import { electricityPriceStandard } from '../../tariffs/contract.ts'
import { seesEnergyCost } from '../contract.ts'
import { type Circuit, circuitsWhere } from './circuits.ts'
import type { Deriving } from './days.ts'

export type Reading = {
  db: Db
  actor: Actor
  deriving: Deriving
  enterprise: number
  zone: string
  currency: string | null
  /** Whether the reader sees money. */
  seesCost: boolean
  /** All circuits of the company: formulas may name some that the reader does not see. */
  all: readonly Circuit[]
  byId: ReadonlyMap<number, Circuit>
}
export type Asked = { ProjectId?: number | undefined; EnergyInfoIds?: readonly number[]; PriceStandardId?: number | undefined }

/** Fields that the reader does not see are empty. */
const maskedFor = (actor: Actor) => {
  const hidden = hiddenFields(energyInfo, actor)
  const hidesProject = hiddenFields(project, actor)?.has('ProjectName')
  const hidesRegion = hiddenFields(region, actor)?.has('RegionName')
  return (circuit: Circuit): Circuit => {
    if (hidesProject) circuit.ProjectName = ''
    if (hidesRegion) circuit.RegionName = ''
    if (!hidden) return circuit
    for (const name of ['EnergyName', 'EnergyCode'] as const) if (hidden.has(name)) circuit[name] = ''
    for (const name of ['ParentId', 'RegionId', 'AreaM2', 'ProductInfoId'] as const) if (hidden.has(name)) circuit[name] = null
    return circuit
  }
}

/** The company of a project, of circuits or of a tariff that the reader sees; otherwise his own. */
const companyOf = async (db: Db, actor: Actor, { ProjectId, EnergyInfoIds = [], PriceStandardId }: Asked) => {
  const of = (table: RawBuilder<unknown>, ids: readonly number[], seen: RawBuilder<unknown>) =>
    db.rows<{ EnterpriseId: number }>(sql`select "EnterpriseId" from ${table} t where "Id" = any(${[...ids]}::bigint[]) and ${seen}`)
  const ids = [...new Set(EnergyInfoIds)]
  const found = ids.length ? await of(sql`energy_info`, ids, visible(energyInfo, actor)) : []
  if (found.length !== ids.length) throw notFound()
  if (ProjectId !== undefined) {
    const [own] = await of(sql`project`, [ProjectId], visible(project, actor))
    if (!own) throw notFound()
    found.push(own)
  }
  if (PriceStandardId !== undefined) {
    const [own] = await of(sql`electricity_price_standard`, [PriceStandardId], visible(electricityPriceStandard, actor))
    if (!own) throw notFound()
    found.push(own)
  }
  const companies = new Set(found.map(({ EnterpriseId }) => EnterpriseId))
  if (companies.size > 1) throw notFound()
  return found[0]?.EnterpriseId ?? actor.EnterpriseId
}

export const openReading = async (db: Db, actor: Actor, deriving: Deriving, asked: Asked = {}): Promise<Reading> => {
  const enterprise = await companyOf(db, actor, asked)
  const [[company], rows] = await Promise.all([
    db.rows<{ Zone: string; Currency: string | null }>(
      sql`select "TimeZoneKey" as "Zone", "CurrencyCode" as "Currency" from enterprise where "Id" = ${enterprise}`,
    ),
    circuitsWhere(db, sql`t."EnterpriseId" = ${enterprise}`, visible(energyInfo, actor)),
  ])
  const all = rows.map(maskedFor(actor))
  return {
    ...{ db, actor, deriving, enterprise, all },
    ...{ zone: company!.Zone, currency: company!.Currency, seesCost: actor.may.has(seesEnergyCost) },
    byId: new Map(all.map((circuit) => [circuit.Id, circuit])),
  }
}

type Filter = { ProjectId?: number | undefined; EnergyType?: number | undefined }
/** Circuits that the reader sees, of a project and a kind. */
export const seenCircuits = ({ all }: Reading, { ProjectId, EnergyType }: Filter = {}) =>
  all.filter(
    (one) =>
      one.Seen && (ProjectId === undefined || one.ProjectId === ProjectId) && (EnergyType === undefined || one.EnergyType === EnergyType),
  )

/** Circuits without one of the same kind above them among these: what is below is part of it. */
const topmost = ({ byId }: Pick<Reading, 'byId'>, circuits: readonly Circuit[]) => {
  const among = new Set(circuits.map(({ Id }) => Id))
  return circuits.filter((circuit) => {
    const passed = new Set([circuit.Id])
    for (let id = circuit.ParentId; id !== null && !passed.has(id); id = byId.get(id)?.ParentId ?? null) {
      if (among.has(id) && byId.get(id)!.EnergyType === circuit.EnergyType) return false
      passed.add(id)
    }
    return true
  })
}
/** Those that totals count. */
export const counted = (reading: Pick<Reading, 'byId'>, circuits: readonly Circuit[]) =>
  topmost(
    reading,
    circuits.filter(({ CountInTotal }) => CountInTotal === 1),
  )

export const kindOf = ({ EnergyType, Unit }: Circuit) => `${EnergyType} ${Unit}`
/** Groups of one kind and unit, by kind. */
export const byKind = (circuits: readonly Circuit[]) =>
  [...Map.groupBy(circuits, kindOf).values()].sort((a, b) => a[0]!.EnergyType - b[0]!.EnergyType)

export const circuitFields = ({ Id, EnergyName, EnergyCode, EnergyType, Unit, ParentId }: Circuit) => ({
  ...{ EnergyInfoId: Id, EnergyName, EnergyCode, EnergyType, Unit, ParentId },
})
