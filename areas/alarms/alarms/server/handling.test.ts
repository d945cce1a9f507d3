import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { type Alarm, type Area, at, openJournal, startArea } from './harness.ts'

let area: Area
let p: number
beforeAll(async () => {
  area = await startArea()
  p = await area.makePoint({ AlarmLow: null })
})
afterEach(() => area.reset())
afterAll(() => area.kit.close())

/** Alarms of the point, in order; the last one is active. */
const raise = async (count = 1) => {
  const journal = openJournal()
  const { alarms } = area.start(journal)
  await alarms.idle()
  for (let i = 0; i < count; i++) journal.write(at(p, i * 10, 50), at(p, i * 10 + 5, 95))
  await alarms.idle()
  return (await area.alarmsOf(p)).map((a) => a.Id)
}
const post = <T = { Changed: number }>(path: string, body: object, as = 'owner') =>
  area.kit.data<T>(as, 'POST', `/Alarm/AlarmInfo/${path}`, body)
const get = <T>(path: string) => area.kit.data<T>('owner', 'GET', `/Alarm/AlarmInfo/${path}`)
const find = async (Id: number) =>
  get<Alarm>(`Detail?Id=${Id}`).catch(() => area.kit.data<Alarm>('owner', 'GET', `/Alarm/AlarmInfo?Id=${Id}`))

