// Parts taken on phones that exceeded the stock: recorded, then issued or dismissed.
import { sql } from 'kysely'
import type { Row } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { ActHandler } from '../../../../server/resource/acts.ts'
import { record, store } from '../../../../server/resource/store.ts'
import { mtnStockDifference, takenOut } from '../contract.ts'
import { lockParts, moveStock, type OfOrder, orderColumns } from './ledger.ts'

type Difference = Row<typeof mtnStockDifference>
type Short = OfOrder & { EnterpriseId: number; ComponentId: number; PlaceId: number; Qty: number; StockQty: number; time: Date }
/** Records a difference. The caller has checked part, place and order. */
export const noteDifference = async (db: Db, { UserId }: Actor, { time, ...of }: Short): Promise<number> => {
  const [made] = await db.rows<{ Id: number }>(sql`
    insert into mtn_stock_difference ("EnterpriseId", "Time", "ComponentId", "PlaceId", "Qty", "StockQty", "OrderId", "UpKeepOrderId", "CheckOrderId", "UserId")
    values (${of.EnterpriseId}, ${time}, ${of.ComponentId}, ${of.PlaceId}, ${of.Qty}, ${of.StockQty}, ${of.OrderId ?? null}, ${of.UpKeepOrderId ?? null},
      ${of.CheckOrderId ?? null}, ${UserId}) returning "Id"`)
  db.emit({ resource: mtnStockDifference.name, id: made!.Id, verb: 'create', EnterpriseId: of.EnterpriseId })
  return made!.Id
}

/** Settles a difference once, even under concurrent calls. */
const settle = async (db: Db, actor: Actor, row: Difference, Status: number, Remark: string | null) => {
  const settled = await db.rows(sql`
    update mtn_stock_difference set "Status" = ${Status}, "Remark" = ${Remark}, "SettleUserId" = ${actor.UserId || null}, "SettleTime" = now(), "UpdateTime" = now()
    where "Id" = ${row.Id} and "Status" = 0 returning 1`)
  if (!settled.length) throw new Fault('wrongState', { title: String((row as Record<string, unknown>).ComponentName ?? row.Id) })
  const after = await store(mtnStockDifference).find(db, actor, row.Id)
  await record(db, actor, mtnStockDifference, 'update', row.Id, row.EnterpriseId, row, after)
}
export const book: ActHandler = async ({ db, actor, row }) => {
  const of = row as unknown as Difference
  const order = Object.fromEntries(orderColumns.flatMap((column) => (of[column] ? [[column, of[column]]] : [])))
  await db.tx(async (db) => {
    await lockParts(db, of.EnterpriseId, [of.ComponentId])
    await settle(db, actor, of, 1, null)
    const { ComponentId, PlaceId, Qty } = of
    await moveStock(db, actor, of.EnterpriseId, [{ ComponentId, PlaceId, RecordType: takenOut, Change: -Qty, ...order }])
  })
}
export const dismiss: ActHandler = ({ db, actor, row, body }) =>
  db.tx((db) => settle(db, actor, row as unknown as Difference, 2, String(body.Remark).trim()))
