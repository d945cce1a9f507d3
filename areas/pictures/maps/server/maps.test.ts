import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { permissions } from '../../../../contract/menus.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { openFolder } from '../../../../server/files/store.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { gateway } from '../../../configuration/gateways/contract.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { fileRoutes } from '../../../system/files/server/routes.ts'
import { filesService } from '../../../system/files/server/service.ts'
import type { AddressProblem, DrawnLayer, MapProject } from '../contract.ts'
import { mostLayers } from '../layers.ts'
import { openAddresses } from './addresses.ts'
import { addressRoutes, layerRoutes, mapRoutes } from './routes.ts'

type Row = { Id: number }
type Shown = { Items: MapProject[]; TotalMore: boolean; Unplaced: number }
let kit: Kit
let make: ReturnType<typeof maker>
let north = 0
let folder = ''
let now = 0
const asked: URLSearchParams[] = []
/** Answers in the shape that Baidu documents for geocoding v3. */
const baidu = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url!, 'http://map')
  asked.push(searchParams)
  const address = searchParams.get('address')
  const body =
    pathname !== '/geocoding/v3/' || searchParams.get('ak') !== 'map key'
      ? { status: 240, message: 'APP denied' }
      : address === 'nowhere'
        ? { status: 1, msg: 'Internal Service Error:无相关结果' }
        : { status: 0, result: { location: { lng: 116.404, lat: 39.915 }, precise: 1 } }
  response.end(address === 'noise' ? '<html>' : JSON.stringify(body))
})
beforeAll(async () => {
  baidu.listen(0, '127.0.0.1')
  await once(baidu, 'listening')
  const url = `http://127.0.0.1:${(baidu.address() as AddressInfo).port}`
  folder = mkdtempSync(join(tmpdir(), 'penstock-maps-'))
  kit = await startKit({
    areas: (database, sessions) => {
      const files = filesService(database, openFolder(folder), randomBytes(32), Date.now)
      return [
        mapRoutes,
        (api) => fileRoutes(api, files, sessions),
        (api) => layerRoutes(api, files),
        (api) =>
          addressRoutes(
            api,
            openAddresses(database, url, () => now),
          ),
      ]
    },
  })
  make = maker(kit)
  const place = async (ProjectName: string, more: object = {}) => ((await make.create(project, { ProjectName, ...more })) as Row).Id
  north = await place('North works', { Longitude: 2.17, Latitude: 41.38, Address: 'Harbour 1' })
  await place('South works', { Longitude: -3.7, Latitude: 40.4 })
  await place('Nowhere works', { Longitude: null, Latitude: null })
  await kit.person('northern', kit.enterprises.ours, { projects: [north] })
  await kit.person('looker', kit.enterprises.ours, { menus: permissions.filter((p) => p === 'm10311' || p === 'm100') })
})
afterAll(async () => {
  await kit.close()
  baidu.close()
  rmSync(folder, { recursive: true, force: true })
})

const onMap = (as = 'owner', query = '') => kit.data<Shown>(as, 'GET', `/Project/Project/ProInfoFormap${query}`)
const names = ({ Items }: { Items: MapProject[] }) => Items.map(({ ProjectName }) => ProjectName)

it('[map-config] a map gets the caller’s projects with position, state and counts', async () => {
  const add = async (OnlineStatus: number) => {
    const { Id } = (await make.create(gateway, { ProjectId: north })) as Row
    await kit.db.rows(sql`update gateway set "OnlineStatus" = ${OnlineStatus} where "Id" = ${Id}`)
    return Id
  }
  const GatewayId = await add(1)
  await add(0)
  const { Id } = (await make.create(device, { GatewayId })) as Row
  await kit.db.rows(sql`update device set "Status" = 1 where "Id" = ${Id}`)
  for (const [level, active] of [
    [2, 1],
    [3, 0],
  ])
    await kit.db.rows(sql`
      insert into alarm_info ("EnterpriseId", "AlmNo", "RuleName", "AlarmLevel", "ProjectId", "Subject", "IsActive", "StartTime")
      values (${kit.enterprises.ours}, ${`A${level}`}, 'High', ${level}, ${north}, ${`s${level}`}, ${active}, now())`)
  const shown = await onMap()
  expect(shown).toMatchObject({ TotalMore: false, Unplaced: 1 })
  expect(names(shown)).toEqual(['North works', 'South works'])
  const counts = { Gateways: 2, OnlineGateways: 1, Devices: 1, OnlineDevices: 1, ActiveAlarms: 1, AlarmLevel: 2 }
  expect(shown.Items[0]).toMatchObject({ Id: north, Longitude: 2.17, Latitude: 41.38, Address: 'Harbour 1', State: 2, ...counts })
  expect(shown.Items[1]).toMatchObject({ State: 0, Gateways: 0, Devices: 0, ActiveAlarms: 0, AlarmLevel: 0 })
  expect(names(await onMap('owner', '?Search=south'))).toEqual(['South works'])
})

