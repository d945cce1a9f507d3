import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { permissions } from '../../../../contract/menus.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { device as devices } from '../../../configuration/devices/contract.ts'
import { gateway as gateways } from '../../../configuration/gateways/contract.ts'
import { project as projects } from '../../../configuration/projects/contract.ts'
import type { Item } from '../../job-sheets/contract.ts'
import { upkeepCalls } from '../contract.ts'
import { upkeep } from './kind.ts'
import { closeMissed, makeDue } from './making.ts'
import { planRoutes } from './routes.ts'

type Row = Record<string, unknown> & { Id: number }
const planPath = '/Maintenance/MtnUpKeepPlan'
const orderPath = '/Maintenance/MtnUpKeepOrder'
const day = 86_400_000
let now = Date.parse('2026-01-30T12:00:00Z')
let kit: Kit
let site = { project: 0, pump: 0, fan: 0, elsewhere: 0 }
let tech = 0
beforeAll(async () => {
  kit = await startKit({ clock: () => now, areas: () => [(api) => planRoutes(api, upkeep, { clock: () => now, calls: upkeepCalls })] })
  const make = maker(kit)
  const machine = async (ProjectName: string, names: string[]) => {
    const { Id: ProjectId } = (await make.create(projects, { ProjectName })) as Row
    const { Id: GatewayId } = (await make.create(gateways, { ProjectId })) as Row
    const ids = []
    for (const DeviceName of names) ids.push(((await make.create(devices, { GatewayId, DeviceName })) as Row).Id)
    return { ProjectId, ids }
  }
  const works = await machine('Works', ['Pump', 'Fan'])
  const other = await machine('Elsewhere', ['Boiler'])
  site = { project: works.ProjectId, pump: works.ids[0]!, fan: works.ids[1]!, elsewhere: other.ids[0]! }
  await kit.person('tech', kit.enterprises.ours, { menus: ['m10601', 'm10601.work'] })
  tech = (await kit.db.rows<{ Id: number }>(sql`select "Id" from "user" where "UserNO" = 'tech'`))[0]!.Id
  await kit.person('planner', kit.enterprises.ours, {
    menus: permissions.filter((p) => p.startsWith('m1060')),
    projects: [works.ProjectId],
  })
})
afterAll(() => kit.close())

let count = 0
const plan = (more: object = {}, as = 'owner') =>
  kit.data<Row>(as, 'POST', planPath, {
    ...{ PlanName: `Plan ${++count}`, ProjectId: site.project, DeviceIds: [site.pump, site.fan], StartDate: '2026-01-31' },
    ...more,
  })
const status = (Id: number, PlanStatus: number) => kit.call(`owner`, 'POST', `${planPath}/PlanStatus`, { Id, PlanStatus })
const ordersOf = async (PlanId: number, as = 'owner') =>
  (await kit.data<{ Items: Row[] }>(as, 'POST', `${orderPath}/List`, { PlanId, PageSize: 100, OrderColumn: 'PlanTime', OrderType: 'asc' }))
    .Items
const find = (Id: number) => kit.data<Row>('owner', 'GET', `${planPath}/UpKeepPlanInfoById/${Id}`)
const make = async (at: string) => {
  now = Date.parse(at)
  return makeDue(upkeep, kit.database, now)
}

