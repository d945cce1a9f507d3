// Parts that a phone took without signal: out of the stock once, a comment where the order has moved on, a difference where the stock is short.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { project as projects } from '../../../configuration/projects/contract.ts'
import { orderRoutes } from '../../orders/server/routes.ts'
import { upkeepCalls } from '../../upkeep/contract.ts'
import { planRoutes, upkeep } from '../../upkeep/server/service.ts'
import { offlineRoutes } from './routes.ts'

type Row = Record<string, unknown> & { Id: number; Status: number }
type Entry = { Step: string; Desc: string; Meant: string | null; ReceivedTime: string | null }
const path = '/Maintenance/MtnMaintenanceOrder'
const mine = '/Maintenance/MtnMyOrder'

let kit: Kit
let [ProjectId, PlaceId, seal, ada] = [0, 0, 0, 0]
beforeAll(async () => {
  kit = await startKit({
    areas: () => [
      orderRoutes,
      (api) => planRoutes(api, upkeep, { clock: Date.now, calls: upkeepCalls }),
      (api) => offlineRoutes(api, { clock: Date.now }),
    ],
  })
  ProjectId = (await maker(kit).create(projects)).Id
  PlaceId = (await kit.data<Row>('owner', 'POST', '/Maintenance/MtnPlace', { PlaceName: 'Shelf' })).Id
  seal = (await kit.data<Row>('owner', 'POST', '/Maintenance/MtnComponent', { ComponentName: 'Seal', ComponentNo: 'S-1' })).Id
  await kit.data('owner', 'POST', '/Maintenance/MtnComponent/TakeIn', { Id: seal, PlaceId, Qty: 3 })
  ada = await kit.person('ada', kit.enterprises.ours, { menus: ['m106', 'm10601', 'm10601.work'] })
})
afterAll(() => kit?.close())

const open = async () => {
  const { Id } = await kit.data<Row>('owner', 'POST', path, { Title: 'Pump leaks', ProjectId, AssignUserId: ada })
  await kit.db.rows(sql`update mtn_order_history set "Time" = now() - interval '1 hour' where "OrderId" = ${Id}`)
  return Id
}
let keys = 0
const taken = (OrderId: number, Qty: number, minutes = 30) => ({
  ...{ OrderId, Step: 'part', ComponentId: seal, PlaceId, Qty, ClientKey: `late-part-${++keys}` },
  ...{ TakenAt: Date.now() - minutes * 60_000, SentAt: Date.now() },
})
const send = (body: object) => kit.call<{ Applied: number }>('ada', 'POST', `${mine}/LateStep`, body)
const history = async (OrderId: number) =>
  (await kit.data<{ History: Entry[] }>('owner', 'GET', `${mine}/OrderHistory?OrderId=${OrderId}`)).History
const stock = async () =>
  (await kit.db.rows<{ Qty: number }>(sql`select "StockQty"::float8 as "Qty" from mtn_component where "Id" = ${seal}`))[0]!.Qty

it('leaves the stock once, however often it is sent, with the time of the phone; also where the tap had arrived', async () => {
  const Id = await open()
  const part = taken(Id, 1)
  for (let i = 0; i < 2; i++) expect(await send(part)).toMatchObject({ Data: { Applied: 1 } })
  expect(await stock()).toBe(2)
  const [entry, ...more] = (await history(Id)).filter(({ Step }) => Step === 'part')
  expect(entry).toMatchObject({ Desc: '1 pcs Seal', ReceivedTime: expect.any(String), Meant: null })
  expect(more).toEqual([])
  const { ClientKey } = taken(Id, 1)
  await kit.data('ada', 'POST', `${path}/TakePart`, { OrderId: Id, ComponentId: seal, PlaceId, Qty: 1, ClientKey })
  expect(await send({ ...taken(Id, 1), ClientKey })).toMatchObject({ Data: { Applied: 1 } })
  expect(await stock()).toBe(1)
  expect(await send({ ...taken(Id, 1), ClientKey, Qty: 2 })).toMatchObject({ StatusCode: 409, Details: { Fault: 'clientKeyUsed' } })
  const { Qty: _, ...without } = taken(Id, 1)
  expect((await send(without)).Details?.Fields).toHaveProperty('Qty')
  expect((await send({ ...taken(Id, 1), ComponentId: 999_999 })).Details?.Fields).toHaveProperty('ComponentId')
})

