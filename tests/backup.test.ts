// A backup from the screen's calls, edits, and the way back into the running server.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BackupFile, BackupJob } from '../areas/system/backup/contract.ts'
import { openSigner } from '../areas/system/backup/server/archive/manifest.ts'
import type { Wrapper } from '../contract/call.ts'
import { vaultKey } from '../server/identity/vault.ts'
import { type FrontDoor, until } from './front-door.ts'
import { type Restorable, startRestorable } from './restorable.ts'

let all: Restorable
let door: FrontDoor
beforeAll(async () => {
  all = await startRestorable()
  door = all.door
})
afterAll(() => all?.close())

const part = async (Ticket: string, Offset: number, content: Buffer) => {
  const body = new FormData()
  body.append('file', new Blob([new Uint8Array(content)]), 'part')
  const answer = await fetch(`${door.origin}/api/System/Backup/BringPart?${new URLSearchParams({ Ticket, Offset: String(Offset) })}`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${door.admin}`, 'accept-language': 'en' },
  })
  return (await answer.json()) as Wrapper<{ Received: number }>
}
/** Sends an archive as a console does, in parts smaller than it might. */
const bring = async (archive: Buffer, Kind: 'DB' | 'Resource' = 'DB') => {
  const { Ticket } = await door.data<{ Ticket: string }>('POST', '/System/Backup/Bring', { Kind, Size: archive.length })
  for (let at = 0; at < archive.length; at += 50_000) {
    const { Data } = await part(Ticket, at, archive.subarray(at, at + 50_000))
    expect(Data.Received).toBe(Math.min(at + 50_000, archive.length))
  }
  await door.data('POST', '/System/Backup/Brought', { Ticket })
}

describe('backup and restore', () => {
  let first: BackupFile

  it('[backup-restore] edit, back up, edit, restore: the second edit is gone, counts and hashes are equal, a planted reading reads back', {
    timeout: 240_000,
  }, async () => {
    await door.data('POST', '/Project/Project', { ProjectName: 'First edit' })
    await all.send([
      [all.planted, 1.5],
      [all.planted + 1000, 2.5],
      [all.planted + 2000, 3.5],
    ])
    await until('the readings', async () => (await all.readings()).length === 3)
    first = await all.backUp('DB')
    expect(first).toMatchObject({ Readings: 3, WithReadings: true, By: 'admin', Things: { project: 2, gateway: 1, device: 1, point: 1 } })
    expect(first.Rows).toBeGreaterThan(20)

    await door.data('POST', '/Project/Project', { ProjectName: 'Second edit' })
    await door.data('DELETE', '/Project/DevPara', { Id: all.point })
    expect(await all.projects()).toContain('Second edit')

    await all.restoreDb(first.FileName)
    // Whoever restored is still signed in, on the same port.
    expect(await all.projects()).toEqual(expect.not.arrayContaining(['Second edit']))
    expect(await all.projects()).toContain('First edit')
    expect(await all.readings()).toEqual([
      [all.planted, 1.5],
      [all.planted + 1000, 2.5],
      [all.planted + 2000, 3.5],
    ])

    const again = await all.backUp('DB')
    expect(all.contents(again.FileName)).toEqual(all.contents(first.FileName))
    expect(all.contents(again.FileName).length).toBeGreaterThan(15)
    expect(again.Readings).toBe(3)
    const [entry] = (
      await door.data<{ Items: { Verb: string; ObjectName: string; UserNO: string }[] }>('GET', '/System/Log/List?Verb=restore')
    ).Items
    expect(entry).toMatchObject({ ObjectName: first.FileName, UserNO: 'admin' })
    await until(
      'the log to be linked',
      async () => (await door.data<{ Sound: boolean; Entries: number }>('POST', '/System/Log/Verify', {})).Entries > 0,
    )
    expect(await door.data('POST', '/System/Log/Verify', {})).toMatchObject({ Sound: true })
  })

  it('goes on after it: readings are taken, new records get new Ids, row-level security holds', async () => {
    await all.send([[all.planted + 3000, 4.5]])
    await until('the reading', async () => (await all.readings()).length === 4)
    const { Id } = await door.data('POST', '/Project/Project', { ProjectName: 'After' })
    expect(Id).toBeGreaterThan(all.gateway.project)
    const rows = await all.server
      .started()!
      .database.system.rows(
        sql`select count(*)::int as n from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relrowsecurity and not relforcerowsecurity`,
      )
    expect(rows).toEqual([{ n: 0 }])
  })

  it('stores readings that do not change once for all backups', { timeout: 240_000 }, async () => {
    await all.server.started()!.telemetry.keep()
    const one = await all.backUp('DB')
    const pooled = () => readdirSync(join(all.place.folder, 'backups', 'pool')).filter((f) => f.endsWith('.parquet')).length
    const before = pooled()
    const two = await all.backUp('DB')
    expect(pooled()).toBe(before)
    expect(two.AddedSize).toBeLessThanOrEqual(one.AddedSize + 1000)
    expect(await door.data('DELETE', '/System/Backup/File', { FileName: two.FileName })).toEqual({ Removed: 1 })
    expect((await all.files('DB')).map((f) => f.FileName)).not.toContain(two.FileName)
  })

  it('takes an archive that was downloaded, part by part, and restores it', { timeout: 240_000 }, async () => {
    const { FileName } = await all.backUp('DB')
    const { Url } = await door.data<{ Url: string }>('POST', '/System/Backup/Ticket', { FileName })
    const archive = Buffer.from(await (await fetch(door.origin + Url)).arrayBuffer())
    await door.data('DELETE', '/System/Backup/File', { FileName })
    await door.data('POST', '/Project/Project', { ProjectName: 'After the archive' })
    await bring(archive)
    expect((await all.settled('Backup', 'DB')).Error).toBeNull()
    expect((await all.files('DB')).map((f) => f.FileName)).toContain(FileName)
    await all.restoreDb(FileName)
    expect(await all.projects()).not.toContain('After the archive')
    expect(await all.readings()).toHaveLength(4)
  })

  it('takes no archive that is damaged, of the other kind, not whole or of nobody, and keeps what it had', {
    timeout: 240_000,
  }, async () => {
    const { FileName } = await all.backUp('DB')
    const { Url } = await door.data<{ Url: string }>('POST', '/System/Backup/Ticket', { FileName })
    const archive = Buffer.from(await (await fetch(door.origin + Url)).arrayBuffer())
    const before = await all.files('DB')
    const bent = Buffer.from(archive)
    // The first byte of a table: the middle may be padding.
    bent[bent.indexOf('project.copy.gz\0') + 512]! ^= 1
    for (const [content, kind] of [
      [bent, 'DB'],
      [archive, 'Resource'],
      [archive.subarray(0, archive.length >> 1), 'DB'],
      [Buffer.from('no archive at all'), 'DB'],
    ] as const) {
      await bring(content, kind)
      const job = await until('the refusal', async () => {
        const job = await door.data<BackupJob>('GET', `/System/Backup/${kind}Status`)
        return job.Status === 3 ? job : undefined
      })
      expect(job.Error).toBe('fault.backupDamaged')
      expect(await all.files('DB')).toEqual(before)
    }
    const begin = (Size: number) => door.call<{ Ticket: string }>(door.admin, 'POST', '/System/Backup/Bring', { Kind: 'DB', Size })
    expect(await begin(Number.MAX_SAFE_INTEGER)).toMatchObject({ StatusCode: 409, Details: { Fault: 'backupNoRoom' } })
    const { Ticket } = (await begin(100)).Data
    expect(await begin(100)).toMatchObject({ StatusCode: 409, Details: { Fault: 'backupBusy' } })
    expect(await part(Ticket, 0, Buffer.alloc(60))).toMatchObject({ Data: { Received: 60 } })
    expect(await part(Ticket, 0, Buffer.alloc(60))).toMatchObject({ Data: { Received: 60 } })
    expect(await part(Ticket, 61, Buffer.alloc(10))).toMatchObject({ Details: { Fault: 'backupParts' } })
    expect(await part(Ticket, 60, Buffer.alloc(41))).toMatchObject({ Details: { Fault: 'backupParts' } })
    expect(await part('guess', 60, Buffer.alloc(40))).toMatchObject({ StatusCode: 404 })
    expect(await door.call(door.admin, 'POST', '/System/Backup/Brought', { Ticket })).toMatchObject({ Details: { Fault: 'backupParts' } })
    // What was sound is still: its pool has not been touched.
    await all.restoreDb(FileName)
  })

  it('refuses a backup of which one bit is different, and changes nothing', async () => {
    const damaged = await all.backUp('DB')
    const path = join(all.place.folder, 'backups', damaged.FileName, 'project.copy.gz')
    const whole = readFileSync(path)
    const bent = Buffer.from(whole)
    bent[bent.length >> 1]! ^= 1
    writeFileSync(path, bent)
    const before = await all.projects()
    await door.data('POST', '/System/Restore/DB', { FileName: damaged.FileName, Confirm: damaged.FileName })
    const job = await until('the refusal', async () => {
      const job = await door.data<BackupJob>('GET', '/System/Restore/DBStatus')
      return job.Status === 3 ? job : undefined
    })
    expect(job.Error).toBe('fault.backupDamaged')
    expect(await all.projects()).toEqual(before)
    writeFileSync(path, whole)
    // The manifest itself, and one of a version to come.
    const manifest = join(all.place.folder, 'backups', damaged.FileName, 'manifest.json')
    const text = readFileSync(manifest, 'utf8')
    const restore = () => door.call(door.admin, 'POST', '/System/Restore/DB', { FileName: damaged.FileName, Confirm: damaged.FileName })
    writeFileSync(manifest, text.replace('"Kind":"db"', '"Kind":"dc"'))
    expect(await restore()).toMatchObject({ StatusCode: 409, Details: { Fault: 'backupDamaged' } })
    const { Sha256: _, Seal: __, SealKey: ___, ...body } = JSON.parse(text)
    body.Migrations.push(['9999_future.sql', 'f'.repeat(64)])
    writeFileSync(manifest, JSON.stringify(openSigner(vaultKey(all.place.folder)).sign(body)))
    expect(await restore()).toMatchObject({ StatusCode: 409, Details: { Fault: 'backupOther' } })
    writeFileSync(manifest, text)
    expect(await all.projects()).toEqual(before)
  })

  it('needs the name twice, a name of the list, and the platform’s right', async () => {
    const name = first.FileName
    expect(
      await door.call(door.admin, 'POST', '/System/Restore/DB', { FileName: name, Confirm: 'penstock-db-20200101T000000Z' }),
    ).toMatchObject({ StatusCode: 400, Details: { Fields: { Confirm: [expect.any(String)] } } })
    for (const FileName of ['../../etc/passwd', '..%2f', '/etc/passwd', 'pool', `${name}/../${name}`])
      for (const [method, path] of [
        ['GET', `/System/Backup/DBFileDownLoad?FileName=${encodeURIComponent(FileName)}`],
        ['POST', '/System/Restore/DB'],
      ] as const)
        expect(
          (await door.call(door.admin, method, path, method === 'POST' ? { FileName, Confirm: FileName } : undefined)).StatusCode,
          FileName,
        ).toBe(400)
    const gone = 'penstock-db-20200101T000000Z'
    expect(await door.call(door.admin, 'POST', '/System/Restore/DB', { FileName: gone, Confirm: gone })).toMatchObject({ StatusCode: 404 })
    expect(await door.call(undefined, 'GET', '/System/Backup/Fetch?Ticket=guess')).toMatchObject({ StatusCode: 404 })
  })
})

describe('files', () => {
  it('are backed up and put back, missing and damaged ones, and later ones stay', { timeout: 240_000 }, async () => {
    const upload = async (name: string, text: string) => {
      const body = new FormData()
      body.append('file', new Blob([text]), name)
      const answer = await fetch(`${door.origin}/api/System/File/Upload`, {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${door.admin}` },
      })
      return ((await answer.json()) as { Data: { FilePath: string } }).Data.FilePath
    }
    const read = async (path: string) =>
      (await fetch(`${door.origin}/api/${path}`, { headers: { authorization: `Bearer ${door.admin}` } })).text()
    const paths = [await upload('a.txt', 'first'), await upload('b.txt', 'second')]
    const backup = await all.backUp('Resource')
    expect(backup.Files).toBe(2)
    const later = await upload('c.txt', 'third')
    const onDisk = (path: string) => join(all.place.folder, path)
    rmSync(onDisk(paths[0]!))
    await writeFile(onDisk(paths[1]!), 'sec0nd')
    expect((await read(paths[0]!)).startsWith('{')).toBe(true)
    await door.data('POST', '/System/Restore/Resource', { FileName: backup.FileName, Confirm: backup.FileName })
    await all.settled('Restore', 'Resource')
    expect(await Promise.all([...paths, later].map(read))).toEqual(['first', 'second', 'third'])
    const tar = await fetch(`${door.origin}/api/System/Backup/ResourceFileDownLoad?FileName=${backup.FileName}`, {
      headers: { authorization: `Bearer ${door.admin}` },
    })
    expect(Buffer.from(await tar.arrayBuffer()).includes('second')).toBe(true)
  })
})
