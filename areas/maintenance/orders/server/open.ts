// Opens orders for alarms. While an order of the same rule and machine is open, further alarms attach to it and count up.
import { sql } from 'kysely'
import { firstLanguage } from '../../../../contract/languages.ts'
import type { Db } from '../../../../server/database/db.ts'
import { serverActor } from '../../../../server/identity/actor.ts'
import { record } from '../../../../server/resource/store.ts'
import { alarmInfo } from '../../../alarms/alarms/contract.ts'
import { nameIn } from '../../../alarms/alarms/server/service.ts'
import { mtnMaintenanceOrder, proofHours } from '../contract.ts'
import { setClocks } from './clocks.ts'
import { addHistory, orderNow } from './steps.ts'

/** An alarm that requires an order. */
export type Cause = {
  Id: number
  EnterpriseId: number
  ProjectId: number
  GatewayId: number | null
  DeviceId: number | null
  AlmRuleId: number | null
  RuleName: string
  AlarmLevel: number
  FaultCodeId: number | null
  /** Language of the company. */
  Language: string | null
}
export type Wanted = {
  Title?: string | undefined
  Urgency?: number | undefined
  FaultDesc?: string | undefined
  ReportUserId?: number | null
  /** Time of opening while history is seeded. */
  past?: Date
}

const machineOf = ({ DeviceId, GatewayId, ProjectId }: Cause) => (DeviceId ? `d${DeviceId}` : GatewayId ? `g${GatewayId}` : `p${ProjectId}`)
/** Groups alarms of the same rule and machine. Alarms without a rule are not grouped. */
export const pairOf = (cause: Cause) => (cause.AlmRuleId ? `${cause.AlmRuleId} ${machineOf(cause)}` : `alarm ${cause.Id}`)

/** The open order of a rule and a machine. */
const openOrder = async (db: Db, cause: Cause): Promise<number | undefined> => {
  const [row] = cause.AlmRuleId
    ? await db.rows<{ Id: number }>(sql`
        select "Id" from mtn_maintenance_order where "AlmRuleId" = ${cause.AlmRuleId} and "Machine" = ${machineOf(cause)} and "Status" not in (5, 6)`)
    : await db.rows<{ Id: number }>(sql`
        select o."Id" from alarm_info a join mtn_maintenance_order o on o."Id" = a."OrderId" where a."Id" = ${cause.Id} and o."Status" not in (5, 6)`)
  return row?.Id
}

/** Start of the proof period of order `o`: the arrival of its finish. */
export const proofStart = sql`coalesce((select h."ReceivedTime" from mtn_order_history h where h."OrderId" = o."Id" and h."Step" = 'finish' order by h."Id" desc limit 1),
  o."FinishTime")`
/** Earliest end of the verification period; downtime extends it. */
export const proofEnd = sql`coalesce(o."ProofTime", ${proofStart} + make_interval(hours => ${proofHours}))`
/** Marks completed orders whose alarm recurred within the verification period. Returns the last one. */
const markCameBack = async (db: Db, cause: Cause): Promise<number | null> => {
  if (!cause.AlmRuleId) return null
  const rows = await db.rows<{ Id: number; EnterpriseId: number; ProjectId: number }>(sql`
    update mtn_maintenance_order o set "Verified" = 3, "UpdateTime" = now() from alarm_info a
    where a."Id" = ${cause.Id} and o."AlmRuleId" = ${cause.AlmRuleId} and o."Machine" = ${machineOf(cause)} and o."Status" = 5 and o."Verified" = 0
      and a."StartTime" between o."FinishTime" and ${proofEnd}
    returning o."Id", o."EnterpriseId", o."ProjectId"`)
  for (const { Id, ...of } of rows) db.emit({ resource: mtnMaintenanceOrder.name, id: Id, verb: 'update', ...of })
  return Math.max(0, ...rows.map(({ Id }) => Id)) || null
}

/**
 * The checklist of a published article. Precedence: the response plan of the rule or the fault code; the article about this fault that fits
 * the machine best; the only article about the machine's model without a fault.
 */
