// Prices as a closed month keeps them: a price that is changed later changes no month that is closed.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import type { DayTable } from '../../tariffs/dayTables.ts'
import { type IsHoliday, type PriceVersion, versionsOver } from '../../tariffs/server/service.ts'
import { type Keys, monthKeys, textOfDay } from './ranges.ts'

type FrozenTable = { Level: number[]; Price: string[] }
type FrozenVersion = Omit<PriceVersion, 'tables' | 'tiers' | 'demand'> & {
  /** Of workdays and of holidays. */
  tables: FrozenTable[]
  tiers: { upTo: string | null; price: string }[]
  demand: { type: number; price: string; minutes: number; kva: string }
}
export type FrozenPrices = {
  /** Days of the month that count as holidays, since 1970. */
  Holidays: number[]
  Versions: FrozenVersion[]
  /** By circuit, the places of its versions. */
  Circuits: Record<string, number[]>
}

const frozenTable = ({ level, price }: DayTable): FrozenTable => ({ Level: [...level], Price: [...price].map(String) })
const thawedTable = ({ Level, Price }: FrozenTable): DayTable => ({
  level: Uint8Array.from(Level),
  price: BigInt64Array.from(Price.map(BigInt)),
})

/** A version on days of one month, of which only the tables of that month are kept. */
const freeze = (version: PriceVersion, month: Keys): FrozenVersion => {
  const at = new Date(month.from * 86_400_000).getUTCMonth() * 2
  return {
    ...version,
    from: Math.max(version.from, month.from),
    to: Math.min(version.to, month.to),
    tables: [at, at + 1].map((i) => frozenTable(version.tables[i]!)),
    tiers: version.tiers.map(({ upTo, price }) => ({ upTo: upTo === null ? null : String(upTo), price: String(price) })),
    demand: { ...version.demand, price: String(version.demand.price), kva: String(version.demand.kva) },
  }
}
const thaw = (frozen: FrozenVersion): PriceVersion => {
  const tables = frozen.tables.map(thawedTable)
  return {
    ...frozen,
    tables: Array.from({ length: 24 }, (_, i) => tables[i % 2]!),
    tiers: frozen.tiers.map(({ upTo, price }) => ({ upTo: upTo === null ? null : BigInt(upTo), price: BigInt(price) })),
    demand: { ...frozen.demand, price: BigInt(frozen.demand.price), kva: BigInt(frozen.demand.kva) },
  }
}

/** Circuits of one list of versions share it, so that its tables are kept once. */
export const freezePrices = (byCircuit: ReadonlyMap<number, readonly PriceVersion[]>, month: Keys, isHoliday: IsHoliday): FrozenPrices => {
  const places = new Map<PriceVersion, number>()
  const Versions: FrozenVersion[] = []
  const Circuits: Record<string, number[]> = {}
  for (const [id, versions] of byCircuit)
    Circuits[id] = versions
      .filter(({ from, to }) => from <= month.to && to >= month.from)
      .map((version) => {
        const place = places.get(version) ?? Versions.push(freeze(version, month)) - 1
        places.set(version, place)
        return place
      })
  const days = Array.from({ length: month.to - month.from + 1 }, (_, i) => month.from + i)
  return { Holidays: days.filter(isHoliday), Versions, Circuits }
}

export type ClosedPrices = Keys & { isHoliday: IsHoliday; of: (circuit: number) => readonly PriceVersion[] }
const thawPrices = (Month: string, { Holidays, Versions, Circuits }: FrozenPrices): ClosedPrices => {
  const [holidays, versions] = [new Set(Holidays), Versions.map(thaw)]
  return {
    ...monthKeys(Month),
    isHoliday: (day) => holidays.has(day),
    of: (circuit) => (Circuits[circuit] ?? []).map((place) => versions[place]!),
  }
}

/** Prices of the closed months of projects that lie in a range of days. */
export const closedPricesIn = async (db: Db, projects: readonly number[], days: Keys): Promise<Map<number, ClosedPrices[]>> => {
  const rows = await db.rows<{ ProjectId: number; Month: string; Prices: FrozenPrices }>(sql`
    select "ProjectId", "Month", "Prices" from energy_month
    where "ProjectId" = any(${[...projects]}::bigint[]) and "Month" >= ${textOfDay(days.from).slice(0, 7)} and "Month" <= ${textOfDay(days.to).slice(0, 7)}
    order by "Month"`)
  return new Map(
    [...Map.groupBy(rows, ({ ProjectId }) => ProjectId)].map(([id, of]) => [id, of.map(({ Month, Prices }) => thawPrices(Month, Prices))]),
  )
}

/** Prices as they are, with those of closed months in their place. */
export const withClosed = (now: readonly PriceVersion[], closed: readonly ClosedPrices[], circuit: number): readonly PriceVersion[] =>
  closed.length
    ? versionsOver([
        { from: Number.NEGATIVE_INFINITY, versions: now },
        ...closed.flatMap((month) => [
          { from: month.from, versions: month.of(circuit) },
          { from: month.to + 1, versions: now },
        ]),
      ])
    : now
export const calendarWithClosed = (now: IsHoliday, closed: readonly ClosedPrices[]): IsHoliday =>
  closed.length ? (day) => (closed.find(({ from, to }) => from <= day && day <= to)?.isHoliday ?? now)(day) : now
