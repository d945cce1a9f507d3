import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { gateway } from '../../gateways/contract.ts'
import { type Plant, startPlant } from '../../gateways/server/harness.ts'
import { projectTask, projectTaskRow } from '../contract.ts'
import { kindsOf } from './kinds.ts'
import { taskRoutes } from './routes.ts'
import { startTaskRunner } from './runner.ts'
import { pushMany } from './service.ts'

const path = '/Project/ProjectTask'
type Task = { Id: number; Status: number; StopReason: number | null; Done: number; Failed: number; Total: number }
type Row = { Target: string; Status: number; Reason: string | null; GatewayId: number }

let plant: Plant
let runner: ReturnType<typeof startTaskRunner>
const startRunner = () =>
  startTaskRunner({
    database: plant.kit.database,
    sessions: plant.kit.sessions,
    kinds: kindsOf({
      push: (...given) => plant.gateways.push(...given),
      returned: (id) => plant.gateways.returned(id),
      readDevice: (...given) => plant.gateways.readDevice(...given),
      series: async () => Promise.reject(new Error('No history here')),
      clock: () => plant.clock.now,
    }),
    of: { task: projectTask, row: projectTaskRow },
    isOwner: () => true,
    log: { warn: () => undefined },
    clock: () => plant.clock.now,
  })
beforeAll(async () => {
  plant = await startPlant({ pushMany, routes: [taskRoutes] })
  runner = startRunner()
})
afterAll(async () => {
  await runner.stop()
  await plant.close()
})

const data = <T>(method: string, at: string, body?: unknown, as = 'owner') => plant.kit.data<T>(as, method, at, body)
const find = (id: number) => data<Task>('GET', `${path}?Id=${id}`)
const rowsOf = async (id: number) => (await data<Page<Row>>('GET', `${path}/Row/List?TaskId=${id}&OrderColumn=Id&OrderType=asc`)).Items
const becomes = (id: number, values: Partial<Task>) =>
  vi.waitFor(async () => expect(await find(id)).toMatchObject(values), { interval: 20 })
const pushAll = async (GatewayIds: number[], more: object = {}, as = 'owner') =>
  (await data<{ Data: { TaskId: number } }>('POST', '/Project/Protocol/OptionPush', { GatewayIds, ...more }, as)).Data.TaskId
/** Gateways that answer a push; the pushes of each are counted. */
const fleet = async (count: number, answer: (n: number) => object | Promise<object> = () => ({ Code: 0, Msg: '' })) => {
  const pushes: number[] = []
  const ids: number[] = []
  for (let n = 0; n < count; n++) {
    const g = await plant.equip(1)
    await plant.connect(g, () => {
      pushes.push(g.Id)
      return answer(n)
    })
    ids.push(g.Id)
  }
  return { ids, pushes }
}

test('many gateways are pushed by a task: the first alone, then several at the same time, each once', async () => {
  let most = 0
  let now = 0
  const first = Promise.withResolvers<void>()
  const { ids, pushes } = await fleet(5, async (n) => {
    most = Math.max(most, ++now)
    if (n === 0) await first.promise
    else await vi.waitFor(() => expect(now).toBe(4))
    if (n === 0) now--
    return { Code: 0, Msg: '' }
  })
  const id = await pushAll(ids)
  await becomes(id, { Status: 1, Total: 5 })
  await vi.waitFor(() => expect(pushes).toEqual([ids[0]]))
  first.resolve()
  await becomes(id, { Status: 3, Done: 5, Failed: 0 })
  expect(most).toBe(4)
  expect(pushes.toSorted()).toEqual(ids.toSorted())
  expect((await rowsOf(id)).map((row) => [row.GatewayId, row.Status])).toEqual(ids.map((gatewayId) => [gatewayId, 3]))
  expect(await plant.row(ids[4]!)).toMatchObject({ ConfigStatus: 0, ConfigVersion: 1 })
})

test('an administrator of the platform pushes the gateways of a company', async () => {
  const { ids } = await fleet(1)
  const id = await pushAll(ids, {}, 'platform')
  await becomes(id, { Status: 3, Done: 1 })
})

