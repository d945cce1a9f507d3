import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { permissions } from '../../../../contract/menus.ts'
import { type Plant, startPlant } from '../../../configuration/gateways/server/harness.ts'
import type { ReportGroup } from '../contract.ts'
import { reportGroupRoutes } from './routes.ts'

const path = '/DataCenter/ReportGroup'
type Row = ReportGroup & { HiddenPoints: number }
let plant: Plant
let east: number[]
let west: number[]
beforeAll(async () => {
  plant = await startPlant({ routes: [reportGroupRoutes] })
  const at = await plant.equip(2)
  east = at.points
  west = (await plant.equip(2)).points
  const { ProjectId } = (await plant.row(at.Id)) as { ProjectId: number }
  const menus = permissions.filter((p) => p === 'm100' || p === 'm10301' || p.startsWith('m10308'))
  await plant.kit.person('eastern', plant.kit.enterprises.ours, { projects: [ProjectId], menus })
  await plant.kit.person('colleague', plant.kit.enterprises.ours, { menus })
})
afterAll(() => plant.close())

const data = <T = Row>(method: string, at: string, body?: unknown, as = 'owner') => plant.kit.data<T>(as, method, `${path}${at}`, body)
const call = (method: string, at: string, body?: unknown, as = 'owner') => plant.kit.call<Row>(as, method, `${path}${at}`, body)
const named = (ids: readonly number[]) => ids.map((ParaId) => ({ ParaId }))

test('who sees a part of the points gets that part, learns how many are left out, and does not lose them by saving', async () => {
  const made = await data('POST', '', { GroupName: 'Both', Points: [...named(east), ...named(west)] })
  const seen = await data('GET', `?Id=${made.Id}`, undefined, 'eastern')
  expect([seen.Points, seen.HiddenPoints]).toEqual([named(east), 2])
  await data('PUT', '', { Id: made.Id, Points: named([east[1]!]) }, 'eastern')
  expect((await data('GET', `?Id=${made.Id}`)).Points).toEqual(named([east[1]!, ...west]))
  const trends = await plant.kit.data<{ Points: { ParaName: string }[]; HiddenPoints: number }[]>(
    'eastern',
    'GET',
    '/DataCenter/ReportData/DataTrendGroup',
  )
  expect(trends).toMatchObject([{ HiddenPoints: 2, Points: [{ ParaId: east[1], ParaName: expect.any(String) }] }])
  await data('DELETE', '', { Id: made.Id })
})

test('a group of one’s own is there for nobody else; what is shared is hidden by its maker only', async () => {
  const own = await data('POST', '', { GroupName: 'Mine', IsShared: 0 }, 'colleague')
  expect(await call('GET', `?Id=${own.Id}`)).toMatchObject({ StatusCode: 404 })
  expect((await data<Page<Row>>('GET', '/SettingList')).Items).toEqual([])
  expect(await data('GET', '/SettingSelectList', undefined, 'colleague')).toEqual([{ Id: own.Id, GroupName: 'Mine', GroupType: 1 }])
  const shared = await data('POST', '', { GroupName: 'Ours' })
  const refused = await call('PUT', '', { Id: shared.Id, IsShared: 0 }, 'colleague')
  expect(Object.keys(refused.Details?.Fields ?? {})).toEqual(['IsShared'])
  expect(await data('PUT', '', { Id: shared.Id, GroupName: 'Of all' }, 'colleague')).toMatchObject({ GroupName: 'Of all' })
})

test('points that are foreign, named twice or too many are refused by their place', async () => {
  const wrong = async (Points: object[]) => Object.keys((await call('POST', '', { GroupName: 'Wrong', Points })).Details?.Fields ?? {})
  expect(await wrong([...named(east), { ParaId: 999_999_999 }])).toEqual(['Points.2.ParaId'])
  expect(await wrong(named([east[0]!, east[0]!]))).toEqual(['Points.1.ParaId'])
  expect(await wrong(Array.from({ length: 101 }, (_, i) => ({ ParaId: i + 1 })))).toEqual(['Points'])
})
