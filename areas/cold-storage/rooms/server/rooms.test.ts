import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { named } from '../../../../server/resource/sql.ts'
import { startCold } from './cold.fixture.ts'
import { positionOf, sensorTypeOf } from './init.ts'
import { remindOfCalibrations } from './reminders.ts'

type Room = {
  Id: number
  InitStatus: number
  IsCompose: number
  ParentId: number | null
  MemberIds: number[]
  TempRuleId: number | null
} & {
  BindCount: number
  SplitTime: string | null
}
type Bind = { Id: number; UnbindTime: string | null; CalibOffset: number; BindTime: string }
type State = { Finished: number; InitStatus: number; Missing: { Code: string; IsNeeded: number; Text: string }[] }

const start = Date.UTC(2026, 2, 10, 12)
let now = start
let cold: Awaited<ReturnType<typeof startCold>>
beforeAll(async () => {
  cold = await startCold(() => now)
})
afterAll(() => cold?.close())

const call = <T = unknown>(method: string, path: string, body?: object, as = 'owner') => cold.kit.call<T>(as, method, path, body)
const find = (Id: number) => cold.kit.data<Room>('owner', 'GET', `/ColdStorage/Detail?Id=${Id}`)
const stateOf = (Id: number) => cold.kit.data<State>('owner', 'GET', `/ColdStorage/InitFinished?Id=${Id}`)
const sensorsOf = async (ColdStorageId: number) =>
  (await cold.kit.data<{ Items: Bind[] }>('owner', 'GET', `/ColdStorage/Sensor/List?ColdStorageId=${ColdStorageId}`)).Items
const rule = async (Id: number | null) =>
  (
    await cold.kit.db.rows<{ AlarmType: number; Status: number; RuleConfigure: { HoldOff: number; RuleList: { Conditions: object[] }[] } }>(
      sql`select "AlarmType", "Status", "RuleConfigure" from alarm_rule where "Id" = ${Id}`,
    )
  )[0]
const conditions = async (Id: number | null) => (await rule(Id))?.RuleConfigure.RuleList.flatMap(({ Conditions }) => Conditions)

it('proposes what points seem to be by names and units in four languages', () => {
  const cases: [string, string, boolean, number | null][] = [
    ['Air temperature', '°C', false, 1],
    ['库内温度 角', '℃', false, 1],
    ['Evaporator temperature', '°C', false, null],
    ['设定温度', '°C', false, null],
    ['Temperatura exterior', '°C', false, 9],
    ['外気温', '°C', false, 9],
    ['Air humidity', '%', false, 2],
    ['Valve', '%', false, null],
    ['Door open', '', true, 3],
    ['Door open time', 's', false, null],
    ['Door command', '', true, null],
    ['Compressor energy', 'kWh', false, 5],
    ['Power', 'kW', false, 4],
    ['压缩机运行', '', true, 6],
    ['霜取り中', '', true, 7],
    ['Ventilador', '', true, 8],
    ['停电', '', true, 10],
  ]
  for (const [name, unit, isBool, type] of cases) expect(sensorTypeOf(name, unit, isBool), name).toBe(type)
  expect(positionOf('库内温度 角', 1)).toBe(1)
  expect(positionOf('Air temperature', 1)).toBe(6)
  expect(positionOf('Door open', 3)).toBeNull()
})

it('cold-storage-generations: the calls of /V3 and /v6 are those of /ColdStorage, and InfoXCX is InfoPC', async () => {
  const draft = (StorageName: string) => ({ StorageName, ProjectId: cold.ProjectId, TempLow: 2, TempHigh: 8 })
  for (const [path, name] of [
    ['/ColdStorage/InfoPC', 'A'],
    ['/V3/ColdStorage/InfoXCX', 'B'],
    ['/v6/ColdStorage/InfoPC', 'C'],
    ['/V6/coldstorage/InfoXCX', 'D'],
  ] as const) {
    const made = await call<Room>('POST', path, draft(`Generation ${name}`))
    expect(made).toMatchObject({ Succeeded: true, Data: { InitStatus: 0, IsCompose: 0, BindCount: 0, MemberIds: [], LastTemp: null } })
    for (const base of ['/ColdStorage', '/V3/ColdStorage', '/v6/ColdStorage']) {
      expect(await call('GET', `${base}/Detail?Id=${made.Data.Id}`)).toMatchObject({ Data: { StorageName: `Generation ${name}` } })
      expect(await call('GET', `${base}/InitFinished?Id=${made.Data.Id}`)).toMatchObject({ Data: { Finished: 0 } })
    }
    expect(await call('PUT', path, { Id: made.Data.Id, TempSet: 5 })).toMatchObject({ Data: { TempSet: 5 } })
    expect(await call('DELETE', path, { Id: made.Data.Id })).toMatchObject({ Data: { Removed: 1 } })
  }
  expect(await call('POST', '/ColdStorage/InfoPC', { ...draft('Turned'), TempHigh: 1 })).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { TempHigh: [expect.stringContaining('below')] } },
  })
})