test('a refusal pauses the task and names its reason; the failed row is retried, and the rest follows', async () => {
  let code = 15
  const { ids, pushes } = await fleet(3, (n) => ({ Code: n === 0 ? code : 0, Msg: '' }))
  const id = await pushAll(ids)
  await becomes(id, { Status: 2, StopReason: 1, Done: 0, Failed: 1 })
  expect(pushes).toEqual([ids[0]])
  const [failed] = await rowsOf(id)
  expect(failed).toMatchObject({ Status: 4, Reason: expect.stringMatching(/configuration/i) })
  code = 0
  await data('POST', `${path}/Retry`, { Id: id })
  await becomes(id, { Status: 3, Done: 3, Failed: 0 })
  expect((await plant.kit.call('owner', 'POST', `${path}/Retry`, { Id: id })).Details).toMatchObject({ Fault: 'wrongState' })
})

test('a task that is resumed after a failure goes on, and ends with errors', async () => {
  const { ids } = await fleet(3, (n) => ({ Code: n === 0 ? 15 : 0, Msg: '' }))
  const id = await pushAll(ids)
  await becomes(id, { Status: 2 })
  await data('POST', `${path}/Resume`, { Id: id })
  await becomes(id, { Status: 4, Done: 2, Failed: 1 })
})

test('a task waits for its time, pauses at the end of its window, and runs nothing after it is cancelled', async () => {
  const { ids, pushes } = await fleet(2)
  const at = (minutes: number) => new Date(plant.clock.now + minutes * 60_000).toISOString().slice(0, 19).replace('T', ' ')
  const id = await pushAll(ids, { PlannedTime: at(10), UntilTime: at(20) })
  await runner.settle()
  expect(await find(id)).toMatchObject({ Status: 0 })
  plant.clock.now += 21 * 60_000
  await runner.settle()
  expect(await find(id)).toMatchObject({ Status: 2, StopReason: 2 })
  await data('POST', `${path}/Cancel`, { Id: id })
  await runner.settle()
  expect(await find(id)).toMatchObject({ Status: 5, StopReason: null })
  expect((await rowsOf(id)).map((row) => row.Status)).toEqual([5, 5])
  expect(pushes).toEqual([])
  await data('DELETE', path, { Id: id })
  expect(await rowsOf(id)).toEqual([])
})

test('rights that end before a row runs end the row, with the reason', async () => {
  const { ids, pushes } = await fleet(3)
  await plant.kit.person('clerk', plant.kit.enterprises.ours)
  const id = await pushAll(ids, { PlannedTime: '2099-01-01 00:00:00', StopAfter: 9 }, 'clerk')
  const role = (change: ReturnType<typeof sql>) => plant.kit.db.rows(sql`update role set ${change} where "RoleName" = 'clerk'`)
  const release = (one: number) =>
    plant.kit.db.rows(sql`
      update project_task_row set "Status" = case when "GatewayId" = ${one} then 0 else 5 end where "TaskId" = ${id}`)
  const runOne = async (one: number) => {
    await release(one)
    await plant.kit.db.rows(sql`update project_task set "Status" = 0, "PlannedTime" = null, "FailedBefore" = 0 where "Id" = ${id}`)
    await runner.settle()
    return (await rowsOf(id)).find((row) => row.GatewayId === one)
  }
  const { ProjectId } = (await plant.row(ids[0]!)) as { ProjectId: number }
  await role(sql`"ProjectIds" = '{}'`)
  expect(await runOne(ids[0]!)).toMatchObject({ Status: 4, Reason: expect.stringMatching(/not found|no longer exists|does not exist/i) })
  await role(sql`"ProjectIds" = array[${ProjectId}]::bigint[], "MenuCodes" = array_remove("MenuCodes", 'm10102.push')`)
  expect(await runOne(ids[1]!)).toMatchObject({ Status: 4, Reason: expect.stringContaining('no longer has the right') })
  await plant.kit.db.rows(sql`update "user" set "IsLock" = 1 where "UserNO" = 'clerk'`)
  expect(await runOne(ids[2]!)).toMatchObject({ Status: 4, Reason: expect.stringContaining('can no longer sign in') })
  expect(pushes).toEqual([])
})

