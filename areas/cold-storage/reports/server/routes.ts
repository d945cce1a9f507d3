import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, notFound } from '../../../../server/http/faults.ts'
import { sendFile } from '../../../../server/http/files.ts'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { crud, lists, removes } from '../../../../server/resource/crud.ts'
import { filters, type Listing } from '../../../../server/resource/list.ts'
import { store } from '../../../../server/resource/store.ts'
import { reckonInTurn } from '../../../analysis/telemetry/server/service.ts'
import { approved, check, checked, coldCriteria, coldReport, coldReportCalls, phase, running } from '../contract.ts'
import { type ActNeeds, documentOfReport, pdfOfReport, reportActs, signedOf } from './acts.ts'
import type { Reads } from './gather.ts'
import { type Begins, checkableRoom, generateCheck, generatePhase, saveCriteria } from './generate.ts'
import { dropFiles, readFile } from './keep.ts'
import { preCheck } from './preCheck.ts'
import { askRecord, reportInTurn } from './recording.ts'
import { openVerifying } from './verify.ts'

export type ReportNeeds = Begins & ActNeeds & Reads & { steady: () => number }

const rows = store(coldReport, undefined, async (_db, _actor, reports) => {
  // Mapping reports can be deleted as drafts only; running reports until they are approved.
  for (const report of reports as unknown as { ReportNo: string; ReportType: number; State: number }[])
    if (report.State >= (report.ReportType === check ? checked : approved)) throw new Fault('wrongState', { title: report.ReportNo })
})
const removeReports = (db: Db, actor: Actor, ids: readonly number[]) =>
  db.tx(async (db) => {
    const removed = await rows.remove(db, actor, ids)
    await dropFiles(db, ids)
    return removed
  })
/** Deletes only mapping reports, or only running reports. */
const removeOf = (isCheck: boolean) => async (db: Db, actor: Actor, ids: readonly number[]) => {
  const others = await db.rows(sql`
    select 1 from cold_report where "Id" = any(${[...ids]}::bigint[]) and ("ReportType" = ${check}) <> ${isCheck} limit 1`)
  if (others.length) throw notFound()
  return removeReports(db, actor, ids)
}
/** Restricts a listing to report types, independent of its other conditions. */
const listOf = (types: readonly number[]) => (db: Db, actor: Actor, q: Listing) => {
  const asked = q.conditions.length ? [filters(coldReport, { ...q, search: '' }, actor)] : []
  return rows.list(db, actor, { ...q, relation: 1, conditions: [...asked, sql`t."ReportType" = any(${[...types]}::smallint[])`] })
}

const generated = (app: FastifyInstance, needs: Begins) => {
  for (const [call, composed] of [
    [coldReportCalls.generateCheck, false],
    [coldReportCalls.generateCheckCompose, true],
  ] as const)
    serve(app, call, ({ db, actor, body, request }) => generateCheck(db, actor, body, composed, languageOf(request), needs))
  for (const [call, composed] of [
    [coldReportCalls.generatePhase, false],
    [coldReportCalls.generatePhaseCompose, true],
  ] as const)
    serve(app, call, ({ db, actor, body, request }) => generatePhase(db, actor, body, composed, languageOf(request), needs))
}

export const coldReportRoutes = (app: FastifyInstance, needs: ReportNeeds) => {
  crud(app, coldCriteria, { own: { create: (db, actor, draft) => saveCriteria(db, actor, draft, needs.clock()) } })
  crud(app, coldReport, {
    own: { remove: removeReports },
    acts: reportActs(needs),
  })
  const { checkList, runningList } = coldReportCalls
  lists(app, checkList, listOf([check]))
  lists(app, runningList, listOf([running, phase]))
  const at = (end: string) => ({ path: `${coldReport.path}${end}`, aliases: coldReport.aliases.map((path) => `${path}${end}`) })
  const permission = `${coldReport.permission}.remove`
  removes(app, { ...at('Check'), permission }, removeOf(true))
  removes(app, { ...at('Running'), permission }, removeOf(false))
  generated(app, needs)
  serve(app, coldReportCalls.pdf, async ({ db, actor, query, reply }) => {
    const report = await rows.find(db, actor, query.Id)
    if (report.RecordSha256 === null) throw notFound()
    // An issued PDF is never rendered again.
    const bytes = await (report.FileUrl === null
      ? reportInTurn(report.EnterpriseId, async () => pdfOfReport(report, await signedOf(needs.system, report), needs))
      : readFile(needs.store, report.FileUrl, report.FileSha256))
    return sendFile(reply, `${report.ReportNo}.pdf`, bytes)
  })
  serve(app, coldReportCalls.document, async ({ db, actor, query, request, reply }) => {
    const report = await rows.find(db, actor, query.Id)
    if (report.RecordSha256 === null) throw notFound()
    const document = await reportInTurn(report.EnterpriseId, async () =>
      documentOfReport(needs.store, report, await signedOf(needs.system, report), languageOf(request)),
    )
    // Bypass the schema serializer, which is slow for thousands of union-typed cells.
    reply.type('application/json; charset=utf-8').serializer(JSON.stringify)
    return document
  })
  serve(app, coldReportCalls.plan, async ({ db, actor, query }) => {
    const { RecordPath, RecordSha256, EnterpriseId } = await rows.find(db, actor, query.Id)
    if (RecordSha256 === null) throw notFound()
    const read = async () => askRecord<'course'>({ kind: 'course', bytes: await readFile(needs.store, RecordPath, RecordSha256) })
    return reportInTurn(EnterpriseId, read)
  })
  serve(app, coldReportCalls.preCheck, async ({ db, actor, body, request }) => {
    const room = await checkableRoom(db, actor, body, needs.clock())
    return { Items: await reckonInTurn(actor, () => preCheck(db, room, body, needs, languageOf(request))) }
  })
  const verify = openVerifying(needs.steady)
  serve(app, coldReportCalls.verify, ({ db, actor, query, request }) => verify(db, actor, query.ReportNo, request))
}
