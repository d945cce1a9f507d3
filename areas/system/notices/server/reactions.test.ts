import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { permissions } from '../../../../contract/menus.ts'
import { type Area, startArea } from './harness.ts'
import { type Made, notify } from './service.ts'

let made = 0

let area: Area
beforeAll(async () => {
  area = await startArea()
})
afterAll(() => area.close())
beforeEach(() => area.reset())

describe('what other areas do', () => {
  const plant = async () => {
    const { Id } = await area.kit.data<{ Id: number }>('owner', 'POST', '/Project/Project', { ProjectName: `P ${++made}` })
    const SN = `NOTICES${String(made).padStart(5, '0')}`
    const gateway = await area.kit.data<{ Id: number }>('owner', 'POST', '/Project/Gateway', { GatewayName: 'North', SN, ProjectId: Id })
    return { project: Id, gateway: gateway.Id }
  }
  const raise = async (ProjectId: number, level = 2, name = 'Level > 8') => {
    const [row] = await area.kit.db.rows<{ Id: number }>(sql`
      insert into alarm_info ("EnterpriseId", "AlmNo", "RuleName", "AlarmLevel", "ProjectId", "TriggerValue", "StartTime")
      values (${area.kit.enterprises.ours}, '', ${name}, ${level}, ${ProjectId}, 9, now()) returning "Id"`)
    area.kit.db.emit({ resource: 'alarmInfo', id: row!.Id, verb: 'create', EnterpriseId: area.kit.enterprises.ours, ProjectId })
    return row!.Id
  }
  const alarms = async (as: string) => (await area.list(as, { BizTypeList: [1] })).Items

  it('notifies people who may see it of a raised alarm once, also across a restart', async () => {
    const { project } = await plant()
    await area.kit.person('elsewhere', area.kit.enterprises.ours, { projects: [(await plant()).project], menus: permissions })
    const id = await raise(project)
    await vi.waitFor(async () => expect(await alarms('owner')).toHaveLength(1))
    expect((await alarms('owner'))[0]).toMatchObject({ PushTitle: 'Level > 8', ObjectType: 'alarmInfo', ObjectId: id, AlmRuleId: null })
    expect((await alarms('owner'))[0]!.PushContent).toContain('9')
    expect([await alarms('elsewhere'), await alarms('reader'), await alarms('stranger')]).toEqual([[], [], []])
    await vi.waitFor(() => expect(area.sent().filter(({ notice }) => notice.BizType === 1)).toHaveLength(1))
    expect(area.sent().find(({ notice }) => notice.BizType === 1)!.to).toMatchObject({ permission: 'm10201', ProjectId: project })

    await area.stop()
    const missed = await raise(project, 3)
    area.run()
    await vi.waitFor(async () => expect((await alarms('owner')).map((n) => n.ObjectId)).toEqual([missed, id]))
    await new Promise((done) => setTimeout(done, 50))
    expect(await alarms('owner')).toHaveLength(2)
    await area.expectBadges('owner')
  })

  it('names the state of a Bool in the language of its reader', async () => {
    await raise((await plant()).project, 2, 'Pump 3:\u00a0On')
    await vi.waitFor(async () => expect(await area.titles('owner')).toEqual(['Pump 3: On']))
    const inChinese = await area.kit.request('owner', 'GET', '/System/Notice/UserNoticeList', undefined, { 'accept-language': 'zh' })
    expect(inChinese.json().Data.Items[0].PushTitle).toContain('Pump 3：开')
  })

  it('misses no alarm that is committed after one with a higher number', async () => {
    const { project } = await plant()
    const { system } = area.kit.database
    const insert = (db: typeof system, name: string) =>
      db.rows(sql`insert into alarm_info ("EnterpriseId", "AlmNo", "RuleName", "AlarmLevel", "ProjectId", "StartTime")
        values (${area.kit.enterprises.ours}, '', ${name}, 2, ${project}, now())`)
    const told = (db: typeof system) =>
      db.emit({ resource: 'alarmInfo', id: 0, verb: 'create', EnterpriseId: area.kit.enterprises.ours, ProjectId: project })
    await system.tx(async (slow) => {
      await insert(slow, 'Slow')
      await system.tx(async (fast) => {
        await insert(fast, 'Fast')
        told(fast)
      })
      await vi.waitFor(async () => expect(await area.titles('owner')).toEqual(['Fast']))
      told(slow)
    })
    await vi.waitFor(async () => expect((await area.titles('owner')).toSorted()).toEqual(['Fast', 'Slow']))
  })

  it('reports each fault of a gateway once per alarm', async () => {
    const { gateway, project } = await plant()
    const { ours } = area.kit.enterprises
    for (const fault of [1, 2, 3, 4, 1]) {
      await area.kit.db.rows(sql`
        insert into alarm_info ("EnterpriseId", "AlmNo", "RuleName", "AlarmLevel", "AlarmType", "GatewayId", "GatewayFault", "ProjectId", "StartTime")
        values (${ours}, '', 'North: fault', 2, 2, ${gateway}, ${fault}, ${project}, now())`)
      area.kit.db.emit({ resource: 'alarmInfo', id: gateway, verb: 'create', EnterpriseId: ours, ProjectId: project })
    }
    const told = async () => (await area.list('owner', { BizTypeList: [2] })).Items
    await vi.waitFor(async () => expect(await told()).toHaveLength(5))
    expect((await told()).map((n) => n.PushTitle).toSorted()).toEqual([
      'Firmware mismatch on North',
      'North has lost power',
      'North is offline',
      'North is offline',
      'Storage of North is full',
    ])
    expect((await told())[0]).toMatchObject({ ObjectType: 'gateway', ObjectId: gateway })
    await area.expectBadges('owner')
  })

  it('sends sixty notices per project and minute, and one with the number of the other alarms', async () => {
    const [here, there] = [(await plant()).project, (await plant()).project]
    const raiseMany = (project: number, count: number) =>
      area.kit.database.system.tx(async (db) => {
        await db.rows(sql`
          insert into alarm_info ("EnterpriseId", "AlmNo", "RuleName", "AlarmLevel", "ProjectId", "TriggerValue", "StartTime")
          select ${area.kit.enterprises.ours}, '', 'Level ' || n, 2, ${project}, 9, now() from generate_series(1, ${count}::int) n`)
        db.emit({ resource: 'alarmInfo', id: 0, verb: 'create', EnterpriseId: area.kit.enterprises.ours, ProjectId: project })
      })
    const told = async () =>
      (await area.list('owner', { BizTypeList: [1], PageSize: 1000 })).Items.filter((n) => n.PushTitle.startsWith('Alarm flood')).map(
        (n) => n.PushContent,
      )
    const heard = async () => (await area.list('owner', { BizTypeList: [1] })).TotalCount
    area.at(Date.parse('2026-06-01T08:00:10Z'))
    await raiseMany(here, 70)
    await raiseMany(there, 60)
    await vi.waitFor(async () => expect(await heard()).toBe(121))
    await vi.waitFor(async () => expect(await told()).toEqual(['10 more alarms arrived within a minute. See the alarm list.']))
    await raiseMany(here, 700)
    await vi.waitFor(async () => expect(await told()).toEqual(['710 more alarms arrived within a minute. See the alarm list.']))
    expect(await heard()).toBe(121)
    area.at(Date.parse('2026-06-01T08:01:00Z'))
    await raiseMany(here, 1)
    await vi.waitFor(async () => expect(await heard()).toBe(122))
    await area.expectBadges('owner')
  })

  it('is silent for somebody whose own settings leave it out, in list and badge', async () => {
    const { project } = await plant()
    await area.kit.db.rows(sql`
      insert into alarm_user_setting ("EnterpriseId", "UserId", "Setting") values (${area.kit.enterprises.ours}, ${area.kit.people.get('viewer')!.id},
        '{"Levels": [3], "Types": [1, 2], "Methods": [1]}')`)
    await raise(project, 2)
    await raise(project, 3)
    await vi.waitFor(async () => expect(await alarms('owner')).toHaveLength(2))
    expect(await alarms('viewer')).toHaveLength(1)
    await area.expectBadges('viewer')
  })

  it('sends what an area notifies once', async () => {
    const made: Partial<Made> = { BizType: 11, Source: 'export/1', UserIds: [area.kit.people.get('reader')!.id] }
    expect([await area.tell(made), await area.tell(made)]).toEqual([true, false])
    expect((await area.list('reader')).TotalCount).toBe(1)
    expect((await area.list('owner')).TotalCount).toBe(0)
  })

  it('reports a flood in one message', async () => {
    await area.kit.database.system.tx(async (db) => {
      for (let i = 0; i < 50; i++)
        await notify(db, {
          EnterpriseId: area.kit.enterprises.ours,
          BizType: 11,
          Wording: 'offline',
          WordValues: {},
          Source: `flood/${i}`,
        })
    })
    await vi.waitFor(() => expect(area.sent().map(({ notice }) => notice)).toContainEqual({ Id: 0, BizType: 0, Event: 'published' }))
    expect(area.sent().length).toBeLessThan(5)
  })
})
