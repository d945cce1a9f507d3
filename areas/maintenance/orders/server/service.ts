// Creates, reads and counts orders.
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Answer, Body } from '../../../../contract/call.ts'
import type { Attachment } from '../../../../contract/field.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import { assertHolds } from '../../../../server/http/serve.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { toDo } from '../../../../server/identity/sight.ts'
import type { Listing } from '../../../../server/resource/list.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { type AssertUnused, type Check, store } from '../../../../server/resource/store.ts'
import { alarmInfo } from '../../../alarms/alarms/contract.ts'
import { acknowledge } from '../../../alarms/alarms/server/service.ts'
import { device as devices } from '../../../configuration/devices/contract.ts'
import { gateway as gateways } from '../../../configuration/gateways/contract.ts'
import { namedEquipment } from '../../equipment/server/service.ts'
import type { Item } from '../../job-sheets/contract.ts'
import { assertItems, type Live, readingsOf } from '../../job-sheets/server/service.ts'
import { mtnMaintenanceOrder, type orderCalls, type Stepped } from '../contract.ts'
import { allowedSteps, orderStatus, orderStatuses, type StepName } from '../steps.ts'
import { setClocks } from './clocks.ts'
import { attach, type Cause, causeColumns, openFor } from './open.ts'
import { standingOf, standingsOf } from './people.ts'
import { addHistory, type Given, newItems, orderNow, setOrder, takeStep } from './steps.ts'
import { text, timelineOf } from './timeline.ts'

const r = mtnMaintenanceOrder
type Values = Record<string, unknown>
const zoneOf = (actor: Actor) => actor.zone ?? actor.tenantZone

/** Takes the project from the machine; rejects a machine of another project. */
const check: Check = async (db, actor, given, held) => {
  if (held) return given
  const checked = await placed(db, actor, given)
  if (given.Items) await assertItems(db, actor, given.Items as Item[], checked.ProjectId)
  return checked
}
const placed = async (db: Db, actor: Actor, asked: Values) => {
  const named = asked.EquipmentId ? await namedEquipment(db, actor, asked) : undefined
  const given: Values = named?.DeviceId ? { ...asked, DeviceId: named.DeviceId } : asked
  const place = async (field: 'DeviceId' | 'GatewayId') => {
    if (!given[field]) return
    const of =
      field === 'DeviceId'
        ? sql`select g."ProjectId", t."GatewayId" from device t join gateway g on g."Id" = t."GatewayId" where t."Id" = ${given[field]} and ${visible(devices, actor)}`
        : sql`select t."ProjectId", t."Id" as "GatewayId" from gateway t where t."Id" = ${given[field]} and ${visible(gateways, actor)}`
    const [row] = await db.rows<{ ProjectId: number; GatewayId: number }>(of as never)
    if (!row) throw new FieldFaults([{ field, rule: 'unknownReference' }])
    return row
  }
  const [device, gateway] = [await place('DeviceId'), await place('GatewayId')]
  const of: { ProjectId: number; GatewayId?: number } | undefined = device ?? gateway ?? named
  const unlike = (field: string) => new FieldFaults([{ field, rule: 'unknownReference' }])
  if (device && gateway && device.GatewayId !== gateway.GatewayId) throw unlike('GatewayId')
  if (of && given.ProjectId && given.ProjectId !== of.ProjectId)
    throw unlike(asked.EquipmentId ? 'EquipmentId' : device ? 'DeviceId' : 'GatewayId')
  if (named && gateway && named.ProjectId !== gateway.ProjectId) throw unlike('EquipmentId')
  const ProjectId = (given.ProjectId as number | undefined) ?? of?.ProjectId
  if (!ProjectId) throw new FieldFaults([{ field: 'ProjectId', rule: 'required' }])
  return {
    ...given,
    ProjectId,
    ...(of?.GatewayId ? { GatewayId: of.GatewayId } : {}),
    EquipmentId: (named ?? (await namedEquipment(db, actor, given)))?.Id ?? null,
    ...(actor.UserId && !actor.platform ? { ReportUserId: actor.UserId } : {}),
  }
}