it('[plan-status] an enabled plan makes one order for each machine and date, ever, and ends with its last day', async () => {
  const { Id } = await plan({ EndDate: '2026-04-15', AdvanceDays: 2, ExecTime: '08:00' })
  await make('2026-01-30T12:00:00Z')
  expect(await ordersOf(Id)).toEqual([])
  expect(await status(Id, 1)).toMatchObject({ Data: { Changed: 1 } })
  expect(await find(Id)).toMatchObject({ PlanStatus: 1, NextTime: '2026-01-31 08:00:00' })
  await Promise.all([make('2026-01-30T12:00:00Z'), make('2026-01-30T12:00:00Z')])
  await make('2026-01-30T12:00:00Z')
  const first = await ordersOf(Id)
  expect(first.map((o) => [o.PlanTime, o.DeviceId])).toEqual([
    ['2026-01-31 08:00:00', site.pump],
    ['2026-01-31 08:00:00', site.fan],
  ])
  expect(first[0]).toMatchObject({ OrderNo: expect.stringMatching(/^BY\d{12}$/), Status: 0, DueTime: '2026-02-03 08:00:00' })
  await make('2026-04-01T00:00:00Z')
  expect(new Set((await ordersOf(Id)).map((o) => o.PlanTime))).toEqual(
    new Set(['2026-01-31 08:00:00', '2026-02-28 08:00:00', '2026-03-31 08:00:00']),
  )
  expect(await find(Id)).toMatchObject({ PlanStatus: 2, NextTime: null })
})

it('plans and their orders name equipment, also a roof; callers who name devices alone need not know it', async () => {
  const equipment = async (EquipmentName: string, more: object = {}, as = 'owner') =>
    (await kit.data<Row>(as, 'POST', '/Maintenance/MtnEquipment', { EquipmentName, ProjectId: site.project, ...more })).Id
  const [roof, shed] = [await equipment('Roof'), await equipment('Shed')]
  const fan = (await kit.data<Row>('owner', 'POST', '/Maintenance/MtnEquipment/OfDevice', { DeviceId: site.fan })).Id
  const { Id } = await plan({ DeviceIds: [site.pump], EquipmentIds: [roof, shed, fan], StartDate: '2026-02-10', CycleType: 6 })
  expect(await find(Id)).toMatchObject({ DeviceIds: [site.pump, site.fan], EquipmentIds: [roof, shed] })
  now = Date.parse('2026-02-09T12:00:00Z')
  await status(Id, 1)
  await Promise.all([make('2026-02-10T12:00:00Z'), make('2026-02-10T12:00:00Z')])
  const made = (await ordersOf(Id)).map((o) => [o.DeviceId, o.EquipmentName])
  expect(made.toSorted()).toEqual(
    [
      [site.pump, 'Pump'],
      [site.fan, 'Fan'],
      [null, 'Roof'],
      [null, 'Shed'],
    ].toSorted(),
  )
  // Callers that send `DeviceIds` only leave other equipment unchanged.
  expect(await kit.data<Row>('owner', 'PUT', planPath, { Id, DeviceIds: [site.fan] })).toMatchObject({ EquipmentIds: [roof, shed] })
  expect(await kit.data<Row>('owner', 'PUT', planPath, { Id, EquipmentIds: [roof] })).toMatchObject({ DeviceIds: [site.fan] })
  expect(await kit.call('owner', 'DELETE', '/Maintenance/MtnEquipment', { Id: roof })).toMatchObject({ Details: { Fault: 'inUse' } })
  const times = { PlanTime: '2026-02-10 08:00:00', DueTime: '2026-02-11 08:00:00', ProjectId: site.project }
  const order = (more: object) => kit.call<Row>('owner', 'POST', orderPath, { Title: 'Once', ...times, ...more })
  expect(await order({ EquipmentId: fan })).toMatchObject({ Data: { DeviceId: site.fan, EquipmentName: 'Fan' } })
  expect(await order({ DeviceId: site.fan })).toMatchObject({ Data: { EquipmentId: fan } })
  expect(await order({ EquipmentId: roof, DeviceId: site.fan })).toMatchObject({ Details: { Fields: { EquipmentId: expect.anything() } } })
  expect(await order({ DeviceId: site.elsewhere })).toMatchObject({ Details: { Fields: { DeviceId: expect.anything() } } })
  const unknown = await kit.call('owner', 'PUT', planPath, { Id, EquipmentIds: [roof, 999_999] })
  expect(unknown.Details?.Fields).toHaveProperty('EquipmentIds')
})

