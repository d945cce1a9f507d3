// Amounts of parts with what they cost: the batch that came first is used first.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { day } from '../../../../server/telemetry/store/store.ts'
import { partsOf, spanOf } from '../../../energy/consumption/server/service.ts'
import { countedLess, countedMore, scrapped } from '../../../maintenance/spare-parts/contract.ts'
import { batchesOf } from '../../chemicals/server/service.ts'
import { draw } from '../batches.ts'
import { type Amount, amountsOf } from './measured.ts'
import type { Drug, Measuring, Reading } from './reading.ts'
import { partSum, type Sum } from './sums.ts'

/** Days before a range for which consumption is read again to know which batch it begins with. */
const mostBefore = 800

/** What left the stock of chemicals otherwise before a moment: counted less or more, scrapped. In thousandths. */
const correctionsBefore = async (db: Db, drugs: readonly Drug[], moment: number) => {
  const ids = drugs.flatMap(({ ComponentId }) => ComponentId ?? [])
  if (!ids.length) return new Map<number, bigint>()
  const rows = await db.rows<{ ComponentId: number; Qty: string }>(sql`
    select "ComponentId", (sum("BeforeQty" - "AfterQty") * 1000)::bigint::text as "Qty" from mtn_component_record
    where "ComponentId" = any(${ids}::bigint[]) and "RecordType" in (${countedMore}, ${countedLess}, ${scrapped})
      and coalesce("CountTime", "Time") < ${new Date(moment).toISOString()}::timestamptz group by 1`)
  return new Map(rows.map(({ ComponentId, Qty }) => [ComponentId, BigInt(Qty)]))
}
/** What was taken from the stock for days before a moment. In thousandths. */
const takenBefore = async (db: Db, drugs: readonly Drug[], moment: number) => {
  const rows = await db.rows<{ DrugInfoId: number; Qty: string }>(sql`
    select d."DrugInfoId", (sum(d."Qty") * 1000)::bigint::text as "Qty" from drug_day d join enterprise e on e."Id" = d."EnterpriseId"
    where d."DrugInfoId" = any(${drugs.map(({ Id }) => Id)}::bigint[])
      and d."Day" < (${new Date(moment).toISOString()}::timestamptz at time zone e."TimeZoneKey")::date group by 1`)
  return new Map(rows.map(({ DrugInfoId, Qty }) => [DrugInfoId, BigInt(Qty)]))
}

const totalQty = (amounts: readonly Amount[]) => amounts.reduce((sum, { qty }) => sum + (qty ?? 0n), 0n)
/** Consumption before a range since the first delivery of each chemical. */
const usedBefore = async (db: Db, measuring: Measuring, drugs: readonly Drug[], firsts: ReadonlyMap<number, number>, start: number) => {
  const used = new Map<number, bigint>()
  const taken = await takenBefore(db, drugs, start - mostBefore * day)
  for (const drug of drugs) {
    const first = firsts.get(drug.Id)
    if (first === undefined || first >= start) continue
    // Days are drawn whole: that of the first delivery, too.
    const { edges } = partsOf(drug.Zone, { start: Math.max(first - day, start - mostBefore * day), end: start }, 'day')
    const from = edges.findLast((at) => at <= first) ?? edges[0]!
    const amounts = (await amountsOf(db, measuring, [drug], [from, start])).get(drug.Id)!
    used.set(drug.Id, totalQty(amounts) + (first < start - mostBefore * day ? (taken.get(drug.Id) ?? 0n) : 0n))
  }
  return used
}

/** Sums of the parts between edges, by chemical. */
export const usageOf = async (
  { db, measuring, seesCost }: Pick<Reading, 'db' | 'measuring' | 'seesCost'>,
  drugs: readonly Drug[],
  edges: readonly number[],
): Promise<Map<number, Sum[]>> => {
  const amounts = await amountsOf(db, measuring, drugs, edges)
  const batches = await batchesOf(
    db,
    drugs.map(({ Id }) => Id),
  )
  const firsts = new Map([...batches].flatMap(([id, [first]]) => (first ? [[id, first.at] as const] : [])))
  // The batch matters only for costs and for concentrations by batch.
  const isAsked = (drug: Drug) =>
    firsts.has(drug.Id) && (seesCost || batches.get(drug.Id)!.some(({ concentration }) => concentration !== null))
  const drawn = drugs.filter(isAsked)
  const used = await usedBefore(db, measuring, drawn, firsts, edges[0]!)
  const corrections = await correctionsBefore(db, drawn, edges[0]!)
  return new Map(
    drugs.map((drug) => {
      const own = amounts.get(drug.Id) ?? []
      const before = (used.get(drug.Id) ?? 0n) + (corrections.get(drug.ComponentId ?? 0) ?? 0n)
      const otherwise = { price: drug.Price === null ? null : BigInt(drug.Price), concentration: drug.Concentration }
      const parts = draw(
        isAsked(drug) ? batches.get(drug.Id)! : [],
        before > 0n ? before : 0n,
        own.map(({ qty }, i) => ({ qty, end: edges[i + 1]! })),
        otherwise,
      )
      return [drug.Id, own.map((amount, i) => partSum(amount, parts[i]!, edges[i]! < measuring.now))]
    }),
  )
}
export const edgesOfDays = (zone: string, keys: { from: number; to: number }, by: 'hour' | 'day' | 'month' = 'day') =>
  partsOf(zone, spanOf(zone, keys), by).edges
