// Work on upkeep orders: start, finish with results, cancel with a reason.
import { sql } from 'kysely'
import type { Body } from '../../../../contract/call.ts'
import type { Attachment } from '../../../../contract/field.ts'
import type { Row } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { sentKey } from '../../../../server/http/clientKey.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { ofTeam, toDo } from '../../../../server/identity/sight.ts'
import { giveFiles, namedFiles } from '../../../../server/resource/attachments.ts'
import { readListing } from '../../../../server/resource/list.ts'
import { columns, table, visible } from '../../../../server/resource/sql.ts'
import { type AssertUnused, type Check, record, store } from '../../../../server/resource/store.ts'
import { notify } from '../../../system/notices/server/service.ts'
import { namedEquipment } from '../../equipment/server/service.ts'
import type { Result } from '../../job-sheets/contract.ts'
import {
  type CopyFile,
  copies,
  itemsOf,
  type Live,
  photosOf,
  readingsOf,
  resultsOf,
  takeResults,
  withoutReads,
} from '../../job-sheets/server/service.ts'
import { myOrders } from '../../orders/contract.ts'
import {
  addHistory,
  BizType,
  create as createOrder,
  endWork,
  type Given,
  type Late,
  receiverOf,
  timelineOf,
  wasSent,
} from '../../orders/server/service.ts'
import type { mtnUpKeepOrder, upkeepCalls } from '../contract.ts'
import type { Kind } from './kind.ts'
import { goOn } from './making.ts'

export type Order = Row<typeof mtnUpKeepOrder>

/** The machine must belong to the order's project; the due time must be after the start. */
const check: Check<typeof mtnUpKeepOrder> = async (db, actor, given, held) => {
  const [PlanTime, DueTime] = [given.PlanTime ?? held?.PlanTime, given.DueTime ?? held?.DueTime]
  if (String(DueTime) < String(PlanTime)) throw new FieldFaults([{ field: 'DueTime', rule: 'fault.field.dueBefore' }])
  if (held) return given
  const machine = await namedEquipment(db, actor, given)
  if (!machine) return given
  if (machine.ProjectId !== given.ProjectId)
    throw new FieldFaults([{ field: given.EquipmentId ? 'EquipmentId' : 'DeviceId', rule: 'unknownReference' }])
  return { ...given, EquipmentId: machine.Id, DeviceId: machine.DeviceId }
}
/** Only orders without any step can be deleted. */
const assertUntouched =
  (kind: Kind): AssertUnused =>
  async (db, _actor, rows) => {
    const ids = rows.map(({ Id }) => Id)
    const [begun] = await db.rows<{ OrderNo: string }>(
      sql`select "OrderNo" from ${table(kind.order)} o where "Id" = any(${ids}::bigint[])
        and ("Status" <> 0 or exists (select 1 from mtn_order_labor l where l."OrderId" = o."Id")) limit 1`,
    )
    if (begun) throw new Fault('wrongState', { title: begun.OrderNo })
    await db.rows(sql`delete from mtn_order_part where "OrderId" = any(${ids}::bigint[])`)
  }
export const ordersOf = (kind: Kind) => store(kind.order, check, assertUntouched(kind))

export const orderNow = async (kind: Kind, db: Db, actor: Actor, id: number, lock = sql``) =>
  (
    await db.rows<Order>(
      sql`select ${columns(kind.order, actor)} from ${table(kind.order)} t where "Id" = ${id} and ${visible(kind.order, actor)} ${lock}`,
    )
  )[0]

/** Whether the actor works on the order: the assignee, or without one, a team member or anybody with the permission. */
export const isWorker = async (kind: Kind, db: Db, actor: Actor, order: Order) => {
  if (order.AssignUserId) return order.AssignUserId === actor.UserId
  if (!order.TeamId) return true
  const [row] = await db.rows<{ is: boolean }>(
    sql`select coalesce(${ofTeam(actor, 't')}, false) as is from ${table(kind.order)} t where "Id" = ${order.Id}`,
  )
  return row!.is
}

const mostMine = 100
/** Open orders of the actor, by due date. */
export const mine = async (kind: Kind, db: Db, actor: Actor) => {
  const listing = readListing({ PageSize: mostMine, OrderColumn: 'DueTime' })
  const conditions = [...listing.conditions, toDo(actor, 't'), sql`"Status" in (0, 1)`]
  const { Items } = await ordersOf(kind).list(db, actor, { ...listing, conditions })
  return { Items }
}

/** Reporting a fault needs no permission to see repair orders. */
const asPlanner = (actor: Actor): Actor => ({ ...actor, may: new Set([...actor.may, 'm10602']) })

/** The order's machine, by equipment if it still exists. */
const machineOf = ({ EquipmentId, DeviceId, ...of }: Order) =>
  EquipmentId && (of as { EquipmentName?: unknown }).EquipmentName ? { EquipmentId } : DeviceId ? { DeviceId } : {}
