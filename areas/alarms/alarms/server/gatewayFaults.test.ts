import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Area, at, openJournal, startArea } from './harness.ts'
import { unshelveDue } from './unshelve.ts'

let area: Area
let p: number
let gateway: { Id: number; EnterpriseId: number; ProjectId: number }
let now: number
beforeAll(async () => {
  area = await startArea()
  p = await area.makePoint()
  gateway = area.registry.gatewayById(area.registry.get(p)!.GatewayId)!
})
beforeEach(() => {
  now = Date.now()
  area.setClock(now)
})
afterEach(async () => {
  await area.reset()
  area.registry.gatewayById(gateway.Id)!.OnlineStatus = 1
  for (const table of ['alarm_setting', 'alm_gateway_template', 'gateway_event'])
    await area.kit.db.rows(sql`delete from ${sql.table(table)}`)
  await area.kit.db.rows(sql`update gateway set "DiskRate" = null, "FirmwareVer" = null, "LastOfflineTime" = null`)
})
afterAll(() => area.kit.close())

const start = async () => {
  const started = area.start(openJournal(), {}, true)
  await started.alarms.idle()
  const later = async (seconds: number) => {
    now += seconds * 1000
    area.setClock(now)
    await started.alarms.idle()
  }
  const settled = async () => {
    area.kit.database.system.emit({ resource: 'gateway', id: gateway.Id, verb: 'update', EnterpriseId: gateway.EnterpriseId })
    await later(0)
  }
  return { ...started, heard: started.pushed, later, settled }
}
const turn = (status: 0 | 1) => {
  area.registry.gatewayById(gateway.Id)!.OnlineStatus = status
}
let localized = 0
const event = (type: number, level: number) =>
  area.kit.db.rows(sql`
    insert into gateway_event ("EnterpriseId", "GatewayId", "MsgId", "Type", "Level", "Text", "Time")
    values (${gateway.EnterpriseId}, ${gateway.Id}, ${`said ${++localized}`}, ${type}, ${level}, 'said', now())`)
const alarms = () =>
  area.kit.db.rows<{ GatewayFault: number; IsActive: number; AlarmLevel: number }>(
    sql`select "GatewayFault", "IsActive", "AlarmLevel" from alarm_info where "AlarmType" = 2 order by "Id"`,
  )
const set = async (template: object, scope: object = {}) => {
  const { Id } = await area.kit.data<{ Id: number }>('owner', 'POST', '/Alarm/AlmGatewayTemplate', {
    TemplateName: `T${++localized}`,
    ...template,
  })
  return area.kit.data<{ Id: number }>('owner', 'POST', '/Alarm/AlarmSetting', {
    SettingName: `S${localized}`,
    AlmGatewayTemplateId: Id,
    ...scope,
  })
}