describe('what people do about an alarm', () => {
  it('is shelved for some hours with a reason, is not counted while shelved, and is unshelved', async () => {
    const [Id] = await raise()
    expect(await area.kit.call('owner', 'POST', '/Alarm/AlarmInfo/Shelve', { Ids: [Id], Hours: 2 })).toMatchObject({ StatusCode: 400 })
    expect(await area.kit.call('owner', 'POST', '/Alarm/AlarmInfo/Shelve', { Ids: [Id], Hours: 25, Reason: 'x' })).toMatchObject({
      StatusCode: 400,
    })
    expect(await post('Shelve', { Ids: [Id], Hours: 2, Reason: 'Pump is being mended' })).toEqual({ Changed: 1 })
    expect(await find(Id!)).toMatchObject({ ShelveReason: 'Pump is being mended', AckStatus: 1, IsActive: 1 })
    expect(await get('Statistics')).toMatchObject({ TotalCount: 0 })
    await post('Shelve', { Ids: [Id], Hours: 0 })
    expect(await find(Id!)).toMatchObject({ ShelvedUntil: null, ShelveReason: null })
    expect(await get('Statistics')).toMatchObject({ TotalCount: 1 })
    // An expired shelving ends automatically.
    await post('Shelve', { Ids: [Id], Hours: 1, Reason: 'x' })
    await area.kit.db.rows(sql`update alarm_info set "ShelvedUntil" = now() - interval '1 second'`)
    expect(await get('Statistics')).toMatchObject({ TotalCount: 1 })
  })

  it('is called false, assigned, and talked about, with files', async () => {
    const [Id] = await raise()
    await post('MarkFalse', { Ids: [Id], IsFalse: 1 })
    const owner = area.kit.people.get('owner')!.id
    await post('Assign', { Ids: [Id], UserId: owner })
    expect(await find(Id!)).toMatchObject({ IsFalse: 1, AssigneeId: owner, AssigneeName: 'owner' })
    const stranger = area.kit.people.get('stranger')!.id
    expect(await area.kit.call('owner', 'POST', '/Alarm/AlarmInfo/Assign', { Ids: [Id], UserId: stranger })).toMatchObject({
      StatusCode: 404,
    })
    await post('Comment', { Id, Text: 'The gasket leaks.' })
    expect(await get(`Comments?Id=${Id}`)).toMatchObject([{ UserName: 'owner', Text: 'The gasket leaks.', Files: [] }])
    expect(await area.kit.call('stranger', 'GET', `/Alarm/AlarmInfo/Comments?Id=${Id}`)).toMatchObject({ StatusCode: 404 })
    expect(
      await area.kit.call('owner', 'POST', '/Alarm/AlarmInfo/Comment', {
        Id,
        Text: 'x',
        Files: [{ FilePath: '/etc/passwd', FileName: 'x' }],
      }),
    ).toMatchObject({ StatusCode: 400 })
  })

  it('is handled with a fault code, whose plan it takes', async () => {
    const plan = await area.kit.data<{ Id: number }>('owner', 'POST', '/Alarm/AlarmPlan', {
      PlanName: 'Replace the gasket',
      Content: 'Close the valve first.',
    })
    const code = await area.kit.data<{ Id: number }>('owner', 'POST', '/Alarm/Alarmcode', {
      Code: 'P-17',
      Name: 'Gasket leaks',
      AlmPlanId: plan.Id,
    })
    const [Id] = await raise()
    expect(await get(`HandleChoices?Id=${Id}`)).toEqual({
      Codes: [{ Id: code.Id, Code: 'P-17', Name: 'Gasket leaks', AlmPlanId: plan.Id }],
      Plans: [{ Id: plan.Id, PlanName: 'Replace the gasket' }],
    })
    expect(await get(`Plan?AlmPlanId=${plan.Id}`)).toEqual({
      ...{ PlanName: 'Replace the gasket', Content: 'Close the valve first.' },
      ArticleId: null,
    })
    // A person who sees several tenants may not assign another tenant's records to an alarm.
    const foreign = await area.kit.data<{ Id: number }>('stranger', 'POST', '/Alarm/Alarmcode', { Code: 'F-1', Name: 'Foreign' })
    for (const who of ['owner', 'platform'])
      expect(
        await area.kit.call(who, 'POST', '/Alarm/AlarmInfo/HandleAndPlan', { Ids: [Id], HandleDesc: 'x', FaultCodeId: foreign.Id }),
      ).toMatchObject({ StatusCode: 400 })
    await post('HandleAndPlan', { Ids: [Id], HandleDesc: 'Replaced', FaultCodeId: code.Id })
    expect(await find(Id!)).toMatchObject({ HandleStatus: 2, HandleDesc: 'Replaced', FaultCode: 'P-17', PlanName: 'Replace the gasket' })
    expect(
      await area.kit.call('owner', 'POST', '/Alarm/AlarmInfo/HandleAndPlan', { Ids: [Id], HandleDesc: 'x', FaultCodeId: 999_999 }),
    ).toMatchObject({ StatusCode: 400 })
    expect(await area.kit.data('owner', 'GET', '/Alarm/AlarmRule/AlarmPlanList')).toEqual([{ Id: plan.Id, PlanName: 'Replace the gasket' }])
    // In use.
    expect(await area.kit.call('owner', 'DELETE', '/Alarm/Alarmcode', { Ids: [code.Id] })).toMatchObject({ StatusCode: 409 })
  })

  it('is offered the fault codes of its device and those of all devices', async () => {
    const model = (ModelName: string) => area.kit.data<{ Id: number }>('owner', 'POST', '/ProModel/ProModel', { ModelName })
    const [own, other] = [await model('P-100'), await model('P-200')]
    const [Id] = await raise()
    const code = (Code: string, ModelId: number) => area.kit.data('owner', 'POST', '/Alarm/Alarmcode', { Code, Name: Code, ModelId })
    const { Codes: before } = await get<{ Codes: { Code: string }[] }>(`HandleChoices?Id=${Id}`)
    await code('OWN', own.Id)
    await code('OTHER', other.Id)
    const { DeviceId } = await find(Id!)
    await area.kit.data('owner', 'PUT', '/Project/Device', { Id: DeviceId, ModelId: own.Id })
    const { Codes } = await get<{ Codes: { Code: string }[] }>(`HandleChoices?Id=${Id}`)
    expect(Codes.map((c) => c.Code)).toEqual([...before.map((c) => c.Code), 'OWN'].sort())
  })

  it('may be done only by who holds the button', async () => {
    const [Id] = await raise()
    for (const [path, body] of [
      ['Shelve', { Hours: 1, Reason: 'x' }],
      ['MarkFalse', { IsFalse: 1 }],
      ['Assign', { UserId: null }],
      ['HandleAndPlan', { HandleDesc: 'x' }],
    ] as const)
      expect(await area.kit.call('viewer', 'POST', `/Alarm/AlarmInfo/${path}`, { Ids: [Id], ...body }), path).toMatchObject({
        StatusCode: 403,
      })
  })
})

