// Effects of order steps on the order's alarms.
import { sql } from 'kysely'
import type { Row } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { columns, momentOf, type Sql } from '../../../../server/resource/sql.ts'
import { recordAll } from '../../../../server/resource/store.ts'
import { alarmInfo } from '../../../alarms/alarms/contract.ts'
import type { Order } from './steps.ts'

type Alarm = Row<typeof alarmInfo>
/** Maximum number of log entries for the alarms of one order. */
const mostLogged = 500

const changeAlarms = async (db: Db, actor: Actor, order: Pick<Order, 'Id'>, where: Sql, set: Sql) => {
  const read = (of: Sql, lock = sql``) =>
    db.rows<Alarm>(sql`select ${columns(alarmInfo, actor)} from alarm_info t where ${of} order by "Id" limit ${mostLogged} ${lock}`)
  const before = await read(sql`"OrderId" = ${order.Id} and ${where}`, sql`for no key update of t`)
  if (!before.length) return
  await db.rows(sql`update alarm_info set ${set}, "UpdateTime" = now() where "OrderId" = ${order.Id} and ${where}`)
  const after = await read(sql`"Id" = any(${before.map(({ Id }) => Id)}::bigint[])`)
  const entries = after.map((alarm, i) => ({ Id: alarm.Id, EnterpriseId: alarm.EnterpriseId, Before: before[i], After: alarm }))
  await recordAll(db, actor, alarmInfo, 'update', entries)
}

const acknowledged = (actor: Actor) =>
  sql`"AckStatus" = 1, "AckUserId" = coalesce("AckUserId", ${actor.UserId}::bigint), "AckTime" = coalesce("AckTime", ${momentOf(actor)})`

/** Acknowledges the alarms, which ends escalation. */
export const acknowledgeAlarms = (db: Db, actor: Actor, order: Order) =>
  changeAlarms(db, actor, order, sql`"AckStatus" = 0`, acknowledged(actor))

/** Closing an order handles its unhandled alarms, in the name of the person who checked it. */
export const handleAlarms = (db: Db, actor: Actor, order: Order, desc: string | undefined) =>
  changeAlarms(
    db,
    actor,
    order,
    sql`"HandleStatus" = 0`,
    sql`"HandleStatus" = 2, "HandleUserId" = ${actor.UserId}::bigint, "HandleTime" = ${momentOf(actor)},
      "HandleDesc" = ${[order.OrderNo, order.Solution || order.HandleDesc || desc].filter(Boolean).join(': ').slice(0, 500)},
      "FaultCodeId" = coalesce(${order.FaultCodeId}::bigint, "FaultCodeId"), ${acknowledged(actor)}`,
  )
