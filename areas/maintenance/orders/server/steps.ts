// Applies the steps of an order. Each changes the order and writes one history row in one transaction.
import { sql } from 'kysely'
import type { Attachment } from '../../../../contract/field.ts'
import type { Row } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { type SentKey, sentKey } from '../../../../server/http/clientKey.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { giveFiles } from '../../../../server/resource/attachments.ts'
import { readSettings } from '../../../../server/resource/settings.ts'
import { columns, momentOf, type Sql, visible } from '../../../../server/resource/sql.ts'
import { record } from '../../../../server/resource/store.ts'
import type { Item } from '../../job-sheets/contract.ts'
import { assertItems, keptResults, resultsOf, takeResults, withoutReads } from '../../job-sheets/server/service.ts'
import { type HoldReason, orderClocks } from '../clocks.ts'
import { mtnMaintenanceOrder, myOrders, type StepBody, type Stepped } from '../contract.ts'
import { allowedSteps, isDue, orderStatus, orderSteps, refusal, type StepName } from '../steps.ts'
import { holdClocks, setClocks } from './clocks.ts'
import { endWork } from './labor.ts'
import { acknowledgeAlarms, handleAlarms } from './orderAlarms.ts'
import { type Receiver, receiverOf, standingOf } from './people.ts'
import { tell } from './tell.ts'

const r = mtnMaintenanceOrder
export type Order = Row<typeof r>
export type Given = Partial<Omit<StepBody, 'OrderId'>> & { PlanFinishTime?: string | null; Items?: Item[] | null }
const zoneOf = (actor: Actor) => actor.zone ?? actor.tenantZone

/** The order as the kernel returns it, even if the actor no longer sees it. */
export const orderNow = async (db: Db, actor: Actor, id: number, lock = sql``): Promise<Order | undefined> =>
  (await db.rows<Order>(sql`select ${columns(r, actor)} from mtn_maintenance_order t where "Id" = ${id} ${lock}`))[0]

/** A step that arrived late: when it was taken, when it arrived, and the phone's clock offset if large, s. */
export type Late = { time: Date; received: Date; clockOff: number | null }

export type Entry = {
  order: Pick<Order, 'Id' | 'EnterpriseId'>
  step: string
  from: number | null
  to: number
  target?: (Pick<Receiver, 'Id' | 'Name'> & Partial<Receiver>) | undefined
  desc?: string | null | undefined
  files?: readonly Attachment[]
  key?: SentKey | undefined
  late?: Late | undefined
  /** The step that became a comment. */
  meant?: string
}
export const addHistory = async (db: Db, actor: Actor, { order, step, from, to, target, desc, files = [], key, late, meant }: Entry) => {
  const [row] = await db.rows<{ Id: number }>(sql`
    insert into mtn_order_history ("EnterpriseId", "OrderId", "UserId", "Step", "FromStatus", "ToStatus", "TargetId", "TargetField", "Target", "Desc", "Files", "ClientKey", "Hash", "Time", "ReceivedTime", "ClockOff", "Meant")
    values (${order.EnterpriseId}, ${order.Id}, ${actor.UserId || null}, ${step}, ${from}, ${to}, ${target?.Id ?? null}, ${target?.field ?? null}, ${target?.Name ?? null}, ${desc ?? null},
      ${JSON.stringify(files)}::jsonb, ${key?.ClientKey ?? null}, ${key?.Hash ?? null},
      coalesce(${late?.time ?? actor.past ?? null}::timestamptz, clock_timestamp()), ${late?.received ?? null}, ${late?.clockOff ?? null}, ${meant ?? null}) returning "Id"`)
  return row!.Id
}

/** Writes fields that only steps set. */
export const setOrder = async (db: Db, actor: Actor, before: Order, set: Readonly<Record<string, Sql | unknown>>): Promise<Order> => {
  const values = Object.entries(set).map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
  await db.rows(sql`update mtn_maintenance_order set ${sql.join([...values, sql`"UpdateTime" = now()`])} where "Id" = ${before.Id}`)
  // Seeded history is not logged, so the row is not read.
  if (actor.past) return before
  const after = (await orderNow(db, actor, before.Id))!
  await record(db, actor, r, 'update', before.Id, before.EnterpriseId, before, after)
  return after
}