it('[map-config] its page has all projects, and filters, sorts and pages them like other lists', async () => {
  const list = (query: string) => kit.data<Page<MapProject>>('owner', 'GET', `/Project/Project/ProInfoFormapPage?${query}`)
  const first = await list('PageSize=2&OrderColumn=ProjectName&OrderType=desc')
  expect([names(first), first.TotalCount, first.HasNextPages]).toEqual([['South works', 'Nowhere works'], 3, true])
  const [found] = (await list('ProjectName=North')).Items
  expect(found).toMatchObject({ Id: north, Gateways: 2, AlarmLevel: 2 })
  expect((await list('ProjectName=Nowhere')).Items[0]).toMatchObject({ Longitude: null, Latitude: null })
  expect(await kit.call('owner', 'GET', '/Project/Project/ProInfoFormapPage?Colour=1')).toMatchObject({ StatusCode: 400 })
})

it('people see their own projects there, and count only what they may open', async () => {
  expect(names(await onMap('northern'))).toEqual(['North works'])
  expect(await onMap('stranger')).toEqual({ Items: [], TotalMore: false, Unplaced: 0 })
  const { Items } = await onMap('looker')
  const unknown = { State: null, Gateways: null, OnlineGateways: null, Devices: null, ActiveAlarms: null, AlarmLevel: null }
  expect(Items.find(({ Id }) => Id === north)).toMatchObject({ ProjectName: 'North works', ...unknown })
})

it('maps are read one after the other: of hundreds at once some are refused, and another company has its own', async () => {
  const ask = (as: string) => kit.call(as, 'GET', '/Project/Project/ProInfoFormap').then(({ StatusCode }) => StatusCode)
  const [stranger, ...own] = await Promise.all([ask('stranger'), ...Array.from({ length: 230 }, () => ask('owner'))])
  expect([stranger, new Set(own)]).toEqual([200, new Set([200, 429])])
})

it('a region that lies elsewhere leaves an empty map', async () => {
  expect(await onMap('owner', '?RegionId=999999')).toEqual({ Items: [], TotalMore: false, Unplaced: 0 })
})

it('[map-config] the key of the map is answered there, too', async () => {
  expect(await kit.data('owner', 'GET', '/Project/Project/MapKeyConfig')).toEqual(
    await kit.data('owner', 'GET', '/System/Enterprise/MapKey'),
  )
})

const layerPath = '/System/Map/Layer'
const add = (given: object, as = 'owner') =>
  kit.call<{ Id: number }>(as, 'POST', layerPath, { LayerName: `Layer ${++layerCount}`, ...given })
let layerCount = 0
const line = [
  [2, 41],
  [2.5, 41.5],
]
const drawn = async (as = 'owner') => kit.data<DrawnLayer[]>(as, 'GET', '/System/Map/Layers')
const uploadPlan = async (side: number) => {
  const image = await sharp({ create: { width: side, height: 20, channels: 3, background: '#1d8df0' } })
    .png()
    .toBuffer()
  const body = new FormData()
  body.append('file', new Blob([new Uint8Array(image)]), 'site.png')
  const sent = new Response(body)
  const made = await kit.app.inject({
    method: 'POST',
    url: '/api/System/File/Upload?Purpose=plan',
    headers: { 'content-type': sent.headers.get('content-type')!, authorization: `Bearer ${kit.people.get('owner')!.token}` },
    payload: Buffer.from(await sent.arrayBuffer()),
  })
  return (made.json() as { Data: { FilePath: string; FileName: string; Width: number } }).Data
}

