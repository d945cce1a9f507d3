import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { permissions } from '../../../../contract/menus.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { device as devices } from '../../../configuration/devices/contract.ts'
import { gateway as gateways } from '../../../configuration/gateways/contract.ts'
import { proModel } from '../../../configuration/models/contract.ts'
import { project as projects } from '../../../configuration/projects/contract.ts'
import { patrolCalls } from '../../patrols/contract.ts'
import { patrol } from '../../patrols/server/service.ts'
import { upkeepCalls } from '../../upkeep/contract.ts'
import { plannedOrders, planRoutes, upkeep } from '../../upkeep/server/service.ts'
import { orderRoutes } from './routes.ts'
import { mostLabor } from './work.ts'

type Row = Record<string, unknown> & { Id: number }
type Work = { Parts: Record<string, unknown>[]; Labor: Record<string, unknown>[]; Running: number }
const path = '/Maintenance/MtnMaintenanceOrder'
let kit: Kit
let tech = 0
let site = { ProjectId: 0, DeviceId: 0, bearing: 0, seal: 0, grease: 0, PlaceId: 0 }
beforeAll(async () => {
  const plans = [
    { kind: upkeep, calls: upkeepCalls },
    { kind: patrol, calls: patrolCalls as unknown as typeof upkeepCalls },
  ]
  kit = await startKit({
    areas: () => [
      (api) => orderRoutes(api, { planned: plannedOrders([upkeep, patrol], { clock: Date.now }) }),
      ...plans.map(
        ({ kind, calls }) =>
          (api: Parameters<typeof orderRoutes>[0]) =>
            planRoutes(api, kind, { clock: Date.now, calls }),
      ),
    ],
  })
  const make = maker(kit)
  const { Id: ProjectId } = await make.create(projects)
  const { Id: GatewayId } = await make.create(gateways, { ProjectId })
  const { Id: ModelId } = await make.create(proModel)
  const { Id: DeviceId } = await make.create(devices, { GatewayId })
  await kit.db.rows(sql`update device set "ModelId" = ${ModelId} where "Id" = ${DeviceId}`)
  const { Id: PlaceId } = await kit.data<Row>('owner', 'POST', '/Maintenance/MtnPlace', { PlaceName: 'Store' })
  const part = async (ComponentName: string, Price: number, Qty: number) => {
    const { Id } = await kit.data<Row>('owner', 'POST', '/Maintenance/MtnComponent', { ComponentName, ComponentNo: ComponentName })
    await kit.data('owner', 'POST', '/Maintenance/MtnComponent/TakeIn', { Id, PlaceId, Qty, Price })
    return Id
  }
  site = {
    ProjectId,
    DeviceId,
    PlaceId,
    bearing: await part('Bearing', 40, 3),
    seal: await part('Seal', 5, 10),
    grease: await part('Grease', 2, 1),
  }
  await kit.data('owner', 'POST', '/Maintenance/MtnComponent/ComponentCompoInfo', { DeviceModelId: ModelId, ComponentId: site.bearing })
  tech = await kit.person('tech', kit.enterprises.ours, { menus: ['m106', 'm10601', 'm10601.work'] })
  await kit.person('planner', kit.enterprises.ours, { menus: permissions.filter((code) => code !== 'm10607.cost') })
  const [role] = await kit.db.rows<{ Id: number }>(sql`select "RoleId" as "Id" from user_role where "UserId" = ${tech}`)
  for (const [RateName, ValidFrom, Rate] of [
    ['Old', '2020-01-01', 10],
    ['Now', '2025-01-01', 60],
    ['Later', '2199-01-01', 999],
  ] as const)
    await kit.data('owner', 'POST', '/Maintenance/MtnLaborRate', { RateName, RoleId: role!.Id, ValidFrom, Rate })
})
afterAll(() => kit?.close())

const post = (as: string, name: string, body: object) => kit.call<Row>(as, 'POST', `${path}/${name}`, body)
const find = (Id: number, as = 'owner') => kit.data<Row>(as, 'GET', `${path}?Id=${Id}`)
const work = (OrderId: number, Search = '', as = 'tech') => kit.data<Work>(as, 'GET', `${path}/Work?OrderId=${OrderId}&Search=${Search}`)
const order = async () => {
  const { Id } = await kit.data<Row>('owner', 'POST', path, {
    Title: 'Hot bearing',
    ...{ ProjectId: site.ProjectId, DeviceId: site.DeviceId },
    AssignUserId: tech,
  })
  await kit.data('tech', 'POST', `${path}/Accept`, { OrderId: Id })
  return Id
}
const partOf = ({ Parts }: Work, id: number) => Parts.find((part) => part.ComponentId === id)

