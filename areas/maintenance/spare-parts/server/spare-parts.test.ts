import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { permissions } from '../../../../contract/menus.ts'
import { toBillionths } from '../../../../contract/money.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { named } from '../../../../server/resource/sql.ts'

type Part = { Id: number; StockQty: number; Price: number | null; IsLow: number; UpdateStamp: number }
type Moved = { Seq: number; RecordType: number; BeforeQty: number; AfterQty: number; Price: number; Time: string }
const base = '/Maintenance/MtnComponent'

let kit: Kit
let n = 0
beforeAll(async () => {
  kit = await startKit()
  await kit.person('keeper', kit.enterprises.ours, { menus: permissions.filter((p) => !p.endsWith('.cost')) })
})
afterAll(() => kit?.close())

const place = async () => (await kit.data<{ Id: number }>('owner', 'POST', '/Maintenance/MtnPlace', { PlaceName: `Store ${++n}` })).Id
const part = (more: object = {}) =>
  kit.data<Part>('owner', 'POST', base, { ComponentName: `Bearing ${++n}`, ComponentNo: `B-${n}`, ...more })
const act = (name: string, body: object, as = 'owner') => kit.call<Part>(as, 'POST', `${base}/${name}`, body)
const find = (Id: number, as = 'owner') => kit.data<Part>(as, 'GET', `${base}?Id=${Id}`)
const chainOf = async (ComponentId: number, PlaceId: number) =>
  (
    await kit.data<{ Items: Moved[] }>(
      'owner',
      'GET',
      `/Maintenance/MtnComponentRecord/List?ComponentId=${ComponentId}&PlaceId=${PlaceId}&PageSize=1000`,
    )
  ).Items.sort((a, b) => a.Seq - b.Seq)
/** Numbered without a gap, each from where the one before it ended. */
const expectChain = (chain: Moved[]) => {
  expect(chain.map((m) => m.Seq)).toEqual(chain.map((_, i) => i + 1))
  chain.forEach((m, i) => {
    expect(m.BeforeQty).toBe(i ? chain[i - 1]!.AfterQty : 0)
    expect(m.AfterQty).toBeGreaterThanOrEqual(0)
  })
}

