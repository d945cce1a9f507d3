import { sql } from 'kysely'
import type { Db } from '../server/database/db.ts'

type Row = { Id: number }
type Of = { name: string; EnterpriseId: number; point: number; project: number }
/** A group, a template, a paused schedule, and a finished report of one point. */
export const addReport = async (make: (path: string, body: object) => Promise<Row>, db: Db, { name, EnterpriseId, point, project }: Of) => {
  const group = await make('/DataCenter/ReportGroup', { GroupName: `${name} group`, ProjectId: project, Points: [{ ParaId: point }] })
  const Blocks = [{ Type: 'keyFigures' }]
  const template = await make('/DataCenter/ReportTemplate', { TemplateName: `${name} report`, GroupId: group.Id, Period: 'day', Blocks })
  const schedule = await make('/DataCenter/ReportSchedule', { ScheduleName: `${name} schedule`, ReportTemplateId: template.Id, Status: 0 })
  const [run] = await db.rows<Row>(sql`
    insert into report_run ("EnterpriseId", "FileName", "ScheduleId", "PeriodStart", "PeriodEnd", "Status", "Format", "ParaIds", "ByHand")
    values (${EnterpriseId}, ${`${name} report.csv`}, ${schedule.Id}, '2026-01-30', '2026-01-31', 2, 'csv', ${JSON.stringify([point])}::jsonb, 1) returning "Id"`)
  return { reportGroup: group.Id, reportTemplate: template.Id, reportSchedule: schedule.Id, reportRun: run!.Id }
}
