// Power loss during ingest, closing of days and people's work: synced data is there, and nothing else.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from '../../contract/call.ts'
import { programOf } from '../../main/testing/serverProgram.ts'
import { type FrontDoor, until } from '../front-door.ts'
import { makePlant, type Source } from './plant.ts'
import { hasShim, type PowerDisk, powerDisk, why } from './power/disk.ts'
import { startSenders } from './senders.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'
import { byApi, byStore, enter, flawless, openFiles, perfect, tally, worse } from './tally.ts'
import { inTime, pause, rounds } from './tiers.ts'

const program = programOf('tests/faults/server.child.ts')
const day = 86_400_000

/** Somebody who makes one project after the other, and records which of them were acknowledged. */
const startClerk = (door: FrontDoor) => {
  const made: string[] = []
  let stopped = false
  const work = (async () => {
    for (let i = 0; !stopped; i++) {
      const ProjectName = `Clerk ${i} ${Math.random().toString(36).slice(2)}`
      const answer = await door.call(door.admin, 'POST', '/Project/Project', { ProjectName }).catch(() => ({ Succeeded: false }))
      if (answer.Succeeded) made.push(ProjectName)
      else await pause(100)
    }
  })()
  return {
    made,
    stop: () => {
      stopped = true
      return work
    },
  }
}
const projects = async (door: FrontDoor) => {
  const names = new Set<string>()
  for (let page = 1; ; page++) {
    const list = await door.data<Page<{ ProjectName: string }>>('GET', `/Project/Project/List?PageSize=1000&PageIndex=${page}`)
    for (const { ProjectName } of list.Items) names.add(ProjectName)
    if (!list.HasNextPages) return names
  }
}

describe.skipIf(!hasShim)(`${why}a power cut of the server`, () => {
  let disk: PowerDisk
  let server: ServerProcess
  const env: Record<string, string> = {}
  let sources: Source[]
  beforeAll(async () => {
    disk = powerDisk()
    Object.assign(env, disk.env())
    server = await startServerProcess(env, { program, folder: disk.folder })
    sources = await makePlant(await server.door(), 4, 10, 'POWERS')
  })
  afterAll(async () => {
    await server?.stop()
    disk?.remove()
  })

  const cuts = rounds(2, 10)
  test('leaves every reading and every change that was acknowledged, also while a day is being closed', inTime(cuts), async ({ task }) => {
    const sending = startSenders(sources, { port: server.mqttPort, messagesPerSecond: 50 })
    const clerk = startClerk(await server.door())
    let offset = 0
    for (let i = 0; i < cuts; i++) {
      const before = sending.ackedCount()
      await until('acknowledgements', () => sending.ackedCount() > before + 100)
      if (i % 2) {
        // The readings of so far become files.
        offset += day
        env.CLOCK_OFFSET = String(offset)
        server.send({ offset })
        server.send({ keep: true })
      }
      await pause(Math.random() * 1500)
      await disk.cut([server.pid()], i % 4 < 2 ? 'lost' : 'torn')
      await server.start()
    }
    const before = sending.ackedCount()
    await until('acknowledgements', () => sending.ackedCount() > before + 100)
    await clerk.stop()
    await sending.finish()
    const door = await server.door()
    const there = await projects(door)
    const forgotten = clerk.made.filter((name) => !there.has(name))
    const api = await tally(sending, byApi(door))
    await server.stop()
    const files = await openFiles(disk.folder, () => Date.now() + offset)
    const counts = worse(api, await tally(sending, byStore(files)))
    await files.close()
    await sending.stop()
    const note = `${clerk.made.length} changes by people, ${forgotten.length} lost`
    enter(task, { fault: 'power cut of the server', rounds: cuts, ...counts, note })
    expect(flawless(counts)).toEqual(perfect)
    expect(forgotten).toEqual([])
    expect(clerk.made.length).toBeGreaterThan(10)
    await server.start()
  })

  test('on a disk whose syncs do nothing is found out: the count reports losses', inTime(1), async ({ task }) => {
    await server.stop()
    disk.settle()
    Object.assign(env, disk.env(true))
    await server.start()
    const sending = startSenders(sources, { port: server.mqttPort, messagesPerSecond: 50, base: Date.now() + 60_000 })
    const clerk = startClerk(await server.door())
    await until('acknowledgements', () => sending.ackedCount() > 200)
    await until('changes', () => clerk.made.length > 5)
    const made = [...clerk.made]
    await disk.cut([server.pid()], 'lost')
    delete env.POWER_IGNORE
    Object.assign(env, disk.env())
    await server.start()
    await clerk.stop()
    await sending.finish()
    const door = await server.door()
    const there = await projects(door)
    const counts = await tally(sending, byApi(door))
    await sending.stop()
    const forgotten = made.filter((name) => !there.has(name)).length
    const note = `losses must be seen; ${made.length} changes by people, ${forgotten} lost`
    enter(task, { fault: 'control: syncs do nothing', rounds: 1, ...counts, note })
    expect(counts.lost).toBeGreaterThan(0)
    expect(forgotten).toBeGreaterThan(0)
  })
})
