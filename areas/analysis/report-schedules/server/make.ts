// Makes one report, with the sight that its owner has at that moment, and hands it to its receivers.
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Language } from '../../../../contract/languages.ts'
import type { Delivery } from '../../../../server/channels/delivery.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { noteDeed } from '../../../../server/identity/note.ts'
import type { Sessions } from '../../../../server/identity/sessions.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { fileStem } from '../../../system/exports/server/service.ts'
import { quotaOf } from '../../../system/files/server/service.ts'
import { seenOf } from '../../report-groups/server/service.ts'
import type { ReportFormat } from '../../reports/contract.ts'
import { buildReport, pointsOfGroup, prepareReport, type Reader, renderReport } from '../../reports/server/service.ts'
import { type Delivered, mostAttached, reportRun, reportSchedule } from '../contract.ts'

export type Needs = Reader & {
  sessions: Pick<Sessions, 'actorOf'>
  delivery: Pick<Delivery, 'deliver'>
  folder: string
  font: string | undefined
  clock: () => number
  /** The address that people use, where it is set. */
  url: string | undefined
}
export type Claimed = {
  Id: number
  EnterpriseId: number
  ScheduleId: number | null
  UserId: number | null
  Format: ReportFormat
  Language: Language
  PeriodStart: Date
  PeriodEnd: Date
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
  Period: 'day' | 'week' | 'month' | 'year'
  Blocks: Parameters<typeof buildReport>[1]['Blocks']
  Landscape?: boolean
  ParaIds: number[]
}
type Template = Omit<Content, 'Title' | 'ParaIds' | 'Landscape'> & {
  Landscape: number
  Title: string | null
  TemplateName: string
  GroupId: number
}

/** The owner cannot have it made any more: his schedule stops. */
export class OwnerLost extends Error {}

const ownerOf = async ({ sessions }: Needs, run: Claimed): Promise<Actor> => {
  const owner = run.UserId ? await sessions.actorOf(run.UserId, 'report') : undefined
  if (!owner || 'ended' in owner || !owner.may.has(reportSchedule.permission)) throw new OwnerLost('reportOwner')
  return owner
}

const contentOf = async (needs: Needs, actor: Actor, run: Claimed): Promise<Content> => {
  const db = needs.database.as(actor)
  if (run.Content) {
    const seen = await seenOf(db, actor, run.Content.ParaIds)
    const ParaIds = run.Content.ParaIds.filter((id) => seen.has(id))
    if (!ParaIds.length) throw new Fault('reportPoints')
    return { ...run.Content, ParaIds }
  }
  const [t] = await db.rows<Template>(sql`
    select t."Heading" as "Title", t."TemplateName", t."Period", t."Blocks", t."Landscape", t."GroupId" from report_schedule s
    join report_template t on t."Id" = s."ReportTemplateId" where s."Id" = ${run.ScheduleId}`)
  if (!t) throw new Fault('notFound')
  const ParaIds = await pointsOfGroup(needs, actor, t.GroupId).catch(() => {
    throw new OwnerLost('reportPoints')
  })
  return { Title: t.Title || t.TemplateName, Period: t.Period, Blocks: t.Blocks, Landscape: t.Landscape === 1, ParaIds }
}

/** A company may have as many bytes of reports as of files. */
const assertRoom = async (db: Db, EnterpriseId: number) => {
  const [row] = await db.rows<{ Bytes: number }>(
    sql`select coalesce(sum("FileBytes"), 0)::float8 as "Bytes" from report_run where "EnterpriseId" = ${EnterpriseId} and "Status" = 2`,
  )
  if (row!.Bytes > (await quotaOf(db, EnterpriseId))) throw new Fault('reportsFull')
}

/** Readings of each point in a range, stored ones alone. */
export const countReadings = async ({ telemetry }: Needs, ids: readonly number[], start: number, end: number) => {
  const found = await telemetry.aside.buckets([...ids], start, end, { ms: end - start, origin: start })
  return Object.fromEntries(found.map(({ point, rows }) => [point, rows.reduce((a, b) => a + b, 0)]))
}

type Person = { Id: number; UserName: string; Email: string | null; Language: Language | null }
const receiversOf = async (db: Db, { ScheduleId, EnterpriseId, ByHand, SendTo }: Claimed) => {
  if (!ScheduleId || (ByHand && !SendTo)) return []
  const ids = SendTo
    ? sql`select ${SendTo}::bigint`
    : sql`select r.id::bigint from report_schedule s, jsonb_array_elements_text(s."Receivers") r (id) where s."Id" = ${ScheduleId}`
  return db.rows<Person>(sql`
    select u."Id", u."UserName", u."Email", u."Language" from "user" u where u."Id" in (${ids}) and u."EnterpriseId" = ${EnterpriseId} order by u."Id"`)
}

