import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { lockFolder } from './lock.ts'

const base = mkdtempSync(join(tmpdir(), 'penstock-lock-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))
const temporary = () => mkdtempSync(join(base, 'data-'))

const statOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
/** As versions wrote it that had no other lock. */
const lockAsBefore = (folder: string, pid: number) => writeFileSync(join(folder, 'server.lock'), `${pid} ${statOf(pid)[19]}`)

// They wait for seconds, each in a folder of its own.
describe.concurrent('the lock of a data folder', () => {
  test('a folder is locked once, also after the lock was given back', async () => {
    const folder = temporary()
    const unlock = await lockFolder(folder)
    await expect(lockFolder(folder)).rejects.toThrow(`already running on ${folder} (process ${process.pid} on `)
    unlock()
    const again = await lockFolder(folder)
    again()
  })

  test('who waits has the folder as soon as it is free', async () => {
    const folder = temporary()
    const unlock = await lockFolder(folder)
    setTimeout(unlock, 300)
    const next = await lockFolder(folder)
    next()
  })

  test.runIf(process.platform === 'linux')('a server of an earlier version is respected while it lives, not as a zombie', async () => {
    const folder = temporary()
    // The shell becomes a program that never asks how its child ended.
    const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'], { stdio: ['ignore', 'pipe', 'ignore'] })
    const [line] = await once(parent.stdout, 'data')
    const pid = Number(String(line))
    try {
      lockAsBefore(folder, pid)
      await expect(lockFolder(folder)).rejects.toThrow(`already running on ${folder} (process ${pid})`)
      process.kill(pid, 'SIGKILL')
      await vi.waitFor(() => expect(statOf(pid)[0]).toBe('Z'), 5000)
      const unlock = await lockFolder(folder)
      unlock()
    } finally {
      parent.kill('SIGKILL')
    }
  })
})
