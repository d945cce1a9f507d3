import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { connect } from '../../../../server/database/connect.ts'
import { timerMethodNames } from '../contract.ts'
import { timerRoutes } from './routes.ts'
import { type Methods, startTimers, type Timers } from './runner.ts'

type Row = { Id: number; Status: number; NextTime: string | null; LastTime: string | null; LastResult: number | null }
type Entry = {
  TimerId: number
  Result: number
  Wording: string
  WordValues: object
  DurationMs: number
  Fires: number
  ByHand: number
  Process: string
}

const noon = Date.UTC(2026, 0, 31, 12)
let now = noon
let ran: { method: string; keep: number; by: string }[] = []
let work: () => Promise<void> = async () => undefined
const methods = (by: string) =>
  Object.fromEntries(
    timerMethodNames.map((method) => [
      method,
      async ({ keep }: { keep: number }) => {
        ran.push({ method, keep, by })
        await work()
        return { Wording: 'removed', WordValues: { count: 3 } }
      },
    ]),
  ) as unknown as Methods

let kit: Kit
let timers: Timers
/** Checks only on request. */
const quiet = { everyMs: 1_000_000_000, clock: () => now, log: { warn: () => undefined } }
beforeAll(async () => {
  kit = await startKit({
    clock: () => now,
    areas: (database) => {
      timers = startTimers({ database, methods: methods('first'), name: 'first', ...quiet })
      return [(api) => timerRoutes(api, timers, () => now)]
    },
  })
})
afterAll(async () => {
  await timers?.close()
  await kit?.close()
})
beforeEach(async () => {
  await timers.idle()
  await kit.db.rows(sql`delete from timer`)
  now = noon
  ran = []
  work = async () => undefined
})

let count = 0
const draft = (more: object = {}) => ({ TimerName: `Timer ${++count}`, Method: 'cleanSessions', Cron: '0/5 * * * * ?', ...more })
const make = (more: object = {}) => kit.data<Row>('platform', 'POST', '/System/Timer', draft(more))
const find = (Id: number) => kit.data<Row>('platform', 'GET', `/System/Timer?Id=${Id}`)
const history = async (TimerId: number) =>
  (await kit.data<Page<Entry>>('platform', 'GET', `/System/TimerLog/List?TimerId=${TimerId}&PageSize=100`)).Items
const ticked = async (at: number, of: Timers = timers) => {
  now = at
  await of.tick()
  await of.idle()
}