it('offers the parts of the machine first, reserves and takes them with the order, and gives back no more than it took', async () => {
  const [one, other] = [await order(), await order()]
  expect((await work(one)).Parts).toMatchObject([
    { ComponentId: site.bearing, OfModel: 1, StockQty: 3, Places: [{ PlaceName: 'Store', Qty: 3 }] },
  ])
  expect((await work(one, 'gre')).Parts.map((p) => p.ComponentName)).toEqual(['Bearing', 'Grease'])
  const part = { ComponentId: site.bearing, PlaceId: site.PlaceId }
  await post('tech', 'ReservePart', { OrderId: one, ComponentId: site.bearing, Qty: 2 })
  expect(partOf(await work(other), site.bearing)).toMatchObject({ StockQty: 3, ReservedByOthers: 2 })
  const taking = { OrderId: one, ...part, Qty: 2, ClientKey: 'tap-0001' }
  const both = await Promise.all([post('tech', 'TakePart', taking), post('tech', 'TakePart', taking)])
  expect(both.map((a) => a.Succeeded)).toEqual([true, true])
  expect(await post('tech', 'TakePart', { ...taking, Qty: 1 })).toMatchObject({ Details: { Fault: 'clientKeyUsed' } })
  expect(partOf(await work(one), site.bearing)).toMatchObject({ StockQty: 1, Reserved: 0, Taken: 2 })
  expect((await post('tech', 'TakePart', { OrderId: other, ...part, Qty: 2 })).Details?.Fields).toHaveProperty('Qty')
  expect((await post('tech', 'ReturnPart', { OrderId: one, ...part, Qty: 3 })).Details?.Fields).toHaveProperty('Qty')
  await post('tech', 'ReturnPart', { OrderId: one, ...part, Qty: 1 })
  expect(await find(one)).toMatchObject({ PartsCost: 40, Cost: 40 })
  // Costs stay hidden here, too.
  expect(await find(one, 'planner')).toMatchObject({ Cost: 0, PartsCost: null })
  expect(await find(one, 'tech')).toMatchObject({ Cost: 0, PartsCost: null })
  for (const Qty of [0, -1]) expect((await post('tech', 'TakePart', { ...taking, Qty })).StatusCode).toBe(400)
  expect((await post('stranger', 'TakePart', taking)).StatusCode).toBe(404)
  expect((await post('tech', 'TakePart', { OrderId: one, ...part, ComponentId: 999_999, Qty: 1 })).Details?.Fields).toHaveProperty(
    'ComponentId',
  )
})

it('labor runs from start to stop or is entered, costs the rate of its day, and a completed order keeps its cost', async () => {
  const OrderId = await order()
  expect((await post('tech', 'StartLabor', { OrderId })).Data).toEqual({ Changed: 1 })
  expect((await post('tech', 'StartLabor', { OrderId })).Data).toEqual({ Changed: 0 })
  expect(await work(OrderId)).toMatchObject({ Running: 1, Labor: [{ UserName: 'tech', EndTime: null }] })
  await kit.db.rows(sql`update mtn_order_labor set "StartTime" = now() - interval '90 minutes' where "OrderId" = ${OrderId}`)
  const reported = (of: number) =>
    kit.db.rows(sql`update mtn_maintenance_order set "ReportTime" = '2024-05-01T06:00:00Z' where "Id" = ${of}`)
  await reported(OrderId)
  expect((await post('tech', 'AddLabor', { OrderId, StartTime: '2024-05-01 08:00:00', EndTime: '2024-05-01 10:00:00' })).Succeeded).toBe(
    true,
  )
  const again = { OrderId, StartTime: '2024-05-01 09:00:00', EndTime: '2024-05-01 11:00:00' }
  expect((await post('tech', 'AddLabor', again)).Details?.Fields).toHaveProperty('StartTime')
  expect((await post('tech', 'AddLabor', { ...again, EndTime: '2024-05-01 08:59:59' })).Details?.Fields).toHaveProperty('EndTime')
  const before = { OrderId, StartTime: '2024-04-29 08:00:00', EndTime: '2024-04-29 09:00:00' }
  expect((await post('tech', 'AddLabor', before)).Details?.Fields).toHaveProperty('StartTime')
  // Labor of a person must not overlap, and entries per order are limited.
  const other = await order()
  await reported(other)
  expect((await post('tech', 'AddLabor', { ...again, OrderId: other })).Details?.Fields).toHaveProperty('StartTime')
  const later = { OrderId: other, StartTime: '2024-05-02 09:00:00', EndTime: '2024-05-02 11:00:00' }
  const owner = kit.people.get('owner')!.id
  await kit.db.rows(sql`
    insert into mtn_order_labor ("EnterpriseId", "OrderId", "UserId", "StartTime", "EndTime")
    select ${kit.enterprises.ours}, ${other}, ${owner}, now(), now() from generate_series(1, ${mostLabor})`)
  expect((await post('tech', 'AddLabor', later)).Details?.Fields).toHaveProperty('StartTime')
  await kit.data('owner', 'PUT', path, { Id: OrderId, TravelCost: 12.5 })
  await kit.call('planner', 'PUT', path, { Id: OrderId, TravelCost: 1 })
  await kit.data('tech', 'POST', '/Maintenance/MtnMyOrder/OrderFinish', { OrderId, Desc: 'New bearing' })
  const done = await find(OrderId)
  expect(done).toMatchObject({ LaborHours: expect.closeTo(3.5, 1), TravelCost: 12.5 })
  // Two hours at 10 and one and a half at 60.
  expect(done.LaborCost).toBeCloseTo(110, -1)
  await kit.data('owner', 'POST', `${path}/Check`, { OrderId })
  await kit.db.rows(sql`update mtn_labor_rate set "Rate" = "Rate" * 2`)
  expect((await find(OrderId)).Cost).toBe(done.Cost)
  expect(await post('tech', 'StartLabor', { OrderId })).toMatchObject({ StatusCode: 409 })
})

