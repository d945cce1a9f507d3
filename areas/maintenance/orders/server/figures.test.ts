import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { permissions } from '../../../../contract/menus.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { device as devices } from '../../../configuration/devices/contract.ts'
import { gateway as gateways } from '../../../configuration/gateways/contract.ts'
import { project as projects } from '../../../configuration/projects/contract.ts'
import { stoppedIn } from '../figures.ts'
import { figureRoutes, orderRoutes } from './routes.ts'

const now = Date.parse('2026-03-31T12:00:00Z')
let kit: Kit
let site = { ProjectId: 0, pump: 0, fan: 0, GatewayId: 0 }
type Figures = Record<string, unknown> & { Machines: Record<string, unknown>[]; Causes: unknown[]; Months: unknown[] }

const insert = (of: Record<string, string | number | null>) => {
  const all = { EnterpriseId: kit.enterprises.ours, Title: 'x', ProjectId: site.ProjectId, GatewayId: site.GatewayId, ...of }
  return kit.db.rows(sql`
    insert into mtn_maintenance_order (${sql.join(Object.keys(all).map((name) => sql.ref(name)))}) values (${sql.join(Object.values(all))})`)
}
beforeAll(async () => {
  kit = await startKit({ areas: () => [orderRoutes, (api) => figureRoutes(api, { clock: () => now })] })
  const make = maker(kit)
  const { Id: ProjectId } = await make.create(projects)
  const { Id: GatewayId } = await make.create(gateways, { ProjectId })
  const { Id: pump } = await make.create(devices, { GatewayId, DeviceName: 'Pump' })
  const { Id: fan } = await make.create(devices, { GatewayId, DeviceName: 'Fan' })
  site = { ProjectId, pump, fan, GatewayId }
  await kit.person('planner', kit.enterprises.ours, { menus: permissions.filter((code) => code !== 'm10607.cost') })
  await kit.person('elsewhere', kit.enterprises.ours, { menus: permissions, projects: [999_999] })
  const done = { Status: 5, Verified: 2, PartsCost: 40e9 }
  // Two overlapping stops, 1 March 0 to 10 h and 5 to 12 h; one of 24 h; and one that continues since 31 March 6 h.
  await insert({
    ...done,
    DeviceId: pump,
    ReportTime: '2026-03-01 00:00Z',
    FinishTime: '2026-03-01 10:00Z',
    PlanFinishTime: '2026-03-01 12:00Z',
    StopHours: 10,
    LaborHours: 2,
    CauseType: 1,
  })
  await insert({
    ...done,
    DeviceId: pump,
    ReportTime: '2026-03-01 05:00Z',
    FinishTime: '2026-03-01 15:00Z',
    PlanFinishTime: '2026-03-01 12:00Z',
    StopHours: 7,
    LaborHours: 4,
    CauseType: 1,
    Verified: 3,
  })
  await insert({
    ...done,
    DeviceId: pump,
    ReportTime: '2026-03-10 00:00Z',
    FinishTime: '2026-03-12 00:00Z',
    StopHours: 24,
    CauseType: 4,
    Rejects: 1,
    PartsCost: null,
  })
  await insert({ Status: 2, DeviceId: pump, ReportTime: '2026-03-31 06:00Z', Stopped: 1 })
  // A repair without a stop, a stop that began earlier, and a cancelled one.
  await insert({ ...done, DeviceId: fan, ReportTime: '2026-03-05 00:00Z', FinishTime: '2026-03-05 04:00Z', LaborHours: 1 })
  await insert({ ...done, DeviceId: fan, ReportTime: '2026-02-27 12:00Z', FinishTime: '2026-02-28 12:00Z', StopHours: 48 })
  await insert({ Status: 6, DeviceId: fan, ReportTime: '2026-03-20 00:00Z', StopHours: 5 })
  const planned = (PlanTime: string, Status: number) =>
    kit.db.rows(sql`
      insert into mtn_up_keep_order ("EnterpriseId", "Title", "ProjectId", "PlanTime", "DueTime", "Status", "FinishTime", "PartsCost", "LaborCost")
      values (${kit.enterprises.ours}, 'x', ${ProjectId}, ${PlanTime}, ${PlanTime}, ${Status}, ${PlanTime}, 7000000000, 5000000000)`)
  for (const [day, status] of [
    ['2026-03-02', 2],
    ['2026-03-09', 3],
    ['2026-03-16', 4],
    ['2026-03-23', 5],
  ] as const)
    await planned(day, status)
})
afterAll(() => kit?.close())