/** Only untouched orders can be deleted; others are cancelled with a reason. */
const assertUntouched: AssertUnused = async (db, _actor, rows) => {
  const ids = rows.map(({ Id }) => Id)
  const [begun] = await db.rows<{ OrderNo: string }>(sql`
    select "OrderNo" from mtn_maintenance_order o where "Id" = any(${ids}::bigint[])
      and ("Status" <> 0 or exists (select 1 from mtn_order_history h where h."OrderId" = o."Id" and h."Step" <> 'open')) limit 1`)
  if (begun) throw new Fault('wrongState', { title: begun.OrderNo })
  await db.rows(sql`update alarm_info set "OrderId" = null where "OrderId" = any(${ids}::bigint[])`)
  await db.rows(sql`delete from mtn_order_history where "OrderId" = any(${ids}::bigint[])`)
}
export const orders = store(r as never, check as never, assertUntouched) as unknown as ReturnType<typeof store<typeof r>>

export const create = (db: Db, actor: Actor, { AssignUserId, TeamId, DepartmentId, ...draft }: Values) =>
  db.tx(async (db) => {
    const order = await orders.create(db, actor, draft)
    await setClocks(db, order.Id)
    await addHistory(db, actor, { order, step: 'open', from: null, to: orderStatus.waiting, desc: order.FaultDesc })
    const whom = { UserId: AssignUserId, TeamId, DepartmentId } as Given
    if (AssignUserId || TeamId || DepartmentId) {
      assertHolds(actor, ['m10602.dispatch'])
      await takeStep(db, actor, order.Id, 'dispatch', whom)
    }
    return orders.find(db, actor, order.Id)
  })

/** The state changes through steps only. */
export const update = async (db: Db, actor: Actor, id: number, { Status, Items, ...change }: Values) => {
  const held = await orders.find(db, actor, id)
  if (Status !== undefined && Status !== held.Status)
    throw new FieldFaults([{ field: 'Status', rule: 'fault.wrongState', values: { title: held.OrderNo } }], 'wrongState', {
      title: held.OrderNo,
    })
  return db.tx(async (db) => {
    await orders.update(db, actor, id, change)
    if (Items !== undefined && !isDeepStrictEqual(Items, held.Items)) {
      const order = (await orderNow(db, actor, id, sql`for no key update of t`))!
      if (order.Status > orderStatus.suspended)
        throw new Fault('wrongState', { title: held.OrderNo }, { Current: { Status: order.Status } })
      await setOrder(db, actor, order, await newItems(db, actor, order, Items as Item[] | null))
    }
    if (change.PlanFinishTime !== undefined && change.PlanFinishTime !== held.PlanFinishTime)
      await db.rows(sql`update mtn_maintenance_order set "DueByClock" = 0 where "Id" = ${id}`)
    if (!held.IsClosed) await setClocks(db, id)
    return orders.find(db, actor, id)
  })
}

/** Restricts the scope to the caller's own orders. */
const asWorker = (actor: Actor): Actor => ({
  ...actor,
  platform: false,
  may: new Set([...actor.may].filter((code) => code !== r.permission)),
})

/** Open orders of the caller by due date; closed ones on request. */
export const mine = async (db: Db, actor: Actor, q: Listing) => {
  const asked = q.conditions.some((c) => 'Field' in c && (c.Field === 'Status' || c.Field === 'IsClosed'))
  const conditions = [...q.conditions, toDo(actor, 't'), ...(asked ? [] : [sql`"Status" not in (5, 6)`])]
  const page = await orders.list(db, asWorker(actor), { ...q, relation: 1, conditions, order: q.order ?? 'PlanFinishTime' })
  const standing = await standingsOf(
    db,
    actor,
    page.Items.map(({ Id }) => Id),
  )
  const Items = page.Items.map((order) => ({ ...order, Steps: allowedSteps(order, standing(order.Id)) }))
  return { ...page, Items }
}