it.each(['MtnUpKeepOrder', 'MtnCheckOrder'])(
  'an order of %s takes parts and labor, keeps their cost, and ends them with itself',
  async (name) => {
    const planned = `/Maintenance/${name}`
    const draft = { PlanTime: '2026-01-01 08:00:00', DueTime: '2026-01-02 08:00:00', AssignUserId: tech, Title: 'Grease it' }
    const add = () => kit.data<Row>('owner', 'POST', planned, { ...draft, ProjectId: site.ProjectId, DeviceId: site.DeviceId })
    const read = (Id: number, as = 'owner') => kit.data<Row>(as, 'GET', `${planned}?Id=${Id}`)
    const { Id: OrderId, OrderNo } = await add()
    const part = { OrderId, ComponentId: site.seal, PlaceId: site.PlaceId }
    expect((await work(OrderId)).Parts).toMatchObject([{ ComponentId: site.bearing, OfModel: 1 }])
    await kit.data('tech', 'POST', `${path}/ReservePart`, { OrderId, ComponentId: site.seal, Qty: 3 })
    const taking = { ...part, Qty: 2, ClientKey: `tap-${name}` }
    for (const Changed of [1, 0]) expect((await post('tech', 'TakePart', taking)).Data).toEqual({ Changed })
    expect(partOf(await work(OrderId), site.seal)).toMatchObject({ Reserved: 1, Taken: 2 })
    expect((await post('tech', 'ReturnPart', { ...part, Qty: 3 })).Details?.Fields).toHaveProperty('Qty')
    await post('tech', 'ReturnPart', { ...part, Qty: 1 })
    expect((await post('stranger', 'TakePart', taking)).StatusCode).toBe(404)
    await post('tech', 'StartLabor', { OrderId })
    await kit.db.rows(sql`update mtn_order_labor set "StartTime" = now() - interval '90 minutes' where "OrderId" = ${OrderId}`)
    // Work has begun: the order stays.
    expect(await kit.call('owner', 'DELETE', `${planned}/${OrderId}`)).toMatchObject({ Succeeded: false })
    await kit.data('tech', 'POST', `${planned}/Finish`, { OrderId, Results: [], Desc: 'Greased' })
    expect(await read(OrderId)).toMatchObject({ PartsCost: 5, LaborHours: expect.closeTo(1.5, 1), LaborCost: expect.closeTo(180, -1) })
    expect(await read(OrderId, 'tech')).toMatchObject({ PartsCost: null, LaborCost: null })
    expect(await work(OrderId)).toMatchObject({ Running: 0, Labor: [{ EndTime: expect.any(String) }] })
    expect(partOf(await work(OrderId), site.seal)).toMatchObject({ Reserved: 0, Taken: 1 })
    expect(await post('tech', 'TakePart', { ...part, Qty: 1 })).toMatchObject({ StatusCode: 409 })
    // Store keepers may book for any order type; a movement names at most one order.
    const field = name === 'MtnCheckOrder' ? 'CheckOrderId' : 'UpKeepOrderId'
    const out = { Id: site.seal, PlaceId: site.PlaceId, Qty: 1, [field]: OrderId }
    await kit.data('owner', 'POST', '/Maintenance/MtnComponent/TakeOut', out)
    const both = await kit.call('owner', 'POST', '/Maintenance/MtnComponent/TakeOut', { ...out, OrderId: await order() })
    expect(both.Details?.Fields).toHaveProperty(field)
    const { Items } = await kit.data<{ Items: Row[] }>('owner', 'GET', `/Maintenance/MtnComponentRecord/List?${field}=${OrderId}`)
    expect(Items.map((of) => [of.RecordType, of[field.replace('Id', 'No')]])).toEqual([2, 3, 2].map((type) => [type, OrderNo]))
  },
)