/** The order and its failed item with the result. */
const failedOf = async (kind: Kind, db: Db, actor: Actor, { OrderId, Item }: Body<typeof upkeepCalls.repair>, lock = sql``) => {
  const order = await orderNow(kind, db, actor, OrderId, lock)
  if (!order) throw notFound()
  const item = itemsOf(order)[Item]
  const result = resultsOf(order).find((one) => one.Item === Item)
  if (!item || !result || result.IsOk) throw new FieldFaults([{ field: 'Item', rule: 'unknownReference' }])
  const [opened] = await db.rows<{ Id: number; OrderNo: string }>(sql`
    select o."Id", o."OrderNo" from mtn_order_history h join mtn_maintenance_order o on o."Id" = h."TargetId"
    where h."OrderId" = ${OrderId} and h."Step" = 'repair' and h."Target" = ${String(Item)}`)
  return { order, item, result, opened }
}
/** Opens a repair order for a failed item, once per item, with its value and photos. */
export const repair = async (kind: Kind, db: Db, actor: Actor, body: Body<typeof upkeepCalls.repair>, copy?: CopyFile) => {
  const before = await failedOf(kind, db, actor, body)
  if (before.opened) return before.opened
  const Files = await copies(copy, actor, photosOf([before.result]))
  return db.tx(async (db) => {
    const { order, item, result, opened } = await failedOf(kind, db, actor, body, sql`for no key update of t`)
    if (opened) return opened
    const value = result.Value === null || item.ValueType === 1 ? '' : `${result.Value} ${item.Unit ?? ''}`.trim()
    const { Id, OrderNo } = await createOrder(db, asPlanner(actor), {
      ...{ Title: item.ItemName.slice(0, 60), ProjectId: order.ProjectId },
      FaultDesc: [order.OrderNo, value, result.Reason, result.Desc].filter(Boolean).join(': ').slice(0, 500),
      ...machineOf(order),
      ...(Files.length && { Files }),
    })
    await db.rows(sql`update mtn_maintenance_order set "Source" = ${kind.source} where "Id" = ${Id}`)
    const target = { Id, Name: String(body.Item) }
    await addHistory(db, actor, { order, step: 'repair', from: order.Status, to: order.Status, target, desc: OrderNo })
    return { Id, OrderNo }
  })
}

/** Readings for the checklist, and the timeline, of a visible order. */
export const readings = async (kind: Kind, db: Db, actor: Actor, id: number, live: Live | undefined) => {
  const order = await orderNow(kind, db, actor, id)
  if (!order) throw notFound()
  return readingsOf(db, live, order)
}
export const history = async (kind: Kind, db: Db, actor: Actor, id: number) => {
  if (!(await orderNow(kind, db, actor, id))) throw notFound()
  return { History: await timelineOf(db, actor, id) }
}

type Step = 'start' | 'finish' | 'cancel' | 'handOver' | 'takeOver' | 'declineOver'
const passing = { handOver: [0, 1], takeOver: [0, 1], declineOver: [0, 1] }
export const from: Readonly<Record<Step, readonly number[]>> = { start: [0], finish: [0, 1, 4], cancel: [0, 1], ...passing }
type Taken = {
  set: ReturnType<typeof sql>
  to: number
  target?: { Id: number; Name: string }
  desc?: string | undefined
  files?: readonly Attachment[]
}

type Sent = { given: { ClientKey?: string | undefined; Results?: readonly Result[] | undefined }; late?: Late | undefined }
const take = (
  kind: Kind,
  db: Db,
  actor: Actor,
  id: number,
  step: Step,
  { given, late }: Sent,
  work: (db: Db, order: Order) => Promise<Taken>,
) =>
  db.tx(async (db) => {
    const order = await orderNow(kind, db, actor, id, sql`for no key update of t`)
    if (!order) throw notFound()
    const key = sentKey(step, withoutReads(given))
    if (await wasSent(db, actor, id, key)) return order
    if (!from[step].includes(order.Status)) throw new Fault('wrongState', { title: order.OrderNo }, { Current: { Status: order.Status } })
    const receives = step === 'takeOver' || step === 'declineOver'
    if (receives ? order.HandOverUserId !== actor.UserId : step !== 'cancel' && !(await isWorker(kind, db, actor, order)))
      throw new Fault('orderOthers', { title: order.OrderNo })
    const { set, to, desc, files = [], target } = await work(db, order)
    await giveFiles(db, { resource: kind.order.name, id, permission: myOrders }, files)
    await addHistory(db, actor, { order, step, from: order.Status, to, target, desc, files, key, late })
    await db.rows(sql`update ${table(kind.order)} set "Status" = ${to}, "UpdateTime" = now(), ${set} where "Id" = ${id}`)
    if (step === 'finish' || step === 'cancel') await endWork(db, [id], true, late?.time, kind.order)
    const after = (await orderNow(kind, db, actor, id)) ?? order
    await record(db, actor, kind.order, 'update', id, order.EnterpriseId, order, after)
    return after
  })

const tellOf = (kind: Kind, db: Db, { Id, EnterpriseId, ProjectId, OrderNo, Title }: Order, Wording: string, person: number) =>
  notify(db, {
    ...{ EnterpriseId, BizType, Wording, WordValues: { OrderNo, Title }, Source: `order/${Id}/${Wording}/${Date.now()}` },
    ...{ UserIds: [person], ObjectType: kind.order.name, ObjectId: Id, ProjectId },
  })

