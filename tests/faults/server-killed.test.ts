import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FrontDoor } from '../front-door.ts'
import { until } from '../front-door.ts'
import { makePlant } from './plant.ts'
import { startSenders } from './senders.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'
import { byApi, byStore, enter, flawless, openFiles, perfect, tally, worse } from './tally.ts'
import { inTime, isLong, pause, rounds, seconds } from './tiers.ts'

let server: ServerProcess
let door: FrontDoor
beforeAll(async () => {
  server = await startServerProcess()
  door = await server.door()
})
afterAll(async () => {
  await server?.stop()
  server?.remove()
})

const kills = rounds(3, 20)
test(
  'a server that is killed while readings come in has every acknowledged one, once, and serves again by itself',
  inTime(kills),
  async ({ task }) => {
    const sending = startSenders(await makePlant(door), { port: server.mqttPort, messagesPerSecond: 100 })
    await until('the first acknowledgements', () => sending.ackedCount() > 100)
    let slowest = 0
    for (let i = 0; i < kills; i++) {
      await pause((isLong ? 2000 : 600) + Math.random() * (isLong ? 6000 : 1000))
      await server.kill()
      slowest = Math.max(slowest, await server.start())
    }
    const before = sending.ackedCount()
    await until('acknowledgements after the last kill', () => sending.ackedCount() > before + 100)
    await sending.finish()
    door = await server.door()
    const api = await tally(sending, byApi(door))
    await server.stop()
    const files = await openFiles(server.folder)
    const counts = worse(api, await tally(sending, byStore(files)))
    await files.close()
    await sending.stop()
    enter(task, { fault: 'server killed', rounds: kills, ...counts, note: `serving again in ${seconds(slowest)} at most` })
    expect(flawless(counts)).toEqual(perfect)
    expect(counts.acked).toBeGreaterThan(1000)
  },
)
