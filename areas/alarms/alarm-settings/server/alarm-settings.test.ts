import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { readSettings } from '../../../../server/resource/settings.ts'
import { alarmReminder, standardUserSetting, type UserSetting } from '../contract.ts'
import { deliveryTime, quietFor, settingsOf } from './service.ts'

let kit: Kit
beforeAll(async () => {
  kit = await startKit()
})
afterAll(() => kit?.close())

const mine = '/Alarm/AlarmUserSetting'
const nights: UserSetting = {
  ...standardUserSetting,
  ...{ Levels: [2, 3], Types: [1], Methods: [1, 3] },
  NoDisturb: { Enabled: 1, Start: '22:00', End: '06:00', Mode: 2 },
  Sound: 0,
}

describe('what reaches a person', () => {
  it('is everything until he changes it, and then his choice', async () => {
    expect(await kit.data('owner', 'GET', mine)).toEqual(standardUserSetting)
    expect(await kit.data('owner', 'PUT', mine, nights)).toEqual(nights)
    expect(await kit.data('owner', 'GET', mine)).toEqual(nights)
    const [owner, viewer] = ['owner', 'viewer'].map((name) => kit.people.get(name)!.id)
    expect(await settingsOf(kit.db, [owner!, viewer!])).toEqual(
      new Map([
        [owner, nights],
        [viewer, standardUserSetting],
      ]),
    )
  })

  it('refuses what cannot be, by field', async () => {
    for (const [field, wrong] of [
      ['Levels', { Levels: [4] }],
      ['Methods', { Methods: [1, 1] }],
      ['NoDisturb', { NoDisturb: { ...nights.NoDisturb, Start: '24:00' } }],
    ] as const) {
      const answer = await kit.call<unknown>('owner', 'PUT', mine, { ...nights, ...wrong })
      expect(answer.StatusCode).toBe(400)
      expect(Object.keys(answer.Details!.Fields!)[0]).toContain(field)
    }
  })

  it('is read and set for others with the right, and only in the own tenant', async () => {
    const [viewer, stranger] = ['viewer', 'stranger'].map((name) => kit.people.get(name)!.id)
    expect(await kit.data('owner', 'PUT', `${mine}/User`, { UserIds: [viewer], Setting: nights })).toEqual({ Changed: 1 })
    const people = await kit.data<{ Items: ({ UserId: number } & UserSetting)[]; TotalCount: number }>(
      'owner',
      'GET',
      `${mine}/List?PageSize=100`,
    )
    expect(people.Items.find((p) => p.UserId === viewer)).toMatchObject(nights)
    expect(people.Items.map((p) => p.UserId)).not.toContain(stranger)
    expect(people.TotalCount).toBe(people.Items.length)
    // All or none.
    const both = { UserIds: [viewer, stranger], Setting: standardUserSetting }
    expect(await kit.call('owner', 'PUT', `${mine}/User`, both)).toMatchObject({ StatusCode: 404 })
    expect((await settingsOf(kit.db, [viewer!])).get(viewer!)).toEqual(nights)
    await kit.person('plain', kit.enterprises.ours, { menus: ['m10201', 'm10211'] })
    expect(await kit.call('plain', 'GET', `${mine}/List`)).toMatchObject({ StatusCode: 403 })
    expect(await kit.call('plain', 'PUT', `${mine}/User`, { UserIds: [viewer], Setting: nights })).toMatchObject({ StatusCode: 403 })
    expect(await kit.call('plain', 'PUT', mine, nights)).toMatchObject({ Succeeded: true })
  })

  it('is read and set by the platform for people of every company', async () => {
    const people = ['viewer', 'stranger'].map((name) => kit.people.get(name)!.id)
    const listed = async (as: string) => {
      const { Items } = await kit.data<{ Items: ({ UserId: number } & UserSetting)[] }>(as, 'GET', `${mine}/List?PageSize=100`)
      return people.map((id) => Items.find((p) => p.UserId === id)?.Levels)
    }
    const Setting = { ...standardUserSetting, Levels: [3] }
    expect(await kit.data('platform', 'PUT', `${mine}/User`, { UserIds: people, Setting })).toEqual({ Changed: 2 })
    expect(await listed('platform')).toEqual([[3], [3]])
    expect(await listed('owner')).toEqual([[3], undefined])
    expect(await listed('stranger')).toEqual([undefined, [3]])
    await kit.data('platform', 'PUT', `${mine}/User`, { UserIds: people, Setting: nights })
  })

  it('is judged by level, kind and method, and quiet hours hold all but the highest level', () => {
    const at = (iso: string, given: object = {}, setting = nights) =>
      deliveryTime(setting, { AlarmLevel: 2, AlarmType: 1, Method: 1, zone: 'Europe/Madrid', time: Date.parse(iso), ...given })
    // Madrid is two hours ahead of UTC in June.
    expect(at('2026-06-01T12:00:00Z')).toBe('now')
    expect(at('2026-06-01T12:00:00Z', { AlarmLevel: 1 })).toBe('dropped')
    expect(at('2026-06-01T12:00:00Z', { AlarmType: 2 })).toBe('dropped')
    expect(at('2026-06-01T12:00:00Z', { AlarmType: 3 })).toBe('now')
    // Cold-room alarms belong to devices; energy has a separate choice.
    expect(at('2026-06-01T12:00:00Z', { AlarmType: 4 })).toBe('now')
    expect(at('2026-06-01T12:00:00Z', { AlarmType: 5 })).toBe('dropped')
    expect(at('2026-06-01T12:00:00Z', { AlarmType: 5 }, { ...nights, Types: [1, 5] })).toBe('now')
    expect(at('2026-06-01T12:00:00Z', { Method: 2 })).toBe('dropped')
    expect(at('2026-06-01T19:59:59Z')).toBe('now')
    expect(at('2026-06-01T20:00:30Z')).toEqual({ until: Date.parse('2026-06-02T04:00:00Z') })
    expect(at('2026-06-02T03:59:59Z')).toEqual({ until: Date.parse('2026-06-02T04:00:00Z') })
    expect(at('2026-06-02T04:00:00Z')).toBe('now')
    expect(at('2026-06-01T23:00:00Z', { AlarmLevel: 3 })).toBe('now')
    const dropping = { ...nights, NoDisturb: { ...nights.NoDisturb, Mode: 1 as const } }
    expect(at('2026-06-01T23:00:00Z', {}, dropping)).toBe('dropped')
  })

  it.each([
    ['08:00', '10:00', '07:59', undefined],
    ['08:00', '10:00', '08:00', 120],
    ['08:00', '10:00', '09:59', 1],
    ['08:00', '10:00', '10:00', undefined],
    ['22:00', '06:00', '23:30', 390],
    ['22:00', '06:00', '00:00', 360],
    ['22:00', '06:00', '06:00', undefined],
    // The whole day, when both are the same.
    ['08:00', '08:00', '07:00', 60],
  ])('quiet from %s to %s, at %s: for %s more minutes', (Start, End, now, left) => {
    const minute = Number(now.slice(0, 2)) * 60 + Number(now.slice(3))
    expect(quietFor({ Start, End }, minute)).toBe(left)
  })
})

