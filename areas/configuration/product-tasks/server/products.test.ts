import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { until } from '../../../../tests/house.ts'
import { alarmRuleRoutes } from '../../../alarms/alarms/server/ruleRoutes.ts'
import { flowchartRoutes } from '../../../pictures/flowcharts/server/routes.ts'
import { device as devices } from '../../devices/contract.ts'
import { gateway as gateways } from '../../gateways/contract.ts'
import { point as points } from '../../points/contract.ts'
import { fewTaken, startTaskRunner } from '../../tasks/server/service.ts'
import { isNameRule, nameOf } from '../contract.ts'
import { productKind } from './products.ts'
import { productTables, productTaskRoutes } from './start.ts'

type Row = Record<string, unknown> & { Id: number }
type Task = Row & { Status: number; Done: number; Failed: number; Total: number }
type Added = { Id: number; Total: number; Bad: { Line: number; SN: string; Reason: string }[]; Names: string[]; Points: number }

const path = '/V3/Product/ProductTask'
let kit: Kit
let runner: ReturnType<typeof startTaskRunner> | undefined
let template: { project: number; gateway: number }
let series: Row

let now = Date.now()
const startRunner = () => {
  runner = startTaskRunner({
    ...{ database: kit.database, sessions: kit.sessions, kinds: { 1: fewTaken(productKind, () => now) }, of: productTables },
    ...{ isOwner: () => true, log: { warn: () => undefined }, clock: Date.now },
  })
}
beforeEach(async () => {
  kit = await startKit({
    areas: () => [
      productTaskRoutes,
      (api) => flowchartRoutes(api, { latest: new Map(), clock: Date.now } as never),
      (api) => alarmRuleRoutes(api, { clock: Date.now } as never),
    ],
  })
  const make = maker(kit)
  const create = (r: Parameters<typeof make.create>[0], given: object) => make.create(r, given as never) as unknown as Promise<Row>
  const gateway = await create(gateways, { SN: 'TEMPLATE0001' })
  template = { project: gateway.ProjectId as number, gateway: gateway.Id }
  const device = await create(devices, { GatewayId: gateway.Id })
  for (const Address of ['0', '2']) await create(points, { DeviceId: device.Id, Address })
  series = await kit.data<Row>('owner', 'POST', '/Product/ProProductSeries', { SeriesName: 'Mixer', TemplateProjectId: template.project })
})
afterEach(async () => {
  await runner?.stop()
  runner = undefined
  await kit.close()
})

const numbers = (count: number, start = 1) => Array.from({ length: count }, (_, i) => `MIXER${String(start + i).padStart(6, '0')}`)
const add = (SNs: string[], more: object = {}, as = 'owner') =>
  kit.call<Added>(as, 'POST', `${path}/ProBatchAddProductTask`, { SeriesId: series.Id, NameRule: '{Series}-{SN:last4}', SNs, ...more })
const find = (Id: number) => kit.data<Task>('owner', 'GET', `${path}?Id=${Id}`)
const ended = (Id: number) =>
  until('the end of the task', async () => {
    const task = await find(Id)
    return task.Status === 3 || task.Status === 4 ? task : undefined
  })
const rowsOf = async (TaskId: number) =>
  (await kit.data<Page<Row & { SN: string }>>('owner', 'GET', `${path}/Row/List?TaskId=${TaskId}&PageSize=1000&OrderColumn=Id`)).Items
const act = (name: string, Id: number, as = 'owner') => kit.call<Task>(as, 'POST', `${path}/${name}`, { Id })
const made = () =>
  kit.db.rows<{ Name: string; SN: string; Devices: number; Points: number }>(sql`
    select p."ProjectName" as "Name", g."SN", count(distinct d."Id")::int as "Devices", count(o."Id")::int as "Points"
    from project p join gateway g on g."ProjectId" = p."Id" left join device d on d."GatewayId" = g."Id" left join point o on o."DeviceId" = d."Id"
    where p."ProjectName" like 'Mixer-%' group by 1, 2 order by 1`)

