// Power loss at the soft gateway: its readings are on its disk or at the server.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Counted, startCounted } from './counted-gateway.ts'
import { hasShim, type PowerDisk, powerDisk, why } from './power/disk.ts'
import { enter } from './tally.ts'
import { inTime, isLong, pause, rounds } from './tiers.ts'

describe.skipIf(!hasShim).each([
  ['of the soft gateway leaves every reading that it had taken on', false],
  ['of the soft gateway on a disk whose syncs do nothing is found out', true],
])(`${why}a power cut`, (name, lies) => {
  let disk: PowerDisk
  let gateway: Counted
  beforeAll(async () => {
    disk = powerDisk()
    gateway = await startCounted(lies ? 'POWERCUT0002' : 'POWERCUT0001', disk.folder)
  })
  afterAll(async () => {
    await gateway?.close()
    disk?.remove()
  })

  const cuts = lies ? 1 : rounds(2, 8)
  test(name, inTime(cuts), async ({ task }) => {
    const { line, start, end, counting } = gateway
    start(disk.env())
    expect(await gateway.configure()).toMatchObject({ Code: 0 })
    for (let i = 0; i < cuts; i++) {
      await counting(10)
      // Every other time the server is unreachable, so that its readings are on its disk only.
      const isAlone = lies || i % 2 === 1
      if (lies) {
        await end(gateway.kill)
        disk.settle()
        line.cut()
        start(disk.env(true))
      } else if (isAlone) line.cut()
      if (isAlone) await counting(20)
      await pause((isLong && isAlone ? 4000 : 500) + Math.random() * 700)
      await end(() => disk.cut([gateway.pid()], i % 4 < 2 ? 'lost' : 'torn'))
      start(disk.env())
      await counting(10)
      line.mend()
    }
    await counting(10)
    const { counts, underWay, mostUnderWay, inOrder } = await gateway.verdict()
    const note = lies ? 'losses must be seen' : `${underWay} reads were under way at a cut`
    enter(task, { fault: lies ? 'control: syncs do nothing' : 'power cut of the soft gateway', rounds: cuts, ...counts, note })
    expect({ ...counts, inOrder }).toMatchObject({ duplicated: 0, wrong: 0, inOrder: true })
    if (lies) expect(counts.lost).toBeGreaterThan(10)
    else {
      expect(counts.lost).toBe(0)
      expect(underWay).toBeLessThanOrEqual(mostUnderWay)
    }
  })
})
