// The stock of a chemical: a spare part at a place of its own, so that one ledger holds all stock.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import type { SentKey } from '../../../../server/http/clientKey.ts'
import { type Actor, serverActor } from '../../../../server/identity/actor.ts'
import { record, store } from '../../../../server/resource/store.ts'
import { mtnComponent, mtnPlace, purchase } from '../../../maintenance/spare-parts/contract.ts'
import { countStock, inThousandths, moveStock } from '../../../maintenance/spare-parts/server/service.ts'
import { confirmed, drugDelivery, drugInfo } from '../contract.ts'

const [parts, places] = [store(mtnComponent), store(mtnPlace)]

type Held = {
  Id: number
  EnterpriseId: number
  DrugCode: string
  Unit: string
  StockQty: number
  ComponentId: number | null
  PlaceId: number | null
}
export type Stock = Held & { ComponentId: number; PlaceId: number }

/**
 * Spare parts are seen in the whole company, chemicals with their project: the part and its place have the chemical's code, and nothing else
 * of it. A name that somebody has taken stays his.
 */
const free = async (db: Db, taken: (name: string) => ReturnType<typeof sql>, name: string, id: number) =>
  (await db.rows(taken(name))).length ? `${name} #${id}` : name

/** The stock of a chemical, locked. Its part and place are made when they are first needed. */
export const lockStock = async (db: Db, actor: Actor, id: number): Promise<Stock> => {
  const [held] = await db.rows<Held>(sql`
    select "Id", "EnterpriseId", "DrugCode", "Unit", "StockQty", "ComponentId", "PlaceId" from drug_info where "Id" = ${id} for no key update`)
  const { EnterpriseId, DrugCode, Unit, ComponentId, PlaceId } = held!
  if (ComponentId && PlaceId) return { ...held!, ComponentId, PlaceId }
  const of = (name: string) => sql`"EnterpriseId" = ${EnterpriseId} and ${sql.raw(`"${name}"`)}`
  const ComponentNo = await free(db, (no) => sql`select 1 from mtn_component where ${of('ComponentNo')} = ${no}`, DrugCode.slice(0, 30), id)
  const PlaceName = await free(db, (name) => sql`select 1 from mtn_place where ${of('PlaceName')} = ${name}`, DrugCode, id)
  // The actor may see no spare parts: the server makes this one.
  const maker = serverActor(EnterpriseId)
  const part = await parts.create(db, maker, { EnterpriseId, ComponentName: DrugCode, ComponentNo, Unit })
  const place = await places.create(db, maker, { EnterpriseId, PlaceName })
  await db.rows(sql`update drug_info set "ComponentId" = ${part.Id}, "PlaceId" = ${place.Id} where "Id" = ${id}`)
  const ids = { ComponentId: part.Id, PlaceId: place.Id }
  await record(db, actor, drugInfo, 'update', id, EnterpriseId, {}, ids)
  return { ...held!, ...ids }
}

type Delivery = { DrugInfoId: number; Qty: number; Price?: number | null | undefined }
/** Takes a delivery into the stock. */
export const takeIn = async (db: Db, actor: Actor, { DrugInfoId, Qty, Price = null }: Delivery, key?: SentKey) => {
  const { EnterpriseId, ComponentId, PlaceId } = await lockStock(db, actor, DrugInfoId)
  const move = { ComponentId, PlaceId, RecordType: purchase, Change: inThousandths(Qty), Price }
  await moveStock(db, actor, EnterpriseId, [move], key)
}

/** Corrects the stock by what was counted now. */
export const countChemical = async (
  db: Db,
  actor: Actor,
  id: number,
  { Counted, Remark = null }: { Counted: number; Remark?: string | null },
  key?: SentKey,
) => {
  const { EnterpriseId, ComponentId, PlaceId } = await lockStock(db, actor, id)
  await countStock(db, actor, EnterpriseId, { ComponentId, PlaceId, Counted, at: null, Remark }, key)
}

/** Confirmed deliveries of chemicals, the first first, in thousandths of a unit and billionths of the currency. */
export type Batch = { id: number; at: number; qty: bigint; price: bigint | null; concentration: number | null }
export const batchesOf = async (db: Db, ids: readonly number[]): Promise<Map<number, Batch[]>> => {
  const rows = await db.rows<{
    Id: number
    DrugInfoId: number
    At: number
    Qty: string
    Price: string | null
    Concentration: number | null
  }>(sql`
    select "Id", "DrugInfoId", (extract(epoch from "DeliverTime") * 1000)::float8 as "At", ("Qty" * 1000)::bigint::text as "Qty", "Price"::text as "Price",
      "Concentration"::float8 as "Concentration"
    from drug_delivery where "DrugInfoId" = any(${[...ids]}::bigint[]) and "Status" = ${confirmed} order by "DeliverTime", "Id"`)
  return new Map(
    [...Map.groupBy(rows, ({ DrugInfoId }) => DrugInfoId)].map(([id, all]) => [
      id,
      all.map(({ Id, At, Qty, Price, Concentration }) => ({
        ...{ id: Id, at: At, qty: BigInt(Qty), price: Price === null ? null : BigInt(Price), concentration: Concentration },
      })),
    ]),
  )
}
export const deliveries = store(drugDelivery)
