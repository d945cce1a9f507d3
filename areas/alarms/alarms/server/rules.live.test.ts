import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Row } from '../../../../contract/resource.ts'
import type { alarmRule } from '../../alarm-rules/contract.ts'
import { type Area, above, at, base, configure, openJournal, startArea } from './harness.ts'

type Rule = Row<typeof alarmRule>
let area: Area
let p: number
const free = { AlarmLow: null, AlarmHigh: null }
beforeAll(async () => {
  area = await startArea()
  p = await area.makePoint({ ...free, ParaName: 'Pressure' })
})
afterEach(() => area.reset())
afterAll(() => area.kit.close())

const make = (RuleConfigure: object, more: object = {}) =>
  area.kit.data<Rule>('owner', 'POST', '/Alarm/AlarmRule', { RuleName: 'High pressure', Status: 1, RuleConfigure, ...more })
const standing = async (of: number) => (await area.alarmsOf(of)).map((a) => [a.RuleName, a.AlarmLevel, a.IsActive])

describe('rules in the running engine', () => {
  it('a rule raises an alarm of its name and level, recovers it, and says when it last did', async () => {
    const journal = openJournal()
    const { alarms, pushed } = area.start(journal)
    const rule = await make(configure([above(p, { Deadband: 1 })]), { AlarmLevel: 3 })
    await alarms.idle()
    journal.write(at(p, 0, 5), at(p, 1, 11), at(p, 2, 9.5))
    await alarms.idle()
    expect(await standing(p)).toEqual([['High pressure', 3, 1]])
    journal.write(at(p, 3, 9))
    await alarms.idle()
    const [alarm] = await area.alarmsOf(p)
    expect(alarm).toMatchObject({ IsActive: 0, AlmRuleId: rule.Id, LimitValue: 10, TriggerValue: 11, LastValue: 9, HandleStatus: 1 })
    expect(pushed.map((t) => t.Event)).toEqual(['raised', 'recovered'])
    expect((await area.kit.data<Rule>('owner', 'GET', `/Alarm/AlarmRule?Id=${rule.Id}`)).LastTriggerTime).toBe('2026-06-01 12:00:01')
  })

  it('an alarm keeps the priority its rule had when it was raised; lists are filtered and sorted by it', async () => {
    const journal = openJournal()
    const { alarms } = area.start(journal)
    const rules: Rule[] = []
    for (const [RuleName, Priority] of [
      ['A', 3],
      ['B', undefined],
      ['C', 1],
    ] as const)
      rules.push(await make(configure([above(p)]), { RuleName, ...(Priority ? { Priority } : {}) }))
    await alarms.idle()
    journal.write(at(p, 0, 50))
    await alarms.idle()
    await area.kit.data('owner', 'PUT', '/Alarm/AlarmRule', { Id: rules[2]!.Id, Priority: 3 })
    const named = async (query: string) => (await area.list('owner', query)).map((a) => `${a.RuleName}${a.Priority}`)
    expect(await named('&IsActive=1&OrderColumn=Priority&OrderType=asc')).toEqual(['C1', 'B2', 'A3'])
    expect(await named('&IsActive=1&OrderColumn=Priority&OrderType=desc')).toEqual(['A3', 'B2', 'C1'])
    expect(await named('&Priority=1')).toEqual(['C1'])
  })

  it('an alarm comes with the plan of its rule, is raised when that was removed, and keeps it when it is handled without one', async () => {
    const journal = openJournal()
    const { alarms } = area.start(journal)
    const add = (PlanName: string) => area.kit.data<{ Id: number }>('owner', 'POST', '/Alarm/AlarmPlan', { PlanName, Content: 'Close V1.' })
    const plan = await add('Overpressure')
    const foreign = await area.kit.data<{ Id: number }>('stranger', 'POST', '/Alarm/AlarmPlan', { PlanName: 'Theirs' })
    const draft = { RuleName: 'With a plan', Status: 1, RuleConfigure: configure([above(p)]) }
    expect(await area.kit.call('owner', 'POST', '/Alarm/AlarmRule', { ...draft, AlmPlanId: foreign.Id })).toMatchObject({ StatusCode: 400 })
    const rule = await make(configure([above(p)]), { RuleName: 'With a plan', AlmPlanId: plan.Id })
    await alarms.idle()
    journal.write(at(p, 0, 11))
    await alarms.idle()
    const [alarm] = await area.alarmsOf(p)
    expect(alarm).toMatchObject({ AlmPlanId: plan.Id })
    // In use.
    expect(await area.kit.call('owner', 'DELETE', '/Alarm/AlarmPlan', { Ids: [plan.Id] })).toMatchObject({ StatusCode: 409 })
    await area.kit.data('owner', 'POST', '/Alarm/AlarmInfo/HandleAndPlan', { Ids: [alarm!.Id], HandleDesc: 'Closed' })
    expect((await area.alarmsOf(p))[0]).toMatchObject({ HandleStatus: 2, AlmPlanId: plan.Id })
    // The engine still has the plan of before.
    await area.kit.db.rows(sql`update alarm_rule set "AlmPlanId" = null where "Id" = ${rule.Id}`)
    await area.kit.db.rows(sql`update alarm_info set "AlmPlanId" = null`)
    await area.kit.data('owner', 'DELETE', '/Alarm/AlarmPlan', { Ids: [plan.Id] })
    journal.write(at(p, 10, 5), at(p, 20, 11))
    await alarms.idle()
    expect((await area.alarmsOf(p)).at(-1)).toMatchObject({ IsActive: 1, AlmPlanId: null })
  })

  it('is edited while it runs: a limit that moves ends or begins its alarm, and so do off, on and removal', async () => {
    const journal = openJournal()
    const { alarms } = area.start(journal)
    journal.write(at(p, 0, 50))
    const { Id } = await make(configure([above(p)]))
    const active = async () => {
      await alarms.idle()
      return (await area.alarmsOf(p)).filter((a) => a.IsActive).length
    }
    expect(await active()).toBe(1)
    await area.kit.data('owner', 'PUT', '/Alarm/AlarmRule', { Id, RuleConfigure: configure([above(p, { ParamValue: 60 })]) })
    expect(await active()).toBe(0)
    await area.kit.data('owner', 'PUT', '/Alarm/AlarmRule', { Id, RuleConfigure: configure([above(p, { ParamValue: 40 })]) })
    expect(await active()).toBe(1)
    await area.kit.data('owner', 'POST', '/Alarm/AlarmRule/Disable', { Ids: [Id] })
    expect(await active()).toBe(0)
    await area.kit.data('owner', 'POST', '/Alarm/AlarmRule/Enable', { Ids: [Id] })
    expect(await active()).toBe(1)
    await area.kit.data('owner', 'DELETE', '/Alarm/AlarmRule', { Ids: [Id] })
    expect(await active()).toBe(0)
  })

  it('goes on after the end of the process where it was: nothing is raised twice, no recovery is missed', async () => {
    const journal = openJournal()
    area.setClock(base)
    const first = area.start(journal, {}, true)
    await make(configure([above(p, { TriggerCondition: 3, Frequency: 2, Duration: 3600 })]))
    await first.alarms.idle()
    journal.write(at(p, 0, 5), at(p, 1, 11), at(p, 2, 5), at(p, 3, 11))
    await first.alarms.idle()
    expect(await standing(p)).toEqual([['High pressure', 2, 1]])
    journal.kill()
    journal.write(at(p, 4, 5))
    area.setClock(base + 10_000)
    const second = area.start(journal, {}, true)
    await second.alarms.idle()
    expect(second.pushed).toEqual([])
    journal.write(at(p, 3700, 5))
    await second.alarms.idle()
    expect((await area.alarmsOf(p)).map((a) => [a.IsActive, a.RecoverTime?.getTime()])).toEqual([[0, base + 3601_000]])
  })

  it('of a rule for all devices of a project each device has its alarm, also one that is made later', async () => {
    const journal = openJournal()
    const { alarms } = area.start(journal)
    const { ProjectId } = area.registry.get(p)!
    const all = {
      TriggerStyle: 1,
      TriggerCondition: 1,
      OperateSymbol: 3,
      ParamValue: 10,
      AlarmParams: [{ ParaName: 'Pressure' }],
      DeviceSelection: { Type: 3, ProjectId },
    }
    await make(configure([all]))
    await alarms.idle()
    const { GatewayId } = area.registry.get(p)!
    const device = await area.kit.data<{ Id: number }>('owner', 'POST', '/Project/Device', {
      DeviceName: 'Made later',
      GatewayId,
      NetProtocolId: (
        await area.kit.db.rows<{ NetProtocolId: number }>(
          sql`select "NetProtocolId" from device where "Id" = ${area.registry.get(p)!.DeviceId}`,
        )
      )[0]!.NetProtocolId,
    })
    const later = await area.makePoint({ ...free, DeviceId: device.Id, ParaName: 'Pressure' })
    await alarms.idle()
    journal.write(at(p, 0, 11), at(later, 0, 11))
    await alarms.idle()
    expect(await standing(p)).toEqual([['High pressure', 2, 1]])
    expect(await standing(later)).toEqual([['High pressure', 2, 1]])
  })

  it('a gateway that is away is one alarm, and its devices’ silence is none', async () => {
    const journal = openJournal()
    const { alarms } = area.start(journal)
    const { GatewayId, EnterpriseId } = area.registry.get(p)!
    await make(configure([{ TriggerStyle: 3, TriggerCondition: 1, Duration: 1, AlarmParams: [{ ParaId: p }] }]))
    const turn = async (status: number) => {
      area.registry.gatewayById(GatewayId)!.OnlineStatus = status as 0
      area.kit.database.system.emit({ resource: 'gateway', id: GatewayId, verb: 'update', EnterpriseId })
      await alarms.idle()
    }
    await turn(0)
    const of = () =>
      area.kit.db.rows<{ AlarmType: number; IsActive: number }>(sql`select "AlarmType", "IsActive" from alarm_info order by "Id"`)
    expect((await of()).filter((a) => a.AlarmType === 2)).toEqual([{ AlarmType: 2, IsActive: 1 }])
    await turn(0)
    await turn(1)
    expect((await of()).filter((a) => a.AlarmType === 2)).toEqual([{ AlarmType: 2, IsActive: 0 }])
  })
})