describe('the ledger', () => {
  it('gives exactly ten of ten to twenty who take one at once, and its sum is the stock', async () => {
    const [{ Id }, PlaceId] = [await part(), await place()]
    await act('TakeIn', { Id, PlaceId, Qty: 10, Price: 2.5 })
    const outs = await Promise.all(Array.from({ length: 20 }, () => act('TakeOut', { Id, PlaceId, Qty: 1 })))
    expect(outs.filter((o) => o.Succeeded)).toHaveLength(10)
    expect(outs.find((o) => !o.Succeeded)).toMatchObject({ StatusCode: 400, Details: { Fields: { Qty: [expect.stringContaining('0')] } } })
    const chain = await chainOf(Id, PlaceId)
    expect(chain).toHaveLength(11)
    expectChain(chain)
    expect(await find(Id)).toMatchObject({ StockQty: 0, Price: 2.5 })
  })

  it('is one movement however often it is sent with its key, and refuses the key with other content', async () => {
    const [{ Id }, PlaceId, other] = [await part(), await place(), await place()]
    const run = `key-${n}`
    const key = (name: string) => `${run}-${name}`
    const send = (name: string, body: object) => Promise.all([0, 1, 2].map(() => act(name, { Id, PlaceId, ClientKey: key(name), ...body })))
    for (const [name, body] of [
      ['TakeIn', { Qty: 10, Price: 2 }],
      ['TakeOut', { Qty: 2 }],
      ['Transfer', { Qty: 3, OtherPlaceId: other }],
      ['Count', { Counted: 7 }],
    ] as const)
      expect((await send(name, body)).map((a) => a.Succeeded)).toEqual([true, true, true])
    expect((await chainOf(Id, PlaceId)).map((m) => m.AfterQty)).toEqual([10, 8, 5, 7])
    expect(await act('TakeOut', { Id, PlaceId, Qty: 3, ClientKey: key('TakeOut') })).toMatchObject({ StatusCode: 409 })
    expect(await act('Scrap', { Id, PlaceId, Qty: 2, ClientKey: key('TakeOut') })).toMatchObject({ StatusCode: 409 })
    const again = await act('TakeOut', { Id: (await part()).Id, PlaceId, Qty: 2, ClientKey: key('TakeOut') })
    expect(again.StatusCode).toBe(409)
    expect(await act('TakeOut', { Id, PlaceId, Qty: 1, ClientKey: key('TakeOut') }, 'keeper')).toMatchObject({ Data: { StockQty: 9 } })
  })

  it('moves a transfer out of one place and into another, both or neither', async () => {
    const [{ Id }, from, to] = [await part(), await place(), await place()]
    await act('TakeIn', { Id, PlaceId: from, Qty: 4 })
    expect(await act('Transfer', { Id, PlaceId: from, OtherPlaceId: to, Qty: 5 })).toMatchObject({ StatusCode: 400 })
    expect(await chainOf(Id, to)).toEqual([])
    expect(await act('Transfer', { Id, PlaceId: from, OtherPlaceId: from, Qty: 1 })).toMatchObject({
      Details: { Fields: { OtherPlaceId: expect.anything() } },
    })
    await act('Transfer', { Id, PlaceId: from, OtherPlaceId: to, Qty: 1.5 })
    const [out, into] = [await chainOf(Id, from), await chainOf(Id, to)]
    expect([out.at(-1)!.AfterQty, into.at(-1)!.AfterQty, (await find(Id)).StockQty]).toEqual([2.5, 1.5, 4])
    for (const chain of [out, into]) expectChain(chain)
  })

  it('corrects a count against the stock of its moment, once, and leaves what has moved since', async () => {
    const [{ Id }, PlaceId] = [await part(), await place()]
    await act('TakeIn', { Id, PlaceId, Qty: 10 })
    // As if all of it were an hour old.
    await kit.db.rows(sql`update mtn_component_record set "Time" = now() - interval '1 hour' where "ComponentId" = ${Id}`)
    const at = new Date(Date.now() - 1_800_000).toISOString().slice(0, 19).replace('T', ' ')
    await act('TakeOut', { Id, PlaceId, Qty: 3 })
    expect(await act('Count', { Id, PlaceId, Counted: 8, CountTime: at })).toMatchObject({ Data: { StockQty: 5 } })
    // The same sheet again, and one of an earlier moment, correct nothing.
    expect(await act('Count', { Id, PlaceId, Counted: 8, CountTime: at })).toMatchObject({ Data: { StockQty: 5 } })
    const earlier = new Date(Date.now() - 2_400_000).toISOString().slice(0, 19).replace('T', ' ')
    expect(await act('Count', { Id, PlaceId, Counted: 8, CountTime: earlier })).toMatchObject({
      Details: { Fields: { CountTime: expect.anything() } },
    })
    expect(await act('Count', { Id, PlaceId, Counted: 8, CountTime: '2099-01-01 00:00:00' })).toMatchObject({ StatusCode: 400 })
    expect(await act('Count', { Id, PlaceId, Counted: 6 })).toMatchObject({ Data: { StockQty: 6 } })
    const chain = await chainOf(Id, PlaceId)
    expect(chain.map((m) => m.RecordType)).toEqual([1, 2, 5, 4])
    expectChain(chain)
  })

  it('refuses what is no quantity, a part out of use, other tenants, and any change of a movement', async () => {
    const [{ Id }, PlaceId] = [await part(), await place()]
    for (const Qty of [0, -1, 1e12]) expect(await act('TakeIn', { Id, PlaceId, Qty })).toMatchObject({ StatusCode: 400 })
    expect(await act('TakeIn', { Id, PlaceId, Qty: 1 }, 'stranger')).toMatchObject({ StatusCode: 404 })
    expect(await act('TakeIn', { Id, PlaceId, Qty: 1 }, 'viewer')).toMatchObject({ StatusCode: 403 })
    await act('TakeIn', { Id, PlaceId, Qty: 1 })
    await kit.data('owner', 'PUT', base, { Id, Status: 2 })
    expect(await act('TakeIn', { Id, PlaceId, Qty: 1 })).toMatchObject({ StatusCode: 409 })
    expect(await kit.call('owner', 'DELETE', base, { Id })).toMatchObject({ Details: { Fault: 'inUse' } })
    const tenant = kit.database.as({ EnterpriseId: kit.enterprises.ours, platform: false })
    await expect(tenant.rows(sql`update mtn_component_record set "Qty" = 2 where "ComponentId" = ${Id}`)).rejects.toThrow(
      'permission denied',
    )
  })

  it('keeps a price as the moving mean of what was bought, in whole billionths', async () => {
    const [{ Id }, PlaceId] = [await part({ Price: 1 }), await place()]
    await act('TakeIn', { Id, PlaceId, Qty: 2, Price: 10 })
    await act('TakeIn', { Id, PlaceId, Qty: 1, Price: 1 })
    expect((await find(Id)).Price).toBe(7)
    await act('TakeOut', { Id, PlaceId, Qty: 2 })
    await act('TakeIn', { Id, PlaceId, Qty: 2, Price: 0.1 })
    expect((await find(Id)).Price).toBe(2.4)
    expect((await kit.data<{ Items: Part[] }>('owner', 'GET', `${base}/List?Price=2.4`)).Items.map((p) => p.Id)).toContain(Id)
    expect([0.1, 1e-9, 12_345.678_901_234, 9e9, -2.5].map(toBillionths)).toEqual([
      '100000000',
      '1',
      '12345678901234',
      '9000000000000000000',
      '-2500000000',
    ])
  })

  it('shows prices to nobody without the right to see costs', async () => {
    const [{ Id }, PlaceId] = [await part(), await place()]
    await act('TakeIn', { Id, PlaceId, Qty: 1, Price: 77 })
    expect((await find(Id, 'keeper')).Price).toBeNull()
    expect(await act('TakeIn', { Id, PlaceId, Qty: 1, Price: 3 }, 'keeper')).toMatchObject({ StatusCode: 403 })
    expect(await act('TakeIn', { Id, PlaceId, Qty: 1 }, 'keeper')).toMatchObject({ Succeeded: true })
    expect(await kit.call('keeper', 'GET', `${base}/List?Price=77`)).toMatchObject({ Details: { Fault: 'unknownFilter' } })
    for (const path of [`${base}/Output?Format=csv`, `${base}/OrderComponet`, `${base}/OrderComponetStatics`])
      expect((await kit.request('keeper', 'GET', path)).body, path).not.toMatch(/\b77\b/)
  })
})

