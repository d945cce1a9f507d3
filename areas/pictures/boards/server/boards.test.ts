import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { permissions } from '../../../../contract/menus.ts'
import { emptyScene } from '../../../../contract/picture/scene.ts'
import { temporaryFolder } from '../../../../server/telemetry/telemetry.fixture.ts'
import { openTelemetry, type Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { type Plant, startPlant } from '../../../configuration/gateways/server/harness.ts'
import { flowchartRoutes } from '../../flowcharts/server/routes.ts'
import type { BoardContent, BoardData } from '../contract.ts'
import { boardRoutes } from './routes.ts'

const path = '/blade-visual/visual'
const minute = 60_000
type Row = { Id: number; Title: string; IsDefault: number; ProjectId: number | null; Content: BoardContent; UpdateStamp: number }

let plant: Plant
let telemetry: Telemetry
let folder: Awaited<ReturnType<typeof temporaryFolder>>
/** Two projects with a device of three points each. */
let [east, west] = [] as unknown as [
  Awaited<ReturnType<Plant['equip']>> & { ProjectId: number },
  Awaited<ReturnType<Plant['equip']>> & { ProjectId: number },
]
beforeAll(async () => {
  const engine = new Proxy({} as Telemetry, { get: (_, name) => telemetry[name as keyof Telemetry] })
  const copyFile = () => Promise.reject(new Error('No board here has images'))
  const charts = { latest: new Map(), write: undefined, clock: () => plant.clock.now }
  plant = await startPlant({
    routes: [(api) => boardRoutes(api, { telemetry: engine, copyFile }), (api) => flowchartRoutes(api, charts as never)],
  })
  folder = await temporaryFolder('boards')
  const clock = () => plant.clock.now
  telemetry = await openTelemetry({ folder: folder.folder, registry: plant.registry, clock, log: { warn: () => {}, error: () => {} } })
  const place = async () => {
    const of = await plant.equip(3)
    return { ...of, ProjectId: ((await plant.row(of.Id)) as { ProjectId: number }).ProjectId }
  }
  east = await place()
  west = await place()
  await plant.kit.person('eastern', plant.kit.enterprises.ours, { projects: [east.ProjectId] })
  await plant.kit.person('reader', plant.kit.enterprises.ours, { menus: permissions.filter((p) => p === 'm10310' || p === 'm100') })
})
afterAll(async () => {
  await telemetry.close()
  await plant.close()
  await folder.remove()
})

const data = <T = Row>(method: string, at: string, body?: unknown, as = 'owner') => plant.kit.data<T>(as, method, `${path}${at}`, body)
const call = (method: string, at: string, body?: unknown, as = 'owner') => plant.kit.call<Row>(as, method, `${path}${at}`, body)
const widget = (Id: string, more: object) => ({ Id, Kind: 'value', X: 0, Y: 0, W: 4, H: 3, ...more })
const content = (...Widgets: object[]) => ({ Version: 1, Range: '1h', Variables: [], Widgets })
const show = (Id: number, more: object = {}, as = 'owner') =>
  data<BoardData>('POST', '/data', { Id, Start: plant.clock.now - 60 * minute, End: plant.clock.now, ...more }, as)

test('a board is saved, changed with its stamp, renamed and removed by the calls of the specification', async () => {
  const made = await data('POST', '/save', { Title: 'Intake', Content: content(widget('a', { Points: [east.points[0]] })) })
  expect(await data('GET', `/detail?Id=${made.Id}`)).toEqual(made)
  const changed = await data('POST', '/update', { Id: made.Id, UpdateStamp: made.UpdateStamp, Content: content() })
  expect(changed.Content.Widgets).toEqual([])
  const late = await call('POST', '/update', { Id: made.Id, UpdateStamp: made.UpdateStamp, Content: content(widget('b', {})) })
  expect(late).toMatchObject({
    StatusCode: 409,
    Details: { Fault: 'changedMeanwhile', Current: { Id: made.Id, UpdateStamp: changed.UpdateStamp } },
  })
  expect(await data('POST', '/updatetitle', { Id: made.Id, Title: 'River' })).toMatchObject({ Title: 'River' })
  for (const Title of ['', 'x'.repeat(41)])
    expect((await call('POST', '/updatetitle', { Id: made.Id, Title })).Details?.Fields).toHaveProperty('Title')
  expect((await data<Page<Row>>('GET', '/list?Title=River')).Items).toMatchObject([{ Id: made.Id, Content: { Widgets: [] } }])
  expect(await data('POST', '/remove', { Ids: [made.Id] })).toEqual({ Removed: 1 })
  expect(await call('GET', `/detail?Id=${made.Id}`)).toMatchObject({ StatusCode: 404 })
})

test('a layout that is no layout is refused by the field that is wrong', async () => {
  const wrong = async (Content: object) => Object.keys((await call('POST', '/save', { Title: 'Wrong', Content })).Details?.Fields ?? {})
  expect(await wrong({ ...content(), Script: 'alert(1)' })).toEqual([expect.stringContaining('Script')])
  expect(await wrong({ ...content(), Version: 2 })).toEqual([expect.stringContaining('Version')])
  expect(await wrong(content(widget('a', { Html: '<b>' })))).toEqual([expect.stringContaining('Html')])
  expect(await wrong(content(widget('a', { X: 20, W: 5 })))).toEqual(['Content.Widgets.0.W'])
  expect(await wrong(content(widget('a', {}), widget('a', {})))).toEqual(['Content.Widgets.1.Id'])
  expect(await wrong(content(widget('a', { Points: [999_999_999] })))).toEqual(['Content.Widgets.0.Points'])
  expect(await wrong(content(widget('a', { Kind: 'image', Image: 'files/1/0123456789abcdef0123456789abcdef.png' })))).toEqual([
    'Content.Widgets.0.Image',
  ])
  expect(await wrong({ ...content(), Variables: [{ Name: 'device' }, { Name: 'device' }] })).toEqual(['Content.Variables'])
  expect(await wrong(content(...Array.from({ length: 61 }, (_, i) => widget(`w${i}`, {}))))).not.toEqual([])
})

test('[dashboard-default] one board of a project and one of the company opens first; the project’s comes before the company’s, and it can be cancelled', async () => {
  const make = (Title: string, ProjectId?: number) => data('POST', '/save', { Title, Content: content(), ...(ProjectId && { ProjectId }) })
  const [first, second, local] = [await make('First'), await make('Second'), await make('Local', east.ProjectId)]
  expect(await data('GET', `/default?ProjectId=${east.ProjectId}`)).toBeNull()
  await data('POST', '/setdefault', { Id: first.Id })
  expect(await data('GET', `/default?ProjectId=${east.ProjectId}`)).toMatchObject({ Id: first.Id })
  await data('POST', '/setdefault', { Id: second.Id })
  await data('POST', '/setdefault', { Id: local.Id })
  expect(await data('GET', '/default')).toMatchObject({ Id: second.Id })
  expect(await data('GET', `/default?ProjectId=${east.ProjectId}`)).toMatchObject({ Id: local.Id, IsDefault: 1 })
  expect((await data<Page<Row>>('GET', '/defaultList')).Items.map((b) => b.Title).sort()).toEqual(['Local', 'Second'])
  const { ours, theirs } = plant.kit.enterprises
  expect(await data('GET', `/default?EnterpriseId=${ours}`, undefined, 'platform')).toMatchObject({ Id: second.Id })
  expect(await data('GET', `/default?EnterpriseId=${ours}`, undefined, 'stranger')).toBeNull()
  expect(await data('GET', `/default?EnterpriseId=${theirs}`)).toMatchObject({ Id: second.Id })
  await data('POST', '/canceldefault', { Id: second.Id })
  expect(await data('GET', '/default')).toBeNull()
  expect((await data<Page<Row>>('GET', '/defaultList')).Items.map((b) => b.Title)).toEqual(['Local'])
})

test('one call answers latest values, the past, devices and alarms of a whole board, to people without the right to reports', async () => {
  const [a, b] = east.points as [number, number]
  const now = plant.clock.now
  const Items = [9, 6, 3, 0].map((ago, i) => ({ D: east.device, T: now - ago * minute, V: { [a]: i, [b]: 10 + i } }))
  await telemetry.ingest.accept(east.SN, 'data', Buffer.from(JSON.stringify({ MsgId: 'm', Ts: now, Data: { Items } })))
  const board = await data('POST', '/save', {
    Title: 'All kinds',
    ProjectId: east.ProjectId,
    Content: content(
      widget('a', { Points: [a] }),
      widget('b', { Kind: 'trend', Points: [b] }),
      widget('c', { Kind: 'devices' }),
      widget('d', { Kind: 'alarms' }),
    ),
  })
  const shown = await show(board.Id, { End: now + 1000, Buckets: 100 })
  expect(shown.Points.map((p) => p.ParaId).sort()).toEqual([a, b].sort())
  expect(shown.Latest).toEqual(expect.arrayContaining([expect.objectContaining({ ParaId: a, Value: 3, Quality: 0 })]))
  expect(shown.Past?.Deltas).toMatchObject([{ ParaId: b, Raw: true }])
  expect(shown.Devices).toMatchObject([{ Id: east.device }])
  expect(shown.Alarms).toEqual([])
  const read = await show(board.Id, {}, 'reader')
  expect(read.Points).toHaveLength(2)
  expect(read.Alarms).toBeNull()
  expect(await call('POST', '/data', { Id: board.Id, Start: now, End: now })).toMatchObject({ StatusCode: 400 })
})

test('a chosen device fills the widgets that name points by name; one of another project or model answers nothing', async () => {
  const names = (
    await plant.kit.data<Page<{ Id: number; ParaName: string }>>('owner', 'GET', `/Project/DevPara/List?DeviceId=${west.device}`)
  ).Items
  const board = await data('POST', '/save', {
    Title: 'Any device',
    Content: { ...content(widget('a', { PointNames: [names[0]!.ParaName] })), Variables: [{ Name: 'project' }, { Name: 'device' }] },
  })
  expect(await show(board.Id)).toMatchObject({ DeviceId: null, Points: [] })
  expect((await show(board.Id, { DeviceId: west.device })).Points).toMatchObject([{ ParaId: names[0]!.Id, DeviceId: west.device }])
  expect(await show(board.Id, { DeviceId: west.device, ProjectId: east.ProjectId })).toMatchObject({ DeviceId: null, Points: [] })
  expect(await show(board.Id, { DeviceId: west.device }, 'eastern')).toMatchObject({ DeviceId: null, Points: [] })
})

test('people see of a board what they see otherwise, and change no board that shows more than that', async () => {
  const both = content(widget('a', { Points: [east.points[0], west.points[0]], Devices: [west.device] }))
  const company = await data('POST', '/save', { Title: 'Company', Content: both })
  const shared = await data('POST', '/save', { Title: 'Shared', ProjectId: east.ProjectId, Content: both })
  const foreign = await data('POST', '/save', { Title: 'West', ProjectId: west.ProjectId, Content: content() })
  expect((await data('GET', `/detail?Id=${company.Id}`, undefined, 'eastern')).Content.Widgets).toMatchObject([
    { Points: [east.points[0]], Devices: [] },
  ])
  expect((await show(company.Id, {}, 'eastern')).Points.map((p) => p.ParaId)).toEqual([east.points[0]])
  expect(await call('GET', `/detail?Id=${foreign.Id}`, undefined, 'eastern')).toMatchObject({ StatusCode: 404 })
  expect(await call('POST', '/data', { Id: foreign.Id, Start: 0, End: 1 }, 'eastern')).toMatchObject({ StatusCode: 404 })
  const refused = { StatusCode: 403, Details: { Fault: 'moreRights' } }
  expect(await call('POST', '/update', { Id: shared.Id, Content: content() }, 'eastern')).toMatchObject(refused)
  expect(await data('POST', '/updatetitle', { Id: shared.Id, Title: 'Shared by two' }, 'eastern')).toMatchObject({ Title: 'Shared by two' })
  for (const [at, body] of [
    ['/save', { Title: 'For all', Content: content() }],
    ['/update', { Id: company.Id, Content: content() }],
    ['/updatetitle', { Id: company.Id, Title: 'Mine' }],
    ['/setdefault', { Id: company.Id }],
    ['/remove', { Ids: [company.Id] }],
  ] as const)
    expect(await call('POST', at, body, 'eastern'), at).toMatchObject(refused)
  const sneaked = { Title: 'Sneaked', ProjectId: east.ProjectId, Content: content(widget('a', { Points: [west.points[0]] })) }
  expect((await call('POST', '/save', sneaked, 'eastern')).Details?.Fields).toHaveProperty(['Content.Widgets.0.Points'])
  expect((await call('POST', '/save', { ...sneaked, ProjectId: west.ProjectId }, 'eastern')).Succeeded).toBe(false)
  for (const [method, at] of [
    ['GET', `/detail?Id=${company.Id}`],
    ['GET', '/default?ProjectId=1'],
  ] as const)
    expect((await call(method, at, undefined, 'stranger')).Data).toBeNull()
})

test('points that were deleted fall out of a board when it is saved again', async () => {
  const gone = west.points[2]!
  const board = await data('POST', '/save', { Title: 'Old', Content: content(widget('a', { Points: [gone, west.points[1]] })) })
  await plant.kit.data('owner', 'DELETE', '/Project/DevPara', { Id: gone })
  const shown = await data('GET', `/detail?Id=${board.Id}`)
  expect(shown.Content.Widgets[0]!.Points).toEqual([west.points[1]])
  const saved = await data('POST', '/update', { Id: board.Id, Content: board.Content })
  expect(saved.Content.Widgets[0]!.Points).toEqual([west.points[1]])
})

test('the platform makes boards for a company, with points of that company only', async () => {
  const { ours, theirs } = plant.kit.enterprises
  const draft = { Title: 'By the platform', Content: content(widget('a', { Points: [east.points[0]] })) }
  expect(await data('POST', '/save', { ...draft, EnterpriseId: ours }, 'platform')).toMatchObject({ EnterpriseId: ours })
  const refused = await call('POST', '/save', { ...draft, EnterpriseId: theirs }, 'platform')
  expect(refused.Details?.Fields).toHaveProperty(['Content.Widgets.0.Points'])
})

test('each change of its content is a version; one is restored as far as its points still exist, and only by who sees them all', async () => {
  const first = content(widget('a', { Points: [east.points[0]] }), widget('b', {}))
  const { Id } = await data('POST', '/save', { Title: 'Versions', Content: first })
  const history = (as = 'owner') => call('GET', `/HistoryList?Id=${Id}`, undefined, as) as Promise<{ StatusCode: number; Data: unknown }>
  const restore = (Version: number, as = 'owner') => call('POST', '/RestoreVersion', { Id, Version }, as)
  expect((await history()).Data).toMatchObject({ Items: [], TotalCount: 0 })
  await data('POST', '/update', { Id, Content: content(widget('a', { Points: [west.points[0]] }), widget('c', {})) })
  await data('POST', '/updatetitle', { Id, Title: 'Other title' })
  expect((await history()).Data).toMatchObject({
    Items: [
      { Version: 2, Widgets: 2, Added: 1, Removed: 1, Changed: 1, UserName: expect.any(String) },
      { Version: 1, Widgets: 2, Added: 0, Removed: 0, Changed: 0, UserName: null },
    ],
    TotalCount: 2,
  })
  expect((await restore(1)).Data).toMatchObject({ Title: 'Other title', Content: first })
  expect((await history()).Data).toMatchObject({ TotalCount: 3 })
  expect((await restore(9)).StatusCode).toBe(404)
  for (const as of ['stranger', 'reader']) expect([404, 403]).toContain((await restore(2, as)).StatusCode)
  expect((await history('stranger')).StatusCode).toBe(404)
  expect((await restore(2, 'eastern')).StatusCode).toBe(403)
})

const flowcharts = '/Project/Ddt/Flowchart'
/** A published picture that shows a point by Id, or by name in a device that is chosen when it is shown. */
const picture = async (of: string, parameters: object[] = []) => {
  const { Id } = await plant.kit.data<Row>('owner', 'POST', flowcharts, { FlowchartName: `P ${of}`, ProjectId: east.ProjectId })
  const items = [{ kind: 'value', id: 'v', x: 0, y: 0, w: 80, h: 30, size: 16, of }]
  await plant.kit.data('owner', 'POST', `${flowcharts}/Save`, { Id, Scene: { ...emptyScene(), items, parameters } })
  await plant.kit.data('owner', 'POST', `${flowcharts}/Publish`, { Id })
  return Id
}

test('a board shows a published picture to those who may look at pictures, and the picture is not removed', async () => {
  const Flowchart = await picture(`#${east.points[0]}`)
  const made = await data('POST', '/save', { Title: 'With picture', Content: content(widget('p', { Kind: 'picture', Flowchart })) })
  const [shown] = (await show(made.Id, { Parts: ['pictures'] })).Pictures
  expect(shown).toMatchObject({ Id: Flowchart, Version: 1, Shown: [{ DeviceId: null, Points: [{ ParaId: east.points[0] }] }] })
  expect((await show(made.Id, { Parts: ['now', 'past'] })).Pictures).toEqual([])
  expect((await show(made.Id, {}, 'reader')).Pictures).toEqual([])
  expect((await call('POST', '/save', { Title: 'Not theirs', Content: made.Content }, 'stranger')).Details?.Fields).toHaveProperty(
    'Content.Widgets.0.Flowchart',
  )
  const refused = await plant.kit.call('owner', 'DELETE', flowcharts, { Id: Flowchart })
  const UsedBy = [{ Resource: 'visualBoard', Id: made.Id, Title: 'With picture' }]
  expect(refused).toMatchObject({ StatusCode: 409, Details: { UsedBy } })
  await plant.kit.data('owner', 'POST', `${flowcharts}/CancelPublish`, { Id: Flowchart })
  expect((await show(made.Id)).Pictures).toEqual([])
  await data('POST', '/update', { Id: made.Id, Content: content() })
  expect(await plant.kit.call('owner', 'DELETE', flowcharts, { Id: Flowchart })).toMatchObject({ StatusCode: 200 })
  const five = await Promise.all(Array.from({ length: 5 }, (_, i) => picture(`#${east.points[0]} + ${i}`)))
  const many = content(...five.map((Flowchart, i) => widget(`p${i}`, { Kind: 'picture', Flowchart })))
  expect((await call('POST', '/save', { Title: 'Too many', Content: many })).Details?.Fields).toHaveProperty('Content.Widgets')
})

test('several chosen devices have their points and pictures each, as many as there is room for', async () => {
  const first = 'Speed'
  await plant.kit.db.rows(sql`update point set "ParaName" = ${first} where "Id" in (${east.points[0]}, ${west.points[0]})`)
  const Flowchart = await picture(`{Pump.${first}}`, [{ name: 'Pump', type: 'device' }])
  const Widgets = [widget('a', { PointNames: [first] }), widget('p', { Kind: 'picture', Flowchart, Y: 3 })]
  const made = await data('POST', '/save', { Title: 'Each', Content: { ...content(...Widgets), Variables: [{ Name: 'device' }] } })
  const DeviceIds = [west.device, east.device]
  const both = await show(made.Id, { DeviceIds })
  expect(both).toMatchObject({ DeviceId: west.device, Chosen: [{ Id: west.device }, { Id: east.device }], Left: 0 })
  expect(both.Points.map((p) => p.DeviceId).sort()).toEqual([east.device, west.device].sort())
  expect(both.Pictures[0]!.Shown.map((s) => [s.DeviceId, s.Points.map((p) => p.DeviceId)])).toEqual([
    [west.device, [west.device]],
    [east.device, [east.device]],
  ])
  const eastern = await show(made.Id, { DeviceIds }, 'eastern')
  expect(eastern.Chosen.map(({ Id }) => Id)).toEqual([east.device])
  const names = Array.from({ length: 10 }, (_, i) => Array.from({ length: 12 }, (_, k) => `N${i} ${k}`))
  const wide = content(...names.map((PointNames, i) => widget(`n${i}`, { PointNames, Y: 3 * i })))
  const tight = await data('POST', '/save', { Title: 'Tight', Content: { ...wide, Variables: [{ Name: 'device' }] } })
  expect(await show(tight.Id, { DeviceIds })).toMatchObject({ Chosen: [{ Id: west.device }], Left: 1 })
})

test('a map on a board has the project that is chosen, or all that the reader sees', async () => {
  for (const { ProjectId } of [east, west])
    await plant.kit.data('owner', 'PUT', '/Project/Project', { Id: ProjectId, Longitude: 5, Latitude: 6 })
  const Content = { ...content(widget('m', { Kind: 'map' })), Variables: [{ Name: 'project' }] }
  const made = await data('POST', '/save', { Title: 'Where', Content })
  const on = async (more: object = {}, as?: string) => ((await show(made.Id, more, as)).Map ?? []).map(({ Id }) => Id).sort()
  expect(await on()).toEqual([east.ProjectId, west.ProjectId].sort())
  expect(await on({ ProjectId: west.ProjectId })).toEqual([west.ProjectId])
  expect(await on({}, 'eastern')).toEqual([east.ProjectId])
  expect((await show(made.Id, {}, 'reader')).Map).toBeNull()
})
