// A person of the platform receives the alarms of a company: by his own choice alone, and as a name.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type PushArea, startPushArea } from '../../../../main/testing/alarmPushes.ts'

let area: PushArea
let point: number
let admin: number
beforeAll(async () => {
  area = await startPushArea()
  point = await area.makePoint({ AlarmLow: null, AlarmHigh: null, ParaName: 'Level' })
  admin = area.kit.people.get('platform')!.id
  await area.kit.db.rows(sql`update "user" set "UserName" = 'Ada Admin', "Phone" = '+34600111222' where "Id" = ${admin}`)
  await area.kit.person('another', area.kit.people.get('platform')!.enterprise, { platform: true })
})
afterAll(() => area.close())

const push = (...PushUsers: number[]) => ({ PushUsers, PushMethods: [{ Method: 1 }, { Method: 3 }], PushStyle: 1 })
const owner = () => area.kit.people.get('owner')!.id
type Refused = { Details?: { Fields?: Record<string, string[]> } }
const change = (as: string, Id: number, AlarmPush: object) =>
  area.kit.call(as, 'PUT', '/Alarm/AlarmRule', { Id, AlarmPush }) as Promise<Refused>

it('only he can add himself to a rule, and the company sees only his name', async () => {
  const { kit } = area
  const rule = await area.rule(point, { RuleName: 'High level', IsSend: 1, AlarmPush: push(owner()) })
  // No person of the company, and no other platform administrator.
  for (const as of ['owner', 'another'])
    expect((await change(as, rule.Id, push(owner(), admin))).Details?.Fields, as).toHaveProperty(['AlarmPush.PushUsers'])
  const acting = { ActionExecution: [{ Type: 5, PushUsers: [admin] }] }
  expect((await kit.call('owner', 'PUT', '/Alarm/AlarmRule', { Id: rule.Id, ...acting })).Details?.Fields).toHaveProperty([
    'ActionExecution.0.PushUsers',
  ])
  const project = (await kit.data<{ ProjectId: number }>('owner', 'GET', `/Alarm/AlarmRule?Id=${rule.Id}`)).ProjectId
  const offered = (as: string) => kit.data<{ Id: number }[]>(as, 'GET', `/Alarm/AlarmRule/User?ProjectId=${project}`)
  expect((await offered('owner')).map((u) => u.Id)).not.toContain(admin)
  expect((await offered('platform')).map((u) => u.Id)).toContain(admin)

  expect(await change('platform', rule.Id, push(owner(), admin))).toMatchObject({ Succeeded: true })
  // A person who changes the rule later keeps this receiver, and may remove it.
  expect(await change('owner', rule.Id, push(admin, owner()))).toMatchObject({ Succeeded: true })
  const seen = (await offered('owner')).find((u) => u.Id === admin)
  expect(seen).toEqual({ Id: admin, UserName: 'Ada Admin', UserNO: '' })
  expect((await kit.data<{ Users: { Id: number }[] }>('owner', 'GET', `/Alarm/AlarmRule/SendInfo?Id=${rule.Id}`)).Users).toContainEqual({
    Id: admin,
    UserName: 'Ada Admin',
  })

  await area.reads(point, 50)
  expect(area.mails().toSorted()).toEqual(['owner: High level', 'platform: High level'])
  const bell = await kit.db.rows<{ PushTitle: string }>(sql`select "PushTitle" from notice where "UserIds" @> to_jsonb(${admin}::bigint)`)
  expect(bell.map((n) => n.PushTitle).join()).toContain('High level')
  const alarm = (await area.alarmsOf(point)).at(-1)!.Id
  const told = await kit.call('owner', 'GET', `/Alarm/AlarmInfo/PushTimeline?Id=${alarm}`)
  const log = await kit.call('owner', 'GET', '/Alarm/AlmPushRecord/List')
  const shown = JSON.stringify([told, log, await offered('owner')])
  expect(shown).toContain('Ada Admin')
  for (const secret of ['platform@', 'p***', '+34600111222', '+346****22']) expect(shown).not.toContain(secret)
  expect((await kit.call('owner', 'GET', `/System/User?Id=${admin}`)).StatusCode).toBe(404)

  // No longer of the platform: no longer notified.
  await kit.db.rows(sql`update role set "Status" = 0 where "RoleName" = 'platform'`)
  await area.reads(point, 5)
  expect(area.mails().filter((m) => m.startsWith('platform'))).toHaveLength(1)
  await kit.db.rows(sql`update role set "Status" = 1 where "RoleName" = 'platform'`)
  expect(await change('owner', rule.Id, push(owner()))).toMatchObject({ Succeeded: true })
  expect((await change('owner', rule.Id, push(owner(), admin))).Details?.Fields).toHaveProperty(['AlarmPush.PushUsers'])
})

it('a copy by somebody else leaves him out, names him and still notifies the others', async () => {
  const { kit } = area
  const copy = (as: string, Id: number) =>
    kit.data<{ LeftOut: string[] }>(as, 'POST', '/Alarm/AlarmRule/Command', { Ids: [Id], Command: 'copy' })
  type Copied = { Id: number; RuleName: string; IsSend: number; AlarmPush: { PushUsers: number[] }; ActionExecution: object[] | null }
  const newest = async () => (await kit.data<{ Items: Copied[] }>('owner', 'GET', '/Alarm/AlarmRule/List?PageSize=1')).Items[0]!
  const rule = await area.rule(point, { RuleName: 'Shared', IsSend: 1, AlarmPush: push(owner()) })
  const step = { Delay: 10, PushUsers: [owner(), admin], PushMethods: [{ Method: 1 }] }
  const actions = [
    { Type: 5, PushUsers: [admin] },
    { Type: 5, PushUsers: [owner(), admin] },
  ]
  const AlarmPush = { ...push(owner(), admin), StepPush: { Enabled: 1, Steps: [step] } }
  await kit.data('platform', 'PUT', '/Alarm/AlarmRule', { Id: rule.Id, AlarmPush, ActionExecution: actions })

  expect(await copy('owner', rule.Id)).toEqual({ Changed: 1, LeftOut: ['Ada Admin'] })
  expect(await newest()).toMatchObject({
    IsSend: 1,
    AlarmPush: { PushUsers: [owner()], StepPush: { Steps: [{ PushUsers: [owner()] }] } },
    ActionExecution: [{ Type: 5, PushUsers: [owner()] }],
  })
  // He himself stays in a copy of his own.
  expect(await copy('platform', rule.Id)).toEqual({ Changed: 1, LeftOut: [] })
  expect((await newest()).AlarmPush.PushUsers).toEqual([owner(), admin])

  await kit.data('platform', 'PUT', '/Alarm/AlarmRule', { Id: rule.Id, AlarmPush: push(admin), ActionExecution: [] })
  expect(await copy('owner', rule.Id)).toMatchObject({ LeftOut: ['Ada Admin'] })
  expect(await newest()).toMatchObject({ IsSend: 0, AlarmPush: { PushUsers: [] } })
})