/** Whether the caller has already sent this step. The same key with other content is refused. */
export const wasSent = async (db: Db, actor: Actor, id: number, key: SentKey | undefined): Promise<boolean> => {
  if (!key) return false
  const [sent] = await db.rows<{ Hash: string }>(sql`
    select "Hash" from mtn_order_history where "OrderId" = ${id} and "UserId" = ${actor.UserId} and "ClientKey" = ${key.ClientKey}`)
  if (sent && sent.Hash !== key.Hash) throw new Fault('clientKeyUsed')
  return sent !== undefined
}

type By = {
  UserId: number
  /** The time of the step, as a timestamp and in local time, in SQL. */
  now: unknown
  wall: (at: string) => unknown
}
/** Columns that a step sets besides the state; `target` is the named person. */
export const effect = (
  step: StepName,
  order: { AlarmCount: number },
  { UserId, now, wall }: By,
  given: Given,
  target: Pick<Receiver, 'Id' | 'field'> | undefined,
): Record<string, unknown> => {
  switch (step) {
    case 'dispatch':
      return {
        ...{
          AssignUserId: null,
          TeamId: null,
          DepartmentId: null,
          HandOverUserId: null,
          AcceptTime: null,
          ...(target && { [target.field]: target.Id }),
        },
        ...(given.PlanFinishTime ? { PlanFinishTime: wall(given.PlanFinishTime), DueByClock: 0 } : {}),
      }
    case 'accept':
      return { AssignUserId: UserId, AcceptTime: now, HandOverUserId: null }
    case 'arrive':
      return { ArriveTime: now }
    case 'refuse':
      return { AssignUserId: null, TeamId: null, DepartmentId: null, HandOverUserId: null }
    case 'suspend':
      return { HoldReason: given.Reason ?? null }
    case 'resume':
      return { HoldReason: null }
    case 'comment':
      return {}
    case 'finish':
      return {
        ...{ FinishTime: now, HandleDesc: given.Desc, HandOverUserId: null },
        ...Object.fromEntries(
          (['CauseType', 'Solution', 'StopHours', 'LaborHours'] as const).flatMap((k) => (given[k] == null ? [] : [[k, given[k]]])),
        ),
      }
    case 'check':
      return {
        ...{ CheckUserId: UserId, CheckTime: now, CheckDesc: given.Desc || null, Score: given.Score ?? null },
        ...(order.AlarmCount ? {} : { Verified: 2 }),
      }
    case 'reject':
      return { CheckUserId: UserId, CheckTime: now, CheckDesc: given.Desc, Rejects: sql`"Rejects" + 1` }
    case 'cancel':
      return { HandOverUserId: null, HoldReason: null }
    case 'handOver':
      return { HandOverUserId: target!.Id }
    case 'takeOver':
      return { AssignUserId: UserId, HandOverUserId: null }
    case 'declineOver':
      return { HandOverUserId: null }
  }
}

/** Refuses a step that the caller may not take, then one that the state does not allow, with the current state and the possible steps. */
const assertAllowed = async (db: Db, actor: Actor, step: StepName, order: Order) => {
  const who = await standingOf(db, actor, order)
  const title = order.OrderNo
  if (!isDue(step, order)) throw new Fault('wrongState', { title }, { Current: { Status: order.Status, Steps: allowedSteps(order, who) } })
  const why = refusal(step, order, who)
  const { by } = orderSteps[step]
  if (why === 'rights') throw new Fault('forbidden', { permission: by.startsWith('m') ? by : `${myOrders}.work` })
  if (why) throw new Fault(why === 'own' ? 'orderOwnCheck' : 'orderOthers', { title })
}

/** Whether a hold reason pauses the clocks. Throws FieldFaults for an unknown reason. */
const pausesFor = async (db: Db, { EnterpriseId }: Order, name: string) => {
  const { HoldReasons } = await readSettings(db, orderClocks, EnterpriseId)
  const reason = (HoldReasons as HoldReason[] | null)?.find((one) => one.Name === name)
  if (!reason) throw new FieldFaults([{ field: 'Reason', rule: 'unknownReference' }])
  return reason.Pauses === 1
}