type Last = Answer<typeof orderCalls.history>['Last'][number]
type Machine = { Id: number; EnterpriseId: number; DeviceId: number | null; EquipmentId: number | null }
/** The last other repairs of an order's machine. Upkeep of a whole project has none. */
export const lastOf = (actor: Actor, { Id, EnterpriseId, DeviceId, EquipmentId }: Machine) => {
  const machine =
    EquipmentId && !DeviceId
      ? sql`t."EquipmentId" = ${EquipmentId}`
      : sql`t."Machine" = coalesce('d' || ${DeviceId}::bigint, (select "Machine" from mtn_maintenance_order where "Id" = ${Id}))`
  return sql<Last>`
    select t."Id", t."OrderNo", t."Title", t."Status", coalesce(t."Solution", t."HandleDesc", '') as "Solution", ${text(actor, 't."ReportTime"')} as "ReportTime"
    from mtn_maintenance_order t where t."EnterpriseId" = ${EnterpriseId} and ${machine} and t."Id" <> ${Id} and ${visible(r, actor)} order by t."Id" desc limit 5`
}

/** Timeline of an order, last orders of its machine, and its alarms. */
export const history = async (db: Db, actor: Actor, id: number): Promise<Answer<typeof orderCalls.history>> => {
  const order = await orders.find(db, actor, id)
  const mayAlarms = actor.may.has(alarmInfo.permission)
  const [Last, Alarms] = await db.all([
    lastOf(actor, order),
    sql<Answer<typeof orderCalls.history>['Alarms'][number]>`
      select t."Id", t."RuleName", t."AlarmLevel", ${text(actor, 't."StartTime"')} as "StartTime", ${text(actor, 't."RecoverTime"')} as "RecoverTime", t."HandleStatus"
      from alarm_info t where t."OrderId" = ${id} and ${mayAlarms} and ${visible(alarmInfo, actor)} order by t."Id" desc limit 20`,
  ])
  return { Steps: allowedSteps(order, await standingOf(db, actor, order)), History: await timelineOf(db, actor, id), Last, Alarms }
}
export const readings = async (db: Db, actor: Actor, id: number, live: Live | undefined) =>
  readingsOf(db, live, await orders.find(db, actor, id))

/** Visible orders for the dashboard card. */
export const statistics = async (db: Db, actor: Actor): Promise<Answer<typeof orderCalls.statistics>> => {
  const zone = zoneOf(actor)
  const isOpen = sql`"Status" not in (5, 6)`
  const today = sql`(now() at time zone ${zone}::text)::date`
  const [byState, sums] = await db.all([
    sql<{ Status: number; Count: number }>`
      select "Status", count(*)::int as "Count" from mtn_maintenance_order t where ${visible(r, actor)} group by 1`,
    sql<{ MineCount: number; Overdue: number; DueToday: number; OnTime: number | null }>`
      select count(*) filter (where ${isOpen} and ${toDo(actor, 't')})::int as "MineCount",
        count(*) filter (where ${isOpen} and "PlanFinishTime" < now())::int as "Overdue",
        count(*) filter (where ${isOpen} and ("PlanFinishTime" at time zone ${zone}::text)::date = ${today})::int as "DueToday",
        round(100.0 * count(*) filter (where "FinishTime" <= "PlanFinishTime") / nullif(count(*) filter (where "PlanFinishTime" is not null and "FinishTime" > now() - interval '30 days'), 0), 1)::float8 as "OnTime"
      from mtn_maintenance_order t where ${visible(r, actor)} and (${isOpen} or "FinishTime" > now() - interval '30 days')`,
  ])
  const Items = orderStatuses.map((Status) => ({ Status, Count: byState.find((row) => row.Status === Status)?.Count ?? 0 }))
  const sum = (keep: (status: number) => boolean) => Items.reduce((n, { Status, Count }) => n + (keep(Status) ? Count : 0), 0)
  return { TotalCount: sum(() => true), Items, OpenCount: sum((s) => s !== orderStatus.done && s !== orderStatus.cancelled), ...sums[0]! }
}