describe('a timer', () => {
  it('runs at its times, by seconds, and leaves its history', async () => {
    const { Id, NextTime } = await make({ Keep: 12 })
    expect(NextTime).toBe('2026-01-31 12:00:05')
    await ticked(noon + 4999)
    expect(ran).toEqual([])
    await ticked(noon + 5000)
    await ticked(noon + 5400)
    expect(ran).toEqual([{ method: 'cleanSessions', keep: 12, by: 'first' }])
    work = async () => {
      now += 250
    }
    await ticked(noon + 10_000)
    expect(ran).toHaveLength(2)
    expect(await find(Id)).toMatchObject({ NextTime: '2026-01-31 12:00:15', LastTime: '2026-01-31 12:00:10', LastResult: 1 })
    const entries = await history(Id)
    expect(entries).toMatchObject([
      { Result: 1, Wording: 'removed', WordValues: { count: 3 }, DurationMs: 250, Process: 'first', ByHand: 0 },
      { Result: 1 },
    ])
  })

  it('fires by the clock of its tenant’s zone, through a change of the clocks', async () => {
    const { enterprise } = kit.people.get('platform')!
    await kit.db.rows(sql`update enterprise set "TimeZoneKey" = 'Europe/Madrid' where "Id" = ${enterprise}`)
    now = Date.UTC(2026, 2, 28, 12)
    const { Id, NextTime } = await make({ Cron: '0 0 8 * * ?' })
    expect(NextTime).toBe('2026-03-29 06:00:00')
    await ticked(Date.UTC(2026, 2, 29, 6))
    expect((await find(Id)).NextTime).toBe('2026-03-30 06:00:00')
    await kit.db.rows(sql`update enterprise set "TimeZoneKey" = 'UTC' where "Id" = ${enterprise}`)
  })

  it('[enable-disable-calls] is enabled and disabled by calls of its own, flag 1 and 0', async () => {
    const { Id } = await make()
    expect(await kit.data<Row>('platform', 'POST', '/System/Timer/Disable', { Id })).toMatchObject({ Status: 0, NextTime: null })
    await ticked(noon + 60_000)
    expect(ran).toEqual([])
    expect(await kit.data('platform', 'POST', '/System/Timer/Enable', { Id })).toMatchObject({ Status: 1, NextTime: '2026-01-31 12:01:05' })
    await ticked(noon + 65_000)
    expect(ran).toHaveLength(1)
    // The form cannot.
    expect(await kit.data('platform', 'PUT', '/System/Timer', { Id, Status: 0 })).toMatchObject({ Status: 1 })
  })

  it('runs now when a person says so, once at a time', async () => {
    const { Id } = await make({ Cron: '0 0 0 1 1 ?' })
    const held = Promise.withResolvers<void>()
    work = () => held.promise
    expect(await kit.data('platform', 'POST', '/System/Timer/Run', { Id })).toMatchObject({ LastResult: 0 })
    expect(await kit.call('platform', 'POST', '/System/Timer/Run', { Id })).toMatchObject({
      StatusCode: 409,
      Details: { Fault: 'timerBusy' },
    })
    held.resolve()
    await timers.idle()
    expect(await history(Id)).toMatchObject([{ Result: 1, ByHand: 1 }])
    expect(ran).toHaveLength(1)
  })

  it('that fails says why', async () => {
    const { Id } = await make()
    work = () => Promise.reject(new Error('no room on the disk'))
    await ticked(noon + 5000)
    expect(await history(Id)).toMatchObject([{ Result: 2, Wording: 'failed', WordValues: { reason: 'no room on the disk' } }])
    expect(await find(Id)).toMatchObject({ LastResult: 2 })
  })

  it('leaves out what it missed and shows it, or makes up for it once', async () => {
    const skips = await make({ Cron: '0 0 * * * ?' })
    const makesUp = await make({ Cron: '0 0 * * * ?', MissPolicy: 1, Method: 'cleanFiles' })
    await ticked(noon + 5.5 * 3_600_000)
    expect(ran.map((r) => r.method)).toEqual(['cleanFiles'])
    expect(await history(skips.Id)).toMatchObject([{ Result: 3, Wording: 'missed', Fires: 5, WordValues: { count: 5 } }])
    expect(await history(makesUp.Id)).toMatchObject([{ Result: 1 }, { Result: 3, Fires: 4 }])
    expect(await find(skips.Id)).toMatchObject({ NextTime: '2026-01-31 18:00:00', LastResult: 3 })
  })

  it('keeps five hundred runs', async () => {
    const { Id } = await make()
    await kit.db.rows(sql`
      insert into timer_log ("EnterpriseId", "TimerId", "StartTime", "Result", "Wording")
      select "EnterpriseId", "Id", now(), 1, 'removed' from timer, generate_series(1, 600) where "Id" = ${Id}`)
    await ticked(noon + 5000)
    expect(await kit.db.rows(sql`select count(*)::int as n from timer_log where "TimerId" = ${Id}`)).toEqual([{ n: 501 }])
  })

  it('is refused with a wrong or too dense schedule, and to all but the platform', async () => {
    for (const [more, field] of [
      [{ Cron: '* * *' }, 'Cron'],
      [{ Method: 'settleTelemetry', Cron: '0/5 * * * * ?' }, 'Cron'],
      [{ Method: 'formatDisk' }, 'Method'],
      [{ Keep: 0 }, 'Keep'],
    ] as const)
      expect(await kit.call('platform', 'POST', '/System/Timer', draft(more))).toMatchObject({
        StatusCode: 400,
        Details: { Fields: { [field]: [expect.any(String)] } },
      })
    const { Id } = await make()
    expect(await kit.call('platform', 'PUT', '/System/Timer', { Id, Method: 'cleanFiles', Cron: '0/10 * * * * ?' })).toMatchObject({
      StatusCode: 400,
    })
    for (const [method, path, body] of [
      ['GET', '/System/Timer/List', undefined],
      ['GET', '/System/Timer/MethodList', undefined],
      ['POST', '/System/Timer', draft()],
      ['PUT', '/System/Timer', { Id }],
      ['DELETE', '/System/Timer', { Id }],
      ['POST', '/System/Timer/Enable', { Id }],
      ['POST', '/System/Timer/Run', { Id }],
    ] as const)
      expect((await kit.call('owner', method, path, body)).StatusCode, path).toBe(403)
    expect(await kit.data('platform', 'DELETE', '/System/Timer', { Id })).toEqual({ Removed: 1 })
  })

  it('has a list of methods in the caller’s language', async () => {
    const zh = await kit.call<{ Method: string; MethodName: string }[]>('platform', 'GET', '/System/Timer/MethodList', undefined, {
      'accept-language': 'zh',
    })
    expect(zh.Data.map((m) => m.Method)).toEqual(timerMethodNames)
    expect(zh.Data.find((m) => m.Method === 'cleanSessions')!.MethodName).toBe('清理已结束的会话和过期的试用账号')
  })
})

