// The effect of each timer method on a running server. The schedule has separate tests.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type House, startHouse, until } from './house.ts'

let house: House
beforeAll(async () => {
  house = await startHouse()
})
afterAll(() => house?.close())

type Entry = { Id: number; Result: number; Wording: string; WordValues: Record<string, number>; DurationMs: number }
/** Creates a timer for a method, runs it by hand, and waits for its result. */
const ran = async (Method: string, more: object = {}) => {
  const timer = await house.data('POST', '/System/Timer', { TimerName: `${Method} ${Math.random()}`, Method, Cron: '0 0 0 1 1 ?', ...more })
  await house.data('POST', '/System/Timer/Run', { Id: timer.Id })
  const entry = await until(`${Method} to end`, async () => {
    const { Items } = await house.data<{ Items: Entry[] }>('GET', `/System/TimerLog/List?TimerId=${timer.Id}`)
    return Items[0]?.Result ? Items[0] : undefined
  })
  expect(entry.DurationMs).toBeGreaterThanOrEqual(0)
  return entry
}
const count = async (query: ReturnType<typeof sql>) => (await house.database.system.rows<{ n: number }>(query as never))[0]!.n

it('a new installation has its timers, each once and with a next time', async () => {
  const { Items } = await house.data<{ Items: { Method: string; NextTime: string }[] }>('GET', '/System/Timer/List')
  expect(Items.length).toBeGreaterThan(1)
  expect(new Set(Items.map((t) => t.Method)).size).toBe(Items.length)
  for (const { NextTime } of Items) expect(NextTime).toMatch(/^\d{4}-/)
})

it('cleanSessions takes sessions that ended long ago, and leaves those in use', async () => {
  const db = house.database.system
  await db.rows(sql`
    insert into session ("Id", "UserId", "SecretHash", "CreateTime", "EndTime")
    select 'old' || n, (select min("Id") from "user"), '\\x00', now() - interval '40 days', now() - n * interval '10 days' from generate_series(1, 4) n`)
  expect(await ran('cleanSessions', { Keep: 25 })).toMatchObject({ Result: 1, Wording: 'removed', WordValues: { count: 2 } })
  expect(await count(sql`select count(*)::int as n from session where "Id" like 'old%'`)).toBe(2)
  expect((await house.call(house.admin, 'GET', '/System/BasicData')).Succeeded).toBe(true)
})

it('cleanSessions takes trial accounts that are over, which make room in the tenant, and leaves what was extended', async () => {
  const db = house.database.system
  await house.data('PUT', '/System/Enterprise', { Id: 1, TrialUsers: 2 })
  const ask = async (TrialName: string, Phone: string) => {
    const asked = await house.call<{ UserNO: string }>(undefined, 'POST', '/System/TrialUser', {
      TrialName,
      Phone,
      Pwd: 'seven calm herons',
    })
    return asked.Data.UserNO
  }
  const [over, extended, running] = [await ask('Over', '+34 600 1'), await ask('Extended', '+34 600 2'), await ask('Running', '+34 600 3')]
  const token = (await house.call<{ Token: string }>(undefined, 'POST', '/Auth/Login', { UserNO: over, Pwd: 'seven calm herons' })).Data
    .Token
  const past = sql`now() - interval '1 minute'`
  await db.rows(sql`update trial_user set "ExpireTime" = ${past} where "UserNO" in (${over}, ${extended})`)
  await db.rows(sql`update "user" set "ValidTo" = ${past} where "UserNO" = ${over}`)
  const people = () => house.data<{ UserCount: number }>('POST', '/System/Enterprise/CheckGatewayUserCount', { EnterpriseId: 1 })
  const before = (await people()).UserCount
  expect(await ran('cleanSessions', { Keep: 25 })).toMatchObject({ Result: 1, WordValues: { count: 1 } })
  expect((await people()).UserCount).toBe(before - 1)
  const { Items } = await house.data<{ Items: { UserNO: string }[] }>('GET', '/System/User/List?Search=trial_')
  expect(Items.map((u) => u.UserNO).sort()).toEqual([extended, running].sort())
  const log = await house.data<{ TotalCount: number }>('GET', '/System/TrialUserLog/List')
  expect(log.TotalCount).toBe(3)
  expect((await house.call(token, 'GET', '/System/BasicData')).Succeeded).toBe(false)
  expect(await ran('cleanSessions', { Keep: 25 })).toMatchObject({ WordValues: { count: 0 } })
})

