import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { permissions } from '../../../../contract/menus.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { gateway } from '../../../configuration/gateways/contract.ts'
import { project } from '../../../configuration/projects/contract.ts'
import type { MapProject } from '../contract.ts'
import { mapRoutes } from './routes.ts'

type Row = { Id: number }
type Shown = { Items: MapProject[]; TotalMore: boolean; Unplaced: number }
let kit: Kit
let make: ReturnType<typeof maker>
let north = 0
beforeAll(async () => {
  kit = await startKit({ areas: () => [mapRoutes] })
  make = maker(kit)
  const place = async (ProjectName: string, more: object = {}) => ((await make.create(project, { ProjectName, ...more })) as Row).Id
  north = await place('North works', { Longitude: 2.17, Latitude: 41.38, Address: 'Harbour 1' })
  await place('South works', { Longitude: -3.7, Latitude: 40.4 })
  await place('Nowhere works', { Longitude: null, Latitude: null })
  await kit.person('northern', kit.enterprises.ours, { projects: [north] })
  await kit.person('looker', kit.enterprises.ours, { menus: permissions.filter((p) => p === 'm10311' || p === 'm100') })
})
afterAll(() => kit.close())

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
