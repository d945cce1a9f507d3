import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { permissions } from '../../../../contract/menus.ts'
import { emptyScene } from '../../../../contract/picture/scene.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { device as devices } from '../../../configuration/devices/contract.ts'
import { point as points } from '../../../configuration/points/contract.ts'
import type { Opening, SharedBoard, SharedScreen } from '../contract.ts'
import { openParts } from './parts.fixture.ts'

type Row = Record<string, unknown> & { Id: number }
type Made = Row & { Token: string }
const flowcharts = '/Project/Ddt/Flowchart'
let now = Date.parse('2026-03-01T12:00:00Z')
let kit: Kit
let parts: Awaited<ReturnType<typeof openParts>>
let pump: { speed: number; project: number }
beforeAll(async () => {
  parts = await openParts(() => now)
  const telemetry = { latest: new Map(), query: undefined } as never
  kit = await startKit({ clock: () => now, areas: (database, sessions) => parts.routes(database, sessions, telemetry) })
  const make = maker(kit)
  const device = (await make.create(devices, { DeviceName: 'Pump 1' })) as Row
  const speed = (await make.create(points, { DeviceId: device.Id, ParaName: 'Speed', ReadWriteType: 1 })) as Row
  const { ProjectId } = await kit.data<Row>('owner', 'GET', `/Project/Gateway?Id=${device.GatewayId}`)
  pump = { speed: speed.Id, project: ProjectId as number }
})
afterAll(async () => {
  await kit.close()
  parts.close()
})

let count = 0
const picture = async () => {
  const { Id } = await kit.data<Row>('owner', 'POST', flowcharts, { FlowchartName: `Station ${++count}`, ProjectId: pump.project })
  const of = `#${pump.speed}`
  const item = { kind: 'value', id: 'speed', x: 0, y: 0, w: 80, h: 30, size: 16, of, acts: [{ do: 'set', of, value: 1 }] }
  await kit.data('owner', 'POST', `${flowcharts}/Save`, { Id, Scene: { ...emptyScene(), items: [item] } })
  await kit.data('owner', 'POST', `${flowcharts}/Publish`, { Id })
  return Id
}
const share = (given: object, as = 'owner') =>
  kit.data<Made>(as, 'POST', '/Project/Ddt/Share', { ShareName: `Link ${++count}`, Kind: 1, Hours: 24, ...given })
const visit = async (Token: string) => (await kit.call<Opening>(undefined, 'POST', '/Share/Open', { Token })).Data.Visit
const show = (Visit: string | null) => kit.call<SharedScreen>(undefined, 'POST', '/Share/Show', { Visit })
/** Advances past the cache lifetime. */
const later = (ms = 4000) => {
  now += ms
}

const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const upload = async (name: string) => {
  const body = new FormData()
  body.append('file', new Blob([gif]), name)
  const sent = new Response(body)
  const made = await kit.app.inject({
    method: 'POST',
    url: '/api/System/File/Upload?Purpose=attachment',
    headers: { 'content-type': sent.headers.get('content-type')!, authorization: `Bearer ${kit.people.get('owner')!.token}` },
    payload: Buffer.from(await sent.arrayBuffer()),
  })
  return (made.json() as { Data: { FilePath: string; FileName: string } }).Data
}
const boardOf = async (Widgets: object[], more: object = {}) => {
  const place = { X: 0, Y: 0, W: 4, H: 3 }
  const Content = { Version: 1, Range: '1h', Variables: [], Widgets: Widgets.map((w, i) => ({ Id: `w${i}`, ...place, ...w })) }
  return kit.data<Row>('owner', 'POST', '/blade-visual/visual/save', { Title: `Board ${++count}`, Content, ...more })
}
type Seen = { Board: SharedBoard }
const image = (Of: string) => kit.app.inject({ method: 'GET', url: `/api/Share/Image?Of=${Of}` })

it('images of a shared dashboard come by an address of the visit, which ends with the link', async () => {
  const { FilePath, FileName } = await upload('hall.gif')
  const { Id } = await boardOf([{ Kind: 'image', Image: FilePath }], { Images: [{ FilePath, FileName }] })
  const made = await share({ Kind: 2, VisualBoardId: Id })
  const Visit = await visit(made.Token)
  const { Images } = ((await show(Visit)).Data as Seen).Board
  const address = Images[FilePath]!
  expect(address).toMatch(/^[\w-]{32}$/)
  expect(((await show(Visit)).Data as Seen).Board.Images).toEqual(Images)
  const answer = await image(address)
  expect([answer.statusCode, answer.headers['content-type'], answer.rawPayload.equals(gif)]).toEqual([200, 'image/gif', true])
  const other = ((await show(await visit(made.Token))).Data as Seen).Board.Images[FilePath]
  expect(other).not.toBe(address)
  expect((await image('x'.repeat(32))).json()).toMatchObject({ StatusCode: 404 })
  await kit.data('owner', 'DELETE', '/Project/Ddt/Share', { Id: made.Id })
  later()
  expect((await image(address)).json()).toMatchObject({ StatusCode: 404 })
})