/** Replaces the checklist. Results of unchanged items are kept. */
export const newItems = async (db: Db, actor: Actor, order: Order, items: readonly Item[] | null) => {
  await assertItems(db, actor, items ?? [], order.ProjectId)
  const kept = keptResults(order, items ?? [])
  const json = (value: readonly unknown[] | null) => sql`${value?.length ? JSON.stringify(value) : null}::jsonb`
  return { Items: json(items), Results: json(kept), AbnormalCount: kept.filter(({ IsOk }) => !IsOk).length }
}
/** Effect of a step on the job sheet, and the files that it adds. */
const sheetOf = async (db: Db, actor: Actor, step: StepName, order: Order, given: Given) => {
  const isFinish = step === 'finish'
  const taken = await takeResults(db, actor, isFinish ? order : { ...order, Items: null }, {
    results: isFinish ? (given.Results ?? resultsOf(order)) : [],
    files: given.Files,
  })
  const { files, results, abnormal } = taken
  const attached = JSON.stringify(taken.given)
  const set = {
    ...(isFinish && order.Items ? { Results: sql`${JSON.stringify(results)}::jsonb`, AbnormalCount: abnormal } : {}),
    ...(isFinish && taken.given.length ? { HandleAttach: sql`coalesce("HandleAttach", '[]') || ${attached}::jsonb` } : {}),
    ...(step === 'dispatch' && given.Items !== undefined ? await newItems(db, actor, order, given.Items) : {}),
  }
  return { files, set }
}

const needsDesc = (step: StepName) => 'desc' in orderSteps[step]

/** Applies a step, once per ClientKey. `stood`: measured downtime if the report has none. Call it in a transaction. */
export const takeStep = async (
  db: Db,
  actor: Actor,
  id: number,
  step: StepName,
  given: Given,
  late?: Late,
  stood?: number,
): Promise<Stepped> => {
  const key = sentKey(step, withoutReads(given))
  const [seen] = await db.rows(sql`select 1 from mtn_maintenance_order t where "Id" = ${id} and ${visible(r, actor)}`)
  const order = await orderNow(db, actor, id, sql`for no key update of t`)
  if (order && (await wasSent(db, actor, id, key))) return answer(db, actor, order)
  if (!order || !seen) throw notFound()
  await assertAllowed(db, actor, step, order)
  const desc = given.Desc?.trim()
  if (needsDesc(step) && !desc) throw new FieldFaults([{ field: 'Desc', rule: 'required' }])
  const target = step === 'dispatch' || step === 'handOver' ? await receiverOf(db, actor, order, given) : undefined
  const { files, set } = await sheetOf(db, actor, step, order, given)
  await giveFiles(db, { resource: r.name, id, permission: myOrders }, files)
  const pauses = step === 'suspend' && given.Reason ? await pausesFor(db, order, given.Reason) : false
  const { to = order.Status } = orderSteps[step] as { to?: number }
  const entry = await addHistory(db, actor, { order, step, from: order.Status, to, target, desc, files, key, late })
  const refused = to === orderStatus.refused
  if (refused) await addHistory(db, actor, { order, step: 'waits', from: to, to: orderStatus.waiting, late })
  const status = refused ? orderStatus.waiting : to
  if (pauses || step === 'resume') {
    // A late hold counts from its arrival, so it cannot extend deadlines retroactively.
    const at = (pauses ? late?.received : late?.time) ?? actor.past
    await holdClocks(db, id, pauses, at?.getTime() ?? Date.now())
    await setClocks(db, id)
  }
  if (step === 'check' || step === 'cancel') await endWork(db, [id], true)
  // Recorded with the time at which it was taken.
  const taken = late ? { ...actor, past: late.time } : actor
  const by = {
    UserId: actor.UserId,
    now: momentOf(taken),
    wall: (at: string) => sql`(${at}::timestamp at time zone ${zoneOf(actor)}::text)`,
  }
  const after = await setOrder(db, actor, order, {
    ...effect(step, order, by, { ...given, StopHours: given.StopHours ?? stood }, target),
    ...set,
    Status: status,
  })
  if (step === 'finish') await endWork(db, [id], false, late?.time)
  if (step === 'accept') await acknowledgeAlarms(db, actor, after)
  if (step === 'check') await handleAlarms(db, actor, after, desc)
  await tell(db, { step, actor, before: order, after, entry, target })
  return answer(db, actor, after)
}

const answer = async (db: Db, actor: Actor, order: Order): Promise<Stepped> => ({
  ...{ Id: order.Id, OrderNo: order.OrderNo, Status: order.Status },
  Steps: actor.past ? [] : allowedSteps(order, await standingOf(db, actor, order)),
})

export const step = (db: Db, actor: Actor, id: number, name: StepName, given: Given, stood?: number) =>
  db.tx((db) => takeStep(db, actor, id, name, given, undefined, stood), `${r.name} ${id}`)
