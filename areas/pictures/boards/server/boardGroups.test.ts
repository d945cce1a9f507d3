import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../server/telemetry/telemetry.fixture.ts'
import { openTelemetry, type Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { formulaRoutes } from '../../../analysis/formulas/server/routes.ts'
import { reportGroupRoutes } from '../../../analysis/report-groups/server/routes.ts'
import { type Plant, startPlant } from '../../../configuration/gateways/server/harness.ts'
import type { BoardContent, BoardData } from '../contract.ts'
import { boardRoutes } from './routes.ts'

const minute = 60_000
type Row = { Id: number; Content: BoardContent }
let plant: Plant
let telemetry: Telemetry
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let [east, west] = [[], []] as [number[], number[]]
let [project, formula, group] = [0, 0, 0]

beforeAll(async () => {
  const engine = new Proxy({} as Telemetry, { get: (_, name) => telemetry[name as keyof Telemetry] })
  const copyFile = () => Promise.reject(new Error('No board here has images'))
  plant = await startPlant({ routes: [(api) => boardRoutes(api, { telemetry: engine, copyFile }), reportGroupRoutes, formulaRoutes] })
  folder = await temporaryFolder('board-groups')
  const clock = () => plant.clock.now
  telemetry = await openTelemetry({ folder: folder.folder, registry: plant.registry, clock, log: { warn: () => {}, error: () => {} } })
  const place = await plant.equip(2)
  east = place.points
  west = (await plant.equip(1)).points
  project = ((await plant.row(place.Id)) as { ProjectId: number }).ProjectId
  // A past lies in one day.
  plant.clock.now += Math.max(0, 60 * minute - (plant.clock.now % (24 * 60 * minute)))
  const start = plant.clock.now - 60 * minute
  await telemetry.load(
    (async function* () {
      yield Array.from({ length: 60 }, (_, i) =>
        east.map((point, k) => ({ point, time: start + i * minute, value: 10 * k + 1, quality: 0 })),
      ).flat()
    })(),
  )
  await plant.kit.person('eastern', plant.kit.enterprises.ours, { projects: [project] })
  const save = async (path: string, body: object) => (await plant.kit.data<{ Id: number }>('owner', 'POST', path, body)).Id
  const Expression = `#${east[0]} + #${east[1]}`
  formula = await save('/DataCenter/FormulaPoint', { FormulaName: 'Both', ProjectId: project, Expression })
  const Points = [formula, ...east, ...west].map((ParaId) => ({ ParaId }))
  group = await save('/DataCenter/ReportGroup', { GroupName: 'Curves', GroupType: 1, Points })
})
afterAll(async () => {
  await telemetry.close()
  await plant.close()
  await folder.remove()
})

const call = (method: string, at: string, body?: unknown, as = 'owner') => plant.kit.call<Row>(as, method, at, body)
const content = (more: object) => ({
  Version: 1,
  Range: '1h',
  Variables: [],
  Widgets: [{ Id: 'a', Kind: 'trend', X: 0, Y: 0, W: 8, H: 6, ...more }],
})
const save = (Content: object, as?: string) => call('POST', '/blade-visual/visual/save', { Title: 'Curves', Content }, as)
const show = async (Id: number, as = 'owner') =>
  plant.kit.data<BoardData>(as, 'POST', '/blade-visual/visual/data', { Id, Start: plant.clock.now - 60 * minute, End: plant.clock.now })

test('a board shows the points of a group that its reader sees, computed ones among them', async () => {
  const { Id } = (await save(content({ Group: group }))).Data
  const whole = await show(Id)
  expect(whole.Groups).toEqual([{ Id: group, GroupName: 'Curves', Points: [formula, ...east, ...west] }])
  expect(whole.Points.map(({ ParaId }) => ParaId).toSorted()).toEqual([formula, ...east, ...west].toSorted())
  const past = whole.Past as unknown as { Deltas: { ParaId: number; Time: number[] }[] }
  for (const id of [formula, ...east]) expect(past.Deltas.find(({ ParaId }) => ParaId === id)!.Time.length, String(id)).toBeGreaterThan(10)
  const part = await show(Id, 'eastern')
  expect(part.Groups[0]!.Points).toEqual([formula, ...east])
  expect(part.Points.map(({ ParaId }) => ParaId)).not.toContain(west[0])
  // What he does not see of a formula takes its curve away, not the board.
  await plant.kit.db.rows(
    sql`update formula_point set "PointIds" = ${JSON.stringify(west)}::jsonb, "Expression" = ${`#${west[0]}`} where "Id" = ${formula}`,
  )
  expect((await show(Id, 'eastern')).Groups[0]!.Points).toEqual([formula, ...east])
})

test('a group that a board names is not removed, and one that its author does not see is not named', async () => {
  const Delete = () => call('DELETE', '/DataCenter/ReportGroup', { Id: group })
  expect(await Delete()).toMatchObject({ StatusCode: 409, Details: { UsedBy: [{ Resource: 'visualBoard', Title: 'Curves' }] } })
  const { Id } = await plant.kit.data<{ Id: number }>('eastern', 'POST', '/DataCenter/ReportGroup', { GroupName: 'Own', IsShared: 0 })
  for (const wrong of [{ Group: Id }, { Group: 999_999 }, { Kind: 'chart', Chart: 999_999 }])
    expect(Object.keys((await save(content(wrong))).Details?.Fields ?? {})).toEqual([
      `Content.Widgets.0.${'Chart' in wrong ? 'Chart' : 'Group'}`,
    ])
  expect(Object.keys((await save(content({ Group: group }), 'stranger')).Details?.Fields ?? {})).toEqual(['Content.Widgets.0.Group'])
})
