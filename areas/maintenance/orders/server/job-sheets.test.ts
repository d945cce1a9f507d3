// A repair order has a checklist. The server checks the entries that are required to finish it.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { permissions } from '../../../../contract/menus.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { openFolder } from '../../../../server/files/store.ts'
import { device as devices } from '../../../configuration/devices/contract.ts'
import { gateway as gateways } from '../../../configuration/gateways/contract.ts'
import { point as points } from '../../../configuration/points/contract.ts'
import { project as projects } from '../../../configuration/projects/contract.ts'
import { fileRoutes } from '../../../system/files/server/routes.ts'
import { filesService } from '../../../system/files/server/service.ts'
import type { Item } from '../../job-sheets/contract.ts'
import type { Live } from '../../job-sheets/server/service.ts'
import { draftRoutes } from '../../knowledge-base/server/routes.ts'
import { upkeepCalls } from '../../upkeep/contract.ts'
import { planRoutes, upkeep } from '../../upkeep/server/service.ts'
import { openFor } from './open.ts'
import { orderRoutes } from './routes.ts'

type Row = Record<string, unknown> & { Id: number; Status: number }
const path = '/Maintenance/MtnMaintenanceOrder'
const mine = '/Maintenance/MtnMyOrder'
const read = { time: Date.parse('2026-03-01T08:00:00Z'), value: 4.2, quality: 0 }
/** The reading of one point, in the store's format. */
const live: Live = {
  latest: { get: (point) => (point === site.point && site.isKept ? { ...read, point } : undefined) as never },
  read: async ([point], start) => (point === site.point && start === read.time - 1000 ? [{ ...read, time: start, point }] : []) as never,
}
const site = { project: 0, device: 0, point: 0, elsewhere: 0, isKept: true }
let kit: Kit
let folder: string
const id: Record<string, number> = {}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'penstock-sheets-'))
  kit = await startKit({
    areas: (database, sessions) => {
      const files = filesService(database, openFolder(folder), randomBytes(32), Date.now)
      return [
        (api) => orderRoutes(api, { telemetry: live }),
        (api) => fileRoutes(api, files, sessions),
        (api) => draftRoutes(api, (actor, path) => files.copy(actor, path)),
        (api) =>
          planRoutes(api, upkeep, {
            clock: Date.now,
            calls: upkeepCalls,
            telemetry: live,
            copyFile: (actor, path) => files.copy(actor, path),
          }),
      ]
    },
  })
  const make = maker(kit)
  const machine = async () => {
    const ProjectId = (await make.create(projects)).Id
    const GatewayId = (await make.create(gateways, { ProjectId })).Id
    const DeviceId = (await make.create(devices, { GatewayId })).Id
    return { ProjectId, DeviceId, PointId: (await make.create(points, { DeviceId })).Id }
  }
  const [here, there] = [await machine(), await machine()]
  Object.assign(site, { project: here.ProjectId, device: here.DeviceId, point: here.PointId, elsewhere: there.PointId })
  for (const name of ['ada', 'ben']) id[name] = await kit.person(name, kit.enterprises.ours, { menus: ['m10601', 'm10601.work'] })
  id.planner = await kit.person('planner', kit.enterprises.ours, { menus: permissions })
})
afterAll(async () => {
  await kit?.close()
  await rm(folder, { recursive: true, force: true })
})

const pressure: Item = { ItemName: 'Pressure', ValueType: 6, ParaId: 0, Min: 2, Max: 4, Unit: 'bar', Required: 1 }
const items = (): Item[] => [
  { ItemName: 'Noise', ValueType: 1, Required: 1 },
  { ...pressure, ParaId: site.point },
  { ItemName: 'Plate', ValueType: 5, Required: 1 },
  { ItemName: 'Customer', ValueType: 7, Required: 1 },
]
const photo = async (as = 'ada', name = 'plate.txt') => {
  const { FilePath, FileName } = (
    await kit.upload<{ FilePath: string; FileName: string }>(as, '/System/File/Upload?Purpose=attachment', 'x', name)
  ).Data
  return { FilePath, FileName }
}
const open = (more: object = {}) =>
  kit.call<Row>('planner', 'POST', path, {
    Title: 'Pump leaks',
    ProjectId: site.project,
    DeviceId: site.device,
    AssignUserId: id.ada,
    ...more,
  })
const take = (name: string, OrderId: number, more: object = {}, as = 'ada') =>
  kit.call<Row>(as, 'POST', `${path}/${name}`, { OrderId, ...more })
const finish = (OrderId: number, more: object = {}, as = 'ada') =>
  kit.call<Row>(as, 'POST', `${mine}/OrderFinish`, { OrderId, Desc: 'Sealed', ...more })
