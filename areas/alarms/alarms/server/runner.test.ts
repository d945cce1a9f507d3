import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest'
import { openDuckDbStore } from '../../../../server/telemetry/store/duckdb/duckdbStore.ts'
import { point } from '../../../configuration/points/contract.ts'
import { Engine } from './alarming/engine.ts'
import { type Area, at, base, openJournal, startArea } from './harness.ts'

let area: Area
beforeAll(async () => {
  area = await startArea()
})
afterEach(() => area.reset())
afterAll(() => area.kit.close())

test('what is raised, ends and is raised again within one batch leaves two alarms', async () => {
  const { makePoint, start, alarmsOf } = area
  const id = await makePoint()
  const journal = openJournal()
  const { alarms, pushed } = start(journal)
  journal.write(at(id, 0, 95), at(id, 1, 50), at(id, 2, 96))
  await alarms.idle()
  expect(await alarmsOf(id)).toMatchObject([
    { IsActive: 0, TriggerValue: 95, LastValue: 50, HandleStatus: 1, RecoverTime: new Date(base + 1000) },
    { IsActive: 1, TriggerValue: 96, HandleStatus: 0, RecoverTime: null },
  ])
  expect(pushed.map((t) => t.Event)).toEqual(['raised', 'recovered', 'raised'])
})

test('a value that jumps across its limit with each reading leaves few alarms, and the last of them is right', async () => {
  const { makePoint, start, alarmsOf } = area
  const [jumping, quiet] = [await makePoint(), await makePoint()]
  const journal = openJournal()
  const { alarms } = start(journal)
  for (let part = 0; part < 4; part++)
    journal.write(...Array.from({ length: 10_000 }, (_, i) => at(jumping, part * 10_000 + i, i % 2 ? 50 : 95)))
  journal.write(at(quiet, 0, 95), at(jumping, 40_000, 96))
  await alarms.idle()
  const found = await alarmsOf(jumping)
  expect(found.length).toBeLessThan(500)
  expect(found[0]).toMatchObject({ IsActive: 0, TriggerValue: 95, StartTime: new Date(base), RecoverTime: new Date(base + 1000) })
  expect(found.at(-1)).toMatchObject({ IsActive: 1, RecoverTime: null })
  expect(found.filter(({ IsActive }) => IsActive)).toHaveLength(1)
  expect(await alarmsOf(quiet)).toMatchObject([{ IsActive: 1 }])
})

test('an alarm ends when its limit is taken away, and when its point is removed', async () => {
  const { kit, makePoint, start, alarmsOf } = area
  const [a, b] = [await makePoint(), await makePoint()]
  const journal = openJournal()
  const { alarms, pushed } = start(journal)
  journal.write(at(a, 0, 95), at(b, 0, 95))
  await alarms.idle()
  await kit.data('owner', 'PUT', point.path, { Id: a, AlarmHigh: null })
  await kit.data('owner', 'DELETE', point.path, { Ids: [b] })
  await vi.waitFor(() => expect(pushed.filter((t) => t.Event === 'recovered').map((t) => t.ParaId)).toEqual(expect.arrayContaining([a, b])))
  expect([...(await alarmsOf(a)), ...(await alarmsOf(b))]).toMatchObject([{ IsActive: 0 }, { IsActive: 0 }])
  expect(await kit.db.rows(sql`select 1 from alarm_state where "ParaId" = ${b}`)).toEqual([])
})

test('limits that changed while the server was down are applied when it starts', async () => {
  const { kit, registry, makePoint, start, alarmsOf } = area
  const [a, b] = [await makePoint(), await makePoint()]
  const journal = openJournal()
  const first = start(journal)
  journal.write(at(a, 0, 95), at(b, 0, 95))
  await first.alarms.idle()
  await first.alarms.stop()
  await kit.data('owner', 'PUT', point.path, { Id: a, AlarmHigh: null })
  await kit.data('owner', 'DELETE', point.path, { Ids: [b] })
  await vi.waitFor(() => expect([registry.get(a)!.AlarmHigh, registry.get(b)]).toEqual([null, undefined]))
  await start(journal).alarms.idle()
  expect([...(await alarmsOf(a)), ...(await alarmsOf(b))]).toMatchObject([{ IsActive: 0 }, { IsActive: 0 }])
})

test('readings without a value, of points without limits and of points nobody knows raise nothing', async () => {
  const { makePoint, start, alarmsOf } = area
  const [bad, free] = [await makePoint(), await makePoint({ AlarmLow: null, AlarmHigh: null })]
  const journal = openJournal()
  const { alarms } = start(journal)
  journal.write(at(bad, 0, null, 2), at(free, 0, 1e9), at(987_654_321, 0, 1e9))
  await alarms.idle()
  expect([...(await alarmsOf(bad)), ...(await alarmsOf(free)), ...(await alarmsOf(987_654_321))]).toEqual([])
  expect(alarms.stats()).toMatchObject({ judged: 3, standing: 0, behind: false, waiting: 0 })
})

test('killed at any moment, nothing is raised twice and nothing is missed', async () => {
  const { makePoint, start, alarmsOf } = area
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
        const plain = new Engine()
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
            const events = expected.filter((e) => e.point === p && e.limit === Limit)
            expect(found).toEqual(events.map((e) => e.time))
            const extremes = rows.filter((a) => a.Limit === Limit && !a.IsActive).map((a) => a.ExtremeValue)
            expect(extremes).toEqual(events.flatMap((e) => (e.kind === 'recovered' ? [e.extreme] : [])))
          }
        }
      })
      .afterEach(() => area.reset()),
    { numRuns: 12 },
  )
})

test('a reading that was overtaken before the kill does not count after it', async () => {
  const { makePoint, start, alarmsOf } = area
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
  const { makePoint, start, alarmsOf } = area
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

test('two concurrent engines, as after a lost lease, write each alarm once', async () => {
  const { makePoint, start, alarmsOf } = area
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
  expect(one.pushed.length + two.pushed.length).toBe(30)
})

test('while PostgreSQL is away what is found and what is read wait within bounds, and afterwards every alarm is there', async () => {
  const { kit, makePoint, start, alarmsOf } = area
  const id = await makePoint()
  const journal = openJournal()
  const { alarms } = start(journal, { waiting: 100, step: 40, fetch: 40, retryMs: 50, unsaved: 4 })
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
