// The past of the demo plant: what the first start puts behind the login page.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RuleConfigure } from '../areas/alarms/alarm-rules/alarm-configure.ts'
import { type AskPlant, demoPoints, seedHistory } from '../areas/configuration/demo/server/history.ts'
import { seedRepairOrders, seedUpkeep } from '../areas/configuration/demo/server/maintenance/index.ts'
import { seedDemo } from '../areas/configuration/demo/server/service.ts'
import { demoPlant } from '../contract/demo-plant.ts'
import { type Asked, historyOf } from '../plant/history.ts'
import { worldAt } from '../plant/past.ts'
import { signals } from '../plant/signals.ts'
import { type House, startHouse } from './house.ts'

const day = 86_400_000
const days = 10
/** Within the month before there are days of a whole month, in this one days of their own. */
const now = Date.UTC(2026, 5, 9, 10, 20)
let house: House
let demo: { Id: number; enterprise: number }
const asked: Asked[] = []
/** A day is simulated once; the plant's past does not change. */
const simulated = new Map<string, Float64Array>()
const ask: AskPlant = async (of) => {
  asked.push(of)
  const key = JSON.stringify(of)
  const readings = simulated.get(key) ?? historyOf(of)
  simulated.set(key, readings)
  return readings
}
const seed = (of = ask, stopped = () => false) =>
  seedHistory({ ...house, clock: () => now }, { gateway: demo.Id, enterprise: demo.enterprise, days, fineDays: 1 }, of, stopped)
const maintain = async (stopped = () => false) => {
  const given = { gateway: demo.Id, enterprise: demo.enterprise, days }
  await seedUpkeep({ ...house, clock: () => now }, given, stopped)
  await seedRepairOrders({ ...house, clock: () => now }, given, stopped)
}
const idOf = async (device: string, point: string) =>
  (
    await house.database.system.rows<{ Id: number }>(
      sql`select p."Id" from point p join device d on d."Id" = p."DeviceId" where d."DeviceName" = ${device} and p."ParaName" = ${point}`,
    )
  )[0]!.Id
type Answer = { Series: { ParaId: number; Time: number[]; Last: number[]; Count: number[] }[] }
const hours = async (id: number, Start = now - (days + 1) * day) =>
  (await house.data<Answer>('POST', '/DataCenter/ReportData/HourData', { ParaIds: [id], Start, End: now })).Series[0]

beforeAll(async () => {
  house = await startHouse({}, () => now)
  const { Id, actor } = await seedDemo(house.database, 15_020, 'en')
  demo = { Id, enterprise: actor.EnterpriseId }
})
afterAll(() => house?.close())

it('a first start that ends in the middle is gone on with, and every reading is there once', async () => {
  let answers = 0
  await expect(seed((of) => (++answers > 6 ? Promise.reject(new Error('killed')) : ask(of)))).rejects.toThrow('killed')
  const total = await idOf('Raw water intake', 'Raw water total')
  const some = (await hours(total))!.Count.length
  expect(some).toBeGreaterThan(0)
  expect(some).toBeLessThan(days * 24)
  await seed()
  const { Count, Last } = (await hours(total))!
  expect(Count.length).toBe(days * 24 + 11)
  // Quarter-hours, and minutes in the end.
  expect([Count.slice(0, 24), Count.at(-3)]).toEqual([Array(24).fill(4), 60])
  expect(Last).toEqual(Last.toSorted((a, b) => a - b))
  // A total is a counter, so its count is requested, not its mean.
  const asked = `ParaIds=${total}&Start=${now - day}&End=${now}`
  const { Points } = await house.data<{ Points: { CalDataType: number; Rows: { Sum: number }[] }[] }>(
    'GET',
    `/DataCenter/ReportData/StaticsData?${asked}`,
  )
  expect(Points[0]!.CalDataType).toBe(1)
  expect(Points[0]!.Rows[0]!.Sum).toBeGreaterThan(0)
})

it('historical alarms have cleared, are stored once, and match the readings that raised them', async () => {
  type Alarm = {
    Id: number
    RuleName: string
    ParaId: number
    StartTime: string
    IsActive: number
    TriggerValue: number
    LimitValue: number
  }
  type Fact = Alarm & {
    RecoverTime: string
    ExtremeValue: number
    OperateSymbol: number
    AckStatus: number
    HandleStatus: number
    HandleDesc: string | null
  }
  const { Items } = await house.data<{ Items: Fact[] }>('GET', '/Alarm/AlarmInfo/List?PageSize=500')
  expect(Items.length).toBeGreaterThan(days)
  expect(new Set(Items.map((a) => `${a.RuleName} ${a.ParaId} ${a.StartTime}`)).size).toBe(Items.length)
  for (const a of Items) {
    expect([a.RuleName, a.IsActive, a.RecoverTime > a.StartTime]).toEqual([a.RuleName, 0, true])
    const start = Date.parse(`${a.StartTime.replace(' ', 'T')}Z`)
    const read = await house.telemetry.read([a.ParaId], start - 300_000, start + 1000)
    if (a.OperateSymbol === 3) expect(a.ExtremeValue).toBeGreaterThan(a.LimitValue)
    if (a.OperateSymbol === 5) expect(a.ExtremeValue).toBeLessThan(a.LimitValue)
    expect(read.map((r) => r.value)).toContain(a.TriggerValue)
  }
  expect(Items.filter((a) => a.AckStatus).length).toBeGreaterThan(Items.length / 2)
  const handled = Items.filter((a) => a.HandleStatus === 2)
  expect(handled.length).toBeGreaterThan(2)
  expect(handled.every((a) => a.HandleDesc)).toBe(true)
  expect(Items.some((a) => a.RuleName.includes('lamp') || a.RuleName.includes('chlorine') || a.RuleName.includes('Bearing'))).toBe(true)
})