it('cold-storage-init: a room is set up by the serial number of its gateway, and says what is missing', async () => {
  const Id = await cold.room('Init room', { TempLow: null, TempHigh: null })
  const [air, door] = [await cold.point('Air temperature', '°C'), await cold.point('Door open', '', { ParaDataType: 0 })]
  const proposed = await cold.kit.data<{
    ProjectId: number
    Sensors: { ParaId: number; SensorType: number; Position: number; IsBound: number }[]
  }>('owner', 'GET', `/ColdStorage/SettingsByGatewaySN?SN=${cold.SN.toLowerCase()}`)
  expect(proposed.ProjectId).toBe(cold.ProjectId)
  expect(proposed.Sensors.filter(({ ParaId }) => ParaId === air || ParaId === door)).toMatchObject([
    { ParaId: air, SensorType: 1, Position: 6, IsBound: 0 },
    { ParaId: door, SensorType: 3, Position: null },
  ])
  expect((await stateOf(Id)).Missing.filter((m) => m.IsNeeded).map((m) => m.Code)).toEqual(['gateway', 'temperature', 'band'])
  // Bound to nothing that is not set up yet.
  expect(await call('POST', '/ColdStorage/Bind', { ColdStorageId: Id, ParaId: air, SensorType: 1 })).toMatchObject({ StatusCode: 409 })
  const init = (Sensors: object[], SN = cold.SN) => call<State>('POST', '/ColdStorage/Init', { Id, SN, Sensors })
  const sensors = [
    { ParaId: air, SensorType: 1, Position: 2, ProductSN: 'T-0001' },
    { ParaId: door, SensorType: 3 },
  ]
  expect((await init(sensors)).Data).toMatchObject({
    Finished: 0,
    InitStatus: 1,
    Missing: expect.arrayContaining([expect.objectContaining({ Code: 'band' })]),
  })
  expect(await call('PUT', '/ColdStorage/InfoPC', { Id, TempLow: 2, TempHigh: 8 })).toMatchObject({ Succeeded: true })
  const done = (await init(sensors)).Data
  expect(done).toMatchObject({ Finished: 1, InitStatus: 2 })
  expect(done.Missing.map(({ Code }) => Code)).toEqual(['second', 'reading', 'reading', 'calibration'])
  expect(await stateOf(Id)).toMatchObject({ Finished: 1 })
  const room = await find(Id)
  expect(room).toMatchObject({ SN: cold.SN, BindCount: 2, InitStatus: 2 })
  expect(await rule(room.TempRuleId)).toMatchObject({ AlarmType: 4, Status: 1, RuleConfigure: { HoldOff: 300 } })
  expect(await conditions(room.TempRuleId)).toMatchObject([
    { OperateSymbol: 8, ParamValue: 2, ParamValue2: 8, AlarmParams: [{ ParaId: air }] },
  ])
  expect(await init(sensors)).toMatchObject({ StatusCode: 409 })
  // A room that is ready keeps a limit, and its rule follows the band.
  expect(await call('PUT', '/ColdStorage/InfoPC', { Id, TempLow: null, TempHigh: null })).toMatchObject({ StatusCode: 400 })
  expect(await call('PUT', '/ColdStorage/InfoPC', { Id, TempLow: null, TempHigh: 7.5 })).toMatchObject({ Succeeded: true })
  expect(await conditions(room.TempRuleId)).toMatchObject([{ OperateSymbol: 3, ParamValue: 7.5 }])
  // Each limit is kept: without a bound, thousands of them would be compared with each reading.
  await cold.kit.db.rows(sql`
    insert into cold_band ("EnterpriseId", "ColdStorageId", "From", "TempHigh")
    select "EnterpriseId", "ColdStorageId", now() - n * interval '1 minute', 5 from cold_band, generate_series(1, 19) n
    where "ColdStorageId" = ${Id} and cold_band."From" < now() - interval '1 year'`)
  expect(await call('PUT', '/ColdStorage/InfoPC', { Id, TempHigh: 7 })).toMatchObject({
    Details: { Fields: { TempHigh: ['The limits of this room have changed 20 times within a day. Change them again tomorrow.'] } },
  })
  expect(await call('PUT', '/ColdStorage/InfoPC', { Id, TempHigh: 7.5, Layers: 3 })).toMatchObject({ Succeeded: true })
  const serials = await cold.kit.data('owner', 'GET', `/ColdStorage/ProductSerialInfoList?SN=${cold.SN}`)
  expect(serials).toMatchObject({ TotalCount: 1, Items: [{ ProductSN: 'T-0001', Type: 1, Status: 1, StorageName: 'Init room' }] })
  expect(await call('DELETE', '/ColdStorage/InfoPC', { Id })).toMatchObject({ Data: { Removed: 1 } })
  expect(await rule(room.TempRuleId)).toBeUndefined()
})

