import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { netProtocol } from '../../channels/contract.ts'
import { gateway } from '../../gateways/contract.ts'
import { point } from '../../points/contract.ts'
import { pointRoutes } from '../../points/server/routes.ts'
import { device } from '../contract.ts'

type Row = Record<string, unknown> & { Id: number }
type Answer = { Devices: Row[]; Rows: Row[]; NoRoom: number | null }
let kit: Kit
let make: ReturnType<typeof maker>
let GatewayId: number
beforeAll(async () => {
  kit = await startKit({ areas: () => [pointRoutes] })
  make = maker(kit)
  GatewayId = (await make.create(gateway)).Id
})
afterAll(() => kit.close())

const path = '/Project/Device'
const add = (body: object, as = 'owner') => kit.call<Answer>(as, 'POST', `${path}/BatchAdd`, { GatewayId, ...body })
const devicesOf = async (gatewayId = GatewayId) =>
  (await kit.data<Page<Row>>('owner', 'GET', `${path}/List?GatewayId=${gatewayId}&PageSize=1000&OrderColumn=Id`)).Items
const pointsOf = async (id: number) =>
  (await kit.data<Page<Row>>('owner', 'GET', `/V2/Project/DevPara/List?DeviceIds=${id}&PageSize=1000`)).Items
const newModel = async (ModelName: string, rows: object[]) => {
  const { Id } = await kit.data<Row>('owner', 'POST', '/ProModel/ProModel', { ModelName, Parameters: 'base=100' })
  for (const row of rows) await kit.data('owner', 'POST', '/ProModel/ModelPara', { ModelId: Id, ...row })
  await kit.data('owner', 'POST', '/ProModel/ProModel/Publish', { Id })
  return Id
}

it('a name with a range becomes that many devices, with the points of their model at consecutive unit IDs', async () => {
  const ModelId = await newModel('Batch pump', [{ ParaName: 'Flow', Address: '{base}' }])
  const NetProtocolId = (await make.create(netProtocol, { GatewayId })).Id
  const body = { NameRule: 'Pump {09..11}', ModelId, ModelValues: 'base=7', NetProtocolId, SlaveNumber: 4, Step: 2 }
  const preview = await add({ ...body, Preview: 1 })
  expect(preview.Data.Devices.map((d) => [d.DeviceName, d.Added])).toEqual([
    ['Pump 09', 1],
    ['Pump 10', 1],
    ['Pump 11', 1],
  ])
  expect(await devicesOf()).toEqual([])
  expect((await add(body)).Data.Devices).toMatchObject([{ Added: 1, Blocked: 0 }, {}, {}])
  const made = await devicesOf()
  expect(made.map((d) => [d.DeviceName, d.SlaveNumber, d.ModelVersion, d.NetProtocolId])).toEqual([
    ['Pump 09', 4, 1, NetProtocolId],
    ['Pump 10', 6, 1, NetProtocolId],
    ['Pump 11', 8, 1, NetProtocolId],
  ])
  expect(await pointsOf(made[1]!.Id)).toMatchObject([{ ParaName: 'Flow', Address: '7', SlaveNumber: 6 }])
})

it('one wrong device adds none, and is listed by its place: a name in use, a unit ID beyond 255, an empty range', async () => {
  const before = await devicesOf()
  expect((await add({ NameRule: 'Pump {10..20}', SlaveNumber: 50 })).Details).toMatchObject({
    Fields: { 'Items.0.DeviceName': [expect.stringContaining('in use')] },
  })
  expect((await add({ NameRule: 'Fan {1..10}', SlaveNumber: 250 })).Details).toMatchObject({
    Fields: { Step: [expect.stringContaining('259')] },
  })
  for (const NameRule of ['Fan {5..1}', 'Fan {1..1001}'])
    expect((await add({ NameRule, Step: 0 })).Details).toMatchObject({ Fields: { NameRule: [expect.any(String)] } })
  const blocked = {
    NameRule: 'Fan {1..2}',
    ModelId: await newModel('Blocked', [{ ParaName: 'A', Address: '{base}' }]),
    ModelValues: 'base=70000',
  }
  expect((await add({ ...blocked, Preview: 1 })).Data?.Devices).toMatchObject([{ Blocked: 1 }, { Blocked: 1 }])
  expect(await add(blocked)).toMatchObject({ StatusCode: 409, Details: { Fault: 'modelBlocked' } })
  expect(await devicesOf()).toEqual(before)
})

it('each device of a batch has what its protocol asks, such as the instance of a BACnet device', async () => {
  const NetProtocolId = (await make.create(netProtocol, { GatewayId, ProtocolName: 'Building', ProtocolType: 90, Ip: '10.0.0.9' })).Id
  const batch = (SettingsOfEach: object[]) => add({ NameRule: 'Air handler {1..2}', NetProtocolId, SlaveNumber: 61, SettingsOfEach })
  expect((await batch([{ Instance: 1200 }])).Details).toMatchObject({ Fields: { SettingsOfEach: [expect.stringContaining('2')] } })
  expect((await batch([{ Instance: 1200 }, { Instance: 'x' }])).Details).toMatchObject({
    Fields: { 'Items.1.Settings.Instance': [expect.any(String)] },
  })
  expect((await batch([{ Instance: 1200 }, { Instance: 1201 }])).Data.Devices).toHaveLength(2)
  const made = (await devicesOf()).filter((d) => String(d.DeviceName).startsWith('Air handler'))
  expect(made.map((d) => d.Settings)).toEqual([{ Instance: 1200 }, { Instance: 1201 }])
})

