// Modified archives (F8), and what an archive discloses to its holder (F9).
import { execFile } from 'node:child_process'
import { createHash, createHmac, generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BackupFile, BackupJob } from '../../areas/system/backup/contract.ts'
import { openSigner, type SignedManifest } from '../../areas/system/backup/server/archive/manifest.ts'
import { runningSecrets } from '../../server/identity/installation.ts'
import { bent, download, type Members, manifestOf, membersOf, packed, plainSeal, upload } from '../archives.ts'
import { openFrontDoor, until } from '../front-door.ts'
import { temporary } from '../house.ts'
import { newPlace, type Restorable, startIn, startRestorable } from '../restorable.ts'

let all: Restorable
let backup: BackupFile
let archive: Buffer
let filePath: string
const outside = temporary()
beforeAll(async () => {
  all = await startRestorable()
  const body = new FormData()
  body.append('file', new Blob(['content of a file']), 'a.txt')
  const headers = { authorization: `Bearer ${all.door.admin}` }
  const answer = await fetch(`${all.door.origin}/api/System/File/Upload`, { method: 'POST', body, headers })
  filePath = ((await answer.json()) as { Data: { FilePath: string } }).Data.FilePath
  backup = await all.backUp('DB')
  archive = await download(all.door, backup.FileName)
})
afterAll(async () => {
  await all?.close()
  rmSync(outside, { recursive: true, force: true })
})

const restore = join(import.meta.dirname, '../../main/restore.ts')
const command = (env: Record<string, string>, ...args: string[]) =>
  promisify(execFile)(process.execPath, [restore, ...args], { env: { ...process.env, ...env } }).catch(
    (error: { stdout: string; stderr: string }) => error,
  )
/** Every file of a folder with its content, except files that a running server writes. */
const everything = (folder: string) =>
  (readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => !/^(telemetry|cache|exports|lock|backups\/arriving\.tar)/.test(name) && statSync(join(folder, name)).isFile())
    .map(
      (name) =>
        `${name} ${createHash('md5')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}`,
    )
    .sort()
const secrets = async () => {
  // After a restore the server starts again.
  await until('the server to run', () => all.server.started() !== undefined)
  return Object.fromEntries(
    (await all.server.started()!.database.system.rows<{ Name: string; Value: Buffer }>(sql`select "Name", "Value" from secret`)).map(
      (row) => [row.Name, row.Value],
    ),
  )
}
/** A file under another name, in the archive and in the manifest. */
const planted = (m: SignedManifest, members: Members, name: string): SignedManifest => {
  const content = Buffer.from('planted')
  members.set('pool/planted', content)
  return { ...m, Pool: [{ Name: name, Size: content.length, Sha256: createHash('sha256').update(content).digest('hex') }] }
}
const hostile: Record<string, (m: SignedManifest, members: Members) => SignedManifest> = {
  'a pool name that leads out': (m, members) => planted(m, members, '../planted'),
  'a pool name that leads to the data folder': (m, members) => planted(m, members, '../../vault.key'),
  'a table’s file elsewhere': (m) => ({ ...m, Tables: m.Tables.map((t, i) => (i ? t : { ...t, Name: '../../../vault.key' })) }),
  'readings from elsewhere': (m) => ({ ...m, Readings: { ...m.Readings!, files: ['../../keys/log.pem'] } }),
  'a table of readings elsewhere': (m) => ({
    ...m,
    Readings: { ...m.Readings!, Tables: m.Readings!.Tables.map((t, i) => (i ? t : { ...t, Name: '../../../vault.key' })) },
  }),
  'sessions among the tables': (m) => ({
    ...m,
    Tables: m.Tables.map((t, i) => (i ? t : { ...t, Table: 'session', Name: 'session.copy.gz' })),
  }),
  'another author': (m) => ({ ...m, By: 'somebody else' }),
  'nothing changed but the seal': (m) => m,
}