it('tells once that a stock fell below its minimum, and proposes what to buy from use and delivery time', async () => {
  const [{ Id }, PlaceId] = [await part({ MinQty: 5, MaxQty: 40, LeadDays: 30, SupplierName: 'SKF' }), await place()]
  const notices = async () =>
    (await kit.db.rows<{ n: number }>(sql`select count(*)::int as n from notice where "Source" like ${`stockLow/${Id}/%`}`))[0]!.n
  await act('TakeIn', { Id, PlaceId, Qty: 20, Price: 2 })
  for (const Qty of [14, 2, 1]) await act('TakeOut', { Id, PlaceId, Qty })
  expect(await notices()).toBe(1)
  expect(await find(Id)).toMatchObject({ StockQty: 3, IsLow: 1 })
  const { Items } = await kit.data<{ Items: Record<string, unknown>[] }>('owner', 'GET', `${base}/Proposals`)
  // 17 used in the month that the part is old, 17 more until others arrive.
  expect(Items.find((p) => p.ComponentId === Id)).toMatchObject({ UsedQty: 17, BuyQty: 5 + 17 - 3, Amount: 38, SupplierName: 'SKF' })
  await act('TakeIn', { Id, PlaceId, Qty: 10 })
  await act('TakeOut', { Id, PlaceId, Qty: 9 })
  expect(await notices()).toBe(2)
  const sums = await kit.data<{ Items: { RecordType: number; Qty: number; Count: number }[] }>(
    'owner',
    'GET',
    `${base}/OrderComponetStatics?ComponentId=${Id}`,
  )
  expect(sums.Items.map(({ RecordType, Qty, Count }) => [RecordType, Qty, Count])).toEqual([
    [1, 30, 2],
    [2, 26, 4],
  ])
})

it('component-status: the status of a part is changed with id and status, as its moves allow', async () => {
  const { Id } = await part()
  const set = (status: number | string, as = 'owner') => kit.call(as, 'POST', `${base}/ComponetStatus/${Id}/${status}`)
  expect(await set(2)).toMatchObject({ Data: { Id, Status: 2 } })
  expect(await set(1)).toMatchObject({ StatusCode: 409, Details: { Fault: 'wrongState' } })
  expect(await set(0)).toMatchObject({ Data: { Status: 0 } })
  for (const wrong of [3, 'x', -1]) expect(await set(wrong)).toMatchObject({ StatusCode: 400 })
  expect(await set(1, 'stranger')).toMatchObject({ StatusCode: 404 })
  expect(await set(1, 'viewer')).toMatchObject({ StatusCode: 403 })
})

