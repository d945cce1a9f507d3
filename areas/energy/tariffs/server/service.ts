import { sql } from 'kysely'
import { dayNumber } from '../../../../contract/days.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { ShiftPlan } from '../../../../server/telemetry/meaning/shifts.ts'
import type { IsHoliday, PriceVersion } from './timeline.ts'
import { type TariffRow, versionsOf, versionsOver } from './versions.ts'

export { adjustmentOf, powerFactor, reactiveOf } from './powerFactor.ts'
export { type Before, byLevel, levelsOf, type Priced, price, TooLarge } from './pricing.ts'
export { demandOf, type LineKind, type Statement, type StatementLine, statementOf } from './statement.ts'
export { type IsHoliday, monthOf, type PriceVersion, versionAt } from './timeline.ts'
export { type TariffRow, versionOf, versionsOf, versionsOver } from './versions.ts'

/** Saturdays and Sundays, unless the calendar differs. 1 January 1970 was a Thursday; Monday is 0. */
const weekdayOf = (day: number) => (((day + 3) % 7) + 7) % 7

/** Holidays and make-up days are those of the project's shifts; a make-up day that works as a Saturday or Sunday is none. */
export const calendarOf = (plans: readonly ShiftPlan[]): IsHoliday => {
  const ascending = plans.toSorted((a, b) => a.from - b.from)
  const cached = new Map<number, boolean>()
  return (day) => {
    let isHoliday = cached.get(day)
    if (isHoliday === undefined) {
      const plan = ascending.findLast(({ from }) => from <= day)
      const madeUp = plan?.makeUps.get(day)
      isHoliday = madeUp === undefined ? (plan?.holidays.has(day) ?? false) || weekdayOf(day) >= 5 : madeUp >= 5
      cached.set(day, isHoliday)
    }
    return isHoliday
  }
}

const columns = sql`"Id", coalesce("VersionOfId", "Id") as "Tariff", "ValidFrom", "ValidTo", "TariffType", ("BasePrice" / 1e9)::float8 as "BasePrice",
  "Seasons", "Tiers", "TierPeriod", "DemandType", ("DemandPrice" / 1e9)::float8 as "DemandPrice", "DemandMinutes", "DemandKva", "PfStandard", "Charges", "Taxes"`

/** A version with the tariff that it is of: the Id of the first version. */
export type TariffVersion = TariffRow & { Tariff: number }
/** All versions of tariffs, by the Id of any version. */
export const tariffRowsOf = (db: Db, ids: readonly number[]) =>
  db.rows<TariffVersion>(sql`
    select ${columns} from electricity_price_standard where coalesce("VersionOfId", "Id") in (
      select coalesce("VersionOfId", "Id") from electricity_price_standard where "Id" = any(${[...ids]}::bigint[]))`)

/** Stored tariffs with all their versions, by the Id of any version; `draft` is a version as it would be. The caller has decided that they may count. */
export const tariffsOf = async (db: Db, ids: readonly number[], draft?: TariffVersion): Promise<Map<number, PriceVersion[]>> => {
  const stored = await tariffRowsOf(db, ids)
  const isOf = draft && stored.some(({ Tariff }) => Tariff === draft.Tariff)
  const rows = isOf ? [...stored.filter(({ Id }) => Id !== draft.Id), draft] : stored
  const byTariff = Map.groupBy(rows, ({ Tariff }) => Tariff)
  const versions = new Map([...byTariff].map(([tariff, of]) => [tariff, versionsOf(of)]))
  return new Map(rows.map(({ Id, Tariff }) => [Id, versions.get(Tariff)!]))
}

type Chosen = { Id: number; PriceStandardId: number | null; Changes: { From: string; PriceStandardId: number }[] | null }

/**
 * Prices of circuits over time, with later tariffs. Circuits with the same tariffs have the same list, so that their levels are worked out
 * once; one without a tariff is left out. The caller has decided that the circuits may count.
 */
export const tariffsOfCircuits = async (
  db: Db,
  circuits: readonly number[],
  draft?: TariffVersion,
): Promise<Map<number, readonly PriceVersion[]>> => {
  const chosen = await db.rows<Chosen>(sql`
    select e."Id", e."PriceStandardId", (select jsonb_agg(jsonb_build_object('From', t."ValidFrom", 'PriceStandardId', t."PriceStandardId"))
      from energy_tariff t where t."EnergyInfoId" = e."Id") as "Changes"
    from energy_info e where e."Id" = any(${[...circuits]}::bigint[])`)
  const ids = chosen.flatMap(({ PriceStandardId, Changes }) => [
    ...(PriceStandardId ? [PriceStandardId] : []),
    ...(Changes ?? []).map((change) => change.PriceStandardId),
  ])
  const tariffs = await tariffsOf(db, [...new Set(ids)], draft)
  const known = new Map<string, readonly PriceVersion[]>()
  return new Map(
    chosen.flatMap(({ Id, PriceStandardId, Changes }): [number, readonly PriceVersion[]][] => {
      if (!PriceStandardId && !Changes) return []
      const key = JSON.stringify([PriceStandardId, Changes])
      const first = PriceStandardId ? [{ from: Number.NEGATIVE_INFINITY, versions: tariffs.get(PriceStandardId) ?? [] }] : []
      const later = (Changes ?? []).map((change) => ({
        from: dayNumber(change.From),
        versions: tariffs.get(change.PriceStandardId) ?? [],
      }))
      const versions = known.get(key) ?? versionsOver([...first, ...later])
      known.set(key, versions)
      return [[Id, versions]]
    }),
  )
}
