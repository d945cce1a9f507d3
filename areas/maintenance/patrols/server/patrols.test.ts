import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { permissions } from '../../../../contract/menus.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { project as projects } from '../../../configuration/projects/contract.ts'
import { makeDue, planRoutes } from '../../upkeep/server/service.ts'
import { patrolCalls } from '../contract.ts'
import { forgetPlaces } from './history.ts'
import { mostReads, patrol } from './rounds.ts'
import { roundRoutes } from './start.ts'

type Row = Record<string, unknown> & { Id: number }
const planPath = '/Maintenance/MtnCheckPlan'
const orderPath = '/Maintenance/MtnCheckOrder'
let now = Date.parse('2026-03-01T12:00:00Z')
let kit: Kit
let project = 0
let tech = 0
const tags: number[] = []
const numbers = ['A1B2C3D4', 'A1B2C3D5', 'A1B2C3D6']
beforeAll(async () => {
  const clock = () => now
  kit = await startKit({
    clock,
    areas: () => [(api) => planRoutes(api, patrol, { clock, calls: patrolCalls }), (api) => roundRoutes(api, { clock })],
  })
  project = ((await maker(kit).create(projects, { ProjectName: 'Works' })) as Row).Id
  for (const CardNo of numbers)
    tags.push(
      (await kit.data<Row>('owner', 'POST', '/Project/ProRFIDInfo', { CardName: `Tag ${CardNo}`, CardNo, CardType: 1, ProjectId: project }))
        .Id,
    )
  await kit.person('tech', kit.enterprises.ours, { menus: ['m10601', 'm10601.work'] })
  await kit.person('planner', kit.enterprises.ours, { menus: permissions.filter((p) => p.startsWith('m1060')) })
  tech = (await kit.db.rows<{ Id: number }>(sql`select "Id" from "user" where "UserNO" = 'tech'`))[0]!.Id
})
afterAll(() => kit.close())

let count = 0
/** A round that has begun. */
const round = async (more: object = {}) => {
  const StartDate = new Date(now).toISOString().slice(0, 10)
  const draft = {
    PlanName: `Round ${++count}`,
    ProjectId: project,
    StartDate,
    ExecTime: '00:00',
    CycleType: 6,
    AssignUserId: tech,
    Points: tags,
  }
  const { Id } = await kit.data<Row>('owner', 'POST', planPath, { ...draft, ...more })
  await kit.data('owner', 'POST', `${planPath}/PlanStatus`, { Id, PlanStatus: 1 })
  await makeDue(patrol, kit.database, now)
  const { Items } = await kit.data<{ Items: Row[] }>('owner', 'POST', `${orderPath}/List`, { PlanId: Id })
  await kit.data('tech', 'POST', `${orderPath}/Start`, { OrderId: Items[0]!.Id })
  return Items[0]!
}
const visit = (OrderId: number, CardNo: string, Way = 2, as = 'tech') =>
  kit.call<{ Result: number }>(as, 'POST', `${orderPath}/Visit`, { OrderId, CardNo, Way })
const later = (ms = 120_000) => {
  now += ms
}

it('[plan-status] a round reads its points by the phone; what is read falsely is kept and says why', async () => {
  const order = await round({ InOrder: 1 })
  expect(order).toMatchObject({ OrderNo: expect.stringMatching(/^XJ/), PointsTotal: 3 })
  later()
  expect((await visit(order.Id, '04:11:22:33:44:55:66')).Data).toMatchObject({ Result: 1 })
  expect((await visit(order.Id, numbers[1]!)).Data).toMatchObject({ Result: 4 })
  later()
  expect((await visit(order.Id, numbers[0]!)).Data).toMatchObject({ Result: 0, CardName: `Tag ${numbers[0]}` })
  expect((await visit(order.Id, numbers[0]!)).Data).toMatchObject({ Result: 6 })
  expect((await visit(order.Id, 'nonsense')).Details!.Fields).toHaveProperty('CardNo')
  expect((await visit(order.Id, numbers[1]!, 5)).Details!.Fields).toHaveProperty('Way')
  const route = await kit.data<{ Items: { ReadTime: string | null }[] }>('tech', 'GET', `${orderPath}/Route?Id=${order.Id}`)
  expect(route.Items.map(({ ReadTime }) => ReadTime !== null)).toEqual([true, false, false])
  const roof = await kit.data<Row>('owner', 'POST', '/Maintenance/MtnEquipment', { EquipmentName: 'Roof', ProjectId: project })
  await kit.data('owner', 'PUT', '/Project/ProRFIDInfo', { Id: tags[1], EquipmentId: roof.Id })
  expect(await kit.data('tech', 'GET', `${orderPath}/Route?Id=${order.Id}`)).toMatchObject({
    Items: [{ EquipmentId: null }, { EquipmentId: roof.Id, EquipmentName: 'Roof' }, { EquipmentId: null }],
  })
})

