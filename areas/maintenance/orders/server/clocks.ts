// Sets the deadlines of an order. Urgency and holds change them; a due date set by a planner stays.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { readSettings } from '../../../../server/resource/settings.ts'
import { shiftsIn } from '../../../../server/telemetry/meaning/shifts.ts'
import { shiftPlansIn } from '../../../analysis/shifts/server/service.ts'
import { dueAt, type Hold, orderClocks, type Span } from '../clocks.ts'

const [minute, day] = [60_000, 86_400_000]
/** Horizon of a clock, for a plant that works one shift a week. */
const horizon = 400 * day
const always: Span[] = [{ start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY }]

type Clocked = {
  EnterpriseId: number
  ProjectId: number
  Urgency: 1 | 2 | 3
  Report: number
  Zone: string
  Holds: Hold[] | null
  DueByClock: number
  HasDate: boolean
}

/** Working time of a project; around the clock without shifts. */
const workOf = async (db: Db, { ProjectId, Report, Zone }: Clocked, holds: readonly Hold[]): Promise<Span[]> => {
  const plans = await shiftPlansIn(db, ProjectId)
  const held = holds.reduce((sum, { start, end }) => sum + (end ?? start) - start, 0)
  return plans.length ? shiftsIn(plans, Report, Report + horizon + held, Zone) : always
}

/** Recalculates the deadlines of an order from its urgency, holds and the tenant's settings. */
export const setClocks = async (db: Db, id: number) => {
  const [order] = await db.rows<Clocked>(sql`
    select o."EnterpriseId", o."ProjectId", o."Urgency", (extract(epoch from o."ReportTime") * 1000)::float8 as "Report", e."TimeZoneKey" as "Zone", o."Holds",
      o."DueByClock", o."PlanFinishTime" is not null as "HasDate"
    from mtn_maintenance_order o join enterprise e on e."Id" = o."EnterpriseId" where o."Id" = ${id}`)
  if (!order) return
  const s = await readSettings(db, orderClocks, order.EnterpriseId)
  const minutes = [s[`Respond${order.Urgency}`], s[`Arrive${order.Urgency}`], s[`Finish${order.Urgency}`]]
  const holds = order.Holds ?? []
  const needsWork = s[`ByShifts${order.Urgency}`] === 1 && minutes.some(Boolean)
  const work = needsWork ? await workOf(db, order, holds) : always
  const [respond, arrive, finish] = minutes.map((of) => {
    const at = of ? dueAt(order.Report, of * minute, work, holds) : undefined
    return at === undefined ? sql`null` : sql`${new Date(at)}::timestamptz`
  })
  const isClocks = order.DueByClock === 1 || (!order.HasDate && Boolean(minutes[2]))
  await db.rows(sql`
    update mtn_maintenance_order set "RespondDue" = ${respond}, "ArriveDue" = ${arrive}
      ${isClocks ? sql`, "PlanFinishTime" = ${finish}, "DueByClock" = 1` : sql``} where "Id" = ${id}`)
}

/** Begins or ends a hold that pauses the clocks. A hold never ends before its start. */
export const holdClocks = async (db: Db, id: number, begins: boolean, now: number) => {
  const [row] = await db.rows<{ Holds: Hold[] | null }>(sql`select "Holds" from mtn_maintenance_order where "Id" = ${id}`)
  const holds = row?.Holds ?? []
  const open = holds.at(-1)?.end === null
  if (begins === open) return
  const next = begins
    ? [...holds, { start: now, end: null }]
    : [...holds.slice(0, -1), { ...holds.at(-1)!, end: Math.max(now, holds.at(-1)!.start) }]
  await db.rows(sql`update mtn_maintenance_order set "Holds" = ${JSON.stringify(next)}::jsonb where "Id" = ${id}`)
}
