import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { temporaryFolder } from '../../../../server/telemetry/telemetry.fixture.ts'
import { openTelemetry, type Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { type Plant, startPlant } from '../../gateways/server/harness.ts'
import { point } from '../../points/contract.ts'
import { finding, projectTask, projectTaskRow } from '../contract.ts'
import { kindsOf } from './kinds.ts'
import { taskRoutes } from './routes.ts'
import { startTaskRunner } from './runner.ts'

const path = '/Project/ProjectTask'
const hour = 3_600_000
type Task = { Id: number; Status: number; Done: number; Failed: number }
type Checked = { ParaName: string; Target: string; Value: number | null; Finding: number; RangeLow: number | null; ReadTime: string | null }

let plant: Plant
let telemetry: Telemetry
let runner: ReturnType<typeof startTaskRunner>
let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  plant = await startPlant({ routes: [taskRoutes] })
  folder = await temporaryFolder('checks')
  const clock = () => plant.clock.now
  telemetry = await openTelemetry({ folder: folder.folder, registry: plant.registry, clock, log: { warn: () => {}, error: () => {} } })
  runner = startTaskRunner({
    database: plant.kit.database,
    sessions: plant.kit.sessions,
    kinds: kindsOf({
      push: (...given) => plant.gateways.push(...given),
      returned: (id) => plant.gateways.returned(id),
      readDevice: (...given) => plant.gateways.readDevice(...given),
      series: telemetry.query.series,
      clock,
    }),
    of: { task: projectTask, row: projectTaskRow },
    isOwner: () => true,
    log: { warn: () => undefined },
    clock,
  })
})
afterAll(async () => {
  await runner.stop()
  await telemetry.close()
  await plant.close()
  await folder.remove()
})

const data = <T>(method: string, at: string, body?: unknown, as = 'owner') => plant.kit.data<T>(as, method, at, body)
const check = async (given: object) => {
  const { Id } = await data<Task>('POST', path, { TaskName: 'Check', Kind: 3, StopAfter: 1000, ...given })
  const task = await vi.waitFor(async () => {
    const now = await data<Task>('GET', `${path}?Id=${Id}`)
    expect(now.Status).toBeGreaterThan(2)
    return now
  })
  const { Items } = await data<Page<Checked>>('GET', `${path}/Check/List?TaskId=${Id}&OrderColumn=Id&OrderType=asc&PageSize=100`)
  const rows = await data<Page<{ Status: number; Reason: string | null }>>('GET', `${path}/Row/List?TaskId=${Id}`)
  return { task, points: Items, rows: rows.Items }
}
/** A gateway that accepts pushes and reads as the test specifies. */
const connect = async (of: Awaited<ReturnType<Plant['equip']>>, read: (id: number) => { Value: number | null; Quality: number }) => {
  const asked: number[] = []
  const { report } = await plant.connect(of, (kind, { Data }) => {
    if (kind !== 'read') return { Code: 0, Msg: '' }
    const { ParaIds } = Data as unknown as { ParaIds: number[] }
    asked.push(...ParaIds)
    return { Code: 0, Msg: '', Data: { Values: ParaIds.map((ParaId) => ({ ParaId, ...read(ParaId) })) } }
  })
  await report('state', { Online: 1 })
  await vi.waitFor(async () => expect(await plant.row(of.Id)).toMatchObject({ OnlineStatus: 1 }))
  await data('POST', '/Project/Protocol/OptionPush', { GatewayId: of.Id })
  return asked
}
/** Points without a range. */
const equip = (points: number) =>
  plant.equip(points, {
    ...{ SampleLow: null, SampleHigh: null, ProjectLow: null, ProjectHigh: null, AxisMin: null, AxisMax: null },
    ReadWriteType: 0,
  })
const change = (Id: number, fields: object) => data('PUT', '/Project/DevPara', { Id, ...fields })