describe('reminders', () => {
  const standardReminder = { Enabled: 0, Levels: [3], Interval: 10, Times: 6 }

  it('and what reaches people are entries of the log when they change, and only then', async () => {
    const viewer = kit.people.get('viewer')!.id
    const changed = { ...nights, Levels: [3] }
    for (let i = 0; i < 2; i++) await kit.data('owner', 'PUT', `${mine}/User`, { UserIds: [viewer], Setting: changed })
    for (let i = 0; i < 2; i++) await kit.data('owner', 'PUT', '/Alarm/ReminderSetting', { ...standardReminder, Interval: 25 })
    const entries = await kit.db.rows<{ Resource: string; UserId: number; RecordId: number; Before: UserSetting; After: UserSetting }>(
      sql`select "Resource", "UserId", "RecordId", "Before", "After" from change where "Resource" in ('alarmUserSetting', 'alarmReminder') order by "Id"`,
    )
    expect(entries.slice(-2)).toMatchObject([
      {
        ...{ Resource: 'alarmUserSetting', UserId: kit.people.get('owner')!.id, RecordId: viewer },
        ...{ Before: { Title: 'viewer', Levels: [2, 3] }, After: { Title: 'viewer', Levels: [3] } },
      },
      { Resource: 'alarmReminder', Before: { Interval: 10 }, After: { Interval: 25 } },
    ])
    await kit.data('owner', 'PUT', '/Alarm/ReminderSetting', standardReminder)
  })

  it('belong to the tenant: off by default, readable with the alarm screen, changeable with permission', async () => {
    const path = '/Alarm/ReminderSetting'
    const never = { ...standardReminder, UpdateStamp: 0 }
    expect(await kit.data('stranger', 'GET', path)).toEqual(never)
    const given = { Enabled: 1, Levels: [2, 3], Interval: 15, Times: 4 }
    const set = { ...given, UpdateStamp: expect.any(Number) }
    expect(await kit.data('owner', 'PUT', path, given)).toEqual(set)
    expect(await kit.data('plain', 'GET', path)).toEqual(set)
    expect(await kit.data('stranger', 'GET', path)).toEqual(never)
    expect(await readSettings(kit.db, alarmReminder, kit.enterprises.ours)).toEqual(given)
    expect(await kit.call('plain', 'PUT', path, given)).toMatchObject({ StatusCode: 403 })
    expect(await kit.call('owner', 'PUT', path, { ...given, Interval: 0 })).toMatchObject({ StatusCode: 400 })
  })
})

