// What rules do when an alarm is raised, and what remains of it afterwards.
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type PushArea, startPushArea } from '../../../../main/testing/alarmPushes.ts'

let area: PushArea
let p: number
let valve: number
let sealed: number
beforeAll(async () => {
  area = await startPushArea()
  p = await area.makePoint({ AlarmLow: null, AlarmHigh: null, ParaName: 'Pressure' })
  const DeviceId = area.registry.get(p)!.DeviceId
  const unscaled = { SampleLow: null, SampleHigh: null, AlarmLow: null, AlarmHigh: null }
  valve = await area.makePoint({ DeviceId, ...unscaled, ParaName: 'Valve', ReadWriteType: 1, ParaDataType: 2 })
  sealed = await area.makePoint({ DeviceId, AlarmLow: null, AlarmHigh: null, ParaName: 'Sealed', ReadWriteType: 0 })
})
beforeEach(() => area.settle())
afterEach(() => area.fresh())
afterAll(() => area.close())

const hook = () => ({ Type: 3, Url: `${area.providers.url}/hook` })
const actions = () =>
  area.kit.db.rows<{ Kind: string; Status: number; Tries: number; ErrorText: string | null }>(
    sql`select "Kind", "Status", "Tries", "ErrorText" from alarm_action order by "Id"`,
  )