/** Offers an order to a person with access to it. */
export const handOver = (kind: Kind, db: Db, actor: Actor, { OrderId, ...given }: Body<typeof upkeepCalls.handOver>) =>
  take(kind, db, actor, OrderId, 'handOver', { given }, async (db, order) => {
    const target = await receiverOf(db, actor, order, { UserId: given.UserId })
    await tellOf(kind, db, order, 'orderHandedOver', target.Id)
    return { set: sql`"HandOverUserId" = ${target.Id}`, to: order.Status, desc: given.Desc, target }
  })
/** Accepts or declines a hand-over. */
export const answerOver = (kind: Kind, db: Db, actor: Actor, { OrderId, ...given }: Body<typeof upkeepCalls.takeOver>, takes: boolean) =>
  take(kind, db, actor, OrderId, takes ? 'takeOver' : 'declineOver', { given }, async (db, order) => {
    if (!takes && order.AssignUserId) await tellOf(kind, db, order, 'orderDeclined', order.AssignUserId)
    return { set: takes ? sql`"AssignUserId" = ${actor.UserId}, "HandOverUserId" = null` : sql`"HandOverUserId" = null`, to: order.Status }
  })

export const start = (kind: Kind, db: Db, actor: Actor, { OrderId, ...given }: Body<typeof upkeepCalls.start>, now: number, late?: Late) =>
  take(kind, db, actor, OrderId, 'start', { given, late }, async () => ({
    set: sql`"StartTime" = ${new Date(now)}::timestamptz, "ExecUserId" = ${actor.UserId}, "AssignUserId" = coalesce("AssignUserId", ${actor.UserId})`,
    to: 1,
  }))

export const cancel = (kind: Kind, db: Db, actor: Actor, { OrderId, ...given }: Body<typeof upkeepCalls.cancel>, now: number) =>
  db.tx(async (db) => {
    const { Desc } = given
    if (!Desc.trim()) throw new FieldFaults([{ field: 'Desc', rule: 'required' }])
    const after = await take(kind, db, actor, OrderId, 'cancel', { given }, async () => ({
      set: sql`"HandleDesc" = ${Desc}`,
      to: 5,
      desc: Desc,
    }))
    if (after.PlanId) await goOn(kind, db, after.PlanId, now)
    return after
  })

export const finish = (
  kind: Kind,
  db: Db,
  actor: Actor,
  { OrderId, ...given }: Body<typeof upkeepCalls.finish>,
  now: number,
  late?: Late,
) =>
  db.tx(async (db) => {
    const { Results, Desc = '', Files } = given
    const after = await take(kind, db, actor, OrderId, 'finish', { given, late }, async (db, order) => {
      if (!itemsOf(order).length && !Desc.trim()) throw new FieldFaults([{ field: 'Desc', rule: 'required' }])
      const found = await takeResults(db, actor, order, { results: Results, files: Files })
      const ending = await kind.ending?.(db, order, new Date(now), actor)
      const abnormal = found.abnormal + (ending?.abnormal ?? 0)
      const [late] = await db.rows<{ late: boolean }>(
        sql`select "DueTime" < ${new Date(now)}::timestamptz as late from ${table(kind.order)} where "Id" = ${OrderId}`,
      )
      const set = sql`"FinishTime" = ${new Date(now)}::timestamptz, "StartTime" = coalesce("StartTime", ${new Date(now)}::timestamptz), "ExecUserId" = ${actor.UserId},
        "Results" = ${JSON.stringify(found.results)}::jsonb, "AbnormalCount" = ${abnormal}, "HandleDesc" = ${Desc || null}, "HandleAttach" = ${JSON.stringify(found.given)}::jsonb${ending ? sql`, ${ending.set}` : sql``}`
      return { set, to: late!.late ? 3 : 2, desc: Desc, files: found.files }
    })
    if (after.PlanId) await goOn(kind, db, after.PlanId, now)
    return after
  })

/** Comments require only read access, in any state. */
export const comment = (kind: Kind, db: Db, actor: Actor, id: number, given: Given) =>
  db.tx(async (db) => {
    const order = await orderNow(kind, db, actor, id, sql`for no key update of t`)
    if (!order) throw notFound()
    const key = sentKey('comment', given)
    if (await wasSent(db, actor, id, key)) return order
    const [desc, files] = [given.Desc?.trim(), given.Files ?? []]
    if (!desc) throw new FieldFaults([{ field: 'Desc', rule: 'required' }])
    await giveFiles(
      db,
      { resource: kind.order.name, id, permission: myOrders },
      await namedFiles(db, actor, files, { field: 'Files', enterprise: order.EnterpriseId }),
    )
    await addHistory(db, actor, { order, step: 'comment', from: order.Status, to: order.Status, desc, files, key })
    db.emit({ resource: kind.order.name, id, verb: 'update', EnterpriseId: order.EnterpriseId, ProjectId: order.ProjectId })
    return order
  })
