import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import readXlsx from 'read-excel-file/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer } from '../../../../contract/call.ts'
import { type ExportTask, taskStatus } from '../../../../contract/exports.ts'
import { emptyScene } from '../../../../contract/picture/scene.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Sample } from '../../../../server/telemetry/sample.ts'
import { temporaryFolder } from '../../../../server/telemetry/telemetry.fixture.ts'
import { openTelemetry, type Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { type Plant, startPlant } from '../../../configuration/gateways/server/harness.ts'
import { flowchartRoutes } from '../../../pictures/flowcharts/server/routes.ts'
import { exportTaskRoutes } from '../../../system/exports/server/taskRoutes.ts'
import { type Exports, openExports } from '../../../system/exports/server/tasks.ts'
import { formulaRoutes } from '../../formulas/server/routes.ts'
import { noteRoutes } from '../../notes/server/routes.ts'
import { reportGroupRoutes } from '../../report-groups/server/routes.ts'
import type { analysisCalls } from '../../telemetry/contract.ts'
import { telemetryRoutes } from '../../telemetry/server/routes.ts'
import type { ReportDocument } from '../blocks.ts'
import { type ReportAsk, readyNames } from '../contract.ts'
import { lastWhole } from './periods.ts'
import { pointsInPictures } from './picturePart.ts'
import { pdfOf } from './render/pdf.ts'
import { reportRoutes, reportTemplateRoutes } from './routes.ts'
import { reportKind } from './service.ts'

const [minute, day] = [60_000, 86_400_000]
const folder = mkdtempSync(join(tmpdir(), 'penstock-reports-'))
const path = '/Project/ImportExportTask'
let plant: Plant
let telemetry: Telemetry
let exports: Exports
let stored: Awaited<ReturnType<typeof temporaryFolder>>
let points: number[]
let project: number
let start: number

beforeAll(async () => {
  const now = new Proxy({} as Telemetry, { get: (_, name) => telemetry[name as keyof Telemetry] })
  const tasks = new Proxy({} as Exports, { get: (_, name) => exports[name as keyof Exports].bind(exports) })
  const reader = {
    telemetry: now,
    get database() {
      return plant.kit.database
    },
  }
  plant = await startPlant({
    routes: [
      formulaRoutes,
      noteRoutes,
      (api) => telemetryRoutes(api, now),
      (api) => exportTaskRoutes(api, tasks),
      (api) => reportRoutes(api, tasks),
      reportGroupRoutes,
      (api) => reportTemplateRoutes(api, reader),
      (api) => flowchartRoutes(api, { latest: { get: () => undefined } } as never),
    ],
  })
  stored = await temporaryFolder('reports')
  const clock = () => plant.clock.now
  telemetry = await openTelemetry({ folder: stored.folder, registry: plant.registry, clock, log: { warn: () => {}, error: () => {} } })
  const { database, sessions } = plant.kit
  // A font that is nowhere: as on a machine without one.
  const kinds = [reportKind({ database, telemetry, font: join(folder, 'no-font.ttf') })]
  exports = await openExports({ database, sessions, folder, kinds, log: { warn: () => {} }, limits: { progressMs: 0 } })
  const at = await plant.equip(3)
  points = at.points
  project = ((await plant.row(at.Id)) as { ProjectId: number }).ProjectId
  await plant.kit.db.rows(sql`
    insert into shift_plan ("EnterpriseId", "ProjectId", "PlanName", "ValidFrom", "Times")
    select "EnterpriseId", "Id", 'Two shifts', '2020-01-01', ${JSON.stringify([
      { Name: 'Early', Start: '06:00', End: '18:00' },
      { Name: 'Night', Start: '18:00', End: '06:00' },
    ])}::jsonb from project where "Id" = ${project}`)
  start = Math.floor(plant.clock.now / day) * day - 3 * day
  const rows: Sample[] = Array.from({ length: 24 * 12 }, (_, i) => i).flatMap((i) => {
    const of = (point: number, value: number) => ({ point, time: start + i * 5 * minute, value, quality: 0 })
    return [of(points[0]!, 20 + (i % 10)), of(points[1]!, i * 50), of(points[2]!, Math.floor(i / 12) % 2)]
  })
  await telemetry.load(
    (async function* () {
      yield rows
    })(),
  )
  for (const id of points) await plant.kit.data('owner', 'PUT', '/Project/DevPara', { Id: id, UploadMode: 0, UploadPeriod: 300 })
  for (const [i, type] of [0, 1, 3].entries())
    await plant.kit.data('owner', 'POST', `/DataCenter/ReportData/CalDataType/${points[i]}/${type}`, {})
})
afterAll(async () => {
  await exports?.close()
  await telemetry?.close()
  await plant?.close()
  await stored?.remove()
  rmSync(folder, { recursive: true, force: true })
})

const begin = (body: Partial<ReportAsk>, as = 'owner') =>
  plant.kit.call<ExportTask>(as, 'POST', `${path}/Report`, {
    ...{ ParaIds: points, Report: 'operation', Period: 'range', Start: start, End: start + day, Format: 'pdf', Language: 'en' },
    ...body,
  })
const ended = async (body: Partial<ReportAsk>, status: number) => {
  const { Data, Errors } = await begin(body)
  expect(Errors).toBeNull()
  const state = async () =>
    (await plant.kit.data<{ Items: ExportTask[] }>('owner', 'GET', `${path}/List`)).Items.find((task) => task.Id === Data.Id)
  await expect.poll(async () => (await state())?.Status, { timeout: 60_000 }).toBe(status)
  return (await state())!
}
const fileOf = async (body: Partial<ReportAsk>) => {
  const { Id } = await ended(body, taskStatus.done)
  return (await plant.kit.request('owner', 'GET', `${path}/File?Id=${Id}`)).rawPayload
}

test('every report leaves as PDF with its pages numbered', { timeout: 240_000 }, async () => {
  for (const Report of readyNames) {
    const file = await fileOf({ Report })
    expect(file.subarray(0, 5).toString()).toBe('%PDF-')
    expect(file.length).toBeLessThan(2_000_000)
    expect(file.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(0)
  }
})

test('a report lies on the paper that is asked for', async () => {
  const boxes = async (body: Partial<ReportAsk>) =>
    [...(await fileOf({ Report: 'quality', ...body })).toString('latin1').matchAll(/MediaBox \[0 0 ([\d.]+)/g)].map(([, width]) =>
      Math.round(Number(width)),
    )
  expect(new Set(await boxes({}))).toEqual(new Set([595]))
  expect(new Set(await boxes({ Paper: 'Legal' }))).toEqual(new Set([612]))
  expect(new Set(await boxes({ Paper: 'A5' }))).toEqual(new Set([420]))
})

test('a workbook holds the figures of the calls, to the last digit', async () => {
  const file = await fileOf({ Report: 'operation', Format: 'xlsx' })
  const sheets = (await readXlsx(file)) as unknown as { sheet: string; data: (string | number | null)[][] }[]
  const { Points } = await plant.kit.data<{
    Points: { Rows: { Mean: number; Sum: number; Coverage: number; Min: number; Max: number }[] }[]
  }>(...(['owner', 'GET', `/DataCenter/ReportData/StaticsData?ParaIds=${points}&Start=${start}&End=${start + day}`] as const))
  const figures = sheets.find(({ sheet }) => sheet === 'Key figures')!.data.slice(1)
  const [level, counter, state] = Points.map((p) => p.Rows[0]!)
  expect(figures.map((row) => row[1])).toEqual([level!.Mean, counter!.Sum, 100 * state!.Mean])
  expect(figures.map((row) => row[3])).toEqual(Points.map((p) => p.Rows[0]!.Coverage))
  const statistics = sheets.find(({ sheet }) => sheet === 'Statistics')!.data.slice(1)
  expect(statistics.map((row) => [row[2], row[3]])).toEqual(Points.map((p) => [p.Rows[0]!.Min, p.Rows[0]!.Max]))
  const text = (await fileOf({ Report: 'comparison', Format: 'csv', Language: 'es' })).toString()
  expect(text).toContain('Comparación con el periodo anterior')
})

test('a name that looks like a formula or HTML leaves as text', async () => {
  const name = (ParaName: string) => plant.kit.data('owner', 'PUT', '/Project/DevPara', { Id: points[0], ParaName })
  await name('=1+1<b>')
  const text = (await fileOf({ Format: 'csv' })).toString()
  expect([text.includes("'=1+1<b>"), /(^|[,"])=1/m.test(text)]).toEqual([true, false])
  expect(JSON.stringify(await readXlsx(await fileOf({ Format: 'xlsx' })))).toContain('["=1+1<b>",')
  await name('Level')
})

test('a histogram has the steps of the call, for levels alone, also of formula points and where there are no readings', async () => {
  const asked = { ParaIds: [points[0]], Start: start, End: start + day }
  const { Points } = await plant.kit.data<Answer<typeof analysisCalls.distribution>>(
    ...(['owner', 'POST', '/DataCenter/ReportData/Distribution', asked] as const),
  )
  const { Bins, HeldMs } = Points[0]!
  const steps = Bins.Ms.map((ms, i) => [Bins.Low + i * Bins.Width, Bins.Low + (i + 1) * Bins.Width, ms / HeldMs])
  const sheetOf = async (ParaIds: number[]) => {
    const file = await fileOf({ Report: 'climate', Format: 'xlsx', ParaIds })
    const sheets = (await readXlsx(file)) as unknown as { sheet: string; data: (string | number | null)[][] }[]
    return sheets.find(({ sheet }) => sheet === 'Histogram')!.data
  }
  const [, ...rows] = await sheetOf(points)
  expect(rows.map((row) => row.slice(2, 5))).toEqual(steps)
  const half = { FormulaName: 'Half', ProjectId: project, Expression: `#${points[0]} / 2` }
  const none = { FormulaName: 'None', ProjectId: project, Expression: `#${points[0]} / 0` }
  const ids: number[] = []
  for (const formula of [half, none])
    ids.push((await plant.kit.data<{ Id: number }>('owner', 'POST', '/DataCenter/FormulaPoint', formula)).Id)
  const of = (await sheetOf(ids)).slice(1)
  const [first, last] = [of[0]!, of.at(-2)!]
  expect([first[2], Number(last[2]) <= 14.5, 14.5 < Number(last[3])]).toEqual([10, true, true])
  expect(of.at(-1)!.slice(2)).toEqual([null, null, null, expect.stringContaining('No readings')])
  const csv = (await fileOf({ Report: 'climate', Format: 'csv', Language: 'es' })).toString()
  expect(csv).toContain('Histograma')
  expect(csv).toContain('Parte del tiempo')
})

test('formula points stand beside stored ones; shifts, limits and notes have tables of their own', async () => {
  const formula = { FormulaName: 'Twice', ProjectId: project, Expression: `2 * #${points[0]}` }
  const { Id } = await plant.kit.data<{ Id: number }>('owner', 'POST', '/DataCenter/FormulaPoint', formula)
  const at = new Date(start + 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
  await plant.kit.data('owner', 'POST', '/DataCenter/ChartNote', { ParaId: points[0], Time: at, Text: 'Pump was =cleaned' })
  await plant.kit.data('owner', 'PUT', '/Project/DevPara', { Id: points[0], AlarmHigh: 27 })
  const ParaIds = [points[0]!, Id]
  const sheets = async (Report: ReportAsk['Report'], ids = ParaIds) =>
    new Map(
      (
        (await readXlsx(await fileOf({ Report, Format: 'xlsx', ParaIds: ids }))) as unknown as {
          sheet: string
          data: (string | number)[][]
        }[]
      ).map(({ sheet, data }) => [sheet, data]),
    )
  const climate = await sheets('climate')
  const [stored, computed] = climate.get('Key figures')!.slice(1)
  expect(computed![1]).toBeCloseTo(2 * Number(stored![1]), 3)
  expect(climate.get('Out of limits')![1]!.slice(2, 5)).toEqual([27, 20, 29])
  const shifts = await sheets('shifts', points)
  expect(
    shifts
      .get('Over time')!
      .slice(1)
      .map((row) => row[1]),
  ).toEqual(expect.arrayContaining(['Early', 'Night']))
  expect(shifts.get('Notes')![1]![2]).toContain('cleaned')
  const [log] = await plant.kit.db.rows<{ After: { Sha256?: string } }>(
    sql`select "After" from change where "Verb" = 'export' and "Resource" = 'report' order by "Id" desc limit 1`,
  )
  expect(log!.After.Sha256).toMatch(/^[0-9a-f]{64}$/)
})

test('a picture of the plant shows the values of the end of the period, to who may see it', async () => {
  const charts = '/Project/Ddt/Flowchart'
  const template = (method: string, path: string, body: object, as = 'owner') =>
    plant.kit.call<ReportDocument & { Id: number }>(as, method, `/DataCenter/${path}`, body)
  const { Id } = await plant.kit.data<{ Id: number }>('owner', 'POST', charts, { FlowchartName: 'Hall', ProjectId: project })
  const at = { x: 0, y: 0, w: 80, h: 30 }
  const items = [
    { kind: 'value', id: 'v', ...at, of: `#${points[0]}`, size: 16 },
    { kind: 'trend', id: 't', ...at, reads: [`#${points[0]}`], span: '7d' },
  ]
  await plant.kit.data('owner', 'POST', `${charts}/Save`, { Id, Scene: { ...emptyScene(), items } })
  const group = await template('POST', 'ReportGroup', { GroupName: 'Hall', GroupType: 3, Points: [{ ParaId: points[1] }] })
  const draft = { GroupId: group.Data.Id, Period: 'day', Blocks: [{ Type: 'picture', Flowchart: Id }] }
  const preview = async () => (await template('POST', 'ReportTemplate/Preview', { ...draft, Language: 'en' })).Data.Parts.at(-1)!
  expect(await preview()).toMatchObject({ Is: 'text', Text: expect.stringContaining('not published') })
  await plant.kit.data('owner', 'POST', `${charts}/Publish`, { Id })
  const part = await preview()
  expect(part).toMatchObject({ Is: 'picture', Title: 'Hall' })
  // Its last readings, already old.
  expect(JSON.stringify(part)).not.toContain('No readings in this time')
  expect(JSON.stringify(part)).toMatch(/"27(\.0*)?"/)
  const pdf = await pdfOf({ ...(await template('POST', 'ReportTemplate/Preview', { ...draft, Language: 'en' })).Data }, 'en', undefined)
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  const refused = async (Blocks: object[]) => (await template('POST', 'ReportTemplate', { ...draft, TemplateName: 'Hall', Blocks })).Details
  expect(await refused([{ Type: 'io' }, { Type: 'picture', Flowchart: 999_999 }])).toMatchObject({
    Fields: { 'Blocks.1.Flowchart': expect.anything() },
  })
  expect(await refused([{ Type: 'picture' }])).toMatchObject({ Fields: { 'Blocks.0.Flowchart': expect.anything() } })
  expect((await template('POST', 'ReportTemplate', { ...draft, TemplateName: 'Hall' })).Succeeded).toBe(true)
  const [{ Id: user } = { Id: 0 }] = await plant.kit.db.rows<{ Id: number }>(sql`select "Id" from "user" where "UserNO" = 'owner'`)
  const owner = (await plant.kit.sessions.actorOf(user, 'report')) as Actor
  expect(await pointsInPictures(plant.kit.database.as(owner), owner, draft.Blocks as never, 'en')).toEqual([points[0]])
  // Oversized pictures are refused before drawing.
  const many = Array.from({ length: 300 }, (_, i) => ({ ...items[1], id: `t${i}` }))
  await plant.kit.data('owner', 'POST', `${charts}/Save`, { Id, Scene: { ...emptyScene(), items: many } })
  await plant.kit.data('owner', 'POST', `${charts}/Publish`, { Id })
  expect(await preview()).toMatchObject({ Is: 'text', Text: expect.stringContaining('too large') })
})

test('Chinese without a font is refused, not printed as boxes; as a workbook it leaves', async () => {
  const { Reason, Id } = await ended({ Language: 'zh' }, taskStatus.failed)
  expect(Reason).toContain('fonts-noto-cjk')
  expect(existsSync(join(folder, `${Id}.pdf`))).toBe(false)
  expect((await fileOf({ Language: 'zh', Format: 'csv' })).toString()).toContain('运行报表')
})

test('points and periods are judged; nobody makes a report of another company', async () => {
  expect((await begin({}, 'stranger')).StatusCode).toBe(404)
  expect((await begin({}, 'nobody')).StatusCode).toBe(403)
  const fields = async (body: Partial<ReportAsk>) => Object.keys((await begin(body)).Details?.Fields ?? {})
  expect(await fields({ End: start })).toEqual(['End'])
  expect(await fields({ Start: 0 })).toEqual(['End'])
  expect(await fields({ Start: plant.clock.now + day, End: plant.clock.now + 2 * day })).toEqual(['Start'])
})

test('the last whole day, week and month are those of the company, also where clocks change', () => {
  const at = Date.parse('2026-03-30T08:00:00+02:00')
  const text = (of: { start: number; end: number }) => [of.start, of.end].map((t) => new Date(t).toISOString())
  expect(text(lastWhole('day', at, 'Europe/Madrid'))).toEqual(['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'])
  expect(text(lastWhole('week', at, 'Europe/Madrid'))).toEqual(['2026-03-22T23:00:00.000Z', '2026-03-29T22:00:00.000Z'])
  expect(text(lastWhole('month', at, 'Asia/Kathmandu'))).toEqual(['2026-01-31T18:15:00.000Z', '2026-02-28T18:15:00.000Z'])
})

const textOfPdf = (pdf: Buffer) => execFileSync('pdftotext', ['-', '-'], { input: pdf }).toString().replaceAll(/\s+/g, ' ')
const hasPdftotext = spawnSync('pdftotext', ['-v']).error === undefined
test.skipIf(!hasPdftotext)('a chart without readings says so instead of empty axes (skipped without pdftotext)', async () => {
  const [without, some] = [{ Start: start - 5 * day, End: start - 4 * day }, {}]
  expect(textOfPdf(await fileOf({ ...without, Language: 'en' }))).toContain(
    'No readings in this period. Choose a longer or an earlier one.',
  )
  expect(textOfPdf(await fileOf({ ...without, Language: 'es' }))).toContain('No hay lecturas en este período.')
  expect(textOfPdf(await fileOf(some))).not.toContain('No readings')
})
