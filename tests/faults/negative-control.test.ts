// The count must be able to fail.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../main/testing/freePort.ts'
import { type House, startHouse } from '../house.ts'
import { makePlant } from './plant.ts'
import { startSenders } from './senders.ts'
import { byApi, enter, tally } from './tally.ts'
import { pause } from './tiers.ts'

let house: House
beforeAll(async () => {
  house = await startHouse()
})
afterAll(() => house?.close())

const program = join(import.meta.dirname, 'early-ack.child.ts')

test('a broker that acknowledges before the commit and is killed is found out: the count reports losses', async ({ task }) => {
  const sources = await makePlant(house, 2)
  const port = await freePort()
  const keys = JSON.stringify(Object.fromEntries(sources.map((s) => [s.SN, s.Key])))
  const start = async () => {
    const child = spawn(process.execPath, [program, String(port), String(house.mqttPort), keys], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    return child
  }
  const end = async (child: Awaited<ReturnType<typeof start>>) => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  let broker = await start()
  const sending = startSenders(sources, { port, messagesPerSecond: 100 })
  for (let i = 0; i < 2; i++) {
    await pause(1000)
    await end(broker)
    broker = await start()
  }
  await pause(500)
  await sending.finish()
  await pause(500)
  const counts = await tally(sending, byApi(house))
  await sending.stop()
  await end(broker)
  enter(task, { fault: 'control: early acknowledgement', rounds: 2, ...counts, note: 'losses must be seen' })
  expect(counts.acked).toBeGreaterThan(0)
  expect(counts.lost).toBeGreaterThan(0)
  expect(counts).toMatchObject({ duplicated: 0, torn: 0, wrong: 0 })
})

test('distinguishes duplicate, partial and modified readings', async () => {
  const sources = await makePlant(house, 1, 3, 'TWISTED')
  const sending = startSenders(sources, { port: house.mqttPort, messagesPerSecond: 50, base: Date.now() - 600_000 })
  await pause(500)
  await sending.finish()
  const honest = byApi(house)
  const twisted = await tally(sending, async (points, start, end) => {
    const found = await honest(points, start, end)
    if (start !== sending.base) return found
    const [first, second, third] = points.map((id) => found.get(id)!)
    first!.splice(1, 0, { ...first![0]! })
    second!.splice(3, 1)
    third![5]!.time++
    return found
  })
  await sending.stop()
  expect(twisted).toMatchObject({ duplicated: 1, torn: 2, lost: 2 })
  expect(twisted.wrong).toBeGreaterThan(0)
})
