import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Page } from '../../contract/call.ts'
import { until } from '../front-door.ts'
import { makePlant } from './plant.ts'
import { startSenders } from './senders.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'
import { byApi, byStore, enter, flawless, openFiles, perfect, tally, worse } from './tally.ts'
import { inTime, pause, rounds } from './tiers.ts'

const root = mkdtempSync(join(tmpdir(), 'penstock-disk-'))
const disk = join(root, 'disk')
/** A disk of 640 MB; only root may have one. */
const mounted = (() => {
  try {
    mkdirSync(disk)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=640m,mode=755', 'tmpfs', disk], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()
const filler = join(disk, 'filler')
/** Fills the disk up to so many free bytes, like another program. */
const fill = (leave: number) => {
  const file = openSync(filler, 'a')
  try {
    for (const block = Buffer.alloc(256 * 1024); ; ) {
      const { bavail, bsize } = statfsSync(disk)
      if (bavail * bsize <= leave) return
      writeSync(file, block, 0, Math.min(block.length, bavail * bsize - leave))
    }
  } catch {
    // Full before it was reckoned: others write, too.
  } finally {
    closeSync(file)
  }
}

const why = mounted ? '' : ' (skipped: a small disk can only be mounted as root)'
describe.skipIf(!mounted)(`a data folder without room${why}`, () => {
  let server: ServerProcess | undefined
  afterAll(async () => {
    await server?.stop()
    execFileSync('umount', ['-l', disk])
    rmSync(root, { recursive: true, force: true })
  })

  const times = rounds(1, 5)
  test(
    'readings are refused while there is none and taken when there is again, without a restart and without a loss',
    inTime(times),
    async ({ task }) => {
      server = await startServerProcess({}, { folder: join(disk, 'data') })
      const { origin } = server
      const door = await server.door()
      const sending = startSenders(await makePlant(door), { port: server.mqttPort, messagesPerSecond: 50 })
      const goesOn = async () => {
        const before = sending.ackedCount()
        await until('acknowledgements', () => sending.ackedCount() > before + 50)
      }
      const alarms = async () =>
        (await door.data<Page<{ IsActive: number; RecoverTime: string | null }>>('GET', '/Alarm/AlarmInfo/List?AlarmType=3')).Items
      /** What was said of room last; the server may say more, such as that the machine is busy. */
      const said = async () =>
        (await door.data<Page<{ PushTitle: string }>>('GET', '/System/Notice/UserNoticeList?BizTypeList=11')).Items.map(
          (n) => n.PushTitle,
        ).find((title) => /^(Disk full|Disk space available)/.test(title))
      const ready = async (is: boolean) => until(`to be ready: ${is}`, async () => (await server!.ready()).ok === is)
      await goesOn()
      for (let i = 0; i < times; i++) {
        // Less than what is kept free for merges: refused in order.
        fill(200 * 1024 * 1024)
        await until('the disk to be full in /readyz', async () => (await server!.ready()).engines.disk === false)
        // What was under way when it became full is acknowledged yet.
        await pause(500)
        const refusing = sending.ackedCount()
        await pause(500)
        expect(sending.ackedCount()).toBe(refusing)
        await until('the alarm', async () => (await alarms()).filter((a) => a.IsActive).length === 1)
        await until('the notice', async () => (await said())?.startsWith('Disk full'))
        rmSync(filler)
        await goesOn()
        await ready(true)
        await until('the end of the alarm', async () => (await alarms()).every((a) => !a.IsActive && a.RecoverTime))
        await until('the notice of its end', async () => (await said())?.startsWith('Disk space'))
        // Nothing at all: every engine meets it in the middle of its work.
        fill(0)
        await ready(false)
        await pause(2000)
        expect(server.alive()).toBe(true)
        expect((await fetch(`${origin}/healthz`)).status).toBe(200)
        rmSync(filler)
        await goesOn()
        await ready(true)
        // PostgreSQL had no room to write it either.
        await until('no alarm', async () => (await alarms()).every((a) => !a.IsActive))
      }
      expect((await alarms()).length).toBeGreaterThanOrEqual(times)
      await sending.finish()
      const api = await tally(sending, byApi(await server.door()))
      await server.stop()
      const files = await openFiles(server.folder)
      const counts = worse(api, await tally(sending, byStore(files)))
      await files.close()
      await sending.stop()
      enter(task, { fault: 'disk full', rounds: 2 * times, ...counts, note: 'half of them to the last byte' })
      expect(flawless(counts)).toEqual(perfect)
    },
  )
})