it('what nobody did in time and grace is missed, and may still be finished', async () => {
  const { Id } = await plan({
    DeviceIds: [site.pump],
    AssignUserId: tech,
    StartDate: '2026-05-01',
    CycleType: 6,
    DueDays: 1,
    GraceDays: 2,
    AdvanceDays: 0,
  })
  await status(Id, 1)
  await make('2026-05-01T09:00:00Z')
  const [order] = await ordersOf(Id)
  now = Date.parse('2026-05-04T07:00:00Z')
  await closeMissed(upkeep, kit.database, now)
  expect((await ordersOf(Id))[0]).toMatchObject({ Status: 0 })
  now = Date.parse('2026-05-04T09:00:00Z')
  await closeMissed(upkeep, kit.database, now)
  expect((await ordersOf(Id))[0]).toMatchObject({ Status: 4 })
  const done = await kit.call<Row>('tech', 'POST', `${orderPath}/Finish`, { OrderId: order!.Id, Results: [], Desc: 'Greased' })
  expect(done).toMatchObject({ Data: { Status: 3, HandleDesc: 'Greased', ExecUserName: 'tech' } })
})

it('a plan that goes on from its last order waits for it', async () => {
  const { Id } = await plan({
    DeviceIds: [site.pump],
    AssignUserId: tech,
    StartDate: '2026-06-01',
    CycleType: 2,
    CycleValue: 2,
    BasedOn: 2,
    AdvanceDays: 0,
  })
  await status(Id, 1)
  await make('2026-06-20T09:00:00Z')
  expect(await ordersOf(Id)).toHaveLength(1)
  expect(await find(Id)).toMatchObject({ NextTime: null })
  await kit.data('tech', 'POST', `${orderPath}/Finish`, { OrderId: (await ordersOf(Id))[0]!.Id, Results: [], Desc: 'Done' })
  expect(await find(Id)).toMatchObject({ NextTime: '2026-07-04 08:00:00' })
})

it('holidays of the project’s shifts are skipped where the plan says so', async () => {
  await kit.db.rows(sql`
    insert into shift_plan ("EnterpriseId", "ProjectId", "PlanName", "ValidFrom", "Times", "Holidays", "MakeUps")
    values (${kit.enterprises.ours}, ${site.project}, 'All', '2026-01-01', '[{"Name":"Day","Start":"06:00","End":"18:00"}]', '["2026-08-01","2026-08-02"]', '[{"Day":"2026-08-02","As":2}]')`)
  now = Date.parse('2026-07-31T12:00:00Z')
  const { Id } = await plan({ StartDate: '2026-08-01', CycleType: 1, SkipHolidays: 1 })
  await status(Id, 1)
  expect(await find(Id)).toMatchObject({ NextTime: '2026-08-02 08:00:00' })
  await status(Id, 0)
})

const items: Item[] = [
  { ItemName: 'Noise', ValueType: 1, Required: 1 },
  { ItemName: 'Pressure', ValueType: 2, Min: 2, Max: 4, Required: 1 },
  { ItemName: 'Colour', ValueType: 4, Choices: ['clear', 'brown'] },
  { ItemName: 'Plate', ValueType: 5 },
]
it('an order is finished with what its checklist asks, refused by item, once for a key', async () => {
  const { Id } = await plan({
    DeviceIds: [site.pump],
    AssignUserId: tech,
    StartDate: '2026-09-01',
    CycleType: 6,
    AdvanceDays: 0,
    Items: items,
  })
  await status(Id, 1)
  await make('2026-09-01T09:00:00Z')
  const [order] = await ordersOf(Id)
  const finish = (Results: object[], more: object = {}) =>
    kit.call<Row>('tech', 'POST', `${orderPath}/Finish`, { OrderId: order!.Id, Results, ...more })
  const found = [
    { Item: 0, Value: 1, IsOk: 1 },
    { Item: 1, Value: 5, IsOk: 1 },
    { Item: 2, Value: 'clear', IsOk: 1 },
  ]
  expect(await kit.call('tech', 'POST', `${orderPath}/Start`, { OrderId: order!.Id })).toMatchObject({ Data: { Status: 1 } })
  expect((await finish(found.slice(0, 1))).Details!.Fields).toHaveProperty(['Results.1'])
  expect((await finish([...found.slice(0, 2), { Item: 2, Value: 'green', IsOk: 1 }])).Details!.Fields).toHaveProperty(['Results.2'])
  expect((await finish([...found, { Item: 9, Value: 1, IsOk: 1 }])).StatusCode).toBe(400)
  const key = { ClientKey: 'phone-0001' }
  // 5 bar is above its limit, regardless of the phone's verdict.
  expect(await finish(found, key)).toMatchObject({ Data: { Status: 2, AbnormalCount: 1 } })
  expect(await finish(found, key)).toMatchObject({ Data: { Status: 2 } })
  expect(await finish(found, { ...key, Desc: 'Again' })).toMatchObject({ Details: { Fault: 'clientKeyUsed' } })
  expect((await finish(found)).StatusCode).toBe(409)
})

