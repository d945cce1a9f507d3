// Makes one report, with the sight that its owner has at that moment, and hands it to its receivers.
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Language } from '../../../../contract/languages.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { noteDeed } from '../../../../server/identity/note.ts'
import { column } from '../../../../server/resource/sql.ts'
import { fileStem } from '../../../system/exports/server/service.ts'
import { quotaOf } from '../../../system/files/server/service.ts'
import { seenOf } from '../../report-groups/server/service.ts'
import { type About, aboutNames } from '../../reports/about.ts'
import { hasMoney, needsOf, type PaperChoice, type ReportDocument } from '../../reports/blocks.ts'
import type { ReportFormat } from '../../reports/contract.ts'
import {
  amongAbout,
  buildReport,
  pointsAbout,
  pointsInPictures,
  prepareReport,
  renderReport,
  warmRenderer,
  wholeFigures,
} from '../../reports/server/service.ts'
import { type ReportFile, reportRun } from '../contract.ts'
import { countReadings, type Figure, valuesOf } from './late.ts'
import { type Needs, OwnerLost, ownerOf } from './owner.ts'
import { fileOf, languagesOf, receiversOf, sendRun } from './send.ts'

export type Claimed = {
  Id: number
  EnterpriseId: number
  ScheduleId: number | null
  UserId: number | null
  Format: ReportFormat
  Language: Language
  PeriodStart: Date
  PeriodEnd: Date
  /** The unit of its period; none of reports that an earlier version planned. */
  Period: Content['Period'] | 'shift' | null
  /** The shift that it is about; of other periods, none. */
  ShiftName: string | null
  Version: number
  ByHand: number
  /** A test: sent to this person alone. */
  SendTo: number | null
  Content: Content | null
  /** Times that it could not be made. */
  Tries: number
}
/** What a report is made of: kept with it, so that its next version is the same report. */
type Content = {
  Title: string
  TemplateVersion?: number
  Period: 'day' | 'week' | 'month' | 'year' | 'range'
  Blocks: Parameters<typeof buildReport>[1]['Blocks']
  Paper?: PaperChoice
  Landscape?: boolean
  ParaIds: number[]
}
type Template = Omit<Content, 'Title' | 'ParaIds' | 'Paper' | 'Landscape' | 'TemplateVersion'> &
  About & {
    TemplateVersion: number
    Paper: PaperChoice
    Landscape: number
    Title: string | null
    TemplateName: string
  }

/**
 * Stops a schedule whose owner no longer sees points of its last report that still belong to its choice. Once restarted, it continues without
 * them: the refused report holds none.
 */
const assertSeesAsBefore = async (db: Db, owner: Db, actor: Actor, { run, about }: { run: Claimed; about: About }) => {
  const [last] = await db.rows<{ ParaIds: number[] }>(sql`
    select "ParaIds" from report_run where "ScheduleId" = ${run.ScheduleId} and ("Status" = 2 or "Reason" = 'reportPoints' and "Content" is null)
    order by "Id" desc limit 1`)
  const still = last ? await amongAbout(db, about, last.ParaIds) : []
  const seen = await seenOf(owner, actor, still)
  if (still.some((id) => !seen.has(id))) throw new OwnerLost('reportPoints')
}

/** Columns of what a report is about. */
const aboutOf = (alias: string) => sql.join(['About', ...aboutNames].map((name) => column(name, alias)))
/** Too many points fail this report only; the schedule continues. */
const pointsOf = (needs: Needs, actor: Actor, about: About) =>
  pointsAbout(needs, actor, about).catch((error) => {
    throw error instanceof Fault && error.key === 'reportTooManyPoints' ? error : new OwnerLost('reportPoints')
  })

const contentOf = async (needs: Needs, actor: Actor, run: Claimed): Promise<Content> => {
  const db = needs.database.as(actor)
  if (run.Content) {
    const seen = await seenOf(db, actor, run.Content.ParaIds)
    const ParaIds = run.Content.ParaIds.filter((id) => seen.has(id))
    if (!ParaIds.length) throw new Fault('reportPoints')
    return { ...run.Content, ParaIds }
  }
  const [t] = await db.rows<Template>(sql`
    select t."Heading" as "Title", t."TemplateName", t."Period", t."Blocks", t."Paper", t."Landscape", a.*,
      1 + coalesce((select max(v."Version") from report_template_version v where v."TemplateId" = t."Id"), 0) as "TemplateVersion" from report_schedule s
    join report_template t on t."Id" = s."ReportTemplateId"
    cross join lateral (select ${aboutOf('t')} where s."About" = 'template' union all select ${aboutOf('s')} where s."About" <> 'template') a
    where s."Id" = ${run.ScheduleId}`)
  if (!t) throw new Fault('notFound')
  const ParaIds = await pointsOf(needs, actor, t)
  await assertSeesAsBefore(needs.database.system, db, actor, { run, about: t })
  return {
    Title: t.Title || t.TemplateName,
    TemplateVersion: t.TemplateVersion,
    Period: run.ShiftName !== null || run.Period === 'shift' ? 'range' : (run.Period ?? t.Period),
    Blocks: t.Blocks,
    ...{ Paper: t.Paper, Landscape: t.Landscape === 1 },
    ParaIds,
  }
}

