import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { permissions } from '../../../contract/areas/menus.ts'
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
  const raise = async (ProjectId: number, level = 2) => {
    const [row] = await area.kit.db.rows<{ Id: number }>(sql`
      insert into alarm_info ("EnterpriseId", "AlmNo", "RuleName", "AlarmLevel", "ProjectId", "TriggerValue", "StartTime")
      values (${area.kit.enterprises.ours}, '', 'Level > 8', ${level}, ${ProjectId}, 9, now()) returning "Id"`)
    area.kit.db.tell({ resource: 'alarmInfo', id: row!.Id, verb: 'create', EnterpriseId: area.kit.enterprises.ours, ProjectId })
    return row!.Id
  }
  const alarms = async (as: string) => (await area.list(as, { BizTypeList: [1] })).Items

  it('tells a raised alarm once, also after a restart, to those who may see it', async () => {
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

  it('tells that a gateway went offline, once for each time', async () => {
    const { gateway } = await plant()
    const gone = async (time: string) => {
      await area.kit.db.rows(sql`update gateway set "OnlineStatus" = 0, "LastOfflineTime" = ${time}::timestamptz where "Id" = ${gateway}`)
      for (let i = 0; i < 3; i++)
        area.kit.db.tell({ resource: 'gateway', id: gateway, verb: 'update', EnterpriseId: area.kit.enterprises.ours, ProjectId: null })
    }
    const offline = async () => (await area.list('owner', { BizTypeList: [2] })).Items
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString()
    await gone(hourAgo)
    await vi.waitFor(async () => expect(await offline()).toHaveLength(1))
    await gone(new Date().toISOString())
    await vi.waitFor(async () => expect(await offline()).toHaveLength(2))
    expect((await offline())[0]).toMatchObject({ PushTitle: 'North is offline', ObjectType: 'gateway', ObjectId: gateway })
    expect(await area.counts('owner')).toMatchObject({ GatewayOnoffTotalCount: 1, TotalCount: expect.any(Number) })
  })

  it('tells what an area says through notify once', async () => {
    const made: Partial<Made> = { BizType: 11, Source: 'export/1', UserIds: [area.kit.people.get('reader')!.id] }
    expect([await area.tell(made), await area.tell(made)]).toEqual([true, false])
    expect((await area.list('reader')).TotalCount).toBe(1)
    expect((await area.list('owner')).TotalCount).toBe(0)
  })

  it('tells a flood in one message', async () => {
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
