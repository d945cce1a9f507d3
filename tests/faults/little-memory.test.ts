// A server without enough memory exits and restarts with everything that it acknowledged.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FrontDoor, until } from '../front-door.ts'
import { makePlant } from './plant.ts'
import { startSenders } from './senders.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'
import { byApi, byStore, enter, flawless, openFiles, perfect, tally, worse } from './tally.ts'
import { inTime, isLong, pause } from './tiers.ts'

const only = isLong ? '' : 'skipped: takes minutes; npm run test:faults has it: '
describe.runIf(isLong)(`${only}a server with little memory`, () => {
  let server: ServerProcess
  let door: FrontDoor
  const env: Record<string, string> = {}
  beforeAll(async () => {
    server = await startServerProcess(env)
    door = await server.door()
  })
  afterAll(async () => {
    await server?.stop()
    server?.remove()
  })

  const times = 10
  test('ends and starts again as often as it must, and has every acknowledged reading, once', inTime(times), async ({ task }) => {
    const sources = await makePlant(door, 8, 10, 'LITTLE')
    const sending = startSenders(sources, { port: server.mqttPort, messagesPerSecond: 100 })
    let ends = 0
    for (let i = 0; i < times; i++) {
      // From more than enough to far too little.
      env.HEAP_MB = String([256, 96, 64, 56][i % 4])
      await server.kill().catch(() => undefined)
      await server.start().catch(() => undefined)
      for (const end = performance.now() + 8000; performance.now() < end && server.alive(); await pause(50))
        await door.call(door.admin, 'GET', '/V2/Project/DevPara/List?PageSize=1000').catch(() => undefined)
      if (!server.alive()) ends++
    }
    delete env.HEAP_MB
    if (server.alive()) await server.kill()
    await server.start()
    const before = sending.ackedCount()
    await until('acknowledgements', () => sending.ackedCount() > before + 100)
    await sending.finish()
    door = await server.door()
    const api = await tally(sending, byApi(door))
    await server.stop()
    const files = await openFiles(server.folder)
    const counts = worse(api, await tally(sending, byStore(files)))
    await files.close()
    await sending.stop()
    enter(task, { fault: 'memory runs out', rounds: times, ...counts, note: `${ends} times the server ended by itself` })
    expect(flawless(counts)).toEqual(perfect)
    expect(ends).toBeGreaterThan(0)
  })
})
