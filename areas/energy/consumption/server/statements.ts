// The statement of a month of a project: circuits day by day, priced, with their names and factors. Whole numbers until they are shown.
import { sql } from 'kysely'
import { dayOf } from '../../../../contract/days.ts'
import { serverActor } from '../../../../server/identity/actor.ts'
import { quarter } from '../../../../server/telemetry/store/store.ts'
import type { EnergyType } from '../../circuits/contract.ts'
import { factorsOf, sharesOf } from '../../circuits/server/service.ts'
import { type PriceVersion, reactiveOf, type StatementLine, statementOf } from '../../tariffs/server/service.ts'
import type { Circuit } from './circuits.ts'
import { type MonthShare, sharesIn } from './costCentres.ts'
import { type FrozenPrices, freezePrices } from './frozenPrices.ts'
import { beforeOf, pricedOf, tariffsIn } from './priced.ts'
import { type Quarters, quartersOf } from './quarterHours.ts'
import { type Keys, monthKeys, partsOf, spanOf } from './ranges.ts'
import { openReading, type Reading } from './reading.ts'
import { emptySum, type Sum, sumsOf } from './sums.ts'

/** As JSON has it: whole numbers of any size are texts. */
type Json<T> = T extends bigint ? string : T extends (infer U)[] ? Json<U>[] : T extends object ? { [K in keyof T]: Json<T[K]> } : T
const toJson = <T>(value: T): Json<T> => JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one)))

export type FrozenCircuit = Pick<
  Circuit,
  | 'Id'
  | 'EnergyName'
  | 'EnergyCode'
  | 'EnergyType'
  | 'Unit'
  | 'ParentId'
  | 'Source'
  | 'RegionId'
  | 'RegionName'
  | 'AreaM2'
  | 'CountInTotal'
  | 'ProductInfoId'
> & {
  Factors: { kgce: string; kgco2e: string }
  CostCentres: Json<MonthShare>[]
  Days: Json<Sum>[]
  Lines: Json<StatementLine>[]
  Demand: { power: string; at: number } | null
}
export type LateAmount = {
  Month: string
  Circuit: number
  EnergyName: string
  EnergyCode: string
  Unit: string
  Energy: string
  Cost: string
}
export type FrozenStatement = {
  Version: 1
  ProjectId: number
  ProjectName: string
  Month: string
  Zone: string
  Currency: string | null
  Circuits: FrozenCircuit[]
  Late: LateAmount[]
  Events: { Circuit: number; Time: number }[]
  Prices: FrozenPrices
}

/** Sums as they were frozen. */
export const thawSum = (frozen: Json<Sum>): Sum => {
  const all = (of: readonly string[]) => of.map(BigInt)
  return {
    ...emptySum(),
    ...frozen,
    ...{ energy: BigInt(frozen.energy), cost: BigInt(frozen.cost), unpriced: BigInt(frozen.unpriced), peak: BigInt(frozen.peak) },
    ...{ made: all(frozen.made), levels: all(frozen.levels), costs: all(frozen.costs) },
  }
}

/** Reads a whole project, regardless of the caller's access. */
export const serverReading = ({ db, deriving, enterprise }: Pick<Reading, 'db' | 'deriving' | 'enterprise'>) =>
  openReading(db, serverActor(enterprise), deriving)