describe('an archive that somebody changed', () => {
  it('is refused by the console, whatever it says, and nothing is written', async () => {
    const before = everything(all.place.folder)
    for (const [what, change] of Object.entries(hostile)) {
      const content = await bent(archive, (m, members) => plainSeal(change(m, members)))
      await upload(all.door, content, 'DB')
      const job = await until('the refusal', async () => {
        const job = await all.door.data<BackupJob>('GET', '/System/Backup/DBStatus')
        return job.Status === 3 ? job : job.Status === 2 ? { ...job, Error: 'taken' } : undefined
      })
      expect(['fault.backupDamaged', 'fault.backupForeign'], what).toContain(job.Error)
    }
    expect(everything(all.place.folder)).toEqual(before)
    // The folder above is that of all temporary files; other tests have folders there.
    const above = readdirSync(dirname(all.place.folder))
    expect(above).toContain(basename(all.place.folder))
    expect(above.filter((name) => /^(planted|vault\.key)/.test(name))).toEqual([])
  })

  it('on the shelf, it is not restored from there', async () => {
    const manifest = join(all.place.folder, 'backups', backup.FileName, 'manifest.json')
    const text = readFileSync(manifest, 'utf8')
    const begin = () => all.door.call(all.door.admin, 'POST', '/System/Restore/DB', { FileName: backup.FileName, Confirm: backup.FileName })
    writeFileSync(manifest, JSON.stringify(plainSeal({ ...JSON.parse(text), By: 'somebody else' })))
    expect((await all.files('DB')).find((f) => f.FileName === backup.FileName)).toMatchObject({ Sealed: false })
    expect(await begin()).toMatchObject({ StatusCode: 409, Details: { Fault: 'backupForeign' } })
    // With the name of our key, and a seal that is not ours.
    const { Sha256: _, ...sealed } = JSON.parse(text)
    const forged = { ...sealed, By: 'somebody else' }
    writeFileSync(manifest, JSON.stringify({ ...forged, Sha256: createHash('sha256').update(JSON.stringify(forged)).digest('hex') }))
    expect(await begin()).toMatchObject({ StatusCode: 409, Details: { Fault: 'backupDamaged' } })
    writeFileSync(manifest, text)
  })

  it('writes nothing to the reader’s terminal', async () => {
    const loud = '\u001b]0;owned\u0007 9\u202e\r\nRestored.'
    const path = join(all.place.folder, 'loud.tar')
    const show = async (content: Buffer) => {
      writeFileSync(path, content)
      const { stdout, stderr } = await command(all.place.env, path)
      expect(stdout + stderr).not.toMatch(/[^\P{C}\n]|^Restored/mu)
      return stdout + stderr
    }
    expect(await show(await bent(archive, (m) => plainSeal({ ...m, Version: loud })))).toContain('version \\u{1b}]0;owned\\u{7} 9')
    expect(await show(await packed(new Map([[loud, Buffer.from('x')]])))).toContain('\\u{1b}]0;owned')
  })

  it('never changes the content of a file that local backups refer to', { timeout: 240_000 }, async () => {
    const { FileName } = await all.backUp('Resource')
    const foreign = openSigner(randomBytes(32))
    const path = join(outside, 'altered.tar')
    const altered = Buffer.from('CONTENT of a file')
    const bend = (m: SignedManifest, members: Members) => {
      for (const { Name } of m.Pool) members.set(`pool/${Name}`, altered)
      const Sha256 = createHash('sha256').update(altered).digest('hex')
      const { Sha256: _, Seal: __, SealKey: ___, ...manifest } = { ...m, Pool: m.Pool.map((f) => ({ ...f, Sha256 })) }
      return foreign.sign(manifest)
    }
    writeFileSync(path, await bent(await download(all.door, FileName), bend))
    const { stderr } = await command(all.place.env, path, '--yes', '--unverified')
    rmSync(path)
    expect(stderr).toContain(filePath.replace('files/', '').replace('/', '_'))
    const headers = { authorization: `Bearer ${all.door.admin}` }
    expect(await (await fetch(`${all.door.origin}/api/${filePath}`, { headers })).text()).toBe('content of a file')
  })

  it('restored to its end by hand, it takes the place of no key and leaves nothing outside', { timeout: 240_000 }, async () => {
    const there = await newPlace()
    const [own, forged] = [generateKeyPairSync('ed25519').publicKey, generateKeyPairSync('ed25519').publicKey]
    const pem = (key: typeof own) => key.export({ type: 'spki', format: 'pem' }).toString()
    const id = createHash('sha256')
      .update(own.export({ type: 'spki', format: 'der' }))
      .digest('hex')
      .slice(0, 16)
    const forgedId = createHash('sha256')
      .update(forged.export({ type: 'spki', format: 'der' }))
      .digest('hex')
      .slice(0, 16)
    mkdirSync(join(there.folder, 'keys'))
    writeFileSync(join(there.folder, 'keys', `${id}.pub`), pem(own))
    const foreign = openSigner(randomBytes(32))
    const write = async (name: string, change: (m: SignedManifest, members: Members) => SignedManifest) => {
      const path = join(outside, name)
      writeFileSync(
        path,
        await bent(archive, (m, members) => {
          const { Sha256: _, Seal: __, SealKey: ___, ...manifest } = change(m, members)
          return foreign.sign(manifest)
        }),
      )
      return path
    }
    // Its key under the name of ours.
    const misnamed = await write('misnamed.tar', (m) => ({ ...m, Keys: { [id]: pem(forged) } }))
    expect((await command(there.env, misnamed, '--yes', '--unverified')).stderr).toContain(`${id}.pub`)
    const walking = await write('walking.tar', (m, members) => planted(m, members, '../../../planted'))
    expect((await command(there.env, walking, '--yes', '--unverified')).stderr).toContain('manifest.json')
    const stranger = await write('stranger.tar', (m) => ({ ...m, Keys: { ...m.Keys, [forgedId]: pem(forged) } }))
    const restored = await command(there.env, stranger, '--yes', '--unverified')
    expect(restored.stdout).toContain('did not sign this backup')
    expect(restored.stdout).toContain('Restored.')
    expect(readFileSync(join(there.folder, 'keys', `${id}.pub`), 'utf8')).toBe(pem(own))
    expect(readdirSync(outside).sort()).toEqual(['misnamed.tar', 'stranger.tar', 'walking.tar'])
    expect(readdirSync(join(there.folder, 'backups'))).toEqual([])
    const other = await startIn(there.env)
    const door = await openFrontDoor(`http://127.0.0.1:${other.started()!.port}`)
    expect((await door.data<{ Items: unknown[] }>('GET', '/Project/Project/List')).Items).toHaveLength(1)
    await other.close()
    await there.fresh.drop()
    rmSync(there.folder, { recursive: true, force: true })
  })
})