describe('trying a rule', () => {
  /** Silent for six seconds of each twenty. */
  const values = (n: number) =>
    Array.from({ length: n }, (_, i) => at(p, i, Math.round(10 + 6 * Math.sin(i / 9) + 4 * Math.sin(i / 2.7)))).filter(
      (_, i) => i % 20 < 14,
    )
  it.each([
    ['a limit', configure0([{}])],
    ['a limit with a deadband', configure0([{ Deadband: 3 }])],
    ['one that lasts', configure0([{ TriggerCondition: 2, Duration: 4 }])],
    ['one that comes often', configure0([{ TriggerCondition: 3, Duration: 40, Frequency: 2 }])],
    ['a change', configure0([{ TriggerStyle: 2, ParamValue: 1 }])],
    ['a look now and then', configure0([{ TriggerStyle: 4, Duration: 7 }])],
    ['steps', configure0([{}], { Severity: [{ AlarmLevel: 3, ParamValue: 15 }] })],
    ['a hold-off', configure0([{}], { HoldOff: 5 })],
    ['silence', configure0([{ TriggerStyle: 3, OperateSymbol: null, ParamValue: null, Duration: 4 }])],
    ['a window', configure0([{}], { EnableType: 1, EnableRule: { TimeZone: 'UTC', StartTime: '12:01', EndTime: '12:03' } })],
    ['two conditions', configure0([{ ParamValue: 5 }, { OperateSymbol: 7, ParamValue: 8, ParamValue2: 14 }])],
    ['a cron expression', configure0([{}], { EnableType: 2, EnableRule: { TimeZone: 'UTC', Cron: '0/5 * * * * ?' } })],
  ])('finds the alarms that the running engine raises on the same readings: %s', async (_, of) => {
    const journal = openJournal()
    area.setClock(base - 1000)
    const { alarms } = area.start(journal, {}, true)
    const RuleConfigure = of(p)
    await make(RuleConfigure)
    await alarms.idle()
    for (const sample of values(200)) {
      area.setClock(sample.time)
      journal.write(sample)
      await alarms.idle()
    }
    area.setClock(base + 200_000)
    await alarms.idle()
    const live = (await area.alarmsOf(p)).map((a) => ({
      Start: a.StartTime.getTime(),
      End: a.RecoverTime?.getTime() ?? null,
      AlarmLevel: a.AlarmLevel,
      Value: a.TriggerValue,
    }))
    const tried = await area.kit.data<{ Alarms: (typeof live)[number][] }>('owner', 'POST', '/Alarm/AlarmRule/Try', {
      RuleConfigure,
      AlarmLevel: 2,
      Days: 1,
    })
    expect(live.length).toBeGreaterThan(1)
    // Before the rule was made nothing was read: that silence is an alarm of the trial alone.
    const found = tried.Alarms.filter(({ Start }) => Start >= base)
    expect(found.map(({ Start, End, AlarmLevel, Value }) => ({ Start, End, AlarmLevel, Value }))).toEqual(live)
  })
})

function configure0(conditions: object[], more: object = {}) {
  return (ParaId: number) =>
    configure(
      conditions.map((c) => above(ParaId, c)),
      more,
    )
}
