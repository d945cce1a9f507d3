import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { emptyScene } from '../../../../contract/picture/scene.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { until } from '../../../../tests/house.ts'
import { alarmRuleRoutes } from '../../../alarms/alarms/server/ruleRoutes.ts'
import { flowchartRoutes } from '../../../pictures/flowcharts/server/routes.ts'
import { netProtocol } from '../../channels/contract.ts'
import { device } from '../../devices/contract.ts'
import { gateway } from '../../gateways/contract.ts'
import { point } from '../../points/contract.ts'
import { project } from '../../projects/contract.ts'
import { projectTask, projectTaskRow } from '../contract.ts'
import { kindsOf } from './kinds.ts'
import { taskRoutes } from './routes.ts'
import { startTaskRunner } from './runner.ts'

type Values = Record<string, unknown> & { Id: number }
type Task = Values & { Status: number; Done: number; Failed: number; Total: number }
type Line = Values & { Target: string; Status: number; Reason: string | null; DeviceId: number | null }

const path = projectTask.path
const copyPath = `${project.path}/QProjectCopyGatewayAndDevices`
const never = async () => Promise.reject(new Error('No gateway here'))
let kit: Kit
let runner: ReturnType<typeof startTaskRunner> | undefined
let make: ReturnType<typeof maker>
const now = Date.now()
const startRunner = () => {
  runner = startTaskRunner({
    ...{ database: kit.database, sessions: kit.sessions, of: { task: projectTask, row: projectTaskRow } },
    kinds: kindsOf({ push: never, returned: never, readDevice: never, series: never, clock: () => now }),
    ...{ isOwner: () => true, log: { warn: () => undefined }, clock: () => now },
  })
}
const stopRunner = async () => {
  await runner?.stop()
  runner = undefined
}
beforeAll(async () => {
  kit = await startKit({
    areas: () => [
      taskRoutes,
      (api) => flowchartRoutes(api, { latest: new Map(), clock: () => now } as never),
      (api) => alarmRuleRoutes(api, { clock: () => now } as never),
    ],
  })
  make = maker(kit)
})
afterEach(stopRunner)
afterAll(() => kit.close())

const find = (Id: number) => kit.data<Task>('owner', 'GET', `${path}?Id=${Id}`)
const ended = (Id: number) =>
  until('the end of the task', async () => {
    const task = await find(Id)
    return task.Status >= 2 ? task : undefined
  })
const rowsOf = async (TaskId: number) =>
  (await kit.data<Page<Line>>('owner', 'GET', `${path}/Row/List?TaskId=${TaskId}&PageSize=1000&OrderColumn=Id&OrderType=asc`)).Items
const listed = async (base: string, query: string) => (await kit.data<Page<Values>>('owner', 'GET', `${base}/List?${query}`)).Items

let sites = 0
/** A project with gateways that have a setting, a channel, a device and two points each. */
const plant = async (count: number) => {
  const site = await make.create(project, { ProjectName: `Site ${++sites}` })
  const boxes: number[] = []
  for (let i = 1; i <= count; i++) {
    const { Id } = await make.create(gateway, { ProjectId: site.Id, GatewayName: `Box ${i}`, GatewayTypeId: 1, GatewaySubTypeId: 1 })
    const line = await make.create(netProtocol, { GatewayId: Id, ProtocolName: 'Line' })
    const on = { CommType: 0, NetProtocolId: line.Id, SerialProtocolId: null, ModelId: null } as const
    const pump = await make.create(device, { GatewayId: Id, DeviceName: 'Pump', ...on })
    for (const Address of ['1', '2']) await make.create(point, { DeviceId: pump.Id, ParaName: `P${Address}`, Address })
    await kit.db.rows(sql`
      insert into gateway_para ("EnterpriseId", "GatewayId", "ParaCode", "ParaValue") values (${kit.enterprises.ours}, ${Id}, 'BackfillRate', '7')`)
    boxes.push(Id)
  }
  return { site: site.Id, boxes }
}
const numbers = (boxes: readonly number[]) => boxes.map((Id) => ({ Id, SN: `COPYTASK${String(Id).padStart(6, '0')}` }))
const copy = (body: object, as = 'owner') => kit.call<{ Id: number; TaskId: number }>(as, 'POST', copyPath, { AsTask: 1, ...body })
const contents = async (ProjectId: number) =>
  (
    await kit.db.rows<{ SN: string; Channels: number; Devices: number; Points: number; Settings: string }>(sql`
    select g."SN", (select count(*)::int from net_protocol where "GatewayId" = g."Id") as "Channels",
      (select count(*)::int from device where "GatewayId" = g."Id") as "Devices",
      (select count(*)::int from point p join device d on d."Id" = p."DeviceId" where d."GatewayId" = g."Id") as "Points",
      (select string_agg("ParaCode" || '=' || "ParaValue", ' ') from gateway_para where "GatewayId" = g."Id") as "Settings"
    from gateway g where g."ProjectId" = ${ProjectId} order by g."SN"`)
  ).map((row) => Object.values(row).join(' '))

