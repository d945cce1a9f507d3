// What figures of energy stand on: circuits, their meters over time, entries, formulas in the order they are worked out, and factors.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { and, visible } from '../../../../server/resource/sql.ts'
import { type EnergyType, energyInfo, energyTypes, usualFactors } from '../contract.ts'
import { type CompiledFormula, compileFormula } from '../formula.ts'
import { readStored } from './formulas.ts'

export { type CompiledFormula, compileFormula, parseFormula, rounded } from '../formula.ts'
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

/** The circuits that an actor sees, of a project or all, in the order of their trees. */
export const circuitsOf = (db: Db, actor: Actor, of: { ProjectId?: number | undefined } = {}): Promise<Circuit[]> =>
  db.rows<Circuit>(sql`
    select ${columns} from energy_info t
    where ${and([visible(energyInfo, actor), ...(of.ProjectId ? [sql`t."ProjectId" = ${of.ProjectId}`] : [])])} order by t."Sort", t."Id"`)

/** These circuits, in the order asked for. One that the actor does not see is 404. */
export const circuitsById = async (db: Db, actor: Actor, ids: readonly number[]): Promise<Circuit[]> => {
  const rows = await db.rows<Circuit>(
    sql`select ${columns} from energy_info t where t."Id" = any(${[...new Set(ids)]}::bigint[]) and ${visible(energyInfo, actor)}`,
  )
  const byId = new Map(rows.map((row) => [row.Id, row]))
  return ids.map((id) => {
    const row = byId.get(id)
    if (!row) throw notFound()
    return row
  })
}

/**
 * What a circuit is made of: the circuits below it, or those of its formula. People see a sum whose parts they may not all see: the others
 * are one band, without names.
 */
export const partsOf = async (db: Db, actor: Actor, circuit: Circuit): Promise<{ seen: Circuit[]; others: Circuit[] }> => {
  const rows = await db.rows<Circuit & { Seen: boolean }>(sql`
    select ${columns}, ${visible(energyInfo, actor)} as "Seen" from energy_info t
    where t."EnterpriseId" = ${circuit.EnterpriseId} and (t."ParentId" = ${circuit.Id} or t."Id" = any(${circuit.FormulaIds}::bigint[]))
    order by t."Sort", t."Id"`)
  const of = (is: boolean) => rows.filter(({ Seen }) => Seen === is).map(({ Seen: _, ...row }) => row)
  return { seen: of(true), others: of(false) }
}

/** These circuits and all that their formulas lead to, seen or not: a number is the same for all who see it. */
export const withOperands = async (db: Db, circuits: readonly Circuit[]): Promise<Circuit[]> => {
  const named = circuits.flatMap(({ FormulaIds }) => FormulaIds)
  if (!named.length) return [...circuits]
  const rows = await db.rows<Circuit>(sql`
    with recursive way as (
      select unnest(${[...new Set(named)]}::bigint[]) as id
      union select n::bigint from way join energy_info e on e."Id" = way.id cross join lateral jsonb_array_elements_text(e."FormulaIds") n)
    select ${columns} from energy_info t join way on way.id = t."Id"`)
  return [...new Map([...circuits, ...rows].map((row) => [row.Id, row])).values()]
}

export type OrderedFormula = CompiledFormula & {
  Id: number
  /** The circuits whose values `evaluate` takes, in that order. */
  operands: readonly number[]
}
/** Formulas so that each comes after those that it names. */
export const formulasInOrder = (circuits: readonly Circuit[]): OrderedFormula[] => {
  const byId = new Map(circuits.map((circuit) => [circuit.Id, circuit]))
  const done = new Set<number>()
  const ordered: OrderedFormula[] = []
  const visit = (id: number) => {
    const circuit = byId.get(id)
    if (!circuit?.Formula || done.has(id)) return
    done.add(id)
    for (const operand of circuit.FormulaIds) visit(operand)
    const node = readStored(circuit.Formula)
    if (!node) return
    const compiled = compileFormula(node)
    ordered.push({ ...compiled, Id: id, operands: compiled.codes.map((code) => Number(code.slice(1))) })
  }
  for (const { Id } of circuits) visit(Id)
  return ordered
}