it('an unknown serial number and one of another company get the same answer', async () => {
  const Id = await cold.room('Foreign')
  const theirs = await cold.kit.data<{ Id: number }>('stranger', 'POST', '/Project/Project', { ProjectName: 'Theirs' })
  await cold.kit.data('stranger', 'POST', '/Project/Gateway', { GatewayName: 'Theirs', SN: 'FOREIGN00001', ProjectId: theirs.Id })
  const ask = async (SN: string, path: 'settings' | 'init') => {
    const { StatusCode, Errors, Data } =
      path === 'settings'
        ? await call('GET', `/ColdStorage/SettingsByGatewaySN?SN=${SN}`)
        : await call('POST', '/ColdStorage/Init', { Id, SN, Sensors: [] })
    return { StatusCode, Errors, Data }
  }
  for (const path of ['settings', 'init'] as const) {
    const answer = await ask('FOREIGN00001', path)
    expect(answer.StatusCode).toBe(404)
    for (const sn of ['NOWHERE00001', '=cmd', '__proto__']) expect(await ask(sn, path)).toEqual(answer)
  }
})

it('cold-storage-actions: a sensor is bound to one room at a time, and unbinding keeps its history', async () => {
  const { Id, ParaId } = await cold.ready('Bind room', '2026-03-01 00:00:00')
  const other = await cold.ready('Other room')
  const bind = (more: object = {}) => call<Bind>('POST', '/ColdStorage/Bind', { ColdStorageId: other.Id, ParaId, SensorType: 1, ...more })
  expect(await bind()).toMatchObject({ StatusCode: 400, Details: { Fields: { ParaId: [expect.stringContaining('bound')] } } })
  const [first] = await sensorsOf(Id)
  const unbind = (UnbindTime: string) => call('POST', '/ColdStorage/UnBind', { SensorBindId: first!.Id, UnbindTime })
  expect(await unbind('2026-02-01 00:00:00')).toMatchObject({ Details: { Fields: { UnbindTime: expect.anything() } } })
  expect(await unbind('2099-01-01 00:00:00')).toMatchObject({ Details: { Fields: { UnbindTime: expect.anything() } } })
  expect(await unbind('2026-03-05 00:00:00')).toMatchObject({ Data: { UnbindTime: '2026-03-05 00:00:00' } })
  expect(await unbind('2026-03-06 00:00:00')).toMatchObject({ StatusCode: 409 })
  // Not while it was in the other room.
  expect(await bind({ BindTime: '2026-03-04 00:00:00' })).toMatchObject({ StatusCode: 400 })
  const bound = await Promise.all(Array.from({ length: 5 }, () => bind({ BindTime: '2026-03-05 00:00:00' })))
  expect(bound.filter(({ Succeeded }) => Succeeded)).toHaveLength(1)
  expect(await sensorsOf(Id)).toMatchObject([{ UnbindTime: '2026-03-05 00:00:00' }])
  expect(await find(Id)).toMatchObject({ BindCount: 0, TempRuleId: null })
  expect(await find(other.Id)).toMatchObject({ BindCount: 2 })
  expect(await conditions((await find(other.Id)).TempRuleId)).toMatchObject([{ AlarmParams: [{ ParaId: other.ParaId }, { ParaId }] }])
  const elsewhere = await cold.make.create(named('project'))
  const strange = await cold.room('In another project', { ProjectId: elsewhere.Id })
  expect(await call('POST', '/ColdStorage/Init', { Id: strange, SN: cold.SN, Sensors: [] })).toMatchObject({ StatusCode: 404 })
})

