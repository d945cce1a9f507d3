// The alarm settings of people and their tenant apply to the messages they receive.
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type PushArea, startPushArea } from '../../../../main/testing/alarmPushes.ts'
import { standardUserSetting, type UserSetting } from '../../alarm-settings/contract.ts'

let area: PushArea
let p: number
let owner: number
let viewer: number
beforeAll(async () => {
  area = await startPushArea()
  p = await area.makePoint({ AlarmLow: null, AlarmHigh: null, ParaName: 'Pressure' })
  owner = area.kit.people.get('owner')!.id
  viewer = area.kit.people.get('viewer')!.id
})
beforeEach(() => area.settle())
afterEach(() => area.fresh())
afterAll(() => area.close())

const set = (setting: Partial<UserSetting>, UserIds = [owner]) =>
  area.kit.data('owner', 'PUT', '/Alarm/AlarmUserSetting/User', { UserIds, Setting: { ...standardUserSetting, ...setting } })
const ruleWithPush = (more: object = {}, conditions: object = {}) =>
  area.rule(
    p,
    { RuleName: 'High pressure', IsSend: 1, AlarmPush: { PushUsers: [owner, viewer], PushMethods: [{ Method: 3 }], ...more } },
    conditions,
  )
const log = () =>
  area.kit.db.rows<{ UserId: number; Kind: string; SendStatus: number; ErrorText: string | null }>(
    sql`select "UserId", "Kind", "SendStatus", "ErrorText" from alm_push_record order by "Id"`,
  )
/** What was sent, as the log has it. */
const sent = async () =>
  (await area.kit.db.rows<{ Title: string }>(sql`select "Title" from alm_push_record where "SendStatus" = 1 order by "Id"`)).map(
    (r) => r.Title,
  )
const bell = () => area.kit.db.rows<{ PushTitle: string }>(sql`select "PushTitle" from notice order by "Id"`)

describe('what a person has set', () => {
  it('skips what he has turned off, and the timeline shows it; others are notified, and he gets no recovery', async () => {
    for (const left of [{ Levels: [1, 3] }, { Types: [2] }, { Methods: [1, 2] }] as Partial<UserSetting>[]) {
      await set(left)
      await ruleWithPush({ RecoveryNotice: 1 })
      await area.reads(p, 50)
      const [alarm] = await area.alarmsOf(p)
      const shown = await area.kit.data<{ UserName: string; SendStatus: number; ErrorText: string }[]>(
        'owner',
        'GET',
        `/Alarm/AlarmInfo/PushTimeline?Id=${alarm!.Id}`,
      )
      expect(shown.map((e) => [e.UserName, e.SendStatus, e.ErrorText]).toSorted()).toEqual([
        ['owner', 5, 'ownSetting'],
        ['viewer', 1, ''],
      ])
      await area.reads(p, 5)
      await area.restart()
      expect(area.mails()).toEqual(['viewer: High pressure', 'viewer: Cleared: High pressure'])
      await area.fresh()
    }
  })

  it('a level that rises reaches those whom the lower one did not, once, and their recovery too', async () => {
    await set({ Levels: [3] })
    await ruleWithPush({ PushStyle: 3 }, { Severity: [{ AlarmLevel: 3, ParamValue: 80 }] })
    await area.reads(p, 50)
    expect(area.mails()).toEqual(['viewer: High pressure'])
    await area.restart()
    await area.reads(p, 90)
    await area.reads(p, 95)
    await area.restart()
    expect(area.mails()).toEqual(['viewer: High pressure', 'owner: High pressure'])
    await area.reads(p, 5)
    expect(area.mails().slice(2).toSorted()).toEqual(['owner: Cleared: High pressure', 'viewer: Cleared: High pressure'])
  })

  it('his quiet hours hold in his own zone, or drop; beside them those of the rule', async () => {
    // base is 12:00 UTC, 20:00 in Shanghai.
    await area.kit.db.rows(sql`update "user" set "TimeZoneKey" = 'Asia/Shanghai' where "Id" = ${owner}`)
    const hours = { Enabled: 1, Start: '19:00', End: '21:00' } as const
    await set({ NoDisturb: { ...hours, Mode: 2 } })
    await set({ NoDisturb: { ...hours, Mode: 1 } }, [viewer])
    await ruleWithPush({ NoDisturb: { Enabled: 1, Start: '11:00', End: '12:30', Mode: 2 } })
    await area.reads(p, 50)
    expect((await log()).map((r) => [r.UserId, r.SendStatus, r.ErrorText]).toSorted()).toEqual(
      [
        [owner, 4, 'ownQuiet'],
        [viewer, 4, 'quiet'],
      ].toSorted(),
    )
    await area.restart()
    await area.after(1800)
    expect(area.mails()).toEqual(['viewer: High pressure'])
    await area.after(1799)
    expect(area.mails()).toHaveLength(1)
    await area.after(1)
    expect(area.mails()[1]).toBe('owner: High pressure')
    await area.kit.db.rows(sql`update "user" set "TimeZoneKey" = null where "Id" = ${owner}`)
  })
})

