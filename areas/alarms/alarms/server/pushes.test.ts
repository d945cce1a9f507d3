// Messages of alarms, from the reading to the mail server, by an injected clock.
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type PushArea, startPushArea } from '../../../../main/testing/alarmPushes.ts'

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

const email = [{ Method: 3 }]
const push = (more: object = {}) => ({ PushUsers: [owner], PushMethods: email, ...more })
const ruleWithPush = (more: object = {}, conditions: object = {}) =>
  area.rule(p, { RuleName: 'High pressure', IsSend: 1, AlarmPush: push(more) }, conditions)
const steps = (...Steps: object[]) => ({ StepPush: { Enabled: 1, Steps } })
const log = () =>
  area.kit.db.rows<{ Kind: string; Step: number; Method: string; UserId: number; SendStatus: number; ErrorText: string | null }>(
    sql`select "Kind", "Step", "Method", "UserId", "SendStatus", "ErrorText" from alm_push_record order by "Id"`,
  )
const standing = async () => (await area.alarmsOf(p)).at(-1)!.Id
const acknowledge = async () => {
  await area.kit.data('owner', 'POST', '/Alarm/AlarmInfo/Acknowledge', { Ids: [await standing()] })
  await area.settle()
}
const timeline = (as: string, id: number) =>
  area.kit.call<{ Kind: string; Step: number; Method: string; UserName: string; SendStatus: number; Time: string }[]>(
    as,
    'GET',
    `/Alarm/AlarmInfo/PushTimeline?Id=${id}`,
  )