describe('several server processes on one database', () => {
  const url = async () => (await kit.db.rows<{ name: string }>(sql`select current_database() as name`))[0]!.name
  const second = async () => {
    const { inject } = await import('vitest')
    const { applicationUrl } = await import('../../../../server/database/connect.ts')
    const database = connect(applicationUrl(inject('postgresUrl').replace(/\w+$/, await url())).url, 4)
    const other = startTimers({ database, methods: methods('second'), name: 'second', ...quiet })
    return { other, close: () => other.close().then(() => database.close()) }
  }

  it('run each time once, whichever process comes first', async () => {
    const { other, close } = await second()
    const made = await Promise.all(Array.from({ length: 8 }, () => make()))
    for (let at = noon + 5000; at <= noon + 60_000; at += 5000) {
      now = at
      await Promise.all([timers.tick(), other.tick(), timers.tick(), other.tick()])
      await Promise.all([timers.idle(), other.idle()])
    }
    expect(ran).toHaveLength(8 * 12)
    for (const { Id } of made) expect((await history(Id)).filter((e) => e.Result === 1)).toHaveLength(12)
    await close()
  })

  it('do not start a task that another one still runs, and note the time as missed', async () => {
    const { other, close } = await second()
    const { Id } = await make()
    const held = Promise.withResolvers<void>()
    work = () => held.promise
    now = noon + 5000
    await timers.tick()
    await ticked(noon + 10_000, other)
    expect(ran).toHaveLength(1)
    expect(await kit.call('platform', 'POST', '/System/Timer/Run', { Id })).toMatchObject({ StatusCode: 409 })
    held.resolve()
    await timers.idle()
    expect(await history(Id)).toMatchObject([
      { Result: 3, Wording: 'busy', Process: 'second' },
      { Result: 1, Process: 'first' },
    ])
    await close()
  })

  it('take over from one that died, whose run is shown as lost', async () => {
    const { Id } = await make()
    const { other } = await second()
    work = () => new Promise<void>(() => undefined)
    now = noon + 5000
    void other.tick()
    await expect.poll(() => ran.length).toBe(1)
    work = async () => undefined
    await ticked(noon + 70_000)
    const entries = await history(Id)
    expect(entries.at(-1)).toMatchObject({ Result: 2, Wording: 'lost', Process: 'second' })
    await ticked(noon + 75_000)
    expect((await history(Id))[0]).toMatchObject({ Result: 1, Process: 'first' })
  })
})