it('the maintenance centre has the work of those days, by the steps that people take, each once', async () => {
  let steps = 0
  await expect(maintain(() => ++steps > 4)).rejects.toThrow('stopped')
  expect((await house.data<{ TotalCount: number }>('GET', '/Maintenance/MtnMaintenanceOrder/List')).TotalCount).toBe(0)
  await maintain()
  await maintain()
  const count = async (path: string) => (await house.data<{ TotalCount: number }>('GET', `${path}/List?PageSize=1`)).TotalCount
  const { Items: chemicals } = await house.data<{ Items: { StockQty: number; ComponentId: number | null }[] }>('GET', '/Drug/Info/List')
  expect(chemicals.length).toBe(3)
  expect(chemicals.some(({ StockQty }) => StockQty > 0)).toBe(true)
  // The stock of a chemical is that of a part.
  expect(await count('/Maintenance/MtnComponent')).toBe(60 + chemicals.filter(({ ComponentId }) => ComponentId).length)
  expect(await count('/Maintenance/MtnUpKeepPlan')).toBe(8)
  expect(await count('/Maintenance/MtnKnowledgeBase')).toBe(15)
  expect(await count('/Maintenance/MtnEquipment')).toBeGreaterThan(30)
  expect([await count('/Energy/Info'), await count('/Energy/ElectricityPriceStandard')]).toEqual([9, 1])
  expect(await count('/Maintenance/MtnCheckOrder')).toBeGreaterThan(days - 2)
  // Both cold rooms are set up, and an open door is an excursion of the past.
  type Room = { StorageNo: string; InitStatus: number; BindCount: number; TempRuleId: number | null }
  const { Items: coldRooms } = await house.data<{ Items: Room[] }>('GET', '/ColdStorage/List')
  expect(coldRooms.map(({ StorageNo, InitStatus, BindCount }) => [StorageNo, InitStatus, BindCount]).toSorted()).toEqual([
    ['CR-1', 2, 10],
    ['CR-2', 2, 16],
  ])
  expect(coldRooms.every(({ TempRuleId }) => TempRuleId)).toBe(true)
  type Order = { Status: number; AlarmCount: number; AlmInfoId: number; CheckUserId: number; AssignUserId: number }
  const { Items: orders } = await house.data<{ Items: Order[] }>('GET', '/Maintenance/MtnMaintenanceOrder/List?PageSize=500')
  expect(orders.length).toBeGreaterThan(days / 2)
  expect(orders.filter((o) => o.Status === 5).length).toBeGreaterThan(2)
  expect(orders.every((o) => o.AlarmCount > 0 && o.AlmInfoId)).toBe(true)
  expect(orders.filter((o) => o.Status === 5 && o.CheckUserId === o.AssignUserId)).toEqual([])
  const { rows } = house.database.system
  // Steps lie in the past, each after the one before it.
  const unordered = sql`
    select 1 from (select "Time", lag("Time") over (partition by "OrderId" order by "Id") as before from mtn_order_history where "EnterpriseId" = ${demo.enterprise}) h
    where h."Time" < h.before or h."Time" > ${new Date(now)}`
  expect(await rows(unordered)).toEqual([])
  const unlike = sql`
    select c."ComponentNo" from mtn_component c where c."EnterpriseId" = ${demo.enterprise}
      and c."StockQty" <> (select coalesce(sum(r."AfterQty" - r."BeforeQty"), 0) from mtn_component_record r where r."ComponentId" = c."Id")`
  expect(await rows(unlike)).toEqual([])
  const rounds = await rows<{ missed: number }>(
    sql`select jsonb_array_length("MissedPoints") as missed from mtn_check_order where "EnterpriseId" = ${demo.enterprise} and "Status" = 2`,
  )
  expect(rounds.map((r) => r.missed).toSorted()).toEqual([...Array(rounds.length - 1).fill(0), 1])
  expect(await rows(sql`select 1 from "user" where "UserNO" in ('demo_clara', 'demo_tomas') and "OneTimeUntil" < now()`)).toHaveLength(2)
  for (const name of ['mtn_maintenance_order', 'mtn_component', 'mtn_up_keep_plan', 'mtn_check_plan', 'mtn_equipment'])
    expect(await rows(sql`select 1 from ${sql.table(name)} where "EnterpriseId" <> ${demo.enterprise}`), name).toEqual([])
})