describe('the holder of an archive', () => {
  it('has no key of the installation; the other rows of the table are there', async () => {
    const members = await membersOf(archive)
    expect(manifestOf(members).Tables.map((t) => t.Table)).toContain('secret')
    const rows = gunzipSync(members.get('secret.copy.gz')!).toString().trim().split('\n')
    const names = rows.map((row) => row.split('\t')[0])
    const held = await secrets()
    for (const name of runningSecrets.filter((name) => held[name])) {
      expect(names).not.toContain(name)
      const unpacked = [...members].map(([file, content]) => (file.endsWith('.gz') ? gunzipSync(content) : content))
      expect(unpacked.some((content) => content.includes(held[name]!.toString('hex')) || content.includes(held[name]!))).toBe(false)
    }
    expect(names.sort()).toEqual(
      Object.keys(held)
        .filter((name) => !runningSecrets.includes(name as never))
        .sort(),
    )
  })

  it('an address of a file that was signed for years is none, by whatever key', async () => {
    const { files } = await secrets()
    const key = filePath.replace('files/', '')
    const fetched = (Expires: number) => {
      const Signature = createHmac('sha256', files!).update(`${key}\n${Expires}`).digest('base64url')
      return fetch(`${all.door.origin}/api/${filePath}?${new URLSearchParams({ Expires: String(Expires), Signature })}`).then((a) =>
        a.text(),
      )
    }
    expect(await fetched(Date.now() + 3_600_000)).toBe('content of a file')
    expect(await fetched(4_102_444_800_000)).toContain('404')
    expect(await fetched(Date.now() + 4 * 3_600_000)).toContain('404')
    const odd = `${all.door.origin}/api/${filePath}?Expires=${Date.now() + 1000}&Signature=${encodeURIComponent('ä'.repeat(43))}`
    expect((await fetch(odd)).status).toBeLessThan(500)
  })
})

// One restore for both: it is the dearest thing here.
it('a backup with a passphrase gives nothing without it and comes back with it; keys, addresses and the session outlive the restore', {
  timeout: 240_000,
}, async () => {
  const Passphrase = 'a long passphrase of tests'
  await all.door.data('POST', '/System/Backup/DB', { Passphrase })
  const { FileName } = await all.settled('Backup', 'DB')
  expect((await all.files('DB')).find((f) => f.FileName === FileName)).toMatchObject({ Encrypted: true, Sealed: true })
  const content = await download(all.door, FileName!)
  expect(content.includes('manifest.json')).toBe(false)
  await all.door.data('DELETE', '/System/Backup/File', { FileName })
  const refusedOn = { StatusCode: 400, Details: { Fields: { Passphrase: [expect.any(String)] } } }
  const { answer, Ticket } = await upload(all.door, content, 'DB', 'another passphrase')
  expect(answer).toMatchObject(refusedOn)
  await all.door.data('POST', '/System/Backup/Brought', { Ticket, Passphrase })
  await all.settled('Backup', 'DB')
  const restore = (more: object) => all.door.call(all.door.admin, 'POST', '/System/Restore/DB', { FileName, Confirm: FileName, ...more })
  expect(await restore({})).toMatchObject(refusedOn)
  expect(await restore({ Passphrase: 'another passphrase' })).toMatchObject(refusedOn)
  await all.door.data('POST', '/Project/Project', { ProjectName: 'After it' })
  const before = await secrets()
  const { Url } = await all.door.data<{ Url: string }>('GET', `/System/File/Url?FilePath=${encodeURIComponent(filePath)}`)
  expect(await restore({ Passphrase })).toMatchObject({ Succeeded: true })
  await all.settled('Restore', 'DB')
  expect(await all.projects()).not.toContain('After it')
  const after = await secrets()
  for (const name of runningSecrets) expect(after[name]?.toString('hex'), name).toBe(before[name]?.toString('hex'))
  expect(await (await fetch(all.door.origin + Url)).text()).toBe('content of a file')
})
