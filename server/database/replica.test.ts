// Runs a primary and a streaming replica; replay is paused and the replica is stopped.
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { debianPostgres } from '../../main/testing/debian.ts'
import { applicationUrl, connect } from './connect.ts'
import type { Database } from './db.ts'
import { type Postgres, startPostgres } from './embedded.ts'
import { migrate } from './migrate.ts'
import { withReplica } from './replica.ts'

const bin = debianPostgres()
const quiet = { info: () => undefined, error: () => undefined, warn: () => undefined }
const company = { EnterpriseId: 1, platform: false }
const server = sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`

describe.skipIf(!bin)(`${bin ? '' : 'skipped, not installed: postgresql: '}lists from a replica`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-replica-'))
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  let primary: Postgres
  let standby: Postgres
  let admin: pg.Client
  let replay: pg.Client
  let database: Database
  const start = (at: string) => startPostgres({ folder: at, log: quiet, settings: { fsync: 'off' }, bin: bin! })
  const isFromReplica = async () => (await database.lists(company).rows(server))[0]!.standby
  const until = (what: boolean) => expect.poll(isFromReplica, { timeout: 60_000, interval: 50 }).toBe(what)

  beforeAll(async () => {
    execFileSync('chmod', ['755', folder])
    primary = await start(first)
    await migrate(primary.url)
    await primary.stop()
    execFileSync('cp', ['-a', first, second])
    appendFileSync(join(first, 'cluster/pg_hba.conf'), '\nhost replication all 127.0.0.1/32 scram-sha-256\n')
    primary = await start(first)
    const { hostname, port, username, password } = new URL(primary.url)
    const signal = join(second, 'cluster/standby.signal')
    writeFileSync(signal, '')
    const { uid, gid } = statSync(join(second, 'cluster'))
    execFileSync('chown', [`${uid}:${gid}`, signal])
    appendFileSync(
      join(second, 'cluster/postgresql.auto.conf'),
      `\nprimary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password}'\n`,
    )
    standby = await start(second)
    ;[admin, replay] = [primary.url, standby.url].map((connectionString) => new pg.Client({ connectionString })) as [pg.Client, pg.Client]
    for (const client of [admin, replay]) {
      client.on('error', () => {})
      await client.connect()
    }
    await admin.query(
      `insert into secret ("Name", "Value") values ('owner', 'one'); create table tried ("EnterpriseId" bigint, "Name" text)`,
    )
    await admin.query(`select penstock_tenant_table('tried')`)
    database = withReplica(connect(applicationUrl(primary.url).url), connect(applicationUrl(standby.url).url), quiet)
  }, 240_000)
  afterAll(async () => {
    await database?.close()
    for (const client of [admin, replay]) await client?.end().catch(() => {})
    await standby?.stop()
    await primary?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const count = (db: 'as' | 'lists') => database[db](company).rows(sql<{ n: number }>`select count(*)::int as n from tried`)
  const add = async () => {
    await database.as(company).rows(sql`insert into tried values (1, 'written')`)
    database.wrote(company)
  }

  test('who reads without having written is answered by the replica, in his own scope', async () => {
    await until(true)
    await admin.query(`insert into tried values (2, 'of another company')`)
    await expect.poll(async () => (await replay.query('select from tried')).rowCount).toBe(1)
    expect(await count('lists')).toEqual([{ n: 0 }])
    expect((await database.as(company).rows(server))[0]).toEqual({ standby: false })
  })

  test('who has written finds it in each list, also while the replica is held back, and others go on asking that', async () => {
    await until(true)
    await replay.query('select pg_wal_replay_pause()')
    await add()
    expect([await isFromReplica(), await count('lists')]).toEqual([false, await count('as')])
    expect((await database.lists({ EnterpriseId: 3, platform: false }).rows(server))[0]).toEqual({ standby: true })
    expect((await database.lists({ EnterpriseId: 1, platform: true }).rows(server))[0]).toEqual({ standby: false })
    await replay.query('select pg_wal_replay_resume()')
    await until(true)
    expect(await count('lists')).toEqual(await count('as'))
  })

  test('who hears of a change finds it', async () => {
    await until(true)
    await replay.query('select pg_wal_replay_pause()')
    const seen = new Promise<boolean>((done) => {
      const stop = database.onChange(() => {
        stop()
        done(isFromReplica())
      })
    })
    await database.system.tx(async (db) => {
      await db.rows(sql`insert into tried values (1, 'by the server')`)
      db.emit({ resource: 'tried', id: 1, verb: 'create', EnterpriseId: 1 })
    })
    expect(await seen).toBe(false)
    await replay.query('select pg_wal_replay_resume()')
  })

  test('a list that writes writes to PostgreSQL itself, and goes on when the replica ends', async () => {
    await until(true)
    await database.lists(company).rows(sql`insert into tried values (1, 'in a list')`)
    await until(true)
    await standby.stop()
    expect(await count('lists')).toEqual(await count('as'))
    await until(false)
  })
})