it('makes a project for each serial number, with gateway, devices and points of the template', async () => {
  startRunner()
  const { Data } = await add(numbers(3), { TaskName: 'First batch' })
  expect(Data).toMatchObject({ Total: 3, Bad: [], Names: ['Mixer-0001', 'Mixer-0002', 'Mixer-0003'], Points: 2 })
  expect(await ended(Data.Id)).toMatchObject({ Status: 3, Done: 3, Failed: 0, Total: 3 })
  expect(await made()).toEqual(numbers(3).map((SN, i) => ({ Name: `Mixer-000${i + 1}`, SN, Devices: 1, Points: 2 })))
  const sheet = await kit.request('owner', 'GET', `${path}/TaskDetailExcel?Id=${Data.Id}&Format=csv`)
  expect(
    sheet.body
      .split('\r\n')
      .slice(1, 4)
      .map((line) => line.includes('MIXER')),
  ).toEqual([true, true, true])
  expect((await kit.request('owner', 'GET', `${path}/TaskDetailExcel?Id=${Data.Id}`)).headers['content-type']).toContain('spreadsheet')
})

it('names bad serial numbers by line before anything is written, and can leave them out', async () => {
  startRunner()
  const [first, second] = numbers(2)
  const list = [first!, 'too short', second!, first!, 'TEMPLATE0001']
  expect((await add(list, { Preview: 1 })).Data).toMatchObject({
    ...{ Id: null, Total: 2 },
    Bad: [
      { Line: 2, SN: 'too short' },
      { Line: 4, SN: first },
      { Line: 5, SN: 'TEMPLATE0001' },
    ],
  })
  expect(await add(list)).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { 'SNs.1': expect.anything(), 'SNs.3': [expect.stringContaining(' ')] } },
  })
  expect(await kit.db.rows(sql`select 1 from product_task`)).toEqual([])
  const { Data } = await add(list, { SkipBad: 1 })
  expect(await ended(Data.Id)).toMatchObject({ Status: 3, Total: 2, Done: 2 })
  expect((await made()).map((p) => p.SN)).toEqual([first, second])
})

it('[product-task-start-stop] stopped and started anywhere, also by a new process, it ends with exactly as many projects', async () => {
  const many = 40
  const { Data } = await add(numbers(many))
  for (let stops = 0; stops < 3; stops++) {
    startRunner()
    const before = (await find(Data.Id)).Done
    await until('the next row', async () => (await find(Data.Id)).Done > before)
    expect((await act('StopTask', Data.Id)).Data.Status).toBe(2)
    const { Done } = await until('the runner to rest', async () => {
      const [now, later] = [await find(Data.Id), await new Promise<void>((end) => setTimeout(end, 300)).then(() => find(Data.Id))]
      return now.Done === later.Done ? later : undefined
    })
    expect(Done).toBe((await made()).length)
    await runner!.stop()
    expect((await act('StartTask', Data.Id)).Data.Status).toBe(0)
  }
  startRunner()
  expect(await ended(Data.Id)).toMatchObject({ Status: 3, Done: many })
  expect((await made()).map((p) => p.SN)).toEqual(numbers(many))
})

it('rows fail with their reason while the template has two gateways, and run again once it has one', async () => {
  const { Data } = await add(numbers(3))
  await kit.data('owner', 'POST', gateways.path, { GatewayName: 'Early', SN: 'MIXER000002', ProjectId: template.project })
  startRunner()
  expect(await ended(Data.Id)).toMatchObject({ Status: 4, Done: 0, Failed: 3 })
  expect((await rowsOf(Data.Id))[0]!.Reason).toMatch(/exactly one gateway|正好有一个网关/)
  await kit.data('owner', 'DELETE', gateways.path, {
    Id: (await kit.db.rows<Row>(sql`select "Id" from gateway where "SN" = 'MIXER000002'`))[0]!.Id,
  })
  expect((await act('Retry', Data.Id)).StatusCode).toBe(200)
  expect(await ended(Data.Id)).toMatchObject({ Status: 3, Done: 3, Failed: 0 })
})

it('says of few serial numbers in an hour that another company has them', async () => {
  const theirs = numbers(40)
  await kit.db.rows(sql`
    insert into gateway_sn ("EnterpriseId", "SN", "CodeHash")
    select ${kit.enterprises.theirs}, sn, '' from unnest(${theirs}::text[]) sn`)
  startRunner()
  const { Data } = await add([...theirs, ...numbers(1, 50)])
  const reasons = async () => {
    await ended(Data.Id)
    return Map.groupBy(await rowsOf(Data.Id), (row) => row.Reason)
  }
  const [taken, tooMany] = [/Already in use/, /Too many/].map(
    (text) => (all: Map<unknown, Row[]>) => [...all].find(([reason]) => text.test(String(reason)))?.[1].length,
  )
  const first = await reasons()
  // Unused numbers are not tried beyond that either: a created project would reveal that a number is unused.
  expect([taken!(first), tooMany!(first)]).toEqual([30, 11])
  await act('Retry', Data.Id)
  expect(tooMany!(await reasons())).toBe(41)
  now += 3_600_001
  await act('Retry', Data.Id)
  expect([taken!(await reasons()), (await made()).length]).toEqual([30, 0])
})