describe('actions of rules', () => {
  it('a point is written, a signed webhook called and a notice raised, once each, also across restarts', async () => {
    const viewer = area.kit.people.get('viewer')!.id
    const notice = { Type: 5, PushUsers: [viewer], Text: 'Close the inlet by hand.' }
    await area.rule(p, { RuleName: 'Burst', DeviceControl: [{ ParaId: valve, Value: 7 }], ActionExecution: [hook(), notice] })
    await area.reads(p, 50)
    await area.restart()
    await area.after(3600)
    expect(area.written.map((w) => [w.ParaId, w.Value])).toEqual([[valve, 7]])
    // The receiver refuses messages that are not signed with the tenant's secret.
    expect(area.providers.inbox.map((r) => [r.by, r.body.Title])).toEqual([['webhook', 'Burst']])
    await expect
      .poll(() =>
        area.kit.db.rows(sql`select "UserIds", "WordValues" ->> 'Text' as "Text" from notice where "Wording" = 'alarmActionText'`),
      )
      .toEqual([{ UserIds: [viewer], Text: 'Close the inlet by hand.' }])
    expect((await actions()).map((a) => [a.Kind, a.Status])).toEqual([
      ['write', 1],
      ['webhook', 1],
      ['notice', 1],
    ])
    // Recovery and another alarm: once more.
    await area.reads(p, 5)
    await area.reads(p, 50)
    expect(area.written).toHaveLength(2)
    expect(new Set(area.written.map((w) => w.MsgId)).size).toBe(2)
  })

  it('waits for its delay', async () => {
    await area.rule(p, { DeviceControl: [{ ParaId: valve, Value: 1, DelayS: 30 }] })
    await area.reads(p, 50)
    await area.restart()
    await area.after(29)
    expect(area.written).toEqual([])
    await area.after(1)
    expect(area.written).toHaveLength(1)
  })

  it('asks a gateway that does not answer again under the same id, and gives up when the moment has passed', async () => {
    await area.rule(p, { DeviceControl: [{ ParaId: valve, Value: 1 }] })
    area.answers.push(2, 2)
    await area.reads(p, 50)
    await area.after(2)
    await area.after(5)
    expect(area.written).toHaveLength(3)
    expect(new Set(area.written.map((w) => w.MsgId)).size).toBe(1)
    expect((await actions())[0]).toMatchObject({ Status: 1 })
    await area.reads(p, 5)
    area.answers.push(...Array.from({ length: 100 }, () => 2))
    await area.reads(p, 50)
    for (let i = 0; i < 20; i++) await area.after(60)
    expect((await actions())[1]).toMatchObject({ Status: 3 })
  })

  it('is not begun when the server comes back too late', async () => {
    await area.rule(p, { DeviceControl: [{ ParaId: valve, Value: 1, DelayS: 30 }] })
    await area.reads(p, 50)
    await area.after(31 + 600)
    expect(area.written).toEqual([])
    expect((await actions())[0]).toMatchObject({ Status: 5, ErrorText: 'tooLate' })
  })

  it('what a gateway refuses is marked as failed and not retried', async () => {
    await area.rule(p, { DeviceControl: [{ ParaId: valve, Value: 1 }] })
    area.answers.push(201)
    await area.reads(p, 50)
    await area.after(3600)
    expect(area.written).toHaveLength(1)
    expect((await actions())[0]).toMatchObject({ Status: 3, ErrorText: '201' })
    const shown = await area.kit.data<{ Kind: string; Method: string; Target: string; SendStatus: number }[]>(
      'owner',
      'GET',
      `/Alarm/AlarmInfo/PushTimeline?Id=${(await area.alarmsOf(p))[0]!.Id}`,
    )
    expect(shown).toMatchObject([{ Kind: 'action', Method: 'write', Target: 'Valve = 1', SendStatus: 3 }])
  })

  it('only points of the project that take a write are offered for one, to any caller', async () => {
    const { ProjectId, DeviceId } = area.registry.get(p)!
    const far = await area.makePoint({ ParaName: 'Far valve', ReadWriteType: 1 })
    expect(area.registry.get(far)!.ProjectId).not.toBe(ProjectId)
    const offered = async (query: string, as = 'owner') =>
      (await area.kit.data<{ ParaId: number; Writable: boolean }[]>(as, 'GET', `/Alarm/AlarmRule/ParaSearch?${query}`)).map((x) => [
        x.ParaId,
        x.Writable,
      ])
    expect(await offered(`ProjectId=${ProjectId}&Writable=1`)).toEqual([[valve, true]])
    expect(await offered(`ProjectId=${ProjectId}&Writable=1&Search=seal`)).toEqual([])
    expect(await offered(`ProjectId=${ProjectId}&Search=seal`)).toEqual([[sealed, false]])
    expect(await offered(`ParaIds=${valve},${sealed}`)).toEqual([
      [valve, true],
      [sealed, false],
    ])
    // Many: the first 200 by name, the rest by searching.
    await area.kit.db.rows(sql`
      insert into point ("EnterpriseId", "DeviceId", "ParaName", "Address", "ReadWriteType")
      select "EnterpriseId", "DeviceId", 'Damper ' || n, n, 1 from point, generate_series(1, 250) n where "Id" = ${valve}`)
    expect(await offered(`ProjectId=${ProjectId}&Writable=1`)).toHaveLength(200)
    expect(await offered(`ProjectId=${ProjectId}&Writable=1&Search=damper 25`)).toHaveLength(2)
    await area.kit.db.rows(sql`delete from point where "DeviceId" = ${DeviceId} and "ParaName" like 'Damper%'`)
    expect(await offered(`ProjectId=${ProjectId}&Writable=1`, 'stranger')).toEqual([])
  })

  it('refuses what could not be done, by its field', async () => {
    const theirs = area.kit.people.get('stranger')!.id
    const fields = async (as: string, more: object) => {
      const body = {
        RuleName: 'Refused',
        RuleConfigure: {
          LogicSymbol: 1,
          EnableType: 0,
          RuleList: [
            {
              LogicSymbol: 1,
              Conditions: [{ TriggerStyle: 1, TriggerCondition: 1, OperateSymbol: 3, ParamValue: 1, AlarmParams: [{ ParaId: p }] }],
            },
          ],
        },
        ...more,
      }
      const answer = await area.kit.call(as, 'POST', '/Alarm/AlarmRule', body)
      return Object.keys(answer.Details?.Fields ?? {})
    }
    expect(await fields('owner', { DeviceControl: [{ ParaId: sealed, Value: 1 }] })).toEqual(['DeviceControl.0.ParaId'])
    expect(await fields('owner', { DeviceControl: [{ ParaId: valve, Value: 70_000 }] })).toEqual(['DeviceControl.0.Value'])
    expect(await fields('owner', { DeviceControl: [{ ParaId: 999_999, Value: 1 }] })).toEqual(['DeviceControl.0.ParaId'])
    expect(await fields('owner', { ActionExecution: [{ Type: 3 }] })).toEqual(['ActionExecution.0.Url'])
    expect(await fields('owner', { ActionExecution: [{ Type: 5, PushUsers: [theirs] }] })).toEqual(['ActionExecution.0.PushUsers'])
    const ours = area.kit.enterprises.ours
    const menus = ['m10202', 'm10202.add', 'm10104']
    await area.kit.person('planner', ours, { menus })
    expect(await fields('planner', { DeviceControl: [{ ParaId: valve, Value: 1 }] })).toEqual(['DeviceControl'])
  })
})
