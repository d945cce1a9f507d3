// Verifies completed alarm orders at the end of the verification period, measured in running hours where available.
import { sql } from 'kysely'
import type { Database } from '../../../../server/database/db.ts'
import { serverActor } from '../../../../server/identity/actor.ts'
import { mtnMaintenanceOrder, proofHours } from '../contract.ts'
import { proofEnd, proofStart } from './open.ts'
import { hoursOf, type Reader, type RunningPoint, runningPointsOf } from './running.ts'

const hour = 3_600_000
/** Batch limits: orders per run, orders with running hours per run, and the maximum time range per query. */
const [most, mostRead, rangeMs] = [500, 20, 7 * 24 * hour]
/** Minimum interval between checks of a machine. */
const leastMs = 10 * 60_000
type Due = { Id: number; EnterpriseId: number; DeviceId: number | null; From: number; Ran: number }

const isDue = (now: number) => sql`
  o."Status" = 5 and o."Verified" = 0 and o."FinishTime" <= to_timestamp(${now / 1000}::float8) - make_interval(hours => ${proofHours})
    and ${proofEnd} <= to_timestamp(${now / 1000}::float8) and not exists (select 1 from alarm_info a where a."OrderId" = o."Id" and a."IsActive" = 1)`

/** Whether the machine has run for the verification period. If not, the check is postponed. Without running values, wall-clock time counts. */
const hasRun = async (reader: Reader, order: Due, of: RunningPoint, now: number) => {
  const end = Math.min(now, order.From + rangeMs)
  const [ran] = (await hoursOf(reader, [of], [order.From, end])).get(of.DeviceId) ?? []
  const sum = order.Ran + (ran?.on ?? 0)
  if (!ran || sum >= proofHours - 0.01) return true
  const next = end < now ? now : Math.max(now + leastMs, now + (proofHours - sum) * hour)
  const at = (time: number) => sql`to_timestamp(${time / 1000}::float8)`
  await reader.db.rows(sql`
    update mtn_maintenance_order set "ProofRun" = ${sum}, "ProofFrom" = ${at(end)}, "ProofTime" = ${at(next)}
    where "Id" = ${order.Id} and "Status" = 5 and "Verified" = 0`)
  return false
}

/** Verifies orders whose alarms have cleared and did not recur. Returns the number of decided orders. */
export const verifyDue = async ({ system }: Pick<Database, 'system'>, now: number, telemetry?: Reader['telemetry']): Promise<number> => {
  const due = await system.rows<Due>(sql`
    select o."Id", o."EnterpriseId", o."DeviceId", (extract(epoch from coalesce(o."ProofFrom", ${proofStart})) * 1000)::float8 as "From", o."ProofRun" as "Ran"
    from mtn_maintenance_order o where ${isDue(now)} order by coalesce(o."ProofTime", o."FinishTime"), o."Id" limit ${most}`)
  const ready: number[] = []
  let read = 0
  for (const [EnterpriseId, of] of Map.groupBy(due, (order) => order.EnterpriseId)) {
    const reader = { db: system, actor: serverActor(EnterpriseId), telemetry }
    const points = telemetry
      ? await runningPointsOf(
          reader,
          of.flatMap(({ DeviceId }) => DeviceId ?? []),
        )
      : new Map<number, RunningPoint>()
    for (const order of of) {
      const point = order.DeviceId ? points.get(order.DeviceId) : undefined
      if (!point || (read++ < mostRead && (await hasRun(reader, order, point, now)))) ready.push(order.Id)
    }
  }
  if (!ready.length) return 0
  return system.tx(async (db) => {
    const rows = await db.rows<{ Id: number; EnterpriseId: number; ProjectId: number }>(sql`
      update mtn_maintenance_order o set "UpdateTime" = now(), "Verified" = case when exists (
          select 1 from alarm_info a where a."AlmRuleId" = o."AlmRuleId" and coalesce('d' || a."DeviceId", 'g' || a."GatewayId", 'p' || a."ProjectId") = o."Machine"
            and a."StartTime" between o."FinishTime" and ${proofEnd}) then 3 else 1 end
      where o."Id" = any(${ready}::bigint[]) and ${isDue(now)}
      returning o."Id", o."EnterpriseId", o."ProjectId"`)
    for (const { Id, ...of } of rows) db.emit({ resource: mtnMaintenanceOrder.name, id: Id, verb: 'update', ...of })
    return rows.length
  })
}
