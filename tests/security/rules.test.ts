// Rules as a detour around rights: writes to points of another project, and on behalf of people who may not write (sixth look by attack).
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { alarmRule } from '../../areas/alarms/alarm-rules/contract.ts'
import type { Wrapper } from '../../contract/call.ts'
import { hashPassword } from '../../server/identity/passwords.ts'
import { connectHub, type House, password, startHouse } from '../house.ts'
import { openRawGateway, type RawGateway } from '../raw-gateway.ts'

type Place = { gateway: number; device: number; point: number; raw: RawGateway; says: (value: number) => Promise<void> }
type Rule = { Id: number; Status: number; RuleConfigure: object; DeviceControl: { ParaId: number; Value: number }[] | null }
let house: House
let hash: string
const id: Record<string, number> = {}
const token: Record<string, string> = {}
const opened: RawGateway[] = []

const data = <T = { Id: number }>(as: string, method: string, path: string, body?: object) => house.data<T>(method, path, body, token[as])
const make = async (path: string, body: object, as = 'manager') => (await data(as, 'POST', path, body)).Id
/** `done`, or the fields that are refused. */
const outcome = async (as: string, method: string, path: string, body?: object) => {
  const { Succeeded, Details } = await house.call<unknown>(token[as], method, path, body)
  return Succeeded ? 'done' : Object.keys((Details as { Fields?: object })?.Fields ?? { [String(Details?.Fault)]: 1 })
}
/** The columns that are refused of a sheet of rules. */
const imported = async (as: string, text: string) => {
  const body = new FormData()
  body.append('file', new Blob([text], { type: 'text/csv' }), 'rules.csv')
  const headers = { authorization: `Bearer ${token[as]}`, 'accept-language': 'en' }
  const answer = await fetch(`${house.origin}/api/Alarm/AlarmRule/Import`, { method: 'POST', headers, body })
  const { Details } = (await answer.json()) as Wrapper<unknown>
  return (Details as { Rows?: { Field: string }[] }).Rows?.map((row) => row.Field)
}
const person = async (name: string, RoleIds: number[]) => {
  id[name] = await make('/System/User', { UserNO: name, UserName: name, RoleIds, Email: `${name}@example.com` })
  await house.database.system.rows(sql`update "user" set "PasswordHash" = ${hash}, "MustChangePwd" = 0 where "Id" = ${id[name]}`)
  token[name] = await house.login(name)
}
const place = async (SN: string): Promise<Place> => {
  const gateway = await make('/Project/Gateway', { GatewayName: SN, SN, ProjectId: id.east })
  const channel = await make('/Project/Protocol/NetProtocol', { ProtocolName: 'Network', GatewayId: gateway, Ip: '127.0.0.1', Port: 1 })
  const device = await make('/Project/Device', { DeviceName: SN, GatewayId: gateway, NetProtocolId: channel })
  const point = await make('/Project/DevPara', { DeviceId: device, ParaName: 'P', Address: '0', ReadWriteType: 1, ParaDataType: 2 })
  const { Key } = await data<{ Key: string }>('manager', 'POST', '/Project/Gateway/ResetKey', { Id: gateway })
  const raw = await openRawGateway(house.mqttPort, { SN, Key })
  opened.push(raw)
  await raw.connack()
  await raw.subscribe(`iot/v1/${SN}/down/+`)
  raw.answer(({ kind }) => (kind === 'write' ? { Code: 0 } : undefined))
  let said = 0
  const says = async (value: number) => {
    const MsgId = `m${++said}`
    const Items = [{ D: device, T: Date.now(), V: { [point]: value } }]
    await raw.say('data', { MsgId, Ts: Date.now(), Data: { Items } })
    await raw.acked(MsgId)
  }
  return { gateway, device, point, raw, says }
}
const over = (limit: number, ...points: number[]) => ({
  ...{ LogicSymbol: 1, EnableType: 0 },
  RuleList: points.map((ParaId) => ({
    LogicSymbol: 1,
    Conditions: [{ TriggerStyle: 1, TriggerCondition: 1, OperateSymbol: 3, ParamValue: limit, AlarmParams: [{ ParaId }] }],
  })),
})
const rule = (RuleName: string, more: object, as = 'manager') => make('/Alarm/AlarmRule', { RuleName, Status: 1, ...more }, as)
const find = (Id: number) => data<Rule>('manager', 'GET', `/Alarm/AlarmRule?Id=${Id}`)
const alarms = (rule: number) => house.database.system.rows(sql`select 1 from alarm_info where "AlmRuleId" = ${rule}`)
const writes = ({ raw }: Place) => raw.heard.filter(({ kind }) => kind === 'write')
const settled = (ask: () => Promise<unknown> | unknown) => expect.poll(ask, { timeout: 60_000, interval: 50 })