test('a task starts only with targets that the caller sees, and shows narrowed people their own tasks', async () => {
  const { ids } = await fleet(1)
  const { ProjectId } = (await plant.row(ids[0]!)) as { ProjectId: number }
  await plant.kit.person('branch', plant.kit.enterprises.ours, { projects: [ProjectId] })
  const id = await pushAll(ids, { PlannedTime: '2099-01-01 00:00:00' })
  const refused = (as: string, given: object) => plant.kit.call(as, 'POST', '/Project/Protocol/OptionPush', given)
  expect((await refused('stranger', { GatewayIds: ids })).StatusCode).toBe(404)
  expect((await refused('viewer', { GatewayIds: ids })).StatusCode).toBe(403)
  expect((await refused('owner', { GatewayId: ids[0], GatewayIds: ids })).Details).toMatchObject({
    Fields: { GatewayIds: expect.anything() },
  })
  expect((await refused('owner', {})).Details).toMatchObject({ Fields: { GatewayId: expect.anything() } })
  for (const as of ['branch', 'stranger']) {
    for (const name of ['Resume', 'Pause', 'Cancel', 'Retry'])
      expect((await plant.kit.call(as, 'POST', `${path}/${name}`, { Id: id })).StatusCode).toBe(404)
    expect((await plant.kit.call(as, 'PUT', path, { Id: id, TaskName: 'mine' })).StatusCode).toBe(404)
    expect((await plant.kit.call(as, 'DELETE', path, { Id: id })).StatusCode).toBe(404)
    expect((await plant.kit.data<Page<Task>>(as, 'GET', `${path}/List`)).Items).toEqual([])
    expect((await plant.kit.data<Page<Row>>(as, 'GET', `${path}/Row/List?TaskId=${id}`)).Items).toEqual([])
  }
  const own = await pushAll(ids, { PlannedTime: '2099-01-01 00:00:00' }, 'branch')
  expect((await plant.kit.data<Page<Task>>('branch', 'POST', `${path}/List`, {})).Items.map((task) => task.Id)).toEqual([own])
})

test('only a person with the right to the work lets a task run: by resuming, retrying or changing it', async () => {
  const { ids, pushes } = await fleet(2, () => ({ Code: 15, Msg: '' }))
  await plant.kit.person('helper', plant.kit.enterprises.ours)
  await plant.kit.db.rows(sql`update role set "MenuCodes" = array_remove("MenuCodes", 'm10102.push') where "RoleName" = 'helper'`)
  const id = await pushAll(ids)
  await becomes(id, { Status: 2, Failed: 1 })
  const ask = (method: string, at: string, more: object = {}) => plant.kit.call('helper', method, path + at, { Id: id, ...more })
  for (const [method, at, more] of [
    ['POST', '/Resume'],
    ['POST', '/Retry'],
    ['PUT', '', { StopAfter: 9, PlannedTime: null }],
  ] as const)
    expect(await ask(method, at, more)).toMatchObject({ StatusCode: 403, Details: { Fault: 'forbidden' } })
  expect(await ask('POST', '/Cancel')).toMatchObject({ Succeeded: true })
  expect(pushes).toEqual([ids[0]])
})

test('a model is applied to devices by a task, each in a transaction; a removed device fails alone', async () => {
  const model = await data<{ Id: number }>('POST', '/ProModel/ProModel', { ModelName: 'Task pump' })
  await data('POST', '/ProModel/ModelPara', { ModelId: model.Id, ParaName: 'speed', Address: '900' })
  await data('POST', '/ProModel/ProModel/Publish', { Id: model.Id })
  const [one, other] = [await plant.equip(0), await plant.equip(0)]
  const draft = { TaskName: 'Apply', Kind: 2, ModelId: model.Id, DeviceIds: [other.device, one.device], StopAfter: 5 }
  const { Id } = await data<Task>('POST', path, { ...draft, PlannedTime: '2099-01-01 00:00:00' })
  await data('DELETE', '/Project/Device', { Id: other.device })
  await data('PUT', path, { Id, PlannedTime: null })
  await becomes(Id, { Status: 4, Done: 1, Failed: 1 })
  const points = await plant.kit.db.rows<{ ParaName: string }>(sql`select "ParaName" from point where "DeviceId" = ${one.device}`)
  expect(points).toEqual([{ ParaName: 'speed' }])
})

