// Hours and cost of labor; a completed order keeps its own.
import { sql } from 'kysely'
import type { Resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { table } from '../../../../server/resource/sql.ts'
import { mtnMaintenanceOrder } from '../contract.ts'

const repair = mtnMaintenanceOrder

/** Labor hours from the finish form, at the assignee's rate; used only without labor entries. */
const enteredHours = (ids: readonly number[]) => sql`
      union all
      select o."Id", o."AssignUserId", coalesce(o."FinishTime", now()), o."LaborHours" from mtn_maintenance_order o
      where o."Id" = any(${ids}::bigint[]) and o."LaborHours" is not null and not exists (select 1 from mtn_order_labor l where l."OrderId" = o."Id")`

/** Hours and cost of labor of some orders of a kind. */
export const setLabor = (db: Db, ids: readonly number[], of: Resource = repair) =>
  db.rows(sql`
    with worked as (
      select l."OrderId" as id, l."UserId" as "user", l."StartTime" as at, extract(epoch from l."EndTime" - l."StartTime") / 3600 as hours
      from mtn_order_labor l where l."OrderId" = any(${ids}::bigint[]) and l."EndTime" is not null
      ${of === repair ? enteredHours(ids) : sql``}
    ), cost as (
      select w.id, w.hours, round(w.hours::numeric * coalesce((
        select max(x."Rate") from (
          select distinct on (a."RoleId") a."Rate" from mtn_labor_rate a join user_role u on u."RoleId" = a."RoleId" and u."UserId" = w."user"
          where a."EnterpriseId" = o."EnterpriseId" and a."ValidFrom" <= to_char(w.at at time zone e."TimeZoneKey", 'YYYY-MM-DD')
          order by a."RoleId", a."ValidFrom" desc) x), 0)) as amount
      from worked w join ${table(of)} o on o."Id" = w.id join enterprise e on e."Id" = o."EnterpriseId"
    ), sums as (select id, round(sum(hours)::numeric, 3) as hours, sum(amount)::bigint as amount from cost group by id)
    update ${table(of)} o set "LaborHours" = s.hours, "LaborCost" = s.amount
    from unnest(${ids}::bigint[]) i (id) left join sums s on s.id = i.id where o."Id" = i.id and ${of === repair ? sql`o."Status" <> 5` : sql`true`}`)

/** Stops running labor when orders are finished, at the time of a late step, and releases reservations when they are closed. */
export const endWork = async (db: Db, ids: readonly number[], isClosed: boolean, at?: Date, of: Resource = repair) => {
  await db.rows(sql`
    update mtn_order_labor set "EndTime" = greatest("StartTime", coalesce(${at ?? null}::timestamptz, now())) where "OrderId" = any(${ids}::bigint[]) and "EndTime" is null`)
  if (isClosed) await db.rows(sql`delete from mtn_order_part where "OrderId" = any(${ids}::bigint[])`)
  await setLabor(db, ids, of)
}
