import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeLinks, startPostgres } from './embedded.ts'

const log = { info: () => undefined, error: () => undefined }
let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'penstock-embedded-')), 'postgres')
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

const query = async (url: string, text: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

test('what was written is there after a stop and a start', async () => {
  const first = await startPostgres({ folder, log })
  await query(first.url, 'create table reading as select 42 as value')
  await first.stop()
  await expect(query(first.url, 'select 1')).rejects.toThrow()
  const second = await startPostgres({ folder, log })
  expect(await query(second.url, 'select value from reading')).toEqual([{ value: 42 }])
  expect(second.adopted).toBe(false)
  await second.stop()
})

test('a server that was killed leaves its PostgreSQL running, and the next one takes it over', async () => {
  const embedded = fileURLToPath(new URL('./embedded.ts', import.meta.url))
  const program = `
    const { startPostgres } = await import(${JSON.stringify(embedded)})
    console.log((await startPostgres({ folder: ${JSON.stringify(folder)}, log: console })).url)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [url] = (await once(child.stdout, 'data')).map((chunk) => String(chunk).trim())
  child.kill('SIGKILL')
  await once(child, 'exit')
  const next = await startPostgres({ folder, log })
  expect(next).toMatchObject({ url, adopted: true })
  await next.stop()
})

test('a PostgreSQL that is killed runs again at the same address, by itself', async () => {
  const postgres = await startPostgres({ folder, log })
  await query(postgres.url, 'create table reading as select 42 as value')
  process.kill(Number(readFileSync(join(folder, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
  await expect
    .poll(() => query(postgres.url, 'select value from reading').catch(() => []), { timeout: 60_000, interval: 100 })
    .toEqual([{ value: 42 }])
  await postgres.stop()
  await expect(query(postgres.url, 'select 1')).rejects.toThrow()
})

test('a stale lock whose process number went to a stranger neither stops the start nor the stranger', async () => {
  await (await startPostgres({ folder, log })).stop()
  const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  const cluster = join(folder, 'cluster')
  writeFileSync(join(cluster, 'postmaster.pid'), `${stranger.pid}\n${cluster}\n1700000000\n1\n\n127.0.0.1\n\nready\n`)
  const postgres = await startPostgres({ folder, log })
  expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }])
  await postgres.stop()
  expect(stranger.exitCode).toBeNull()
  stranger.kill()
})

test('only the password of the data folder opens it, and only its owner may read that', async () => {
  const postgres = await startPostgres({ folder, log })
  const wrong = new URL(postgres.url)
  wrong.password = 'wrong'
  await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed')
  expect(statSync(join(folder, 'password')).mode & 0o077).toBe(0)
  expect(readFileSync(join(folder, 'postgres.log'), 'utf8')).not.toContain(new URL(postgres.url).password)
  await postgres.stop()
})

test('a folder made by another version is refused by number', async () => {
  await (await startPostgres({ folder, log })).stop()
  writeFileSync(join(folder, 'cluster', 'PG_VERSION'), '12\n')
  await expect(startPostgres({ folder, log })).rejects.toThrow('made by PostgreSQL 12')
})

test('letters beyond ASCII are folded and sorted the same on every machine', async () => {
  const postgres = await startPostgres({ folder, log })
  const rows = await query(
    postgres.url,
    "select lower('ÄÑ') as lower, 'Ñandú' ilike 'ñ%' as found, current_setting('server_encoding') as encoding",
  )
  expect(rows).toEqual([{ lower: 'äñ', found: true, encoding: 'UTF8' }])
  await postgres.stop()
})

test('a link that another process makes first is as good as one of our own', () => {
  const root = join(folder, 'package')
  mkdirSync(join(root, 'lib'), { recursive: true })
  // It was not there when we looked, as one is not that leads nowhere, and is when we make it.
  symlinkSync('libfirst.so.1', join(root, 'lib', 'libfirst.so'))
  const links = ['first', 'second'].map((name) => ({ source: `lib/lib${name}.so.1`, target: `lib/lib${name}.so` }))
  makeLinks(root, links)
  expect(['first', 'second'].map((name) => readlinkSync(join(root, 'lib', `lib${name}.so`)))).toEqual(['libfirst.so.1', 'libsecond.so.1'])
})