const checklistFor = ({ EnterpriseId, AlmRuleId, FaultCodeId, DeviceId }: Cause) => {
  const model = sql`(select "ModelId" from device where "Id" = ${DeviceId})`
  const fits = sql`k."EnterpriseId" = ${EnterpriseId} and k."Status" = 1 and jsonb_array_length(k."Items") > 0 and (coalesce(k."DeviceId", k."EquipmentId") is null or k."DeviceId" = ${DeviceId})`
  return sql`coalesce((
    select k."Items" from mtn_knowledge_base k join alarm_plan p on p."ArticleId" = k."Id"
    where k."Status" = 1 and p."Id" = coalesce((select "AlmPlanId" from alarm_rule where "Id" = ${AlmRuleId}), (select "AlmPlanId" from alarm_code where "Id" = ${FaultCodeId}))), (
    select k."Items" from mtn_knowledge_base k where k."FaultCodeId" = ${FaultCodeId} and ${fits} and (k."DeviceModelId" is null or k."DeviceModelId" = ${model})
    order by k."DeviceId" is null, k."DeviceModelId" is null, k."Helped" - k."NotHelped" desc, k."Id" desc limit 1), (
    select case when count(*) = 1 then (array_agg(k."Items"))[1] end from mtn_knowledge_base k
    where k."DeviceModelId" = ${model} and k."FaultCodeId" is null and ${fits}))`
}
/** Returns the open order of an alarm's rule and machine, or creates it. Call it in a transaction. */
export const openFor = async (db: Db, cause: Cause, wanted: Wanted = {}): Promise<{ Id: number; isNew: boolean }> => {
  const found = await openOrder(db, cause)
  if (found) return { Id: found, isNew: false }
  const cameBackOf = await markCameBack(db, cause)
  const Title = (wanted.Title ?? nameIn(firstLanguage(cause.Language, 'en'), cause)).slice(0, 60)
  const [made] = await db.rows<{ Id: number }>(sql`
    insert into mtn_maintenance_order ("EnterpriseId", "Title", "Urgency", "ProjectId", "GatewayId", "DeviceId", "EquipmentId", "Source", "FaultDesc", "FaultCodeId", "ReportUserId", "AlmInfoId", "AlmRuleId", "CameBackOfId", "ReportTime", "Items")
    values (${cause.EnterpriseId}, ${Title}, ${wanted.Urgency ?? cause.AlarmLevel}, ${cause.ProjectId}, ${cause.GatewayId}, ${cause.DeviceId}, (select "Id" from mtn_equipment where "DeviceId" = ${cause.DeviceId}), 2, ${wanted.FaultDesc ?? null},
      ${cause.FaultCodeId}, ${wanted.ReportUserId ?? null}, ${cause.Id}, ${cause.AlmRuleId}, ${cameBackOf}, coalesce(${wanted.past ?? null}::timestamptz, now()),
      ${checklistFor(cause)})
    on conflict ("AlmRuleId", "Machine") where "AlmRuleId" is not null and "Status" not in (5, 6) do nothing returning "Id"`)
  // A concurrent transaction created it first.
  if (!made) return { Id: (await openOrder(db, cause))!, isNew: false }
  await setClocks(db, made.Id)
  const actor = { ...serverActor(cause.EnterpriseId), UserId: wanted.ReportUserId ?? 0, ...(wanted.past && { past: wanted.past }) }
  const order = (await orderNow(db, actor, made.Id))!
  await addHistory(db, actor, { order, step: 'open', from: null, to: 0, desc: cause.RuleName })
  await record(db, actor, mtnMaintenanceOrder, 'create', order.Id, order.EnterpriseId, null, order)
  return { Id: made.Id, isNew: true }
}

/** Attaches alarms to an order. */
export const attach = async (db: Db, orderId: number, alarms: readonly number[]): Promise<number> => {
  const rows = await db.rows<{ Id: number; EnterpriseId: number; ProjectId: number | null }>(sql`
    update alarm_info set "OrderId" = ${orderId}, "UpdateTime" = now() where "Id" = any(${alarms}::bigint[]) and "OrderId" is distinct from ${orderId}
    returning "Id", "EnterpriseId", "ProjectId"`)
  if (!rows.length) return 0
  const [order] = await db.rows<{ EnterpriseId: number; ProjectId: number }>(sql`
    update mtn_maintenance_order set "AlarmCount" = "AlarmCount" + ${rows.length}, "UpdateTime" = now(),
      "LastAlarmTime" = greatest("LastAlarmTime", (select max("StartTime") from alarm_info where "Id" = any(${rows.map(({ Id }) => Id)}::bigint[])))
    where "Id" = ${orderId} returning "EnterpriseId", "ProjectId"`)
  for (const { Id, ...of } of rows) db.emit({ resource: alarmInfo.name, id: Id, verb: 'update', ...of })
  db.emit({ resource: mtnMaintenanceOrder.name, id: orderId, verb: 'update', ...order! })
  return rows.length
}

/** Columns of a cause, of `alarm_info a` and `enterprise e`. */
export const causeColumns = sql`a."Id", a."EnterpriseId", a."ProjectId", a."GatewayId", a."DeviceId", a."AlmRuleId", a."RuleName", a."AlarmLevel", a."FaultCodeId", e."Language"`