it('a whole shift, orders of every kind, is handed over with one note, all or none, and each may be commented on', async () => {
  const next = await kit.person('next', kit.enterprises.ours, { menus: ['m106', 'm10601', 'm10601.work'] })
  const planned = async (name: string, AssignUserId: number) => {
    const draft = { PlanTime: '2026-01-01 08:00:00', DueTime: '2026-01-02 08:00:00', AssignUserId, Title: 'Round' }
    return (await kit.data<Row>('owner', 'POST', `/Maintenance/${name}`, { ...draft, ProjectId: site.ProjectId })).Id
  }
  const repair = await order()
  const OrderIds = [repair, await planned('MtnUpKeepOrder', tech), await planned('MtnCheckOrder', tech)]
  const hand = (ids: number[], ClientKey: string) =>
    kit.call('tech', 'POST', '/Maintenance/MtnMyOrder/OrderHandOver', {
      OrderIds: ids,
      UserId: next,
      Desc: 'Keep an eye on P-101',
      ClientKey,
    })
  const others = await planned('MtnUpKeepOrder', kit.people.get('owner')!.id)
  expect((await hand([...OrderIds, others], 'shift-0001')).Succeeded).toBe(false)
  const receivers = () =>
    Promise.all(
      [path, '/Maintenance/MtnUpKeepOrder', '/Maintenance/MtnCheckOrder'].map(
        async (at, i) => (await kit.data<Row>('owner', 'GET', `${at}?Id=${OrderIds[i]}`)).HandOverUserId,
      ),
    )
  expect(await receivers()).toEqual([null, null, null])
  for (let i = 0; i < 2; i++) expect(await hand(OrderIds, 'shift-0002')).toMatchObject({ Data: { Changed: 3 } })
  expect(await receivers()).toEqual([next, next, next])
  const [, upkeepId] = OrderIds
  const said = { OrderId: upkeepId, Desc: 'Grease gun is empty', ClientKey: 'said-0001' }
  for (let i = 0; i < 2; i++)
    expect(await post('tech', 'Comment', said)).toMatchObject({ Data: { Id: upkeepId, Steps: ['finish', 'comment'] } })
  expect((await post('tech', 'Comment', { ...said, ClientKey: 'said-0002', Desc: ' ' })).Details?.Fields).toHaveProperty('Desc')
  expect((await post('stranger', 'Comment', said)).StatusCode).toBe(404)
  type Entries = { History: { Step: string; Desc: string }[] }
  const { History } = await kit.data<Entries>('owner', 'GET', `/Maintenance/MtnUpKeepOrder/History?Id=${upkeepId}`)
  expect(History.map(({ Step, Desc }) => [Step, Desc])).toEqual([
    ['handOver', 'Keep an eye on P-101'],
    ['comment', 'Grease gun is empty'],
  ])
})