describe('what is asked of the list', () => {
  const list = async (filter: string) => (await get<Page<Alarm>>(`List?${filter}`)).Items.map((a) => a.Id)
  it('[alarm-handling-status] [alarm-type-filter] [alarm-level-filter] filters by handling 0, 1, 2, by kind 1, 2, and by levels', async () => {
    const [first, second] = await raise(2)
    await post('Handle', { Ids: [second], HandleDesc: 'done' })
    expect(await list('HandleStatus=0')).toEqual([])
    expect(await list('HandleStatus=1')).toEqual([first])
    expect(await list('HandleStatus=2')).toEqual([second])
    expect(await list('RuleType=1')).toHaveLength(2)
    expect(await list('RuleType=2')).toEqual([])
    const levels = (Value: string) =>
      area.kit.data<Page<Alarm>>('owner', 'POST', '/V3/Project/AlarmInfo/List', {
        QueryInfo: { QueryConditions: [{ Field: 'AlarmLevel', Value, LogicOP: 8 }] },
      })
    expect((await levels('1,2')).TotalCount).toBe(2)
    expect((await levels('3')).TotalCount).toBe(0)
  })

  it('[alarm-other-filters] filters by false alarms, by the highest level and by no fault code', async () => {
    const [first, second] = await raise(2)
    await post('MarkFalse', { Ids: [first], IsFalse: 1 })
    expect(await list('IsFalse=1')).toEqual([first])
    expect(await list('AlarmLevel=3')).toEqual([])
    await area.kit.db.rows(sql`update alarm_info set "AlarmLevel" = 3 where "Id" = ${second!}`)
    expect(await list('AlarmLevel=3')).toEqual([second])
    expect((await list('OtherFilter=-1')).sort()).toEqual([first, second].sort())
    expect(await list('OtherFilter=0')).toEqual([first])
    expect(await list('OtherFilter=1')).toEqual([second])
    expect((await list('OtherFilter=2')).sort()).toEqual([first, second].sort())
  })

  it('names, counts and statistics are of what the person sees', async () => {
    const ids = await raise(3)
    await post('Acknowledge', { Ids: ids })
    for (const of of ['Project', 'Gateway', 'Device']) expect((await get<unknown[]>(`${of}NameList`)).length, of).toBeGreaterThan(0)
    expect((await get<{ Name: string }[]>('GatewaySNList'))[0]!.Name).toMatch(/^SN/)
    const found = await get<Record<string, unknown>>('Analyse?StartDate=2026-06-01&EndDate=2026-06-01')
    expect(found).toMatchObject({
      Total: 3,
      False: 0,
      Levels: [{ AlarmLevel: 2, Count: 3 }],
      Days: [{ Date: '2026-06-01', Count: 3 }],
      Floods: [],
      Chattering: [{ Count: 3 }],
      MeanRecoverSeconds: 5,
    })
    expect(await area.kit.call('owner', 'GET', '/Alarm/AlarmInfo/Analyse?StartDate=2026-02-31&EndDate=2026-03-01')).toMatchObject({
      StatusCode: 400,
    })
    expect(await get('Analyse?StartDate=2026-06-02&EndDate=2026-06-03')).toMatchObject({ Total: 0, MeanAckSeconds: null })
    const theirs = await area.kit.data<Record<string, unknown>>(
      'stranger',
      'GET',
      '/Alarm/AlarmInfo/Analyse?StartDate=2026-06-01&EndDate=2026-06-01',
    )
    expect(theirs.Total).toBe(0)
  })

  it('statistics count by level, device and day, say how long people and alarms took, and name floods, chattering and active alarms', async () => {
    const { EnterpriseId, DeviceId, ProjectId } = area.registry.get(p)!
    const other = await area.makePoint({ AlarmLow: null })
    const make = (
      device: number,
      name: string,
      start: string,
      { level = 2, ack = null as string | null, end = null as string | null } = {},
    ) =>
      area.kit.db.rows(sql`
        insert into alarm_info ("EnterpriseId", "ProjectId", "DeviceId", "RuleName", "AlarmLevel", "Subject", "StartTime", "AckTime", "RecoverTime", "IsActive")
        values (${EnterpriseId}, ${ProjectId}, ${device}, ${name}, ${level}, ${name}, ${start}, ${ack}, ${end}, ${end ? 0 : 1})`)
    // Eleven of different kinds in ten minutes, three of one kind in a minute, and one that is still active.
    for (let i = 0; i < 11; i++)
      await make(DeviceId, `Kind ${i}`, `2026-06-01T10:0${i % 10}:00Z`, {
        ack: `2026-06-01T10:1${i % 10}:00Z`,
        end: `2026-06-01T11:0${i % 10}:00Z`,
      })
    for (let i = 0; i < 3; i++) await make(DeviceId, 'Chatters', `2026-06-02T10:00:0${i}Z`, { level: 1, end: `2026-06-02T10:00:0${i}Z` })
    await make(area.registry.get(other)!.DeviceId, 'Stands', '2026-06-03T10:00:00Z', { level: 3 })
    const devices = new Map((await get<{ Id: number; Name: string }[]>('DeviceNameList')).map((d) => [d.Id, d.Name]))
    const found = await get<Record<string, unknown>>('Analyse?StartDate=2026-06-01&EndDate=2026-06-03')
    expect(found).toEqual({
      ...{ Total: 15, False: 0, MeanAckSeconds: 600, MeanRecoverSeconds: (11 * 3600) / 14, Standing: 1 },
      Levels: [
        { AlarmLevel: 1, Count: 3 },
        { AlarmLevel: 2, Count: 11 },
        { AlarmLevel: 3, Count: 1 },
      ],
      Devices: [
        { DeviceId, DeviceName: devices.get(DeviceId), Count: 14 },
        { DeviceId: area.registry.get(other)!.DeviceId, DeviceName: devices.get(area.registry.get(other)!.DeviceId), Count: 1 },
      ],
      Days: [
        { Date: '2026-06-01', Count: 11 },
        { Date: '2026-06-02', Count: 3 },
        { Date: '2026-06-03', Count: 1 },
      ],
      Floods: [{ Time: '2026-06-01 10:00:00', Count: 11 }],
      Chattering: [{ RuleName: 'Chatters', Count: 3 }],
      Shifts: [],
    })
    // By the shifts of the company's days: all began at noon or before it, two hours ahead of UTC; on the third day there was none.
    const Times = [
      { Name: 'Early', Start: '06:00', End: '14:00', Weeks: [2, 3] },
      { Name: 'Late', Start: '14:00', End: '22:00', Weeks: [2, 3] },
    ]
    await area.kit.db.rows(sql`
      insert into shift_plan ("EnterpriseId", "ProjectId", "PlanName", "ValidFrom", "Times")
      values (${EnterpriseId}, ${ProjectId}, 'Two', '2026-01-01', ${JSON.stringify(Times)}::jsonb)`)
    expect(await get(`Analyse?StartDate=2026-06-01&EndDate=2026-06-03&ProjectId=${ProjectId}`)).toMatchObject({
      Total: 15,
      Shifts: expect.arrayContaining([{ Shift: '', Count: 1 }]),
    })
  })

  it('alarms of gateways have calls of their own', async () => {
    await raise()
    const { EnterpriseId, GatewayId, ProjectId } = area.registry.get(p)!
    await area.kit.db.rows(
      sql`insert into alarm_info ("EnterpriseId", "ProjectId", "GatewayId", "AlarmType", "RuleName", "AlmNo", "Subject", "StartTime") values (${EnterpriseId}, ${ProjectId}, ${GatewayId}, 2, 'Gateway: offline', '', 'g1 offline', now())`,
    )
    const gateways = await area.kit.data<Page<Alarm>>('owner', 'GET', '/Alarm/GatewayAlarmInfo/List?QueryInfo={"RelOP":2}')
    expect(gateways.Items.map((a) => a.AlarmType)).toEqual([2])
    expect(await area.kit.data('owner', 'GET', '/Alarm/GatewayAlarmInfo/Statistics')).toMatchObject({ TotalCount: 1 })
  })
})

it('alarms of gateways leave as a sheet of their own, without those of devices', async () => {
  await raise()
  const [gateway] = await area.kit.db.rows<{ Id: number; EnterpriseId: number }>(sql`select "Id", "EnterpriseId" from gateway limit 1`)
  await area.kit.db.rows(sql`
    insert into alarm_info ("EnterpriseId", "GatewayId", "RuleName", "AlarmType", "StartTime")
    values (${gateway!.EnterpriseId}, ${gateway!.Id}, 'North: offline', 2, now())`)
  const csv = async (as: string) =>
    (await area.kit.request(as, 'GET', '/Alarm/GatewayAlarmInfo/Output?Format=csv&Fields=RuleName,AlarmType')).body
      .trim()
      .split('\r\n')
      .slice(1)
  expect(await csv('owner')).toEqual(['North: offline,Gateway'])
  expect(await csv('stranger')).toEqual([])
})
