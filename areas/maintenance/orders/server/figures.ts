// Computes maintenance KPIs from one scan of the orders and the hour counters of machines.
import { sql } from 'kysely'
import type { Answer } from '../../../../contract/call.ts'
import { dayNumber } from '../../../../contract/days.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { meaningsOf } from '../../../analysis/telemetry/server/service.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { mtnCheckOrder } from '../../patrols/contract.ts'
import { seesCost } from '../../spare-parts/contract.ts'
import { mtnUpKeepOrder } from '../../upkeep/contract.ts'
import { mtnMaintenanceOrder } from '../contract.ts'
import { type figureCalls, mostDays, type Stop, stoppedIn } from '../figures.ts'

type Figures = Answer<typeof figureCalls.figures>
type Asked = { DateFrom: string; DateTo: string; ProjectId?: number | undefined }
type Reader = { db: Db; actor: Actor; telemetry?: Pick<Telemetry, 'statistics'> | undefined; now: number }
const r = mtnMaintenanceOrder
const hour = 3_600_000
/** Maximum machines listed, and maximum machines whose counters are read. */
const [mostMachines, mostCounters] = [50, 200]
const round = (value: number, digits = 2) => Math.round(value * 10 ** digits) / 10 ** digits
const share = (part: number, of: number) => (of ? round((100 * part) / of, 1) : null)

type Row = {
  Machine: string
  DeviceId: number | null
  EnterpriseId: number
  Stops: Stop[] | null
  Failures: number
  Repaired: number
  RepairHours: number
  Cost: number
}

/** Running hours from the machines' hour counters, up to now. */
const countedHours = async ({ db, actor, telemetry }: Reader, machines: readonly Row[], from: number, to: number) => {
  const hours = new Map<number, number>()
  if (!telemetry || to <= from) return hours
  const ids = machines.flatMap(({ DeviceId }) => DeviceId ?? []).slice(0, mostCounters)
  const points = await db.rows<{ Id: number; DeviceId: number; EnterpriseId: number }>(sql`
    select distinct on (t."DeviceId") t."Id", t."DeviceId", t."EnterpriseId" from point t join point_meaning m on m."PointId" = t."Id"
    where t."DeviceId" = any(${ids}::bigint[]) and m."CalDataType" = 1 and lower(t."ParaUnitName") in ('h', 'hours', '小时', '時間') order by t."DeviceId", t."Id"`)
  for (const of of Map.groupBy(points, (point) => point.EnterpriseId).values()) {
    const { meanings } = await meaningsOf(
      db,
      actor,
      of.map(({ Id }) => Id),
    )
    for (const { id, parts } of await telemetry.statistics.of(meanings, { edges: [from, to] }, 0)) {
      const total = parts[0]?.total
      if (typeof total === 'number') hours.set(of.find(({ Id }) => Id === id)!.DeviceId, total)
    }
  }
  return hours
}

const ofMachine = (
  stopMs: number,
  running: number,
  calendar: number,
  { Failures, Repaired, RepairHours }: Pick<Row, 'Failures' | 'Repaired' | 'RepairHours'>,
) => ({
  ...{ Failures, StopHours: round(stopMs / hour), RunningHours: round(running) },
  Mtbf: Failures ? round(running / Failures) : null,
  Mttr: Repaired ? round(RepairHours / Repaired) : null,
  Availability: calendar > 0 ? round(100 * (1 - stopMs / hour / calendar)) : null,
})

/** Reads what the figures count. */
const scanOrders = ({ db, actor, now }: Reader, { DateFrom, DateTo, ProjectId }: Asked) => {
  const zone = actor.zone ?? actor.tenantZone
  const [from, to] = [
    sql`(${DateFrom}::timestamp at time zone ${zone}::text)`,
    sql`((${DateTo}::date + 1)::timestamp at time zone ${zone}::text)`,
  ]
  const mine = sql`${visible(r, actor)} and ${ProjectId ? sql`t."ProjectId" = ${ProjectId}` : sql`true`}`
  const ended = sql`(t."FinishTime" >= ${from} and t."FinishTime" < ${to} and t."Status" in (4, 5))`
  const reported = sql`(t."ReportTime" >= ${from} and t."ReportTime" < ${to} and t."Status" <> 6)`
  const stopEnd = sql`case when t."StopHours" is not null then t."ReportTime" + t."StopHours" * interval '1 hour' else coalesce(t."FinishTime", ${new Date(now)}::timestamptz) end`
  const money = sql`(sum(t."Cost") filter (where ${ended}) / 1e9)::float8`
  const planned = (table: string, of: typeof mtnUpKeepOrder) => sql`
    select to_char(t."PlanTime" at time zone ${zone}::text, 'YYYY-MM') as m, 1 as p, 0 as r from ${sql.table(table)} t
    where t."PlanTime" >= ${from} and t."PlanTime" < ${to} and t."Status" <> 5 and ${visible(of, actor)} and ${ProjectId ? sql`t."ProjectId" = ${ProjectId}` : sql`true`}`
  return db.all([
    sql<Row>`
      select t."Machine", t."DeviceId", t."EnterpriseId", count(*) filter (where t."IsFailure" = 1 and ${reported})::int as "Failures",
        jsonb_agg(jsonb_build_object('start', extract(epoch from t."ReportTime") * 1000, 'end', extract(epoch from ${stopEnd}) * 1000)) filter (where t."IsFailure" = 1) as "Stops",
        count(*) filter (where ${ended})::int as "Repaired", coalesce(sum(extract(epoch from t."FinishTime" - t."ReportTime") / 3600) filter (where ${ended}), 0)::float8 as "RepairHours",
        coalesce(${money}, 0) as "Cost"
      from mtn_maintenance_order t where ${mine} and t."Status" <> 6 and (${ended} or ${reported} or t."IsFailure" = 1 and t."ReportTime" < ${to} and ${stopEnd} > ${from})
      group by 1, 2, 3`,
    sql<{
      Finished: number
      First: number
      Checked: number
      OnTime: number
      Dated: number
      Cost: number | null
      Labor: number | null
      Open: number
    }>`
      select count(*) filter (where ${ended})::int as "Finished", count(*) filter (where ${ended} and t."FirstTime" = 1)::int as "First",
        count(*) filter (where ${ended} and t."FirstTime" is not null)::int as "Checked", count(*) filter (where ${ended} and t."OnTime" = 1)::int as "OnTime",
        count(*) filter (where ${ended} and t."OnTime" is not null)::int as "Dated", ${money} as "Cost", avg(t."LaborHours") filter (where ${ended}) as "Labor",
        count(*) filter (where t."Status" in (0, 1, 2, 3))::int as "Open"
      from mtn_maintenance_order t where ${mine} and (${ended} or t."Status" in (0, 1, 2, 3))`,
    sql<{ CauseType: number | null; Count: number; Cost: number }>`
      select t."CauseType", count(*)::int as "Count", coalesce(${money}, 0) as "Cost" from mtn_maintenance_order t where ${mine} and ${ended} group by 1 order by 2 desc, 1`,
    sql<Figures['Months'][number]>`
      select m as "Month", sum(p)::int as "Planned", sum(r)::int as "Reactive" from (
        ${planned('mtn_up_keep_order', mtnUpKeepOrder)} union all ${planned('mtn_check_order', mtnCheckOrder as never)}
        union all select to_char(t."ReportTime" at time zone ${zone}::text, 'YYYY-MM'), 0, 1 from mtn_maintenance_order t where ${mine} and ${reported}) x group by 1 order by 1`,
    sql<{
      start: number
      end: number
    }>`select (extract(epoch from ${from}) * 1000)::float8 as start, (extract(epoch from ${to}) * 1000)::float8 as "end"`,
  ])
}

