import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporary } from '../front-door.ts'
import { type Counted, startCounted } from './counted-gateway.ts'
import { enter } from './tally.ts'
import { inTime, isLong, pause, rounds } from './tiers.ts'

let gateway: Counted
beforeAll(async () => {
  gateway = await startCounted('KILLED000001', temporary())
})
afterAll(async () => {
  await gateway?.close()
  if (gateway) rmSync(gateway.folder, { recursive: true, force: true })
})

const kills = rounds(2, 10)
test('a killed and disconnected gateway leaves no gap and repeats nothing', inTime(kills), async ({ task }) => {
  const { line, start, end, kill, counting } = gateway
  start()
  expect(await gateway.configure()).toMatchObject({ Code: 0 })
  for (let i = 0; i < kills; i++) {
    await counting(10)
    // Every other time the server is unreachable when it is killed, so that its readings are on its disk only.
    const isAlone = i % 2 === 1
    if (isAlone) line.cut()
    await pause((isLong && isAlone ? 6000 : 500) + Math.random() * 700)
    await end(kill)
    start()
    if (isAlone) await counting(10)
    line.mend()
  }
  await counting(10)
  line.cut()
  await pause(isLong ? 60_000 : 2000)
  line.mend()
  await counting(10)
  const { counts, underWay, mostUnderWay, inOrder, gateways } = await gateway.verdict()
  enter(task, { fault: 'soft gateway killed and cut off', rounds: kills, ...counts, note: `${underWay} reads were under way at a kill` })
  expect({ ...counts, inOrder, gateways }).toMatchObject({ lost: 0, duplicated: 0, wrong: 0, inOrder: true, gateways: 1 })
  expect(underWay).toBeLessThanOrEqual(mostUnderWay)
})