describe('the tenant’s reminder', () => {
  const remind = (more: object = {}) =>
    area.kit.data('owner', 'PUT', '/Alarm/ReminderSetting', {
      ...{ Enabled: 1, Levels: [2], Interval: 10, Times: 2 },
      ...more,
    })
  const again = 'viewer: Still unacknowledged: High pressure'

  it('holds where a rule has none of its own: so often at most, and not after an acknowledgement', async () => {
    await remind()
    await ruleWithPush({ PushUsers: [viewer] })
    await area.reads(p, 50)
    await area.after(599)
    expect(area.mails()).toHaveLength(1)
    await area.after(1)
    expect(area.mails().slice(1)).toEqual([again])
    await area.restart()
    await area.after(600)
    await area.after(36_000)
    expect(area.mails().slice(1)).toEqual([again, again])
    await area.reads(p, 5)
    await area.reads(p, 50)
    await area.kit.data('owner', 'POST', '/Alarm/AlarmInfo/Acknowledge', { Ids: [(await area.alarmsOf(p)).at(-1)!.Id] })
    await area.after(3600)
    expect(area.mails()).toHaveLength(4)
  })

  it('not for other levels, nor where the rule reminds by itself', async () => {
    await remind({ Levels: [3] })
    await ruleWithPush({ PushUsers: [viewer] })
    await area.reads(p, 50)
    await area.after(3600)
    expect(area.mails()).toHaveLength(1)
    await area.fresh()
    await remind()
    await ruleWithPush({ PushUsers: [viewer], PushStyle: 2, RepeatMinutes: 60 })
    await area.reads(p, 50)
    await area.after(3599)
    expect(area.mails()).toHaveLength(1)
    await area.after(1)
    expect(area.mails().slice(1)).toEqual([again])
  })
})

describe('alarms without a rule', () => {
  it('of limits go to subscribers who may see them', async () => {
    const limited = await area.makePoint({ ParaName: 'Level' })
    const elsewhere = await area.makePoint({ ParaName: 'Elsewhere' })
    const project = area.registry.get(limited)!.ProjectId
    await area.kit.person('narrow', area.kit.enterprises.ours, { projects: [area.registry.get(elsewhere)!.ProjectId], menus: ['m10201'] })
    await area.kit.person('blind', area.kit.enterprises.ours, { menus: ['m100'] })
    expect(area.registry.get(elsewhere)!.ProjectId).not.toBe(project)
    await area.kit.db.rows(sql`update "user" set "Email" = "UserNO" || '@example.com', "Language" = 'en'`)
    const all = ['owner', 'narrow', 'blind'].map((name) => area.kit.people.get(name)!.id)
    await set({ WithoutRule: 1, Methods: [1, 3] }, all)
    await area.reads(limited, 95)
    await area.reads(limited, 50)
    await area.restart()
    expect(area.mails()).toEqual(['owner: Level > 90', 'owner: Cleared: Level > 90'])
    await set({ WithoutRule: 1, Levels: [3] })
    await area.reads(limited, 95)
    expect(area.mails()).toHaveLength(2)
  })

  it('of gateways are sent in the reader’s language, after the delay that is set, and so is the bell', async () => {
    await set({ WithoutRule: 1, Methods: [3], Types: [2] })
    await area.kit.db.rows(sql`update "user" set "Language" = 'es' where "Id" = ${owner}`)
    const { GatewayId } = area.registry.get(p)!
    const gateway = area.registry.gatewayById(GatewayId)!
    const template = await area.kit.data<{ Id: number }>('owner', 'POST', '/Alarm/AlmGatewayTemplate', {
      ...{ TemplateName: 'Patient', OfflineDelay: 300 },
    })
    await area.kit.data('owner', 'POST', '/Alarm/AlarmSetting', { SettingName: 'Here', AlmGatewayTemplateId: template.Id, GatewayId })
    await area.settle()
    const changed = async () => {
      area.kit.database.system.emit({ resource: 'gateway', id: GatewayId, verb: 'update', EnterpriseId: gateway.EnterpriseId })
      await area.settle()
    }
    gateway.OnlineStatus = 0
    await changed()
    await area.after(299)
    expect([area.mails(), await bell()]).toEqual([[], []])
    await area.after(1)
    expect(await sent()).toEqual([`${gateway.GatewayName}: Sin conexión`])
    expect(area.mails()).toHaveLength(1)
    await expect.poll(bell).toEqual([{ PushTitle: `${gateway.GatewayName} is offline` }])
    gateway.OnlineStatus = 1
    await changed()
    expect(area.mails()).toHaveLength(2)
    await area.kit.db.rows(sql`
      insert into gateway_event ("EnterpriseId", "GatewayId", "MsgId", "Type", "Level", "Text", "Time")
      values (${gateway.EnterpriseId}, ${GatewayId}, 'cut', 3, 3, 'said', now()), (${gateway.EnterpriseId}, ${GatewayId}, 'full', 8, 2, 'said', now())`)
    await changed()
    await expect
      .poll(async () => (await bell()).map((n) => n.PushTitle))
      .toEqual([`${gateway.GatewayName} is offline`, `${gateway.GatewayName} has lost power`, `Storage of ${gateway.GatewayName} is full`])
    expect((await sent()).slice(2).toSorted()).toEqual([
      `${gateway.GatewayName}: Corte de alimentación`,
      `${gateway.GatewayName}: Memoria llena`,
    ])
  })
})
