import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { until } from '../../../../tests/house.ts'
import { device } from '../../devices/contract.ts'
import { gateway } from '../../gateways/contract.ts'
import { point } from '../../points/contract.ts'
import { projectTask, projectTaskRow } from '../contract.ts'
import { kindsOf } from './kinds.ts'
import { taskRoutes } from './routes.ts'
import { startTaskRunner } from './runner.ts'

type Values = Record<string, unknown> & { Id: number }
type Task = Values & { Status: number; Done: number; Failed: number; Total: number }
type Line = Values & { Target: string; Status: number; Reason: string | null }

const path = projectTask.path
const never = async () => Promise.reject(new Error('No gateway here'))
let kit: Kit
let runner: ReturnType<typeof startTaskRunner> | undefined
let make: ReturnType<typeof maker>
const clock = Date.now
const startRunner = () => {
  runner = startTaskRunner({
    ...{ database: kit.database, sessions: kit.sessions, of: { task: projectTask, row: projectTaskRow } },
    kinds: kindsOf({ push: never, returned: never, readDevice: never, series: never, clock }),
    ...{ isOwner: () => true, log: { warn: () => undefined }, clock },
  })
}
const stopRunner = async () => {
  await runner?.stop()
  runner = undefined
}
beforeAll(async () => {
  kit = await startKit({ areas: () => [taskRoutes] })
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

const upload = (as: string, at: string, lines: string[]) => {
  const head = '--sheet\r\nContent-Disposition: form-data; name="file"; filename="list.csv"\r\n\r\n'
  const body = Buffer.from(`${head}${lines.join('\r\n')}\r\n--sheet--\r\n`)
  const headers = { 'content-type': 'multipart/form-data; boundary=sheet' }
  return kit.call<{ TaskId?: number; Added: number }>(as, 'POST', at, body, headers)
}
const pointLines = (count: number) => ['ParaName,Address', ...Array.from({ length: count }, (_, i) => `Row ${i},${1000 + i}`)]
/** A gateway with one device. */
const plant = async () => {
  const { Id } = await make.create(gateway)
  const pump = await make.create(device, { GatewayId: Id, DeviceName: 'Pump', SlaveNumber: 1, ModelId: null })
  return { box: Id, pump: pump.Id }
}
const sheetsKept = async (TaskId: number) =>
  (await kit.db.rows(sql`select 1 from project_task_row where "TaskId" = ${TaskId} and "Given" is not null`)).length

it('a long sheet of points is imported as a task in parts, each once, also by a new process', async () => {
  const { pump } = await plant()
  const sheet = pointLines(1200)
  const at = `${point.path}/Import?DeviceId=${pump}`
  expect((await upload('owner', `${at}&Preview=1&AsTask=1`, sheet)).Data).toMatchObject({ Added: 1200 })
  const { Data } = await upload('owner', `${at}&AsTask=1`, sheet)
  expect(await listed(point.path, `DeviceId=${pump}`)).toEqual([])
  startRunner()
  await until('the first part', async () => (await find(Data.TaskId!)).Done > 0)
  await stopRunner()
  startRunner()
  expect(await ended(Data.TaskId!)).toMatchObject({ Kind: 6, Status: 3, Done: 3, Total: 3 })
  expect((await rowsOf(Data.TaskId!)).map((row) => [row.Target, row.Reason])).toEqual([
    ['Rows 2 to 501', 'Added: 500, updated: 0, unchanged: 0'],
    ['Rows 502 to 1001', 'Added: 500, updated: 0, unchanged: 0'],
    ['Rows 1002 to 1201', 'Added: 200, updated: 0, unchanged: 0'],
  ])
  expect((await kit.data<Page<Values>>('owner', 'GET', `${point.path}/List?DeviceId=${pump}&PageSize=1`)).TotalCount).toBe(1200)
  expect(await sheetsKept(Data.TaskId!)).toBe(0)
  const again = await upload('owner', `${at}&AsTask=1`, sheet)
  expect((await ended(again.Data.TaskId!)).Done).toBe(3)
  expect((await rowsOf(again.Data.TaskId!))[0]!.Reason).toBe('Added: 0, updated: 0, unchanged: 500')
})

it('a part with an error fails alone with the row and column, and is retried', async () => {
  const { box, pump } = await plant()
  const sheet = pointLines(700)
  const { Data } = await upload('owner', `${point.path}/Import?DeviceId=${pump}&AsTask=1&PlannedTime=2099-01-01%2000:00:00`, sheet)
  const rule = sql`update enterprise set "MaxPoints" = `
  const [{ n }] = (await kit.db.rows<{ n: number }>(
    sql`select count(*)::int as n from point where "EnterpriseId" = ${kit.enterprises.ours}`,
  )) as [{ n: number }]
  await kit.db.rows(sql`${rule} ${n + 600} where "Id" = ${kit.enterprises.ours}`)
  await kit.data('owner', 'PUT', path, { Id: Data.TaskId, PlannedTime: null })
  startRunner()
  expect(await ended(Data.TaskId!)).toMatchObject({ Status: 4, Done: 1, Failed: 1 })
  await kit.db.rows(sql`${rule} null where "Id" = ${kit.enterprises.ours}`)
  await kit.data('owner', 'POST', `${path}/Retry`, { Id: Data.TaskId })
  expect(await ended(Data.TaskId!)).toMatchObject({ Status: 3, Done: 2 })
  const crossed = ['ParaName,Address,AlarmLow,AlarmHigh', 'Fine,7000,1,9', 'Crossed,7001,9,1']
  const refused = await upload('owner', `${point.path}/Import?DeviceId=${pump}&AsTask=1`, crossed)
  expect(await ended(refused.Data.TaskId!)).toMatchObject({ Status: 4, Failed: 1 })
  expect((await rowsOf(refused.Data.TaskId!))[0]!.Reason).toMatch(/^3 .*:/)
  const wrong = await upload('owner', `${device.path}/Import?GatewayId=${box}&AsTask=1`, ['DeviceName,SlaveNumber', 'A,1', 'A,2', 'B,999'])
  expect(wrong).toMatchObject({ StatusCode: 400, Details: { Fault: 'sheetRows' } })
})

it('devices are imported as a task with the rights of then, and few imports wait', async () => {
  const { box } = await plant()
  const at = `${device.path}/Import?GatewayId=${box}&AsTask=1&PlannedTime=2099-01-01%2000:00:00`
  const sheet = ['DeviceName,SlaveNumber', 'Valve 1,5', 'Valve 2,6']
  expect((await upload('stranger', at, sheet)).StatusCode).toBe(404)
  expect((await upload('viewer', at, sheet)).StatusCode).toBe(403)
  await kit.person('importer', kit.enterprises.ours)
  const { Data } = await upload('importer', at, sheet)
  const run = async () => {
    await kit.data('owner', 'PUT', path, { Id: Data.TaskId, PlannedTime: null })
    startRunner()
    const task = await ended(Data.TaskId!)
    await stopRunner()
    return task
  }
  const rights = (change: ReturnType<typeof sql>) => kit.db.rows(sql`update role set "MenuCodes" = ${change} where "RoleName" = 'importer'`)
  await rights(sql`array_remove("MenuCodes", 'm10103.add')`)
  expect(await run()).toMatchObject({ Kind: 7, Status: 4, Failed: 1 })
  expect(await listed(device.path, `GatewayId=${box}`)).toHaveLength(1)
  await rights(sql`"MenuCodes" || '{m10103.add}'::text[]`)
  await kit.data('owner', 'POST', `${path}/Retry`, { Id: Data.TaskId })
  expect(await run()).toMatchObject({ Status: 3, Done: 1 })
  expect((await listed(device.path, `GatewayId=${box}`)).map((d) => d.SlaveNumber).sort()).toEqual([1, 5, 6])
  for (let i = 0; i < 10; i++) expect((await upload('owner', at, sheet)).StatusCode).toBe(200)
  expect((await upload('owner', at, sheet)).Details).toMatchObject({ Fields: { AsTask: [expect.stringContaining('10')] } })
  for (const task of await listed(path, 'Kind=7&Status=0')) await kit.data('owner', 'POST', `${path}/Cancel`, { Id: task.Id })
  const last = await upload('owner', at, sheet)
  expect(last.StatusCode).toBe(200)
  const kept = await kit.db.rows<{ TaskId: number }>(
    sql`select distinct "TaskId" from project_task_row r join project_task t on t."Id" = r."TaskId" where r."Given" is not null and t."Kind" = 7`,
  )
  expect(kept).toEqual([{ TaskId: last.Data.TaskId }])
})
