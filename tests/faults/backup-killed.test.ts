// What a backup with a passphrase leaves on the disk in the clear when the server, or `npm run restore`, is killed over it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BackupJob } from '../../areas/system/backup/contract.ts'
import { temporary, until } from '../front-door.ts'
import { newPlace } from '../restorable.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

const Passphrase = 'a long passphrase of tests'
const outside = temporary()
let place: Awaited<ReturnType<typeof newPlace>>
let server: ServerProcess
beforeAll(async () => {
  place = await newPlace()
  server = await startServerProcess({ DATABASE_URL: place.fresh.adminUrl }, { folder: place.folder })
})
afterAll(async () => {
  await server?.stop()
  await place?.fresh.drop()
  for (const folder of [place?.folder, outside]) if (folder) rmSync(folder, { recursive: true, force: true })
})

const lying = () =>
  readdirSync(join(place.folder, 'backups'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(place.folder.length + 1))
    .sort()
const soon = async (what: string, isSo: () => boolean) => {
  for (const end = performance.now() + 60_000; !isSo(); await new Promise((done) => setImmediate(done)))
    if (performance.now() > end) throw new Error(`Waited in vain for: ${what}`)
}

/** An encrypted backup: its name and its files. */
const backUp = async () => {
  const door = await server.door()
  const begin = () => door.data('POST', '/System/Backup/DB', { Passphrase })
  // Another may be under way, such as one that the test before did not come to kill.
  await until('the backup to begin', () =>
    begin().then(
      () => true,
      (error) => (/backupBusy/.test(String(error)) ? false : Promise.reject(error)),
    ),
  )
  const { FileName } = await until('the backup', async () => {
    const job = await door.data<BackupJob>('GET', '/System/Backup/DBStatus')
    if (job.Status === 3) throw new Error(JSON.stringify(job))
    return job.Status === 2 && job
  })
  return { door, begin, FileName: FileName! }
}

test('the next start encrypts all of it', { timeout: 240_000 }, async () => {
  const { begin, FileName } = await backUp()
  const encrypted = lying()
  expect(encrypted.filter((path) => !/(archive\.tar\.age|manifest\.json|restore\.json)$/.test(path))).toEqual([])
  expect(encrypted).toContain(join('backups', FileName, 'archive.tar.age'))

  // Killed while it encrypts: deriving the key takes longer than to notice that the tables are whole.
  void begin().catch(() => {})
  await soon('a backup in the clear', () => lying().some((path) => /\d{6}Z(-2)?.manifest\.json$/.test(path) && !encrypted.includes(path)))
  await server.kill()
  expect(lying().filter((path) => path.endsWith('.copy.gz')).length).toBeGreaterThan(20)

  const secret = join(outside, 'passphrase')
  writeFileSync(secret, Passphrase)
  const args = [join(import.meta.dirname, '../../main/restore.ts'), FileName, '--yes', `--passphrase-file=${secret}`]
  const restore = spawn(process.execPath, args, { env: { ...process.env, ...place.env }, stdio: 'ignore' })
  const ended = once(restore, 'exit')
  const restoring = join('backups', 'restoring')
  await soon('the archive to be opened', () => lying().some((path) => path.startsWith(restoring) && path.endsWith('.copy.gz')))
  restore.kill('SIGKILL')
  await ended
  expect(lying().some((path) => path.startsWith(restoring))).toBe(true)

  await server.start()
  expect(lying()).toEqual(encrypted)
})

test('a restore counts as done if the server was killed between its end and its report', { timeout: 240_000 }, async () => {
  const { door, FileName } = await backUp()
  const note = join(place.folder, 'backups', 'restore.json')
  const read = () => (existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')) : {}) as Partial<BackupJob>
  await door.data('POST', '/System/Restore/DB', { FileName, Confirm: FileName, Passphrase })
  await soon('the restore to begin', () => read().Step === 'restarting')
  const begun = readFileSync(note, 'utf8')
  await soon('the restore to end', () => read().Status === 2)
  const outcomes: unknown[] = []
  for (const [left, Status] of [
    [begun, 2],
    [JSON.stringify({ ...JSON.parse(begun), Mark: 'another' }), 3],
  ] as const) {
    await server.kill()
    writeFileSync(note, left)
    await server.start()
    outcomes.push([(await (await server.door()).data<BackupJob>('GET', '/System/Restore/DBStatus')).Status, Status])
  }
  expect(outcomes).toEqual([
    [2, 2],
    [3, 3],
  ])
})