beforeAll(async () => {
  house = await startHouse()
  hash = await hashPassword(password)
  const works = await house.data('POST', '/System/Enterprise', { Name: 'Works', ManagerNO: 'manager', ManagerName: 'manager' })
  await house.database.system.rows(sql`update "user" set "PasswordHash" = ${hash}, "MustChangePwd" = 0 where "EnterpriseId" = ${works.Id}`)
  token.manager = await house.login('manager')
  for (const name of ['east', 'west']) id[name] = await make('/Project/Project', { ProjectName: name })
  id.easterners = await make('/System/Role', { RoleName: 'Easterners', RouteRole: 'admin' })
  await data('manager', 'POST', '/V3/System/Role/SetProject', { RoleId: id.easterners, ProjectIds: [id.east] })
  id.planners = await make('/System/Role', { RoleName: 'Planners' })
  const MenuCodes = ['m10202', 'm10202.edit', 'm10202.add']
  await data('manager', 'POST', '/System/Role/AuthorizationMenu', { RoleId: id.planners, MenuCodes })
  await person('easterner', [id.easterners])
  await person('planner', [id.planners])
})
afterAll(async () => {
  for (const raw of opened) raw.close()
  await house?.close()
})

it('a rule neither writes to nor reads a point whose gateway was moved to another project (H4)', async () => {
  const [stays, moves] = [await place('RULESTAYS1'), await place('RULEMOVES1')]
  const control = (Value: number) => [{ ParaId: moves.point, Value }]
  const writing = await rule('writes', { RuleConfigure: over(1000, stays.point), DeviceControl: control(77) }, 'easterner')
  const untouched = await rule('untouched', { RuleConfigure: over(3, stays.point), DeviceControl: control(78) }, 'easterner')
  const push = { IsSend: 1, AlarmPush: { PushUsers: [id.easterner], PushMethods: [{ Method: 1 }] } }
  const reading = await rule('reads', { RuleConfigure: over(10, moves.point), ...push }, 'easterner')
  const near = await rule('near', { RuleConfigure: over(10, stays.point), ...push }, 'easterner')

  await data('manager', 'PUT', '/Project/Gateway', { Id: moves.gateway, ProjectId: id.west })
  await data('manager', 'PUT', '/Project/Device', { Id: moves.device, DeviceName: 'WESTSECRET' })
  expect(await outcome('easterner', 'PUT', '/Alarm/AlarmRule', { Id: writing, RuleConfigure: over(3, stays.point) })).toEqual([
    'DeviceControl.0.ParaId',
  ])
  expect(await outcome('easterner', 'PUT', '/Alarm/AlarmRule', { Id: writing, DeviceControl: control(99) })).toEqual([
    'DeviceControl.0.ParaId',
  ])
  await moves.says(123)
  await stays.says(50)
  await settled(async () => [(await alarms(untouched)).length, (await alarms(near)).length]).toEqual([1, 1])
  const actions = () =>
    house.database.system.rows(sql`select "Status", "ErrorText" from alarm_action where "Kind" = 'write' and "Status" <> 0`)
  await settled(actions).toEqual([{ Status: 3, ErrorText: 'notFound' }])
  expect(writes(moves)).toEqual([])
  const bell = async () =>
    JSON.stringify(await data<{ Items: { PushTitle: string; PushContent: string }[] }>('easterner', 'GET', '/System/Notice/UserNoticeList'))
  await settled(bell).toContain('near')
  expect(await bell()).not.toMatch(/WESTSECRET|123/)
  expect(await alarms(reading)).toEqual([])
  // Back in its project, it is judged and written again, without a change of the rules.
  await data('manager', 'PUT', '/Project/Gateway', { Id: moves.gateway, ProjectId: id.east })
  await stays.says(1)
  await stays.says(60)
  await settled(() => writes(moves).length).toBe(1)
  await moves.says(124)
  await settled(async () => (await alarms(reading)).length).toBe(1)
})

