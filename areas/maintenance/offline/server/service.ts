// Applies steps that a phone queued offline at their own time, stores them as comments, or refuses them.
import { sql } from 'kysely'
import type { Answer } from '../../../../contract/call.ts'
import type { Resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { contentHash } from '../../../../server/http/clientKey.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { giveFiles, namedFiles } from '../../../../server/resource/attachments.ts'
import { type Sql, table } from '../../../../server/resource/sql.ts'
import { notify } from '../../../system/notices/server/service.ts'
import { lineOf } from '../../job-sheets/contract.ts'
import { itemsOf, type Live, photosOf, provenResults, withoutReads } from '../../job-sheets/server/service.ts'
import { mtnMaintenanceOrder, myOrders } from '../../orders/contract.ts'
import {
  addHistory,
  BizType,
  describePart,
  type Late,
  movePart,
  type Order,
  orderColumnOf,
  orderNow,
  takeStep,
} from '../../orders/server/service.ts'
import type { StepName } from '../../orders/steps.ts'
import { patrol, visit } from '../../patrols/server/service.ts'
import { mtnStockDifference } from '../../spare-parts/contract.ts'
import { inThousandths, noteDifference } from '../../spare-parts/server/service.ts'
import { finish, type Kind, start, upkeep } from '../../upkeep/server/service.ts'
import { clockNoted, type LateStep, type offlineCalls } from '../contract.ts'

type Taken = Answer<typeof offlineCalls.lateStep>
const kinds: readonly Kind[] = [upkeep, patrol]
const repairSteps: ReadonlySet<string> = new Set<StepName>([
  ...(['accept', 'arrive', 'refuse', 'suspend', 'resume', 'finish', 'comment', 'takeOver', 'declineOver'] as const),
])

/** Earliest time of a step of a planned order, which may have no history: its due or creation time, for a round after the previous one. */
const floorOf = ({ order, source }: Kind, id: number): Sql => sql`
  select greatest(least(o."PlanTime", o."ReportTime"), ${
    source === 3
      ? sql`(select max(b."FinishTime") from ${table(order)} b where b."PlanId" = o."PlanId" and b."PlanTime" < o."PlanTime")`
      : sql`null`
  }::timestamptz) from ${table(order)} o where o."Id" = ${id}`
/** `asked`: time of the step according to the phone, before bounds are applied. */
type Timed = Late & { asked: Date }
/** Time of the step by the server's clock: not before the previous step, not after arrival. */
const lateOf = async (db: Db, { OrderId, TakenAt, SentAt }: LateStep, now: number, kind?: Kind): Promise<Timed> => {
  const off = now - SentAt
  const [row] = await db.rows<{ last: Date | null }>(sql`
    select date_trunc('milliseconds', greatest((select max("Time") from mtn_order_history where "OrderId" = ${OrderId}),
      ${kind ? sql`(${floorOf(kind, OrderId)})` : sql`null::timestamptz`}) + interval '999 microseconds') as last`)
  const asked = Math.min(now, TakenAt + off)
  const time = Math.max(asked, row?.last ? new Date(row.last).getTime() : 0)
  const seconds = Math.round(off / 1000)
  const clockOff = Math.abs(seconds) > clockNoted ? clamp(seconds) : null
  return { time: new Date(time), asked: new Date(Math.max(asked, 0)), received: new Date(now), clockOff }
}
const clamp = (seconds: number) => Math.max(-2_147_483_648, Math.min(2_147_483_647, seconds))

/** Whether the person was the assignee at a time, according to the history. */
const heldAt = async (db: Db, actor: Actor, id: number, at: Date): Promise<boolean> => {
  const [last] = await db.rows<{ held: boolean }>(sql`
    select case h."Step" when 'dispatch' then h."TargetField" = 'AssignUserId' and h."TargetId" = ${actor.UserId}
      when 'refuse' then false else h."UserId" = ${actor.UserId} end as held
    from mtn_order_history h where h."OrderId" = ${id} and h."Step" in ('dispatch', 'accept', 'takeOver', 'refuse') and h."Time" <= ${at}
    order by h."Time" desc, h."Id" desc limit 1`)
  return last?.held ?? false
}

/** Permission of the people who are notified of stock differences. */
const stockKeeper = `${mtnStockDifference.permission}.settle`

/** Errors that mean the order has changed since the step was taken. */
const overtaken: ReadonlySet<string> = new Set(['wrongState', 'orderOthers', 'notFound', 'forbidden'])

type Commented = Pick<Order, 'Id' | 'EnterpriseId' | 'OrderNo' | 'Title' | 'Status' | 'AssignUserId'> & {
  ProjectId: number | null
  Items: unknown
}
/** Records a late step with its results in the timeline and notifies both people. */
const asComment = async (
  db: Db,
  actor: Actor,
  of: Resource,
  order: Commented,
  body: LateStep,
  late: Late,
  said?: string,
): Promise<Taken> => {
  const { Step, Desc, Files = [], Results = [], ClientKey, Solution, CardNo } = body
  const files = await namedFiles(db, actor, [...Files, ...photosOf(Results)], { field: 'Files', enterprise: order.EnterpriseId })
  await giveFiles(db, { resource: of.name, id: order.Id, permission: myOrders }, files)
  const items = itemsOf(order)
  const found = Results.flatMap((result) => (items[result.Item] ? [lineOf(items[result.Item]!, result)] : []))
  const desc = [said, Desc?.trim(), Solution?.trim(), CardNo, ...found].filter(Boolean).join('\n').slice(0, 1000)
  const key = { ClientKey, Hash: hashOf(body) }
  const step = { order, step: 'comment', from: order.Status, to: order.Status, desc, files, key, late, meant: Step }
  const entry = await addHistory(db, actor, step)
  const { Id, EnterpriseId, ProjectId, OrderNo, Title } = order
  await notify(db, {
    ...{ EnterpriseId, BizType, Wording: 'orderLate', WordValues: { OrderNo, Title }, Source: `order/${Id}/${entry}`, ProjectId },
    ...{ UserIds: [...new Set([actor.UserId, order.AssignUserId ?? actor.UserId])], ObjectType: of.name, ObjectId: Id },
  })
  db.emit({ resource: of.name, id: Id, verb: 'update', EnterpriseId, ProjectId })
  return { Applied: 0, Status: order.Status }
}

const givenOf = ({
  OrderId: _,
  TakenAt,
  SentAt,
  Version,
  CardNo,
  Way,
  Longitude,
  Latitude,
  ComponentId,
  PlaceId,
  Qty,
  ...given
}: LateStep) => {
  const { Step, ...rest } = given
  // A part applies to its own step only.
  return Step === 'part' ? { ...rest, ComponentId, PlaceId, Qty } : rest
}
const hashOf = (body: LateStep) => contentHash(body.Step, withoutReads(givenOf(body)))

type PartTaken = Parameters<typeof movePart>[2]
const partOf = ({ OrderId, ComponentId, PlaceId, Qty, ClientKey }: LateStep): PartTaken => {
  const missing = Object.entries({ ComponentId, PlaceId, Qty }).flatMap(([field, of]) => (of === undefined ? [field] : []))
  if (missing.length) throw new FieldFaults(missing.map((field) => ({ field, rule: 'required' })))
  return { OrderId, ComponentId: ComponentId!, PlaceId: PlaceId!, Qty: Qty!, ClientKey }
}
const isShort = (error: unknown) => error instanceof FieldFaults && error.fields.some(({ rule }) => rule === 'stockShort')

/** The quantity exceeds the stock: leaves the stock unchanged and records a difference for the store keeper. */
const asDifference = async (
  db: Db,
  actor: Actor,
  { of, order }: PartOrder,
  part: PartTaken,
  body: LateStep,
  late: Late,
): Promise<Taken> => {
  const { Id, EnterpriseId, ProjectId, OrderNo, Title, Status } = order
  const { text, PlaceName, Qty, Unit } = await describePart(db, actor, order, part)
  const { ComponentId, PlaceId } = part
  const taken = { EnterpriseId, ComponentId, PlaceId, Qty: inThousandths(part.Qty), StockQty: Qty, time: late.time }
  const difference = await noteDifference(db, actor, { ...taken, [orderColumnOf(of)]: Id })
  const key = { ClientKey: body.ClientKey, Hash: hashOf(body) }
  const entry = await addHistory(db, actor, { order, step: 'comment', from: Status, to: Status, desc: text, key, late, meant: 'part' })
  await notify(db, {
    ...{ EnterpriseId, BizType, Wording: 'stockDifference', Source: `order/${Id}/${entry}`, Permission: stockKeeper },
    WordValues: { Part: text, PlaceName, StockQty: Qty, Unit, OrderNo, Title },
    ...{ ObjectType: mtnStockDifference.name, ObjectId: difference },
  })
  db.emit({ resource: of.name, id: Id, verb: 'update', EnterpriseId, ProjectId })
  return { Applied: 0, Status }
}

/** `held`: whether the person was the assignee at a time. */
type PartOrder = { of: Resource; order: Commented; held: (at: Date) => Promise<boolean> }
const takePart = async (db: Db, actor: Actor, { of, order, held }: PartOrder, body: LateStep, late: Timed): Promise<Taken> => {
  const part = partOf(body)
  try {
    await movePart(db, actor, part, { late })
    return { Applied: 1, Status: order.Status }
  } catch (error) {
    if (isShort(error)) return asDifference(db, actor, { of, order, held }, part, body, late)
    if (!(await isOvertaken(error, late, held))) throw error
    const { text } = await describePart(db, actor, order, part)
    return asComment(db, actor, of, order, body, late, text)
  }
}

/** The order has changed since the step, and the person was the assignee at that time. */
const isOvertaken = async (error: unknown, late: Timed, held: PartOrder['held']) =>
  error instanceof Fault && overtaken.has(error.key) && (await held(late.asked))

const lateRepair = async (db: Db, actor: Actor, order: Order, body: LateStep, late: Timed): Promise<Taken> => {
  const step = body.Step as StepName
  if (body.Step !== 'part' && !repairSteps.has(step)) throw new FieldFaults([{ field: 'Step', rule: 'choice' }])
  const given = givenOf(body)
  const [sent] = await db.rows<{ Hash: string; Meant: string | null }>(sql`
    select "Hash", "Meant" from mtn_order_history where "OrderId" = ${order.Id} and "UserId" = ${actor.UserId} and "ClientKey" = ${body.ClientKey}`)
  if (sent?.Meant && sent.Hash === hashOf(body)) return { Applied: 0, Status: order.Status }
  const held = (at: Date) => heldAt(db, actor, order.Id, at)
  if (body.Step === 'part') return takePart(db, actor, { of: mtnMaintenanceOrder, order, held }, body, late)
  try {
    return { Applied: 1, Status: (await takeStep(db, actor, order.Id, step, given, late)).Status }
  } catch (error) {
    if (!(await isOvertaken(error, late, held))) throw error
    return asComment(db, actor, mtnMaintenanceOrder, order, body, late)
  }
}

const takePlanned = async (db: Db, actor: Actor, kind: Kind, body: LateStep, late: Late) => {
  const { Step, OrderId, Results = [], Desc, Files, ClientKey, CardNo, Way, Longitude = null, Latitude = null } = body
  const at = late.time.getTime()
  if (Step === 'visit') {
    if (!CardNo) throw new FieldFaults([{ field: 'CardNo', rule: 'required' }])
    await visit(db, actor, { OrderId, CardNo, ClientKey, Longitude, Latitude, DeviceTime: body.TakenAt, ...(Way && { Way }) }, at)
  } else if (Step === 'start') await start(kind, db, actor, { OrderId, ClientKey }, at, late)
  else if (Step === 'finish')
    await finish(kind, db, actor, { OrderId, Results, ClientKey, ...(Desc && { Desc }), ...(Files && { Files }) }, at, late)
  else throw new FieldFaults([{ field: 'Step', rule: 'choice' }])
}

/** Whether the person was the assignee at a time: still is, or was the last to start it or take it over. */
const heldPlannedAt = async (db: Db, actor: Actor, order: Commented, at: Date) => {
  if (order.AssignUserId === actor.UserId) return true
  const [last] = await db.rows<{ UserId: number | null }>(sql`
    select "UserId" from mtn_order_history where "OrderId" = ${order.Id} and "Step" in ('start', 'takeOver') and "Time" <= ${at} order by "Time" desc, "Id" desc limit 1`)
  return last?.UserId === actor.UserId
}

const latePlanned = async (db: Db, actor: Actor, kind: Kind, body: LateStep, late: Timed): Promise<Taken> => {
  const { OrderId, ClientKey } = body
  const now = async () =>
    (
      await db.rows<Commented>(sql`
      select "Id", "EnterpriseId", "OrderNo", "Title", "Status", "AssignUserId", "ProjectId", "Items" from ${table(kind.order)} where "Id" = ${OrderId}`)
    )[0]!
  const [sent] = await db.rows<{ Hash: string }>(sql`
    select "Hash" from mtn_order_history where "OrderId" = ${OrderId} and "UserId" = ${actor.UserId} and "ClientKey" = ${ClientKey} and "Meant" is not null`)
  if (sent?.Hash === hashOf(body)) return { Applied: 0, Status: (await now()).Status }
  if (body.Step === 'part') {
    const order = await now()
    return takePart(db, actor, { of: kind.order, order, held: (at) => heldPlannedAt(db, actor, order, at) }, body, late)
  }
  try {
    await takePlanned(db, actor, kind, body, late)
    return { Applied: 1, Status: (await now()).Status }
  } catch (error) {
    const order = await now()
    if (!(await isOvertaken(error, late, (at) => heldPlannedAt(db, actor, order, at)))) throw error
    return asComment(db, actor, kind.order, order, body, late)
  }
}

/** Applies a step of any kind of order, once per ClientKey. */
export const lateStep = (db: Db, actor: Actor, body: LateStep, now: number): Promise<Taken> =>
  db.tx(async (db) => {
    const order = await orderNow(db, actor, body.OrderId, sql`for no key update of t`)
    if (order) return lateRepair(db, actor, order, body, await lateOf(db, body, now))
    for (const kind of kinds) {
      const [row] = await db.rows(sql`select 1 from ${table(kind.order)} where "Id" = ${body.OrderId}`)
      if (row) return latePlanned(db, actor, kind, body, await lateOf(db, body, now, kind))
    }
    throw notFound()
  }, `${mtnMaintenanceOrder.name} ${body.OrderId}`)

/** Replaces the step's readings by the stored ones. */
export const withProof = async (db: Db, live: Live | undefined, body: LateStep): Promise<LateStep> => {
  let { Results } = body
  if (!Results) return body
  for (const order of [mtnMaintenanceOrder, ...kinds.map(({ order }) => order)]) {
    const [row] = await db.rows(sql`select 1 from ${table(order)} where "Id" = ${body.OrderId}`)
    if (row) Results = await provenResults(db, live, order, body.OrderId, Results)
  }
  return { ...body, Results }
}