test('a change of a model reaches three gateways: one refuses row 17 by name, two run it, and the third does once it is mended', async () => {
  const model = await data<{ Id: number }>('POST', '/ProModel/ProModel', { ModelName: 'Three stations' })
  const cells = (Rows: object[]) => data('POST', '/ProModel/ModelPara/Cells', { ModelId: model.Id, Rows })
  await cells(Array.from({ length: 20 }, (_, i) => ({ ParaName: `Point ${i + 1}`, Address: String(i * 2) })))
  let isMended = false
  const Detail = [{ Row: 17, ParaName: 'Point 17', Field: 'ProjectHigh', Reason: 'beyond the scale of this device' }]
  const stations: { Id: number; device: number }[] = []
  for (const n of [0, 1, 2]) {
    const g = await plant.equip(0)
    const refusal = { Code: 10, Msg: 'point parameter error', Data: { Detail } }
    await plant.connect(g, () => (n === 2 && !isMended ? refusal : { Code: 0, Msg: '' }))
    stations.push(g)
  }
  const DeviceIds = stations.map((g) => g.device)
  const apply = (Preview: 0 | 1) =>
    data<{ Devices: { Added: number; Changed: number }[] }>('POST', '/ProModel/ProModel/Apply', { ModelId: model.Id, DeviceIds, Preview })
  const publish = () => data('POST', '/ProModel/ProModel/Publish', { Id: model.Id })
  await publish()
  await apply(0)
  const rows = (await data<Page<{ Id: number; ParaName: string }>>('GET', `/ProModel/ModelPara/List?ModelId=${model.Id}&PageSize=100`))
    .Items
  const scaled = rows.find((row) => row.ParaName === 'Point 17')!
  await cells([{ Id: scaled.Id, AlarmHigh: 9, SampleLow: 0, SampleHigh: 1000, ProjectLow: 0, ProjectHigh: 10 }])
  await publish()
  const preview = await apply(1)
  expect(preview.Devices).toMatchObject(Array(3).fill({ Added: 0, Changed: 1 }))
  expect(await apply(0)).toEqual(preview)
  const id = await pushAll(
    stations.map((g) => g.Id),
    { StopAfter: 3 },
  )
  await becomes(id, { Status: 4, Done: 2, Failed: 1 })
  expect((await rowsOf(id))[2]).toMatchObject({ Status: 4, Reason: expect.stringContaining('17 Point 17 beyond the scale of this device') })
  const states = async () => Promise.all(stations.map(async (g) => (await plant.row(g.Id)).ConfigStatus))
  expect(await states()).toEqual([0, 0, 3])
  isMended = true
  await data('POST', `${path}/Retry`, { Id: id })
  await becomes(id, { Status: 3, Done: 3, Failed: 0 })
  expect(await states()).toEqual([0, 0, 0])
})

test('a restarted runner continues at the first undone row and pushes no gateway twice', async () => {
  const stuck = Promise.withResolvers<object>()
  const { ids, pushes } = await fleet(3, (n) => (n === 1 ? stuck.promise : { Code: 0, Msg: '' }))
  const id = await pushAll(ids)
  await vi.waitFor(() => expect(pushes).toContain(ids[1]))
  // As after a crash: the gateway accepted the push, and its row was not written.
  const stopping = runner.stop()
  stuck.resolve({ Code: 0, Msg: '' })
  await stopping
  await plant.kit.db.rows(sql`update project_task_row set "Status" = 1 where "TaskId" = ${id} and "GatewayId" = ${ids[1]}`)
  await plant.kit.db.rows(sql`update project_task set "Status" = 1 where "Id" = ${id}`)
  runner = startRunner()
  await becomes(id, { Status: 3, Done: 3 })
  expect(pushes.toSorted()).toEqual(ids.toSorted())
  expect(
    await plant.kit.db.rows(sql`select 1 from ${sql.table(gateway.name)} where "Id" = ${ids[1]} and "ConfigVersion" = 1`),
  ).toHaveLength(1)
})

test('a row that fails for a reason of the server’s own names the task, as the log does', async () => {
  const g = await plant.equip(1)
  const Values = [{ ParaId: g.points[0], Value: 1, Quality: 0 }]
  await plant.connect(g, (kind) => ({ Code: 0, Msg: '', ...(kind === 'config' ? {} : { Data: { Values } }) }))
  await becomes(await pushAll([g.Id]), { Status: 3 })
  await vi.waitFor(async () => expect(await plant.row(g.Id)).toMatchObject({ OnlineStatus: 1 }), { timeout: 60_000 })
  const { Id } = await data<Task>('POST', path, { TaskName: 'Check', Kind: 3, DeviceIds: [g.device] })
  await becomes(Id, { Status: 4 })
  expect((await rowsOf(Id))[0]!.Reason).toMatch(new RegExp(`\\b${Id}\\b[^{]*$`))
})
