// A report with its readings: blocks become parts, by the same meaning of figures as charts and tables.
import { sql } from 'kysely'
import { fullName } from '../../../../contract/telemetry.ts'
import type { Database } from '../../../../server/database/db.ts'
import { FieldFaults, notFound } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { ownTurn } from '../../../../server/jobs/ownTurn.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { withFormulas } from '../../../../server/telemetry/meaning/formulaSource.ts'
import { createStatistics } from '../../../../server/telemetry/meaning/statistics.ts'
import { createQuery } from '../../../../server/telemetry/query.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { describedPoints, meaningsOf } from '../../telemetry/server/service.ts'
import {
  type AreaBlock,
  areaBlockOf,
  areaBlocks,
  type Block,
  filledIn,
  type PaperChoice,
  type Part,
  type Placeholder,
  type ReportDocument,
} from '../blocks.ts'
import type { ReportAsk } from '../contract.ts'
import { momentText } from '../text.ts'
import { alarmPart } from './alarmPart.ts'
import { chartParts } from './chartParts.ts'
import { rememberCurves, rememberFigures } from './figures.ts'
import { histogramPart } from './histogramPart.ts'
import { digitsOf, type Making, shownOf, unitOf } from './making.ts'
import { notesPart } from './notesPart.ts'
import { columnsOn, paperOf } from './papers.ts'
import { figuresPart, ioPart, tableParts } from './parts.ts'
import { type Span, spanOf } from './periods.ts'
import { picturePart } from './picturePart.ts'
import { openRoom } from './room.ts'

/** Input of an area's block: the report's time span, and those projects of its points that the reader may see. */
export type AreaMaking = Pick<Making, 'db' | 'actor' | 'language' | 'zone' | 'span' | 'now'> & {
  projects: readonly Project[]
  title: string
}
type Project = { Id: number; Name: string }
export type AreaBlocks = Record<AreaBlock, (making: AreaMaking) => Promise<Part[]>>
export type Reader = {
  database: Database
  telemetry: Pick<Telemetry, 'aside' | 'readingsSince' | 'clock'>
  /** Omitted in tests of a single area. */
  blocks?: AreaBlocks
}

/** Makes an area's block project by project. With several projects, each part's title names its project. `empty`: the text of a block without parts. */
export const inEachProject =
  (empty: string, work: (making: AreaMaking, project: Project, title: string) => Promise<Part[]>) =>
  async (making: AreaMaking): Promise<Part[]> => {
    const { projects, title, language } = making
    const parts: Part[] = []
    for (const project of projects) parts.push(...(await work(making, project, projects.length > 1 ? `${title} · ${project.Name}` : title)))
    return parts.length ? parts : [{ Is: 'text', Title: title, Text: word(language, empty) }]
  }

/** Maximum projects of a block. */
const mostProjects = 10
const projectsOf = ({ db, actor, points }: Making) => {
  const ids = points.map(({ ParaId }) => ParaId)
  return db.rows<Project>(sql`
    select t."Id", t."ProjectName" as "Name" from project t where ${visible(project, actor)} and t."Id" in (
      select g."ProjectId" from point p join device d on d."Id" = p."DeviceId" join gateway g on g."Id" = d."GatewayId" where p."Id" = any(${ids}::bigint[])
      union select f."ProjectId" from formula_point f where f."Id" = any(${ids}::bigint[]))
    order by t."ProjectName", t."Id" limit ${mostProjects}`)
}
const areaPart = async (making: Making, type: AreaBlock, title: string, blocks: AreaBlocks | undefined): Promise<Part[]> => {
  const isAllowed = areaBlocks[type].needs.every((code) => making.actor.may.has(code))
  if (!isAllowed) return [{ Is: 'text', Title: title, Text: word(making.language, 'report.blockNotAllowed') }]
  return blocks ? blocks[type]({ ...making, projects: await projectsOf(making), title }) : []
}

/** What a report is about. */
export type ReportOf = Pick<ReportAsk, 'ParaIds' | 'Language' | 'Period' | 'Start' | 'End'> & { span?: Span }
/** What it is made of: of a report that comes with the product, or of a template. */
export type Content = { Title: string; Blocks: readonly Block[]; Paper?: PaperChoice; Landscape?: boolean; TemplateVersion?: number }

const partsOf = async (making: Making, block: Block, blocks: AreaBlocks | undefined): Promise<Part[]> => {
  const title = block.Title || (block.Type === 'text' ? '' : word(making.language, `report.block.${block.Type}`))
  if (block.Type === 'pageBreak') return [{ Is: 'break' }]
  if (block.Type === 'text') return [{ Is: 'text', Title: title, Text: block.Text ?? '' }]
  if (block.Type === 'picture') return [await picturePart(making, block)]
  if (block.Type === 'notes') return [await notesPart(making, title)]
  if (block.Type === 'keyFigures') return [await figuresPart(making, block, title)]
  if (block.Type === 'curve' || block.Type === 'bars') return chartParts(making, block, title)
  if (block.Type === 'histogram') return [await histogramPart(making, title)]
  if (block.Type === 'alarms') return [await alarmPart(making, title)]
  const ofArea = areaBlockOf(block.Type)
  if (ofArea) return areaPart(making, ofArea, title, blocks)
  return block.Type === 'io' ? [await ioPart(making, title)] : tableParts(making, block, title)
}