it('a batch needs the right to add devices, and a gateway of the same company', async () => {
  expect(await add({ NameRule: 'Fan {1..2}' }, 'viewer')).toMatchObject({ StatusCode: 403 })
  expect(await add({ NameRule: 'Fan {1..2}' }, 'stranger')).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { GatewayId: [expect.any(String)] } },
  })
})

it("points follow the unit ID of their device when asked, in one transaction, and stay the model's", async () => {
  const ModelId = await newModel('Follower', [
    { ParaName: 'Own', Address: '1' },
    { ParaName: 'Next', Address: '2', SlaveNumber: '{unit+1}' },
  ])
  const { Data } = await add({ NameRule: 'Follower', ModelId, SlaveNumber: 20 })
  const Id = Data.Devices[0]!.DeviceId as number
  const units = async () => (await pointsOf(Id)).toSorted((a, b) => a.Id - b.Id).map((p) => [p.ParaName, p.SlaveNumber, p.Overrides])
  await kit.data('owner', 'PUT', path, { Id, SlaveNumber: 30 })
  expect(await units()).toEqual([
    ['Own', 20, null],
    ['Next', 21, null],
  ])
  await kit.data('owner', 'PUT', path, { Id, SlaveNumber: 20 })
  expect(await kit.data('owner', 'PUT', path, { Id, SlaveNumber: 30, PointsFollow: 1 })).toMatchObject({ SlaveNumber: 30 })
  expect(await units()).toEqual([
    ['Own', 30, null],
    ['Next', 21, null],
  ])
  const entries = await kit.db.rows(
    sql`select 1 from change where "Resource" = 'point' and "Verb" = 'update' and "RecordId" = ${(await pointsOf(Id))[0]!.Id}`,
  )
  expect(entries).toHaveLength(1)
})

it('[point-batch] a thousand points are added and changed in few statements, and a refusal names the row', async () => {
  const { Id } = await make.create(device)
  const items = (n: number, more: (i: number) => object = () => ({})) =>
    Array.from({ length: n }, (_, i) => ({ ParaName: `P${i}`, Address: String(i), ...more(i) }))
  const batch = (Items: object[]) => kit.call('owner', 'POST', `${point.path}/BatchAdd`, { DeviceId: Id, Items })
  expect(await batch(items(3, (i) => (i === 2 ? { AlarmLow: 2, AlarmHigh: 1 } : {})))).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { 'Items.2.AlarmHigh': [expect.any(String)] } },
  })
  expect(await batch(items(3, (i) => (i === 2 ? { ParaName: 'P0' } : {})))).toMatchObject({
    StatusCode: 409,
    Details: { Fields: { 'Items.2.ParaName': [expect.stringContaining('in use')] } },
  })
  expect(await pointsOf(Id)).toEqual([])
  expect(await batch(items(1000))).toMatchObject({ Data: { Added: 1000 } })
  const Ids = (await pointsOf(Id)).map((p) => p.Id)
  const set = (SlaveNumber: number) => kit.data('owner', 'POST', `${point.path}/SlaveNumberBatchUpdate`, { Ids, SlaveNumber })
  expect(await set(9)).toEqual({ Changed: 1000 })
  expect(await set(9)).toEqual({ Changed: 0 })
  const [counted] = await kit.db.rows<{ n: number }>(sql`
    select count(*)::int as n from change where "Resource" = 'point' and "RecordId" = any(${Ids}::bigint[])`)
  expect(counted).toEqual({ n: 2000 })
})

it('the sheet of devices names channel and model, carries model parameters, and returns without a change', async () => {
  const own = (await make.create(gateway)).Id
  const ModelId = await newModel('Sheet pump', [])
  const NetProtocolId = (await make.create(netProtocol, { GatewayId: own, ProtocolName: 'Line 1' })).Id
  await make.create(device, { GatewayId: own, DeviceName: 'P1', NetProtocolId, ModelId, ModelValues: 'base=100;db=4' })
  const { body } = await kit.request('owner', 'GET', `${path}/Output?GatewayId=${own}&Format=csv`, undefined, { 'accept-language': 'en' })
  for (const text of ['Line 1', 'Sheet pump', 'base=100;db=4']) expect(body).toContain(text)
  expect(await kit.upload('owner', `${path}/Import`, body, 'devices.csv')).toMatchObject({ Data: { Added: 0, Changed: 0, Unchanged: 1 } })
  const renamed = await kit.upload('owner', `${path}/Import`, body.replace('base=100;db=4', 'base=200'), 'devices.csv')
  expect(renamed).toMatchObject({ Data: { Changed: 1 } })
  expect(await devicesOf(own)).toMatchObject([{ ModelId, NetProtocolId, ModelValues: 'base=200' }])
})

it('devices are listed by the project of their gateway, to those who see it', async () => {
  const [near, far] = [(await make.create(device)) as Row, (await make.create(device)) as Row]
  const projectOf = async ({ GatewayId: Id }: Row) => (await kit.data<Row>('owner', 'GET', `/Project/Gateway?Id=${Id}`)).ProjectId as number
  const [east, west] = [await projectOf(near), await projectOf(far)]
  await kit.person('eastern', kit.enterprises.ours, { projects: [east] })
  const listed = async (ProjectId: number, as = 'owner') =>
    (await kit.data<Page<Row>>(as, 'GET', `${path}/List?ProjectId=${ProjectId}`)).Items.map(({ Id }) => Id)
  expect([await listed(east), await listed(west)]).toEqual([[near.Id], [far.Id]])
  expect([await listed(west, 'eastern'), await listed(west, 'stranger')]).toEqual([[], []])
  expect(await kit.call('owner', 'GET', `${path}/List?RegionName=1`)).toMatchObject({ StatusCode: 400 })
})
