// A pooler lends one session of PostgreSQL to several processes, and the owner's lock with it.

import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { runServer } from '../main/run.ts'
import { readSettings } from '../main/settings.ts'
import { debianPostgres } from '../main/testing/debian.ts'
import { freePort } from '../main/testing/freePort.ts'
import { applicationUrl } from '../server/database/connect.ts'
import { type Postgres, startPostgres } from '../server/database/embedded.ts'
import { migrate } from '../server/database/migrate.ts'
import { openFrontDoor, password, until } from './front-door.ts'

const bin = debianPostgres()
const pgbouncer = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path))
const missing = [bin ? [] : 'postgresql', pgbouncer ? [] : 'pgbouncer'].flat()

/** Servers of one database have one key. */
const vault = randomBytes(32).toString('base64')

describe.skipIf(missing.length)(`${missing.length ? `skipped, not installed: ${missing.join(', ')}: ` : ''}behind PgBouncer`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-pooler-'))
  const poolers: ChildProcess[] = []
  const servers: ReturnType<typeof runServer>[] = []
  let postgres: Postgres
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close()
  })
  beforeAll(async () => {
    chmodSync(folder, 0o755)
    const log = { info: () => undefined, error: () => undefined }
    postgres = await startPostgres({ folder: join(folder, 'postgres'), log, settings: { fsync: 'off' }, bin: bin! })
  })
  afterAll(async () => {
    for (const pooler of poolers) pooler.kill('SIGKILL')
    await postgres?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Answers the address of the database behind a pooler. `more`: lines of its settings. */
  const pooled = async (mode: string, ignored: string, more = '') => {
    const port = await freePort()
    const [to, users, settings] = [new URL(postgres.url), join(folder, `users-${port}`), join(folder, `pgbouncer-${port}.ini`)]
    const own = new URL(applicationUrl(postgres.url).url)
    writeFileSync(users, [to, own].map(({ username, password }) => `"${username}" "${password}"\n`).join(''))
    const lines = [
      `[databases]\n* = host=127.0.0.1 port=${to.port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\n${more}`,
      `unix_socket_dir =\nauth_type = plain\nauth_file = ${users}\npool_mode = ${mode}\nignore_startup_parameters = ${ignored}`,
      // It refuses to run as root.
      process.getuid?.() === 0 ? 'user = nobody\n' : '',
    ]
    writeFileSync(settings, lines.join('\n'))
    poolers.push(spawn(pgbouncer!, ['-q', settings], { stdio: 'ignore' }))
    to.port = String(port)
    await until('PgBouncer to answer', async () => {
      const client = new pg.Client({ connectionString: to.href })
      client.on('error', () => {})
      return client.connect().then(
        () => client.end().then(() => true),
        () => false,
      )
    })
    return to.href
  }
  const start = (url: string, more: Record<string, string> = {}) => {
    const env = { PENSTOCK_DATA: mkdtempSync(join(folder, 'data-')), PENSTOCK_PORT: '0', PENSTOCK_MQTT_PORT: '0', PENSTOCK_DEMO: 'off' }
    const settings = readSettings({ ...env, PENSTOCK_ADMIN_PASSWORD: password, PENSTOCK_VAULT_KEY: vault, DATABASE_URL: url, ...more })
    const server = runServer(settings, pino({ level: 'silent' }), Date.now, { onLost: () => {} })
    servers.push(server)
    return server
  }
  const refusal = /DATABASE_URL leads to a pooler.*Give the PostgreSQL server's own address and port/

  for (const [mode, ignored] of [
    ['transaction', 'extra_float_digits,options'],
    ['session', 'extra_float_digits,options'],
    ['transaction', 'extra_float_digits'],
  ] as const)
    test(`a server is refused by name in ${mode} mode, where parameters ${ignored} are ignored`, async () => {
      const url = await pooled(mode, ignored)
      const both = [start(url), start(url)]
      const outcomes = await Promise.all(
        both.map((s) =>
          s.start().then(
            () => 'started',
            (e: Error) => e.message,
          ),
        ),
      )
      expect(outcomes).toEqual([expect.stringMatching(refusal), expect.stringMatching(refusal)])
      // As reset-password does.
      await expect(migrate(url)).rejects.toThrow(refusal)
    })

  test('a server starts at the address of PostgreSQL itself', async () => {
    const server = start(postgres.url)
    await server.start()
    expect(server.started()).toBeDefined()
  })

  /** A pooler with two server connections; its address has no user. */
  const behind = async () => {
    const url = new URL(await pooled('transaction', 'extra_float_digits', 'default_pool_size = 2'))
    url.username = url.password = ''
    return url
  }

  test('a server works through a pooler in transaction mode, by an address of its own', async () => {
    const server = start(postgres.url, { DATABASE_POOL_URL: (await behind()).href })
    await server.start()
    const { database, port } = server.started()!
    const { data, ensureCompany } = await openFrontDoor(`http://127.0.0.1:${port}`)
    await ensureCompany()
    // Concurrent calls over two server connections.
    const names = Array.from({ length: 20 }, (_, i) => `Project ${i}`)
    await Promise.all(names.map((ProjectName) => data('POST', '/Project/Project', { ProjectName })))
    const { Items } = await data<{ Items: { ProjectName: string }[] }>('GET', '/Project/Project/List?PageSize=100')
    expect(Items.map((p) => p.ProjectName).sort()).toEqual(names.toSorted())
    const sessions = await Promise.all(
      names.map(() =>
        database.system.rows(
          sql`select current_setting('timezone') as zone, current_setting('statement_timeout') as statement, pg_backend_pid() as pid`,
        ),
      ),
    )
    expect(sessions.flat()).toEqual(names.map(() => expect.objectContaining({ zone: 'UTC', statement: '30s' })))
    expect(new Set(sessions.flat().map((row) => (row as { pid: number }).pid)).size).toBeLessThanOrEqual(2)
  })

  test('an address that leads elsewhere, or signs in as somebody else, is refused by name', async () => {
    const [other, admin] = [await behind(), await behind()]
    other.pathname = '/postgres'
    ;[admin.username, admin.password] = [new URL(postgres.url).username, new URL(postgres.url).password]
    const outcomes = []
    for (const url of [other.href, admin.href, 'postgres://127.0.0.1:1/']) {
      const server = start(postgres.url, { DATABASE_POOL_URL: url })
      outcomes.push(await server.start().catch((e: Error) => e.message))
      await server.close()
    }
    expect(outcomes).toEqual([
      'DATABASE_POOL_URL leads to another database than DATABASE_URL.',
      expect.stringMatching(/^DATABASE_POOL_URL signs in as \w+; it must be penstock_app/),
      expect.stringMatching(/^DATABASE_POOL_URL does not work: .*ECONNREFUSED/),
    ])
  })
})