it('a watched point disappears once its gateway moves to a project that the person cannot see', async () => {
  const moves = await place('LOOKMOVES1')
  const { connection, values } = await connectHub(house.origin, token.easterner!)
  await connection.invoke('Subscribe', [moves.point])
  // The next automatic check is a minute away.
  await settled(() => house.hub.stats().rechecks.done).toBeGreaterThan(0)
  await moves.says(7)
  await settled(() => values.at(-1)?.[2]).toBe(7)
  await data('manager', 'PUT', '/Project/Gateway', { Id: moves.gateway, ProjectId: id.west })
  await settled(() => house.hub.stats().subscriptions).toBe(0)
  await connection.stop()
})

it('a rule that names points of two projects after a move is not judged on the one it can still see (H4)', async () => {
  const [stays, moves] = [await place('RULESTAYS2'), await place('RULEMOVES2')]
  const both = await rule('both', { RuleConfigure: over(10, stays.point, moves.point) }, 'easterner')
  const near = await rule('near 2', { RuleConfigure: over(10, stays.point) }, 'easterner')
  await data('manager', 'PUT', '/Project/Gateway', { Id: moves.gateway, ProjectId: id.west })
  // Readings are judged by the move once it has been read, a moment after its answer.
  await settled(() => house.registry.gatewayById(moves.gateway)?.ProjectId).toBe(id.west)
  await moves.says(50)
  await stays.says(50)
  await settled(async () => (await alarms(near)).length).toBe(1)
  expect(await alarms(both)).toEqual([])
})

it('nobody without the right to write decides when a rule writes (M1)', async () => {
  const here = await place('RULEWRITE1')
  const DeviceControl = [{ ParaId: here.point, Value: 1 }]
  const RuleConfigure = over(1e6, here.point)
  const Id = await rule('another’s', { RuleConfigure, DeviceControl, Status: 0 })
  const refused = ['DeviceControl']
  const body = { RuleName: 'own', RuleConfigure, DeviceControl }
  expect(await outcome('planner', 'POST', '/Alarm/AlarmRule', body)).toEqual(refused)
  expect(await outcome('planner', 'POST', '/Alarm/AlarmRule/Batch', { Items: [body] })).toEqual(refused)
  expect(await outcome('planner', 'POST', '/Alarm/AlarmRule/Command', { Ids: [Id], Command: 'copy' })).toEqual(refused)
  expect(await outcome('planner', 'PUT', '/Alarm/AlarmRule', { Id, RuleConfigure: over(-1, here.point) })).toEqual(refused)
  expect(await outcome('planner', 'PUT', '/Alarm/AlarmRule', { Id, Status: 1 })).toEqual(refused)
  expect(await outcome('planner', 'PUT', '/Alarm/AlarmRule', { Id, DeviceControl })).toEqual(refused)
  expect(await outcome('planner', 'POST', '/Alarm/AlarmRule/Enable', { Ids: [Id] })).toEqual(refused)
  for (const path of alarmRule.aliases) expect(await outcome('planner', 'POST', `${path}/Enable`, { Ids: [Id] }), path).toEqual(refused)
  expect(await imported('planner', 'RuleName,ProjectId,Status\nanother’s,east,1\n')).toEqual(['Actions'])
  expect(await find(Id)).toMatchObject({ Status: 0, DeviceControl })

  // What decides nothing of its writing, and what takes it away, is his to change.
  const { RuleConfigure: stored } = await find(Id)
  expect(await outcome('planner', 'PUT', '/Alarm/AlarmRule', { Id, RuleName: 'renamed', RuleConfigure: stored })).toBe('done')
  expect(await outcome('manager', 'POST', '/Alarm/AlarmRule/Enable', { Ids: [Id] })).toBe('done')
  expect(await outcome('planner', 'PUT', '/Alarm/AlarmRule', { Id, Remark: 'looked at' })).toBe('done')
  expect(await outcome('planner', 'POST', '/Alarm/AlarmRule/Disable', { Ids: [Id] })).toBe('done')
  expect(await outcome('planner', 'PUT', '/Alarm/AlarmRule', { Id, DeviceControl: null, RuleConfigure: over(-1, here.point) })).toBe('done')
  expect(await outcome('planner', 'POST', '/Alarm/AlarmRule/Enable', { Ids: [Id] })).toBe('done')
})

