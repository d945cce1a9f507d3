// An alarm's facts about its value, from the reading to the list and the messages.
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Language } from '../../../../contract/languages.ts'
import { type PushArea, startPushArea } from '../../../../main/testing/alarmPushes.ts'
import { above, configure } from './harness.ts'

let area: PushArea
beforeAll(async () => {
  area = await startPushArea()
})
afterEach(() => area.fresh())
afterAll(() => area.close())

const without = { AlarmLow: null, AlarmHigh: null }
const messages = { IsSend: 1, AlarmPush: { PushUsers: [], PushMethods: [{ Method: 7 }], RecoveryNotice: 1 } }
const rule = (point: number, condition: object, more: object = {}) =>
  area.rule(point, { ...messages, RuleConfigure: configure([above(point, condition)], more) })
const said = async (point: number, language?: Language) => {
  const { Items } = (
    await area.kit.request(
      'owner',
      'GET',
      `/Alarm/AlarmInfo/List?ParaId=${point}&OrderType=asc`,
      undefined,
      language && { 'accept-language': language },
    )
  ).json().Data as { Items: { AlarmDesc: string }[] }
  return Items.map((a) => a.AlarmDesc)
}
const sent = () => area.providers.inbox.map(({ body }) => body.Content as string)

test('a low rule shows value and limit, and afterwards the minimum and duration, in the list and in messages', async () => {
  const p = await area.makePoint({ ...without, ParaName: 'Pressure', ParaUnitName: 'bar' })
  await rule(p, { OperateSymbol: 5, ParamValue: 3.9 })
  await area.reads(p, 3.824)
  expect(await said(p)).toEqual(['3.82 bar (limit < 3.9)'])
  expect(sent()[0]).toContain(': 3.82 bar (limit < 3.9). Level: Medium.')
  await area.after(60)
  await area.reads(p, 3.81)
  await area.after(37)
  await area.reads(p, 5.2)
  expect(await said(p)).toEqual(['min 3.81 bar, 1 min 37 s'])
  expect(await said(p, 'zh')).toEqual(['最低 3.81 bar，持续 1 分 37 秒'])
  // The reader may be in another time zone.
  expect(sent()[1]).toMatch(
    /: min 3\.81 bar, 1 min 37 s\. Raised at 2026-06-01 [\d:]{8} \([\w/]+\), cleared at 2026-06-01 [\d:]{8} \([\w/]+\)\./,
  )
})

test('between, outside, Bool and several conditions say no more than they know', async () => {
  const unit = { ...without, ParaUnitName: '°C' }
  const [between, outside, several] = [await area.makePoint(unit), await area.makePoint(unit), await area.makePoint(unit)]
  const airlock = await area.makePoint({
    ...without,
    ParaDataType: 0,
    ZeroText: 'OK',
    OneText: 'Airlock',
    ProjectLow: null,
    ProjectHigh: null,
  })
  await rule(between, { OperateSymbol: 7, ParamValue: 3, ParamValue2: 5 })
  await rule(outside, { OperateSymbol: 8, ParamValue: 3, ParamValue2: 5 })
  await rule(airlock, { OperateSymbol: 1, ParamValue: 1 })
  await area.rule(several, { RuleConfigure: configure([above(several), above(several, { ParamValue: 11 })]) })
  for (const [point, value] of [
    [between, 4],
    [outside, 1.5],
    [airlock, 1],
    [several, 20],
  ] as const)
    await area.reads(point, value)
  expect([await said(between), await said(outside), await said(airlock), await said(several)].flat()).toEqual([
    '4 °C (alarm between 3 and 5)',
    '1.5 °C (limits 3 to 5)',
    'Airlock',
    '20 °C',
  ])
  await area.after(5)
  await area.reads(outside, 9)
  await area.after(5)
  for (const [point, value] of [
    [between, 7],
    [outside, 4],
    [airlock, 0],
    [several, 1],
  ] as const)
    await area.reads(point, value)
  expect([await said(between), await said(outside), await said(airlock), await said(several)].flat()).toEqual([
    'alarm between 3 and 5, 10 s',
    'max 9 °C, 10 s',
    'Airlock, 10 s',
    '10 s',
  ])
})

