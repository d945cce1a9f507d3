// Two servers on one PostgreSQL, without engines that both can reach; tests/faults/standby.test.ts has those.
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runServer, withDatabase } from '../main/run.ts'
import { readSettings } from '../main/settings.ts'
import { freePort } from '../main/testing/freePort.ts'
import { until } from './front-door.ts'
import { temporary } from './house.ts'
import { type Restorable, startRestorable } from './restorable.ts'

const silent = pino({ level: 'silent' })
let all: Restorable
let origin: string
let stood = 0
let second: ReturnType<typeof runServer>
let settings: ReturnType<typeof readSettings>
let starting: Promise<void>
beforeAll(async () => {
  all = await startRestorable()
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  const folder = temporary()
  settings = readSettings({ ...all.place.env, PENSTOCK_DATA: folder, PENSTOCK_PORT: String(port) })
  await expect(runServer(settings, silent, Date.now, { onLost: () => undefined }).start()).rejects.toThrow(/vault key is not the one/)
  // As docs/standby.md describes.
  copyFileSync(join(all.place.folder, 'vault.key'), join(folder, 'vault.key'))
  const stand = () => {
    second = runServer(settings, silent, Date.now, {
      onStandby: () => void stood++,
      onLost: (error) => {
        throw error
      },
    })
    starting = second.start()
  }
  stand()
  await until('it to stand by', () => stood === 1)
  // A standby server can be stopped and started again.
  await second.close()
  await starting
  stand()
  await until('it to stand by again', () => stood === 2)
})
afterAll(async () => {
  await second?.close()
  await all?.close()
})

test('a standby server is alive and serves nobody', async () => {
  expect(await (await fetch(`${origin}/healthz`)).json()).toEqual({ status: 'ok' })
  const ready = await fetch(`${origin}/readyz`)
  expect([ready.status, await ready.json()]).toMatchObject([503, { status: 'standing by' }])
  for (const [method, path] of [
    ['GET', '/'],
    ['POST', '/api/Auth/Login'],
    ['GET', '/metrics'],
  ]) {
    const answer = await fetch(`${origin}${path}`, { method: method!, headers: { 'accept-language': 'en' } })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await answer.json()).toMatchObject({ Succeeded: false, StatusCode: 503, Details: { Fault: 'unavailable' } })
  }
})

test('while the owner puts a backup back, nobody takes over, and no restore begins beside it', async () => {
  const made = await all.backUp('DB')
  await all.door.data('POST', '/Project/Project', { ProjectName: 'After the backup' })
  await all.restoreDb(made.FileName)
  expect(await all.projects()).not.toContain('After the backup')
  expect(second.started()).toBeUndefined()
  expect((await fetch(`${origin}/readyz`)).status).toBe(503)
  const elsewhere = { ...settings, data: temporary() }
  await expect(withDatabase(elsewhere, silent, async () => 'work')).rejects.toThrow('Penstock is running on this database')
})

test('it serves when the owner has ended', async () => {
  await all.server.close()
  await starting
  expect((await fetch(`${origin}/readyz`)).status).toBe(200)
  const answer = await fetch(`${origin}/api/Project/Project/List`, { headers: { authorization: `Bearer ${all.door.admin}` } })
  expect(await answer.json()).toMatchObject({ Succeeded: true })
})

test('it signs the log with the key of the server before it', () => {
  const keys = [all.place.folder, settings.data].map((folder) => readFileSync(join(folder, 'keys/log.pem'), 'utf8'))
  expect(keys[1]).toBe(keys[0])
})
