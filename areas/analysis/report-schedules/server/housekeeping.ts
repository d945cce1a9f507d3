// What becomes of reports that were made: marks for late data, and their end.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Language } from '../../../../contract/languages.ts'
import { notify } from '../../../system/notices/server/service.ts'
import { lateDays, reportRun } from '../contract.ts'
import { type Counts, countReadings, lateFigures, latePoints } from './late.ts'
import type { Needs } from './owner.ts'

/** Reports that are looked at for late data at a time. */
const mostChecked = 100
/** Until a report is looked at again: a quarter of its age, from a minute to an hour. Most of what is late comes soon. */
const nextCheck = (now: Date) => sql`least(greatest((${now}::timestamptz - "MadeTime") / 4, interval '1 minute'), interval '1 hour')`
/** Days that a report without a schedule is kept. */
const keptDays = 90

export const housekeeping = (needs: Needs, drop: (id: number) => void) => {
  const { database, clock, folder } = needs
  const db = database.system
  type Kept = {
    Id: number
    EnterpriseId: number
    UserId: number | null
    FileName: string
    ParaIds: number[]
    PeriodStart: Date
    PeriodEnd: Date
    Language: Language
    Counts: Counts
    Figures: Record<string, number | null> | null
    LatePoints: number
    /** As they were when figures were worked out last. */
    LateCounts: Counts | null
  }
  /** Marks reports whose readings arrived late. Counting restarts with the next version. */
  const markLate = async () => {
    const [now, since] = [new Date(clock()), new Date(clock() - lateDays * 86_400_000)]
    const due = await db.rows<Kept>(sql`
      select "Id", "EnterpriseId", "UserId", "FileName", "ParaIds", "PeriodStart", "PeriodEnd", "Language", "Counts", "Figures", "LatePoints", "LateCounts"
      from report_run
      where "Status" = 2 and "CheckTime" <= ${now}::timestamptz - ${nextCheck(now)} and "MadeTime" >= ${since} order by "CheckTime" limit ${mostChecked}`)
    for (const run of due) {
      const counts = await countReadings(needs, run.ParaIds, run.PeriodStart.getTime(), run.PeriodEnd.getTime())
      const points = latePoints(run.Counts, counts)
      const late = points.length
      await db.rows(sql`update report_run set "CheckTime" = ${now}, "LatePoints" = ${late} where "Id" = ${run.Id}`)
      // Figures are worked out again only where more came since.
      if (late && latePoints(run.LateCounts ?? run.Counts, counts).length) {
        const figures = await lateFigures(needs, run, points)
        await db.rows(sql`
          update report_run set "Late" = ${JSON.stringify(figures)}::jsonb, "LateCounts" = ${JSON.stringify(counts)}::jsonb where "Id" = ${run.Id}`)
        db.emit({ resource: reportRun.name, id: run.Id, verb: 'update', EnterpriseId: run.EnterpriseId })
      }
      if (late === run.LatePoints) continue
      db.emit({ resource: reportRun.name, id: run.Id, verb: 'update', EnterpriseId: run.EnterpriseId })
      const made = {
        EnterpriseId: run.EnterpriseId,
        BizType: 11 as const,
        Wording: 'reportLate',
        WordValues: { FileName: run.FileName, count: late },
      }
      if (run.UserId) await notify(db, { ...made, Source: `report/late/${run.Id}`, UserIds: [run.UserId] })
    }
  }
  /** Removes what a schedule no longer keeps, and reports whose schedule is gone. */
  const prune = async () => {
    const gone = await db.rows<{ Id: number; EnterpriseId: number }>(sql`
      delete from report_run r where r."Status" in (2, 3) and (
        r."ScheduleId" is null and r."CreateTime" < ${new Date(clock() - keptDays * 86_400_000)}
        or r."Id" in (select o."Id" from (
          select k."Id", s."Keep", row_number() over (partition by k."ScheduleId" order by k."Id" desc) as n
          from report_run k join report_schedule s on s."Id" = k."ScheduleId") o where o.n > o."Keep"))
      returning r."Id", r."EnterpriseId"`)
    for (const run of gone) {
      drop(run.Id)
      db.emit({ resource: reportRun.name, id: run.Id, verb: 'remove', EnterpriseId: run.EnterpriseId })
    }
  }
  /** Files of reports that are gone. */
  const sweep = async () => {
    const ids = new Set((await db.rows<{ Id: number }>(sql`select "Id" from report_run`)).map(({ Id }) => Id))
    for (const file of readdirSync(folder)) if (!ids.has(Number(file.split('.')[0]))) rmSync(join(folder, file), { force: true })
  }
  return { markLate, prune, sweep }
}