it('a copy of a dashboard has copies of its images', async () => {
  const { FilePath, FileName } = await upload('plan.gif')
  const { Id } = await boardOf([{ Kind: 'image', Image: FilePath }], { Images: [{ FilePath, FileName }] })
  const { Content } = await kit.data<Row & { Content: unknown }>('owner', 'GET', `/blade-visual/visual?Id=${Id}`)
  const copy = await kit.data<Row & { Content: { Widgets: { Image: string }[] }; Images: { FilePath: string }[] }>(
    'owner',
    'POST',
    '/blade-visual/visual/save',
    { Title: 'Copy', Content, CopyOf: Id },
  )
  const [of] = copy.Content.Widgets
  expect(of!.Image).not.toBe(FilePath)
  expect(copy.Images).toMatchObject([{ FilePath: of!.Image, FileName: 'plan.gif' }])
  await kit.data('owner', 'POST', '/blade-visual/visual/remove', { Ids: [Id] })
  const { rawPayload } = await kit.request('owner', 'GET', `/${of!.Image}`)
  expect(rawPayload.equals(gif)).toBe(true)
  const strange = await kit.call('stranger', 'POST', '/blade-visual/visual/save', { Title: 'Stolen', Content, CopyOf: copy.Id })
  expect(strange).toMatchObject({ StatusCode: 404 })
})

it('a shared dashboard shows its picture and the map of its own project', async () => {
  await kit.data('owner', 'PUT', '/Project/Project', { Id: pump.project, Longitude: 2, Latitude: 3 })
  const widgets = [{ Kind: 'picture', Flowchart: await picture() }, { Kind: 'map' }]
  const { Id } = await boardOf(widgets, { ProjectId: pump.project })
  const { Board } = (await show(await visit((await share({ Kind: 2, VisualBoardId: Id })).Token))).Data as Seen
  expect(Board.Data.Map).toMatchObject([{ Id: pump.project, Longitude: 2 }])
  expect(Board.Data.Pictures).toMatchObject([{ Version: 1, Shown: [{ DeviceId: null, Points: [{ ParaName: 'Speed' }] }] }])
  expect(JSON.stringify(Board)).not.toContain('acts')
  await kit.person('blind', kit.enterprises.ours, { menus: permissions.filter((p) => p !== 'm10125' && p !== 'm10311') })
  const less = (await show(await visit((await share({ Kind: 2, VisualBoardId: Id }, 'blind')).Token))).Data as Seen
  expect(less.Board.Data).toMatchObject({ Map: null, Pictures: [] })
})

it('a shared map has the tiles of its company’s map server, by its visit, and other links have none', async () => {
  const tile = (Visit: string | null) => kit.app.inject({ method: 'POST', url: '/api/Share/Tile', payload: { Visit, Z: 1, X: 0, Y: 1 } })
  const made = await share({ Kind: 3 })
  const Visit = await visit(made.Token)
  expect((await show(Visit)).Data).toMatchObject({ Map: { Tiles: null } })
  expect((await tile(Visit)).json()).toMatchObject({ StatusCode: 404 })
  await kit.db.rows(sql`update enterprise set "MapProvider" = 'tiles' where "Id" = ${kit.enterprises.ours}`)
  await kit.data('owner', 'PUT', '/System/Map/TileConfig', { TileUrl: parts.tileUrl })
  later()
  expect((await show(Visit)).Data).toMatchObject({ Map: { Tiles: { System: 'wgs84', MaxZoom: 18 } } })
  const answer = await tile(Visit)
  expect([answer.statusCode, answer.rawPayload.equals(parts.png)]).toEqual([200, true])
  const flood = await Promise.all(Array.from({ length: 405 }, () => tile(Visit)))
  expect(flood.filter(({ statusCode }) => statusCode === 200)).toHaveLength(399)
  const picked = await visit((await share({ FlowchartId: await picture() })).Token)
  expect((await tile(picked)).json()).toMatchObject({ StatusCode: 404 })
  await kit.data('owner', 'DELETE', '/Project/Ddt/Share', { Id: made.Id })
  later(60_000)
  expect((await tile(Visit)).json()).toMatchObject({ StatusCode: 404 })
})
