// The server is killed while a day is closed, rolled up, and rewritten for late readings.
import { mkdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Series } from '../../contract/telemetry.ts'
import { freshDatabase } from '../../main/testing/database.ts'
import { programOf } from '../../main/testing/serverProgram.ts'
import { type FrontDoor, temporary, until } from '../front-door.ts'
import { makePlant, type Source } from './plant.ts'
import { type Senders, type SendOptions, startSenders } from './senders.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'
import { byApi, byStore, type Counts, enter, flawless, openFiles, perfect, tally, worse } from './tally.ts'
import { inTime, pause, rounds } from './tiers.ts'

const day = 86_400_000
/** Late in the evening of a past day, in UTC; each round is a day later. */
const evening = Math.floor(Date.now() / day - 60) * day + 23 * 3_600_000

const folder = temporary()
const files = join(folder, 'telemetry/store/files')
let fresh: Awaited<ReturnType<typeof freshDatabase>>
let server: ServerProcess
let env: Record<string, string>
beforeAll(async () => {
  fresh = await freshDatabase()
  env = { DATABASE_URL: fresh.adminUrl, CLOCK_OFFSET: String(evening - Date.now()) }
  server = await startServerProcess(env, { program: programOf('tests/faults/server.child.ts'), folder })
})
afterAll(async () => {
  await server?.stop()
  server?.remove()
  await fresh?.drop()
})

const setClock = (to: number) => {
  env.CLOCK_OFFSET = String(to - Date.now())
  server.send({ offset: to - Date.now() })
}
const sendSome = async (sources: Source[], more: Partial<SendOptions>): Promise<Senders> => {
  const sending = startSenders(sources, { port: server.mqttPort, messagesPerSecond: 400, ...more })
  await pause(1200)
  await sending.finish()
  await sending.leave()
  return sending
}
const sum = (all: Counts[]): Counts =>
  all.reduce((a, b) => Object.fromEntries(Object.entries(a).map(([k, v]) => [k, v + b[k as keyof Counts]])) as Counts)
/** Readings in whole hours, which come from roll-ups. */
const rolledUp = async (door: FrontDoor, points: readonly number[], start: number, end: number) => {
  const { Series } = await door.data<{ Series: Series[] }>('POST', '/DataCenter/ReportData/HourData', {
    ParaIds: points,
    Start: start,
    End: end,
  })
  return Series.flatMap((s) => s.Count).reduce((a, b) => a + b, 0)
}

const kills = rounds(3, 8)
test(
  'readings of a day that was being closed, and late ones for it, are there once, and so are their roll-ups',
  inTime(kills),
  async ({ task }) => {
    const sources = await makePlant(await server.door(), 2)
    const everything: Senders[] = []
    let inTheMiddle = 0
    for (let i = 0; i < kills; i++) {
      const now = evening + i * day
      everything.push(await sendSome(sources, { base: now }))
      // Into the first day, which is closed already from the second round on.
      everything.push(await sendSome(sources, { base: evening - (i + 1) * 600_000, kind: 'history' }))
      setClock(now + 2 * 3_600_000)
      mkdirSync(files, { recursive: true })
      let kept = false
      server.onMessage(() => {
        kept = true
      })
      const seen: string[] = []
      const moment = (i * 3 + 1) % 9
      const dead = new Promise<void>((done) => {
        const watcher = watch(files, (_event, name) => {
          seen.push(name ?? '')
          if (seen.length <= moment * 2) return
          watcher.close()
          void server.kill().then(done)
        })
      })
      server.send({ keep: true })
      const isOver = until('housekeeping to end', () => kept)
      await Promise.race([dead, isOver])
      if (kept) await server.kill()
      else inTheMiddle++
      await dead
      env.CLOCK_OFFSET = String(now + day - Date.now())
      await server.start()
    }
    // Once in peace.
    let kept = false
    server.onMessage(() => {
      kept = true
    })
    setClock(evening + (kills + 1) * day)
    server.send({ keep: true })
    await until('housekeeping to end', () => kept)

    const door = await server.door()
    const points = sources.flatMap((s) => s.points)
    const api = sum(await Promise.all(everything.map((sending) => tally(sending, byApi(door)))))
    const start = evening - 23 * 3_600_000
    const rolled = await rolledUp(door, points, start, start + (kills + 1) * day)
    await server.stop()
    const store = await openFiles(folder, () => evening + (kills + 1) * day)
    const sql: Counts[] = []
    for (const sending of everything) sql.push(await tally(sending, byStore(store)))
    await store.close()
    for (const sending of everything) await sending.stop()
    const counts = worse(api, sum(sql))
    enter(task, {
      fault: 'killed while closing days',
      rounds: kills,
      ...counts,
      note: `${inTheMiddle} in the middle; rolled up: ${rolled}`,
    })
    expect(flawless(counts)).toEqual(perfect)
    expect(rolled).toBe(counts.stored)
    expect(inTheMiddle).toBeGreaterThan(0)
  },
)
