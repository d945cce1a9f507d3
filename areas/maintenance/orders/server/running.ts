// Running hours of machines, from a running point (a state with a standard parameter) or an hour counter.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { mostReadings } from '../../../../server/telemetry/meaning/statistics.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { calDataType, meaningsOf } from '../../../analysis/telemetry/server/service.ts'
import { point } from '../../../configuration/points/contract.ts'
import { mtnMaintenanceOrder } from '../contract.ts'
import type { Stop } from '../figures.ts'

export type Reader = { db: Db; actor: Actor; telemetry?: Pick<Telemetry, 'statistics'> | undefined }
/** `Rank`: precedence as an indicator of running; lower is more reliable. */
export type RunningPoint = { Id: number; DeviceId: number; EnterpriseId: number; IsState: boolean; Rank: number }

const hour = 3_600_000
/** Standard parameters of running points, in order of precedence. */
const codes = ['state.running', 'state.pump', 'state.compressor', 'state.fan']
const units = ['h', 'hours', '小时', '時間']

/** Ignores a parameter that several points share, such as two pumps. */
const surest = (of: readonly RunningPoint[]): RunningPoint | undefined => {
  const states = of.filter(({ IsState }) => IsState)
  const best = Math.min(...states.map(({ Rank }) => Rank))
  const running = states.filter(({ Rank }) => Rank === best)
  return running.length === 1 ? running[0] : of.find(({ IsState }) => !IsState)
}
/** Keyed by visible device. The standard parameter takes precedence over a counter in hours. */
export const runningPointsOf = async ({ db, actor }: Reader, devices: readonly number[]): Promise<Map<number, RunningPoint>> => {
  if (!devices.length) return new Map()
  const rows = await db.rows<RunningPoint>(sql`
    select t."Id", t."DeviceId", t."EnterpriseId", ${calDataType} = 3 as "IsState",
      coalesce(array_position(${codes}::text[], s."Code"), case when s."Code" = 'hours.running' then 5 else 6 end) as "Rank"
    from point t left join point_meaning m on m."PointId" = t."Id" left join standard_para s on s."Id" = t."StandardParaId"
    where t."DeviceId" = any(${devices}::bigint[]) and ${visible(point, actor)} and (
      ${calDataType} = 3 and s."Code" = any(${codes}::text[])
      or m."CalDataType" = 1 and (s."Code" = 'hours.running' or lower(t."ParaUnitName") = any(${units}::text[])))
    order by "Rank", t."Id"`)
  const found = [...Map.groupBy(rows, (row) => row.DeviceId)].map(([device, of]) => [device, surest(of)] as const)
  return new Map(found.flatMap(([device, of]) => (of ? [[device, of]] : [])))
}

type Hours = { on: number; off: number }
/** Running hours and downtime between edges. Counters have no downtime; points without values are omitted. */
export const hoursOf = async ({ db, actor, telemetry }: Reader, points: readonly RunningPoint[], edges: readonly number[]) => {
  const hours = new Map<number, Hours[]>()
  if (!telemetry || !points.length || edges.at(-1)! <= edges[0]!) return hours
  // Queries states point by point: durations over a year fit only a few points at a time. Counters use roll-ups.
  const groups = [...Map.groupBy(points, ({ Id, EnterpriseId, IsState }) => (IsState ? `point ${Id}` : EnterpriseId)).values()]
  for (const of of groups) {
    const ids = of.map(({ Id }) => Id)
    const { meanings } = await meaningsOf(db, actor, ids)
    const most = of[0]!.IsState ? mostReadings : 0
    for (const { id, parts } of await telemetry.statistics.of(meanings, { edges: [...edges] }, most, true)) {
      const { DeviceId, IsState } = of.find(({ Id }) => Id === id)!
      if (parts.every(({ total }) => total === null)) continue
      hours.set(
        DeviceId,
        parts.map(({ total, offMs }) => ({ on: total ?? 0, off: IsState ? offMs / hour : 0 })),
      )
    }
  }
  return hours
}

/** Merges stops into disjoint intervals within a range. */
const merged = (stops: readonly Stop[], from: number, to: number): Stop[] => {
  const spans: Stop[] = []
  for (const { start, end } of stops.toSorted((a, b) => a.start - b.start)) {
    const [begin, until] = [Math.max(start, from), Math.min(end, to)]
    const last = spans.at(-1)
    if (until <= begin) continue
    if (last && begin <= last.end) last.end = Math.max(last.end, until)
    else spans.push({ start: begin, end: until })
  }
  return spans
}
/** Downtime in hours within the given stops, from the running point. Undefined without a running point or values. */
export const stoodIn = async (reader: Reader, of: RunningPoint | undefined, stops: readonly Stop[], from: number, to: number) => {
  const spans = of?.IsState ? merged(stops, from, to) : []
  if (!of || !spans.length) return
  const parts = (
    await hoursOf(
      reader,
      [of],
      spans.flatMap(({ start, end }) => [start, end]),
    )
  ).get(of.DeviceId)
  return parts?.reduce((sum, { off }, i) => sum + (i % 2 ? 0 : off), 0)
}

/** Downtime in hours since the report, for repairs reported as stopping the machine. */
export const stoodSince = async (reader: Reader, id: number, now: number) => {
  const [order] = await reader.db.rows<{ DeviceId: number; Start: number }>(sql`
    select t."DeviceId", (extract(epoch from t."ReportTime") * 1000)::float8 as "Start" from mtn_maintenance_order t
    where t."Id" = ${id} and t."Stopped" = 1 and t."DeviceId" is not null and t."StopHours" is null and t."Status" = 2 and ${visible(mtnMaintenanceOrder, reader.actor)}`)
  if (!order) return
  const of = (await runningPointsOf(reader, [order.DeviceId])).get(order.DeviceId)
  const hours = await stoodIn(reader, of, [{ start: order.Start, end: now }], order.Start, now)
  return hours === undefined ? undefined : Math.min(Math.round(hours * 100) / 100, mtnMaintenanceOrder.fields.StopHours.max)
}