it('refuses a stock in a change unless it is what the ledger says', async () => {
  const { Id } = await part()
  expect(await kit.call('owner', 'PUT', base, { Id, StockQty: 5 })).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { StockQty: expect.anything() } },
  })
  expect(await kit.call('owner', 'PUT', base, { Id, StockQty: 0, Brand: 'SKF' })).toMatchObject({ Data: { Brand: 'SKF', StockQty: 0 } })
})

it('keeps the composition of a model a tree: no circle, not too deep, each part below one of the same model', async () => {
  const folder = await kit.data<{ Id: number }>('owner', 'POST', '/ProModel/PointTempMenu', { MenuName: 'Pumps' })
  const { Id: DeviceModelId } = await kit.data<{ Id: number }>('owner', 'POST', '/ProModel/ProModel', {
    ModelName: 'Pump',
    FolderId: folder.Id,
  })
  const path = `${base}/ComponentCompoInfo`
  const ids: number[] = []
  for (let i = 0; i < 10; i++) ids.push((await part()).Id)
  const add = (ComponentId: number, ParentComponentId?: number) =>
    kit.call<{ Id: number }>('owner', 'POST', path, { DeviceModelId, ComponentId, ...(ParentComponentId ? { ParentComponentId } : {}) })
  expect(await add(ids[1]!, ids[0])).toMatchObject({ Details: { Fields: { ParentComponentId: expect.anything() } } })
  const top = await add(ids[0]!)
  for (let i = 1; i < 8; i++) expect(await add(ids[i]!, ids[i - 1])).toMatchObject({ Succeeded: true })
  expect(await add(ids[8]!, ids[7])).toMatchObject({ StatusCode: 400 })
  expect(await add(ids[3]!, ids[0])).toMatchObject({ StatusCode: 409 })
  for (const ParentComponentId of [ids[0], ids[5]])
    expect(await kit.call('owner', 'PUT', path, { Id: top.Data.Id, ParentComponentId })).toMatchObject({
      Details: { Fields: { ParentComponentId: expect.anything() } },
    })
  // Two concurrent moves, each of which is valid alone, create no cycle.
  const [a, b] = [await add(ids[8]!), await add(ids[9]!)]
  const both = await Promise.all([
    kit.call('owner', 'PUT', path, { Id: a.Data.Id, ParentComponentId: ids[9] }),
    kit.call('owner', 'PUT', path, { Id: b.Data.Id, ParentComponentId: ids[8] }),
  ])
  expect(both.filter((x) => x.Succeeded)).toHaveLength(1)
  expect(await kit.call('owner', 'DELETE', `${path}/${top.Data.Id}`)).toMatchObject({ StatusCode: 400 })
})

it('a part is taken for an order, and comes back from it, in the list of movements', async () => {
  const [{ Id }, PlaceId] = [await part(), await place()]
  const project = await maker(kit).create(named('project'))
  const [order] = (await kit.db.rows<{ Id: number; OrderNo: string }>(sql`
    insert into mtn_maintenance_order ("EnterpriseId", "Title", "ProjectId") values (${kit.enterprises.ours}, 'Bearing hot', ${project.Id}) returning "Id", "OrderNo"`)) as [
    { Id: number; OrderNo: string },
  ]
  await act('TakeIn', { Id, PlaceId, Qty: 3 })
  await act('TakeOut', { Id, PlaceId, Qty: 2, OrderId: order.Id })
  await act('GiveBack', { Id, PlaceId, Qty: 1, OrderId: order.Id })
  const { Items } = await kit.data<{ Items: { RecordType: number; OrderNo: string }[] }>(
    'owner',
    'GET',
    `${base}/OrderComponet?OrderId=${order.Id}`,
  )
  expect(Items.map((m) => [m.RecordType, m.OrderNo])).toEqual([
    [3, order.OrderNo],
    [2, order.OrderNo],
  ])
  expect(await act('TakeOut', { Id, PlaceId, Qty: 1, OrderId: 999_999 })).toMatchObject({
    Details: { Fields: { OrderId: expect.anything() } },
  })
})
