import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { emptyScene, type Item, type Scene } from '../../../../contract/picture/scene.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { device as devices } from '../../../configuration/devices/contract.ts'
import { point as points } from '../../../configuration/points/contract.ts'
import { pointRoutes } from '../../../configuration/points/server/routes.ts'
import { flowchartCalls } from '../contract.ts'
import { pointKeys } from './pointUse.ts'
import { flowchartRoutes } from './routes.ts'

type Row = Record<string, unknown> & { Id: number }
type Use = { Pictures: { FlowchartName: string; Shown: boolean; Drawn: boolean }[]; More: boolean }
const path = '/Project/Ddt/Flowchart'
let kit: Kit
let speed: Row
let ProjectId: number
beforeAll(async () => {
  const needs = { latest: new Map(), query: undefined, write: undefined, pulse: undefined, clock: () => 0 } as never
  kit = await startKit({ areas: () => [pointRoutes, (api) => flowchartRoutes(api, needs)] })
  const make = maker(kit)
  const device = (await make.create(devices, { DeviceName: 'Pump 1' })) as Row
  speed = (await make.create(points, { DeviceId: device.Id, ParaName: 'Speed' })) as Row
  ProjectId = (await kit.data<{ ProjectId: number }>('owner', 'GET', `/Project/Gateway?Id=${device.GatewayId}`)).ProjectId
})
afterAll(() => kit.close())

const value = (id: string, of: string) => ({ kind: 'value', id, x: 0, y: 0, w: 80, h: 30, of, size: 16 }) as Item
const scene = (of: string, more: object = {}): Scene => ({ ...emptyScene(), ...more, items: [value('a', '1 + 1'), value('b', of)] })
const draw = async (FlowchartName: string, Scene: Scene) => {
  const { Id } = await kit.data<Row>('owner', 'POST', path, { FlowchartName, ProjectId })
  await kit.data('owner', 'POST', `${path}/Save`, { Id, Scene })
  return Id
}
const uses = (as = 'owner', id = speed.Id) => kit.call<Use>(as, 'GET', `${path}/ByPoint?ParaId=${id}`)

it('a point names the pictures that show it, by Id and by a device and name: drafts and the version that viewers see', async () => {
  expect((await uses()).Data).toEqual({ ParaName: 'Speed', DeviceName: 'Pump 1', Pictures: [], More: false })
  const byId = await draw('By Id', scene(`max(#${speed.Id}, 3)`))
  await draw('By name', scene('{Pump.Speed} / 2', { parameters: [{ name: 'Pump', type: 'device', value: speed.DeviceId }] }))
  await draw('Another', scene('{Pump.Speed}', { parameters: [{ name: 'Pump', type: 'device' }] }))
  const names = async () => (await uses()).Data!.Pictures.map(({ FlowchartName, Shown, Drawn }) => [FlowchartName, Shown, Drawn])
  expect(await names()).toEqual([
    ['By Id', false, true],
    ['By name', false, true],
  ])
  await kit.data('owner', 'POST', `${path}/Publish`, { Id: byId })
  await kit.data('owner', 'POST', `${path}/Save`, { Id: byId, Scene: scene('2') })
  expect((await names())[0]).toEqual(['By Id', true, false])
  await kit.data('owner', 'POST', `${path}/Publish`, { Id: byId })
  expect(await names()).toEqual([['By name', false, true]])
  await kit.data('owner', 'PUT', path, { Id: byId, VersionMode: 1, VersionNo: 1 })
  expect((await names())[0]).toEqual(['By Id', true, false])
})

it('a picture that was removed is not listed, and is listed again when it is restored', async () => {
  const id = await draw('Restored', scene(`#${speed.Id}`))
  const isListed = async () => (await uses()).Data!.Pictures.some(({ FlowchartName }) => FlowchartName === 'Restored')
  await kit.data('owner', 'DELETE', `${path}?Id=${id}`)
  expect(await isListed()).toBe(false)
  await kit.data('owner', flowchartCalls.undoRemove.method, flowchartCalls.undoRemove.path, { Id: id })
  expect(await isListed()).toBe(true)
})

it('somebody who sees the point in no way is told that there is none', async () => {
  expect((await uses('stranger')).StatusCode).toBe(404)
  expect((await uses('owner', 999_999)).StatusCode).toBe(404)
})

it('points are looked up by an index', async () => {
  const plan = await kit.database.system.tx(async (db) => {
    await db.rows(sql`set local enable_seqscan = off`)
    return db.rows<Record<string, string>>(sql`explain select 1 from flowchart_version where "PointKeys" && array['#1']`)
  })
  expect(JSON.stringify(plan)).toContain('flowchart_version_PointKeys_idx')
})

it('keys are the Ids and the names of devices that are chosen', () => {
  const parameters = [
    { name: 'A', type: 'device' as const, value: 7 },
    { name: 'B', type: 'point' as const, value: 9 },
    { name: 'C', type: 'text' as const, value: 'x' },
  ]
  expect(pointKeys(scene('#1 + {A.Speed} + {B} + {C.Level} + {D.Level} + #1', { parameters }))).toEqual(['#1', '7.Speed', '#9'])
})