it('a round that ends says which points were missed', async () => {
  const order = await round({ AllowQr: 1 })
  later()
  await visit(order.Id, numbers[2]!, 5)
  later()
  const done = await kit.call<Row>('tech', 'POST', `${orderPath}/Finish`, { OrderId: order.Id, Results: [], Desc: 'Two doors locked' })
  expect(done.Data).toMatchObject({ Status: 2, PointsDone: 1, MissedPoints: [tags[0], tags[1]], AbnormalCount: 2, WrongOrder: 0 })
  expect(await kit.data<Row>('owner', 'GET', `${orderPath}/CheckOrderById?Id=${order.Id}`)).toMatchObject({ PointsDone: 1 })
})

it('windows and least times of points count, and a phone that is far off or has a wrong clock is marked', async () => {
  await kit.data('owner', 'PUT', '/Project/ProRFIDInfo', { Id: tags[0], Longitude: 2.11, Latitude: 41.48 })
  const wall = (ms: number) => new Date(now + ms).toISOString().slice(11, 16)
  const hour = 3_600_000
  const Stops = [{ From: wall(-hour), To: wall(2 * hour), Minutes: 30 }, { From: wall(4 * hour), To: wall(5 * hour) }, {}]
  const order = await round({ Stops })
  later()
  const sent = (CardNo: string, more: object) =>
    kit.call<{ Result: number }>('tech', 'POST', `${orderPath}/Visit`, { OrderId: order.Id, CardNo, ...more })
  expect((await sent(numbers[0]!, { Longitude: 2.11, Latitude: 41.49, DeviceTime: now - 400_000 })).Data).toMatchObject({
    Result: 0,
    IsFar: 1,
    IsClockOff: 1,
  })
  later()
  const outside = { DeviceTime: now - 60_000, ClientKey: 'tap-on-the-tag' }
  // A repeated reading outside the window does not count.
  for (const ClientKey of [outside.ClientKey, outside.ClientKey, 'another-tap'])
    expect((await sent(numbers[1]!, { ...outside, ClientKey })).Data).toMatchObject({ Result: 5, IsFar: 0, IsClockOff: 0 })
  expect(await sent(numbers[2]!, outside)).toMatchObject({ StatusCode: 409, Details: { Fault: 'clientKeyUsed' } })
  later()
  await sent(numbers[2]!, {})
  const { Items } = await kit.data<{ Items: Row[] }>('tech', 'GET', `${orderPath}/Route?Id=${order.Id}`)
  expect(Items.map(({ ReadTime }) => ReadTime !== null)).toEqual([true, false, true])
  expect(Items[0]).toMatchObject({ ...Stops[0], DistanceM: 1112, IsFar: 1, IsClockOff: 1, Longitude: 2.11 })
  const { Data } = await kit.call<Row>('tech', 'POST', `${orderPath}/Finish`, { OrderId: order.Id, Results: [], Desc: 'Done' })
  expect(Data).toMatchObject({ MissedPoints: [tags[1]], HurriedPoints: [tags[0]], AbnormalCount: 2 })
  // Planners are notified immediately. Positions are visible to planners and deleted after a year.
  const notices = await kit.db.rows<{ WordValues: object }>(
    sql`select "WordValues" from notice where "Source" = ${`round/${order.Id}/missed`}`,
  )
  expect(notices).toMatchObject([{ WordValues: { Count: 1, Names: `Tag ${numbers[1]}` } }])
  const places = async (as: string) =>
    (await kit.data<{ Items: Row[] }>(as, 'POST', '/Project/ProRFIDInfo/ProRFIDHistory', { IsFar: 1 })).Items.map((h) => h.Latitude)
  await kit.person('looker', kit.enterprises.ours, { menus: ['m10612'] })
  expect([await places('owner'), await places('looker')]).toEqual([[41.49], [null]])
  await forgetPlaces(kit.db, now + 366 * 24 * hour)
  expect(await places('owner')).toEqual([null])
  // Rejected readings are deleted with them; the route keeps the others.
  const left = await kit.db.rows<{ Result: number }>(sql`select distinct "Result" from pro_rfid_history where "ReaderType" = 2 order by 1`)
  expect(left.map(({ Result }) => Result)).toEqual([0, 6])
})

