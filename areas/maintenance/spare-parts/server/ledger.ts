// The ledger of spare parts. Every stock movement is written here, in the caller's transaction.
import { sql } from 'kysely'
import { toBillionths } from '../../../../contract/money.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { SentKey } from '../../../../server/http/clientKey.ts'
import { Fault, FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { recordAll } from '../../../../server/resource/store.ts'
import { notify } from '../../../system/notices/server/service.ts'
import { countedLess, mtnComponent, mtnComponentRecord, mtnComponentStock, purchase, scrapped, takenOut } from '../contract.ts'

/** Order types by their foreign key in stock movements, with the states in which cost is final. */
const orderTables = {
  OrderId: { table: 'mtn_maintenance_order', closed: [5] },
  UpKeepOrderId: { table: 'mtn_up_keep_order', closed: [2, 3, 5] },
  CheckOrderId: { table: 'mtn_check_order', closed: [2, 3, 5] },
}
export type OrderColumn = keyof typeof orderTables
export const orderColumns = Object.keys(orderTables) as OrderColumn[]
/** The order of a movement. */
export type OfOrder = { [column in OrderColumn]?: number | null }
export type Move = OfOrder & {
  ComponentId: number
  PlaceId: number
  RecordType: number
  /** Change of the stock at the place; negative for a movement out. */
  Change: number
  /** Unit price of a purchase, in the company's currency; otherwise the part's average price applies. */
  Price?: number | null
  OtherPlaceId?: number | null
  CountTime?: string | null
  Remark?: string | null
}
/** Movement types that reduce the stock. */
export const outwards: ReadonlySet<number> = new Set([takenOut, countedLess, scrapped])

/** Rounds to thousandths, the smallest fraction of a unit. */
export const inThousandths = (qty: number) => Math.round(qty * 1000) / 1000

type Part = { Id: number; ComponentName: string; Unit: string; StockQty: number; MinQty: number | null; Status: number }
/** Lock order: parts by Id, then their places. Movements of the same part are serialized. */
export const lockParts = async (db: Db, enterprise: number, ids: readonly number[]) => {
  const rows = await db.rows<Part>(sql`
    select "Id", "ComponentName", "Unit", "StockQty", "MinQty", "Status" from mtn_component
    where "EnterpriseId" = ${enterprise} and "Id" = any(${[...new Set(ids)]}::bigint[]) order by "Id" for no key update`)
  return new Map(rows.map((row) => [row.Id, row]))
}

/** Changes the stock of a part at a place. Refuses a result below 0. */
const changeStock = async (db: Db, enterprise: number, { ComponentId, PlaceId, Change }: Move, unit: string) => {
  await db.rows(sql`
    insert into mtn_component_stock ("EnterpriseId", "ComponentId", "PlaceId") values (${enterprise}, ${ComponentId}, ${PlaceId}) on conflict do nothing`)
  const of = sql`"ComponentId" = ${ComponentId} and "PlaceId" = ${PlaceId}`
  const [stock] = await db.rows<{ Id: number; Qty: number; Seq: number }>(sql`
    update mtn_component_stock set "Qty" = "Qty" + ${Change}::numeric, "Seq" = "Seq" + 1, "UpdateTime" = now()
    where ${of} and "Qty" + ${Change}::numeric >= 0 returning "Id", "Qty", "Seq"`)
  if (stock) return stock
  const [held] = await db.rows<{ Qty: number }>(sql`select "Qty" from mtn_component_stock where ${of}`)
  throw new FieldFaults([{ field: 'Qty', rule: 'stockShort', values: { stock: held!.Qty, unit } }])
}

/** Sends one notice when the stock falls below the minimum, and no more while it stays there. */
export const noticeLow = async (db: Db, enterprise: number, part: Part, after: Pick<Part, 'StockQty' | 'MinQty'>, source: string) => {
  const isLow = ({ StockQty, MinQty }: Pick<Part, 'StockQty' | 'MinQty'>) => MinQty !== null && StockQty < MinQty
  if (part.Status !== 1 || isLow(part) || !isLow(after)) return
  await db.rows(sql`update mtn_component set "LowTime" = clock_timestamp() where "Id" = ${part.Id}`)
  await notify(db, {
    ...{ EnterpriseId: enterprise, BizType: 12, Wording: 'stockLow', Source: `stockLow/${part.Id}/${source}` },
    WordValues: { ComponentName: part.ComponentName, StockQty: after.StockQty, MinQty: after.MinQty ?? 0, Unit: part.Unit },
    ...{ Permission: mtnComponent.permission, ObjectType: mtnComponent.name, ObjectId: part.Id },
  })
}

/**
 * Writes movements in the caller's transaction, all or none, and returns their Ids. The caller has checked that the actor sees the parts
 * and places. Each movement starts from the stock after the previous movement of the same part and place.
 */
export const moveStock = async (db: Db, actor: Actor, enterprise: number, moves: readonly Move[], key?: SentKey): Promise<number[]> => {
  const parts = await lockParts(
    db,
    enterprise,
    moves.map((m) => m.ComponentId),
  )
  const ids: number[] = []
  for (const move of moves) {
    const part = parts.get(move.ComponentId)!
    const { ComponentId, PlaceId, RecordType, Change } = move
    const stock = await changeStock(db, enterprise, move, part.Unit)
    const price = RecordType === purchase && typeof move.Price === 'number' ? sql`${toBillionths(move.Price)}::bigint` : sql`c."Price"`
    const [made] = await db.rows<{ Id: number; Row: object }>(sql`
      with made as (
        insert into mtn_component_record ("EnterpriseId", "Time", "ComponentId", "PlaceId", "RecordType", "Qty", "BeforeQty", "AfterQty", "Price", "OtherPlaceId", "OrderId", "UpKeepOrderId", "CheckOrderId",
          "CountTime", "UserId", "Remark", "Seq", "ClientKey", "Hash")
        select ${enterprise}, coalesce(${actor.past ?? null}::timestamptz, clock_timestamp()), c."Id", ${PlaceId}, ${RecordType}, abs(${Change}::numeric), ${stock.Qty}::numeric - ${Change}::numeric, ${stock.Qty},
          coalesce(${price}, 0), ${move.OtherPlaceId ?? null}, ${move.OrderId ?? null}::bigint, ${move.UpKeepOrderId ?? null}::bigint, ${move.CheckOrderId ?? null}::bigint, ${move.CountTime ?? null}::timestamptz, ${actor.UserId || null}, ${move.Remark ?? null}, ${stock.Seq}, ${(move === moves[0] && key?.ClientKey) || null}, ${(move === moves[0] && key?.Hash) || null}
        from mtn_component c where c."Id" = ${ComponentId} returning *)
      select "Id", to_jsonb(made) as "Row" from made`)
    // A purchase changes the average price by its share of the stock.
    const [after] = await db.rows<Part>(sql`
      update mtn_component c set "StockQty" = c."StockQty" + ${Change}::numeric, "UpdateTime" = now(),
        "Price" = case when ${RecordType}::int = ${purchase} then round((c."StockQty" * coalesce(c."Price", 0) + ${Change}::numeric * r."Price") / (c."StockQty" + ${Change}::numeric)) else c."Price" end
      from mtn_component_record r where r."Id" = ${made!.Id} and c."Id" = ${ComponentId} returning c."StockQty", c."MinQty"`)
    await recordAll(db, actor, mtnComponentRecord, 'create', [{ Id: made!.Id, EnterpriseId: enterprise, After: made!.Row }])
    for (const [r, Id] of [[mtnComponent, ComponentId] as const, [mtnComponentStock, stock.Id] as const])
      db.emit({ resource: r.name, id: Id, verb: 'update', EnterpriseId: enterprise })
    if (!actor.past) await noticeLow(db, enterprise, part, after!, String(made!.Id))
    parts.set(ComponentId, { ...part, ...after! })
    ids.push(made!.Id)
  }
  await setPartsCost(db, moves)
  return ids
}

/** Whether the actor has sent these movements before. The same key with other content is refused. Locks the parts first. */
export const wereSent = async (db: Db, actor: Actor, enterprise: number, part: number, key: SentKey | undefined): Promise<boolean> => {
  if (!key) return false
  await lockParts(db, enterprise, [part])
  const [sent] = await db.rows<{ Hash: string }>(
    sql`select "Hash" from mtn_component_record where "UserId" = ${actor.UserId} and "ClientKey" = ${key.ClientKey}`,
  )
  if (sent && sent.Hash !== key.Hash) throw new Fault('clientKeyUsed')
  return sent !== undefined
}

/** Updates the parts cost of orders, at the price of each movement. Completed orders keep theirs. */
export const setPartsCost = async (db: Db, moves: readonly OfOrder[]) => {
  for (const column of orderColumns) {
    const { table, closed } = orderTables[column]
    const orders = [...new Set(moves.flatMap((move) => move[column] ?? []))]
    if (orders.length)
      await db.rows(sql`
        update ${sql.table(table)} o set "PartsCost" = (
          select round(sum((r."BeforeQty" - r."AfterQty") * r."Price"))::bigint from mtn_component_record r where r.${sql.ref(column)} = o."Id")
        where o."Id" = any(${orders}::bigint[]) and o."Status" <> all(${closed}::smallint[])`)
  }
}

/** `at`: a timestamp from the database. */
export type Count = Pick<Move, 'ComponentId' | 'PlaceId' | 'Remark'> & { Counted: number; at: string | null }
/**
 * Corrects the stock by the difference between the count and the ledger at the time of counting; later movements stay. A correction is
 * valued at that time. Without a difference, nothing is written.
 */
export const countStock = async (
  db: Db,
  actor: Actor,
  enterprise: number,
  { ComponentId, PlaceId, Counted, at, Remark }: Count,
  key?: SentKey,
) => {
  await lockParts(db, enterprise, [ComponentId])
  const of = sql`r."ComponentId" = ${ComponentId} and r."PlaceId" = ${PlaceId}`
  const time = sql`coalesce(${at}::timestamptz, clock_timestamp())`
  const [then] = await db.rows<{ Qty: number; Later: boolean; Ahead: boolean; At: string }>(sql`
    select coalesce(sum(r."AfterQty" - r."BeforeQty") filter (where coalesce(r."CountTime", r."Time") <= ${time}), 0) as "Qty",
      coalesce(bool_or(r."CountTime" > ${time}), false) as "Later", ${time} > clock_timestamp() as "Ahead", ${time}::text as "At"
    from mtn_component_record r where ${of}`)
  const { Qty, Later, Ahead, At } = then!
  if (Ahead) throw new FieldFaults([{ field: 'CountTime', rule: 'notYet' }])
  if (Later) throw new FieldFaults([{ field: 'CountTime', rule: 'countedLater' }])
  const Change = inThousandths(Counted - Qty)
  if (!Change) return []
  return moveStock(
    db,
    actor,
    enterprise,
    [{ ComponentId, PlaceId, RecordType: Change > 0 ? 4 : 5, Change, CountTime: At, Remark: Remark ?? null }],
    key,
  ).catch((error) => {
    // More was taken since the count than was counted.
    throw error instanceof FieldFaults ? new FieldFaults([{ field: 'Counted', rule: 'countTooLow' }]) : error
  })
}
