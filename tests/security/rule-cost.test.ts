// One rule names one point again and again: tried by a person who may only look, or saved (findings C1 and C2 of the third attack).
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownServer } from '../faults/own-server.ts'
import { until } from '../front-door.ts'
import { openRawGateway, type RawGateway } from '../raw-gateway.ts'

const own = ownServer()
let gateway: Awaited<ReturnType<typeof own.door.newGateway>>
let raw: RawGateway
let point: number
let viewer: string
const connect = async () => {
  raw = await openRawGateway(own.process.mqttPort, gateway)
  await raw.connack()
}
beforeAll(async () => {
  const { data, login } = own.door
  gateway = await own.door.newGateway('RULECOST1', 1)
  point = (await data('POST', '/Project/DevPara', { DeviceId: gateway.device, ParaName: 'P', Address: '0' })).Id
  const { Id } = await data('POST', '/System/Role', { RoleName: 'looks' })
  await data('POST', '/System/Role/AuthorizationMenu', { RoleId: Id, MenuCodes: ['m102', 'm10202'] })
  const person = { UserNO: 'looks', UserName: 'looks', RoleIds: [Id] }
  const { OneTimePwd } = await data<{ OneTimePwd: string }>('POST', '/System/User', person)
  const pwd = 'tries many a condition'
  await data('POST', '/System/User/SetPwd', { OldPwd: OneTimePwd, NewPwd: pwd }, await login('looks', OneTimePwd))
  viewer = await login('looks', pwd)
  await connect()
})
afterAll(() => raw?.socket.destroy())

/** As many groups and conditions as a rule may have, over these points. */
const ruleOver = (points: readonly number[], groups = 10, conditions = 20) => ({
  ...{ LogicSymbol: 2, EnableType: 0 },
  RuleList: Array.from({ length: groups }, () => ({
    LogicSymbol: 2,
    Conditions: Array.from({ length: conditions }, (_, i) => ({
      ...{ TriggerStyle: 1, TriggerCondition: 1, OperateSymbol: 3, ParamValue: 25 + i },
      AlarmParams: points.map((ParaId) => ({ ParaId, DeviceId: gateway.device })),
    })),
  })),
})
const times = (count: number) => Array<number>(count).fill(point)
let minutes = 60
/** Live readings, each in a separate message; resolves when all are acknowledged. */
const send = async (count: number) => {
  const start = Date.now() - minutes-- * 60_000
  const messages = Array.from({ length: count }, (_, i) => {
    const items = [{ D: gateway.device, T: start + i * 100, V: { [point]: (i * 17) % 50 } }]
    return raw.publish(
      `iot/v1/${gateway.SN}/up/data`,
      JSON.stringify({ MsgId: `m${minutes}-${i}`, Ts: Date.now(), Data: { Items: items } }),
    )
  })
  await until('every reading to be acknowledged', () => {
    const acknowledged = new Set(raw.of('puback').map((packet) => packet.messageId))
    return messages.every((id) => acknowledged.has(id))
  })
}
type Refused = { Fields?: Record<string, string[]> }
const faultOf = async (path: string, body: object, token = own.door.admin, method = 'POST') => {
  const answer = await own.door.call<unknown>(token, method, path, body)
  return answer.Succeeded ? 'accepted' : JSON.stringify((answer.Details as Refused).Fields)
}

test('a try of it is refused by field, and one of as many conditions as may be is answered', async () => {
  await send(300)
  const attempt = (RuleConfigure: object) => faultOf('/Alarm/AlarmRule/Try', { RuleConfigure, Days: 1 }, viewer)
  expect(await attempt(ruleOver(times(10)))).toContain('more than 500 points')
  expect(await attempt(ruleOver(times(2), 1, 1))).toContain('RuleList.0.Conditions.0.AlarmParams.1.ParaId')
  const body = { RuleConfigure: ruleOver([point]), Days: 1 }
  const tried = await own.door.data<{ Samples: number; Count: number }>('POST', '/Alarm/AlarmRule/Try', body, viewer)
  expect(tried.Samples).toBe(300)
  expect(tried.Count).toBeGreaterThan(100)
})

test('it is not saved, whichever way it comes', async () => {
  const rule = { RuleName: 'heavy', ProjectId: gateway.project, AlarmLevel: 2, Status: 1 }
  const few = { ...rule, RuleConfigure: ruleOver([point], 1, 1) }
  const { Id } = await own.door.data('POST', '/Alarm/AlarmRule', { ...few, RuleName: 'light' })
  for (const [points, said] of [
    [times(5), 'more than 500 points'],
    [times(2), 'AlarmParams.1.ParaId'],
  ] as const) {
    const heavy = { ...rule, RuleConfigure: ruleOver(points) }
    expect(await faultOf('/Alarm/AlarmRule', heavy)).toContain(said)
    expect(await faultOf('/Alarm/AlarmRule/Batch', { Items: [heavy] })).toContain(said)
    expect(await faultOf('/Alarm/AlarmRule', { Id, RuleConfigure: heavy.RuleConfigure }, own.door.admin, 'PUT')).toContain(said)
    const { Valid } = await own.door.data<{ Valid: boolean }>('POST', '/Alarm/AlarmRule/ConditionValidation', {
      RuleConfigure: heavy.RuleConfigure,
    })
    expect(Valid).toBe(false)
  }
  await own.door.data('DELETE', '/Alarm/AlarmRule', { Id })
})

test('one of an earlier version is judged after a restart and can be removed; one beyond the budget is switched off and says why', async () => {
  const stored = async (RuleName: string, configure: object) => {
    const rule = { RuleName, ProjectId: gateway.project, AlarmLevel: 2, Status: 1, RuleConfigure: ruleOver([point], 1, 1) }
    const { Id } = await own.door.data('POST', '/Alarm/AlarmRule', rule)
    await own.query(`update alarm_rule set "RuleConfigure" = '${JSON.stringify(configure)}' where "Id" = ${Id}`)
    return Id
  }
  const make = (i: number) =>
    own.door.data('POST', '/Project/DevPara', { DeviceId: gateway.device, ParaName: `P${i}`, Address: String(i + 1) })
  const points = (await Promise.all(Array.from({ length: 101 }, (_, i) => make(i)))).map(({ Id }) => Id)
  const repeated = await stored('repeated', ruleOver(times(5)))
  const beyond = await stored('beyond', ruleOver(points))
  await send(300)
  raw.socket.destroy()
  await own.process.kill()
  await own.process.start()
  await connect()
  await send(300)
  const alarms = () => own.query<{ Id: number }>(`select "Id" from alarm_info where "AlmRuleId" = ${repeated}`)
  await until('its alarms', async () => (await alarms()).length > 0)
  const rule = () => own.door.data<{ Status: number; Remark: string }>('GET', `/Alarm/AlarmRule?Id=${beyond}`)
  await until('the other to be off', async () => (await rule()).Status === 0)
  expect((await rule()).Remark).toMatch(/停用|Disabled by/)
  for (const Id of [repeated, beyond]) await own.door.data('DELETE', '/Alarm/AlarmRule', { Id })
})