describe('without a setting', () => {
  it('a power cut is an alarm of the highest level until the gateway says that it is over, or is there again', async () => {
    const { settled } = await start()
    for (const [over, level] of [
      [3, 0],
      [1, 0],
      [7, 1],
    ] as const) {
      await event(3, 3)
      await settled()
      expect((await alarms()).at(-1)).toEqual({ GatewayFault: 2, IsActive: 1, AlarmLevel: 3 })
      await event(over, level)
      await settled()
      expect((await alarms()).at(-1)).toMatchObject({ IsActive: 0 })
    }
    expect(await alarms()).toHaveLength(3)
  })

  it('what a box said is over with it: a gateway that is released, or has another box, has no power cut', async () => {
    const { settled } = await start()
    const { SN } = area.registry.gatewayById(gateway.Id)!
    const box = (sn: string | null, since: string) =>
      area.kit.db.rows(sql`update gateway set "SN" = ${sn}, "BoundTime" = ${sql.raw(since)} where "Id" = ${gateway.Id}`)
    await event(3, 3)
    await settled()
    expect((await alarms()).at(-1)).toMatchObject({ GatewayFault: 2, IsActive: 1 })
    await box(null, 'now()')
    await settled()
    expect((await alarms()).at(-1)).toMatchObject({ GatewayFault: 2, IsActive: 0 })
    await box(SN, 'now()')
    await settled()
    expect(await alarms()).toHaveLength(1)
    await box(SN, 'null')
  })

  it('full storage is one when the gateway says so, and a restart of the server raises nothing twice', async () => {
    const first = await start()
    await event(8, 2)
    await first.settled()
    await first.alarms.stop()
    const second = await start()
    await second.settled()
    expect(await alarms()).toEqual([{ GatewayFault: 3, IsActive: 1, AlarmLevel: 2 }])
    await event(8, 0)
    await second.settled()
    expect(await alarms()).toEqual([{ GatewayFault: 3, IsActive: 0, AlarmLevel: 2 }])
  })

  it('consoles hear of it in their own language, when it is raised and when it recovers', async () => {
    const { settled, heard } = await start()
    await event(8, 2)
    await settled()
    await event(8, 0)
    await settled()
    const localized = heard.filter((m) => m.language === 'zh' || m.language === 'es')
    const name = (await area.list('owner'))[0]!.RuleName.replace(/: .*/, '')
    expect(localized.map((m) => [m.Event, m.language, m.RuleName])).toEqual([
      ['raised', 'zh', `${name}：存储满`],
      ['raised', 'es', `${name}: Memoria llena`],
      ['recovered', 'zh', `${name}：存储满`],
      ['recovered', 'es', `${name}: Memoria llena`],
    ])
    expect(heard).toHaveLength(8)
  })

  it('what ended while the server was away has recovered when it is back', async () => {
    const first = await start()
    await event(3, 3)
    await first.settled()
    await first.alarms.stop()
    await event(1, 0)
    await start()
    expect(await alarms()).toMatchObject([{ GatewayFault: 2, IsActive: 0 }])
  })
})

