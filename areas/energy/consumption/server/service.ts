// What other areas ask of energy.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { ownTurn } from '../../../../server/jobs/ownTurn.ts'
import type { IsHoliday, PriceVersion } from '../../tariffs/server/service.ts'
import type { Deriving, Span } from './days.ts'
import { energyOf } from './figures.ts'
import { tariffsIn } from './priced.ts'
import { quartersOf } from './quarterHours.ts'
import type { Keys } from './ranges.ts'
import { openReading, type Reading } from './reading.ts'
import { usageOf } from './usage.ts'

export { acceptBaseline } from './baselines.ts'
export { closeMonth, readStatement } from './closing.ts'
export type { Deriving } from './days.ts'
export { type EntryTables, enteredQuarters, entriesOf } from './entered.ts'
export { type Keys, keysOf, mostBars, partsOf, periodBefore, spanOf, textOfDay, today, wholeDaysOf, yearBefore } from './ranges.ts'
export { openReading } from './reading.ts'
export { energyBlocks } from './reportBlocks.ts'

/** Money of a closed month stays in its currency. */
export const assertCurrencyFree = async (db: Db, enterprise: number, currency: unknown) => {
  if (typeof currency !== 'string') return
  const closed = await db.rows(sql`
    select 1 from energy_month m join enterprise e on e."Id" = m."EnterpriseId"
    where m."EnterpriseId" = ${enterprise} and e."CurrencyCode" <> ${currency} limit 1`)
  if (closed.length) throw new FieldFaults([{ field: 'CurrencyCode', rule: 'energy.currencyFixed' }])
}

/** A circuit that the reader sees: the prices of some days, and its quarter-hours in a span that may depend on them. */
export const circuitWithPrices = async (db: Db, actor: Actor, deriving: Deriving, id: number, days: Keys) => {
  const reading = await openReading(db, actor, deriving, { EnergyInfoIds: [id] })
  const circuit = reading.byId.get(id)!
  const { versions, calendars } = await tariffsIn(db, [circuit], days)
  const meter = circuit.ReactiveInfoId === null ? undefined : reading.byId.get(circuit.ReactiveInfoId)
  const quarters = async (span: Span) => {
    const found = await quartersOf(db, deriving, meter ? [circuit, meter] : [circuit], reading.all, span)
    return { active: found.get(id)!, reactive: meter && found.get(meter.Id) }
  }
  const isHoliday: IsHoliday = calendars.get(circuit.ProjectId)!
  const of: readonly PriceVersion[] = versions.get(id) ?? []
  return { circuit, zone: reading.zone, currency: reading.currency, versions: of, isHoliday, quarters }
}

/** Parts of a circuit that are worked out in one go, and parts of all circuits that are in memory at a time. */
const [partsInOneGo, partsTogether] = [5000, 50_000]

/** What circuits of a reading used between edges of whole quarter-hours; NaN where less than a share of a part is known. */
export const circuitAmounts = async (reading: Reading, ids: readonly number[], edges: readonly number[], leastKnown: number) => {
  const circuits = ids.map((id) => reading.byId.get(id)!)
  const answer = new Map(ids.map((id) => [id, new Float64Array(edges.length - 1).fill(Number.NaN)]))
  const size = Math.max(1, Math.min(partsInOneGo, Math.floor(partsTogether / circuits.length)))
  for (let from = 0; from < edges.length - 1; from += size) {
    const some = edges.slice(from, from + size + 1)
    const usage = await usageOf(reading, circuits, { start: some[0]!, end: some.at(-1)! }, { edges: some, priced: false })
    for (const [id, sums] of usage) {
      const values = answer.get(id)!
      for (const [i, sum] of sums.entries())
        if (sum.count && sum.known >= leastKnown * sum.count) values[from + i] = energyOf(sum) ?? Number.NaN
      await ownTurn()
    }
  }
  return answer
}