const find = (Id: number) => kit.data<Row>('planner', 'GET', `${path}?Id=${Id}`)
const ok = { Item: 0, Value: 1, IsOk: 1 }
const readAs = (Time: number, Value = read.value) => ({ ParaId: site.point, Value, Time, Quality: 0 })

it('a finish without what the checklist demands is refused by field, and taken once with it', async () => {
  const { Data } = await open({ Items: items() })
  await take('Accept', Data.Id)
  expect((await finish(Data.Id)).Details!.Fields).toMatchObject({ 'Results.0': [expect.any(String)], 'Results.3': [expect.any(String)] })
  const signed = { Item: 3, Value: 'C. Lark', IsOk: 0, Photos: [await photo('ada', 'signature.txt')] }
  const plate = { Item: 2, Value: null, IsOk: 1, Photos: [await photo()] }
  const given = (more: object) => [ok, { Item: 1, Value: read.value, IsOk: 1, ...more }, plate, signed]
  const unread = await finish(Data.Id, { Results: given({}) })
  expect(unread.Details!.Fields).toEqual({ 'Results.1': ['Say why the value is not the reading of the point.'] })
  // A reading that the store does not have is none.
  const forged = await finish(Data.Id, { Results: given({ Read: readAs(read.time - 5000) }) })
  expect(forged.Details!.Fields).toHaveProperty(['Results.1'])
  expect(
    await finish(Data.Id, { Results: given({ Read: readAs(read.time) }), Files: [await photo()], ClientKey: 'phone-0001' }),
  ).toMatchObject({
    Data: { Status: 4 },
  })
  const done = await find(Data.Id)
  // 4.2 bar is above its limit, and a signature is always in order.
  expect(done.AbnormalCount).toBe(1)
  expect(done.Results).toMatchObject([{ IsOk: 1 }, { IsOk: 0, Read: readAs(read.time) }, { Item: 2 }, { Value: 'C. Lark', IsOk: 1 }])
  expect(done.HandleAttach).toHaveLength(1)
  expect((await kit.request('planner', 'GET', `/${plate.Photos[0]!.FilePath}`)).statusCode).toBe(200)
})

it('another value than the reading takes a reason, which is stored', async () => {
  const { Data } = await open({ Items: items().slice(1, 2) })
  await take('Accept', Data.Id)
  const other = { Item: 0, Value: 3.1, IsOk: 1, Read: readAs(read.time - 1000) }
  expect((await finish(Data.Id, { Results: [other] })).StatusCode).toBe(400)
  expect((await finish(Data.Id, { Results: [{ ...other, Reason: ' ' }] })).StatusCode).toBe(400)
  expect((await finish(Data.Id, { Results: [{ ...other, Reason: 'Gauge on the pipe' }] })).Succeeded).toBe(true)
  expect((await find(Data.Id)).Results).toMatchObject([{ Value: 3.1, Reason: 'Gauge on the pipe', Read: { Value: 4.2 } }])
})

it('a finish says nothing of points outside of its checklist, and is the same when the store has forgotten its reading', async () => {
  const number: Item = { ItemName: 'Pressure', ValueType: 2 }
  const { Data } = await open({ Items: [number, items()[1]!] })
  await take('Accept', Data.Id)
  const result = { Value: read.value, IsOk: 1, Read: readAs(read.time) }
  const Results = [
    { Item: 0, ...result },
    { Item: 1, ...result },
  ]
  const send = () => finish(Data.Id, { Results, ClientKey: 'phone-0002' })
  expect(await send()).toMatchObject({ Data: { Status: 4 } })
  expect((await find(Data.Id)).Results).toEqual([
    { Item: 0, Value: read.value, IsOk: 1 },
    { Item: 1, ...result, IsOk: 0 },
  ])
  site.isKept = false
  const again = await send()
  site.isKept = true
  expect(again).toMatchObject({ Data: { Status: 4 } })
})

it('readings are those of the checklist, for people who see the order', async () => {
  const { Data } = await open({ Items: items() })
  const asked = (as: string) => kit.call<{ Items: object[] }>(as, 'GET', `${mine}/Readings?OrderId=${Data.Id}`)
  expect((await asked('ada')).Data.Items).toEqual([{ Item: 1, ParaId: site.point, Value: 4.2, Time: read.time, Quality: 0 }])
  expect((await asked('ben')).StatusCode).toBe(404)
  expect((await asked('stranger')).StatusCode).toBe(404)
})