it('cleanNotices takes old notices, not announcements without an end', async () => {
  const db = house.database.system
  await db.rows(sql`
    insert into notice ("EnterpriseId", "PushTitle", "BizType", "CreateTime", "ExpireTime") values
      (1, 'old alarm', 1, now() - interval '100 days', null), (1, 'new alarm', 1, now(), null),
      (1, 'old announcement', 7, now() - interval '100 days', null), (1, 'expired', 7, now() - interval '300 days', now() - interval '200 days')`)
  expect(await ran('cleanNotices')).toMatchObject({ Result: 1, WordValues: { count: 2 } })
  expect(await count(sql`select count(*)::int as n from notice where "PushTitle" in ('new alarm', 'old announcement')`)).toBe(2)
})

it('cleanFiles takes contents that nothing names', async () => {
  const folder = join(house.folder, 'files', '1')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${randomBytes(16).toString('hex')}.txt`)
  writeFileSync(path, 'left behind')
  const before = new Date(Date.now() - 3 * 86_400_000)
  utimesSync(path, before, before)
  expect(await ran('cleanFiles')).toMatchObject({ Result: 1, WordValues: { count: 1 } })
  expect(existsSync(path)).toBe(false)
})

it.each([
  ['backupDb', 'DBFiles'],
  ['backupResource', 'ResourceFiles'],
])('%s leaves a backup each time it runs, and only as many as it is to keep', { timeout: 240_000 }, async (method, files) => {
  const names = async () => (await house.data<{ FileName: string }[]>('GET', `/System/Backup/${files}`)).map((f) => f.FileName)
  const first = await ran(method, { Keep: 1 })
  expect(first).toMatchObject({ Result: 1, Wording: 'backedUp', WordValues: { megabytes: expect.any(Number) } })
  expect(await names()).toEqual([first.WordValues.name])
  const second = await ran(method, { Keep: 1 })
  expect(await names()).toEqual([second.WordValues.name])
  expect(second.WordValues.name).not.toBe(first.WordValues.name)
  expect(existsSync(join(house.folder, 'backups', String(second.WordValues.name), 'manifest.json'))).toBe(true)
})

it('settleTelemetry says how much room the readings take', async () => {
  expect(await ran('settleTelemetry')).toMatchObject({ Result: 1, Wording: 'settled', WordValues: { megabytes: expect.any(Number) } })
})

it('verifyLogs counts what it verified, cleanLogs removes what is old, and both fail on a log that was changed', async () => {
  const unchained = () => count(sql`select count(*)::int as n from change where "Hash" is null`)
  await until('the log to be linked', async () => (await unchained()) === 0)
  const verified = await ran('verifyLogs')
  expect(verified).toMatchObject({ Result: 1, Wording: 'verified' })
  expect(verified.WordValues.count).toBeGreaterThan(4)
  expect(await ran('cleanLogs', { Keep: 1 })).toMatchObject({ Result: 1, WordValues: { count: 0 } })

  const { default: pg } = await import('pg')
  const intruder = new pg.Client({ connectionString: house.databaseUrl })
  await intruder.connect()
  await intruder.query(`update change set "Ip" = '10.1.1.1' where "Seq" = 2 and "EnterpriseId" = 1`)
  await intruder.end()
  expect(await ran('verifyLogs')).toMatchObject({ Result: 2, Wording: 'fault.logUnsound', WordValues: { count: 1 } })
})