it('cold-storage-actions: rooms are composed into one and split again', async () => {
  const [a, b] = [await cold.ready('Left'), await cold.ready('Right', undefined, { TempLow: 3 })]
  const compose = (MemberIds: number[], as = 'owner') => call<Room>('POST', '/ColdStorage/Compose', { StorageName: 'Both', MemberIds }, as)
  const unready = await cold.room('Unready')
  expect(await compose([a.Id])).toMatchObject({ Details: { Fields: { MemberIds: [expect.stringContaining('two')] } } })
  expect(await compose([a.Id, unready])).toMatchObject({ Details: { Fields: { MemberIds: [expect.stringContaining('Unready')] } } })
  expect(await compose([a.Id, b.Id], 'stranger')).toMatchObject({ StatusCode: 404 })
  expect(await compose([a.Id, b.Id], 'viewer')).toMatchObject({ StatusCode: 403 })
  const answers = await Promise.all([compose([a.Id, b.Id]), compose([b.Id, a.Id]), compose([a.Id, b.Id])])
  expect(answers.map(({ StatusCode }) => StatusCode).sort()).toEqual([200, 409, 409])
  const both = answers.find(({ Succeeded }) => Succeeded)!.Data
  expect(both).toMatchObject({ IsCompose: 1, InitStatus: 2, TempLow: null, TempHigh: 8, MemberIds: [a.Id, b.Id].sort((x, y) => x - y) })
  expect(await find(a.Id)).toMatchObject({ ParentId: both.Id })
  expect(await call('POST', '/ColdStorage/Bind', { ColdStorageId: both.Id, ParaId: a.ParaId, SensorType: 1 })).toMatchObject({
    StatusCode: 409,
  })
  expect(await call('DELETE', '/ColdStorage/InfoPC', { Id: a.Id })).toMatchObject({ StatusCode: 409 })
  const split = await call<Room>('POST', '/ColdStorage/Split', { Id: both.Id })
  expect(split.Data).toMatchObject({ SplitTime: '2026-03-10 12:00:00', MemberIds: [] })
  expect(await find(a.Id)).toMatchObject({ ParentId: null })
  expect(await call('POST', '/ColdStorage/Split', { Id: both.Id })).toMatchObject({ StatusCode: 409 })
  expect(await call('POST', '/ColdStorage/Split', { Id: a.Id })).toMatchObject({ StatusCode: 409 })
})

