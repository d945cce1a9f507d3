import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { permissions } from '../../../../contract/menus.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { named } from '../../../../server/resource/sql.ts'

let kit: Kit
let make: ReturnType<typeof maker>
let project: number
beforeAll(async () => {
  kit = await startKit()
  make = maker(kit)
  project = (await make.create(named('project'))).Id
  await kit.person('modest', kit.enterprises.ours, { menus: permissions.filter((code) => code !== 'm10721.cost') })
})
afterAll(() => kit?.close())

type Chemical = { Id: number; StockQty: number; ComponentId: number; Price?: number; DeviceId: number | null }
const add = (DrugCode: string, more: object = {}) =>
  kit.call<Chemical>('owner', 'POST', '/Drug/Info', { DrugName: `Chemical ${DrugCode}`, DrugCode, ProjectId: project, ...more })
const find = (Id: number, as = 'owner') => kit.data<Chemical>(as, 'GET', `/Drug/Info?Id=${Id}`)
const deliver = (DrugInfoId: number, more: object = {}, as = 'owner') =>
  kit.call<{ Id: number }>(as, 'POST', '/Drug/Delivery', {
    ...{ DrugInfoId, DeliverTime: '2026-03-01 09:00:00', BatchNo: 'B1', Qty: 1000 },
    ...more,
  })
const fault = (field: string, text = '') => ({ StatusCode: 400, Details: { Fields: { [field]: [expect.stringContaining(text)] } } })

it('proposes the next free code of a kind, and says whether a code is taken', async () => {
  expect(await kit.data('owner', 'GET', '/Drug/Info/DrugCode?DrugType=3')).toEqual({ DrugCode: 'DI01' })
  const { Data } = await add('DI01')
  expect(await kit.data('owner', 'GET', '/Drug/Info/DrugCode?DrugType=3')).toEqual({ DrugCode: 'DI02' })
  const check = (body: object) => kit.data('owner', 'POST', '/Drug/Info/CheckCode', body)
  expect(await check({ DrugCode: 'DI01' })).toEqual({ Valid: false })
  expect(await check({ DrugCode: 'DI01', Id: Data!.Id })).toEqual({ Valid: true })
  expect(await check({ DrugCode: 'DI02' })).toEqual({ Valid: true })
  expect(await kit.data('stranger', 'POST', '/Drug/Info/CheckCode', { DrugCode: 'DI01' })).toEqual({ Valid: true })
  expect(await add('=cmd')).toMatchObject({ StatusCode: 400 })
  expect(await add('__proto__')).toMatchObject({ StatusCode: 400 })
})

it('points are of the same project, and those that count do; doses, reserves, densities and tanks fit each other', async () => {
  const { Id: GatewayId } = await make.create(named('gateway'), { ProjectId: project })
  const { Id: DeviceId } = await make.create(named('device'), { GatewayId })
  const plain = (await make.create(named('point'), { DeviceId })).Id
  const counter = (await make.create(named('point'), { DeviceId })).Id
  await kit.db.rows(
    sql`insert into point_meaning ("PointId", "EnterpriseId", "CalDataType") values (${counter}, ${kit.enterprises.ours}, 1)`,
  )
  const far = (await make.create(named('point'))).Id
  expect(await add('P1', { Source: 1, ParaId: plain })).toMatchObject(fault('ParaId', 'counts nothing'))
  expect(await add('P1', { Source: 1, ParaId: far })).toMatchObject(fault('ParaId', 'another project'))
  expect(await add('P1', { TankParaId: far, TankSize: 10 })).toMatchObject(fault('TankParaId'))
  expect(await add('P1', { WaterParaId: plain })).toMatchObject(fault('WaterParaId'))
  expect(await add('P1', { Source: 1, ParaId: counter, WaterParaId: counter, TankParaId: plain, TankSize: 10 })).toMatchObject({
    Data: { DeviceId },
  })
  expect(await add('P2', { Source: 3, ParaId: plain, PumpRate: 6 })).toMatchObject({ Data: { DeviceId } })
  expect(await add('P3', { TankParaId: plain })).toMatchObject(fault('TankParaId', 'size'))
  expect(await add('P3', { DoseLow: 9, DoseHigh: 8 })).toMatchObject(fault('DoseHigh'))
  expect(await add('P3', { MinStock: 9, TankSize: 8 })).toMatchObject(fault('TankSize'))
  expect(await add('P3', { Unit: 'L' })).toMatchObject(fault('Unit', 'density'))
})