it('removes one project again with its pictures and rules, until a device has sent a reading', async () => {
  const [speed] = (await kit.data<Page<Row>>('owner', 'GET', `${points.path}/List?PageSize=1`)).Items
  const condition = { TriggerStyle: 1, TriggerCondition: 1, OperateSymbol: 3, ParamValue: 5, AlarmParams: [{ ParaId: speed!.Id }] }
  const RuleConfigure = { LogicSymbol: 1, EnableType: 0, RuleList: [{ LogicSymbol: 1, Conditions: [condition] }] }
  await kit.data('owner', 'POST', '/Alarm/AlarmRule', { RuleName: 'Too fast', RuleConfigure })
  await kit.data('owner', 'POST', '/Project/Ddt/Flowchart', { FlowchartName: 'Overview', ProjectId: template.project })
  startRunner()
  const { Data } = await add(numbers(2))
  await ended(Data.Id)
  const [one, other] = (await rowsOf(Data.Id)).map((row) => row.ProjectId as number)
  for (const list of ['/Alarm/AlarmRule', '/Project/Ddt/Flowchart'])
    expect(await kit.data('owner', 'GET', `${list}/List?ProjectId=${one}`), list).toMatchObject({ TotalCount: 1 })
  await kit.db.rows(
    sql`update device set "LastDataTime" = now() where "GatewayId" in (select "Id" from gateway where "ProjectId" = ${other!})`,
  )
  const remove = (id: number, as = 'owner') => kit.call(as, 'DELETE', `${path}/ProductProject/${id}`)
  expect(await remove(other!)).toMatchObject({ StatusCode: 409, Details: { UsedBy: [expect.objectContaining({ Resource: 'device' })] } })
  expect(await remove(one!, 'stranger')).toMatchObject({ StatusCode: 404 })
  expect(await remove(template.project)).toMatchObject({ StatusCode: 404 })
  expect(await remove(one!)).toMatchObject({ StatusCode: 200, Data: { Removed: 1 } })
  expect((await made()).map((p) => p.Name)).toEqual(['Mixer-0002'])
  expect(await find(Data.Id)).toMatchObject({ Done: 1 })
})

it('refuses rules it does not know, disabled series, templates without one gateway, and people without the rights', async () => {
  const fields = async (more: object) => ((await add(numbers(1), more)) as unknown as { Details: { Fields: object } }).Details.Fields
  for (const NameRule of ['{sn}', '{SN:last0}', '{n:33}', '{{SN}', 'x}', '{Series:4}', `{constructor}`, '{SN}'.repeat(6)])
    expect(Object.keys(await fields({ NameRule })), NameRule).toEqual(['NameRule'])
  await kit.person('clerk', kit.enterprises.ours, { menus: ['m12007', 'm12007.add'] })
  expect(await add(numbers(1), {}, 'clerk')).toMatchObject({ StatusCode: 403 })
  expect(await add(numbers(1), {}, 'stranger')).toMatchObject({ StatusCode: 404 })
  await kit.data('owner', 'PUT', '/Product/ProProductSeries', { Id: series.Id, Enabled: 0 })
  expect(Object.keys(await fields({}))).toEqual(['SeriesId'])
  await kit.data('owner', 'PUT', '/Product/ProProductSeries', { Id: series.Id, Enabled: 1, TemplateProjectId: null })
  expect(Object.keys(await fields({}))).toEqual(['SeriesId'])
})

it('names follow their rule', () => {
  const of = { series: 'Mixer', SN: 'A1B2C3D4', n: 7 }
  expect(nameOf('{Series} {SN:last4} {n:3}/{n} {SN}', of)).toBe('Mixer C3D4 007/7 A1B2C3D4')
  expect(nameOf('{Series}', { ...of, series: '{SN} $1 $&' })).toBe('{SN} $1 $&')
  expect(isNameRule('Plain')).toBe(true)
})
