import { sql } from 'kysely'
import type { Resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { column, table, visible } from '../../../../server/resource/sql.ts'
import { alarmInfo } from '../../../alarms/alarms/contract.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { gateway } from '../../../configuration/gateways/contract.ts'
import { project } from '../../../configuration/projects/contract.ts'

type ByStatus = { Status: number; Count: number }

/** Counts of a resource by the codes of one of its fields, those nobody has included. */
const byStatus = async (db: Db, actor: Actor, r: Resource, field: string) => {
  const f = r.fields[field]
  const rows = await db.rows<ByStatus>(
    sql`select ${column(field)} as "Status", count(*)::int as "Count" from ${table(r)} t where ${visible(r, actor)} group by 1`,
  )
  const codes = f?.kind === 'choice' ? f.of : []
  const Items = codes.map((Status) => ({ Status: Number(Status), Count: rows.find((row) => row.Status === Status)?.Count ?? 0 }))
  return { TotalCount: rows.reduce((sum, row) => sum + row.Count, 0), Items }
}

export const gateways = (db: Db, actor: Actor) => byStatus(db, actor, gateway, 'OnlineStatus')
export const devices = (db: Db, actor: Actor) => byStatus(db, actor, device, 'Status')

/** In one statement: alarms come and go while it is asked. */
export const alarmsByStatus = async (db: Db, actor: Actor) => {
  const rows = await db.rows<ByStatus & { Active: number; Unacknowledged: number }>(sql`
    select "HandleStatus" as "Status", count(*)::int as "Count", count(*) filter (where "IsActive" = 1)::int as "Active",
      count(*) filter (where "IsActive" = 1 and "AckStatus" = 0)::int as "Unacknowledged"
    from alarm_info t where ${visible(alarmInfo, actor)} group by 1`)
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0)
  return {
    TotalCount: sum((row) => row.Count),
    Items: alarmInfo.fields.HandleStatus.of.map((Status) => ({ Status, Count: rows.find((row) => row.Status === Status)?.Count ?? 0 })),
    ActiveCount: sum((row) => row.Active),
    UnacknowledgedCount: sum((row) => row.Unacknowledged),
  }
}

export const alarmsByDay = (db: Db, actor: Actor, days: number) => {
  const zone = actor.zone ?? actor.tenantZone
  return db.rows<{ Date: string; Count: number }>(sql`
    with day as (
      select (now() at time zone ${zone}::text)::date - ${days - 1}::int + n as d from generate_series(0, ${days - 1}::int) n),
    found as (
      select (t."StartTime" at time zone ${zone}::text)::date as d, count(*)::int as n from alarm_info t
      where t."StartTime" >= ((select min(d) from day)::timestamp at time zone ${zone}::text) and ${visible(alarmInfo, actor)} group by 1)
    select to_char(day.d, 'YYYY-MM-DD') as "Date", coalesce(found.n, 0) as "Count" from day left join found using (d) order by day.d`)
}

export const projectsByCity = async (db: Db, actor: Actor) => {
  const Items = await db.rows<{ RegionId: number | null; City: string | null; Count: number }>(sql`
    select t."RegionId", r."RegionName" as "City", count(*)::int as "Count"
    from project t left join region r on r."Id" = t."RegionId" where ${visible(project, actor)}
    group by 1, 2 order by t."RegionId" is null, 3 desc, 2 limit 500`)
  return { TotalCount: Items.reduce((sum, row) => sum + row.Count, 0), Items }
}
