// Restores a downloaded archive on an empty machine with one command.
import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openVault, vaultKey } from '../server/identity/vault.ts'
import { type FrontDoor, openFrontDoor, until } from './front-door.ts'
import { newPlace, type Restorable, startIn, startRestorable } from './restorable.ts'

let all: Restorable
let door: FrontDoor
beforeAll(async () => {
  all = await startRestorable()
  door = all.door
})
afterAll(() => all?.close())

describe('a machine that has nothing', () => {
  it('gets everything back by one command from the archive that was downloaded', { timeout: 240_000 }, async () => {
    await all.send([
      [all.planted, 1.5],
      [all.planted + 1000, 2.5],
      [all.planted + 2000, 3.5],
    ])
    await until('the readings', async () => (await all.readings()).length === 3)
    await until('the log to be linked', async () => (await door.data<{ Entries: number }>('POST', '/System/Log/Verify', {})).Entries > 0)
    await door.data('PUT', '/System/WechatConfig/MessagePush', { EmailPassword: 'of the mailbox' })
    const backup = await all.backUp('DB')
    const { Url } = await door.data<{ Url: string }>('POST', '/System/Backup/Ticket', { FileName: backup.FileName })
    const archive = join(mkdtempSync(join(tmpdir(), 'penstock-archive-')), 'backup.tar')
    await writeFile(archive, Buffer.from(await (await fetch(door.origin + Url)).arrayBuffer()))
    expect((await fetch(door.origin + Url)).headers.get('content-type')).toContain('json')

    const there = await newPlace()
    const command = (...args: string[]) =>
      promisify(execFile)(process.execPath, [join(import.meta.dirname, '../main/restore.ts'), archive, ...args], {
        env: { ...process.env, ...there.env },
      }).catch((error: { stdout: string; stderr: string }) => error)
    const asked = await command()
    expect(asked.stdout).toContain('Project: ')
    expect(asked.stderr).toContain('--yes')
    // The seal was made with that machine's vault.key, so the author of the archive cannot be verified here.
    expect(asked.stdout).toContain('This installation did not sign this backup')
    expect((await command('--yes')).stderr).toContain('With --unverified')
    const restored = (await command('--yes', '--unverified')).stdout
    expect(restored).toContain('Restored.')
    expect(restored).toContain('1 stored passwords and keys of services cannot be read here: copy vault.key')
    // The one file that no backup holds, from the old data folder.
    copyFileSync(join(all.place.folder, 'vault.key'), join(there.folder, 'vault.key'))
    const verified = (await command('--yes')).stdout
    expect(verified).toContain('Restored.')
    expect(verified).not.toContain('vault.key')

    const other = await startIn(there.env)
    const otherDoor = await openFrontDoor(`http://127.0.0.1:${other.started()!.port}`)
    expect((await all.readings(otherDoor)).slice(0, 3)).toEqual([
      [all.planted, 1.5],
      [all.planted + 1000, 2.5],
      [all.planted + 2000, 3.5],
    ])
    const vault = openVault(other.started()!.database, vaultKey(there.folder))
    expect(await vault.get(1, 'pushConfig.EmailPassword')).toBe('of the mailbox')
    const names = (await otherDoor.data<{ Items: { ProjectName: string }[] }>('GET', '/Project/Project/List?PageSize=100')).Items.map(
      (p) => p.ProjectName,
    )
    expect(names.sort()).toEqual((await all.projects()).sort())
    // The log came along, with the public key of the machine that signed it.
    await until('the log to be linked', async () => (await otherDoor.data<{ Sound: boolean }>('POST', '/System/Log/Verify', {})).Sound)
    await other.close()
    await there.fresh.drop()

    // Cut short, it is refused.
    const cut = `${archive}.cut.tar`
    await writeFile(cut, readFileSync(archive).subarray(0, 20_000))
    const empty = await newPlace()
    const refused = await promisify(execFile)(process.execPath, [join(import.meta.dirname, '../main/restore.ts'), cut, '--yes'], {
      env: { ...process.env, ...empty.env },
    }).catch((e: { stderr: string }) => e)
    expect(refused.stderr).not.toBe('')
    expect(existsSync(join(empty.folder, 'telemetry'))).toBe(false)
    await empty.fresh.drop()
    for (const folder of [there.folder, empty.folder]) rmSync(folder, { recursive: true, force: true })
  })
})