it('people name machines of the project that they see, and a technician sees what is his', async () => {
  expect(
    (
      await kit.call('owner', 'POST', planPath, {
        PlanName: 'x',
        ProjectId: site.project,
        DeviceIds: [site.elsewhere],
        StartDate: '2026-01-01',
      })
    ).StatusCode,
  ).toBe(400)
  const wrong = { PlanName: 'x', ProjectId: site.project, StartDate: '2026-02-30' }
  expect((await kit.call('owner', 'POST', planPath, wrong)).Details!.Fields).toHaveProperty('StartDate')
  const often = { PlanName: 'x', ProjectId: site.project, StartDate: '2026-01-01', CycleType: 1, EndDate: '2025-01-01' }
  expect((await kit.call('owner', 'POST', planPath, often)).Details!.Fields).toHaveProperty('EndDate')
  const draft = (AssignUserId: number | null) =>
    kit.data<Row>('planner', 'POST', orderPath, {
      ...{ Title: 'Once', ProjectId: site.project, DeviceId: site.fan, PlanTime: '2026-10-01 08:00:00', DueTime: '2026-10-02 08:00:00' },
      ...(AssignUserId && { AssignUserId }),
    })
  const [his, nobodys] = [await draft(tech), await draft(null)]
  const seen = await kit.data<{ Items: Row[] }>('tech', 'POST', `${orderPath}/List`, { PageSize: 200 })
  expect(seen.Items.map((o) => o.Id)).toContain(his.Id)
  expect(seen.Items.map((o) => o.Id)).not.toContain(nobodys.Id)
  expect((await kit.call('tech', 'POST', `${orderPath}/Cancel`, { OrderId: his.Id, Desc: 'no' })).StatusCode).toBe(403)
  expect((await kit.call('stranger', 'POST', `${orderPath}/Start`, { OrderId: his.Id })).StatusCode).toBe(404)
  expect((await kit.call('planner', 'POST', `${orderPath}/Cancel`, { OrderId: his.Id, Desc: 'Replaced' })).StatusCode).toBe(200)
})