type Work = { quarters: ReadonlyMap<number, Quarters>; versions: ReadonlyMap<number, readonly PriceVersion[]> }
/** Reactive energy of circuits, by the circuit that it belongs to. */
const reactiveQuarters = async ({ db, deriving, all, byId }: Reading, circuits: readonly Circuit[], known: Work['quarters']) => {
  const meters = circuits.flatMap(({ Id, ReactiveInfoId }) => {
    const meter = ReactiveInfoId === null ? undefined : byId.get(ReactiveInfoId)
    return meter ? [{ Id, meter }] : []
  })
  const [first] = known.values()
  const unread = [...new Set(meters.map(({ meter }) => meter))].filter(({ Id }) => !known.has(Id))
  const span = first && { start: first.start, end: first.start + first.value.length * quarter }
  const read = span && unread.length ? await quartersOf(db, deriving, unread, all, span) : new Map<number, Quarters>()
  return new Map(meters.map(({ Id, meter }) => [Id, known.get(meter.Id) ?? read.get(meter.Id)!]))
}
/** Lines of circuits with a tariff, for the days that are over. */
export const statementsOf = async (reading: Reading, circuits: readonly Circuit[], keys: Keys, { quarters, versions }: Work) => {
  const { db, deriving, all, zone } = reading
  const { calendars } = await tariffsIn(db, circuits, keys)
  const before = await beforeOf(db, deriving, { circuits, versions, all, span: spanOf(zone, keys) })
  const priced = circuits.filter(({ Id }) => versions.has(Id))
  const reactive = await reactiveQuarters(reading, priced, quarters)
  return new Map(
    priced.map(({ Id, ProjectId }) => {
      const of = quarters.get(Id)!
      const prices = { versions: versions.get(Id)!, zone, isHoliday: calendars.get(ProjectId)! }
      const given = { ...prices, quarters: of, reactive: reactiveOf(of, reactive.get(Id)) }
      return [Id, statementOf({ ...given, ...(before.has(Id) ? { before: before.get(Id)! } : {}) })]
    }),
  )
}

/** Circuits of a project over a month, with the prices that hold. */
export const monthOf = async (reading: Reading, ProjectId: number, Month: string) => {
  const { db, deriving, all, zone } = reading
  const keys = monthKeys(Month)
  const span = spanOf(zone, keys)
  const circuits = all.filter((one) => one.ProjectId === ProjectId)
  const until = Math.min(span.end, Math.max(span.start, Math.floor(deriving.now / quarter) * quarter))
  const passed = { start: span.start, end: until }
  const quarters = await quartersOf(db, deriving, circuits, all, passed)
  const priced = await pricedOf(db, deriving, { circuits, all, quarters, span: passed })
  const { versions, calendars } = await tariffsIn(db, circuits, keys)
  const statements = await statementsOf(reading, circuits, keys, { quarters, versions })
  const { edges } = partsOf(zone, span, 'day')
  const days = new Map(circuits.map(({ Id }) => [Id, sumsOf(quarters.get(Id)!, priced.get(Id), edges)]))
  return { keys, circuits, quarters, versions, calendars, statements, days }
}

/** The statement of a month as it would be frozen now. */
export const draftStatement = async (reading: Reading, ProjectId: number, Month: string, Late: LateAmount[]): Promise<FrozenStatement> => {
  const { db, enterprise, zone } = reading
  const month = await monthOf(reading, ProjectId, Month)
  const { keys, circuits } = month
  const [project] = await db.rows<{ ProjectName: string; Currency: string | null }>(sql`
    select p."ProjectName", e."CurrencyCode" as "Currency" from project p join enterprise e on e."Id" = p."EnterpriseId" where p."Id" = ${ProjectId}`)
  const factorOf = await factorsOf(db, enterprise)
  const shares = await sharesOf(
    db,
    circuits.map(({ Id }) => Id),
  )
  const last = dayOf(keys.to)
  const frozen = circuits.map((circuit): FrozenCircuit => {
    const { Id, EnergyName, EnergyCode, EnergyType, Unit, ParentId, Source, RegionId, RegionName, AreaM2, CountInTotal, ProductInfoId } =
      circuit
    const statement = month.statements.get(Id)
    return {
      ...{ Id, EnergyName, EnergyCode, EnergyType, Unit, ParentId, Source, RegionId, RegionName, AreaM2, CountInTotal, ProductInfoId },
      Factors: toJson(factorOf(EnergyType as EnergyType, last)),
      CostCentres: toJson(sharesIn(shares.get(Id) ?? [], keys)),
      Days: toJson(month.days.get(Id)!),
      Lines: toJson(statement?.lines ?? []),
      Demand: toJson(statement?.demand ?? null),
    }
  })
  const Events = circuits.flatMap(({ Id }) => month.quarters.get(Id)!.events.map((Time) => ({ Circuit: Id, Time })))
  const calendar = month.calendars.get(ProjectId)
  return {
    ...{ Version: 1, ProjectId, ProjectName: project!.ProjectName, Month, Zone: zone, Currency: project!.Currency },
    ...{ Circuits: frozen, Late, Events: Events.sort((a, b) => a.Time - b.Time) },
    Prices: freezePrices(month.versions, keys, calendar ?? (() => false)),
  }
}