describe('messages of alarms', () => {
  it('the log equals what the mail server and the webhook received, per person and step, across steps, restart, acknowledgement and recovery', async () => {
    await ruleWithPush({
      PushMethods: [{ Method: 3 }, { Method: 7 }],
      RecoveryNotice: 1,
      ...steps({ Delay: 10, PushUsers: [viewer], PushMethods: email }, { Delay: 20, PushUsers: [owner, viewer], PushMethods: email }),
    })
    await area.reads(p, 50)
    expect(area.mails()).toEqual(['owner: High pressure'])
    await area.restart()
    await area.after(599)
    expect(area.mails()).toHaveLength(1)
    await area.after(1)
    expect(area.mails()).toEqual(['owner: High pressure', 'viewer: Unacknowledged: High pressure'])
    await area.restart()
    await acknowledge()
    await area.after(3600)
    expect(area.mails()).toHaveLength(2)
    await area.restart()
    await area.reads(p, 5)
    const mails = area.mails()
    expect(mails.slice(2).toSorted()).toEqual(['owner: Cleared: High pressure', 'viewer: Cleared: High pressure'])
    const rows = await log()
    expect(rows.filter((r) => r.Method === 'email').map((r) => [r.Kind, r.Step, r.UserId, r.SendStatus])).toEqual([
      ['raised', 0, owner, 1],
      ['step', 1, viewer, 1],
      ['recovered', 0, owner, 1],
      ['recovered', 0, viewer, 1],
    ])
    expect(area.providers.inbox.map((r) => r.body.Title)).toEqual(['High pressure', 'Cleared: High pressure'])
    expect(rows.filter((r) => r.Method === 'webhook').map((r) => r.Kind)).toEqual(['raised', 'recovered'])
    const shown = await timeline('owner', await standing())
    expect(shown.Data.map((e) => [e.Kind, e.Method, e.UserName, e.SendStatus]).toSorted()).toEqual(
      [
        ['raised', 'email', 'owner', 1],
        ['raised', 'webhook', '', 1],
        ['step', 'email', 'viewer', 1],
        ['recovered', 'email', 'owner', 1],
        ['recovered', 'email', 'viewer', 1],
        ['recovered', 'webhook', '', 1],
      ].toSorted(),
    )
    expect((await timeline('stranger', await standing())).StatusCode).toBe(404)
    await area.restart()
    await area.after(86_400)
    expect(area.mails()).toEqual(mails)
  })

  it('an alarm that came and recovered between two polls is sent, and so is its recovery', async () => {
    await ruleWithPush({ PushStyle: 3 })
    await area.pushes.stop()
    await area.reads(p, 50)
    await area.after(5)
    await area.reads(p, 5)
    expect(area.mails()).toEqual([])
    await area.restart()
    expect(area.mails()).toEqual(['owner: High pressure', 'owner: Cleared: High pressure'])
  })

  it('of alarms that are due together those of the higher priority are sent first', async () => {
    for (const [RuleName, Priority] of Object.entries({ Last: 3, Between: 2, First: 1 }))
      await area.rule(p, { RuleName, Priority, IsSend: 1, AlarmPush: push() })
    await area.pushes.stop()
    await area.reads(p, 50)
    expect(area.mails()).toEqual([])
    await area.restart()
    expect(area.mails()).toEqual(['owner: First', 'owner: Between', 'owner: Last'])
  })

  it('anti-shake pushes what was raised often enough within its time, and the log says so of the rest', async () => {
    await ruleWithPush({ AntiShakeDuration: 2, AntiShakeUnit: 2, AntiShakeFrequency: 3 })
    for (let i = 0; i < 3; i++) {
      await area.reads(p, 50)
      await area.after(25)
      await area.reads(p, 5)
      await area.after(25)
    }
    expect(area.mails()).toEqual(['owner: High pressure'])
    expect((await log()).map((r) => [r.SendStatus, r.ErrorText])).toEqual([
      [5, 'shaken'],
      [5, 'shaken'],
      [1, null],
    ])
    expect(await area.alarmsOf(p)).toHaveLength(3)
  })

  it('what flaps is sent three times a minute, then only once it stays active', async () => {
    await ruleWithPush()
    for (let i = 0; i < 6; i++) {
      await area.reads(p, 50)
      await area.after(2)
      await area.reads(p, 5)
      await area.after(2)
    }
    expect(area.mails()).toHaveLength(3)
    await area.reads(p, 50)
    await area.after(59)
    expect(area.mails()).toHaveLength(3)
    await area.after(1)
    expect(area.mails()).toHaveLength(4)
  })

  it('reminds until somebody acknowledges, each time once', async () => {
    await ruleWithPush({ PushStyle: 2, RepeatMinutes: 30 })
    await area.reads(p, 50)
    await area.after(1800)
    await area.after(600)
    await area.after(1200)
    expect(area.mails()).toEqual([
      'owner: High pressure',
      'owner: Still unacknowledged: High pressure',
      'owner: Still unacknowledged: High pressure',
    ])
    await acknowledge()
    await area.after(36_000)
    expect(area.mails()).toHaveLength(3)
  })

  it('says nothing while an alarm is put aside, and goes on after it', async () => {
    await ruleWithPush({ PushStyle: 2, RepeatMinutes: 10 })
    await area.reads(p, 50)
    await area.kit.db.rows(sql`update alarm_info set "ShelvedUntil" = ${new Date(area.clock() + 3_600_000)} where "IsActive" = 1`)
    await area.after(1200)
    expect(area.mails()).toHaveLength(1)
    await area.after(2400)
    expect(area.mails()).toHaveLength(2)
  })

  it('a level below the one that is pushed is silent until it rises', async () => {
    const severity = { Severity: [{ AlarmLevel: 3, ParamValue: 80 }] }
    await ruleWithPush({ AlarmLevel: 3 }, severity)
    await area.reads(p, 50)
    await area.after(60)
    expect(area.mails()).toEqual([])
    await area.reads(p, 90)
    expect(area.mails()).toEqual(['owner: High pressure'])
  })

  it('quiet hours hold until they end, in the order of what happened; the highest level passes', async () => {
    // base is 12:00 UTC.
    const NoDisturb = { Enabled: 1, Start: '11:00', End: '13:00', Mode: 2 }
    await ruleWithPush({ NoDisturb, RecoveryNotice: 1 })
    await area.reads(p, 50)
    await area.after(60)
    await area.reads(p, 5)
    expect((await log()).map((r) => [r.SendStatus, r.ErrorText])).toEqual([
      [4, 'quiet'],
      [4, 'quiet'],
    ])
    await area.restart()
    await area.after(3539)
    expect(area.mails()).toEqual([])
    await area.after(1)
    expect(area.mails()).toEqual(['owner: High pressure', 'owner: Cleared: High pressure'])
  })

  it('quiet hours drop, and somebody who got no alarm gets no recovery either', async () => {
    await ruleWithPush({ NoDisturb: { Enabled: 1, Start: '11:00', End: '12:00', Mode: 1 }, RecoveryNotice: 1 })
    await area.after(-60)
    await area.reads(p, 50)
    await area.after(120)
    await area.reads(p, 5)
    expect(area.mails()).toEqual([])
    expect((await log()).map((r) => [r.SendStatus, r.ErrorText])).toEqual([[5, 'quietDropped']])
  })

  it('held messages are cancelled when somebody acknowledges', async () => {
    await ruleWithPush({ NoDisturb: { Enabled: 1, Start: '11:00', End: '13:00', Mode: 2 } })
    await area.reads(p, 50)
    await acknowledge()
    await area.after(7200)
    expect(area.mails()).toEqual([])
    expect((await log()).map((r) => [r.SendStatus, r.ErrorText])).toEqual([[5, 'acknowledged']])
  })

  it('the highest level passes quiet hours', async () => {
    const rule = {
      RuleName: 'Bursting',
      AlarmLevel: 3,
      IsSend: 1,
      AlarmPush: push({ NoDisturb: { Enabled: 1, Start: '11:00', End: '13:00', Mode: 1 } }),
    }
    await area.rule(p, rule)
    await area.reads(p, 50)
    expect(area.mails()).toEqual(['owner: Bursting'])
  })

  it('people of a roster are notified in their shifts; the log shows when nobody is on duty', async () => {
    const shifts = [
      { Start: '20:00', End: '12:00', Users: [owner] },
      { Start: '12:00', End: '20:00', Users: [viewer], Weeks: [2, 3, 4, 5, 6] },
    ]
    const roster = await area.kit.data<{ Id: number }>('owner', 'POST', '/Alarm/AlarmRoster', {
      ...{ RosterName: 'Pump house', TimeZone: 'UTC', Shifts: shifts },
    })
    await ruleWithPush({ PushUsers: [], PushRosters: [roster.Id] })
    await area.reads(p, 50)
    await area.reads(p, 5)
    await area.after(8 * 3600)
    await area.reads(p, 50)
    await area.reads(p, 5)
    expect(area.mails()).toEqual(['viewer: High pressure', 'owner: High pressure'])
    const saturday = 5 * 86_400 - 8 * 3600
    await area.after(saturday)
    await area.reads(p, 50)
    expect((await log()).at(-1)).toMatchObject({ SendStatus: 5, ErrorText: 'nobodyOnDuty' })
  })

  it('a person gets at most sixty an hour, and the rest together', async () => {
    const DeviceId = area.registry.get(p)!.DeviceId
    const points: number[] = []
    for (let i = 0; i < 70; i++) points.push(await area.makePoint({ DeviceId, AlarmLow: null, AlarmHigh: null, ParaName: `Flow ${i}` }))
    await area.rule(points[0]!, {
      IsSend: 1,
      AlarmPush: push(),
      RuleName: 'Flood',
      RuleConfigure: {
        LogicSymbol: 1,
        EnableType: 0,
        RuleList: [
          {
            LogicSymbol: 1,
            Conditions: [
              { TriggerStyle: 1, TriggerCondition: 1, OperateSymbol: 3, ParamValue: 10, AlarmParams: points.map((ParaId) => ({ ParaId })) },
            ],
          },
        ],
      },
    })
    for (const point of points) await area.reads(point, 50)
    expect(area.mails()).toHaveLength(60)
    await area.after(600)
    expect(area.mails().slice(60)).toEqual(['owner: 10 more alarm messages'])
    await area.after(7200)
    expect(area.mails()).toHaveLength(61)
    expect((await log()).filter((r) => r.ErrorText === 'inDigest')).toHaveLength(10)
  })

  it('rings only the bells of the people it names', async () => {
    await ruleWithPush({ PushMethods: [{ Method: 1 }], PushUsers: [viewer] })
    await area.reads(p, 50)
    const notices = () => area.kit.db.rows<{ PushTitle: string; UserIds: number[] }>(sql`select "PushTitle", "UserIds" from notice`)
    await expect.poll(notices).toEqual([{ PushTitle: 'High pressure', UserIds: [viewer] }])
    await area.restart()
    expect(await notices()).toHaveLength(1)
  })

  it('a rule without messages, or with sending off, notifies nobody', async () => {
    await area.rule(p, { AlarmPush: push() })
    await area.reads(p, 50)
    await area.after(3600)
    expect(await log()).toEqual([])
    expect(await area.kit.db.rows(sql`select 1 from alarm_push`)).toEqual([])
  })
})