it('what was not in order opens one repair, and my orders have upkeep, too', async () => {
  const { Id } = await plan({
    DeviceIds: [site.fan],
    AssignUserId: tech,
    StartDate: '2026-11-01',
    CycleType: 6,
    AdvanceDays: 0,
    Items: items.slice(1, 2),
  })
  await status(Id, 1)
  await make('2026-11-01T09:00:00Z')
  const [order] = await ordersOf(Id)
  const mine = async (as: string) => (await kit.data<{ Items: Row[] }>(as, 'GET', `${orderPath}/Mine`)).Items.map((o) => o.Id)
  expect(await mine('tech')).toContain(order!.Id)
  expect(await mine('planner')).not.toContain(order!.Id)
  await kit.data('tech', 'POST', `${orderPath}/Finish`, { OrderId: order!.Id, Results: [{ Item: 0, Value: 9, IsOk: 1, Desc: 'Leaks' }] })
  expect(await mine('tech')).not.toContain(order!.Id)
  const repair = (Item: number) => kit.call<Row>('tech', 'POST', `${orderPath}/Repair`, { OrderId: order!.Id, Item })
  const opened = await repair(0)
  expect(opened).toMatchObject({ Data: { OrderNo: expect.stringMatching(/^WX/) } })
  expect((await repair(0)).Data).toEqual(opened.Data)
  expect((await repair(1)).StatusCode).toBe(400)
  const [row] = await kit.db.rows(
    sql`select "Title", "FaultDesc", "DeviceId", "Source" from mtn_maintenance_order where "Id" = ${opened.Data.Id}`,
  )
  expect(row).toEqual({ Title: 'Pressure', FaultDesc: `${order!.OrderNo}: 9: Leaks`, DeviceId: site.fan, Source: 4 })
})

it('a calendar has the dates of plans and the orders between two days', async () => {
  const { Id } = await plan({ StartDate: '2027-01-15', CycleType: 3 })
  await status(Id, 1)
  const year = await kit.data<{ Dates: { PlanId: number; Date: string; Machines: number }[] }>(
    'planner',
    'GET',
    `${planPath}/Calendar?From=2027-01-01&To=2027-12-31`,
  )
  const dates = year.Dates.filter((d) => d.PlanId === Id)
  expect(dates).toHaveLength(12)
  expect(dates[1]).toMatchObject({ Date: '2027-02-15', Machines: 2 })
  expect((await kit.call('planner', 'GET', `${planPath}/Calendar?From=2027-01-01&To=2029-12-31`)).StatusCode).toBe(400)
  now += day
})

it('an order is handed over: its state stays, and it is the receiver’s once he takes it', async () => {
  const { Id } = await plan({ DeviceIds: [site.pump], AssignUserId: tech, StartDate: '2027-02-01', CycleType: 6, AdvanceDays: 0 })
  await status(Id, 1)
  await make('2027-02-01T09:00:00Z')
  const [order] = await ordersOf(Id)
  const other = await kit.person('other', kit.enterprises.ours, { menus: ['m10601', 'm10601.work'] })
  const away = await kit.person('away', kit.enterprises.ours, { menus: ['m10601', 'm10601.work'], projects: [999_999] })
  const take = (as: string, name: string, more: object = {}) =>
    kit.call<Row>(as, 'POST', `${orderPath}/${name}`, { OrderId: order!.Id, ...more })
  expect((await take('tech', 'HandOver', { UserId: away })).Details?.Fields).toHaveProperty('UserId')
  expect((await take('other', 'TakeOver')).StatusCode).toBe(404)
  expect(await take('tech', 'HandOver', { UserId: other, Desc: 'End of shift' })).toMatchObject({
    Data: { Status: 0, HandOverUserId: other },
  })
  expect((await take('other', 'Start')).StatusCode).toBe(403)
  expect((await take('other', 'DeclineOver')).Succeeded).toBe(true)
  expect((await ordersOf(Id))[0]).toMatchObject({ AssignUserId: tech, HandOverUserId: null })
  await take('tech', 'HandOver', { UserId: other })
  expect(await take('other', 'TakeOver')).toMatchObject({ Data: { Status: 0, AssignUserId: other, HandOverUserId: null } })
  expect((await take('tech', 'Start')).StatusCode).toBe(404)
  expect(await take('other', 'Start')).toMatchObject({ Data: { Status: 1 } })
  const told = await kit.db.rows<{ Wording: string }>(sql`select "Wording" from notice where "ObjectId" = ${order!.Id} order by "Id"`)
  expect(told.map((row) => row.Wording)).toEqual(['ordersOfPlan', 'orderHandedOver', 'orderDeclined', 'orderHandedOver'])
})
