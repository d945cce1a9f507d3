// A pooler lends one session of PostgreSQL to several processes, and the owner's lock with it.
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runServer } from '../main/run.ts'
import { readSettings } from '../main/settings.ts'
import { debianPostgres } from '../main/testing/debian.ts'
import { freePort } from '../main/testing/freePort.ts'
import { type Postgres, startPostgres } from '../server/database/embedded.ts'
import { migrate } from '../server/database/migrate.ts'
import { until } from './house.ts'

const bin = debianPostgres()
const pgbouncer = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path))
const missing = [bin ? [] : 'postgresql', pgbouncer ? [] : 'pgbouncer'].flat()

describe.skipIf(missing.length)(`${missing.length ? `skipped, not installed: ${missing.join(', ')}: ` : ''}behind PgBouncer`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-pooler-'))
  const poolers: ChildProcess[] = []
  let postgres: Postgres
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

  /** Answers the address of the database behind a pooler. */
  const pooled = async (mode: string, ignored: string) => {
    const port = await freePort()
    const [to, users, settings] = [new URL(postgres.url), join(folder, `users-${port}`), join(folder, `pgbouncer-${port}.ini`)]
    writeFileSync(users, `"${to.username}" "${to.password}"\n`)
    const lines = [
      `[databases]\n* = host=127.0.0.1 port=${to.port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}`,
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
  const start = (url: string) => {
    const env = { PENSTOCK_DATA: mkdtempSync(join(folder, 'data-')), PENSTOCK_PORT: '0', PENSTOCK_MQTT_PORT: '0', PENSTOCK_DEMO: 'off' }
    const settings = readSettings({ ...env, DATABASE_URL: url })
    return runServer(settings, pino({ level: 'silent' }), Date.now, { onLost: () => {} })
  }
  const refusal = /DATABASE_URL leads to a pooler.*Give the PostgreSQL server's own address and port/

  for (const [mode, ignored] of [
    ['transaction', 'extra_float_digits,options'],
    ['session', 'extra_float_digits,options'],
    ['transaction', 'extra_float_digits'],
  ] as const)
    test(`a server is refused by name in ${mode} mode, where parameters ${ignored} are ignored`, async () => {
      const url = await pooled(mode, ignored)
      const servers = [start(url), start(url)]
      const outcomes = await Promise.all(
        servers.map((s) =>
          s.start().then(
            () => 'started',
            (e: Error) => e.message,
          ),
        ),
      )
      for (const server of servers) await server.close()
      expect(outcomes).toEqual([expect.stringMatching(refusal), expect.stringMatching(refusal)])
      // As reset-password does.
      await expect(migrate(url)).rejects.toThrow(refusal)
    })

  test('a server starts at the address of PostgreSQL itself', async () => {
    const server = start(postgres.url)
    await server.start()
    expect(server.started()).toBeDefined()
    await server.close()
  })
})