/** What the report is made with. @throws Fault for points out of the actor's sight, and for a period that is none */
export const prepareReport = async ({ database, telemetry, blocks }: Reader, actor: Actor, asked: ReportOf) => {
  const [db, language] = [database.as(actor), asked.Language]
  const ids = [...new Set(asked.ParaIds)]
  const { zone, meanings, formulas } = await meaningsOf(db, actor, ids)
  const described = new Map((await describedPoints(db, actor, language, ids)).map((p) => [p.ParaId, p]))
  const points = ids.flatMap((id) => described.get(id) ?? [])
  if (points.length !== ids.length) throw notFound()
  const now = telemetry.clock()
  const span = asked.span ?? spanOf(asked, now, zone)
  if (span.start >= now) throw new FieldFaults([{ field: 'Start', rule: 'inPast' }])
  const store = formulas.size ? withFormulas(telemetry.aside, formulas, () => now) : telemetry.aside
  const deps = { store, clock: () => now, readingsSince: telemetry.readingsSince }
  const statistics = createStatistics(deps)
  const [company] = await database.system.rows<{ Name: string; Logo: string | null }>(
    sql`select e."Name", e."Logo" from enterprise e where e."Id" = (
      select "EnterpriseId" from point where "Id" = ${ids[0]} union all select "EnterpriseId" from formula_point where "Id" = ${ids[0]})`,
  )
  const making: Omit<Making, 'columns'> = {
    ...{ db, actor, language, zone, points, meanings, span, asked, now },
    ...{ statistics, figures: rememberFigures(statistics) },
    query: rememberCurves(createQuery(deps.store, deps.clock, deps.readingsSince)),
    store: telemetry.aside,
  }
  return { making, company, blocks }
}

/** Maximum characters of a list of names: a text may repeat its placeholder hundreds of times. */
const mostNamed = 300
const shortened = (names: string) => (names.length > mostNamed ? `${names.slice(0, mostNamed)} …` : names)
/** Placeholder values for headings and texts. */
const valuesOf = ({ points, span, now, zone }: Making, company: string): Record<Placeholder, string> => ({
  company,
  from: momentText(span.start, zone),
  to: momentText(span.end, zone),
  made: momentText(now, zone),
  devices: shortened([...new Set(points.map((p) => p.DeviceName))].join(', ')),
  points: String(points.length),
})

const textsOf = ({ Title, Text }: Block, values: Record<Placeholder, string>) => ({
  ...(Title === undefined ? {} : { Title: filledIn(Title, values) }),
  ...(Text === undefined ? {} : { Text: filledIn(Text, values) }),
})

type Prepared = Awaited<ReturnType<typeof prepareReport>>
type Running = { signal: AbortSignal; progress: (share: number) => Promise<void> | void }

/** Builds the content of the report. */
export const buildReport = async (
  { making: prepared, company, blocks }: Prepared,
  // Reports that were made before papers could be chosen are of A4, and so are their revisions.
  { Title: heading, Blocks, Paper = 'A4', Landscape = false, TemplateVersion }: Content,
  { signal, progress }: Running,
): Promise<ReportDocument> => {
  const paper = paperOf(Paper, prepared.zone)
  const making: Making = { ...prepared, columns: columnsOn(paper, Landscape) }
  const { span, now, points, meanings } = making
  const values = valuesOf(making, company?.Name ?? '')
  const Title = filledIn(heading, values)
  const Parts: Part[] = [{ Is: 'title', Text: Title }]
  const fit = openRoom(making.language)
  for (const [i, block] of Blocks.entries()) {
    signal.throwIfAborted()
    await ownTurn()
    try {
      const parts = await partsOf(making, { ...block, ...textsOf(block, values) }, blocks)
      Parts.push(...parts.map((part) => fit(part, block.Type)))
    } catch (error) {
      throw error instanceof FieldFaults ? error.below(`Blocks.${i}`) : error
    }
    await progress((i + 1) / (Blocks.length + 1))
  }
  const whole = await making.figures(meanings, { edges: [span.start, span.end] })
  const ms = Math.min(span.end, now) - span.start
  const covered = whole.flatMap(({ timed, parts }) => (timed && parts[0] && ms > 0 ? [parts[0].goodMs / ms] : []))
  return {
    ...{ Title, Company: company?.Name ?? '', Logo: company?.Logo ?? null, TimeZone: making.zone },
    ...{ Start: span.start, End: span.end, Made: now, Points: points.length, Parts },
    ...{ Paper: paper, ...(Landscape ? { Landscape } : {}) },
    ...(TemplateVersion ? { TemplateVersion } : {}),
    Coverage: covered.length ? covered.reduce((a, b) => a + b, 0) / covered.length : null,
  }
}

/** The figure of each point over the whole period, as its tables show it. */
export const wholeFigures = async ({ making }: Pick<Prepared, 'making'>) => {
  const { points, meanings, span, language } = making
  const whole = await making.figures(meanings, { edges: [span.start, span.end] })
  return points.map((p, i) => ({
    ...{ ParaId: p.ParaId, Name: fullName(p), Unit: unitOf(p, language), Digits: digitsOf(p) },
    Value: shownOf(p, whole[i]!.parts[0]),
  }))
}
