// The server is killed in the middle of an import, a removal of many, a backup and a restore: each has happened or has not.
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { BackupFile, BackupJob } from '../../areas/system/backup/contract.ts'
import type { Page } from '../../contract/call.ts'
import { until } from '../front-door.ts'
import { ownServer } from './own-server.ts'
import { enter, noReadings } from './tally.ts'
import { inTime, isLong } from './tiers.ts'

const [rows, times] = [10_000, 10]

const only = isLong ? '' : 'skipped: takes minutes; npm run test:faults has it: '
describe.runIf(isLong)(`${only}killed`, () => {
  const own = ownServer()
  /** Begins, is killed somewhere in so many ms, and starts again; what the call answered, if it did. */
  const killedWithin = async <T>(ms: number, work: () => Promise<T>): Promise<T | undefined> => {
    const answer = work().catch(() => undefined)
    await pause(Math.random() * ms)
    await own.process.kill()
    await own.process.start()
    return answer
  }
  const took = async (work: () => Promise<unknown>) => {
    const from = performance.now()
    await work()
    return performance.now() - from
  }
  const told = (fault: string, task: Parameters<typeof enter>[0], note: string) =>
    enter(task, { fault, rounds: times, ...noReadings, note })

  /** A table of points, all different, in the order of the template's columns. */
  const table = async () => {
    const headers = { authorization: `Bearer ${own.door.admin}`, 'accept-language': 'en' }
    const template = await fetch(`${own.process.origin}/api/Project/DevPara/Template?Format=csv`, { headers })
    const [header, example] = (await template.text())
      .replace('\uFEFF', '')
      .split('\r\n')
      .map((line) => line.split(','))
    const [name, address] = ['Point name', 'Address'].map((title) => header!.indexOf(title))
    const line = (i: number) => example!.map((cell, k) => (k === name ? `Row ${i}` : k === address ? i : cell)).join(',')
    return [header!.join(','), ...Array.from({ length: rows }, (_, i) => line(i))].join('\r\n')
  }
  const bring = async (DeviceId: number, sheet: string) => {
    const body = new FormData()
    body.set('file', new File([sheet], 'points.csv'))
    const answer = await fetch(`${own.process.origin}/api/Project/DevPara/Import?DeviceId=${DeviceId}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${own.door.admin}` },
      body,
    })
    return (await answer.json()) as { Succeeded: boolean; Data: { Added: number; Unchanged: number } }
  }
  const pointsOf = (device: number, size = 1) =>
    own.door.data<Page<{ Id: number }>>('GET', `/V2/Project/DevPara/List?DeviceIds=${device}&PageSize=${size}`)

  test('an import and a removal of many that are killed are whole or nothing, and may be repeated', inTime(2 * times), async ({ task }) => {
    const sheet = await table()
    const newDevice = async (n: number) => (await own.door.newGateway(`KILLEDWORK1${n}`, 1)).device
    const first = await newDevice(0)
    const lasts = await took(async () => expect(await bring(first, sheet)).toMatchObject({ Succeeded: true, Data: { Added: rows } }))
    let [whole, gone] = [0, 0]
    for (let i = 1; i <= times; i++) {
      const device = await newDevice(i)
      const answer = await killedWithin(lasts, () => bring(device, sheet))
      const there = (await pointsOf(device)).TotalCount
      expect([0, rows]).toContain(there)
      if (answer?.Succeeded) expect(there).toBe(rows)
      if (there) whole++
      expect(await bring(device, sheet)).toMatchObject({ Data: { Added: rows - there, Unchanged: there } })

      const Ids = (await pointsOf(device, 1000)).Items.map((p) => p.Id)
      await killedWithin(lasts / 4, () => own.door.call(own.door.admin, 'DELETE', '/Project/DevPara', { Ids }))
      const left = (await pointsOf(device)).TotalCount
      expect([rows, rows - Ids.length]).toContain(left)
      if (left < rows) gone++
    }
    told('killed at an import', task, `of ${rows} rows; ${whole} had happened, the others had not at all`)
    told('killed at a removal', task, `of ${Math.min(1000, rows)} points; ${gone} had happened`)
  })

  test(
    'a backup that is killed leaves no half one, and a restore the state before or the one of the backup',
    inTime(3 * times),
    async ({ task }) => {
      const { door } = own
      const job = (kind: 'Backup' | 'Restore') =>
        until(`the ${kind} to end`, async () => {
          const now = await door.data<BackupJob>('GET', `/System/${kind}/DBStatus`).catch(() => undefined)
          return now && now.Status > 1 ? now : undefined
        })
      const backUp = async () => {
        await door.data('POST', '/System/Backup/DB', {})
        expect(await job('Backup')).toMatchObject({ Status: 2 })
      }
      const backups = () => door.data<BackupFile[]>('GET', '/System/Backup/DBFiles')
      const projects = async () => (await door.data<Page<object>>('GET', '/Project/Project/List?ExactCount=1')).TotalCount
      const kept = await projects()
      const [lasts, [good]] = [await took(backUp), await backups()]
      const named = { FileName: good!.FileName, Confirm: good!.FileName }
      const restore = async () => {
        await door.data('POST', '/System/Restore/DB', named)
        expect(await job('Restore')).toMatchObject({ Status: 2 })
        expect(await projects()).toBe(kept)
      }
      const restoreLasts = await took(restore)
      let [before, restored] = [0, 0]
      for (let i = 1; i <= times; i++) {
        const had = (await backups()).length
        await killedWithin(lasts, () => door.call(door.admin, 'POST', '/System/Backup/DB', {}))
        const has = await backups()
        expect([had, had + 1]).toContain(has.length)
        await backUp()

        await door.data('POST', '/Project/Project', { ProjectName: `After the backup ${i}` })
        const now = await projects()
        await killedWithin(restoreLasts, () => door.call(door.admin, 'POST', '/System/Restore/DB', named))
        const then = await projects()
        expect([kept, now]).toContain(then)
        if (then === now) before++
        else restored++
        // And in peace, to the same.
        await restore()
      }
      told('killed at a backup', task, 'none was half there')
      told(
        'killed at a restore',
        task,
        `within ${Math.round(restoreLasts)} ms: ${before} left everything as it was, ${restored} had happened`,
      )
    },
  )
})