it('a company’s borders are layers of its maps, with what is wrong refused by its field', async () => {
  const made = await add({ Lines: [line] })
  expect(made.Details ?? {}).toEqual({})
  expect(await drawn()).toMatchObject([{ Id: made.Data.Id, Lines: [line], Url: null, Corners: null, IsShown: 1 }])
  expect(await drawn('stranger')).toEqual([])
  const wrong = async (given: object, as?: string) => Object.keys((await add(given, as)).Details?.Fields ?? {})
  expect(await wrong({})).toEqual(['Lines'])
  expect(await wrong({ Lines: [] })).not.toEqual([])
  expect(
    await wrong({
      Lines: [
        [
          [200, 1],
          [1, 1],
        ],
      ],
    }),
  ).not.toEqual([])
  expect(
    await wrong({
      Lines: [
        [
          [1, 1, 5],
          [1, 1],
        ],
      ],
    }),
  ).not.toEqual([])
  expect(await wrong({ Lines: [line, Array.from({ length: mostLayers.positions }, () => [1, 1])] })).toEqual(['Lines'])
  expect(await wrong({ Kind: 2, West: 1, East: 2, North: 2, South: 1 })).toEqual(['Plan'])
  expect((await add({ Lines: [line] }, 'northern')).StatusCode).toBe(403)
  const own = await add({ Lines: [line], ProjectId: north }, 'northern')
  expect(own).toMatchObject({ StatusCode: 200 })
  expect((await kit.call('northern', 'DELETE', layerPath, { Id: made.Data.Id })).StatusCode).toBe(403)
  expect((await add({ Lines: [line], ProjectId: north }, 'stranger')).StatusCode).toBe(400)
  await kit.data('owner', 'DELETE', layerPath, { Ids: [made.Data.Id, own.Data.Id] })
  const made20 = []
  for (let i = 0; i < mostLayers.ofCompany; i++) made20.push((await add({ Lines: [line] })).Data.Id)
  expect(await wrong({ Lines: [line] })).toEqual(['LayerName'])
  await kit.data('owner', 'DELETE', layerPath, { Ids: made20 })
})

it('a plan is an image of up to 8,192 pixels between its edges, turned about its centre, and goes with its layer', async () => {
  const { FilePath, FileName, Width } = await uploadPlan(9000)
  expect(Width).toBe(8192)
  const edges = { West: 2, East: 2.2, North: 0.1, South: -0.1 }
  const plan = { Kind: 2, Plan: [{ FilePath, FileName }], ...edges }
  expect((await add({ ...plan, East: 1 })).Details?.Fields).toHaveProperty('East')
  const { Id } = (await add({ ...plan, Turn: 90 })).Data
  const [layer] = await drawn()
  expect(layer).toMatchObject({ Lines: null, Url: expect.stringMatching(/^\/api\/files\/.*Signature=/) })
  // Rotated clockwise by 90°: the top left corner is now the top right.
  expect(layer!.Corners!.map((at) => at.map((n) => Math.round(n * 1000) / 1000))).toEqual([
    [2.2, 0.1],
    [2.2, -0.1],
    [2, -0.1],
    [2, 0.1],
  ])
  const image = await kit.request(undefined, 'GET', layer!.Url!.replace('/api', ''))
  expect(image.headers['content-type']).toBe('image/webp')
  await kit.data('owner', 'DELETE', layerPath, { Id })
  expect((await kit.request('owner', 'GET', `/${FilePath}`)).json()).toMatchObject({ StatusCode: 404 })
})

it('an address is looked up where the company’s map is Baidu, and otherwise the answer says why not', async () => {
  const find = async (Address: string) =>
    kit.data<{ Problem: AddressProblem | null; Longitude: number; Latitude: number }>('owner', 'POST', '/System/Map/Find', { Address })
  const set = (given: object) => kit.data('owner', 'PUT', '/System/Enterprise/System', given)
  expect(await find('Tiananmen')).toMatchObject({ Problem: 'provider', Longitude: null })
  await set({ MapProvider: 'baidu' })
  expect(await find('Tiananmen')).toMatchObject({ Problem: 'noKey' })
  expect(asked).toEqual([])
  await set({ BaiduKey: 'another' })
  expect(await find('Tiananmen')).toMatchObject({ Problem: 'unreachable' })
  await set({ BaiduKey: 'map key' })
  const found = await find('Tiananmen')
  // GCJ-02 there is 0.0062° east and 0.0014° north of WGS 84.
  expect([found.Longitude, found.Latitude].map((n) => Math.round(n * 1000) / 1000)).toEqual([116.398, 39.914])
  expect(Object.fromEntries(asked.at(-1)!)).toEqual({ ak: 'map key', output: 'json', ret_coordtype: 'gcj02ll', address: 'Tiananmen' })
  expect([(await find('nowhere')).Problem, (await find('noise')).Problem]).toEqual(['unknown', 'unreachable'])
  for (let i = 0; i < 4; i++) await find('Tiananmen')
  expect(await kit.call('owner', 'POST', '/System/Map/Find', { Address: 'x' })).toMatchObject({ StatusCode: 429 })
  now += 60_000
  expect((await find('Tiananmen')).Problem).toBeNull()
  expect(await kit.call('looker', 'POST', '/System/Map/Find', { Address: 'x' })).toMatchObject({ StatusCode: 403 })
})