it('a person to whom the point of a rule does not exist does not enable it (M1)', async () => {
  const moves = await place('RULEMOVES3')
  const stays = await place('RULESTAYS3')
  const DeviceControl = [{ ParaId: moves.point, Value: 1 }]
  const Id = await rule('moved away', { RuleConfigure: over(1e6, stays.point), DeviceControl, Status: 0 }, 'easterner')
  await data('manager', 'PUT', '/Project/Gateway', { Id: moves.gateway, ProjectId: id.west })
  expect(await outcome('easterner', 'POST', '/Alarm/AlarmRule/Enable', { Ids: [Id] })).toEqual(['DeviceControl.0.ParaId'])
})

it('people who are locked, whose account has ended or who no longer see the project get no message of a rule (H4)', async () => {
  const westerners = await make('/System/Role', { RoleName: 'Westerners', RouteRole: 'admin' })
  await data('manager', 'POST', '/V3/System/Role/SetProject', { RoleId: westerners, ProjectIds: [id.west] })
  const names = ['locked', 'ended', 'moved', 'stayer']
  for (const name of names) await person(name, [id.easterners!])
  const here = await place('RULEPEOPLE')
  const PushUsers = names.map((name) => id[name])
  const AlarmPush = { PushUsers, PushMethods: [{ Method: 1 }, { Method: 3 }], RecoveryNotice: 1 }
  const ActionExecution = [{ Type: 5, PushUsers, Text: 'Have a look.' }]
  const Id = await rule('people', { RuleConfigure: over(10, here.point), IsSend: 1, AlarmPush, ActionExecution })
  const { system } = house.database
  await system.rows(sql`update "user" set "IsLock" = 1 where "Id" = ${id.locked}`)
  await system.rows(sql`update "user" set "ValidTo" = now() - interval '1 day' where "Id" = ${id.ended}`)
  await system.rows(sql`update user_role set "RoleId" = ${westerners} where "UserId" = ${id.moved}`)
  const told = async (kind: string) =>
    (
      await system.rows<{ UserId: number }>(
        sql`select distinct "UserId" from alm_push_record where "AlmRuleId" = ${Id} and "Kind" = ${kind} order by 1`,
      )
    ).map((row) => row.UserId)
  await here.says(50)
  await settled(() => told('raised')).toEqual([id.stayer])
  await settled(() => told('action')).toEqual([id.stayer])
  // He was notified of the alarm, and leaves before it clears.
  await system.rows(sql`update user_role set "RoleId" = ${westerners} where "UserId" = ${id.stayer}`)
  await here.says(1)
  await settled(() => system.rows(sql`select 1 from alarm_info where "AlmRuleId" = ${Id} and "IsActive" = 0`)).toHaveLength(1)
  await settled(() =>
    system.rows(sql`select 1 from alarm_push q join alarm_info a on a."Id" = q."AlmInfoId" where a."AlmRuleId" = ${Id}`),
  ).toEqual([])
  expect(await told('recovered')).toEqual([])
})

it.each([
  ['RuleName', { RuleName: 'L'.repeat(40_000) }],
  ['RuleName', { RuleName: { a: 1 } }],
  ['AlarmLevel', { AlarmLevel: 32_767 }],
  ['Status', { Status: 7 }],
  ['Priority', { Priority: 77 }],
  ['RuleType', { RuleType: 55 }],
  ['Remark', { Remark: 'r'.repeat(60_000) }],
  ['IsSend', { IsSend: 'yes' }],
  ['DeviceControl', { DeviceControl: {} }],
])('a batch of rules refuses %s as one call does (M4)', async (field, wrong) => {
  id.batch ??= (await place('RULEBATCH1')).point
  const item = { RuleName: `batch ${field}`, RuleConfigure: over(1, id.batch!), ...wrong }
  expect(await outcome('manager', 'POST', '/Alarm/AlarmRule', item)).toEqual([field])
  expect(await outcome('manager', 'POST', '/Alarm/AlarmRule/Batch', { Items: [item] })).toEqual([`Items.0.${field}`])
})
