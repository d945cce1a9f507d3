import { afterAll, beforeAll, expect, test } from 'vitest'
import { permissions } from '../../../../contract/menus.ts'
import type { ParaInfo, SeriesAnswer } from '../../../../contract/telemetry.ts'
import { temporaryFolder } from '../../../../server/telemetry/telemetry.fixture.ts'
import { openTelemetry, type Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { type Plant, startPlant } from '../../../configuration/gateways/server/harness.ts'
import { formulaRoutes } from '../../formulas/server/routes.ts'
import { reportGroupRoutes } from '../../report-groups/server/routes.ts'
import type { StatisticsRow } from '../contract.ts'
import { telemetryRoutes } from './routes.ts'

const [minute, hour] = [60_000, 3_600_000]
const path = '/DataCenter/FormulaPoint'
let plant: Plant
let telemetry: Telemetry
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let points: number[]
let west: number[]
let project: number
let start: number

const call = (method: string, at: string, body?: unknown, as = 'owner') => plant.kit.call<never>(as, method, at, body)
const made = (FormulaName: string, Expression: string, more: object = {}) =>
  plant.kit.data<{ Id: number }>('owner', 'POST', path, { FormulaName, Expression, ProjectId: project, ...more })
const fieldsOf = async (method: string, body: object) => (await call(method, path, body)).Details?.Fields ?? {}

beforeAll(async () => {
  const engine = new Proxy({} as Telemetry, {
    get: (_, name) => (name === 'clock' ? () => plant.clock.now : telemetry[name as keyof Telemetry]),
  })
  plant = await startPlant({ routes: [(api) => telemetryRoutes(api, engine), formulaRoutes, reportGroupRoutes] })
  folder = await temporaryFolder('formulas')
  const clock = () => plant.clock.now
  telemetry = await openTelemetry({ folder: folder.folder, registry: plant.registry, clock, log: { warn: () => {}, error: () => {} } })
  const east = await plant.equip(3)
  points = east.points
  project = ((await plant.row(east.Id)) as { ProjectId: number }).ProjectId
  west = (await plant.equip(1)).points
  for (const id of points) await plant.kit.data('owner', 'PUT', '/Project/DevPara', { Id: id, UploadMode: 0, UploadPeriod: 60 })
  start = Math.floor(plant.clock.now / 86_400_000) * 86_400_000 - 86_400_000
  await telemetry.load(
    (async function* () {
      yield Array.from({ length: 24 * 60 }, (_, i) => i).flatMap((i) =>
        points.map((point, k) => ({ point, time: start + i * minute, value: [i, 2, i % 60][k]!, quality: 0 })),
      )
    })(),
  )
  const menus = permissions.filter((p) => p === 'm100' || /^m103(01|13)/.test(p))
  const other = ((await plant.row((await plant.equip(1)).Id)) as { ProjectId: number }).ProjectId
  await plant.kit.person('elsewhere', plant.kit.enterprises.ours, { projects: [other], menus })
})
afterAll(async () => {
  await telemetry.close()
  await plant.close()
  await folder.remove()
})

test('a formula has an Id of the points’ sequence, and every call of the analysis takes it', async () => {
  const { Id } = await made('Product', `#${points[0]} * #${points[1]}`, { ParaUnitName: 'kW', DecimalDigits: 1 })
  const inner = await made('Product and one', `#${Id} + 1`)
  const at = '/DataCenter/ReportData'
  const ask = <T>(name: string, body: object, as = 'owner') => plant.kit.data<T>(as, 'POST', `${at}/${name}`, body)
  const range = { ParaIds: [points[0], Id, inner.Id], Start: start, End: start + 3 * hour }
  const hours = await ask<SeriesAnswer>('HourData', { ...range, Columns: ['Min', 'Max', 'Mean', 'Coverage'] })
  const [plain, product, more] = hours.Series
  expect(product!.Time).toEqual(plain!.Time)
  expect(product!.Max).toEqual([118, 238, 358])
  expect(more!.Max).toEqual([119, 239, 359])
  expect(product!.Mean!.map((v) => Math.round(v!))).toEqual([59, 179, 299])
  expect(product!.Coverage).toEqual([1, 1, 1])
  const raw = await ask<{ Items: { ParaId: number; Value: number }[] }>('RawData', { ...range, ParaIds: [Id], PageSize: 3 })
  expect(raw.Items.map((r) => r.Value)).toEqual([0, 2, 4])
  const statistics = await plant.kit.data<{ Points: { Rows: StatisticsRow[] }[] }>(
    'owner',
    'GET',
    `${at}/StaticsData?ParaIds=${Id}&Start=${start}&End=${start + 2 * hour}&By=hour`,
  )
  expect(statistics.Points[0]!.Rows.map((r) => r.Max)).toEqual([118, 238])
  const found = await plant.kit.data<{ Items: ParaInfo[] }>('owner', 'GET', `${at}/PointList?Search=product`)
  expect(found.Items.map((p) => [p.ParaId, p.DeviceId, p.ParaUnitName])).toEqual([
    [Id, 0, 'kW'],
    [inner.Id, 0, ''],
  ])
  // Users without access to its project get 404.
  expect(await call('POST', `${at}/Data`, range, 'elsewhere')).toMatchObject({ StatusCode: 404 })
  expect(await call('GET', `${path}?Id=${Id}`, undefined, 'elsewhere')).toMatchObject({ StatusCode: 404 })
  expect(await call('DELETE', path, { Id })).toMatchObject({ StatusCode: 409, Details: { UsedBy: [{ Id: inner.Id }] } })
})

test('a circle, a point of elsewhere and what is no formula are refused with the place', async () => {
  const first = await made('First', `#${points[0]}`)
  const second = await made('Second', `#${first.Id} + #${points[1]}`)
  expect(await fieldsOf('PUT', { Id: first.Id, Expression: `1 + #${second.Id}` })).toEqual({ Expression: [expect.stringContaining('5')] })
  expect(await fieldsOf('PUT', { Id: first.Id, Expression: `#${first.Id}` })).toHaveProperty('Expression')
  const draft = { FormulaName: 'Wrong', ProjectId: project }
  for (const Expression of [`#${west[0]}`, '(', 'age(#1)', `${'('.repeat(999)}1`, 'launch(1)', '#999999999', 'diff(#1)'])
    expect(Object.keys(await fieldsOf('POST', { ...draft, Expression }))).toEqual(['Expression'])
})

test('while people type, an expression is checked and drawn; what fails is counted', async () => {
  const check = (Expression: string) =>
    plant.kit.data<{ Flaw: unknown; Points: ParaInfo[]; Value: (number | null)[]; Failed: number }>(
      'owner',
      'POST',
      `${path}/CheckExpression`,
      {
        ...{ ProjectId: project, Expression, Hours: 168 },
      },
    )
  expect(await check(`#${points[0]} +`)).toMatchObject({ Flaw: { Key: 'ended' }, Value: [] })
  const good = await check(`60 / #${points[2]}`)
  expect(good).toMatchObject({ Flaw: null, Points: [{ ParaId: points[2] }], Failed: 24 })
  expect(good.Value.length).toBeGreaterThan(200)
})