it.each(['MtnUpKeepOrder', 'MtnCheckOrder'])(
  'calls of my orders take the Id of a %s: they finish it, with photos, and tell its story',
  async (name) => {
    const mine = '/Maintenance/MtnMyOrder'
    const times = { PlanTime: '2026-01-01 08:00:00', DueTime: '2026-01-02 08:00:00', AssignUserId: tech }
    const open = async () =>
      (
        await kit.data<Row>('owner', 'POST', `/Maintenance/${name}`, {
          Title: 'Grease',
          ...times,
          ProjectId: site.ProjectId,
          DeviceId: site.DeviceId,
        })
      ).Id
    const repaired = await order()
    const [one, other] = [await open(), await open()]
    type Story = { Steps: string[]; History: Row[]; Last: Row[] }
    const story = (OrderId: number, as = 'tech') => kit.call<Story>(as, 'GET', `${mine}/OrderHistory?OrderId=${OrderId}`)
    const before = (await story(one)).Data
    expect([before.Steps, before.History, before.Last[0]?.Id]).toEqual([['finish', 'handOver', 'comment'], [], repaired])
    expect((await story(one, 'stranger')).StatusCode).toBe(404)
    const FilePath = `files/${kit.enterprises.ours}/${(name === 'MtnCheckOrder' ? 'a' : 'b').repeat(32)}.jpg`
    const file = { FilePath, FileName: 'bearing.jpg' }
    await kit.db.rows(sql`
      insert into stored_file ("EnterpriseId", "UserId", "Key", "FileName", "Purpose", "ContentType", "Size", "Sha256")
      values (${kit.enterprises.ours}, ${tech}, ${file.FilePath.slice(6)}, ${file.FileName}, 'attachment', 'image/jpeg', 1, 'x')`)
    const finish = { OrderId: one, Desc: 'Greased', Results: [], Files: [file], ClientKey: 'done-0001' }
    expect((await kit.call('stranger', 'POST', `${mine}/OrderFinish`, finish)).StatusCode).toBe(404)
    const wrong = async (more: object) => (await kit.call('tech', 'POST', `${mine}/OrderFinish`, { ...finish, ...more })).Details?.Fields
    expect([await wrong({ Desc: ' ' }), await wrong({ StopHours: 2 })].map((f) => Object.keys(f!))).toEqual([['Desc'], ['StopHours']])
    for (let i = 0; i < 2; i++)
      expect(await kit.call('tech', 'POST', `${mine}/OrderFinish`, finish)).toMatchObject({
        Data: { Id: one, Status: 3, Steps: ['comment'] },
      })
    expect(await kit.data('owner', 'GET', `/Maintenance/${name}?Id=${one}`)).toMatchObject({
      ...{ Status: 3, HandleDesc: 'Greased', HandleAttach: [{ FileName: 'bearing.jpg' }] },
    })
    expect((await story(one)).Data.History).toMatchObject([{ Step: 'finish', Desc: 'Greased', Files: [{ FileName: 'bearing.jpg' }] }])
    const path = `/MaintenanceOrder/MtnMaintenanceOrder/HandleOrder/${other}/-/Done`
    expect(await kit.call('tech', 'PUT', path)).toMatchObject({ Data: { Id: other, Status: 3 } })
    expect(await kit.call('tech', 'POST', `${mine}/HandleOrder`, { OrderId: other, Desc: 'Again' })).toMatchObject({ StatusCode: 409 })
    expect((await kit.call('tech', 'GET', `${mine}/Readings?OrderId=${other}`)).Data).toEqual({ Items: [] })
  },
)

it('an order names equipment, also where that is no device; who names a device alone goes on working', async () => {
  const make = (body: object) => kit.call<Row>('owner', 'POST', path, { Title: 'Leaks', ...body })
  const equipment = async (EquipmentName: string, ProjectId = site.ProjectId, more: object = {}) =>
    (await kit.data<Row>('owner', 'POST', '/Maintenance/MtnEquipment', { EquipmentName, ProjectId, ...more })).Id
  const roof = await equipment('Roof of the pump hall')
  const [first, second] = [(await make({ EquipmentId: roof })).Data, (await make({ EquipmentId: roof })).Data]
  expect(await find(first.Id)).toMatchObject({ EquipmentName: 'Roof of the pump hall', ProjectId: site.ProjectId, DeviceId: null })
  // Its last orders are those of the roof, not of the whole project.
  const { Last } = await kit.data<{ Last: Row[] }>('owner', 'GET', `/Maintenance/MtnMyOrder/OrderHistory?OrderId=${first.Id}`)
  expect(Last.map(({ Id }) => Id)).toEqual([second.Id])
  const plain = await find((await make({ DeviceId: site.DeviceId })).Data.Id)
  expect(plain).toMatchObject({ DeviceId: site.DeviceId, EquipmentId: expect.any(Number), ProjectId: site.ProjectId })
  expect(await find((await make({ EquipmentId: plain.EquipmentId })).Data.Id)).toMatchObject({ DeviceId: site.DeviceId })
  const { Id: elsewhere } = await maker(kit).create(projects, { ProjectName: 'Elsewhere' })
  const shed = await equipment('Shed', elsewhere)
  for (const body of [
    { EquipmentId: shed, ProjectId: site.ProjectId },
    { EquipmentId: roof, DeviceId: site.DeviceId },
    { EquipmentId: 999_999 },
  ])
    expect((await make(body)).Details?.Fields, JSON.stringify(body)).toHaveProperty('EquipmentId')
  await kit.data('owner', 'DELETE', '/Maintenance/MtnEquipment', { Id: roof })
  expect(await find(first.Id)).toMatchObject({ EquipmentId: null, ProjectId: site.ProjectId })
})
