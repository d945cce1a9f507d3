// Seeds orders with past dates in a few statements. Each step is checked and applied in memory like a live step.
import { sql } from 'kysely'
import { firstLanguage } from '../../../../contract/languages.ts'
import type { Db } from '../../../../server/database/db.ts'
import { readSettings } from '../../../../server/resource/settings.ts'
import { nameIn } from '../../../alarms/alarms/server/service.ts'
import { orderClocks } from '../clocks.ts'
import { mtnMaintenanceOrder, proofHours } from '../contract.ts'
import { closedStatuses, isDue, type OrderNow, orderStatus, orderSteps, type StepName } from '../steps.ts'
import { setClocks } from './clocks.ts'
import { setLabor } from './labor.ts'
import { type Cause, pairOf } from './open.ts'
import { effect, type Given } from './steps.ts'

export type PastStep = { at: number; UserId: number; step: StepName; given?: Given; target?: { Id: number; Name: string } | undefined }
type Mark = { UserId: number; At: string }
type Alarm = { Id: number; OrderId: number; Ack: Mark | null; Handle: (Mark & { Desc: string }) | null }
type Order = OrderNow & { Id: number; ReportTime: string; AlarmCount: number; FinishTime: string | null } & Record<string, unknown>
type History = { OrderId: number; Step: string; FromStatus: number | null; ToStatus: number; Time: string } & Record<string, unknown>

const iso = (at: number) => new Date(at).toISOString()
const begun = { Status: 0, Source: 2, AlarmCount: 0, Verified: 0, Rejects: 0, DueByClock: 0, Stopped: 0 }
const nobody = { AssignUserId: null, HandOverUserId: null, ReportUserId: null, ArriveTime: null, FinishTime: null }

const newOrder = (cause: Cause, Id: number, at: number, cameBackOf: number | null): Order => ({
  ...{ ...begun, ...nobody, Id, EnterpriseId: cause.EnterpriseId, ProjectId: cause.ProjectId, GatewayId: cause.GatewayId },
  ...{ DeviceId: cause.DeviceId, Title: nameIn(firstLanguage(cause.Language, 'en'), cause).slice(0, 60), Urgency: cause.AlarmLevel },
  ...{ FaultCodeId: cause.FaultCodeId, AlmInfoId: cause.Id, AlmRuleId: cause.AlmRuleId, CameBackOfId: cameBackOf, ReportTime: iso(at) },
  ...{ CreateTime: new Date().toISOString(), UpdateTime: new Date().toISOString() },
})

/** Columns that steps and alarms of the past set. */
const written = [
  ...['Id', 'EnterpriseId', 'Title', 'Status', 'Urgency', 'ProjectId', 'GatewayId', 'DeviceId', 'Source', 'FaultCodeId', 'PlanFinishTime'],
  ...['ReportTime', 'AssignUserId', 'TeamId', 'DepartmentId', 'HandOverUserId', 'AcceptTime', 'ArriveTime', 'FinishTime', 'HandleDesc'],
  ...['CauseType', 'Solution', 'StopHours', 'LaborHours', 'Score', 'CheckUserId', 'CheckTime', 'CheckDesc', 'AlmInfoId', 'AlmRuleId'],
  ...[
    'AlarmCount',
    'LastAlarmTime',
    'Verified',
    'CameBackOfId',
    'DueByClock',
    'HoldReason',
    'Stopped',
    'Rejects',
    'CreateTime',
    'UpdateTime',
  ],
]
const rowsOf = (of: readonly object[]) => sql`${JSON.stringify(of)}::jsonb`

/** Completed alarm orders whose alarm recurred within their verification period. */
const cameBack = (orders: readonly Order[], at: number): Order[] =>
  orders.filter(({ Status, Verified, FinishTime }) => {
    const finish = Date.parse(FinishTime ?? '')
    return Status === orderStatus.done && Verified === 0 && at >= finish && at <= finish + proofHours * 3_600_000
  })

