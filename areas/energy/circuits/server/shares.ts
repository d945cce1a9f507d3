// Conversion factors of a day, and the cost centres that share a circuit.
import { sql } from 'kysely'
import { isDay } from '../../../../contract/days.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { isNarrowed } from '../../../../server/identity/dataScope.ts'
import { type Check, record, store } from '../../../../server/resource/store.ts'
import { type EnergyType, energyFactor, energyInfo, energyTypes, unitsOfTypes, usualFactors } from '../contract.ts'

const circuits = store(energyInfo)
/** Shares of a circuit, over all days: rankings and statements read all of them. */
const mostShares = 1000
type Share = { CostCentre: string; Percent: number }
const refuse = (field: string, rule: string, values: Record<string, string | number> = {}) => new FieldFaults([{ field, rule, values }])

/** Factors apply to the whole company, so people with a narrower scope cannot change them. They share the permission code of circuits. */
const assertWhole = (actor: Actor) => {
  if (isNarrowed(actor)) throw new Fault('moreRights')
}
export const factorCheck: Check = async (_db, actor, given) => {
  assertWhole(actor)
  if (typeof given.From === 'string' && !isDay(given.From)) throw refuse('From', 'noSuchDay')
  return given
}
const factors = store(energyFactor)
export const removeFactors = async (db: Db, actor: Actor, ids: readonly number[]) => {
  assertWhole(actor)
  return factors.remove(db, actor, ids)
}

export const factorsOn = async (db: Db, actor: Actor, day: string) => {
  const rows = await db.rows<{ EnergyType: EnergyType; From: string; Kgce: number; Kgco2e: number }>(sql`
    select distinct on ("EnergyType") "EnergyType", "From", "Kgce"::float8 as "Kgce", "Kgco2e"::float8 as "Kgco2e" from energy_factor
    where "EnterpriseId" = ${actor.EnterpriseId} and energy_factor."From" <= ${day} order by "EnergyType", energy_factor."From" desc`)
  const own = new Map(rows.map((row) => [row.EnergyType, row]))
  const of = (type: EnergyType) => own.get(type) ?? { ...usualFactors[type], From: null }
  return energyTypes.map((type) => ({ ...of(type), EnergyType: type, Unit: unitsOfTypes[type], Usual: own.has(type) ? 0 : 1 }))
}

export const readShares = async (db: Db, actor: Actor, id: number) => {
  await circuits.find(db, actor, id)
  return { Items: await sharesIn(db, id) }
}
const sharesIn = async (db: Db, id: number) => {
  const rows = await db.rows<Share & { From: string }>(sql`
    select "From"::text as "From", "CostCentre", "Percent"::float8 as "Percent" from energy_cost_centre
    where "EnergyInfoId" = ${id} order by energy_cost_centre."From" desc, "Percent" desc, "CostCentre"`)
  return [...Map.groupBy(rows, ({ From }) => From)].map(([From, all]) => ({
    From,
    Shares: all.map(({ CostCentre, Percent }) => ({ CostCentre, Percent })),
  }))
}

/** Shares have four decimals, so that their sum is exact. */
const checkShares = (shares: readonly Share[]) => {
  const names = new Set<string>()
  for (const [i, { CostCentre }] of shares.entries()) {
    const name = CostCentre.trim()
    if (!name) throw refuse(`Shares.${i}.CostCentre`, 'required')
    if (names.has(name)) throw refuse(`Shares.${i}.CostCentre`, 'shareTwice', { name })
    names.add(name)
  }
  const sum = shares.reduce((all, { Percent }) => all + Math.round(Percent * 10_000), 0)
  if (shares.length && sum !== 1_000_000) throw refuse('Shares', 'sharesNotWhole', { sum: sum / 10_000 })
}

export const writeShares = (
  db: Db,
  actor: Actor,
  { EnergyInfoId, From, Shares }: { EnergyInfoId: number; From: string; Shares: Share[] },
) =>
  db.tx(async (db) => {
    const circuit = await circuits.find(db, actor, EnergyInfoId)
    if (!isDay(From)) throw refuse('From', 'noSuchDay')
    checkShares(Shares)
    await db.rows(sql`select 1 from energy_info where "Id" = ${EnergyInfoId} for no key update`)
    const before = await sharesIn(db, EnergyInfoId)
    await db.rows(sql`delete from energy_cost_centre where "EnergyInfoId" = ${EnergyInfoId} and energy_cost_centre."From" = ${From}::date`)
    if (Shares.length)
      await db.rows(sql`
        insert into energy_cost_centre ("EnterpriseId", "EnergyInfoId", "From", "CostCentre", "Percent")
        select ${circuit.EnterpriseId}, ${EnergyInfoId}, ${From}::date, trim(s."CostCentre"), s."Percent"
        from jsonb_to_recordset(${JSON.stringify(Shares)}::jsonb) s ("CostCentre" text, "Percent" numeric)`)
    const after = await sharesIn(db, EnergyInfoId)
    if (after.reduce((all, { Shares }) => all + Shares.length, 0) > mostShares) throw refuse('Shares', 'tooManyShares', { max: mostShares })
    const named = (CostCentres: typeof after) => ({ ProjectId: circuit.ProjectId, CostCentres })
    await record(db, actor, energyInfo, 'update', EnergyInfoId, circuit.EnterpriseId, named(before), named(after))
    return { Items: after }
  }, `energyInfo ${EnergyInfoId}`)
