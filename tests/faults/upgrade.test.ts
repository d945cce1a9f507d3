// Upgrades: interrupted by a kill, uninterrupted, and back.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildConfig, configHash } from '../../areas/configuration/gateways/server/config.ts'
import type { Page } from '../../contract/call.ts'
import { connect } from '../../server/database/connect.ts'
import { locks } from '../../server/database/locks.ts'
import { migrationsFolder } from '../../server/database/migrate.ts'
import { startServerProcess } from './server-process.ts'
import { byApi, enter, noReadings } from './tally.ts'
import { inTime, pause, rounds } from './tiers.ts'
import { bringBack, contentsOf, earlier, launch, migrated, type Place, schemaOf, withClient } from './versions.ts'

const day = 86_400_000
const known = readdirSync(migrationsFolder)
  .filter((f) => f.endsWith('.sql'))
  .sort()

let past: Awaited<ReturnType<typeof earlier>>
let before: Awaited<ReturnType<typeof contentsOf>>
let limits: unknown
/** What the gateways of the archive hash: computed by the code that knew its tables. With another hash, every gateway would need a new push. */
const configs = [
  'dda7b7445d348b45113c74fa4782380d0b605150b44c74627e58fae3e497f1f6',
  '60cca815c7dd05b2cfe6f4f71a046ca53bfc99a6bc4d2097bc54cc9e4aaeca11',
  '89cc9cda2ef42aa09487a5b3f347062cbaba8aef6c4e25603be01901b6ef9926',
]
/** What the gateways of a data folder are to receive, as they hash it. */
const configsOf = async (url: string): Promise<readonly string[]> => {
  const database = connect(url, 2)
  try {
    const gateways = await database.system.rows<{ Id: number }>(sql`select "Id" from gateway order by "Id"`)
    return await Promise.all(gateways.map(async ({ Id }) => configHash(await buildConfig(database.system, Id))))
  } finally {
    await database.close()
  }
}
const only = (url: string, query: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ value: unknown }>(query)
    expect(rows).toHaveLength(1)
    return rows[0]!.value
  })
beforeAll(async () => {
  past = await earlier()
  before = await contentsOf(past.place.url)
  limits = await only(past.place.url, `select to_jsonb(m) - 'Id' as value from machine_limit m`)
  expect(before.get('tenant_config')?.rows).toBe(0)
})
afterAll(() => past?.remove())

/** Rows that a running server writes without a request, and columns that a migration removed. */
const moving = new Set(
  'migration change change_head change_checkpoint session login_attempt known_browser timer timer_log machine_use alarm_cursor notice_cursor secret machine_limit tenant_config'.split(
    ' ',
  ),
)
/** Signing in leaves a time, and migrations give rights to roles: of these only the number of rows stays. */
const changing = new Set(['user', 'role'])
const still = (of: typeof before) =>
  [...of]
    .filter(([table]) => !moving.has(table))
    .map(([table, { rows, content }]) => ({ table, rows, content: changing.has(table) ? '' : content }))

/** Serves, with all that the earlier version had: its rows, readings and alarms, as they were. */
const expectEverything = async (place: Place) => {
  const server = await startServerProcess({ DATABASE_URL: place.url }, { folder: place.folder })
  try {
    const door = await server.door()
    const { Items } = await door.data<Page<{ Id: number; ParaName: string }>>('GET', '/V2/Project/DevPara/List?PageSize=100')
    const points = Items.filter((p) => p.ParaName.startsWith('Counter'))
    const alarms = await door.data<Page<object>>('GET', '/Alarm/AlarmInfo/List?AlarmType=1&PageSize=1')
    const [oldest] = (
      await door.data<Page<{ StartTime: string }>>('GET', '/Alarm/AlarmInfo/List?OrderColumn=StartTime&OrderType=asc&PageSize=1')
    ).Items
    const from = Date.parse(`${oldest!.StartTime.replace(' ', 'T')}Z`)
    const base = from - 49 * 600_000
    let readings = 0
    for (const [index, point] of points.toSorted((a, b) => a.Id - b.Id).entries()) {
      const found = (await byApi(door)([point.Id], base - day, base + 3 * day)).get(point.Id)!
      for (const [n, { time, value }] of found.entries()) {
        expect([time, value]).toEqual([base + n * 600_000, (n % 50 === 49 ? 1500 : 0) + n + (index % 5) / 8])
        readings++
      }
    }
    expect({ points: points.length, readings, alarms: alarms.TotalCount }).toEqual({ points: 10, readings: 2000, alarms: 40 })
    // What the earlier version wrote into its log verifies under today's names.
    const log = await door.data<{ Entries: number; Sound: boolean; Problems: unknown[] }>('POST', '/System/Log/Verify', {})
    expect(log).toMatchObject({ Sound: true, Problems: [] })
    expect(log.Entries).toBeGreaterThan(20)
  } finally {
    await server.stop()
  }
  expect(await migrated(place.url)).toEqual(known)
  expect(still(await contentsOf(place.url, before))).toEqual(still(before))
  expect(await configsOf(place.url)).toEqual(configs)
  // Migration 0121 moves them.
  expect(await only(place.url, `select jsonb_build_array("Name", "Config") as value from tenant_config`)).toEqual(['machineLimits', limits])
}

