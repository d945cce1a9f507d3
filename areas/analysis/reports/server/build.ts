// A report with its readings: blocks become parts, by the same meaning of figures as charts and tables.
import { sql } from 'kysely'
import type { Database } from '../../../../server/database/db.ts'
import { FieldFaults, notFound } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { createStatistics } from '../../../../server/telemetry/meaning/statistics.ts'
import { createQuery } from '../../../../server/telemetry/query.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { describedPoints, meaningsOf } from '../../telemetry/server/service.ts'
import type { Block, Part, ReportDocument } from '../blocks.ts'
import { type ReportAsk, readyReports } from '../contract.ts'
import { alarmPart } from './alarmPart.ts'
import { chartParts } from './chartParts.ts'
import type { Making } from './making.ts'
import { figuresPart, ioPart, tableParts } from './parts.ts'
import { spanOf } from './periods.ts'

export type Reader = { database: Database; telemetry: Pick<Telemetry, 'aside' | 'readingsSince' | 'clock'> }

const partsOf = async (making: Making, block: Block): Promise<Part[]> => {
  const title = word(making.language, `report.block.${block.Type}`)
  if (block.Type === 'pageBreak') return [{ Is: 'break' }]
  if (block.Type === 'keyFigures') return [await figuresPart(making, block, title)]
  if (block.Type === 'curve' || block.Type === 'bars') return chartParts(making, block, title)
  if (block.Type === 'alarms') return [await alarmPart(making, title)]
  return block.Type === 'io' ? [await ioPart(making, title)] : tableParts(making, block, title)
}

/** What the report is made with. @throws Fault for points out of the actor's sight, and for a period that is none */
export const prepareReport = async ({ database, telemetry }: Reader, actor: Actor, asked: ReportAsk) => {
  const [db, language] = [database.as(actor), asked.Language]
  const ids = [...new Set(asked.ParaIds)]
  const { zone, meanings } = await meaningsOf(db, actor, ids)
  const described = new Map((await describedPoints(db, actor, language, ids)).map((p) => [p.ParaId, p]))
  const points = ids.flatMap((id) => described.get(id) ?? [])
  if (points.length !== ids.length) throw notFound()
  const now = telemetry.clock()
  const span = spanOf(asked, now, zone)
  if (span.start >= now) throw new FieldFaults([{ field: 'Start', rule: 'inPast' }])
  const deps = { store: telemetry.aside, clock: () => now, readingsSince: telemetry.readingsSince }
  const [company] = await database.system.rows<{ Name: string; Logo: string | null }>(
    sql`select e."Name", e."Logo" from enterprise e join point t on t."EnterpriseId" = e."Id" where t."Id" = ${ids[0]}`,
  )
  const making: Making = {
    ...{ db, actor, language, zone, points, meanings, span, asked, now },
    statistics: createStatistics(deps),
    query: createQuery(deps.store, deps.clock, deps.readingsSince),
  }
  return { making, company }
}

type Prepared = Awaited<ReturnType<typeof prepareReport>>
type Running = { signal: AbortSignal; progress: (share: number) => Promise<void> | void }

/** Builds the content of the report. */
export const buildReport = async (
  { making, company }: Prepared,
  asked: ReportAsk,
  { signal, progress }: Running,
): Promise<ReportDocument> => {
  const { span, now, language, points, meanings } = making
  const title = word(language, `report.ready.${asked.Report}`)
  const Parts: Part[] = [{ Is: 'title', Text: title }]
  const blocks: readonly Block[] = readyReports[asked.Report]
  for (const [i, block] of blocks.entries()) {
    signal.throwIfAborted()
    Parts.push(...(await partsOf(making, block)))
    await progress((i + 1) / (blocks.length + 1))
  }
  const whole = await making.statistics.of(meanings, { edges: [span.start, span.end] })
  const ms = Math.min(span.end, now) - span.start
  const covered = whole.flatMap(({ basis, parts }) => (basis === 'readings' && parts[0] && ms > 0 ? [parts[0].goodMs / ms] : []))
  return {
    ...{ Title: title, Company: company?.Name ?? '', Logo: company?.Logo ?? null, TimeZone: making.zone },
    ...{ Start: span.start, End: span.end, Made: now, Points: points.length, Parts },
    Coverage: covered.length ? covered.reduce((a, b) => a + b, 0) / covered.length : null,
  }
}