test('a higher level moves the limit, and so does an edit of the rule', async () => {
  const p = await area.makePoint({ ...without, ParaUnitName: 'bar' })
  const { Id } = await rule(p, {}, { Severity: [{ AlarmLevel: 3, ParamValue: 80 }] })
  await area.reads(p, 50)
  expect(await said(p)).toEqual(['50 bar (limit > 10)'])
  await area.after(1)
  await area.reads(p, 85)
  expect(await said(p)).toEqual(['85 bar (limit > 80)'])
  const RuleConfigure = configure([above(p, { ParamValue: 20 })])
  await area.kit.data('owner', 'PUT', '/Alarm/AlarmRule', { Id, RuleConfigure })
  await area.settle()
  await area.after(1)
  await area.reads(p, 60)
  await area.settle()
  expect((await area.alarmsOf(p)).map((a) => [a.LimitValue, a.ExtremeValue])).toEqual([[20, 85]])
  await area.reads(p, 1)
  expect(await said(p)).toEqual(['max 85 bar, 2 s'])
})

test('a limit alarm shows the limit it crossed even after that limit changes, and the next alarm shows the new limit', async () => {
  const p = await area.makePoint({ AlarmLow: null, AlarmHigh: 90, ParaUnitName: 'bar' })
  const names = async () => (await area.alarmsOf(p)).map((a) => [a.LimitValue, a.IsActive])
  await area.reads(p, 95)
  await area.kit.data('owner', 'PUT', '/Project/DevPara', { Id: p, AlarmHigh: 93 })
  await area.settle()
  await area.after(1)
  await area.reads(p, 96)
  expect([await said(p), await names()]).toEqual([[expect.stringContaining('bar (limit > 90)')], [[90, 1]]])
  await area.after(1)
  await area.reads(p, 92)
  expect(await said(p)).toEqual(['max 96 bar, 2 s'])
  await area.after(1)
  await area.reads(p, 94)
  expect(await said(p)).toContain('94 bar (limit > 93)')
  expect((await names()).toSorted()).toEqual([
    [90, 0],
    [93, 1],
  ])
})

test('alarms of earlier versions state what was stored with them', async () => {
  const p = await area.makePoint({ ParaUnitName: 'bar' })
  const project = area.registry.get(p)!.ProjectId
  for (const [Limit, RuleId, IsActive] of [
    ['low', null, 1],
    ['low', null, 0],
    [null, 7, 1],
  ] as const)
    await area.kit.db.rows(sql`
      insert into alarm_info ("EnterpriseId", "ProjectId", "ParaId", "AlmNo", "RuleName", "Limit", "LimitValue", "TriggerValue", "LastValue", "StartTime", "RecoverTime", "IsActive", "Subject")
      values (${area.kit.enterprises.ours}, ${project}, ${p}, '', 'Old', ${Limit}, 10, 8, ${IsActive ? 8.5 : 50}, '2026-06-01T12:00:00Z', ${IsActive ? null : '2026-06-01T14:05:00Z'}, ${IsActive}, ${`old ${Limit} ${RuleId} ${IsActive}`})`)
  expect((await said(p)).toSorted()).toEqual(['8.5', '8.5 (limit < 10)', 'limit < 10, 2 h 5 min'])
})

test('the bell keeps the facts, so that each reader has them in his own language', async () => {
  const p = await area.makePoint({ AlarmLow: null, AlarmHigh: 90, ParaUnitName: 'bar' })
  await area.reads(p, 95.5)
  const contents = async () =>
    (await area.kit.db.rows<{ WordValues: { Facts: object } }>(sql`select "WordValues" from notice where "Wording" = 'alarm'`)).map(
      ({ WordValues }) => WordValues.Facts,
    )
  await expect.poll(contents).toMatchObject([{ OperateSymbol: 3, LimitValue: 90, TriggerValue: 95.5, ParaUnitName: 'bar' }])
})
