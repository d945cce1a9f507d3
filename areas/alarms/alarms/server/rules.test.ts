import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import type { Row } from '../../../../contract/resource.ts'
import { Operator } from '../../alarm-rules/alarm-configure.ts'
import { pushDefaults, ruleTemplate } from '../../alarm-rules/alarm-push.ts'
import { alarmRule } from '../../alarm-rules/contract.ts'
import { type Area, above, configure, startArea } from './harness.ts'

type Rule = Row<typeof alarmRule>
let area: Area
let p: number
let q: number
let bool: number
const free = { AlarmLow: null, AlarmHigh: null }
beforeAll(async () => {
  area = await startArea()
  p = await area.makePoint({ ...free, ParaName: 'Pressure' })
  const { DeviceId } = area.registry.get(p)!
  q = await area.makePoint({ ...free, DeviceId, ParaName: 'Flow' })
  bool = await area.makePoint({ ...free, DeviceId, ParaName: 'Running', ParaDataType: 0 })
})
afterEach(() => area.reset())
afterAll(() => area.kit.close())

const make = (RuleConfigure: object, more: object = {}) =>
  area.kit.data<Rule>('owner', 'POST', '/Alarm/AlarmRule', { RuleName: 'High pressure', Status: 1, RuleConfigure, ...more })
const validate = async (RuleConfigure: object, AlarmLevel = 2) => {
  const { Errors } = await area.kit.data<{ Errors: { Path: string; Message: string }[] }>(
    'owner',
    'POST',
    '/Alarm/AlarmRule/ConditionValidation',
    { RuleConfigure, AlarmLevel },
  )
  return Object.fromEntries(Errors.map((e) => [e.Path, e.Message]))
}
const inFirst = (name: string) => `RuleList.0.Conditions.0.${name}`
describe('what a rule may be', () => {
  it('[alarm-trigger-bool] a two-valued point is compared only with = or ≠, and only with 0 or 1', async () => {
    const on = (more: object) => configure([{ ...above(bool), ...more }])
    expect(await validate(on({ OperateSymbol: Operator.equal, ParamValue: 1 }))).toEqual({})
    expect(await validate(on({ OperateSymbol: Operator.notEqual, ParamValue: 0 }))).toEqual({})
    for (const OperateSymbol of [3, 4, 5, 6, 7, 8])
      expect(await validate(on({ OperateSymbol, ParamValue: 1 }))).toHaveProperty([inFirst('OperateSymbol')])
    for (const ParamValue of [2, 0.5, -1])
      expect(await validate(on({ OperateSymbol: 1, ParamValue }))).toHaveProperty([inFirst('ParamValue')])
  })

  it('[alarm-trigger-digits] a trigger value has at most 15 digits', async () => {
    for (const ParamValue of [123456789012345, -123456789012345, 0.12345678901234, 1234567.12345678])
      expect(await validate(configure([above(p, { ParamValue })]))).toEqual({})
    for (const ParamValue of [1234567890123456, 12345678901.12345])
      expect((await validate(configure([above(p, { ParamValue })])))[inFirst('ParamValue')]).toBe(
        'The trigger value exceeds the maximum length of 15.',
      )
  })

  it.each([
    ['a duration where none is used', { Duration: 5 }, 'Duration'],
    ['no duration where one is needed', { TriggerCondition: 2 }, 'Duration'],
    ['no frequency', { TriggerCondition: 3, Duration: 5 }, 'Frequency'],
    ['a second value without between', { ParamValue2: 5 }, 'ParamValue2'],
    ['a second value that is not greater', { OperateSymbol: 7, ParamValue2: 10 }, 'ParamValue2'],
    ['a deadband of equality', { OperateSymbol: 1, Deadband: 1 }, 'Deadband'],
    [
      'silence that lasts',
      { TriggerStyle: 3, TriggerCondition: 2, Duration: 5, OperateSymbol: null, ParamValue: null },
      'TriggerCondition',
    ],
    ['a point that is not there', { AlarmParams: [{ ParaId: 999_999 }] }, 'AlarmParams.0.ParaId'],
    [
      'a model that is not there',
      { AlarmParams: [{ ParaName: 'Pressure' }], DeviceSelection: { Type: 2, ModelId: 999_999 } },
      'DeviceSelection.ModelId',
    ],
  ])('refuses %s', async (_, more, path) => {
    expect(Object.keys(await validate(configure([above(p, more)])))).toContain(inFirst(path))
    const refused = await area.kit.call('owner', 'POST', '/Alarm/AlarmRule', {
      RuleName: 'Wrong',
      RuleConfigure: configure([above(p, more)]),
    })
    expect(refused).toMatchObject({ Succeeded: false, StatusCode: 400 })
    expect(Object.keys(refused.Details!.Fields!)).toContain(`RuleConfigure.${inFirst(path)}`)
  })

  it.each([
    [
      'a zone that is none',
      { EnableType: 1, EnableRule: { TimeZone: 'Mars', StartTime: '08:00', EndTime: '10:00' } },
      'EnableRule.TimeZone',
    ],
    ['a window of nothing', { EnableType: 1, EnableRule: { TimeZone: 'UTC' } }, 'EnableRule.StartTime'],
    ['a start without an end', { EnableType: 1, EnableRule: { TimeZone: 'UTC', StartTime: '08:00' } }, 'EnableRule.EndTime'],
    ['a cron expression of five parts', { EnableType: 2, EnableRule: { TimeZone: 'UTC', Cron: '* * * * *' } }, 'EnableRule.Cron'],
    ['a window without being asked for one', { EnableRule: { TimeZone: 'UTC' } }, 'EnableRule'],
    ['steps that fall', { Severity: [{ AlarmLevel: 3, ParamValue: 9 }] }, 'Severity.0.ParamValue'],
  ])('refuses %s', async (_, more, path) => {
    expect(Object.keys(await validate(configure([above(p)], more)))).toEqual([path])
  })

  it('a wrong shape is named by its path, and never a server error', async () => {
    expect(await validate({ ...configure([above(p, { TriggerStyle: 9 })]) })).toHaveProperty([inFirst('TriggerStyle')])
    expect(await validate({})).not.toEqual({})
    expect(await validate({ RuleList: 'x' })).not.toEqual({})
  })

  it('another tenant’s point is like one that is not there, for a rule and for a try', async () => {
    const foreign = await area.kit.call('stranger', 'POST', '/Alarm/AlarmRule', {
      RuleName: 'Foreign',
      RuleConfigure: configure([above(p)]),
    })
    expect(foreign).toMatchObject({ Succeeded: false, StatusCode: 400 })
    expect(
      await area.kit.call('stranger', 'POST', '/Alarm/AlarmRule/Try', { RuleConfigure: configure([above(p)]), Days: 1 }),
    ).toMatchObject({ StatusCode: 400 })
  })
})