const namesOf = async ({ db, actor }: Reader, machines: readonly Row[]) => {
  const rows = await db.rows<{ Id: number; DeviceName: string }>(sql`
    select t."Id", t."DeviceName" from device t where t."Id" = any(${machines.flatMap(({ DeviceId }) => DeviceId ?? [])}::bigint[]) and ${visible(device, actor)}`)
  return new Map(rows.map(({ Id, DeviceName }) => [Id, DeviceName]))
}

export const figuresOf = async (reader: Reader, asked: Asked): Promise<Figures> => {
  const [DateFrom, DateTo] = [asked.DateFrom.slice(0, 10), asked.DateTo.slice(0, 10)]
  const days = dayNumber(DateTo) - dayNumber(DateFrom)
  if (!(days >= 0 && days < mostDays)) throw new FieldFaults([{ field: 'DateTo', rule: 'fault.rangeTooLong' }])
  const [machines, [sums], causes, Months, [edge]] = await scanOrders(reader, { ...asked, DateFrom, DateTo })
  const sees = reader.actor.may.has(seesCost)
  const [start, end] = [edge!.start, Math.max(edge!.start, Math.min(edge!.end, reader.now))]
  const calendar = (end - start) / hour
  const counted = await countedHours(reader, machines, start, end)
  const names = await namesOf(reader, machines)
  const each = machines.map((row) => {
    const stopMs = stoppedIn(row.Stops ?? [], start, end)
    const byCounter = row.DeviceId === null ? undefined : counted.get(row.DeviceId)
    const running = byCounter ?? Math.max(0, calendar - stopMs / hour)
    return { row, stopMs, running, ByCounter: Number(byCounter !== undefined) }
  })
  const all = each.reduce(
    (sum, { row, stopMs, running }) => ({
      ...{ stopMs: sum.stopMs + stopMs, running: sum.running + running, Failures: sum.Failures + row.Failures },
      ...{ Repaired: sum.Repaired + row.Repaired, RepairHours: sum.RepairHours + row.RepairHours },
    }),
    { stopMs: 0, running: 0, Failures: 0, Repaired: 0, RepairHours: 0 },
  )
  const cost = (amount: number | null) => (sees ? round(amount ?? 0) : null)
  const { Finished, First, Checked, OnTime, Dated, Cost, Labor, Open } = sums!
  return {
    ...ofMachine(all.stopMs, all.running, calendar * each.length, all),
    ...{ Finished, FirstTime: share(First, Checked), OnTime: share(OnTime, Dated), OpenCount: Open, Cost: cost(Cost) },
    BacklogHours: Labor === null ? null : round(Open * Number(Labor), 1),
    Planned: Months.reduce((sum, { Planned }) => sum + Planned, 0),
    Reactive: Months.reduce((sum, { Reactive }) => sum + Reactive, 0),
    Machines: each
      .toSorted((a, b) => b.row.Failures - a.row.Failures || b.stopMs - a.stopMs || (sees ? b.row.Cost - a.row.Cost : 0))
      .slice(0, mostMachines)
      .map(({ row, stopMs, running, ByCounter }) => ({
        ...{ DeviceId: row.DeviceId, Name: (row.DeviceId && names.get(row.DeviceId)) || '', ByCounter, Cost: cost(row.Cost) },
        ...ofMachine(stopMs, running, calendar, row),
      })),
    Causes: causes.map(({ CauseType, Count, Cost }) => ({ CauseType, Count, Cost: cost(Cost) })),
    Months,
  }
}