it('is a difference for store keepers where the stock does not cover it, and the stock stays', async () => {
  const Id = await open()
  const part = taken(Id, 2)
  for (let i = 0; i < 2; i++) expect(await send(part)).toMatchObject({ Data: { Applied: 0 } })
  expect(await stock()).toBe(1)
  expect((await history(Id)).filter(({ Meant }) => Meant === 'part')).toMatchObject([{ Step: 'comment', Desc: '2 pcs Seal' }])
  const notices = await kit.db.rows<{ Permission: string; WordValues: object }>(
    sql`select "Permission", "WordValues" from notice where "Wording" = 'stockDifference'`,
  )
  expect(notices).toMatchObject([
    { Permission: 'm10622.settle', WordValues: { Part: '2 pcs Seal', PlaceName: 'Shelf', StockQty: 1, Title: 'Pump leaks' } },
  ])
})

it('is listed until a store keeper books it out or dismisses it, once', async () => {
  const path = '/Maintenance/MtnStockDifference'
  const list = () => kit.data<{ Items: Row[] }>('owner', 'GET', `${path}/List?Status=0`)
  const Id = await open()
  await send(taken(Id, 5))
  const [newest, first] = (await list()).Items
  expect([newest, first]).toMatchObject([
    { Qty: 5, StockQty: 1, OrderId: Id, UserName: 'ada' },
    { Qty: 2, StockQty: 1 },
  ])
  const act = (name: string, row: Row, body = {}, as = 'owner') => kit.call<Row>(as, 'POST', `${path}/${name}`, { Id: row.Id, ...body })
  expect((await act('Book', first!)).Details?.Fields).toHaveProperty('Qty')
  expect(await act('Book', first!, {}, 'ada')).toMatchObject({ StatusCode: 403 })
  expect(await act('Book', first!, {}, 'stranger')).toMatchObject({ StatusCode: 404 })
  expect((await act('Dismiss', newest!)).Details?.Fields).toHaveProperty('Remark')
  expect(await act('Dismiss', newest!, { Remark: 'Counted' })).toMatchObject({ Data: { Status: 2, Remark: 'Counted' } })
  await kit.data('owner', 'POST', '/Maintenance/MtnComponent/TakeIn', { Id: seal, PlaceId, Qty: 2 })
  const both = await Promise.all([act('Book', first!), act('Book', first!)])
  expect(both.map((a) => a.StatusCode).toSorted()).toEqual([200, 409])
  expect(await stock()).toBe(1)
  expect((await list()).Items).toEqual([])
})

it('is a comment of who held the order where that was cancelled meanwhile', async () => {
  const Id = await open()
  await kit.data('owner', 'POST', `${path}/Cancel`, { OrderId: Id, Desc: 'Pump is scrapped' })
  expect(await send(taken(Id, 1))).toMatchObject({ Data: { Applied: 0 } })
  expect((await history(Id)).filter(({ Meant }) => Meant === 'part')).toMatchObject([{ Step: 'comment', Desc: '1 pcs Seal' }])
  expect(await stock()).toBe(1)
})

it('leaves the stock for an upkeep order, too, and is a difference where it is short', async () => {
  const draft = { Title: 'Grease it', ProjectId, AssignUserId: ada, PlanTime: '2026-01-01 08:00:00', DueTime: '2026-01-02 08:00:00' }
  const { Id } = await kit.data<Row>('owner', 'POST', '/Maintenance/MtnUpKeepOrder', draft)
  const part = taken(Id, 1)
  for (let i = 0; i < 2; i++) expect(await send(part)).toMatchObject({ Data: { Applied: 1 } })
  expect(await stock()).toBe(0)
  expect(await send(taken(Id, 1))).toMatchObject({ Data: { Applied: 0 } })
  const { History } = await kit.data<{ History: Entry[] }>('owner', 'GET', `/Maintenance/MtnUpKeepOrder/History?Id=${Id}`)
  expect(History.map(({ Step, Meant }) => [Step, Meant])).toEqual([
    ['part', null],
    ['comment', 'part'],
  ])
})
