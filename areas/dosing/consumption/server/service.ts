// For the demo company: a stock as it would be after months of deliveries.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { serverActor } from '../../../../server/identity/actor.ts'
import { textOfDay, today } from '../../../energy/consumption/server/service.ts'
import { countedMore, purchase, takenOut } from '../../../maintenance/spare-parts/contract.ts'
import { movePast, type PastMove } from '../../../maintenance/spare-parts/server/service.ts'
import { lockStock } from '../../chemicals/server/service.ts'
import { amountsOf, levelsOf, risesOf } from './measured.ts'
import { drugsWhere, type Measuring } from './reading.ts'
import { units } from './sums.ts'
import { edgesOfDays } from './usage.ts'

export type { Measuring } from './reading.ts'
export { dosingBlocks } from './reportBlocks.ts'

/** A batch of the past: when it came, how much it was, and how much was left before it. */
type Came = { at: number; qty: number; left: number }
type Papers = { BatchNo: string; Price: number; Concentration: number | null; SupplierName: string }

/** Batches by the rises of the tank's level. */
export const pastRises = async (db: Db, measuring: Measuring, id: number, since: number): Promise<Came[]> => {
  const [drug] = await drugsWhere(db, sql`t."Id" = ${id}`)
  const levels = await levelsOf(measuring, drug!, since, measuring.now)
  return risesOf(drug!, levels).map(({ start, qty }) => ({
    ...{ at: start, qty: Math.round(qty) / 1000, left: levels.qty[levels.time.indexOf(start)]! / 1000 },
  }))
}

/** Writes deliveries and what was used since the first of them, day by day, into the ledger of the stock. */
export const writePastStock = async (
  db: Db,
  measuring: Measuring,
  { id, UserId, came, papers }: { id: number; UserId: number; came: readonly Came[]; papers: (at: number, i: number) => Papers },
) => {
  const [first] = came
  if (!first) return
  const [drug] = await drugsWhere(db, sql`t."Id" = ${id}`)
  const { EnterpriseId, Zone } = drug!
  const { ComponentId, PlaceId } = await lockStock(db, serverActor(EnterpriseId), id)
  const of = { ComponentId, PlaceId, UserId }
  const rows = came.map(({ at, qty }, i) => ({ At: new Date(at).toISOString(), Qty: qty, ...papers(at, i) }))
  await db.rows(sql`
    insert into drug_delivery ("EnterpriseId", "DrugInfoId", "DeliverTime", "RiseTime", "BatchNo", "Qty", "Price", "Concentration", "SupplierName", "Status")
    select ${EnterpriseId}, ${id}, "At", "At", "BatchNo", "Qty", round("Price" * 1000000000)::bigint, "Concentration", "SupplierName", 1
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r ("At" timestamptz, "BatchNo" text, "Qty" numeric, "Price" numeric, "Concentration" numeric, "SupplierName" text)`)
  const from = today(Zone, first.at)
  const edges = edgesOfDays(Zone, { from, to: today(Zone, measuring.now) - 1 })
  // What was used on the first day before the delivery is not in the stock that is counted with it.
  const days = edges.length > 1 ? (await amountsOf(db, measuring, [drug!], [first.at, ...edges.slice(1)])).get(id)! : []
  const used = days.flatMap(({ qty }, i) =>
    qty === null || qty === 0n ? [] : [{ day: textOfDay(from + i), at: edges[i + 1]! - 1000, qty: units(qty) }],
  )
  const moves: PastMove[] = [
    ...(first.left > 0 ? [{ ...of, at: first.at - 1000, RecordType: countedMore, Change: Math.round(first.left * 1000) / 1000 }] : []),
    ...came.map(({ at, qty }, i) => ({ ...of, at, RecordType: purchase, Change: qty, Price: papers(at, i).Price })),
    ...used.map(({ day, at, qty }) => ({ ...of, at, RecordType: takenOut, Change: -qty, Remark: day })),
  ]
  await movePast(
    db,
    EnterpriseId,
    moves.sort((a, b) => a.at - b.at),
  )
  await db.rows(sql`
    insert into drug_day ("EnterpriseId", "DrugInfoId", "Day", "Qty")
    select ${EnterpriseId}, ${id}, d.day::date, d.qty from unnest(${used.map(({ day }) => day)}::text[], ${used.map(({ qty }) => qty)}::numeric[]) d (day, qty)`)
}
