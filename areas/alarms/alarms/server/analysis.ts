// Alarm statistics: counts, times, floods, chattering (ISA-18.2).
import { type RawBuilder, sql } from 'kysely'
import type { Language } from '../../../../contract/languages.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { titleOf, visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { shiftsIn } from '../../../../server/telemetry/meaning/shifts.ts'
import { shiftPlansIn } from '../../../analysis/shifts/server/service.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { alarmInfo } from '../contract.ts'
import { nameIn } from './alarming/names.ts'

/** Number of alarms that form a flood within these minutes, and repetitions within a minute that count as chattering. */
const flood = { minutes: 10, more: 10 }
const chatter = 3

const zoneOf = (actor: Actor) => actor.zone ?? actor.tenantZone
const local = (actor: Actor) => sql`"StartTime" at time zone ${zoneOf(actor)}::text`

/** Maximum minutes with alarms that are assigned to shifts. */
const mostMinutes = 100_000
/** Alarms by the shift in which they began, in the company's time zone. */
const byShift = async (db: Db, projectId: number, of: RawBuilder<unknown>) => {
  const plans = await shiftPlansIn(db, projectId)
  if (!plans.length) return []
  const [minutes, [company]] = await db.all([
    sql<{ At: number; Count: number }>`
      select (extract(epoch from date_trunc('minute', "StartTime")) * 1000)::float8 as "At", count(*)::int as "Count" ${of}
      group by 1 order by 1 limit ${mostMinutes}`,
    sql<{ Zone: string }>`
      select e."TimeZoneKey" as "Zone" from project p join enterprise e on e."Id" = p."EnterpriseId" where p."Id" = ${projectId}`,
  ])
  const [first, last] = [minutes[0], minutes.at(-1)]
  if (!first || !last || !company) return []
  const shifts = shiftsIn(plans, first.At, last.At + 60_000, company.Zone)
  const counts = new Map(shifts.map(({ name }) => [name, 0]))
  let at = 0
  for (const { At, Count } of minutes) {
    while (at < shifts.length && shifts[at]!.end <= At) at++
    const shift = shifts[at]
    const name = shift && shift.start <= At ? shift.name : ''
    counts.set(name, (counts.get(name) ?? 0) + Count)
  }
  return [...counts].map(([Shift, Count]) => ({ Shift, Count }))
}

type Asked = { StartDate: string; EndDate: string; ProjectId?: number }

export const analyse = async (db: Db, actor: Actor, language: Language, { StartDate, EndDate, ProjectId }: Asked) => {
  for (const [field, day] of [
    ['StartDate', StartDate],
    ['EndDate', EndDate],
  ] as const) {
    const time = Date.parse(day.slice(0, 10))
    if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day.slice(0, 10))
      throw new FieldFaults([{ field, rule: 'type' }])
  }
  if (ProjectId) await store(project).find(db, actor, ProjectId)
  const zone = zoneOf(actor)
  const of = sql`from alarm_info t where "StartTime" >= ${StartDate.slice(0, 10)}::date::timestamp at time zone ${zone}::text and "StartTime" < (${EndDate.slice(0, 10)}::date + 1)::timestamp at time zone ${zone}::text
    and ${ProjectId ? sql`"ProjectId" = ${ProjectId}` : sql`true`} and ${visible(alarmInfo, actor)}`
  const moment = (name: string) => sql`to_char(${sql.raw(`"${name}"`)} at time zone ${zone}::text, 'YYYY-MM-DD HH24:MI:SS')`
  const [[sums], Levels, Devices, Days, Floods, Chattering] = await db.all([
    sql<{ Total: number; False: number; MeanAckSeconds: number | null; MeanRecoverSeconds: number | null; Standing: number }>`
      select count(*)::int as "Total", count(*) filter (where "IsFalse" = 1)::int as "False",
        avg(extract(epoch from "AckTime" - "StartTime"))::float8 as "MeanAckSeconds", avg(extract(epoch from "RecoverTime" - "StartTime"))::float8 as "MeanRecoverSeconds",
        count(*) filter (where "IsActive" = 1 and "StartTime" < now() - interval '1 day')::int as "Standing" ${of}`,
    sql<{ AlarmLevel: number; Count: number }>`select "AlarmLevel", count(*)::int as "Count" ${of} group by 1 order by 1`,
    sql<{ DeviceId: number; DeviceName: string; Count: number }>`
      select x.*, coalesce(${titleOf(['DeviceName', 'DeviceId', 'device'], actor, { alias: 'x' })}, '') as "DeviceName" from
        (select "DeviceId", count(*)::int as "Count" ${of} and "DeviceId" is not null group by 1 order by 2 desc, 1 limit 10) x order by 2 desc, 1`,
    sql<{
      Date: string
      Count: number
    }>`select to_char(${local(actor)}, 'YYYY-MM-DD') as "Date", count(*)::int as "Count" ${of} group by 1 order by 1 limit 400`,
    sql<{ Time: string; Count: number }>`
      select ${moment('Bucket')} as "Time", "Count" from (select date_bin(make_interval(mins => ${flood.minutes}), "StartTime", timestamptz 'epoch') as "Bucket", count(*)::int as "Count" ${of} group by 1) f
      where "Count" > ${flood.more} order by "Count" desc, "Bucket" limit 20`,
    sql<{ RuleName: string; GatewayFault: number | null; Count: number }>`
      select "RuleName", "GatewayFault", sum("Count")::int as "Count"
      from (select "RuleName", "GatewayFault", "Subject", date_trunc('minute', "StartTime") as "Minute", count(*)::int as "Count" ${of} group by 1, 2, 3, 4) c
      where "Count" >= ${chatter} group by 1, 2 order by 3 desc, 1 limit 10`,
  ])
  const Shifts = ProjectId ? await byShift(db, ProjectId, of) : []
  return {
    ...sums!,
    Shifts,
    Levels,
    Devices,
    Days,
    Floods,
    Chattering: Chattering.map((c) => ({ RuleName: nameIn(language, c), Count: c.Count })),
  }
}