it('a project is copied as a task: the project first, then each gateway once, also by a new process', async () => {
  const { site, boxes } = await plant(4)
  const given = numbers(boxes)
  const { Data } = await copy({ ProjectId: site, ProjectName: 'Copied site', Gateways: given })
  expect(Data).toMatchObject({ Gateways: 4 })
  expect(await contents(Data.Id)).toEqual([])
  startRunner()
  await until('the first gateway', async () => (await find(Data.TaskId)).Done > 0)
  await stopRunner()
  startRunner()
  expect(await ended(Data.TaskId)).toMatchObject({ Kind: 4, Status: 3, Done: 4, Failed: 0, Total: 4 })
  expect(await contents(Data.Id)).toEqual(given.map(({ SN }) => `${SN} 1 1 2 BackfillRate=7`))
  expect((await rowsOf(Data.TaskId)).map((row) => [row.Target, row.Reason])).toEqual(
    given.map(({ SN }, i) => [`Box ${i + 1} (${SN})`, expect.stringMatching(/2/)]),
  )
})

it('a gateway that cannot be copied fails alone with its reason, and is retried', async () => {
  const { site, boxes } = await plant(3)
  const given = numbers(boxes)
  const late = await copy({ ProjectId: site, ProjectName: 'Taken later', Gateways: given, PlannedTime: '2099-01-01 00:00:00' })
  const { Id } = await make.create(gateway, { SN: given[0]!.SN })
  await kit.data('owner', 'PUT', path, { Id: late.Data.TaskId, PlannedTime: null, StopAfter: 9 })
  startRunner()
  expect(await ended(late.Data.TaskId)).toMatchObject({ Status: 4, Done: 2, Failed: 1 })
  expect((await rowsOf(late.Data.TaskId))[0]).toMatchObject({ Status: 4, Reason: expect.stringMatching(/in use/) })
  await kit.data('owner', 'DELETE', gateway.path, { Id })
  await kit.data('owner', 'POST', `${path}/Retry`, { Id: late.Data.TaskId })
  expect(await ended(late.Data.TaskId)).toMatchObject({ Status: 3, Done: 3, Failed: 0 })
  expect(await contents(late.Data.Id)).toHaveLength(3)
})

it('the pictures and alarm rules of a copied project come last, and wait for every gateway', async () => {
  const { site, boxes } = await plant(2)
  const given = numbers(boxes)
  const [box] = await listed(device.path, `GatewayId=${boxes[1]}`)
  const [speed] = await listed(point.path, `DeviceId=${box!.Id}&ParaName=P1`)
  const charts = '/Project/Ddt/Flowchart'
  const drawn = await kit.data<{ Id: number }>('owner', 'POST', charts, { FlowchartName: 'Overview', ProjectId: site })
  const value = { kind: 'value', id: 'v', of: `#${speed!.Id}`, x: 0, y: 0, w: 80, h: 30, size: 16 }
  await kit.data('owner', 'POST', `${charts}/Save`, { Id: drawn.Id, Scene: { ...emptyScene(), items: [value] } })
  const condition = { TriggerStyle: 1, TriggerCondition: 1, OperateSymbol: 3, ParamValue: 5, AlarmParams: [{ ParaId: speed!.Id }] }
  const RuleConfigure = { LogicSymbol: 1, EnableType: 0, RuleList: [{ LogicSymbol: 1, Conditions: [condition] }] }
  await kit.data('owner', 'POST', '/Alarm/AlarmRule', { RuleName: 'Too fast', RuleConfigure })
  const { Data } = await copy({ ProjectId: site, ProjectName: 'Drawn site', Gateways: given, PlannedTime: '2099-01-01 00:00:00' })
  const { Id } = await make.create(gateway, { SN: given[1]!.SN })
  await kit.data('owner', 'PUT', path, { Id: Data.TaskId, PlannedTime: null, StopAfter: 9 })
  startRunner()
  expect(await ended(Data.TaskId)).toMatchObject({ Status: 4, Done: 1, Failed: 3, Total: 4 })
  const waits = { Reason: expect.stringMatching(/all gateways/) }
  expect((await rowsOf(Data.TaskId)).slice(2)).toMatchObject([
    { Target: 'Pictures (1)', ...waits },
    { Target: 'Alarm rules (1)', ...waits },
  ])
  expect(await listed(charts, `ProjectId=${Data.Id}`)).toEqual([])
  await kit.data('owner', 'DELETE', gateway.path, { Id })
  await kit.data('owner', 'POST', `${path}/Retry`, { Id: Data.TaskId })
  expect(await ended(Data.TaskId)).toMatchObject({ Status: 3, Done: 4, Failed: 0 })
  expect((await rowsOf(Data.TaskId)).slice(2)).toMatchObject([{ Reason: 'Pictures: 1' }, { Reason: 'Alarm rules: 1' }])
  expect(await listed('/Alarm/AlarmRule', `ProjectId=${Data.Id}`)).toMatchObject([{ RuleName: 'Too fast', Status: 0 }])
  expect(await listed(charts, `ProjectId=${Data.Id}`)).toMatchObject([{ FlowchartName: 'Overview', State: 0 }])
})

