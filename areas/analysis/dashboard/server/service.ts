import { sql } from 'kysely'
import type { Field } from '../../../../contract/field.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { countBy, counts } from '../../../../server/identity/statistics.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { alarmInfo } from '../../../alarms/alarms/contract.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { gateway } from '../../../configuration/gateways/contract.ts'
import { project } from '../../../configuration/projects/contract.ts'

type Counted = { Value: number | null; Count: number }

/** Counts by the codes of a field, those nobody has included. */
const byCode = (f: Field | undefined, rows: readonly Counted[]) => {
  const codes = f?.kind === 'choice' ? f.of : []
  const Items = codes.map((Status) => ({ Status: Number(Status), Count: rows.find((row) => row.Value === Status)?.Count ?? 0 }))
  return { TotalCount: rows.reduce((sum, row) => sum + row.Count, 0), Items }
}

export const gateways = async (db: Db, actor: Actor) =>
  byCode(gateway.fields.OnlineStatus, await countBy(db, actor, gateway, 'OnlineStatus'))
export const devices = async (db: Db, actor: Actor) => byCode(device.fields.Status, await countBy(db, actor, device, 'Status'))

/** In one statement: alarms come and go while it is asked. */
export const alarmsByStatus = async (db: Db, actor: Actor) => {
  const more = sql`, count(*) filter (where "IsActive" = 1)::int as "Active",
    count(*) filter (where "IsActive" = 1 and "AckStatus" = 0)::int as "Unacknowledged"`
  type Sums = { Active: number; Unacknowledged: number }
  const rows = await countBy<typeof alarmInfo, Sums>(db, actor, alarmInfo, 'HandleStatus', more)
  const sum = (name: keyof Sums) => rows.reduce((total, row) => total + row[name], 0)
  return { ...byCode(alarmInfo.fields.HandleStatus, rows), ActiveCount: sum('Active'), UnacknowledgedCount: sum('Unacknowledged') }
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
    select c."Value" as "RegionId", r."RegionName" as "City", c."Count"
    from (${counts(actor, project, 'RegionId')}) c left join region r on r."Id" = c."Value"
    order by c."Value" is null, 3 desc, 2 limit 500`)
  return { TotalCount: Items.reduce((sum, row) => sum + row.Count, 0), Items }
}
