// Computes maintenance KPIs from one scan of the repair orders and the hour counters of machines.
import { sql } from 'kysely'
import type { Answer } from '../../../../contract/call.ts'
import { dayNumber } from '../../../../contract/days.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { mtnCheckOrder } from '../../patrols/contract.ts'
import { seesCost } from '../../spare-parts/contract.ts'
import { mtnUpKeepOrder } from '../../upkeep/contract.ts'
import { mtnMaintenanceOrder } from '../contract.ts'
import { type figureCalls, mostDays, type Stop, stoppedIn } from '../figures.ts'
import { hoursOf, type Reader as Runs, runningPointsOf, stoodIn } from './running.ts'

type Figures = Answer<typeof figureCalls.figures>
type Asked = { DateFrom: string; DateTo: string; ProjectId?: number | undefined }
type Reader = Runs & { now: number }
const r = mtnMaintenanceOrder
const hour = 3_600_000
/** Maximum machines listed, and maximum machines whose running is read. */
const [mostMachines, mostRead] = [50, 200]
const round = (value: number, digits = 2) => Math.round(value * 10 ** digits) / 10 ** digits
const share = (part: number, of: number) => (of ? round((100 * part) / of, 1) : null)

type Row = {
  Machine: string
  DeviceId: number | null
  EnterpriseId: number
  /** Start times of the machine's stops by cause, epoch ms. */
  Starts: number[][] | null
  Ends: number[][] | null
  /** Finish time of each stop's order. */
  Closes: number[][] | null
  Failures: number
  Repaired: number
  RepairHours: number
  Cost: number
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

type Sums = { Finished: number; First: number; Checked: number; OnTime: number; Dated: number; Cost: number | null; Labor: number | null }
type Scanned = {
  Machines: Row[] | null
  Sums: Sums
  Causes: { CauseType: number | null; Count: number; Cost: number }[] | null
  Start: number
  End: number
}

/** Scans the orders of the range, summed by machine and cause. All other sums derive from these. */
const scanOrders = ({ db, actor, now }: Reader, { DateFrom, DateTo, ProjectId }: Asked) => {
  const zone = actor.zone ?? actor.tenantZone
  const [from, to] = [
    sql`(${DateFrom}::timestamp at time zone ${zone}::text)`,
    sql`((${DateTo}::date + 1)::timestamp at time zone ${zone}::text)`,
  ]
  const inProject = ProjectId ? sql`t."ProjectId" = ${ProjectId}` : sql`true`
  const mine = sql`${visible(r, actor)} and ${inProject}`
  const ended = sql`(t."FinishTime" >= ${from} and t."FinishTime" < ${to} and t."Status" in (4, 5))`
  const reported = sql`(t."ReportTime" >= ${from} and t."ReportTime" < ${to} and t."Status" <> 6)`
  const stopEnd = sql`case when t."StopHours" is not null then t."ReportTime" + t."StopHours" * interval '1 hour' else coalesce(t."FinishTime", ${new Date(now)}::timestamptz) end`
  const planCost = (table: string, of: typeof mtnUpKeepOrder) => sql`
    select coalesce(t."PartsCost", 0) + coalesce(t."LaborCost", 0) as cost from ${sql.table(table)} t
    where t."FinishTime" >= ${from} and t."FinishTime" < ${to} and t."Status" in (2, 3) and ${visible(of, actor)} and ${inProject}`
  const month = (at: string) => sql`date_trunc('month', ${sql.raw(at)} at time zone ${zone}::text)`
  const planned = (table: string, of: typeof mtnUpKeepOrder) => sql`
    select ${month('t."PlanTime"')} as m from ${sql.table(table)} t
    where t."PlanTime" >= ${from} and t."PlanTime" < ${to} and t."Status" <> 5 and ${visible(of, actor)} and ${inProject}`
  return db.all([
    sql<Scanned>`
      with o as (
        select t."Machine", t."DeviceId", t."EnterpriseId", t."CauseType", t."ReportTime", t."FinishTime", t."Cost", t."LaborHours", t."FirstTime", t."OnTime",
          t."IsFailure" = 1 as stops, ${stopEnd} as stop_end, coalesce(${ended}, false) as ended, coalesce(${reported}, false) as reported
        from mtn_maintenance_order t where ${mine} and t."Status" <> 6 and (${ended} or ${reported} or t."IsFailure" = 1 and t."ReportTime" < ${to} and ${stopEnd} > ${from}) offset 0),
      g as materialized (
        select "Machine", "DeviceId", "EnterpriseId", "CauseType", count(*) filter (where stops and reported) as failures,
          array_agg((extract(epoch from "ReportTime") * 1000)::float8) filter (where stops) as starts, array_agg((extract(epoch from stop_end) * 1000)::float8) filter (where stops) as ends,
          array_agg((extract(epoch from coalesce("FinishTime", ${new Date(now)}::timestamptz)) * 1000)::float8) filter (where stops) as closes,
          count(*) filter (where ended) as ended, sum("FinishTime" - "ReportTime") filter (where ended) as span, sum("Cost") filter (where ended) as cost,
          sum("LaborHours") filter (where ended) as labor, count("LaborHours") filter (where ended) as labors, count(*) filter (where ended and "FirstTime" = 1) as first,
          count("FirstTime") filter (where ended) as checked, count(*) filter (where ended and "OnTime" = 1) as on_time, count("OnTime") filter (where ended) as dated
        from o group by 1, 2, 3, 4)
      select (select json_agg(m) from (
          select "Machine", "DeviceId", "EnterpriseId", sum(failures) as "Failures", json_agg(starts) filter (where starts is not null) as "Starts",
            json_agg(ends) filter (where ends is not null) as "Ends", json_agg(closes) filter (where closes is not null) as "Closes", sum(ended) as "Repaired",
            coalesce(extract(epoch from sum(span)) / 3600, 0)::float8 as "RepairHours", coalesce((sum(cost) / 1e9)::float8, 0) as "Cost"
          from g group by 1, 2, 3) m) as "Machines",
        (select to_json(s) from (
          select coalesce(sum(ended), 0) as "Finished", coalesce(sum(first), 0) as "First", coalesce(sum(checked), 0) as "Checked", coalesce(sum(on_time), 0) as "OnTime",
            coalesce(sum(dated), 0) as "Dated", (sum(cost) / 1e9)::float8 as "Cost", sum(labor) / nullif(sum(labors), 0) as "Labor" from g) s) as "Sums",
        (select json_agg(c) from (
          select "CauseType", sum(ended) as "Count", coalesce((sum(cost) / 1e9)::float8, 0) as "Cost" from g where ended > 0 group by 1 order by 2 desc, 1) c) as "Causes",
        (extract(epoch from ${from}) * 1000)::float8 as "Start", (extract(epoch from ${to}) * 1000)::float8 as "End"`,
    sql<{ Month: string; Reactive: number }>`
      select to_char(m, 'YYYY-MM') as "Month", count(*)::int as "Reactive" from (
        select ${month('t."ReportTime"')} as m from mtn_maintenance_order t where ${mine} and ${reported}) x group by m`,
    sql<{ Open: number }>`select count(*)::int as "Open" from mtn_maintenance_order t where ${mine} and t."Status" in (0, 1, 2, 3)`,
    sql<{ Month: string; Planned: number }>`
      select to_char(m, 'YYYY-MM') as "Month", count(*)::int as "Planned" from (${planned('mtn_up_keep_order', mtnUpKeepOrder)} union all ${planned('mtn_check_order', mtnCheckOrder as never)}) x group by m`,
    sql<{ Cost: number }>`
      select coalesce((sum(cost) / 1e9)::float8, 0) as "Cost" from (${planCost('mtn_up_keep_order', mtnUpKeepOrder)} union all ${planCost('mtn_check_order', mtnCheckOrder as never)}) x`,
  ])
}

/** Orders from plans and repairs by month, in order. */
const monthsOf = (planned: readonly { Month: string; Planned: number }[], repairs: readonly { Month: string; Reactive: number }[]) => {
  const months = new Map<string, Figures['Months'][number]>()
  for (const of of [...planned, ...repairs]) months.set(of.Month, { Planned: 0, Reactive: 0, ...months.get(of.Month), ...of })
  return [...months.values()].toSorted((a, b) => (a.Month < b.Month ? -1 : 1))
}

const namesOf = async ({ db, actor }: Reader, machines: readonly Row[]) => {
  const rows = await db.rows<{ Id: number; DeviceName: string }>(sql`
    select t."Id", t."DeviceName" from device t where t."Id" = any(${machines.flatMap(({ DeviceId }) => DeviceId ?? [])}::bigint[]) and ${visible(device, actor)}`)
  return new Map(rows.map(({ Id, DeviceName }) => [Id, DeviceName]))
}

/** Downtime and running hours of each machine: by its running point or hour counter, else by its orders and the calendar. */
const runningOf = async (reader: Reader, machines: readonly Row[], start: number, end: number) => {
  const points = await runningPointsOf(reader, machines.flatMap(({ DeviceId }) => DeviceId ?? []).slice(0, mostRead))
  const hours = await hoursOf(reader, [...points.values()], [start, end])
  const each = []
  for (const row of machines) {
    const [starts, ends, closes] = [row.Starts, row.Ends, row.Closes].map((of) => (of ?? []).flat())
    const until = (of: readonly number[]) => starts!.map((start, i): Stop => ({ start, end: of[i]! }))
    const of = row.DeviceId === null ? undefined : points.get(row.DeviceId)
    const stood = await stoodIn(reader, of, until(closes!), start, end)
    const stopMs = stood === undefined ? stoppedIn(until(ends!), start, end) : stood * hour
    const ran = of && hours.get(of.DeviceId)?.[0]?.on
    const running = ran ?? Math.max(0, (end - start - stopMs) / hour)
    each.push({ row, stopMs, running, ByCounter: ran === undefined ? 0 : of!.IsState ? 2 : 1 })
  }
  return each
}

export const figuresOf = async (reader: Reader, asked: Asked): Promise<Figures> => {
  const [DateFrom, DateTo] = [asked.DateFrom.slice(0, 10), asked.DateTo.slice(0, 10)]
  const days = dayNumber(DateTo) - dayNumber(DateFrom)
  if (!(days >= 0 && days < mostDays)) throw new FieldFaults([{ field: 'DateTo', rule: 'fault.rangeTooLong' }])
  const [[scanned], repairs, [open], planned, [plans]] = await scanOrders(reader, { ...asked, DateFrom, DateTo })
  const { Machines, Sums, Causes, Start, End } = scanned!
  const machines = Machines ?? []
  const Months = monthsOf(planned, repairs)
  const sees = reader.actor.may.has(seesCost)
  const [start, end] = [Start, Math.max(Start, Math.min(End, reader.now))]
  const calendar = (end - start) / hour
  const each = await runningOf(reader, machines, start, end)
  const names = await namesOf(reader, machines)
  const all = each.reduce(
    (sum, { row, stopMs, running }) => ({
      ...{ stopMs: sum.stopMs + stopMs, running: sum.running + running, Failures: sum.Failures + row.Failures },
      ...{ Repaired: sum.Repaired + row.Repaired, RepairHours: sum.RepairHours + row.RepairHours },
    }),
    { stopMs: 0, running: 0, Failures: 0, Repaired: 0, RepairHours: 0 },
  )
  const cost = (amount: number | null) => (sees ? round(amount ?? 0) : null)
  const { Finished, First, Checked, OnTime, Dated, Cost, Labor } = Sums
  const { Open } = open!
  return {
    ...ofMachine(all.stopMs, all.running, calendar * each.length, all),
    ...{
      Finished,
      FirstTime: share(First, Checked),
      OnTime: share(OnTime, Dated),
      OpenCount: Open,
      Cost: cost(Cost),
      PlannedCost: cost(plans!.Cost),
    },
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
    Causes: (Causes ?? []).map(({ CauseType, Count, Cost }) => ({ CauseType, Count, Cost: cost(Cost) })),
    Months,
  }
}
