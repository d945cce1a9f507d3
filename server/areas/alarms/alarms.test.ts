import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest'
import type { alarmInfo } from '../../../contract/areas/alarms.ts'
import type { HubMessages } from '../../../contract/areas/hub.ts'
import { point } from '../../../contract/areas/points.ts'
import type { Page } from '../../../contract/base/call.ts'
import type { Resource, Row } from '../../../contract/base/resource.ts'
import { createEngine } from '../../alarming/engine.ts'
import type { Change } from '../../database/db.ts'
import type { Sample, Stored } from '../../telemetry/sample.ts'
import { openDuckDbStore } from '../../telemetry/store/duckdb/duckdbStore.ts'
import { maker } from '../../testing/drafts.ts'
import { type Kit, startKit } from '../../testing/kit.ts'
import { openRegistry, type Registry } from '../gateways/registry.ts'
import { alarmRoutes } from './routes.ts'
import { type Alarms, startAlarms } from './runner.ts'

type Alarm = Row<typeof alarmInfo>
type Told = HubMessages['Alarm'][0] & { to: number }

let kit: Kit
let registry: Registry
let changes: Change[] = []
const started: Alarms[] = []

beforeAll(async () => {
  kit = await startKit({ areas: () => [alarmRoutes] })
  registry = await openRegistry(kit.database)
  kit.database.onChange((change) => {
    changes.push(change)
    void registry.refresh(change)
  })
})
const reset = async () => {
  await Promise.all(started.splice(0).map((a) => a.stop()))
  await kit.db.rows(sql`update alarm_cursor set "Turn" = "Turn" + 1, "Judged" = 0, "Settled" = 0`)
  await kit.db.rows(sql`delete from alarm_state`)
  await kit.db.rows(sql`delete from alarm_info`)
  changes = []
}
afterEach(reset)
afterAll(() => kit.close())