describe('with a setting', () => {
  it('being away is an alarm only after the delay, at the level that is set, and not when it is back before', async () => {
    await set({ OfflineDelay: 300, OfflineLevel: 3 })
    const { settled, later } = await start()
    turn(0)
    await settled()
    await later(299)
    expect(await alarms()).toEqual([])
    turn(1)
    await settled()
    await later(600)
    expect(await alarms()).toEqual([])
    turn(0)
    await settled()
    await later(300)
    expect(await alarms()).toEqual([{ GatewayFault: 1, IsActive: 1, AlarmLevel: 3 }])
    turn(1)
    await settled()
    expect(await alarms()).toMatchObject([{ IsActive: 0 }])
  })

  it('rules that waited while it was away watch again, also when it came back while the server was off', async () => {
    const { Id } = await area.kit.data<{ Id: number }>('owner', 'POST', '/Alarm/AlarmRule', {
      ...{ RuleName: 'Above', Status: 1, AlarmLevel: 2 },
      RuleConfigure: {
        ...{ LogicSymbol: 1, EnableType: 0 },
        RuleList: [
          {
            LogicSymbol: 1,
            Conditions: [{ TriggerStyle: 1, TriggerCondition: 1, OperateSymbol: 3, ParamValue: 20, AlarmParams: [{ ParaId: p }] }],
          },
        ],
      },
    })
    await set({ Offline: 0 })
    const first = await start()
    turn(0)
    await first.settled()
    await first.alarms.stop()
    turn(1)
    const journal = openJournal()
    const { alarms: engine } = area.start(journal)
    await engine.idle()
    journal.write(at(p, 0, 30))
    await engine.idle()
    expect(await area.alarmsOf(p)).toMatchObject([{ AlmRuleId: Id, IsActive: 1 }])
    expect(await alarms()).toEqual([])
  })

  it('the narrowest counts, a disabled one does not, and a change applies immediately', async () => {
    const { settled, later } = await start()
    const all = await set({ StorageLimit: 80 })
    await area.kit.db.rows(sql`update gateway set "DiskRate" = 85 where "Id" = ${gateway.Id}`)
    await later(0)
    await settled()
    expect(await alarms()).toEqual([{ GatewayFault: 3, IsActive: 1, AlarmLevel: 2 }])
    const own = await set({ StorageLimit: 90 }, { GatewayId: gateway.Id })
    await later(0)
    expect(await alarms()).toMatchObject([{ IsActive: 0 }])
    await area.kit.data('owner', 'PUT', '/Alarm/AlarmSetting', { Id: own.Id, Enabled: 0 })
    await later(0)
    expect(await alarms()).toMatchObject([{ IsActive: 0 }, { IsActive: 1 }])
    await area.kit.data('owner', 'DELETE', '/Alarm/AlarmSetting', { Ids: [all.Id] })
    await later(0)
    expect(await alarms()).toMatchObject([{ IsActive: 0 }, { IsActive: 0 }])
  })

  it('figures of heartbeats are looked at each minute', async () => {
    await set({ StorageLimit: 80 })
    const { later } = await start()
    await area.kit.db.rows(sql`update gateway set "DiskRate" = 81 where "Id" = ${gateway.Id}`)
    await later(30)
    expect(await alarms()).toEqual([])
    await later(31)
    expect(await alarms()).toMatchObject([{ GatewayFault: 3, IsActive: 1 }])
  })

  it('another firmware than the one wanted is one, until it has it', async () => {
    await set({ Firmware: 1, FirmwareVer: '2.0' })
    await area.kit.db.rows(sql`update gateway set "FirmwareVer" = '1.9' where "Id" = ${gateway.Id}`)
    const { settled } = await start()
    expect(await alarms()).toEqual([{ GatewayFault: 4, IsActive: 1, AlarmLevel: 1 }])
    await area.kit.db.rows(sql`update gateway set "FirmwareVer" = '2.0' where "Id" = ${gateway.Id}`)
    await settled()
    expect(await alarms()).toMatchObject([{ IsActive: 0 }])
  })

  it('of another tenant does not hold here', async () => {
    const { Id } = await area.kit.data<{ Id: number }>('stranger', 'POST', '/Alarm/AlmGatewayTemplate', {
      TemplateName: 'Theirs',
      Offline: 0,
    })
    await area.kit.data('stranger', 'POST', '/Alarm/AlarmSetting', { SettingName: 'Theirs', AlmGatewayTemplateId: Id })
    const { settled } = await start()
    turn(0)
    await settled()
    expect(await alarms()).toMatchObject([{ GatewayFault: 1, IsActive: 1 }])
  })
})

describe('the active list', () => {
  it('excludes shelved alarms, which return by themselves and are announced', async () => {
    const journal = openJournal()
    const { alarms: engine } = area.start(journal)
    await engine.idle()
    journal.write(at(p, 0, 95))
    await engine.idle()
    const [alarm] = await area.alarmsOf(p)
    const shown = async (aside: 0 | 1) => (await area.list('owner', `&IsActive=1&IsShelved=${aside}`)).map((a) => a.Id)
    const groups = () => area.kit.data<unknown[]>('owner', 'GET', '/Alarm/AlarmInfo/Groups?By=DeviceId')
    expect(await groups()).toMatchObject([{ Count: 1, Unacknowledged: 1, Level: 2 }])
    await area.kit.data('owner', 'POST', '/Alarm/AlarmInfo/Shelve', { Ids: [alarm!.Id], Hours: 2, Reason: 'Being mended' })
    expect([await shown(0), await shown(1), await groups()]).toEqual([[], [alarm!.Id], []])
    expect(await unshelveDue(area.kit.database, Date.now())).toBe(0)
    expect(await unshelveDue(area.kit.database, Date.now() + 2 * 3_600_000 + 1000)).toBe(1)
    expect([await shown(0), await shown(1)]).toEqual([[alarm!.Id], []])
    expect(area.changes()).toContainEqual(expect.objectContaining({ resource: 'alarmInfo', id: alarm!.Id, verb: 'update' }))
    expect(await area.kit.data('stranger', 'GET', '/Alarm/AlarmInfo/Groups?By=DeviceId')).toEqual([])
  })
})
