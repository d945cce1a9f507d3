// Writes movements with past dates in a few statements. They continue the chain of each part and place.
import { sql } from 'kysely'
import { toBillionths } from '../../../../contract/money.ts'
import type { Db } from '../../../../server/database/db.ts'
import { mtnComponent, mtnComponentStock, purchase } from '../contract.ts'
import { lockParts, type Move, setPartsCost } from './ledger.ts'

export type PastMove = Move & { at: number; UserId: number }

const thousandths = (qty: number) => Math.round(qty * 1000)
const rowsOf = (of: readonly object[]) => sql`${JSON.stringify(of)}::jsonb`
/** Price after a purchase: the average by quantity, rounded to whole billionths. */
const meanPrice = (stock: number, price: bigint, bought: number, paid: bigint): bigint => {
  const of = BigInt(stock + bought)
  return (2n * (BigInt(stock) * price + BigInt(bought) * paid) + of) / (2n * of)
}

/** Writes movements in order. Throws if one exceeds the stock. */
export const movePast = async (db: Db, EnterpriseId: number, moves: readonly PastMove[]) => {
  const ids = [...new Set(moves.map(({ ComponentId }) => ComponentId))]
  await lockParts(db, EnterpriseId, ids)
  const [parts, stocks] = await db.all([
    sql<{ Id: number; Qty: number; Price: string }>`
      select "Id", "StockQty"::float8 as "Qty", coalesce("Price", 0)::text as "Price" from mtn_component where "Id" = any(${ids}::bigint[])`,
    sql<{ ComponentId: number; PlaceId: number; Qty: number; Seq: number }>`
      select "ComponentId", "PlaceId", "Qty"::float8 as "Qty", "Seq" from mtn_component_stock where "ComponentId" = any(${ids}::bigint[])`,
  ])
  const part = new Map(parts.map(({ Id, Qty, Price }) => [Id, { Id, qty: thousandths(Qty), price: BigInt(Price) }]))
  const keyOf = (of: { ComponentId: number; PlaceId: number }) => `${of.ComponentId} ${of.PlaceId}`
  const stock = new Map(stocks.map((row) => [keyOf(row), { ...row, Qty: thousandths(row.Qty) }]))
  const records = moves.map(({ at, UserId, Price, Change, ...move }) => {
    const key = keyOf(move)
    const { ComponentId, PlaceId } = move
    const place = stock.get(key) ?? { ComponentId, PlaceId, Qty: 0, Seq: 0 }
    const of = part.get(ComponentId)!
    const [before, change] = [place.Qty, thousandths(Change)]
    if (before + change < 0) throw new Error(`Part ${ComponentId} has ${before / 1000} at place ${PlaceId}.`)
    const paid = move.RecordType === purchase && typeof Price === 'number' ? BigInt(toBillionths(Price)) : of.price
    if (move.RecordType === purchase) of.price = meanPrice(of.qty, of.price, change, paid)
    of.qty += change
    stock.set(key, { ...place, Qty: before + change, Seq: place.Seq + 1 })
    const qty = { Qty: Math.abs(change) / 1000, BeforeQty: before / 1000, AfterQty: (before + change) / 1000 }
    return { ...move, ...qty, Seq: place.Seq + 1, Price: String(paid), Time: new Date(at).toISOString(), UserId }
  })
  await db.rows(sql`
    insert into mtn_component_record ("EnterpriseId", "Time", "ComponentId", "PlaceId", "RecordType", "Qty", "BeforeQty", "AfterQty", "Price", "OtherPlaceId", "OrderId", "CountTime", "UserId", "Seq")
    select ${EnterpriseId}, r."Time", r."ComponentId", r."PlaceId", r."RecordType", r."Qty", r."BeforeQty", r."AfterQty", r."Price", r."OtherPlaceId", r."OrderId", r."CountTime", r."UserId", r."Seq"
    from rows from (jsonb_to_recordset(${rowsOf(records)}) as ("Time" timestamptz, "ComponentId" bigint, "PlaceId" bigint, "RecordType" smallint, "Qty" numeric, "BeforeQty" numeric,
      "AfterQty" numeric, "Price" bigint, "OtherPlaceId" bigint, "OrderId" bigint, "CountTime" timestamptz, "UserId" bigint, "Seq" integer)) with ordinality r order by r.ordinality`)
  const places = [...stock.values()].map((row) => ({ ...row, Qty: row.Qty / 1000 }))
  await db.rows(sql`
    insert into mtn_component_stock ("EnterpriseId", "ComponentId", "PlaceId", "Qty", "Seq")
    select ${EnterpriseId}, s."ComponentId", s."PlaceId", s."Qty", s."Seq" from jsonb_to_recordset(${rowsOf(places)}) as s ("ComponentId" bigint, "PlaceId" bigint, "Qty" numeric, "Seq" integer)
    on conflict ("ComponentId", "PlaceId") do update set "Qty" = excluded."Qty", "Seq" = excluded."Seq", "UpdateTime" = now()`)
  const prices = [...part.values()].map(({ Id, qty, price }) => ({ Id, Qty: qty / 1000, Price: String(price) }))
  await db.rows(sql`
    update mtn_component c set "StockQty" = p."Qty", "Price" = p."Price", "UpdateTime" = now()
    from jsonb_to_recordset(${rowsOf(prices)}) as p ("Id" bigint, "Qty" numeric, "Price" bigint) where c."Id" = p."Id"`)
  await setPartsCost(db, moves)
  for (const [{ name }, id] of [[mtnComponent, ids[0]] as const, [mtnComponentStock, ids[0]] as const])
    if (id !== undefined) db.emit({ resource: name, id, verb: 'update', EnterpriseId })
}