test('a check reads each point once and says what is wrong with it', async () => {
  const g = await equip(7)
  const [fine, high, silent, refused, stuck, odd, hidden] = g.points as [number, number, number, number, number, number, number]
  await change(high, { AxisMin: 0, AxisMax: 10 })
  await change(hidden, { ReadWriteType: 2 })
  const readings = new Map<number, { Value: number | null; Quality: number }>([
    [fine, { Value: 5, Quality: 0 }],
    [high, { Value: 10.5, Quality: 0 }],
    [silent, { Value: null, Quality: 2 }],
    [refused, { Value: null, Quality: 3 }],
    [stuck, { Value: 7, Quality: 0 }],
    [odd, { Value: 1, Quality: 1 }],
  ])
  const asked = await connect(g, (id) => readings.get(id)!)
  const late = (await plant.create(point, { DeviceId: g.device, Address: '700', ParaName: 'late' })).Id
  const past = Array.from({ length: 25 }, (_, i) => plant.clock.now - (24 - i) * hour)
  const Items = past.map((T, i) => ({ D: g.device, T, V: { [stuck]: 7, [fine]: i } }))
  await telemetry.ingest.accept(g.SN, 'history', Buffer.from(JSON.stringify({ MsgId: 'past', Ts: 1, Data: { Items, Backfill: 1 } })))
  const { task, points, rows } = await check({ DeviceIds: [g.device] })
  expect(task).toMatchObject({ Status: 3, Done: 1 })
  expect(asked.toSorted((a, b) => a - b)).toEqual([fine, high, silent, refused, stuck, odd])
  expect(asked).not.toContain(late)
  expect(points.map((p) => p.Finding)).toEqual([
    finding.none,
    finding.outOfRange,
    finding.noAnswer,
    finding.refused,
    finding.unchanged,
    finding.uncertain,
    finding.notPushed,
  ])
  expect(points[1]).toMatchObject({ Value: 10.5, RangeLow: 0, RangeHigh: 10 })
  expect(points[6]).toMatchObject({ ParaName: 'late', Value: null, ReadTime: null })
  expect(rows).toMatchObject([{ Status: 3, Reason: expect.stringMatching(/7\D+6$/) }])
})

test('all devices of a project are checked; one whose gateway is offline fails with its reason', async () => {
  const [on, off] = [await equip(60), await equip(1)]
  const { ProjectId } = (await plant.row(on.Id)) as { ProjectId: number }
  await data('PUT', '/Project/Gateway', { Id: off.Id, ProjectId })
  await connect(on, (id) => ({ Value: id, Quality: 0 }))
  const { task, points, rows } = await check({ ProjectId })
  expect(task).toMatchObject({ Status: 4, Done: 1, Failed: 1 })
  expect(points).toHaveLength(60)
  expect(points.every((p) => p.Finding === finding.none)).toBe(true)
  expect(rows.find((row) => row.Status === 4)!.Reason).toContain('GatewayName')
  const empty = await plant.kit.call('owner', 'POST', path, {
    TaskName: 'None',
    Kind: 3,
    ProjectId: (await data<{ Id: number }>('POST', '/Project/Project', { ProjectName: 'Nothing here' })).Id,
  })
  expect(empty.Details).toMatchObject({ Fields: { ProjectId: [expect.stringMatching(/no devices|没有设备/)] } })
})

test('narrowed people see the points of their own checks only, and the newest 50 reports are kept', async () => {
  const g = await equip(1)
  await connect(g, () => ({ Value: 1, Quality: 0 }))
  const { ProjectId } = (await plant.row(g.Id)) as { ProjectId: number }
  await plant.kit.person('district', plant.kit.enterprises.ours, { projects: [ProjectId] })
  const { task, points } = await check({ DeviceIds: [g.device] })
  expect(points).toHaveLength(1)
  expect((await data<Page<Checked>>('GET', `${path}/Check/List?TaskId=${task.Id}`, undefined, 'district')).Items).toEqual([])
  expect((await plant.kit.call('stranger', 'POST', path, { TaskName: 'x', Kind: 3, ProjectId })).StatusCode).toBe(404)
  await plant.kit.db.rows(sql`
    insert into project_task ("EnterpriseId", "TaskName", "Kind", "Status") select "EnterpriseId", 'Older', 3, 3 from project_task, generate_series(1, 50) where "Id" = ${task.Id}`)
  await data('POST', path, { TaskName: 'Newest', Kind: 3, DeviceIds: [g.device], PlannedTime: '2099-01-01 00:00:00' })
  expect((await data<Page<Checked>>('GET', `${path}/Check/List?TaskId=${task.Id}`)).Items).toEqual([])
})