it('says of few serial numbers in an hour that another company has them', async () => {
  const { site, boxes } = await plant(33)
  const given = numbers(boxes)
  for (const { SN } of given)
    await kit.db.rows(sql`insert into gateway_sn ("EnterpriseId", "SN", "CodeHash") values (${kit.enterprises.theirs}, ${SN}, '')`)
  const { Data } = await copy({ ProjectId: site, ProjectName: 'Guessed', Gateways: given, PlannedTime: '2099-01-01 00:00:00' })
  await kit.data('owner', 'PUT', path, { Id: Data.TaskId, PlannedTime: null, StopAfter: 99 })
  startRunner()
  await ended(Data.TaskId)
  const reasons = Map.groupBy(await rowsOf(Data.TaskId), (row) => row.Reason)
  expect([...reasons].map(([reason, rows]) => [reason, rows.length])).toEqual([
    [expect.stringMatching(/in use/), 30],
    [expect.stringMatching(/Too many/), 3],
  ])
})

it('a copy as a task refuses what is wrong by field, writes nothing then, and needs both rights', async () => {
  const { site, boxes } = await plant(2)
  const [one, other] = numbers(boxes)
  const used = (await listed(gateway.path, `Id=${boxes[0]}&ProjectId=${site}`))[0]!.SN as string
  const fields = async (Gateways: unknown) =>
    Object.keys((await copy({ ProjectId: site, ProjectName: 'Wrong', Gateways })).Details?.Fields ?? {})
  expect(await fields([])).toEqual(['Gateways'])
  expect(await fields([one, { ...other, SN: one!.SN }])).toEqual(['Gateways.1.SN'])
  expect(await fields([one, { ...one, SN: 'COPYTASKX001' }])).toEqual(['Gateways.1.SN'])
  expect(await fields([{ ...one, SN: used }])).toEqual(['Gateways.0.SN'])
  const many = Array.from({ length: 101 }, (_, i) => ({ Id: i + 1, SN: `MANYCOPY${1000 + i}` }))
  expect((await copy({ ProjectId: site, ProjectName: 'Wrong', Gateways: many, AsTask: 0 })).Details).toMatchObject({
    Fields: { Gateways: [expect.stringContaining('100')] },
  })
  const body = { ProjectId: site, ProjectName: 'Wrong', Gateways: [one] }
  const theirs = await maker(kit, 'stranger').create(gateway)
  expect((await copy({ ...body, Gateways: [{ Id: theirs.Id, SN: one!.SN }] })).StatusCode).toBe(404)
  expect((await copy(body, 'stranger')).StatusCode).toBe(404)
  expect((await copy(body, 'viewer')).StatusCode).toBe(403)
  await kit.person('copier', kit.enterprises.ours)
  await kit.db.rows(sql`update role set "MenuCodes" = array_remove("MenuCodes", 'm10124.add') where "RoleName" = 'copier'`)
  expect((await copy(body, 'copier')).StatusCode).toBe(403)
  expect(await listed(project.path, 'ProjectName=Wrong')).toEqual([])
})

