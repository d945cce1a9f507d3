import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Area, at, base, openJournal, startArea } from './harness.ts'

let area: Area
beforeAll(async () => {
  area = await startArea()
})
afterEach(() => area.reset())
afterAll(() => area.kit.close())

test('a reading beyond a limit raises an alarm that is stored, announced and listed; a reading within it ends the alarm', async () => {
  const { kit, registry, makePoint, start, list } = area
  const id = await makePoint({ ParaName: 'Outlet pressure' })
  const journal = openJournal()
  const { alarms, pushed } = start(journal)
  journal.write(at(id, 0, 50), at(id, 1, 95))
  await alarms.idle()
  const [raised] = await list('owner', `&ParaId=${id}`)
  expect(raised).toMatchObject({
    AlmNo: `AL20260601-${raised!.Id}`,
    RuleName: 'Outlet pressure > 90',
    ...{
      AlarmLevel: 2,
      AlarmType: 1,
      RuleType: 1,
      Limit: 'high',
      LimitValue: 90,
      TriggerValue: 95,
      IsActive: 1,
      HandleStatus: 0,
      AckStatus: 0,
    },
    ...{
      StartTime: '2026-06-01 12:00:01',
      RecoverTime: null,
      DeviceId: registry.get(id)!.DeviceId,
      ProjectId: registry.get(id)!.ProjectId,
    },
  })
  journal.write(at(id, 2, 89.5), at(id, 3, 88))
  await alarms.idle()
  expect(await list('owner', `&ParaId=${id}`)).toMatchObject([
    { Id: raised!.Id, IsActive: 0, HandleStatus: 1, LastValue: 88, RecoverTime: '2026-06-01 12:00:03' },
  ])
  const common = { to: kit.enterprises.ours, Id: raised!.Id, AlarmLevel: 2, ParaId: id, RuleName: 'Outlet pressure > 90' }
  expect(pushed).toMatchObject([
    { ...common, Event: 'raised', Value: 95, Time: base + 1000 },
    { ...common, Event: 'recovered', Value: 88, Time: base + 3000 },
  ])
  expect(
    area
      .changes()
      .filter((c) => c.resource === 'alarmInfo')
      .map((c) => [c.id, c.verb]),
  ).toEqual([
    [raised!.Id, 'create'],
    [raised!.Id, 'update'],
  ])
  expect(await list('stranger')).toEqual([])
})

test('a handled alarm stays active, is not raised again, and ends as handled', async () => {
  const { kit, makePoint, start, alarmsOf } = area
  const id = await makePoint()
  const journal = openJournal()
  const { alarms } = start(journal)
  journal.write(at(id, 0, 5))
  await alarms.idle()
  const { Id } = (await alarmsOf(id))[0]!
  const counts = () => kit.data<object>('owner', 'GET', '/Alarm/AlarmInfo/Statistics')
  const before = (await counts()) as { TotalCount: number; UnacknowledgedCount: number }
  const handled = { Ids: [Id], HandleDesc: 'Valve opened' }
  expect(await kit.data('owner', 'POST', '/V3/Project/AlarmInfo/Handle', handled)).toEqual({ Changed: 1 })
  expect(await kit.data('owner', 'POST', '/Alarm/AlarmInfo/Handle', handled)).toEqual({ Changed: 0 })
  expect(await counts()).toMatchObject({ TotalCount: before.TotalCount, UnacknowledgedCount: before.UnacknowledgedCount - 1 })
  journal.write(at(id, 1, 4), at(id, 2, 3))
  await alarms.idle()
  const user = kit.people.get('owner')!.id
  expect(await alarmsOf(id)).toMatchObject([
    { Id, IsActive: 1, HandleStatus: 2, HandleUserId: user, HandleDesc: 'Valve opened', AckStatus: 1, AckUserId: user },
  ])
  journal.write(at(id, 3, 50), at(id, 4, 3))
  await alarms.idle()
  expect(await alarmsOf(id)).toMatchObject([
    { Id, IsActive: 0, HandleStatus: 2 },
    { IsActive: 1, HandleStatus: 0 },
  ])
  const entries = await kit.db.rows(sql<{ Verb: string }>`select "Verb" from change where "Resource" = 'alarmInfo' and "RecordId" = ${Id}`)
  expect(entries).toEqual([{ Verb: 'update' }])
})

test('acknowledging twice is harmless and keeps who was first; it says nothing about the condition', async () => {
  const { kit, makePoint, start, alarmsOf } = area
  const id = await makePoint()
  const journal = openJournal()
  const { alarms } = start(journal)
  journal.write(at(id, 0, 5))
  await alarms.idle()
  const { Id } = (await alarmsOf(id))[0]!
  const acknowledge = (as: string) => kit.data(as, 'POST', '/Alarm/AlarmInfo/Acknowledge', { Ids: [Id, Id] })
  expect(await acknowledge('owner')).toEqual({ Changed: 1 })
  expect(await acknowledge('platform')).toEqual({ Changed: 0 })
  expect(await alarmsOf(id)).toMatchObject([{ AckStatus: 1, AckUserId: kit.people.get('owner')!.id, HandleStatus: 0, IsActive: 1 }])
})

test('one foreign alarm among the ids undoes all, as one that does not exist would', async () => {
  const { kit, list, makePoint, start, alarmsOf } = area
  const id = await makePoint()
  const journal = openJournal()
  const { alarms } = start(journal)
  journal.write(at(id, 0, 5))
  await alarms.idle()
  const { Id } = (await alarmsOf(id))[0]!
  await kit.person('elsewhere', kit.enterprises.ours, { projects: [] })
  for (const [as, Ids] of [
    ['stranger', [Id]],
    ['elsewhere', [Id]],
    ['owner', [Id, 999_999_999]],
  ] as const)
    for (const [path, body] of [
      ['Acknowledge', { Ids }],
      ['Handle', { Ids, HandleDesc: '' }],
    ] as const)
      expect(await kit.call(as, 'POST', `/Alarm/AlarmInfo/${path}`, body)).toMatchObject({
        StatusCode: 404,
        Details: { Fault: 'notFound' },
      })
  expect(await list('elsewhere')).toEqual([])
  expect(await kit.call('viewer', 'POST', '/Alarm/AlarmInfo/Acknowledge', { Ids: [Id] })).toMatchObject({ StatusCode: 403 })
  expect(await alarmsOf(id)).toMatchObject([{ AckStatus: 0, HandleStatus: 0 }])
})