const saveOrders = async (db: Db, orders: readonly Order[], history: readonly History[], alarms: readonly Alarm[]) => {
  const columns = sql.join(written.map((name) => sql.ref(name)))
  // Costs of completed orders stay as they are, so orders are completed after their costs are known.
  const stored = orders.map((order) => ({ ...order, Status: order.Status === orderStatus.done ? orderStatus.cancelled : order.Status }))
  await db.rows(sql`
    insert into mtn_maintenance_order (${columns}) select ${columns} from jsonb_populate_recordset(null::mtn_maintenance_order, ${rowsOf(stored)}) order by "Id"`)
  await db.rows(sql`
    insert into mtn_order_history ("EnterpriseId", "OrderId", "UserId", "Step", "FromStatus", "ToStatus", "TargetId", "TargetField", "Target", "Desc", "Time")
    select o."EnterpriseId", h."OrderId", h."UserId", h."Step", h."FromStatus", h."ToStatus", h."TargetId", h."TargetField", h."Target", h."Desc", h."Time"
    from rows from (jsonb_to_recordset(${rowsOf(history)}) as ("OrderId" bigint, "UserId" bigint, "Step" text, "FromStatus" smallint, "ToStatus" smallint,
      "TargetId" bigint, "TargetField" text, "Target" text, "Desc" text, "Time" timestamptz)) with ordinality h
    join mtn_maintenance_order o on o."Id" = h."OrderId" order by h.ordinality`)
  await db.rows(sql`
    update alarm_info a set "OrderId" = x."OrderId", "UpdateTime" = now(),
      "AckStatus" = case when x."Ack" is null and (x."Handle" is null or a."HandleStatus" <> 0) then a."AckStatus" else 1 end,
      "AckUserId" = coalesce(a."AckUserId", (m.by ->> 'UserId')::bigint), "AckTime" = coalesce(a."AckTime", (m.by ->> 'At')::timestamptz),
      "HandleStatus" = case when h.is then 2 else a."HandleStatus" end,
      "HandleUserId" = case when h.is then (x."Handle" ->> 'UserId')::bigint else a."HandleUserId" end,
      "HandleTime" = case when h.is then (x."Handle" ->> 'At')::timestamptz else a."HandleTime" end,
      "HandleDesc" = case when h.is then left(concat_ws(': ', o."OrderNo", nullif(x."Handle" ->> 'Desc', '')), 500) else a."HandleDesc" end
    from jsonb_to_recordset(${rowsOf(alarms)}) as x ("Id" bigint, "OrderId" bigint, "Ack" jsonb, "Handle" jsonb)
      join mtn_maintenance_order o on o."Id" = x."OrderId" join alarm_info b on b."Id" = x."Id"
      cross join lateral (select jsonb_typeof(x."Handle") = 'object' and b."HandleStatus" = 0 as is) h
      cross join lateral (select case when jsonb_typeof(x."Ack") = 'object' then x."Ack" when h.is then x."Handle" end as by) m
    where a."Id" = x."Id"`)
}

