import { sql } from 'kysely'
import { dayNumber } from '../../../../contract/days.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { ShiftPlan } from '../../../../server/telemetry/meaning/shifts.ts'
import { type MakeUp, type ShiftEntry, timesOf, weekdaysOf } from '../contract.ts'

type Row = { ValidFrom: string; Times: ShiftEntry[]; Holidays: string[]; MakeUps: MakeUp[] }

/** The wire begins the week on Sunday with 1, figures on Monday with 0. */
const fromMonday = (weekday: number) => (weekday + 5) % 7

const planOf = ({ ValidFrom, Times, Holidays, MakeUps }: Row): ShiftPlan => ({
  from: dayNumber(ValidFrom),
  times: Times.map((entry) => ({ name: entry.Name, ...timesOf(entry), weekdays: new Set(weekdaysOf(entry).map(fromMonday)) })),
  holidays: new Set(Holidays.map(dayNumber)),
  makeUps: new Map(MakeUps.map(({ Day, As }) => [dayNumber(Day), fromMonday(As)])),
})

export const shiftPlansIn = async (db: Db, projectId: number): Promise<ShiftPlan[]> => {
  const rows = await db.rows<Row>(
    sql`select "ValidFrom", "Times", "Holidays", "MakeUps" from shift_plan where "ProjectId" = ${projectId} order by "ValidFrom"`,
  )
  return rows.map(planOf)
}

/** Shift plans of the project that contains all these points and formulas. Access to a point includes its project's shifts. */
export const shiftPlansOf = async (db: Db, points: readonly number[], field = 'By'): Promise<ShiftPlan[]> => {
  const projects = await db.rows<{ ProjectId: number }>(sql`
    select g."ProjectId" from point t join device d on d."Id" = t."DeviceId" join gateway g on g."Id" = d."GatewayId"
    where t."Id" = any(${points}::bigint[])
    union select "ProjectId" from formula_point where "Id" = any(${points}::bigint[])`)
  if (projects.length !== 1) throw new FieldFaults([{ field: 'ParaIds', rule: 'oneProject' }])
  const plans = await shiftPlansIn(db, projects[0]!.ProjectId)
  if (!plans.length) throw new FieldFaults([{ field, rule: 'noShifts' }])
  return plans
}