export type MeterSource = {
  /** Epoch ms. It counts until the next one. */
  from: number
  /** Of a point that may be deleted by now; null: no meter. */
  paraId: number | null
  /** Millionths. */
  multiplier: bigint
  /** Thousandths of the point's unit, before the multiplier. */
  startReading: bigint | null
  endReading: bigint | null
}
type SourceRow = { Circuit: number; From: number; ParaId: number | null; Multiplier: string; Start: string | null; End: string | null }
const whole = (text: string | null) => (text === null ? null : BigInt(text))

/** The meters of circuits over time, by circuit, the first one first. */
export const sourcesOf = async (db: Db, ids: readonly number[]): Promise<Map<number, MeterSource[]>> => {
  const rows = await db.rows<SourceRow>(sql`
    select "EnergyInfoId" as "Circuit", (extract(epoch from "From") * 1000)::bigint as "From", "ParaId",
      ("Multiplier" * 1000000)::bigint::text as "Multiplier", ("StartReading" * 1000)::bigint::text as "Start", ("EndReading" * 1000)::bigint::text as "End"
    from energy_source where "EnergyInfoId" = any(${[...new Set(ids)]}::bigint[]) order by energy_source."From"`)
  const of = Map.groupBy(rows, ({ Circuit }) => Circuit)
  return new Map(
    [...of].map(([id, sources]) => [
      id,
      sources.map(({ From, ParaId, Multiplier, Start, End }) => ({
        ...{ from: From, paraId: ParaId, multiplier: BigInt(Multiplier), startReading: whole(Start), endReading: whole(End) },
      })),
    ]),
  )
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

export type Entry = {
  /** Epoch ms: when the period begins, or when the meter was read. */
  time: number
  /** 1 hour, 2 day, 3 month. */
  cycle: 1 | 2 | 3
  /** Thousandths of the unit. */
  value: bigint
  isReading: boolean
}
/**
 * What people entered, by circuit, in time: amounts of periods that touch the range, and its readings with the last one before it and
 * the first one after it.
 */
export const entriesOf = async (db: Db, ids: readonly number[], from: number, to: number): Promise<Map<number, Entry[]>> => {
  const [start, end] = [sql`to_timestamp(${from / 1000})`, sql`to_timestamp(${to / 1000})`]
  const next = (side: ReturnType<typeof sql>, order: ReturnType<typeof sql>) =>
    sql`select "Id" from energy_info_data where "EnergyInfoId" = c.id and "IsReading" = 1 and ${side} order by "DataTime" ${order} limit 1`
  const rows = await db.rows<{ Circuit: number; Time: number; CycleType: 1 | 2 | 3; Value: string; IsReading: number }>(sql`
    select d."EnergyInfoId" as "Circuit", (extract(epoch from d."DataTime") * 1000)::bigint as "Time", d."CycleType",
      (d."Value" * 1000)::bigint::text as "Value", d."IsReading"
    from unnest(${[...new Set(ids)]}::bigint[]) c (id) join energy_info_data d on d."EnergyInfoId" = c.id
    where d."DataTime" >= ${start} - (case d."CycleType" when 3 then interval '31 days' when 2 then interval '25 hours' else interval '1 hour' end) and d."DataTime" < ${end}
      or d."Id" in ((${next(sql`"DataTime" < ${start}`, sql`desc`)}), (${next(sql`"DataTime" >= ${end}`, sql`asc`)}))
    order by d."EnergyInfoId", d."DataTime", d."CycleType"`)
  const entry = ({ Time, CycleType, Value, IsReading }: (typeof rows)[number]): Entry => ({
    ...{ time: Time, cycle: CycleType, value: BigInt(Value), isReading: IsReading === 1 },
  })
  return new Map([...Map.groupBy(rows, ({ Circuit }) => Circuit)].map(([id, of]) => [id, of.map(entry)]))
}
