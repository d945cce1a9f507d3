import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import readXlsx from 'read-excel-file/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ExportTask, taskStatus } from '../../../../contract/exports.ts'
import { permissions } from '../../../../contract/menus.ts'
import type { SeriesAnswer } from '../../../../contract/telemetry.ts'
import { temporaryFolder } from '../../../../server/telemetry/telemetry.fixture.ts'
import { openTelemetry, type Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { type Plant, startPlant } from '../../../configuration/gateways/server/harness.ts'
import { exportTaskRoutes } from '../../../system/exports/server/taskRoutes.ts'
import { type Exports, openExports } from '../../../system/exports/server/tasks.ts'
import { formulaRoutes } from '../../formulas/server/routes.ts'
import { noteRoutes } from '../../notes/server/routes.ts'
import type { StatisticsRow } from '../../telemetry/contract.ts'
import { telemetryRoutes } from '../../telemetry/server/routes.ts'
import type { HistoryAsk } from '../contract.ts'
import { linesOf, readingsOf } from './history.fixture.ts'
import { historyRoutes } from './routes.ts'
import { historyKind } from './service.ts'

const [hour, day] = [3_600_000, 86_400_000]
const folder = mkdtempSync(join(tmpdir(), 'penstock-history-'))
const path = '/Project/ImportExportTask'
let plant: Plant
let telemetry: Telemetry
let exports: Exports
let stored: Awaited<ReturnType<typeof temporaryFolder>>
let points: number[]
let project: number
let start: number
/** Pieces of an export wait here while a test holds them. */
let gate: Promise<void> = Promise.resolve()

const openTasks = () =>
  openExports({
    ...{ database: plant.kit.database, sessions: plant.kit.sessions, folder, log: { warn: () => {} }, limits: { progressMs: 0 } },
    kinds: [
      historyKind({
        most: 6000,
        database: plant.kit.database,
        telemetry: {
          ...telemetry,
          aside: {
            ...telemetry.aside,
            packed: (...of) => gate.then(() => telemetry.aside.packed(...of)),
          },
        },
      }),
    ],
  })

beforeAll(async () => {
  const now = new Proxy({} as Telemetry, { get: (_, name) => telemetry[name as keyof Telemetry] })
  const tasks = new Proxy({} as Exports, { get: (_, name) => exports[name as keyof Exports].bind(exports) })
  plant = await startPlant({
    routes: [
      noteRoutes,
      formulaRoutes,
      (api) => telemetryRoutes(api, now),
      (api) => exportTaskRoutes(api, tasks),
      (api) => historyRoutes(api, tasks),
    ],
  })
  stored = await temporaryFolder('history')
  const clock = () => plant.clock.now
  telemetry = await openTelemetry({ folder: stored.folder, registry: plant.registry, clock, log: { warn: () => {}, error: () => {} } })
  const at = await plant.equip(3)
  points = at.points
  project = ((await plant.row(at.Id)) as { ProjectId: number }).ProjectId
  exports = await openTasks()
  start = Math.floor(plant.clock.now / day) * day - 3 * day
  for (const d of [0, 1])
    await telemetry.load(
      (async function* () {
        yield readingsOf(points, start, d)
      })(),
    )
  for (const [i, type] of [0, 1, 3].entries())
    await plant.kit.data('owner', 'POST', `/DataCenter/ReportData/CalDataType/${points[i]}/${type}`, {})
  const menus = (...codes: string[]) => ({ menus: permissions.filter((code) => codes.includes(code) || code === 'm100') })
  await plant.kit.person('reader', plant.kit.enterprises.ours, menus('m10301', 'm10303'))
})
afterAll(async () => {
  await exports.close()
  await telemetry.close()
  await plant.close()
  await stored.remove()
  rmSync(folder, { recursive: true, force: true })
})

type Body = Partial<HistoryAsk>
const begin = (body: Body, as = 'owner') =>
  plant.kit.call<ExportTask>(as, 'POST', `${path}/History`, {
    ...{ ParaIds: points, Start: start, End: start + 2 * day, Unit: 'raw', Shape: 'time', Format: 'csv', Header: 0 },
    ...body,
  })
const started = async (body: Body) => {
  const answer = await begin(body)
  expect({ ...answer, Data: undefined }).toMatchObject({ Succeeded: true, StatusCode: 200, Errors: null })
  return answer.Data
}
const tasks = async (as = 'owner') => (await plant.kit.data<{ Items: ExportTask[] }>(as, 'GET', `${path}/List`)).Items
const state = async (id: number) => (await tasks()).find((task) => task.Id === id)
const fileOf = async (body: Body) => {
  const Data = await started(body)
  await expect.poll(async () => (await state(Data.Id))?.Status, { timeout: 60_000 }).toBe(taskStatus.done)
  const answer = await plant.kit.request('owner', 'GET', `${path}/File?Id=${Data.Id}`)
  expect(answer.statusCode).toBe(200)
  return { task: (await state(Data.Id))!, bytes: answer.rawPayload }
}
const query = <T>(at: string, body: object) => plant.kit.data<T>('owner', 'POST', `/DataCenter/ReportData/${at}`, body)

test('single readings leave as csv: a row for each moment, what is wrong beside them, times with their offset', async () => {
  const { task, bytes } = await fileOf({ Quality: 1 })
  const [titles, ...rows] = linesOf(bytes)
  expect(titles).toHaveLength(7)
  expect(task).toMatchObject({ Kind: 1, Resource: 'history', Format: 'csv', DoneRows: rows.length })
  const all: { ParaId: number; Time: number; Value: number | null; Quality: number }[] = []
  for (let after: object = {}, more = 1; more; ) {
    const page = await query<{ Items: typeof all; More: number }>('RawData', {
      ParaIds: points,
      Start: start,
      End: start + 2 * day,
      PageSize: 1000,
      ...after,
    })
    all.push(...page.Items)
    more = page.More
    after = { AfterTime: all.at(-1)!.Time, AfterPoint: all.at(-1)!.ParaId }
  }
  const cells = new Map(rows.map((row) => [Date.parse(row[0]!), row]))
  expect(cells.size).toBe(new Set(all.map((r) => r.Time)).size)
  expect([...cells.keys()]).toEqual([...cells.keys()].sort((a, b) => a - b))
  for (const { ParaId, Time, Value, Quality } of all) {
    const row = cells.get(Time)!
    const at = 1 + 2 * points.indexOf(ParaId)
    expect([row[at], row[at + 1]]).toEqual([Value === null ? '' : String(Value), ['', 'Uncertain', 'Device not responding'][Quality]])
  }
  expect(rows[0]![0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/)
})

test('hours leave as a workbook and as Parquet that equal the call cell for cell', async () => {
  const range = { ParaIds: points, Start: start, End: start + 2 * day }
  const Columns = ['Min', 'Max', 'Avg', 'First', 'Last', 'Count', 'Mean', 'Coverage', 'Sum']
  const answer = await query<SeriesAnswer>('HourData', { ...range, Columns })
  const wanted = new Map<number, (number | null)[]>()
  for (const [i, s] of answer.Series.entries())
    for (const [k, time] of s.Time.entries()) {
      const row = wanted.get(time) ?? new Array<number | null>(9).fill(null)
      wanted.set(time, row)
      row.splice(3 * i, 3, [s.Mean![k]!, s.Sum![k]!, 100 * s.Mean![k]!][i]!, s.Max[k]!, s.Coverage![k]!)
    }
  const expected = [...wanted].sort(([a], [b]) => a - b)
  const ask: Body = { Unit: 'hour', Figures: ['Value', 'Max'], Coverage: 1 }
  const xlsx = await fileOf({ ...ask, Format: 'xlsx', Header: 1 })
  const file = join(folder, 'read-back')
  writeFileSync(file, xlsx.bytes)
  const [{ data }] = (await readXlsx(file)) as unknown as [{ data: (string | number | Date | null)[][] }]
  const head = data.findIndex((row) => row[1] === 'UTC offset')
  expect(data.slice(0, head).map((row) => row[0])).toEqual(['Company', 'Period', 'Interval', 'Time zone', 'Points', 'Exported', null])
  const rows = data.slice(head + 1)
  expect(rows.map((row) => row.slice(2, 11).map((cell) => cell ?? null))).toEqual(expected.map(([, cells]) => cells))
  expect(
    rows.map((row) => Date.parse(`${new Date(Math.round(Number(row[0]) / 1000) * 1000).toISOString().slice(0, 19)}${row[1]}`)),
  ).toEqual(expected.map(([time]) => time))

  const parquet = await fileOf({ ...ask, Format: 'parquet' })
  writeFileSync(file, parquet.bytes)
  const db = await (await DuckDBInstance.create(':memory:')).connect()
  const read = await db.runAndReadAll(`select * replace (epoch_ms("Time") as "Time") from read_parquet('${file}')`)
  expect(read.getRows().map(([time, , ...cells]) => [Number(time), cells])).toEqual(expected)
})

test('single readings leave as Parquet with their quality, also where all are good', async () => {
  const file = join(folder, 'read-back-quality')
  const qualities = async (ParaIds: number[]) => {
    const { bytes, task } = await fileOf({ ParaIds, Format: 'parquet', Quality: 1 })
    writeFileSync(file, bytes)
    const db = await (await DuckDBInstance.create(':memory:')).connect()
    const read = await db.runAndReadAll(`select * from read_parquet('${file}')`)
    expect(read.getRows()).toHaveLength(task.DoneRows)
    return [...new Set(read.getRows().map((row) => row.at(-1)))]
  }
  expect(await qualities([points[1]!])).toEqual([null])
  expect(new Set(await qualities([points[0]!]))).toEqual(new Set([null, 'Uncertain', 'Device not responding']))
})

test('days leave with a row for each device and signs of the language; what is asked is judged', async () => {
  const { bytes } = await fileOf({ Unit: 'day', Shape: 'device', Separator: ';', Decimal: ',', Figures: ['Value'] })
  const [titles, ...rows] = linesOf(bytes, ';')
  expect(titles!.slice(0, 2)).toEqual(['Time', 'Device'])
  expect(rows.length).toBeGreaterThan(1)
  expect(rows.some((row) => /^\d+,\d+$/.test(row[2]!))).toBe(true)
  const fields = async (body: Body) => Object.keys((await begin(body)).Details?.Fields ?? {})
  expect(await fields({ End: start })).toEqual(['End'])
  expect(await fields({ Separator: ',', Decimal: ',' })).toEqual(['Separator'])
  expect((await begin({ ParaIds: [...points, 999_999] })).StatusCode).toBe(404)
})

test('shifts leave with their names as the call answers them, of stored points and of formulas alone', async () => {
  const range = { Start: start + 3 * hour, End: start + 2 * day - 5 * hour }
  expect(Object.keys((await begin({ ...range, Unit: 'shift' })).Details?.Fields ?? {})).toEqual(['Unit'])
  // No shift covers 18:00 to 22:00.
  const Times = [{ Name: 'Early', Start: '06:00', End: '18:00' }].concat({ Name: 'Night', Start: '22:00', End: '06:00' })
  const plan = { ProjectId: project, PlanName: 'Two', ValidFrom: '2020-01-01', Times }
  await plant.kit.data('owner', 'POST', '/Project/ShiftPlan', plan)
  const formula = { FormulaName: 'Twice', ProjectId: project, Expression: `2 * #${points[0]}` }
  const { Id } = await plant.kit.data<{ Id: number }>('owner', 'POST', '/DataCenter/FormulaPoint', formula)
  for (const ParaIds of [[points[0]!, points[1]!], [Id]]) {
    const asked = `ParaIds=${ParaIds}&Start=${range.Start}&End=${range.End}&By=shift`
    const { Points } = await plant.kit.data<{ Points: { Rows: StatisticsRow[] }[] }>(
      'owner',
      'GET',
      `/DataCenter/ReportData/StaticsData?${asked}`,
    )
    const lines = linesOf((await fileOf({ ...range, ParaIds, Unit: 'shift', Coverage: 1, Figures: ['Value', 'Count'] })).bytes)
    expect(lines[0]!.slice(0, 2)).toEqual(['Time', 'Shift'])
    const rows = lines.slice(1).map(([time, ...cells]) => [Date.parse(time!), ...cells])
    expect(rows.length).toBeGreaterThanOrEqual(4)
    expect(rows).toEqual(
      Points[0]!.Rows.map(({ Start, Day, Shift }, i) => [
        ...[Start, `${Day} ${Shift}`],
        ...Points.flatMap(({ Rows }, p) => {
          const { Mean, Sum, Count, Coverage } = Rows[i]!
          return [p === 1 ? Sum : Mean, Count, Coverage].map(String)
        }),
      ]),
    )
  }
})

test('a computed query takes along what a rate comes to over time', async () => {
  const range = { ParaIds: [points[0]!], Start: start, End: start + 2 * day }
  await query(`CalDataType/${points[0]}/4`, {})
  const { Series } = await query<SeriesAnswer>('CalculateDayData', range)
  const { bytes } = await fileOf({ ...range, Unit: 'day', Computed: 1, Coverage: 0 })
  expect(
    linesOf(bytes)
      .map((row) => row[1])
      .slice(1),
  ).toEqual(Series[0]!.Sum!.map(String))
  await query(`CalDataType/${points[0]}/0`, {})
})

test('notes of the range stand above the titles', async () => {
  const note = (Text: string, at: number) =>
    plant.kit.data('owner', 'POST', '/DataCenter/ChartNote', {
      ...{ ParaId: points[0], Time: new Date(at).toISOString().slice(0, 19).replace('T', ' '), Text },
    })
  await note('Filter\ncleaned', start + day)
  await note('Long before', start - 30 * day)
  const text = (await fileOf({ Header: 1 })).bytes.toString()
  expect(text.split('\r\n').filter((line) => line.startsWith('Note,'))).toEqual([expect.stringMatching(/Filter cleaned \(owner\)/)])
  expect((await fileOf({ Header: 0 })).bytes.toString()).not.toContain('cleaned')
})

test('who has no button, and who is of another company, takes nothing along', async () => {
  expect((await begin({}, 'reader')).StatusCode).toBe(403)
  expect((await begin({}, 'stranger')).StatusCode).toBe(404)
  const Data = await started({})
  await expect.poll(async () => (await state(Data.Id))?.Status).toBe(taskStatus.done)
  expect((await plant.kit.request('stranger', 'GET', `${path}/File?Id=${Data.Id}`)).json()).toMatchObject({ StatusCode: 404 })
})

test('a cancelled one leaves nothing; one that the server left begins anew', async () => {
  const hold = Promise.withResolvers<void>()
  gate = hold.promise
  const [first, second] = [await started({}), await started({})]
  await expect.poll(async () => (await state(second.Id))?.Status).toBe(taskStatus.running)
  await plant.kit.data('owner', 'DELETE', path, { Ids: [first.Id] })
  await expect.poll(() => readdirSync(folder).some((name) => name.startsWith(`${first.Id}.`))).toBe(false)
  const closing = exports.close()
  hold.resolve()
  await closing
  expect((await state(second.Id))?.Status).toBe(taskStatus.running)
  exports = await openTasks()
  await expect.poll(async () => (await state(second.Id))?.Status).toBe(taskStatus.done)
})

test('more rows than a file holds are refused, and nothing is left', async () => {
  const Data = await started({ Unit: 'minute', Start: 0, End: plant.clock.now, Shape: 'rows' })
  await expect.poll(async () => (await state(Data.Id))?.Status).toBe(taskStatus.failed)
  expect((await state(Data.Id))?.Reason).toMatch(/6,?000/)
  expect(readdirSync(folder).some((name) => name.startsWith(`${Data.Id}.`))).toBe(false)
})

test('a disk that is full ends it with the reason, and nothing half is offered', async () => {
  const last = Math.max(...(await tasks()).map((task) => task.Id))
  // What is written to this device fails as on a full disk.
  for (let id = last + 1; id < last + 20; id++) symlinkSync('/dev/full', join(folder, `${id}.csv`))
  const { Id } = await started({ Unit: 'minute' })
  await expect.poll(async () => (await state(Id))?.Status).toBe(taskStatus.failed)
  expect((await state(Id))?.Reason).toMatch(/no room on the server/)
  expect(existsSync(join(folder, `${Id}.csv`))).toBe(false)
  expect((await plant.kit.request('owner', 'GET', `${path}/File?Id=${Id}`)).json()).toMatchObject({ StatusCode: 404 })
})