/** Live readings in the order of their arrival, as the store keeps them. */
const openJournal = () => {
  const rows: Stored[] = []
  const listeners = new Set<(rows: readonly Stored[]) => void>()
  return {
    rows,
    onStored: (listener: (rows: readonly Stored[]) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    since: async (n: number, limit: number) => rows.slice(n, n + limit),
    /** Stored, and told to those who listen unless they are dead. */
    write(...samples: Sample[]) {
      const stored = samples.map((s, i) => ({ ...s, n: rows.length + i + 1 }))
      rows.push(...stored)
      for (const listener of listeners) listener(stored)
    },
    kill: () => listeners.clear(),
  }
}
type Journal = ReturnType<typeof openJournal>

const start = (journal: Journal, limits = {}) => {
  const told: Told[] = []
  const alarms = startAlarms({
    database: kit.database,
    registry,
    telemetry: journal,
    hub: { send: ({ EnterpriseId }, _message, alarm) => void told.push({ to: EnterpriseId, ...alarm }) },
    log: { info: () => {}, warn: () => {}, error: () => {} },
    limits,
  })
  started.push(alarms)
  return { alarms, told }
}

const base = Date.UTC(2026, 5, 1, 12)
const at = (pointId: number, second: number, value: number | null, quality = 0): Sample => ({
  point: pointId,
  time: base + second * 1000,
  value,
  quality,
})
const makePoint = async (given: object = {}) => {
  const { Id } = await maker(kit).create(point as unknown as Resource, {
    AlarmLow: 10,
    AlarmHigh: 90,
    ProjectLow: 0,
    ProjectHigh: 100,
    ...given,
  })
  await vi.waitFor(() => expect(registry.get(Id)).toBeDefined())
  return Id
}
const alarmsOf = (pointId: number) =>
  kit.db.rows(
    sql<
      Omit<Alarm, 'StartTime' | 'RecoverTime'> & { StartTime: Date; RecoverTime: Date | null }
    >`select * from alarm_info where "ParaId" = ${pointId} order by "Id"`,
  )
const list = async (as: string, filters = '') =>
  (await kit.data<Page<Alarm>>(as, 'GET', `/Alarm/AlarmInfo/List?PageSize=1000${filters}`)).Items

test('a reading beyond a limit raises an alarm that is stored, told and listed; a reading within it ends the alarm', async () => {
  const id = await makePoint({ ParaName: 'Outlet pressure' })
  const journal = openJournal()
  const { alarms, told } = start(journal)
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
  expect(told).toMatchObject([
    { ...common, Event: 'raised', Value: 95, Time: base + 1000 },
    { ...common, Event: 'recovered', Value: 88, Time: base + 3000 },
  ])
  expect(changes.filter((c) => c.resource === 'alarmInfo').map((c) => [c.id, c.verb])).toEqual([
    [raised!.Id, 'create'],
    [raised!.Id, 'update'],
  ])
  expect(await list('stranger')).toEqual([])
})

test('what is raised, ends and is raised again within one batch leaves two alarms', async () => {
  const id = await makePoint()
  const journal = openJournal()
  const { alarms, told } = start(journal)
  journal.write(at(id, 0, 95), at(id, 1, 50), at(id, 2, 96))
  await alarms.idle()
  expect(await alarmsOf(id)).toMatchObject([
    { IsActive: 0, TriggerValue: 95, LastValue: 50, HandleStatus: 1, RecoverTime: new Date(base + 1000) },
    { IsActive: 1, TriggerValue: 96, HandleStatus: 0, RecoverTime: null },
  ])
  expect(told.map((t) => t.Event)).toEqual(['raised', 'recovered', 'raised'])
})

test('an alarm that was handled keeps standing, is not raised again, and ends as handled', async () => {
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
  const id = await makePoint()
  const journal = openJournal()
  const { alarms } = start(journal)
  journal.write(at(id, 0, 5))
  await alarms.idle()
  const { Id } = (await alarmsOf(id))[0]!
  for (const [as, Ids] of [
    ['stranger', [Id]],
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
  expect(await kit.call('viewer', 'POST', '/Alarm/AlarmInfo/Acknowledge', { Ids: [Id] })).toMatchObject({ StatusCode: 403 })
  expect(await alarmsOf(id)).toMatchObject([{ AckStatus: 0, HandleStatus: 0 }])
})

test('an alarm ends when its limit is taken away, and when its point is removed', async () => {
  const [a, b] = [await makePoint(), await makePoint()]
  const journal = openJournal()
  const { alarms, told } = start(journal)
  journal.write(at(a, 0, 95), at(b, 0, 95))
  await alarms.idle()
  await kit.data('owner', 'PUT', point.path, { Id: a, AlarmHigh: null })
  await kit.data('owner', 'DELETE', point.path, { Ids: [b] })
  await vi.waitFor(() => expect(told.filter((t) => t.Event === 'recovered').map((t) => t.ParaId)).toEqual(expect.arrayContaining([a, b])))
  expect([...(await alarmsOf(a)), ...(await alarmsOf(b))]).toMatchObject([{ IsActive: 0 }, { IsActive: 0 }])
  expect(await kit.db.rows(sql`select 1 from alarm_state where "ParaId" = ${b}`)).toEqual([])
})

test('limits that changed while the server was down are applied when it starts', async () => {
  const [a, b] = [await makePoint(), await makePoint()]
  const journal = openJournal()
  const first = start(journal)
  journal.write(at(a, 0, 95), at(b, 0, 95))
  await first.alarms.idle()
  await started.pop()!.stop()
  await kit.data('owner', 'PUT', point.path, { Id: a, AlarmHigh: null })
  await kit.data('owner', 'DELETE', point.path, { Ids: [b] })
  await vi.waitFor(() => expect([registry.get(a)!.AlarmHigh, registry.get(b)]).toEqual([null, undefined]))
  await start(journal).alarms.idle()
  expect([...(await alarmsOf(a)), ...(await alarmsOf(b))]).toMatchObject([{ IsActive: 0 }, { IsActive: 0 }])
})

test('readings without a value, of points without limits and of points nobody knows raise nothing', async () => {
  const [bad, free] = [await makePoint(), await makePoint({ AlarmLow: null, AlarmHigh: null })]
  const journal = openJournal()
  const { alarms } = start(journal)
  journal.write(at(bad, 0, null, 2), at(free, 0, 1e9), at(987_654_321, 0, 1e9))
  await alarms.idle()
  expect([...(await alarmsOf(bad)), ...(await alarmsOf(free)), ...(await alarmsOf(987_654_321))]).toEqual([])
  expect(alarms.stats()).toMatchObject({ judged: 3, standing: 0, behind: false, waiting: 0 })
})

test('killed at any moment, nothing is raised twice and nothing is missed', async () => {
  const points = [await makePoint(), await makePoint()]
  const reading = fc.record({
    point: fc.constantFrom(...points),
    step: fc.integer({ min: -3, max: 5 }),
    value: fc.integer({ min: 0, max: 100 }),
    dies: fc.constantFrom(...Array<boolean>(9).fill(false), true),
    waits: fc.constantFrom(...Array<boolean>(5).fill(false), true),
  })
  let clock = 0
  await fc.assert(
    fc
      .asyncProperty(fc.array(reading, { minLength: 20, maxLength: 60 }), async (readings) => {
        const journal = openJournal()
        const plain = createEngine()
        for (const p of points) plain.configure({ point: p, low: 10, high: 90, range: 100 }, 0)
        let { alarms } = start(journal)
        for (const r of readings) {
          clock += 10
          if (r.waits) await alarms.idle()
          if (r.dies) journal.kill() // the old engine may still be writing what it judged
          journal.write(at(r.point, clock + r.step, r.value))
          if (r.dies) alarms = start(journal, { settleMs: r.waits ? 0 : 1e9, settle: 1 }).alarms
        }
        await alarms.idle()
        const expected = plain.judge(journal.rows)
        for (const p of points) {
          const rows = await alarmsOf(p)
          for (const Limit of ['low', 'high']) {
            const found = rows.filter((a) => a.Limit === Limit).flatMap((a) => [+a.StartTime, ...(a.RecoverTime ? [+a.RecoverTime] : [])])
            expect(found).toEqual(expected.filter((e) => e.point === p && e.limit === Limit).map((e) => e.time))
          }
        }
      })
      .afterEach(reset),
    { numRuns: 12 },
  )
})

test('a reading that was overtaken before the kill does not count after it', async () => {
  const [a, b] = [await makePoint(), await makePoint()]
  const journal = openJournal()
  const first = start(journal, { settleMs: 1e9 })
  journal.write(at(a, 10, 50), at(b, 1, 95)) // the alarm of b is saved, and with it how far the engine is, but not the time of a
  await first.alarms.idle()
  journal.kill()
  const second = start(journal)
  journal.write(at(a, 5, 95))
  await second.alarms.idle()
  expect(await alarmsOf(a)).toEqual([])
})

test('what was stored while nobody judged is judged from the store at the next start, back-fill never', async () => {
  const id = await makePoint()
  const folder = mkdtempSync(join(tmpdir(), 'penstock-alarms-'))
  const store = await openDuckDbStore({ folder, clock: Date.now, log: () => {} })
  try {
    await store.append([
      { ...at(id, 0, 50), live: true },
      { ...at(id, 1, 95), live: true },
      { ...at(id, 2, 5), live: false },
      { ...at(id, 3, 50), live: true },
    ])
    const { alarms } = start({ ...openJournal(), since: store.since })
    await alarms.idle()
    expect(await alarmsOf(id)).toMatchObject([{ Limit: 'high', StartTime: new Date(base + 1000), RecoverTime: new Date(base + 3000) }])
  } finally {
    await store.close()
    rmSync(folder, { recursive: true })
  }
})

test('two engines at once, as after a lease was lost, write each alarm once', async () => {
  const id = await makePoint()
  const journal = openJournal()
  const [one, two] = [start(journal), start(journal)]
  for (let i = 0; i < 30; i++) {
    journal.write(at(id, i, i % 2 ? 50 : 95))
    if (i % 7 === 0) await one.alarms.idle()
  }
  await Promise.all([one.alarms.idle(), two.alarms.idle()])
  const rows = await alarmsOf(id)
  expect(rows).toHaveLength(15)
  expect(rows.every((a) => a.IsActive === 0)).toBe(true)
  expect(one.told.length + two.told.length).toBe(30)
})

test('while PostgreSQL is away readings wait within a bound, and afterwards every alarm is there', async () => {
  const id = await makePoint()
  const journal = openJournal()
  const { alarms } = start(journal, { waiting: 100, step: 40, retryMs: 50 })
  journal.write(at(id, 0, 50))
  await alarms.idle()
  const [{ name }] = (await kit.db.rows(sql<{ name: string }>`select current_database() as name`)) as [{ name: string }]
  const admin = new pg.Client({ connectionString: inject('postgresUrl').replace(/\w+$/, 'postgres') })
  await admin.connect()
  await admin.query(`alter database ${name} with allow_connections false`)
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  let most = 0
  for (let i = 1; i <= 500; i++) {
    journal.write(at(id, i, i % 10 ? 50 : 95))
    most = Math.max(most, alarms.stats().waiting)
    if (i % 50 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  await vi.waitFor(() => expect(alarms.stats().failures).toBeGreaterThan(0))
  expect(most).toBeLessThanOrEqual(100)
  expect(alarms.stats().behind).toBe(true)
  await admin.query(`alter database ${name} with allow_connections true`)
  await admin.end()
  await alarms.idle()
  expect((await alarmsOf(id)).map((a) => +a.StartTime - base)).toEqual(Array.from({ length: 50 }, (_, i) => (i + 1) * 10_000))
})