it('a delivery is in the stock of a spare part at once; a count corrects it; the ledger has no gap', async () => {
  const { Data: chemical } = await add('S1', { Price: 0.3 })
  const { Id } = chemical!
  expect(await deliver(Id, { Price: 0.5, Concentration: 12.5 })).toMatchObject({ Data: { Status: 1 } })
  expect(await deliver(Id, { BatchNo: 'B2', Qty: 500.25, DeliverTime: '2099-01-01 00:00:00' })).toMatchObject(fault('DeliverTime'))
  await deliver(Id, { BatchNo: 'B2', Qty: 500.25, DeliverTime: '2026-03-20 09:00:00' })
  const held = await find(Id)
  expect(held).toMatchObject({ StockQty: 1500.25 })
  const ClientKey = '0f8fad5b-d9cb-469f-a165-70867728950e'
  const count = () => kit.call('owner', 'POST', '/Drug/Info/Count', { Id, Counted: 1400, ClientKey })
  await count()
  await count()
  expect((await find(Id)).StockQty).toBe(1400)
  const records = await kit.db.rows(sql`
    select "RecordType", "BeforeQty"::float8 as b, "AfterQty"::float8 as a, "Seq" from mtn_component_record where "ComponentId" = ${held.ComponentId} order by "Seq"`)
  expect(records).toEqual([
    { RecordType: 1, b: 0, a: 1000, Seq: 1 },
    { RecordType: 1, b: 1000, a: 1500.25, Seq: 2 },
    { RecordType: 5, b: 1500.25, a: 1400, Seq: 3 },
  ])
  // If the part number is taken, the stock uses another one.
  await kit.data('owner', 'POST', '/Maintenance/MtnComponent', { ComponentName: 'Taken', ComponentNo: 'S2' })
  const { Data: other } = await add('S2')
  expect(await deliver(other!.Id)).toMatchObject({ Succeeded: true })
})

it('twenty counts and deliveries at once leave a ledger that never falls below 0', async () => {
  const { Data } = await add('S9')
  const { Id } = Data!
  await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      i % 2 ? deliver(Id, { BatchNo: `B${i}`, Qty: 10 }) : kit.call('owner', 'POST', '/Drug/Info/Count', { Id, Counted: i }),
    ),
  )
  const { ComponentId, StockQty } = await find(Id)
  const rows = await kit.db.rows<{ b: number; a: number }>(sql`
    select "BeforeQty"::float8 as b, "AfterQty"::float8 as a from mtn_component_record where "ComponentId" = ${ComponentId} order by "Seq"`)
  expect(rows.every(({ b }, i) => b === (rows[i - 1]?.a ?? 0))).toBe(true)
  expect(rows.at(-1)!.a).toBe(StockQty)
  expect(rows.filter(({ b, a }) => a - b === 10).length).toBeGreaterThanOrEqual(10)
})

it('a proposed delivery is confirmed once, with what the papers say, or rejected', async () => {
  const { Data } = await add('S3')
  const { Id } = Data!
  const propose = async () =>
    (
      await kit.db.rows<{ Id: number }>(sql`
        insert into drug_delivery ("EnterpriseId", "DrugInfoId", "DeliverTime", "BatchNo", "Qty", "Status")
        values (${kit.enterprises.ours}, ${Id}, now(), 'level', 790, 0) returning "Id"`)
    )[0]!.Id
  const first = await propose()
  const body = { Id: first, BatchNo: 'L-77', Qty: 800, Concentration: 13, Price: 0.61, SupplierName: 'Química' }
  expect(await kit.call('viewer', 'POST', '/Drug/Delivery/Confirm', body)).toMatchObject({ StatusCode: 403 })
  expect(await kit.call('modest', 'POST', '/Drug/Delivery/Confirm', body)).toMatchObject({ StatusCode: 403 })
  const all = await Promise.all([1, 2, 3].map(() => kit.call('owner', 'POST', '/Drug/Delivery/Confirm', body)))
  expect(all.filter(({ Succeeded }) => Succeeded)).toHaveLength(1)
  expect(await kit.data('owner', 'GET', `/Drug/Delivery?Id=${first}`)).toMatchObject({ Status: 1, Qty: 800, BatchNo: 'L-77', Price: 0.61 })
  expect((await find(Id)).StockQty).toBe(800)
  const second = await propose()
  expect(await kit.call('owner', 'POST', '/Drug/Delivery/Reject', { Id: second })).toMatchObject({ Data: { Status: 2 } })
  expect(await kit.call('owner', 'POST', '/Drug/Delivery/Confirm', { ...body, Id: second })).toMatchObject({ Succeeded: false })
  expect((await find(Id)).StockQty).toBe(800)
})

it('prices are for who may see money', async () => {
  const { Data } = await add('S4', { Price: 0.3 })
  expect((await find(Data!.Id)).Price).toBe(0.3)
  expect('Price' in (await find(Data!.Id, 'modest')) && (await find(Data!.Id, 'modest')).Price).toBeFalsy()
})
