// Lines between gateways and server that delay, lose, reset and dribble.
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporary, until } from '../front-door.ts'
import { type House, startHouse } from '../house.ts'
import { startCounted } from './counted-gateway.ts'
import { makePlant } from './plant.ts'
import { type Manner, startRoughLine } from './rough-line.ts'
import { startSenders } from './senders.ts'
import { byApi, enter, flawless, perfect, tally } from './tally.ts'
import { inTime, isLong, pause, rounds } from './tiers.ts'

let house: House
beforeAll(async () => {
  house = await startHouse()
})
afterAll(() => house?.close())

const manners: readonly [name: string, manner: Manner][] = [
  ['delays', { delay: [5, 60] }],
  ['loses one piece in twenty', { delay: [1, 10], lost: 0.05 }],
  ['resets', { reset: 0.05 }],
  ['brings 32 KB a second', { piece: 1400, bytesPerSecond: 32_768 }],
  ['dribbles a few bytes at a time', { piece: 7 }],
]
const lasts = rounds(1000, 15_000)
test('over a line that delays, loses, resets and dribbles every reading arrives, once', inTime(2 * manners.length), async ({ task }) => {
  const line = await startRoughLine(house.mqttPort)
  const sending = startSenders(await makePlant(house, 3, 10, 'LOSSY'), { port: line.port, messagesPerSecond: 20 })
  for (const [, manner] of manners) {
    const before = sending.ackedCount()
    line.behave(manner)
    await pause(lasts)
    await until('acknowledgements', () => sending.ackedCount() > before + 20)
    if (manner.reset) await until('resets', () => line.resets() > 2)
  }
  line.behave({})
  await sending.finish()
  const counts = await tally(sending, byApi(house))
  await sending.stop()
  line.close()
  const note = `${line.resets()} resets; ${manners.map(([name]) => name).join(', ')}`
  enter(task, { fault: 'rough lines', rounds: manners.length, ...counts, note })
  expect(flawless(counts)).toEqual(perfect)
  expect(line.resets()).toBeGreaterThan(0)
})

const only = isLong ? '' : ' (skipped: takes a minute; npm run test:faults has it)'
test.runIf(isLong)(
  `a gateway whose connection is dead and never ends notices by itself, and leaves no hole${only}`,
  inTime(5),
  async ({ task }) => {
    const folder = temporary()
    const gateway = await startCounted('HALFOPEN0001', folder)
    try {
      gateway.start()
      expect(await gateway.configure()).toMatchObject({ Code: 0 })
      await gateway.counting(20)
      gateway.line.freeze()
      await pause(30_000)
      gateway.line.mend()
      await gateway.counting(20)
      // It must find out first: one and a half times its keep-alive of 30 s.
      await pause(30_000)
      await gateway.counting(20)
      const { counts, inOrder } = await gateway.verdict()
      enter(task, { fault: 'half-open connection, 30 s', rounds: 1, ...counts, note: 'soft gateway' })
      expect({ ...counts, inOrder }).toMatchObject({ lost: 0, duplicated: 0, wrong: 0, inOrder: true })
    } finally {
      await gateway.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
