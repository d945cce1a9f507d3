// Chemicals now: what is there, how long it lasts, and what is to be ordered.
import { sql } from 'kysely'
import { textOfDay, today } from '../../../energy/consumption/server/service.ts'
import { proposed } from '../../chemicals/contract.ts'
import type { ChemicalStock } from '../contract.ts'
import { forecastOf, usedDays } from '../forecast.ts'
import { amountsOf, tankNow } from './measured.ts'
import { chemicalFields, currencyOf, type Drug, limitsOf, type Reading } from './reading.ts'
import { figureOf, units } from './sums.ts'
import { edgesOfDays, usageOf } from './usage.ts'

/** The day after the last one that is in the ledger, by chemical. */
const nextDays = async ({ db }: Pick<Reading, 'db'>, drugs: readonly Drug[]) => {
  const rows = await db.rows<{ DrugInfoId: number; Next: number }>(sql`
    select "DrugInfoId", (max("Day") - date '1970-01-01' + 1)::int as "Next" from drug_day
    where "DrugInfoId" = any(${drugs.map(({ Id }) => Id)}::bigint[]) group by 1`)
  return new Map(rows.map(({ DrugInfoId, Next }) => [DrugInfoId, Next]))
}
const proposalsOf = async ({ db }: Pick<Reading, 'db'>, drugs: readonly Drug[]) => {
  const rows = await db.rows<{ DrugInfoId: number; Count: number }>(sql`
    select "DrugInfoId", count(*)::int as "Count" from drug_delivery
    where "DrugInfoId" = any(${drugs.map(({ Id }) => Id)}::bigint[]) and "Status" = ${proposed} group by 1`)
  return new Map(rows.map(({ DrugInfoId, Count }) => [DrugInfoId, Count]))
}

const rounded = (value: number | null) => (value === null ? null : Math.round(value * 1000) / 1000)

/** Chemicals with their stock, those that run out first before the others. */
export const stocksOf = async (reading: Reading): Promise<ChemicalStock[]> => {
  const { db, measuring, zone, drugs } = reading
  const now = today(zone, measuring.now)
  const edges = edgesOfDays(zone, { from: now - usedDays, to: now })
  const amounts = await amountsOf(db, measuring, drugs, edges)
  const todays = await usageOf(reading, drugs, edges.slice(-2))
  const [next, proposals] = [await nextDays(reading, drugs), await proposalsOf(reading, drugs)]
  const items = drugs.map((drug): ChemicalStock => {
    const own = amounts.get(drug.Id)!
    const used = own.slice(0, -1).map(({ qty }) => (qty === null ? null : units(qty)))
    // The ledger has whole days: what was used since is not in it yet.
    const first = next.get(drug.Id) ?? now
    const open = own.slice(Math.max(0, first - (now - usedDays))).filter(({ qty }) => qty !== null)
    const UsedSince = open.length ? units(open.reduce((sum, { qty }) => sum + qty!, 0n)) : null
    const TankQty = rounded(tankNow(measuring, drug))
    // Before the first delivery there is no ledger.
    const left = drug.ComponentId === null ? null : Math.max(0, drug.StockQty - (UsedSince ?? 0))
    const of = forecastOf({ stock: TankQty ?? left, reserve: drug.MinStock, leadDays: drug.LeadDays, tankSize: drug.TankSize, used })
    const dayIn = (days: number | null) => (days === null || days > 3650 ? null : textOfDay(now + Math.floor(days)))
    return {
      ...{ ...chemicalFields(drug), ...limitsOf(drug), ProjectId: drug.ProjectId },
      Today: figureOf(drug, todays.get(drug.Id)![0]!, reading),
      ...{ StockQty: drug.StockQty, UsedSince, TankQty, Difference: TankQty === null || left === null ? null : rounded(TankQty - left) },
      ...{ TankSize: drug.TankSize, LeadDays: drug.LeadDays, MinStock: drug.MinStock, Proposed: proposals.get(drug.Id) ?? 0 },
      ...{ DaysLeft: of.days, DaysLow: of.low, DaysHigh: of.high, DailyUse: rounded(of.dailyUse), State: of.state },
      ...{ RunOut: dayIn(of.days), RunOutLow: dayIn(of.low), RunOutHigh: dayIn(of.high) },
      ...{ OrderBy: of.orderIn === null || of.orderIn > 3650 ? null : textOfDay(now + of.orderIn), OrderQty: rounded(of.orderQty) },
    }
  })
  const last = Number.POSITIVE_INFINITY
  return items.sort((a, b) => (a.DaysLow ?? last) - (b.DaysLow ?? last) || a.DrugCode.localeCompare(b.DrugCode))
}

export const statistics = async (reading: Reading) => ({
  ...{ Day: textOfDay(today(reading.zone, reading.measuring.now)), Zone: reading.zone, ...currencyOf(reading) },
  Items: await stocksOf(reading),
})

const shown = 4
export const staticDrug = async (reading: Reading) => {
  const items = await stocksOf(reading)
  return {
    Count: items.length,
    OrderNow: items.filter(({ State }) => State === 3).length,
    Proposed: items.reduce((sum, { Proposed }) => sum + Proposed, 0),
    Items: items.slice(0, shown),
  }
}