/** A company may have as many bytes of reports as of files. */
const assertRoom = async (db: Db, EnterpriseId: number) => {
  const [row] = await db.rows<{ Bytes: number }>(
    sql`select coalesce(sum("FileBytes"), 0)::float8 as "Bytes" from report_run where "EnterpriseId" = ${EnterpriseId} and "Status" = 2`,
  )
  if (row!.Bytes > (await quotaOf(db, EnterpriseId))) throw new Fault('reportsNoRoom')
}

/** Its period in short, such as 2026-03 for a month, and the shift that it is about. */
const periodOf = ({ PeriodStart, PeriodEnd, ShiftName }: Claimed, { Period }: Pick<Content, 'Period'>, zone: string) => {
  const dayOf = (at: number) => new Date(at).toLocaleDateString('sv-SE', { timeZone: zone })
  const first = dayOf(PeriodStart.getTime())
  if (Period === 'week') return `${first} – ${dayOf(PeriodEnd.getTime() - 1)}`
  if (Period === 'month' || Period === 'year') return first.slice(0, Period === 'month' ? 7 : 4)
  return [first, ShiftName].filter(Boolean).join(' ')
}
const nameOf = (run: Claimed, content: Content, { Title, TimeZone }: ReportDocument, now: number) => {
  const version = run.Version > 1 ? [`v${run.Version}`] : []
  return `${fileStem(Title, [periodOf(run, content, TimeZone), ...version], now, TimeZone)}.${run.Format}`
}

export const makeRun = async (needs: Needs, run: Claimed, process: string, signal: AbortSignal) => {
  const { database, sessions, clock, folder, font } = needs
  const actor = await ownerOf(needs, run)
  await assertRoom(database.system, run.EnterpriseId)
  const content = await contentOf(needs, actor, run)
  const span = { start: run.PeriodStart.getTime(), end: run.PeriodEnd.getTime() }
  const pictured = () => pointsInPictures(database.as(actor), actor, content.Blocks, run.Language)
  // Its reader also sees the values in its pictures.
  const shown = [...new Set([...content.ParaIds, ...(await pictured())])]
  // Before it is built: what comes in between is late, too.
  const counts = await countReadings(needs, shown, span.start, span.end)
  const receivers = await receiversOf(database.system, sessions, run)
  const files: ReportFile[] = []
  let figures: Figure[] = []
  const make = async (Language: Language) => {
    warmRenderer()
    const prepared = await prepareReport(needs, actor, { ...content, Language, span })
    const document = await buildReport(prepared, content, { signal, progress: () => undefined })
    if (!files.length) figures = await wholeFigures(prepared)
    const path = join(folder, fileOf(run.Id, run.Format, files.length ? Language : undefined))
    const { bytes, sha256 } = await renderReport({ document, format: run.Format, language: Language, path, font }, signal)
    files.push({ Language, FileName: nameOf(run, content, document, clock()), FileBytes: bytes, Sha256: sha256 })
    return document
  }
  const [first, ...others] = languagesOf(run, receivers)
  const document = await make(first!)
  for (const language of others)
    await make(language).catch((error) => {
      // Falls back to the schedule's language when no installed font covers the reader's.
      if (!(error instanceof Fault && error.key === 'reportNoFont')) throw error
    })
  // A picture published during the build may have added points.
  const ParaIds = [...new Set([...shown, ...(await pictured())])]
  const { Title, TimeZone: zone, Coverage } = document
  const title = `${Title} · ${periodOf(run, content, zone)}${run.Version > 1 ? ` · v${run.Version}` : ''}`
  const [{ FileName, Sha256 }, FileBytes] = [files[0]!, files.reduce((sum, file) => sum + file.FileBytes, 0)]
  return database.system.tx(async (db) => {
    const now = new Date(clock())
    const mine = await db.rows(sql`
      update report_run set "Status" = 2, "Reason" = null, "RetryTime" = null, "FileName" = ${FileName}, "FileBytes" = ${FileBytes}, "Sha256" = ${Sha256}, "Coverage" = ${Coverage},
        "Files" = ${JSON.stringify(files)}::jsonb,
        "Content" = ${JSON.stringify(content)}::jsonb, "ParaIds" = ${JSON.stringify(ParaIds)}::jsonb, "Counts" = ${JSON.stringify(counts)}::jsonb,
        "Figures" = ${JSON.stringify(valuesOf(figures))}::jsonb,
        "Needs" = ${needsOf(content.Blocks)}::text[], "MadeTime" = ${now}, "EndTime" = ${now}, "CheckTime" = ${now}, "LeaseBy" = null, "LeaseUntil" = null, "UpdateTime" = now()
      where "Id" = ${run.Id} and "Status" = 1 and "LeaseBy" = ${process} returning 1`)
    if (!mine.length) return false
    const outcomes = await sendRun(db, needs, run, { title, zone, files, receivers, hasMoney: hasMoney(content.Blocks) })
    await db.rows(sql`update report_run set "Deliveries" = ${JSON.stringify(outcomes)}::jsonb where "Id" = ${run.Id}`)
    const about = {
      Title: FileName,
      Sha256: files.map((file) => file.Sha256).join(', '),
      Version: run.Version,
      Receivers: outcomes.map((o) => `${o.UserName}: ${o.Outcome}`).join(', '),
    }
    await noteDeed(
      db,
      { EnterpriseId: run.EnterpriseId, UserId: actor.UserId },
      { Resource: reportRun.name, RecordId: run.Id, Verb: 'export' },
      about,
    )
    db.emit({ resource: reportRun.name, id: run.Id, verb: 'update', EnterpriseId: run.EnterpriseId })
    return true
  })
}
