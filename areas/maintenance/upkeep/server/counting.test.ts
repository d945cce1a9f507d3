import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { registryOf, temporaryFolder } from '../../../../server/telemetry/telemetry.fixture.ts'
import { openTelemetry, type Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { device as devices } from '../../../configuration/devices/contract.ts'
import { gateway as gateways } from '../../../configuration/gateways/contract.ts'
import { point as points } from '../../../configuration/points/contract.ts'
import { project as projects } from '../../../configuration/projects/contract.ts'
import { upkeepCalls } from '../contract.ts'
import { makeCounted } from './counting.ts'
import { upkeep } from './kind.ts'
import { makeDue } from './making.ts'
import { planRoutes } from './routes.ts'

type Row = Record<string, unknown> & { Id: number }
const path = '/Maintenance/MtnUpKeepPlan'
const orders = '/Maintenance/MtnUpKeepOrder'
const hour = 3_600_000
const t0 = Date.parse('2026-03-01T00:00:00Z')
let now = t0
const clock = () => now
let kit: Kit
let telemetry: Telemetry
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let site = { project: 0, device: 0, hours: 0, level: 0, elsewhere: 0 }

/** A machine that runs continuously until a time, read every quarter of an hour. */
let shown = 0
const run = async (hours: number, from = t0) => {
  const rows = Array.from({ length: hours * 4 + 1 }, (_, i) => i).slice(shown ? shown * 4 + 1 : 0)
  shown = hours
  const samples = rows.map((i) => ({ point: site.hours, time: from + (i * hour) / 4, value: i / 4, quality: 0 }))
  // Readings of a past are loaded day by day.
  for (const of of Map.groupBy(samples, ({ time }) => Math.floor(time / (24 * hour))).values())
    await telemetry.load(
      (async function* () {
        yield of
      })(),
    )
}
beforeAll(async () => {
  kit = await startKit({ clock, areas: () => [(api) => planRoutes(api, upkeep, { clock, calls: upkeepCalls })] })
  folder = await temporaryFolder('counting')
  telemetry = await openTelemetry({
    folder: folder.folder,
    registry: registryOf([]),
    clock,
    log: { warn: () => {}, error: () => {} } as never,
  })
  const make = maker(kit)
  const place = async () => {
    const { Id: project } = await make.create(projects)
    const { Id: GatewayId } = await make.create(gateways, { ProjectId: project })
    const { Id: device } = await make.create(devices, { GatewayId })
    const { Id: point } = await make.create(points, { DeviceId: device })
    return { project, device, point }
  }
  const [here, there] = [await place(), await place()]
  const { Id: level } = await make.create(points, { DeviceId: here.device })
  site = { project: here.project, device: here.device, hours: here.point, level, elsewhere: there.point }
  for (const id of [here.point, there.point])
    await kit.db.rows(sql`insert into point_meaning ("PointId", "EnterpriseId", "CalDataType") values (${id}, ${kit.enterprises.ours}, 1)`)
  await run(1)
})
afterAll(async () => {
  await telemetry.close()
  await kit.close()
  await folder.remove()
})

let n = 0
const plan = (more: object) =>
  kit.call<Row>('owner', 'POST', path, {
    PlanName: `By hours ${++n}`,
    ProjectId: site.project,
    StartDate: '2026-01-01',
    HourParaId: site.hours,
    ...more,
  })
const enable = (Id: number, PlanStatus = 1) => kit.data('owner', 'POST', `${path}/PlanStatus`, { Id, PlanStatus })
const find = (Id: number) => kit.data<Row>('owner', 'GET', `${path}/UpKeepPlanInfoById/${Id}`)
const ordersOf = async (PlanId: number) =>
  (
    await kit.data<{ Items: Row[] }>('owner', 'POST', `${orders}/List`, {
      PlanId,
      PageSize: 100,
      OrderColumn: 'PlanTime',
      OrderType: 'asc',
    })
  ).Items
const look = async (hours: number) => {
  now = t0 + hours * hour
  return makeCounted(upkeep, kit.database, telemetry, now)
}

it('makes one order for each multiple of the step and its machine, ever, and says when the next is due', async () => {
  const { Data } = await plan({ CycleType: 7, HourStep: 100, HourDone: 20, DueDays: 2 })
  await enable(Data.Id)
  await run(240)
  await Promise.all([look(240), look(240)])
  // The count began with 20: the first is due after 80 h.
  expect((await ordersOf(Data.Id)).map((o) => [o.PlanTime, o.DueTime, o.HourMultiple, o.DeviceId])).toEqual([
    ['2026-03-04 08:00:00', '2026-03-06 08:00:00', 1, site.device],
    ['2026-03-08 12:00:00', '2026-03-10 12:00:00', 2, site.device],
  ])
  expect(await find(Data.Id)).toMatchObject({
    HourUsed: 60,
    HourPerDay: 24,
    NextTime: null,
    HourNext: '2026-03-12 16:00:00',
    OpenEvents: 0,
  })
  const year = await kit.data<{ Dates: { PlanId: number; Date: string; Forecast: number }[] }>(
    'owner',
    'GET',
    `${path}/Calendar?From=2026-03-01&To=2026-03-21`,
  )
  expect(year.Dates.filter((d) => d.PlanId === Data.Id)).toMatchObject([
    { Date: '2026-03-12', Forecast: 1 },
    { Date: '2026-03-16' },
    { Date: '2026-03-20' },
  ])
  // Running time while a plan is disabled is not counted, and earlier counts are kept.
  await enable(Data.Id, 0)
  await run(340)
  now = t0 + 340 * hour
  await enable(Data.Id)
  await run(379)
  await look(379)
  expect(await ordersOf(Data.Id)).toHaveLength(2)
  await run(381)
  await look(387)
  expect((await ordersOf(Data.Id)).at(-1)).toMatchObject({ PlanTime: '2026-03-16 20:00:00', HourMultiple: 3 })
  await enable(Data.Id, 0)
})

it('with a calendar, too, the first that is due makes the order and starts both anew', async () => {
  const { Data } = await plan({ CycleType: 2, HourStep: 100, AdvanceDays: 0, StartDate: '2026-03-01', ExecTime: '00:00' })
  now = t0 + 400 * hour
  await enable(Data.Id)
  await run(510)
  await look(510)
  const [first] = await ordersOf(Data.Id)
  expect(first).toMatchObject({ PlanTime: '2026-03-21 20:00:00', HourMultiple: 1 })
  // A week from the order by the counter, not the plan’s own Sunday.
  expect(await find(Data.Id)).toMatchObject({ NextTime: '2026-03-28 00:00:00', RestartDate: '2026-03-21' })
  await kit.data('owner', 'PUT', path, { Id: Data.Id, Remark: 'Looked at' })
  expect(await find(Data.Id)).toMatchObject({ NextTime: '2026-03-28 00:00:00' })
  // The machine is down, so the calendar is due first and restarts the counter as well.
  now = Date.parse('2026-03-28T01:00:00Z')
  await makeDue(upkeep, kit.database, now)
  expect((await ordersOf(Data.Id)).map((o) => o.HourMultiple)).toEqual([1, null])
  expect(await find(Data.Id)).toMatchObject({ HourFrom: '2026-03-28 00:00:00', HourUsed: 0, NextTime: '2026-04-04 00:00:00' })
})

it('refuses, by field, a point that does not count or is of another project, and a step that is missing', async () => {
  const fields = async (more: object) => Object.keys((await plan(more)).Details?.Fields ?? {})
  expect(await fields({ HourParaId: site.level, HourStep: 1 })).toEqual(['HourParaId'])
  expect(await fields({ HourParaId: site.elsewhere, HourStep: 1 })).toEqual(['HourParaId'])
  expect(await fields({ HourStep: null })).toEqual(['HourStep'])
  expect(await fields({ HourParaId: null, CycleType: 7 })).toEqual(['HourParaId'])
})

it('a plan that has counted for decades makes others read no more than theirs', async () => {
  const [old, young] = [await plan({ CycleType: 7, HourStep: 1e6 }), await plan({ CycleType: 7, HourStep: 1e6 })]
  for (const { Data } of [old, young]) await enable(Data.Id)
  await kit.db.rows(sql`update mtn_up_keep_plan set "HourFrom" = '1970-01-02T00:00:00Z' where "Id" = ${old.Data.Id}`)
  const starts: number[] = []
  const statistics = {
    curves: (...given: Parameters<Telemetry['statistics']['curves']>) => {
      starts.push(given[1][0]!)
      return telemetry.statistics.curves(...given)
    },
  }
  await makeCounted(upkeep, kit.database, { statistics } as never, now)
  expect(starts).toHaveLength(2)
  expect(now - Math.max(...starts)).toBeLessThan(16 * 24 * hour)
  for (const { Data } of [old, young]) await enable(Data.Id, 0)
})