/** The schema after so many of the migrations that the earlier version had not, when nothing disturbs them. */
const undisturbed = async (missing: readonly string[], counts: readonly number[]) => {
  const { url } = await past.copy()
  const after = new Map<number, readonly string[]>()
  for (let count = 0; count <= Math.max(...counts); count++) {
    if (count) await withClient(url, async (client) => client.query(readFileSync(new URL(missing[count - 1]!, migrationsFolder), 'utf8')))
    if (counts.includes(count)) after.set(count, await schemaOf(url))
  }
  return after
}

test('migrations that are killed are whole or nothing each, and the next start goes on', inTime(rounds(1, 10)), async ({ task }) => {
  const had = await migrated(past.place.url)
  const missing = known.filter((name) => !had.includes(name))
  const times = rounds(1, 10)
  const targets = Array.from({ length: times }, (_, i) => Math.floor((missing.length * (i + Math.random())) / times))
  const schemas = await undisturbed(missing, targets)
  const stopped: number[] = []
  for (const target of targets) {
    const place = await past.copy()
    await withClient(place.url, async (client) => {
      // An uncommitted row of its name makes the migration wait, however fast the machine is.
      await client.query('begin')
      await client.query(`insert into migration (name, hash) values ($1, '')`, [missing[target]])
      const { child, ended } = launch(place)
      while ((await migrated(place.url)).length < had.length + target) {
        expect(child.exitCode).toBeNull()
        await pause(2)
      }
      await pause(Math.random() * 20)
      child.kill('SIGKILL')
      await ended
      await client.query('rollback')
    })
    // What its connection still had to do is over when another one may migrate.
    await withClient(place.url, (client) => client.query('select pg_advisory_lock($1)', [locks.migrations]))
    const done = (await migrated(place.url)).filter((name) => !had.includes(name))
    expect(done).toEqual(missing.slice(0, target))
    expect(await schemaOf(place.url)).toEqual(schemas.get(target))
    stopped.push(done.length)
    await expectEverything(place)
  }
  const note = `after ${stopped.join(', ')} of ${missing.length}; 2,000 readings, 40 alarms and all rows of the version before there each time`
  enter(task, { fault: 'killed at migrations', rounds: times, ...noReadings, note })
})

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile() && !name.startsWith('cache'))
    .map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ])

test(
  'a version that finds a newer one’s database or readings says so, touches nothing, and can go back to its backup',
  inTime(2),
  async ({ task }) => {
    const place = await past.copy()
    await expectEverything(place)
    const refused = async () => {
      const [rows, schema, files] = [await contentsOf(place.url), await schemaOf(place.url), filesIn(place.folder)]
      const { said, ended } = launch(place)
      expect(await ended).toBe(1)
      expect([await contentsOf(place.url), await schemaOf(place.url), filesIn(place.folder)]).toEqual([rows, schema, files])
      return said()
    }
    const tomorrow = (sql: string) => withClient(place.url, (client) => client.query(sql))
    await tomorrow(`insert into migration (name, hash) values ('9001_of_tomorrow.sql', 'x')`)
    expect(await refused()).toMatch(
      /cannot start\. .*newer version of Penstock \(it has 9001_of_tomorrow\.sql\)\. Install that version, or restore/,
    )
    await tomorrow(`delete from migration where name like '9001%'`)
    const format = join(place.folder, 'telemetry', 'format')
    const written = readFileSync(format, 'utf8')
    writeFileSync(format, '99\n')
    expect(await refused()).toMatch(/cannot start\. .*written by a newer Penstock \(format 99/)
    writeFileSync(format, written)
    await tomorrow(`insert into migration (name, hash) values ('9001_of_tomorrow.sql', 'x')`)
    await bringBack(place)
    expect(await migrated(place.url)).toEqual(await migrated(past.place.url))
    expect(still(await contentsOf(place.url))).toEqual(still(before))
    await expectEverything(place)
    enter(task, {
      fault: 'upgrade, and back by its backup',
      rounds: 1,
      ...noReadings,
      note: 'a newer database and newer readings refused untouched',
    })
  },
)