it('historical alarms notify nobody and write nothing', async () => {
  for (const name of ['notice', 'notice_due', 'alarm_push', 'alarm_action', 'alarm_webhook_event'])
    expect(await house.database.system.rows(sql`select * from ${sql.table(name)} where "EnterpriseId" = ${demo.enterprise}`), name).toEqual(
      [],
    )
})

it('the company has people whose passwords must be reset first, and ten rules of every kind beside those of its cold rooms', async () => {
  const { Items } = await house.data<{ Items: { Id: number; UserNO: string; RoleNames: string; Remark: string }[] }>(
    'GET',
    '/System/User/List?PageSize=100',
  )
  const people = Items.filter((u) => u.UserNO.startsWith('demo_'))
  expect(people.map((u) => u.RoleNames).sort()).toEqual([
    'Company manager',
    'Editor',
    'Maintainer',
    'Maintainer',
    'Operator',
    'Operator',
    'Planner',
    'Store keeper',
    'Viewer',
  ])
  for (const u of people) expect(u.Remark).toMatch(/reset it to sign in/)
  const [person] = people
  for (const Pwd of ['', 'demo', 'password', person!.UserNO, 'penstock'])
    expect((await house.call(undefined, 'POST', '/Auth/Login', { UserNO: person!.UserNO, Pwd })).Succeeded).toBe(false)
  // Even a password that fits has run out.
  const [kept] = await house.database.system.rows<{ over: boolean; must: number }>(
    sql`select "OneTimeUntil" < now() as over, "MustChangePwd" as must from "user" where "UserNO" = ${person!.UserNO}`,
  )
  expect(kept).toEqual({ over: true, must: 1 })
  const { OneTimePwd } = await house.data<{ OneTimePwd: string }>('POST', '/System/User/ResetPwd', { Id: person!.Id })
  expect(await house.login(person!.UserNO, OneTimePwd)).toBeTruthy()

  const { Items: rules } = await house.data<{ Items: { RuleConfigure: RuleConfigure; Status: number; LastTriggerTime: string | null }[] }>(
    'GET',
    '/Alarm/AlarmRule/List?PageSize=100',
  )
  expect(rules.length).toBe(13)
  expect(rules.filter((r) => r.LastTriggerTime).length).toBeGreaterThan(1)
  const conditions = rules.flatMap((r) => r.RuleConfigure.RuleList.flatMap((g) => g.Conditions))
  expect(new Set(conditions.map((c) => c.TriggerStyle))).toEqual(new Set([1, 2, 3, 4]))
  expect(new Set(conditions.map((c) => c.TriggerCondition))).toEqual(new Set([1, 2, 3]))
  expect(new Set(rules.map((r) => r.RuleConfigure.EnableType))).toEqual(new Set([0, 1, 2]))
})

it('a second start asks the plant for nothing', async () => {
  asked.length = 0
  await seed()
  expect(asked).toEqual([])
})

it('the counts of readings, the newest values and the alarms do not know of it', async () => {
  const { received, stored } = house.telemetry.counters.get(demo.enterprise) ?? { received: 0, stored: 0 }
  expect([received, stored]).toEqual([0, 0])
  expect(house.telemetry.latest.get(await idOf('Cold room', 'Air temperature'))).toBeUndefined()
  expect((await house.telemetry.since(0)).length).toBe(0)
})

it('nothing is left to do after it: no rows wait to be settled', async () => {
  const files = async () => (await house.telemetry.read([await idOf('Weather station', 'Air temperature')], 0, now)).length
  const before = await files()
  await house.telemetry.keep()
  expect(await files()).toBe(before)
})

it('the running plant goes on where its past ends', async () => {
  const world = worldAt(now / 1000)
  const ids = await demoPoints(house.database, demo.Id)
  const readings = Map.groupBy(await house.telemetry.read(ids as number[], now - day, now), (r) => r.point)
  const all = demoPlant.flatMap(({ DeviceName, Points }) => Points.map((p) => ({ DeviceName, p })))
  for (const [i, { DeviceName, p }] of all.entries()) {
    const values = readings.get(ids[i]!)!.map((r) => r.value!)
    const steps = values.slice(1).map((v, i) => Math.abs(v - values[i]!))
    const step = Math.abs(Number(signals(DeviceName).get(p.ParaName)!.get(world)) - values.at(-1)!)
    const least = p.DecimalDigits ? 0.1 ** p.DecimalDigits * 2 : 1
    expect([DeviceName, p.ParaName, step <= Math.max(...steps, least) * 1.5]).toEqual([DeviceName, p.ParaName, true])
  }
})

it('a company of people gets nothing, also where its devices have the same names', async () => {
  const theirs = await house.newGateway('PEOPLE00001', 502)
  const device = await house.data('POST', '/Project/Device', { DeviceName: 'Cold room', GatewayId: theirs.gateway })
  const point = await house.data('POST', '/Project/DevPara', { DeviceId: device.Id, ParaName: 'Air temperature', Address: '0' })
  await house.database.system.rows(sql`delete from tenant_config where "Name" = 'demoHistory'`)
  await seed()
  expect(await house.telemetry.read([point.Id], 0, now)).toEqual([])
})