it('a planner without the list of points finds those of a project that he sees, by machine and point', async () => {
  await kit.person('scheduler', kit.enterprises.ours, { menus: ['m10601', 'm10603'] })
  await kit.person('far scheduler', kit.enterprises.ours, { menus: ['m10601', 'm10603'], projects: [999_999] })
  const found = async (as: string, more = '') =>
    (await kit.data<{ Items: { ParaId: number; Name: string }[] }>(as, 'GET', `${mine}/Points?ProjectId=${site.project}${more}`)).Items
  const [one] = await found('scheduler')
  expect(one).toMatchObject({ ParaId: site.point, Name: expect.stringContaining(' · ') })
  expect(await found('scheduler', `&Search=${encodeURIComponent(one!.Name.toUpperCase())}`)).toEqual([one])
  expect(await found('scheduler', '&Search=no%20such%25point')).toEqual([])
  expect(await found('far scheduler')).toEqual([])
  expect(await found('stranger')).toEqual([])
})

it('a planner gives the checklist when he assigns the order; what stays keeps its result after a rejection', async () => {
  const { Data } = await open({ AssignUserId: undefined })
  expect((await open({ Items: [{ ...pressure, ParaId: site.elsewhere }] })).Details!.Fields).toHaveProperty(['Items.0.ParaId'])
  expect((await open({ Items: [{ ItemName: 'Colour', ValueType: 4 }] })).Details!.Fields).toHaveProperty(['Items.0.Choices'])
  expect((await take('Dispatch', Data.Id, { UserId: id.ada, Items: items().slice(0, 1) }, 'planner')).Succeeded).toBe(true)
  await take('Accept', Data.Id)
  expect((await finish(Data.Id, { Results: [{ ...ok, Item: 1 }] })).StatusCode).toBe(400)
  expect((await finish(Data.Id, { Results: [ok] })).Data.Status).toBe(4)
  expect(await kit.call('planner', 'PUT', path, { Id: Data.Id, Items: items() })).toMatchObject({ StatusCode: 409 })
  await take('Reject', Data.Id, { Desc: 'Show the plate' }, 'planner')
  const more = [items()[0]!, items()[2]!]
  expect(await kit.call('planner', 'PUT', path, { Id: Data.Id, Items: more })).toMatchObject({ Data: { Items: more, Results: [ok] } })
  expect((await finish(Data.Id, {})).Details!.Fields).toEqual({ 'Results.1': [expect.any(String)] })
  expect((await finish(Data.Id, { Results: [ok, { Item: 1, Value: null, IsOk: 1, Photos: [await photo()] }] })).Data.Status).toBe(4)
  const stolen = [ok, { Item: 1, Value: null, IsOk: 1, Photos: [await photo('ben')] }]
  await take('Reject', Data.Id, { Desc: 'Again' }, 'planner')
  expect((await finish(Data.Id, { Results: stolen })).StatusCode).toBe(400)
})

it('an order that a rule opens has the checklist of the article that is its plan', async () => {
  const article = await kit.data<Row>('planner', 'POST', '/Maintenance/MtnKnowledgeBase', {
    Title: 'Hot bearing',
    Items: items().slice(0, 1),
  })
  await kit.data('planner', 'POST', '/Maintenance/MtnKnowledgeBase/Publish', { Id: article.Id })
  const ofPoint = { Title: 'x', Items: items().slice(1, 2) }
  expect((await kit.call('planner', 'POST', '/Maintenance/MtnKnowledgeBase', ofPoint)).Details!.Fields).toHaveProperty([
    'Items.0.ValueType',
  ])
  const [code] = await kit.db.rows<{ Id: number }>(sql`
    with plan as (insert into alarm_plan ("EnterpriseId", "PlanName", "ArticleId") values (${kit.enterprises.ours}, 'Cool it', ${article.Id}) returning "Id")
    insert into alarm_code ("EnterpriseId", "Code", "Name", "AlmPlanId") select ${kit.enterprises.ours}, 'E7', 'Hot', "Id" from plan returning "Id"`)
  const cause = { Id: 1, EnterpriseId: kit.enterprises.ours, ProjectId: site.project, GatewayId: null, DeviceId: site.device }
  const opened = await kit.db.tx((db) =>
    openFor(db, { ...cause, AlmRuleId: null, RuleName: 'Hot', AlarmLevel: 2, FaultCodeId: code!.Id, Language: 'en', Id: null as never }),
  )
  expect((await find(opened.Id)).Items).toEqual(items().slice(0, 1))
})

