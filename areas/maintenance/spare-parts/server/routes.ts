import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { page } from '../../../../contract/call.ts'
import { type Row, schemas } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { sentKey } from '../../../../server/http/clientKey.ts'
import { Fault, FieldFaults } from '../../../../server/http/faults.ts'
import { serve } from '../../../../server/http/serve.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { ActHandler } from '../../../../server/resource/acts.ts'
import { crud, lists } from '../../../../server/resource/crud.ts'
import { type Check, store } from '../../../../server/resource/store.ts'
import {
  givenBack,
  mtnComponent,
  mtnComponentCompo,
  mtnComponentRecord,
  mtnComponentStock,
  mtnStockDifference,
  purchase,
  scrapped,
  seesCost,
  sparePartCalls,
  takenOut,
  transferred,
} from '../contract.ts'
import { assertNothingIn, compoCheck, partsOfDevice } from './compo.ts'
import { book, dismiss } from './differences.ts'
import { proposals, sums } from './figures.ts'
import {
  countStock,
  inThousandths,
  lockParts,
  type Move,
  moveStock,
  noticeLow,
  type OfOrder,
  orderColumns,
  outwards,
  wereSent,
} from './ledger.ts'

type Given = { PlaceId: number; OtherPlaceId: number; Qty: number; Price?: number | null; Remark?: string | null } & OfOrder

/** Also notifies when a raised minimum exceeds the stock. */
const partCheck: Check<typeof mtnComponent> = async (db, _actor, given, held) => {
  if (!held || given.MinQty === undefined || given.MinQty === held.MinQty) return given
  const part = (await lockParts(db, held.EnterpriseId, [held.Id])).get(held.Id)!
  await noticeLow(db, held.EnterpriseId, part, { ...part, MinQty: given.MinQty as number | null }, `min/${held.UpdateStamp}`)
  return given
}
const parts = store(mtnComponent, partCheck)

/** The stock is the sum of movements; an unchanged value in the request is accepted. */
const changePart = async (db: Db, actor: Actor, id: number, { StockQty, ...change }: Record<string, unknown>) => {
  if (StockQty !== undefined && StockQty !== (await parts.find(db, actor, id)).StockQty)
    throw new FieldFaults([{ field: 'StockQty', rule: 'stockOfLedger' }])
  return parts.update(db, actor, id, change)
}

const moving = (act: string, movesOf: (row: Row<typeof mtnComponent>, given: Given, qty: number) => Move[]): ActHandler => {
  return async ({ db, actor, body, row }) => {
    const given = body as Given
    if (given.Price !== undefined && given.Price !== null && !actor.may.has(seesCost)) throw new Fault('forbidden')
    const moves = movesOf(row as unknown as Row<typeof mtnComponent>, given, inThousandths(given.Qty))
    const key = sentKey(act, body)
    await db.tx(async (db) => {
      if (!(await wereSent(db, actor, row.EnterpriseId, row.Id, key))) await moveStock(db, actor, row.EnterpriseId, moves, key)
    }, `part ${row.Id}`)
  }
}
/** The order of a movement: at most one. */
const oneOrder = (given: OfOrder): OfOrder => {
  const [first, second] = orderColumns.filter((column) => given[column])
  if (second) throw new FieldFaults([{ field: second, rule: 'oneOrder' }])
  return first ? { [first]: given[first] } : {}
}
const one = (RecordType: number) =>
  moving(String(RecordType), ({ Id }, { PlaceId, Price = null, Remark = null, ...given }, qty) => [
    { ComponentId: Id, PlaceId, RecordType, Change: outwards.has(RecordType) ? -qty : qty, ...oneOrder(given), Price, Remark },
  ])
/** A transfer is two movements: out of one place and into another. */
const transfer = moving('transfer', ({ Id }, { PlaceId, OtherPlaceId, Remark }, qty) => {
  if (PlaceId === OtherPlaceId) throw new FieldFaults([{ field: 'OtherPlaceId', rule: 'samePlace' }])
  const way = (from: number, to: number, Change: number) => ({
    ...{ ComponentId: Id, PlaceId: from, OtherPlaceId: to, RecordType: transferred, Change, Remark: Remark ?? null },
  })
  return [way(PlaceId, OtherPlaceId, -qty), way(OtherPlaceId, PlaceId, qty)]
})
const count: ActHandler = async ({ db, actor, body, row }) => {
  const { PlaceId, Counted, CountTime, Remark } = body as { PlaceId: number; Counted: number; CountTime?: string; Remark?: string }
  const zone = actor.zone ?? actor.tenantZone
  const key = sentKey('count', body)
  await db.tx(async (db) => {
    if (await wereSent(db, actor, row.EnterpriseId, row.Id, key)) return
    const [moment] = CountTime
      ? await db.rows<{ at: string }>(sql`select (${CountTime}::timestamp at time zone ${zone}::text)::text as at`)
      : []
    await countStock(
      db,
      actor,
      row.EnterpriseId,
      { ComponentId: row.Id, PlaceId, Counted, at: moment?.at ?? null, Remark: Remark ?? null },
      key,
    )
  }, `part ${row.Id}`)
}

/** Spare parts, their stock and their movements. */
export const sparePartRoutes = (app: FastifyInstance) => {
  const { change } = schemas(mtnComponent)
  crud(app, mtnComponent, {
    check: partCheck as unknown as Check,
    own: { update: changePart },
    shapes: { change: Type.Object({ ...change.properties, StockQty: Type.Optional(Type.Number()) }) },
    acts: {
      ...{ takeIn: one(purchase), takeOut: one(takenOut), giveBack: one(givenBack), scrap: one(scrapped) },
      ...{ transfer, count },
    },
  })
  serve(app, sparePartCalls.setStatus, async ({ db, actor, request }) => {
    const { id, status } = request.params as { id: string; status: string }
    const row = await parts.find(db, actor, Number(id) || 0)
    if (!mtnComponent.fields.Status.of.some((of) => String(of) === status)) throw new Fault('invalid')
    const { Id, Status } = await parts.update(db, actor, row.Id, { Status: Number(status) })
    return { Id, Status: Status as number }
  })
  crud(app, mtnComponentStock)
  crud(app, mtnComponentRecord)
  crud(app, mtnStockDifference, { acts: { book, dismiss } })
  const { permission } = mtnComponentRecord
  const answer = page(schemas(mtnComponentRecord).row)
  lists(app, { path: '/Maintenance/MtnComponent/OrderComponet', permission, answer }, store(mtnComponentRecord).list, ['GET'])
  serve(app, sparePartCalls.sums, ({ db, actor, query }) => sums(db, actor, query))
  serve(app, sparePartCalls.proposals, ({ db, actor }) => proposals(db, actor))
  const compos = store(mtnComponentCompo, compoCheck, assertNothingIn)
  crud(app, mtnComponentCompo, { check: compoCheck as unknown as Check, own: { remove: compos.remove } })
  serve(app, sparePartCalls.ofDevice, ({ db, actor, query }) => partsOfDevice(db, actor, query.DeviceId))
}
