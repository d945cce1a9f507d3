// Computes the duties of people from shift plans and assignments, and the punches from card readings.
import { sql } from 'kysely'
import { dayOf } from '../../../../contract/days.ts'
import type { Db } from '../../../../server/database/db.ts'
import { shiftsIn } from '../../../../server/telemetry/meaning/shifts.ts'
import { shiftPlansIn } from '../../../analysis/shifts/server/service.ts'
import { type Duty, graceOf, judgeDuty, type Reading, withWindows } from './judge.ts'

const day = 86_400_000
const rowsOf = (of: readonly object[]) => sql`${JSON.stringify(of)}::jsonb`

type Assigned = {
  ProjectId: number
  ShiftName: string
  UserId: number
  GraceMin: number
  Longitude: number | null
  Latitude: number | null
  RadiusM: number
  Since: number
  Zone: string
}
/**
 * People assigned to shifts of their project's plan: by name, as members of a roster, or as users of a department. Each person counts once
 * per shift, with the oldest assignment. `Since`: a changed assignment or roster does not apply to earlier shifts.
 */
const assignedIn = (db: Db, enterprise: number, user: number | null) =>
  db.rows<Assigned>(sql`
    select * from (
      select distinct on (a."ProjectId", a."ShiftName", u."Id") a."Id", a."ProjectId", a."ShiftName", u."Id" as "UserId", a."GraceMin", a."Longitude", a."Latitude",
        a."RadiusM", (extract(epoch from greatest(a."UpdateTime", r."UpdateTime")) * 1000)::float8 as "Since", e."TimeZoneKey" as "Zone"
      from mtn_shift_duty a join enterprise e on e."Id" = a."EnterpriseId" left join alarm_roster r on r."Id" = a."TeamId"
        join "user" u on u."EnterpriseId" = a."EnterpriseId" and u."Status" = 1 and (u."Id" = a."UserId" or u."DepartmentId" = a."DepartmentId"
          or r."Shifts" @> jsonb_build_array(jsonb_build_object('Users', jsonb_build_array(u."Id"))))
      where a."EnterpriseId" = ${enterprise} and (${user}::bigint is null or u."Id" = ${user}) and exists (
        select 1 from shift_plan s where s."ProjectId" = a."ProjectId" and s."Times" @> jsonb_build_array(jsonb_build_object('Name', a."ShiftName")))
      order by a."ProjectId", a."ShiftName", u."Id", a."Id") one order by "Id"`)

/** Duties that overlap a range, and the adjacent duties that bound their windows. */
export const dutiesIn = async (db: Db, enterprise: number, start: number, end: number, user: number | null = null): Promise<Duty[]> => {
  const assigned = await assignedIn(db, enterprise, user)
  if (!assigned.length) return []
  const projects = [...new Set(assigned.map(({ ProjectId }) => ProjectId))]
  const shifts = new Map<number, ReturnType<typeof shiftsIn>>()
  for (const project of projects)
    shifts.set(project, shiftsIn(await shiftPlansIn(db, project), start - 2 * day, end + 2 * day, assigned[0]!.Zone))
  const duties = assigned.flatMap(({ ProjectId, ShiftName, UserId, GraceMin, Longitude, Latitude, RadiusM, Since }) =>
    shifts.get(ProjectId)!.flatMap((shift) => {
      if (shift.name !== ShiftName) return []
      const place = Longitude !== null && Latitude !== null ? { Longitude, Latitude, RadiusM } : null
      const times = { start: shift.start, end: shift.end, grace: graceOf(GraceMin) }
      return [{ UserId, ShiftName, Day: dayOf(shift.day), ...times, place, isWatched: shift.start >= Since }]
    }),
  )
  return withWindows(duties).filter((duty) => duty.to > start && duty.from < end)
}

/** Card readings in the windows of duties. The position of a reader is that of its gateway's project. */
const readingsOf = async (db: Db, enterprise: number, duties: readonly Duty[]): Promise<Reading[][]> => {
  const windows = duties.map(({ UserId, from, to }, n) => ({ n, UserId, From: new Date(from), To: new Date(to) }))
  const rows = await db.rows<Reading & { n: number }>(sql`
    select w.n, (extract(epoch from h."ReadTime") * 1000)::float8 as at, h."RfidId", p."Longitude", p."Latitude"
    from jsonb_to_recordset(${rowsOf(windows)}) as w (n int, "UserId" bigint, "From" timestamptz, "To" timestamptz)
      join pro_rfid_history h on h."UserId" = w."UserId" and h."ReadTime" >= w."From" and h."ReadTime" < w."To"
      left join gateway g on g."Id" = h."GatewayId" left join project p on p."Id" = g."ProjectId"
    where h."EnterpriseId" = ${enterprise} and h."Result" in (0, 6) and h."ReaderType" <> 2 order by h."ReadTime", h."Id"`)
  const of = duties.map((): Reading[] => [])
  for (const { n, ...reading } of rows) of[n]!.push(reading)
  return of
}

type Changed = { Id: number }
/** Updates the punches of duties from the readings so far. Corrected punches stay. Returns the changed ones. */
export const judgeDuties = async (db: Db, enterprise: number, duties: readonly Duty[], now: number): Promise<Changed[]> => {
  const begun = duties.filter(({ from }) => from <= now)
  if (!begun.length) return []
  const readings = await readingsOf(db, enterprise, begun)
  const punches = begun.flatMap((duty, i) =>
    judgeDuty(duty, readings[i]!, now).map(({ at, planned, RfidId, metres, PunchType, Status }) => ({
      ...{ UserId: duty.UserId, Day: duty.Day, ShiftName: duty.ShiftName, PunchType, Status, RfidId, DistanceM: metres },
      ...{ PunchTime: new Date(at), PlanTime: new Date(planned), Way: RfidId === null ? null : 2 },
    })),
  )
  return db.rows<Changed>(sql`
    insert into mtn_punch_record as m ("EnterpriseId", "UserId", "Day", "ShiftName", "PunchType", "Status", "RfidId", "DistanceM", "PunchTime", "PlanTime", "Way")
    select ${enterprise}, p.* from jsonb_to_recordset(${rowsOf(punches)}) as p ("UserId" bigint, "Day" text, "ShiftName" text, "PunchType" smallint, "Status" smallint,
      "RfidId" bigint, "DistanceM" integer, "PunchTime" timestamptz, "PlanTime" timestamptz, "Way" smallint)
    on conflict ("UserId", "Day", "PunchType") do update set "PunchTime" = excluded."PunchTime", "PlanTime" = excluded."PlanTime", "Status" = excluded."Status",
      "RfidId" = excluded."RfidId", "DistanceM" = excluded."DistanceM", "Way" = excluded."Way", "ShiftName" = excluded."ShiftName", "UpdateTime" = now()
    where m."Status" <> 5 and (m."PunchTime", m."Status", m."PlanTime") is distinct from (excluded."PunchTime", excluded."Status", excluded."PlanTime") returning "Id"`)
}