it('an order of a fault without a plan has the checklist of the article that fits its fault or, if there is one alone, the model of its machine', async () => {
  const { rows } = kit.db
  const [model] = await rows<{ Id: number }>(
    sql`insert into pro_model ("EnterpriseId", "ModelName") values (${kit.enterprises.ours}, 'Pump') returning "Id"`,
  )
  const [code] = await rows<{ Id: number }>(
    sql`insert into alarm_code ("EnterpriseId", "Code", "Name") values (${kit.enterprises.ours}, 'E8', 'Dry') returning "Id"`,
  )
  await rows(sql`update device set "ModelId" = ${model!.Id} where "Id" = ${site.device}`)
  const article = async (ItemName: string, more: object) => {
    const draft = { Title: ItemName, Items: [{ ItemName, ValueType: 1 }], ...more }
    const { Id } = await kit.data<Row>('planner', 'POST', '/Maintenance/MtnKnowledgeBase', draft)
    await kit.data('planner', 'POST', '/Maintenance/MtnKnowledgeBase/Publish', { Id })
  }
  const opened = async (FaultCodeId: number | null) => {
    const of = { EnterpriseId: kit.enterprises.ours, ProjectId: site.project, GatewayId: null, DeviceId: site.device, AlmRuleId: null }
    const cause = { ...of, RuleName: 'Dry', AlarmLevel: 2, FaultCodeId, Language: 'en', Id: null as never }
    const { Id } = await kit.db.tx((db) => openFor(db, cause))
    return ((await find(Id)).Items as { ItemName: string }[] | null)?.map(({ ItemName }) => ItemName) ?? null
  }
  expect(await opened(null)).toBeNull()
  await article('Of the model', { DeviceModelId: model!.Id })
  expect(await opened(code!.Id)).toEqual(['Of the model'])
  await article('Of the fault', { FaultCodeId: code!.Id })
  expect(await opened(code!.Id)).toEqual(['Of the fault'])
  await article('Of both', { FaultCodeId: code!.Id, DeviceModelId: model!.Id })
  expect(await opened(code!.Id)).toEqual(['Of both'])
  await article('Another of the model', { DeviceModelId: model!.Id })
  expect(await opened(null)).toBeNull()
})

it('a repair of a failed item, and the article of an order, take photos and readings along as copies of their own', async () => {
  const due = { PlanTime: '2030-01-01 08:00:00', DueTime: '2030-01-02 08:00:00' }
  const order = await kit.data<Row>('planner', 'POST', '/Maintenance/MtnUpKeepOrder', {
    ...{ Title: 'Round', ProjectId: site.project, DeviceId: site.device, AssignUserId: id.ada, ...due },
  })
  await kit.db.rows(sql`update mtn_up_keep_order set "Items" = ${JSON.stringify(items().slice(1, 2))}::jsonb where "Id" = ${order.Id}`)
  const Photos = [await photo()]
  const Results = [{ Item: 0, Value: read.value, IsOk: 1, Desc: 'Leaks', Read: readAs(read.time), Photos }]
  await kit.data('ada', 'POST', '/Maintenance/MtnUpKeepOrder/Finish', { OrderId: order.Id, Results })
  const { Id } = await kit.data<Row>('ada', 'POST', '/Maintenance/MtnUpKeepOrder/Repair', { OrderId: order.Id, Item: 0 })
  const repair = await find(Id)
  expect(repair).toMatchObject({ Title: 'Pressure', Source: 4, Files: [{ FileName: 'plate.txt' }] })
  const [copy] = repair.Files as { FilePath: string }[]
  expect(copy!.FilePath).not.toBe(Photos[0]!.FilePath)
  expect((await kit.request('planner', 'GET', `/${copy!.FilePath}`)).body).toBe('x')

  await kit.data('planner', 'POST', `${path}/Dispatch`, { OrderId: Id, UserId: id.ada, Items: items().slice(1, 2) })
  await take('Accept', Id)
  await finish(Id, { Results: [{ ...Results[0], Value: 3, Reason: 'Gauge', Photos: [await photo('ada', 'after.txt')] }] })
  await take('Check', Id, {}, 'planner')
  const { Id: article } = await kit.data<Row>('planner', 'POST', '/Maintenance/MtnKnowledgeBase/FromOrder', { OrderId: Id })
  const draft = await kit.data<Row & { Solution: string }>('planner', 'GET', `/Maintenance/MtnKnowledgeBase?Id=${article}`)
  expect(draft).toMatchObject({
    Files: [{ FileName: 'plate.txt' }, { FileName: 'after.txt' }],
    Items: [{ ItemName: 'Pressure', ValueType: 2 }],
  })
  expect(draft.Solution).toContain('<li>Pressure: 3 bar; Gauge; Leaks</li>')
})