it('a number of the checklist has its curve over the rounds of its plan', async () => {
  const Items = [{ ItemName: 'Pressure', ValueType: 2, Min: 3, Max: 6 }]
  const first = await round({ Items, CycleType: 1, DueDays: 30, GraceDays: 30 })
  const finish = (Id: number, Value: number) =>
    kit.data('tech', 'POST', `${orderPath}/Finish`, { OrderId: Id, Results: [{ Item: 0, Value, IsOk: 1 }] })
  await finish(first.Id, 4.5)
  later(86_400_000)
  await makeDue(patrol, kit.database, now)
  const { Items: rounds } = await kit.data<{ Items: Row[] }>('owner', 'POST', `${orderPath}/List`, { PlanId: first.PlanId, Status: 0 })
  await finish(rounds[0]!.Id, 5)
  const curveOf = (Id: number, as = 'tech') => kit.call<{ Items: { Value: number }[] }>(as, 'GET', `${orderPath}/Curve?Id=${Id}&Item=0`)
  expect((await curveOf(rounds[0]!.Id)).Data.Items.map(({ Value }) => Value)).toEqual([4.5, 5])
  expect((await curveOf(first.Id)).Data.Items).toHaveLength(1)
  expect((await curveOf(first.Id, 'stranger')).StatusCode).toBe(404)
})

it('only who walks the round reads its points, and strangers see nothing of it', async () => {
  const order = await round({ AllowQr: 1 })
  expect((await visit(order.Id, numbers[0]!, 5, 'owner')).StatusCode).toBe(403)
  expect((await visit(order.Id, numbers[0]!, 5, 'stranger')).StatusCode).toBe(404)
  expect((await kit.call('stranger', 'GET', `${orderPath}/Route?Id=${order.Id}`)).StatusCode).toBe(404)
  expect(
    (await kit.call('planner', 'POST', planPath, { PlanName: 'x', ProjectId: project, StartDate: '2026-01-01', Points: [999_999] }))
      .StatusCode,
  ).toBe(400)
})

it('a person’s phones store so many readings in a day', async () => {
  const order = await round()
  later()
  const fill = sql`
    insert into pro_rfid_history ("EnterpriseId", "CardNo", "ReadTime", "Result", "ReaderType", "Reader", "UserId")
    select ${kit.enterprises.ours}, 'FLOOD', ${new Date(now)}, 1, 2, 'XJ', ${tech} from generate_series(1, ${mostReads})`
  await kit.db.rows(fill)
  expect(await visit(order.Id, numbers[0]!)).toMatchObject({ StatusCode: 429, Details: { Fault: 'tooMany' } })
  await kit.db.rows(sql`update pro_rfid_history set "UploadTime" = now() - interval '25 hours' where "CardNo" = 'FLOOD'`)
  expect(await visit(order.Id, numbers[0]!)).toMatchObject({ Data: { Result: 0 } })
})