/** Opens an order for an alarm on behalf of a user: acknowledges the alarm and assigns the order if the user's rights allow it. */
export const fromAlarm = (
  db: Db,
  actor: Actor,
  { AlmInfoId, UserId, TeamId, DepartmentId, ...wanted }: Body<typeof orderCalls.fromAlarm>,
) =>
  db.tx(async (db) => {
    const [cause] = await db.rows<Cause>(sql`
      select ${causeColumns} from alarm_info a join enterprise e on e."Id" = a."EnterpriseId" where a."Id" = ${AlmInfoId} and ${visible(alarmInfo, actor, 'a')} for no key update of a`)
    if (!cause) throw new FieldFaults([{ field: 'AlmInfoId', rule: 'unknownReference' }])
    if (!cause.ProjectId) throw new FieldFaults([{ field: 'AlmInfoId', rule: 'fault.field.orderNoProject' }])
    const { Id, isNew } = await openFor(db, cause, { ...wanted, ReportUserId: actor.UserId })
    const Attached = await attach(db, Id, [AlmInfoId])
    if (actor.may.has('m10201.acknowledge')) await acknowledge(db, actor, [AlmInfoId])
    if (isNew && (UserId || TeamId || DepartmentId)) {
      assertHolds(actor, ['m10602.dispatch'])
      await takeStep(db, actor, Id, 'dispatch', { UserId, TeamId, DepartmentId })
      if (UserId && actor.may.has('m10201.assign'))
        await db.rows(sql`update alarm_info set "AssigneeId" = ${UserId}, "UpdateTime" = now() where "Id" = ${AlmInfoId}`)
    }
    const [order] = await db.rows<{ OrderNo: string }>(sql`select "OrderNo" from mtn_maintenance_order where "Id" = ${Id}`)
    return { Id, OrderNo: order!.OrderNo, Attached }
  })

/** Resolves a comma-separated list of stored file names, with or without extension, or `-`. */
export const filesOfPath = async (db: Db, actor: Actor, list: string): Promise<Attachment[]> => {
  const names = list === '-' ? [] : list.split(',').map((name) => name.trim().toLowerCase())
  if (names.length > 10 || names.some((name) => !/^([0-9a-f]{32})(\.\w{1,5})?$/.test(name)))
    throw new FieldFaults([{ field: 'attach', rule: 'unknownReference' }])
  if (!names.length) return []
  const rows = await db.rows<{ Key: string; FileName: string }>(sql`
    select "Key", "FileName" from stored_file where "UserId" = ${actor.UserId} and "RecordId" is null
      and regexp_replace("Key", '^.*/([0-9a-f]{32}).*$', '\\1') = any(${names.map((name) => name.slice(0, 32))}::text[])`)
  if (rows.length < names.length) throw new FieldFaults([{ field: 'attach', rule: 'unknownReference' }])
  return rows.map(({ Key, FileName }) => ({ FilePath: `files/${Key}`, FileName }))
}

/** Access to upkeep orders and rounds. Undefined for an unknown or invisible Id. */
export type Planned = {
  step(db: Db, actor: Actor, step: StepName, id: number, given: Given): Promise<Stepped | undefined>
  history(db: Db, actor: Actor, id: number): Promise<Answer<typeof orderCalls.history> | undefined>
  readings(db: Db, actor: Actor, id: number): Promise<Answer<typeof orderCalls.readings> | undefined>
}

/** Hands orders of any kind to one person, all or none. */
export const handOver = (db: Db, actor: Actor, { OrderIds, ...given }: Body<typeof orderCalls.handOver>, planned?: Planned) =>
  db.tx(async (db) => {
    const ids = [...new Set(OrderIds)].toSorted((a, b) => a - b)
    for (const id of ids) (await planned?.step(db, actor, 'handOver', id, given)) ?? (await takeStep(db, actor, id, 'handOver', given))
    return { Changed: ids.length }
  })

/** Current state of an order, for a step named by its target state. */
export const statusOf = async (db: Db, actor: Actor, id: number): Promise<number> => {
  const [order] = await db.rows<{ Status: number }>(
    sql`select "Status" from mtn_maintenance_order t where "Id" = ${id} and ${visible(r, actor)}`,
  )
  if (!order) throw notFound()
  return order.Status
}
export { setClocks } from './clocks.ts'
export { endWork } from './labor.ts'
export { attach, type Cause, causeColumns, openFor, pairOf } from './open.ts'
export { openPast, type PastStep } from './past.ts'
export { receiverOf } from './people.ts'
export { verifyDue } from './proof.ts'
export { addHistory, type Given, type Late, type Order, orderNow, takeStep, wasSent } from './steps.ts'
export { BizType } from './tell.ts'
export { timelineOf } from './timeline.ts'
export { describePart, movePart, orderColumnOf } from './work.ts'
export type { StepName }