it('rights that end before a gateway is copied end the row, with the reason', async () => {
  const { site, boxes } = await plant(2)
  await kit.person('mover', kit.enterprises.ours)
  const { Data } = await copy(
    { ProjectId: site, ProjectName: 'Half', Gateways: numbers(boxes), PlannedTime: '2099-01-01 00:00:00' },
    'mover',
  )
  await kit.data('owner', 'PUT', path, { Id: Data.TaskId, PlannedTime: null, StopAfter: 9 })
  await kit.db.rows(sql`update role set "MenuCodes" = array_remove("MenuCodes", 'm10103.add') where "RoleName" = 'mover'`)
  startRunner()
  expect(await ended(Data.TaskId)).toMatchObject({ Status: 4, Failed: 2 })
  expect(await contents(Data.Id)).toEqual([])
})

const batch = (GatewayId: number, more: object = {}, as = 'owner') =>
  kit.call<{ TaskId: number; Devices: unknown[] }>(as, 'POST', `${device.path}/BatchAdd`, {
    ...{ GatewayId, NameRule: 'Fan {1..5}', SlaveNumber: 11, Step: 2, CommType: 0, AsTask: 1 },
    ...more,
  })
const modelWith = async (...names: string[]) => {
  const { Id } = await kit.data<Values>('owner', 'POST', '/ProModel/ProModel', { ModelName: `Fan ${++sites}` })
  for (const [i, ParaName] of names.entries())
    await kit.data('owner', 'POST', '/ProModel/ModelPara', { ModelId: Id, ParaName, Address: String(900 + i) })
  await kit.data('owner', 'POST', '/ProModel/ProModel/Publish', { Id })
  return Id
}

it('devices are added as a task, one after another with the points of their model; a name that is taken fails alone', async () => {
  const box = (await plant(1)).boxes[0]!
  const ModelId = await modelWith('speed', 'power')
  const { Data } = await batch(box, { ModelId, PlannedTime: '2099-01-01 00:00:00' })
  expect(Data.Devices).toHaveLength(5)
  expect(await listed(device.path, `GatewayId=${box}`)).toHaveLength(1)
  const taken = await make.create(device, { GatewayId: box, DeviceName: 'Fan 3', ModelId: null })
  await kit.data('owner', 'PUT', path, { Id: Data.TaskId, PlannedTime: null, StopAfter: 9 })
  startRunner()
  expect(await ended(Data.TaskId)).toMatchObject({ Kind: 5, Status: 4, Done: 4, Failed: 1 })
  expect((await rowsOf(Data.TaskId))[2]).toMatchObject({ Target: 'Fan 3', Status: 4, Reason: expect.stringMatching(/in use/) })
  await kit.data('owner', 'DELETE', device.path, { Id: taken.Id })
  await kit.data('owner', 'POST', `${path}/Retry`, { Id: Data.TaskId })
  expect(await ended(Data.TaskId)).toMatchObject({ Status: 3, Done: 5 })
  const rows = await rowsOf(Data.TaskId)
  const fans = (await listed(device.path, `GatewayId=${box}&DeviceName=Fan`)).toSorted(
    (a, b) => Number(a.SlaveNumber) - Number(b.SlaveNumber),
  )
  expect(fans.map((d) => [d.DeviceName, d.SlaveNumber, d.ModelVersion])).toEqual([1, 2, 3, 4, 5].map((n) => [`Fan ${n}`, 9 + 2 * n, 1]))
  expect(rows.map((row) => row.DeviceId)).toEqual(fans.map((d) => d.Id))
  for (const { Id } of fans) expect(await listed(point.path, `DeviceId=${Id}`)).toHaveLength(2)
})

it('a batch as a task refuses what a preview refuses, and writes nothing for people without the rights', async () => {
  const { boxes } = await plant(1)
  const box = boxes[0]!
  const before = (await kit.data<Page<Task>>('owner', 'GET', `${path}/List`)).TotalCount
  expect((await batch(box, { SlaveNumber: 250 })).Details).toMatchObject({ Fields: { Step: expect.anything() } })
  expect((await batch(box, { NameRule: 'Pump' })).StatusCode).toBe(400)
  expect((await batch(box, { NetProtocolId: 999_999 })).StatusCode).toBe(400)
  expect((await batch(box, {}, 'stranger')).StatusCode).toBe(404)
  expect((await batch(box, {}, 'viewer')).StatusCode).toBe(403)
  expect((await kit.data<Page<Task>>('owner', 'GET', `${path}/List`)).TotalCount).toBe(before)
  expect((await kit.call('owner', 'POST', path, { TaskName: 'Copy', Kind: 4, DeviceIds: [1] })).StatusCode).toBe(400)
})