describe('the calls', () => {
  it('[alarm-rule-fields] [alarm-rule-configure] [alarm-rule-push] [alarm-rule-actions] hold what the specification names', async () => {
    const AlarmPush = {
      AntiShakeDuration: 5,
      AntiShakeUnit: 1,
      AntiShakeFrequency: 3,
      PushStyle: 1,
      AlarmLevel: 2,
      PushUsers: [],
      PushMethods: [{ Method: 1 }],
      NoDisturb: { Enabled: 0, Start: '08:00', End: '10:00', Mode: 2 },
      StepPush: { Enabled: 0, Steps: [] },
      RecoveryNotice: 1,
    }
    const window = { EnableType: 1, EnableRule: { TimeZone: 'Asia/Shanghai', StartTime: '22:00', EndTime: '06:00' } }
    const made = await make(configure([above(p)], window), { Remark: 'Pump 1', AlarmPush, DeviceControl: [], ActionExecution: [] })
    expect(made).toMatchObject({
      RuleName: 'High pressure',
      RuleType: 1,
      Status: 1,
      Enabled: 1,
      Remark: 'Pump 1',
      IsSend: 0,
      IsDelete: 0,
      EnterpriseId: area.kit.enterprises.ours,
      BelongOrganId: null,
      OrganName: null,
      AlarmPush,
      DeviceControl: [],
      ActionExecution: [],
    })
    expect(made.RuleNo).toMatch(/^AR\d{8}\d{4,}$/)
    expect(made.RuleConfigure).toMatchObject({
      ...window,
      LogicSymbol: 1,
      RuleList: [{ Conditions: [{ TriggerStyle: 1, AlarmParams: [{ ParaId: p, ParaName: 'Pressure' }] }] }],
    })
    for (const name of Object.keys(ruleTemplate)) expect(made).toHaveProperty(name)
  })

  it('[alarm-rule-defaults] a rule begins as an alarm, off, without pushes; the defaults of pushes are those of the specification', async () => {
    const made = await make(configure([above(p)]), { Status: undefined })
    expect(made).toMatchObject({ RuleType: 1, Enabled: 0, IsSend: 0, AlarmPush: null })
    expect(alarmRule.fields.RuleType.of).toEqual([1, 2])
    expect(pushDefaults).toMatchObject({
      AntiShakeDuration: 5,
      AntiShakeDurationOfGateways: 10,
      AntiShakeFrequency: 3,
      NoDisturbStart: '08:00',
      NoDisturbEnd: '10:00',
      StepDelay: 10,
    })
  })

  it('[alarm-rule-search] finds by name, kind, number, level, push, state and points', async () => {
    const made = await make(configure([above(p)]), { AlarmLevel: 3 })
    await make(configure([above(q)]), { RuleName: 'Other', RuleType: 2, Status: 0 })
    for (const filter of [
      'RuleName=pressure',
      'RuleType=1',
      `RuleNo=${made.RuleNo}`,
      'AlarmLevel=3',
      'Enabled=1&IsSend=0',
      'ParamNames=Pressure',
    ]) {
      const { Items } = await area.kit.data<Page<Rule>>('owner', 'GET', `/Alarm/AlarmRule/List?${filter}`)
      expect(
        Items.map((r) => r.Id),
        filter,
      ).toEqual([made.Id])
    }
  })

  it('are named by their points, which only the server writes, and the history has it so', async () => {
    const item = { RuleName: 'Told', RuleConfigure: configure([above(q)]), ParamNames: 'Something else' }
    await area.kit.data('owner', 'POST', '/Alarm/AlarmRule/Batch', { Items: [item] })
    const [{ Id, ParamNames }] = (await area.kit.data<Page<Rule>>('owner', 'GET', '/Alarm/AlarmRule/List')).Items as [Rule]
    expect(ParamNames).toMatch(/ Flow$/)
    await area.kit.data('owner', 'PUT', '/Alarm/AlarmRule', { Id, RuleConfigure: configure([above(p)]) })
    const named = await area.kit.db.rows<{ Names: string }>(sql`
      select "After" ->> 'ParamNames' as "Names" from change where "Resource" = 'alarmRule' and "RecordId" = ${Id} order by "Id"`)
    expect(named.map(({ Names }) => Names)).toEqual([ParamNames, expect.stringMatching(/ Pressure$/)])
  })

  it('[enable-disable-calls] are switched on and off by calls of their own', async () => {
    const { Id } = await make(configure([above(p)]), { Status: 0 })
    const enabled = async () => (await area.kit.data<Rule>('owner', 'GET', `/Alarm/AlarmRule?Id=${Id}`)).Enabled
    expect(await area.kit.data('owner', 'POST', '/Alarm/AlarmRule/Enable', { Ids: [Id] })).toEqual({ Changed: 1 })
    expect(await enabled()).toBe(1)
    expect(await area.kit.data('owner', 'POST', '/Alarm/AlarmRule/Disable', { Ids: [Id] })).toEqual({ Changed: 1 })
    expect(await enabled()).toBe(0)
    expect(await area.kit.call('viewer', 'POST', '/Alarm/AlarmRule/Enable', { Ids: [Id] })).toMatchObject({ StatusCode: 403 })
  })

  it('is switched with others, all or none, each with an entry of its own in the history', async () => {
    const { Id } = await make(configure([above(p)]))
    const { Id: off } = await make(configure([above(q)]), { RuleName: 'High flow', Status: 0 })
    const call = (verb: string, Ids: number[]) => area.kit.call('owner', 'POST', `/Alarm/AlarmRule/${verb}`, { Ids })
    const statuses = async () =>
      (await area.kit.db.rows<{ Status: number }>(sql`select "Status" from alarm_rule order by "Id"`)).map((r) => r.Status)
    expect(await call('Disable', [Id, off, 987_654_321])).toMatchObject({ StatusCode: 404 })
    expect(await statuses()).toEqual([1, 0])
    expect(await area.kit.data('owner', 'POST', '/Alarm/AlarmRule/Disable', { Ids: [Id, off, Id] })).toEqual({ Changed: 1 })
    expect(await area.kit.data('owner', 'POST', '/Alarm/AlarmRule/Enable', { Ids: [Id, off] })).toEqual({ Changed: 2 })
    expect(await statuses()).toEqual([1, 1])
    expect(
      await area.kit.db.rows(sql`
        select "RecordId", "Before" -> 'Status' as "Before", "After" -> 'Status' as "After", "After" ->> 'RuleName' as "Name" from change
        where "Resource" = 'alarmRule' and "Verb" = 'update' and "RecordId" in (${Id}, ${off}) order by "Id"`),
    ).toEqual([
      { RecordId: Id, Before: 1, After: 0, Name: 'High pressure' },
      { RecordId: Id, Before: 0, After: 1, Name: 'High pressure' },
      { RecordId: off, Before: 0, After: 1, Name: 'High flow' },
    ])
  })

  it('[alarm-rule-separate-calls] validation, command, plans, send info, points, search and users each have a call', async () => {
    const { Id } = await make(configure([above(p)]))
    const get = (path: string) => area.kit.data<Record<string, unknown>[]>('owner', 'GET', `/Alarm/AlarmRule/${path}`)
    expect(await area.kit.data('owner', 'POST', '/Alarm/AlarmRule/Command', { Ids: [Id], Command: 'copy' })).toEqual({
      Changed: 1,
      LeftOut: [],
    })
    const { Items } = await area.kit.data<Page<Rule>>('owner', 'POST', '/V3/Project/AlarmRules/List', {})
    expect(Items.map((r) => [r.RuleName, r.Enabled])).toEqual([
      ['High pressure (2)', 0],
      ['High pressure', 1],
    ])
    expect(await get('AlarmPlanList')).toEqual([])
    expect(await get(`SendInfo?Id=${Id}`)).toEqual({ IsSend: 0, Users: [], Methods: [] })
    const { DeviceId } = area.registry.get(p)!
    expect((await get(`Para?DeviceIds=${DeviceId}`)).map((x) => x.ParaName)).toEqual(['Pressure', 'Flow', 'Running'])
    expect((await get('ParaSearch?Search=flo')).map((x) => x.ParaId)).toEqual([q])
    const people = await get('User')
    expect(people.length).toBeGreaterThan(0)
    const ofProject = `ProjectId=${area.registry.get(p)!.ProjectId}`
    for (const call of ['User', 'Audience']) {
      expect(await get(`${call}?${ofProject}`)).toEqual(await get(call))
      expect((await area.kit.call('stranger', 'GET', `/Alarm/AlarmRule/${call}?${ofProject}`)).StatusCode).toBe(404)
    }
    // Of the rule's tenant, for any caller.
    // Platform administrators are also offered themselves.
    const offered = await area.kit.data<{ Id: number }[]>('platform', 'GET', `/Alarm/AlarmRule/User?${ofProject}`)
    const self = area.kit.people.get('platform')!.id
    expect(offered.filter((u) => u.Id !== self)).toEqual(people)
    expect(offered).toHaveLength((people as unknown[]).length + 1)
  })

  it('several are made together or not at all', async () => {
    const item = (RuleName: string, more: object = {}) => ({ RuleName, RuleConfigure: configure([above(p, more)]) })
    expect(await area.kit.data('owner', 'POST', '/Alarm/AlarmRule/Batch', { Items: [item('A'), item('B')] })).toEqual({ Added: 2 })
    expect(
      await area.kit.call('owner', 'POST', '/Alarm/AlarmRule/Batch', { Items: [item('C'), item('D', { Duration: 3 })] }),
    ).toMatchObject({ Succeeded: false, StatusCode: 400 })
    expect((await area.kit.data<Page<Rule>>('owner', 'GET', '/Alarm/AlarmRule/List')).TotalCount).toBe(2)
  })
})

it('the list of rules shows current device names to people who see the devices', async () => {
  const { DeviceId } = area.registry.get(p)!
  const made = await make(configure([above(p), above(q), above(bool, { OperateSymbol: 1, ParamValue: 1 })]), { RuleName: 'Named' })
  await area.kit.data('owner', 'PUT', '/Project/Device', { Id: DeviceId, DeviceName: 'Pump 7' })
  const listed = async (as: string) =>
    (await area.kit.data<Page<{ Id: number; DeviceNames: object[] }>>(as, 'GET', '/Alarm/AlarmRule/List')).Items.find(
      (r) => r.Id === made.Id,
    )
  for (const as of ['owner', 'viewer', 'platform'])
    expect(await listed(as), as).toMatchObject({ DeviceNames: [{ Id: DeviceId, DeviceName: 'Pump 7' }] })
  expect(await listed('stranger')).toBeUndefined()
})
