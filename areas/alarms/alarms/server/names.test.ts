import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page, Wrapper } from '../../../../contract/call.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'

type Alarm = { Id: number; RuleName: string; AlmNo: string }
let kit: Kit
beforeAll(async () => {
  kit = await startKit()
})
afterAll(() => kit?.close())

const raise = async (
  RuleName: string,
  { start = '2026-11-21T10:00:00Z', fault = null as number | null, enterprise = kit.enterprises.ours } = {},
) => {
  const [made] = await kit.db.rows<{ Id: number; AlmNo: string }>(sql`
    insert into alarm_info ("EnterpriseId", "AlmNo", "RuleName", "AlarmType", "GatewayFault", "StartTime", "IsActive", "HandleStatus")
    values (${enterprise}, '', ${RuleName}, ${fault ? 2 : 1}, ${fault}, ${start}::timestamptz, 0, 1) returning "Id", "AlmNo"`)
  return made!
}
const ask = async (path: string, language = 'en', as = 'owner') =>
  (await kit.request(as, 'GET', path, undefined, { 'accept-language': language })).json<Wrapper<Page<Alarm>>>()
const found = async (query: Record<string, string>, language = 'en', as = 'owner') => {
  const { Data } = await ask(`/Alarm/AlarmInfo/List?${new URLSearchParams(query)}`, language, as)
  return Data!.Items.map((a) => a.RuleName)
}

test('an alarm of a gateway is named in the language of its reader, in lists, alone and in sheets', async () => {
  const { Id } = await raise('Pump house: offline', { fault: 1 })
  await raise('Pump house: storage', { fault: 3 })
  await raise('Pump house: offline')
  const names = (language: string) => found({ OrderColumn: 'Id', RuleName: 'Pump house' }, language)
  expect(await names('zh')).toEqual(['Pump house：离线', 'Pump house：存储满', 'Pump house: offline'])
  expect(await names('es')).toEqual(['Pump house: Sin conexión', 'Pump house: Memoria llena', 'Pump house: offline'])
  for (const [method, path] of [
    ['GET', `/Alarm/AlarmInfo?Id=${Id}`],
    ['POST', '/AlarmManagement/AlarmInfo/Detail'],
  ] as const) {
    const answer = await kit.request('owner', method, path, method === 'POST' ? { Id } : undefined, { 'accept-language': 'ja' })
    expect(answer.json<Wrapper<Alarm>>().Data).toMatchObject({ Id, RuleName: 'Pump house：オフライン' })
  }
  for (const path of ['AlarmInfo', 'GatewayAlarmInfo']) {
    const sheet = await kit.request('owner', 'GET', `/Alarm/${path}/Output?Format=csv&Fields=RuleName&Search=%E7%A6%BB`, undefined, {
      'accept-language': 'zh',
    })
    expect(sheet.body.split('\r\n').slice(1)).toEqual(['Pump house：离线', ''])
  }
})

test('a part of a name is looked for in what the reader sees, alone and beside other conditions', async () => {
  await raise('Well 7: power', { fault: 2 })
  await raise('Well 7 level > 100%_')
  expect(await found({ Search: '7：断' }, 'zh')).toEqual(['Well 7：断电'])
  expect(await found({ RuleName: 'corte' }, 'es')).toEqual(['Well 7: Corte de alimentación'])
  expect(await found({ Search: 'power' }, 'zh')).toEqual([])
  expect(await found({ Search: '0%_' })).toEqual(['Well 7 level > 100%_'])
  expect(await found({ Search: 'WELL', AlarmType: '2' })).toEqual(['Well 7: Power cut'])
  const either = {
    RelOP: 2,
    QueryConditions: [
      { Field: 'RuleName', Value: '断电' },
      { Field: 'RuleName', Value: 'level', LogicOP: 1 },
    ],
  }
  expect((await found({ QueryInfo: JSON.stringify(either) }, 'zh')).sort()).toEqual(['Well 7 level > 100%_', 'Well 7：断电'])
  expect(await found({ Search: 'nothing is called so' })).toEqual([])
})

test('an alarm is found by its number: whole, by its beginning, by the part after the day', async () => {
  const { Id, AlmNo } = await raise('Numbered', { start: '2024-02-29T23:59:59Z' })
  expect(AlmNo).toBe(`AL20240229-${Id}`)
  for (const text of [AlmNo, AlmNo.toLowerCase(), 'AL20240229', 'AL20240229-', 'AL202402', 'AL2024022', 'AL2024', String(Id), `-${Id}`])
    expect([text, await found({ Search: text })]).toEqual([text, ['Numbered']])
  for (const text of ['AL20240301', 'AL20240230', 'AL2023', 'AL00000000', 'AL20241399-1', '999999999999999', `AL20240229-${Id}0`])
    expect([text, await found({ Search: text })]).toEqual([text, []])
  expect((await found({ Search: 'AL202' })).length).toBeGreaterThan(1)
})

test('a text that is in very many names finds them too, and one of another tenant finds nothing of theirs', async () => {
  const of = (enterprise: number, name: string, count: number) =>
    kit.db.rows(sql`
      insert into alarm_info ("EnterpriseId", "AlmNo", "RuleName", "StartTime", "IsActive", "HandleStatus", "GatewayFault")
      select ${enterprise}, '', ${name} || n || case when n % 2 = 0 then ': offline' else '' end, now(), 0, 1, case when n % 2 = 0 then 1 end from generate_series(1, ${count}::int) n`)
  await of(kit.enterprises.ours, 'Many ', 602)
  await of(kit.enterprises.theirs, 'Many theirs ', 3)
  const count = async (query: string, as = 'owner') => (await ask(`/Alarm/AlarmInfo/List?${query}`, 'zh', as)).Data!.TotalCount
  expect(await count('Search=many')).toBe(602)
  expect(await count(`Search=many&RuleName=${encodeURIComponent('：离线')}`)).toBe(301)
  expect(await count('Search=theirs')).toBe(0)
  expect(await count('Search=theirs', 'stranger')).toBe(3)
  expect(await count('Search=theirs', 'platform')).toBe(3)
  expect(await count('Search=many', 'platform')).toBe(605)
  expect(await count('Search=many', 'stranger')).toBe(3)
})