it('overlapping stops count once, within the days', () => {
  const stop = (start: number, end: number) => ({ start, end })
  expect(stoppedIn([stop(5, 12), stop(0, 10), stop(30, 40), stop(32, 35)], 0, 100)).toBe(22)
  expect(stoppedIn([stop(-5, 5), stop(95, 200)], 0, 100)).toBe(10)
  expect(stoppedIn([], 0, 100)).toBe(0)
})

it('figures are those counted by hand, for the orders that the person sees', async () => {
  const path = '/Maintenance/MtnMaintenanceOrder/Figures?DateFrom=2026-03-01&DateTo=2026-03-31'
  const of = await kit.data<Figures>('owner', 'GET', path)
  // Until now: 30 days and 12 hours.
  const calendar = 30 * 24 + 12
  const [pumpStops, fanStops] = [12 + 24 + 6, 12]
  expect(of.Machines.map((m) => [m.Name, m.Failures, m.StopHours, m.RunningHours, m.Mtbf, m.Mttr, m.Availability, m.Cost])).toEqual([
    [
      'Pump',
      4,
      pumpStops,
      calendar - pumpStops,
      (calendar - pumpStops) / 4,
      (10 + 10 + 48) / 3,
      expect.closeTo(100 * (1 - pumpStops / calendar), 2),
      80,
    ].map((v) => (typeof v === 'number' ? expect.closeTo(v, 2) : v)),
    ['Fan', 0, fanStops, calendar - fanStops, null, 4, expect.closeTo(100 * (1 - fanStops / calendar), 2), 40],
  ])
  expect(of).toMatchObject({
    ...{
      Failures: 4,
      StopHours: pumpStops + fanStops,
      RunningHours: 2 * calendar - pumpStops - fanStops,
      Finished: 4,
      Cost: 120,
      PlannedCost: 24,
    },
    // Of four completed orders, one came back and one was rejected; of two with a date, one was on time.
    ...{ FirstTime: 50, OnTime: 50, Planned: 3, Reactive: 5, OpenCount: 1, BacklogHours: 2.3 },
    Months: [{ Month: '2026-03', Planned: 3, Reactive: 5 }],
  })
  expect(of.Mttr).toBeCloseTo((10 + 10 + 48 + 4) / 4, 2)
  expect(of.Causes).toEqual([
    { CauseType: 1, Count: 2, Cost: 80 },
    { CauseType: 4, Count: 1, Cost: 0 },
    { CauseType: null, Count: 1, Cost: 40 },
  ])
  const list = async (query: string) =>
    (await kit.data<{ TotalCount: number }>('owner', 'GET', `/Maintenance/MtnMaintenanceOrder/List?${query}`)).TotalCount
  expect(await list(`IsFailure=1&DeviceId=${site.pump}`)).toBe(4)
  expect(await list('FirstTime=1')).toBe(3)
  expect(await list('OnTime=0')).toBe(1)
  expect(await kit.data<Figures>('planner', 'GET', path)).toMatchObject({
    Failures: 4,
    Cost: null,
    PlannedCost: null,
    Machines: [{ Cost: null }, { Cost: null }],
  })
  expect(await kit.data<Figures>('elsewhere', 'GET', path)).toMatchObject({
    Failures: 0,
    Finished: 0,
    Machines: [],
    Planned: 0,
    Mtbf: null,
  })
  expect(await kit.data<Figures>('stranger', 'GET', path)).toMatchObject({ Failures: 0, Finished: 0, Machines: [] })
  expect((await kit.call('owner', 'GET', path.replace('2026-03-31', '2028-03-31'))).Details?.Fields).toHaveProperty('DateTo')
})