type Made = { title: string; fileName: string; bytes: number }
/** Sends it to those who may see it, in the transaction that ends the run: a second try sends nothing twice. */
const send = async (db: Db, needs: Needs, run: Claimed, people: readonly (Person & { actor: Actor | undefined })[], made: Made) => {
  const outcomes: Delivered[] = []
  for (const { Id: UserId, UserName, Email, Language, actor } of people) {
    const [open] = actor ? await db.rows(sql`select 1 from report_run t where t."Id" = ${run.Id} and ${visible(reportRun, actor)}`) : []
    const isAttached = made.bytes <= mostAttached
    const Outcome = !open ? 'notAllowed' : !Email ? 'noAddress' : isAttached ? 'attached' : 'linked'
    outcomes.push({ UserId, UserName, Outcome })
    if (Outcome !== 'attached' && Outcome !== 'linked') continue
    const language = Language ?? run.Language
    const link = needs.url ? `${needs.url.replace(/\/$/, '')}/dataAnalysis/reportRuns` : word(language, 'menu.m10317')
    await needs.delivery.deliver(db, {
      ...{ EnterpriseId: run.EnterpriseId, Method: 'email', BizType: 11, UserId, Source: `report/${run.Id}/${UserId}` },
      values: {
        title: made.title,
        content: word(language, isAttached ? 'report.mail.attached' : 'report.mail.linked', { name: made.fileName, link }),
      },
      ...(isAttached ? { attachment: { file: `${run.Id}.${run.Format}`, name: made.fileName } } : {}),
    })
  }
  return outcomes
}

export const makeRun = async (needs: Needs, run: Claimed, process: string, signal: AbortSignal) => {
  const { database, clock, folder, font } = needs
  const actor = await ownerOf(needs, run)
  await assertRoom(database.system, run.EnterpriseId)
  const content = await contentOf(needs, actor, run)
  const span = { start: run.PeriodStart.getTime(), end: run.PeriodEnd.getTime() }
  // Before it is built: what comes in between is late, too.
  const counts = await countReadings(needs, content.ParaIds, span.start, span.end)
  const prepared = await prepareReport(needs, actor, { ...content, Language: run.Language, span })
  const document = await buildReport(prepared, content, { signal, progress: () => undefined })
  const path = join(folder, `${run.Id}.${run.Format}`)
  const { bytes, sha256 } = await renderReport({ document, format: run.Format, language: run.Language, path, font }, signal)
  const day = new Date(span.start).toLocaleDateString('sv-SE', { timeZone: document.TimeZone })
  const title = `${document.Title} · ${day}${run.Version > 1 ? ` · v${run.Version}` : ''}`
  const fileName = `${fileStem(document.Title, [day, ...(run.Version > 1 ? [`v${run.Version}`] : [])], clock(), document.TimeZone)}.${run.Format}`
  const people = await receiversOf(database.system, run)
  const readers: (Person & { actor: Actor | undefined })[] = []
  for (const person of people) {
    const who = await needs.sessions.actorOf(person.Id, 'report')
    readers.push({ ...person, actor: who && !('ended' in who) ? who : undefined })
  }
  return database.system.tx(async (db) => {
    const now = new Date(clock())
    const mine = await db.rows(sql`
      update report_run set "Status" = 2, "Reason" = null, "RetryTime" = null, "FileName" = ${fileName}, "FileBytes" = ${bytes}, "Sha256" = ${sha256}, "Coverage" = ${document.Coverage},
        "Content" = ${JSON.stringify(content)}::jsonb, "ParaIds" = ${JSON.stringify(content.ParaIds)}::jsonb, "Counts" = ${JSON.stringify(counts)}::jsonb,
        "MadeTime" = ${now}, "CheckTime" = ${now}, "LeaseBy" = null, "LeaseUntil" = null, "UpdateTime" = now()
      where "Id" = ${run.Id} and "Status" = 1 and "LeaseBy" = ${process} returning 1`)
    if (!mine.length) return false
    const outcomes = await send(db, needs, run, readers, { title, fileName, bytes })
    await db.rows(sql`update report_run set "Deliveries" = ${JSON.stringify(outcomes)}::jsonb where "Id" = ${run.Id}`)
    const about = {
      Title: fileName,
      Sha256: sha256,
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