/** Opens orders for past alarms and applies their steps in order of time. `save` writes everything; `costs` adds the costs of later data. */
export const openPast = async (db: Db, EnterpriseId: number, most: number) => {
  const ids = await db.rows<{ Id: number }>(sql`select nextval('mtn_order_id')::float8 as "Id" from generate_series(1, ${most}::int)`)
  const standing = await db.rows<{ Id: number; pair: string }>(sql`
    select "Id", "AlmRuleId" || ' ' || "Machine" as pair from mtn_maintenance_order
    where "EnterpriseId" = ${EnterpriseId} and "AlmRuleId" is not null and "Status" not in (5, 6)`)
  const others = new Map(standing.map(({ Id, pair }) => [pair, Id]))
  const orders = new Map<number, Order>()
  const byPair = new Map<string, Order[]>()
  const alarms = new Map<number, Alarm[]>()
  const history: History[] = []

  const attachTo = (order: Order, cause: Cause, at: number) => {
    order.AlarmCount += 1
    order.LastAlarmTime = iso(at)
    alarms.get(order.Id)!.push({ Id: cause.Id, OrderId: order.Id, Ack: null, Handle: null })
  }
  const mark = (order: Order, { at, UserId, step, given }: PastStep) => {
    const by = { UserId, At: iso(at) }
    const Desc = String(order.Solution || order.HandleDesc || given?.Desc?.trim() || '')
    for (const alarm of alarms.get(order.Id)!) {
      if (step === 'accept') alarm.Ack ??= by
      if (step === 'check') alarm.Handle = { ...by, Desc }
    }
  }

  return {
    /** Returns the open order of the alarm's rule and machine, or creates it. `isOther`: the order existed before. */
    open(cause: Cause, at: number): { Id: number; isNew: boolean; isOther: boolean } {
      const pair = pairOf(cause)
      const other = others.get(pair)
      if (other !== undefined) return { Id: other, isNew: false, isOther: true }
      const before = byPair.get(pair) ?? []
      const found = before.find(({ Status }) => !closedStatuses.includes(Status))
      if (found) {
        attachTo(found, cause, at)
        return { Id: found.Id, isNew: false, isOther: false }
      }
      const back = cause.AlmRuleId ? cameBack(before, at) : []
      for (const order of back) order.Verified = 3
      const order = newOrder(cause, ids[orders.size]!.Id, at, back.at(-1)?.Id ?? null)
      orders.set(order.Id, order)
      byPair.set(pair, [...before, order])
      alarms.set(order.Id, [])
      history.push({ OrderId: order.Id, Step: 'open', FromStatus: null, ToStatus: 0, Desc: cause.RuleName, Time: iso(at) })
      attachTo(order, cause, at)
      return { Id: order.Id, isNew: true, isOther: false }
    },
    take(id: number, taken: PastStep) {
      const { at, UserId, step, given = {}, target } = taken
      const order = orders.get(id)!
      if (!isDue(step, order)) throw new Error(`${step} of an order in state ${order.Status}`)
      const from = order.Status
      const { to = from } = orderSteps[step] as { to?: number }
      const row = { OrderId: id, UserId, Time: iso(at), Step: step, FromStatus: from, ToStatus: to, Desc: given.Desc?.trim() ?? null }
      history.push({ ...row, ...(target && { TargetId: target.Id, TargetField: 'AssignUserId', Target: target.Name }) })
      const refused = to === orderStatus.refused
      if (refused) history.push({ ...row, Step: 'waits', FromStatus: to, ToStatus: orderStatus.waiting, Desc: null })
      const by = { UserId, now: iso(at), wall: (time: string) => `${time.replace(' ', 'T')}Z` }
      const set = effect(step, order, by, given, target && { Id: target.Id, field: 'AssignUserId' })
      const Rejects = Number(order.Rejects) + (step === 'reject' ? 1 : 0)
      Object.assign(order, set, { Rejects, Status: refused ? orderStatus.waiting : to })
      mark(order, taken)
    },
    save: () => saveOrders(db, [...orders.values()], history, [...alarms.values()].flat()),
    async costs() {
      await setLabor(db, [...orders.keys()])
      const done = [...orders.values()].flatMap(({ Id, Status }) => (Status === orderStatus.done ? [Id] : []))
      await db.rows(sql`update mtn_maintenance_order set "Status" = ${orderStatus.done} where "Id" = any(${done}::bigint[])`)
      const settings = await readSettings(db, orderClocks, EnterpriseId)
      if (([1, 2, 3] as const).some((n) => settings[`Respond${n}`] || settings[`Arrive${n}`] || settings[`Finish${n}`]))
        for (const id of orders.keys()) await setClocks(db, id)
      const last = [...orders.values()].at(-1)
      if (last)
        db.emit({ resource: mtnMaintenanceOrder.name, id: last.Id, verb: 'update', EnterpriseId, ProjectId: Number(last.ProjectId) })
    },
  }
}