describe('templates of rules', () => {
  const condition = { TriggerStyle: 1, TriggerCondition: 2, Duration: 60, OperateSymbol: 3, ParamValue: 8.5 }
  const configure = (given: object = {}) => ({
    LogicSymbol: 1,
    EnableType: 0,
    RuleList: [{ LogicSymbol: 1, Conditions: [{ ...condition, AlarmParams: [{ ParaName: 'Outlet pressure', ParaId: 4711 }], ...given }] }],
  })
  const path = '/Alarm/AlmTemplate'

  it('keep conditions with names of points, and nothing of one plant', async () => {
    const made = await kit.data<{ Id: number }>('owner', 'POST', path, { TemplateName: 'Too high', RuleConfigure: configure() })
    const [template] = (
      await kit.data<{ Items: { RuleConfigure: { RuleList: { Conditions: object[] }[] } }[] }>('owner', 'GET', `${path}/List`)
    ).Items
    expect(template!.RuleConfigure.RuleList[0]!.Conditions).toEqual([
      { ...condition, AlarmParams: [{ ParaName: 'Outlet pressure', ParaDataType: null }] },
    ])
    expect(await kit.data('owner', 'PUT', path, { Id: made.Id, TemplateName: 'Far too high', AlarmLevel: 3 })).toMatchObject({
      TemplateName: 'Far too high',
      AlarmLevel: 3,
    })
    expect(await kit.call('stranger', 'PUT', path, { Id: made.Id, TemplateName: 'x' })).toMatchObject({ StatusCode: 404 })
    expect(await kit.data('owner', 'DELETE', path, { Ids: [made.Id] })).toEqual({ Removed: 1 })
  })

  it('are refused by field where a rule of them could not be', async () => {
    const wrong = await kit.call('owner', 'POST', path, { TemplateName: 'Never', RuleConfigure: configure({ Duration: null }) })
    expect(wrong.Details!.Fields).toHaveProperty('RuleConfigure.RuleList.0.Conditions.0.Duration')
    const digits = await kit.call('owner', 'POST', path, {
      TemplateName: 'Digits',
      RuleConfigure: configure({ ParamValue: 12345678901.12345 }),
    })
    expect(digits.Details!.Fields!['RuleConfigure.RuleList.0.Conditions.0.ParamValue']![0]).toContain('15')
  })
})

describe('events of gateways', () => {
  it('are listed by gateway, kind and words, newest first, to those who see the gateway', async () => {
    const { Id: project } = await kit.data<{ Id: number }>('owner', 'POST', '/Project/Project', { ProjectName: 'East' })
    const gateway = await kit.data<{ Id: number }>('owner', 'POST', '/Project/Gateway', {
      GatewayName: 'East gateway',
      SN: 'EVENTS000001',
      ProjectId: project,
    })
    for (const [i, [type, level, text]] of (
      [
        [1, 0, 'online'],
        [3, 3, 'mains is gone'],
        [4, 2, '10.0.0.7:502: refused'],
      ] as const
    ).entries())
      await kit.db.rows(sql`
        insert into gateway_event ("EnterpriseId", "GatewayId", "MsgId", "Type", "Level", "Text", "Time")
        values (${kit.enterprises.ours}, ${gateway.Id}, ${`m${i}`}, ${type}, ${level}, ${text}, now())`)
    const list = async (as: string, query = '') =>
      (await kit.data<{ Items: { Text: string; GatewayName: string }[] }>(as, 'GET', `/Events/Events/List?GatewayId=${gateway.Id}${query}`))
        .Items
    expect((await list('owner')).map((e) => e.Text)).toEqual(['10.0.0.7:502: refused', 'mains is gone', 'online'])
    expect(await list('owner', '&Type=3')).toMatchObject([{ Text: 'mains is gone', GatewayName: 'East gateway', Level: 3 }])
    expect((await list('owner', '&Search=refused')).length).toBe(1)
    expect(await list('stranger')).toEqual([])
    await kit.person('elsewhere', kit.enterprises.ours, { projects: [] })
    expect(await list('elsewhere')).toEqual([])
  })
})
