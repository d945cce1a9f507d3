// What a change of prices does to months that are open.
import { sql } from 'kysely'
import type { Answer } from '../../../../contract/call.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { store } from '../../../../server/resource/store.ts'
import { quarter } from '../../../../server/telemetry/store/store.ts'
import { electricityPriceStandard } from '../../tariffs/contract.ts'
import type { PriceChange, priceCalls } from '../../tariffs/preview.ts'
import { faultsOf } from '../../tariffs/prices.ts'
import { type TariffVersion, tariffRowsOf } from '../../tariffs/server/service.ts'
import type { Circuit } from './circuits.ts'
import { money } from './figures.ts'
import { tariffsIn } from './priced.ts'
import { quartersOf } from './quarterHours.ts'
import { monthKeys, spanOf, textOfDay, today } from './ranges.ts'
import { type Reading, seenCircuits } from './reading.ts'
import { statementsOf } from './statements.ts'

/** Months that are looked at, the running one included. */
const mostMonths = 13
const tariffs = store(electricityPriceStandard)

/** The version as it would be. */
const draftOf = async ({ db, actor }: Reading, { Id, VersionOfId, ...change }: PriceChange): Promise<TariffVersion> => {
  const named = Id ?? VersionOfId
  if (named === undefined) throw new FieldFaults([{ field: 'Id', rule: 'required' }])
  await tariffs.find(db, actor, named)
  const rows = await tariffRowsOf(db, [named])
  const held = rows.find((row) => row.Id === named)!
  const draft = { ...held, ValidTo: Id === undefined ? null : held.ValidTo, ...change, Id: Id ?? 0, Tariff: held.Tariff } as TariffVersion
  const faults = faultsOf(draft)
  if (faults.length) throw new FieldFaults(faults)
  return draft
}

/** Circuits that the reader sees and that use a tariff, now or later. */
const usersOf = async (reading: Reading, tariff: number): Promise<Circuit[]> => {
  const versions = sql`(select "Id" from electricity_price_standard where "Id" = ${tariff} or "VersionOfId" = ${tariff})`
  const rows = await reading.db.rows<{ Id: number }>(sql`
    select "Id" from energy_info where "PriceStandardId" in ${versions}
    union select "EnergyInfoId" from energy_tariff where "PriceStandardId" in ${versions}`)
  const ids = new Set(rows.map(({ Id }) => Id))
  return seenCircuits(reading).filter(({ Id }) => ids.has(Id))
}

const monthsFrom = ({ zone, deriving }: Reading, day: string) => {
  const months: string[] = []
  for (let key = today(zone, deriving.now); months.length < mostMonths && textOfDay(key).slice(0, 7) >= day.slice(0, 7); ) {
    const month = textOfDay(key).slice(0, 7)
    months.push(month)
    key = monthKeys(month).from - 1
  }
  return months.reverse()
}

export const previewPrices = async (reading: Reading, change: PriceChange): Promise<Answer<typeof priceCalls.preview>> => {
  const { db, deriving, all, zone } = reading
  const draft = await draftOf(reading, change)
  const before = (await tariffRowsOf(db, [draft.Tariff])).find(({ Id }) => Id === draft.Id)
  const circuits = await usersOf(reading, draft.Tariff)
  const first = before && before.ValidFrom < draft.ValidFrom ? before.ValidFrom : draft.ValidFrom
  const Items = []
  for (const Month of circuits.length ? monthsFrom(reading, first) : []) {
    const keys = monthKeys(Month)
    const { start, end } = spanOf(zone, keys)
    const passed = { start, end: Math.min(end, Math.max(start, Math.floor(deriving.now / quarter) * quarter)) }
    const quarters = await quartersOf(db, deriving, circuits, all, passed)
    const costs = async (of?: TariffVersion) => {
      const { versions } = await tariffsIn(db, circuits, keys, of)
      return statementsOf(reading, circuits, keys, { quarters, versions })
    }
    const [now, then] = [await costs(), await costs(draft)]
    for (const { Id, EnergyName, EnergyCode } of circuits) {
      const [Before, After] = [now, then].map((costs) => costs.get(Id)?.total).map((total) => (total === undefined ? null : money(total)))
      if (Before !== After) Items.push({ EnergyInfoId: Id, EnergyName, EnergyCode, Month, Before: Before!, After: After! })
    }
  }
  return { Currency: reading.currency, Items }
}