it('a calibration corrects from its day on, moves the limits of the rule, and readings stay', async () => {
  const { Id, ParaId } = await cold.ready('Calibrated', '2026-03-01 00:00:00')
  const second = await cold.point('Second', '°C')
  await cold.kit.data('owner', 'POST', '/ColdStorage/Bind', { ColdStorageId: Id, ParaId: second, SensorType: 1 })
  const sensors = await sensorsOf(Id)
  const SensorBindId = sensors[0]!.Id
  const calibrate = (CalibDate: string, CalibOffset: number, CalibDue = '2026-04-01', as = 'owner') =>
    call<{ Id: number }>('POST', '/ColdStorage/Calibration', { SensorBindId, CalibDate, CalibDue, CalibOffset }, as)
  expect(await calibrate('2026-02-30', 0)).toMatchObject({ Details: { Fields: { CalibDate: expect.anything() } } })
  expect(await calibrate('2026-03-20', 0)).toMatchObject({ Details: { Fields: { CalibDate: expect.anything() } } })
  expect(await calibrate('2026-03-02', 0, '2026-03-02')).toMatchObject({ Details: { Fields: { CalibDue: expect.anything() } } })
  expect(await calibrate('2026-03-02', 0.3, '2026-04-01', 'stranger')).toMatchObject({ StatusCode: 400 })
  expect(await calibrate('2026-03-02', 0.3)).toMatchObject({ Succeeded: true })
  const { TempRuleId } = await find(Id)
  expect(await conditions(TempRuleId)).toMatchObject([
    { OperateSymbol: 8, ParamValue: 1.7, ParamValue2: 7.7, AlarmParams: [{ ParaId }] },
    { OperateSymbol: 8, ParamValue: 2, ParamValue2: 8, AlarmParams: [{ ParaId: second }] },
  ])
  const later = await calibrate('2026-03-08', -0.2, '2026-03-09')
  expect((await conditions(TempRuleId))?.[0]).toMatchObject({ ParamValue: 2.2, ParamValue2: 8.2 })
  expect((await sensorsOf(Id)).find((s) => s.Id === SensorBindId)).toMatchObject({ CalibOffset: -0.2, CalibDue: '2026-03-09' })
  expect(await find(Id)).toMatchObject({ CalibExpired: 1, CalibSoon: 0 })
  expect((await stateOf(Id)).Missing.map(({ Code }) => Code)).toContain('expired')
  expect(await call('DELETE', '/ColdStorage/Calibration', { Id: later.Data.Id })).toMatchObject({ Data: { Removed: 1 } })
  expect(await find(Id)).toMatchObject({ CalibExpired: 0, CalibSoon: 1 })
  expect((await conditions(TempRuleId))?.[0]).toMatchObject({ ParamValue: 1.7 })
  // 24 hours by quarter-hours; the correction begins with the day in Madrid.
  now = Date.UTC(2026, 2, 2, 6)
  const edge = Date.UTC(2026, 2, 1, 23)
  await cold.load([edge - 900_000, edge, edge + 900_000].map((time) => ({ point: ParaId, time, value: 5 })))
  const { Start, Step, Items } = await cold.kit.data<{
    Start: number
    Step: number
    Items: { Low: (number | null)[]; High: (number | null)[] }[]
  }>('owner', 'POST', '/ColdStorage/Curves', { Ids: [Id] })
  type Course = { Start: number; Points: { SensorName: string; X: number; Values: (number | null)[] }[] }
  const ask = (as = 'owner') => cold.kit.call<Course>(as, 'GET', `/ColdStorage/Plan?Id=${Id}`)
  // Without a place on the floor it is not on the plan.
  expect((await ask()).Data).toMatchObject({ Start, Points: [] })
  await cold.kit.db.rows(sql`update cold_sensor_bind set "X" = 2, "Y" = 3 where "ColdStorageId" = ${Id}`)
  const { Points } = (await ask()).Data
  expect(await ask('stranger')).toMatchObject({ StatusCode: 404 })
  now = start
  const at = (edge - Start) / Step
  const read = Points.filter(({ Values }) => Values.some((value) => value !== null))
  expect(read).toMatchObject([{ X: 2 }])
  expect(read[0]!.Values.slice(at - 2, at + 3)).toEqual([null, 5, 5.3, 5.3, null])
  expect(Items[0]!.High.slice(at - 2, at + 3)).toEqual([null, 5, 5.3, 5.3, null])
  expect(await call('POST', '/ColdStorage/Curves', { Ids: [Id] }, 'stranger')).toMatchObject({ StatusCode: 404 })
})

it('a calibration that ends within a month is said once, and again when a new one ends', async () => {
  await cold.ready('Reminded', undefined, {}, { CalibDate: '2026-01-01', CalibDue: '2026-04-20', SensorName: 'Reminder sensor' })
  const notices = () =>
    cold.kit.db.rows<{ PushTitle: string }>(sql`select "PushTitle" from notice where "PushTitle" like '%Reminder sensor%' order by "Id"`)
  const run = (at: number) => remindOfCalibrations(cold.kit.database, at)
  await run(Date.UTC(2026, 2, 20))
  expect(await notices()).toEqual([])
  for (let i = 0; i < 3; i++) await run(Date.UTC(2026, 2, 22))
  expect(await notices()).toEqual([{ PushTitle: 'Reminded: the calibration of Reminder sensor is valid until 2026-04-20.' }])
})
