// One fact raises one alarm: a limit's alarm joins the rule's for the same point and side.
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type PushArea, startPushArea } from '../../../../main/testing/alarmPushes.ts'
import { above, configure } from './harness.ts'

let area: PushArea
beforeAll(async () => {
  area = await startPushArea()
})
afterEach(() => area.fresh())
afterAll(() => area.close())

/** Alarms as `rule` or `limit`, with level and whether they are active. */
const alarms = async (point: number) =>
  (await area.alarmsOf(point)).map((a) => {
    const { AlmRuleId, AlarmLevel, IsActive, IsJoined } = a as typeof a & { IsJoined: number }
    return `${AlmRuleId ? 'rule' : 'limit'} ${AlarmLevel} ${IsActive ? 'active' : IsJoined ? 'joined' : 'cleared'}`
  })
const bells = async () => (await area.kit.db.rows(sql`select 1 from notice where "Wording" = 'alarm'`)).length
const make = () => area.makePoint({ AlarmHigh: 90, AlarmLow: 10, ParaUnitName: 'bar' })
const high = { OperateSymbol: 3, ParamValue: 80 }

type Case = { condition?: object; more?: object; rule?: object; readings: number[]; expected: string[] }
const cases: Record<string, Case> = {
  'a rule on the same side: the limit joins its alarm': { readings: [95], expected: ['rule 2 active'] },
  'the limit is passed later': { readings: [85, 95], expected: ['rule 2 active'] },
  'the limit is passed later, of a rule of low level: the higher level counts': {
    rule: { AlarmLevel: 1 },
    readings: [85, 95],
    expected: ['rule 2 active'],
  },
  'both at once, of a rule of low level': { rule: { AlarmLevel: 1 }, readings: [95], expected: ['rule 2 active'] },
  'a rule of high level keeps it': { rule: { AlarmLevel: 3 }, readings: [95], expected: ['rule 3 active'] },
  'the limit was passed first: its alarm ends without a word': {
    condition: { ParamValue: 93 },
    readings: [91, 95],
    expected: ['limit 2 joined', 'rule 2 active'],
  },
  'both are over': { readings: [95, 50], expected: ['rule 2 cleared'] },
  'the limit alone is over': { readings: [95, 85], expected: ['rule 2 active'] },
  'the rule alone is over: the limit is an alarm then': {
    condition: { ParamValue: 93 },
    readings: [95, 92],
    expected: ['rule 2 cleared', 'limit 2 active'],
  },
  'a rule of the other side': {
    condition: { OperateSymbol: 5, ParamValue: 99 },
    readings: [95],
    expected: ['limit 2 active', 'rule 2 active'],
  },
  'a rule between': {
    condition: { OperateSymbol: 7, ParamValue: 80, ParamValue2: 99 },
    readings: [95],
    expected: ['limit 2 active', 'rule 2 active'],
  },
  'a rule of changes': { condition: { TriggerStyle: 2, ParamValue: 5 }, readings: [85, 95], expected: ['limit 2 active', 'rule 2 active'] },
  'a rule that waits: the limit is an alarm until then': {
    condition: { TriggerCondition: 2, Duration: 5 },
    readings: [95],
    expected: ['limit 2 active'],
  },
  'a rule that is not met': { condition: { ParamValue: 99 }, readings: [95], expected: ['limit 2 active'] },
  'a rule that is disabled': { rule: { Status: 0 }, readings: [95], expected: ['limit 2 active'] },
  'a rule outside its window': {
    more: { EnableType: 1, EnableRule: { TimeZone: 'UTC', StartTime: '01:00', EndTime: '02:00' } },
    readings: [95],
    expected: ['limit 2 active'],
  },
}

describe.each(Object.entries(cases))('%s', (_name, { condition, more, rule, readings, expected }) => {
  const run = async (isRestarted: boolean) => {
    const p = await make()
    await area.rule(p, { ...rule, RuleConfigure: configure([above(p, { ...high, ...condition })], more) })
    for (const value of readings) {
      await area.reads(p, value)
      await area.after(1)
      if (isRestarted) await area.restartEngine()
    }
    expect((await alarms(p)).toSorted()).toEqual(expected.toSorted())
  }
  test('in one run', () => run(false))
  test('with restarts between', () => run(true))
})

test('nobody is notified of a limit that joins, nor of its end; once the rule is over, of the limit’s alarm', async () => {
  const p = await make()
  const { Id } = await area.rule(p, { RuleConfigure: configure([above(p, { ...high, ParamValue: 93 })]) })
  await area.reads(p, 95)
  await expect.poll(bells).toBe(1)
  await area.after(1)
  await area.reads(p, 92)
  await expect.poll(bells).toBe(2)
  expect(await alarms(p)).toEqual(['rule 2 cleared', 'limit 2 active'])
  await area.after(1)
  await area.reads(p, 97)
  await area.kit.data('owner', 'POST', '/Alarm/AlarmRule/Disable', { Ids: [Id] })
  await area.settle()
  await area.after(1)
  await expect
    .poll(async () => (await alarms(p)).toSorted())
    .toEqual(['limit 2 active', 'limit 2 joined', 'rule 2 cleared', 'rule 2 cleared'])
})
