import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { permissions } from '../../../../contract/menus.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { project as projects } from '../../../configuration/projects/contract.ts'
import { makeDue, planRoutes } from '../../upkeep/server/service.ts'
import { patrolCalls } from '../contract.ts'
import { patrol } from './rounds.ts'
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
