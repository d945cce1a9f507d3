// Which reports are due. A schedule's time is claimed by moving NextTime on, in the transaction that adds its reports: each period once.
import { sql } from 'kysely'
import type { Database, Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import { reportRun, reportSchedule, type schedulePeriods } from '../contract.ts'
import { lastPeriod, nextTime, type Period, periodsDue, type Unit } from './times.ts'

/** Times that passed while no server ran, of which reports are made up for; the oldest are left out. */
const mostMissed = 31
/** Reports of one company that were asked for by hand and are not made yet. */
const mostByHand = 20
/** Schedules of one look. */
const mostPlanned = 500

export type Due = {
  Id: number
  EnterpriseId: number
  Trigger: 'clock' | 'shift'
  Cron: string
  ProjectId: number | null
  WaitMinutes: number
  Format: string
  Language: string
  UserId: number | null
  NextTime: Date
  Period: Unit
  TemplatePeriod: Unit
  Zone: string
}
const selectDue = (where: ReturnType<typeof sql>) => sql<Due>`
  select s."Id", s."EnterpriseId", s."Trigger", s."Cron", coalesce(s."ProjectId", t."ProjectId") as "ProjectId", s."WaitMinutes", s."Format", s."Language", s."OwnerId" as "UserId", s."NextTime",
    case s."Period" when 'template' then t."Period" else s."Period" end as "Period", t."Period" as "TemplatePeriod", e."TimeZoneKey" as "Zone"
  from report_schedule s join report_template t on t."Id" = s."ReportTemplateId" join enterprise e on e."Id" = s."EnterpriseId" where ${where}`

/** Rejects a manual run when the company already has too many queued. */
export const assertMayWait = async (db: Db, EnterpriseId: number) => {
  const [row] = await db.rows<{ Waiting: number }>(sql`
    select count(*)::int as "Waiting" from report_run where "EnterpriseId" = ${EnterpriseId} and "Status" in (0, 1) and "ByHand" = 1`)
  if (row!.Waiting >= mostByHand) throw new Fault('tooMany')
}

/** Adds the report of a period. One that is made by hand is the period's next version; `sendTo` alone gets it. */
export const addRun = async (db: Db, s: Due, { start, end, unit, shift }: Period, byHand: 0 | 1, sendTo: number | null = null) => {
  const [from, to] = [new Date(start), new Date(end)]
  const rows = await db.rows<{ Id: number }>(sql`
    insert into report_run ("EnterpriseId", "ScheduleId", "PeriodStart", "PeriodEnd", "Period", "ShiftName", "Version", "ByHand", "Format", "Language", "UserId", "SendTo")
    select ${s.EnterpriseId}, ${s.Id}, ${from}, ${to}, ${unit}, ${shift ?? null}, 1 + coalesce(max("Version"), 0), ${byHand}, ${s.Format}, ${s.Language}, ${s.UserId}, ${sendTo}::bigint
    from report_run where "ScheduleId" = ${s.Id} and "PeriodStart" = ${from} and "PeriodEnd" = ${to}
    on conflict ("ScheduleId", "PeriodStart", "PeriodEnd") where "ByHand" = 0 do nothing returning "Id"`)
  for (const { Id } of rows) db.emit({ resource: reportRun.name, id: Id, verb: 'create', EnterpriseId: s.EnterpriseId })
  return rows.length
}

export type ByHand = { period?: (typeof schedulePeriods)[number] | undefined; sendTo?: number | undefined }
/** Runs a report of the last complete period on demand: the schedule's, or of another unit. */
export const addLastRun = async (db: Db, schedule: number, now: number, { period: asked, sendTo }: ByHand = {}) => {
  const [due] = await db.rows(selectDue(sql`s."Id" = ${schedule}`))
  if (!due) throw notFound()
  const Period = asked === 'template' ? due.TemplatePeriod : (asked ?? due.Period)
  const period = await lastPeriod(db, { ...due, Period }, now)
  if (!period) throw new FieldFaults([{ field: asked ? 'Period' : 'ProjectId', rule: 'noShifts' }])
  await assertMayWait(db, due.EnterpriseId)
  await addRun(db, due, period, 1, sendTo)
}

/** Adds what is due, in order. Answers how many reports. */
export const planRuns = (database: Database, now: number): Promise<number> =>
  database.system.tx(async (db) => {
    const isDue = sql`s."Status" = 1 and s."NextTime" + s."WaitMinutes" * interval '1 minute' <= ${new Date(now)}`
    // Companies take turns: one with thousands of schedules does not keep the others from being planned.
    const next = sql`select n."Id" from (
      select s."Id", row_number() over (partition by s."EnterpriseId" order by s."NextTime") as "Turn" from report_schedule s where ${isDue}) n
      order by n."Turn" limit ${mostPlanned}`
    const due = await db.rows(selectDue(sql`s."Id" in (${next}) and ${isDue} order by s."NextTime" for update of s skip locked`))
    let added = 0
    for (const s of due) {
      // What became due less than its wait ago stays for later.
      const until = now - s.WaitMinutes * 60_000
      for (const period of await periodsDue(db, s, [s.NextTime.getTime(), until], mostMissed)) added += await addRun(db, s, period, 0)
      await db.rows(sql`update report_schedule set "NextTime" = ${(await nextTime(db, s, until)) ?? null} where "Id" = ${s.Id}`)
      db.emit({ resource: reportSchedule.name, id: s.Id, verb: 'update', EnterpriseId: s.EnterpriseId })
    }
    return added
  })
