// A table of the database is locked, its connections are all taken: calls are refused in time, readings are stored, and health reports the fault.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../front-door.ts'
import { type House, startHouse } from '../house.ts'
import { makePlant } from './plant.ts'
import { startSenders } from './senders.ts'
import { byApi, enter, flawless, perfect, tally } from './tally.ts'
import { inTime, isLong, pause, seconds } from './tiers.ts'

const only = isLong ? '' : 'skipped: waits for minutes; npm run test:faults has it: '
describe.runIf(isLong)(`${only}the database`, () => {
  let house: House
  beforeAll(async () => {
    house = await startHouse({ PENSTOCK_CALLS_PER_SECOND: '0' })
  })
  afterAll(() => house?.close())

  const times = 3
  test(
    'a table is locked and every connection waits for it: calls are refused in time, readings are stored',
    inTime(2 * times),
    async ({ task }) => {
      const sending = startSenders(await makePlant(house, 2), { port: house.mqttPort, messagesPerSecond: 20 })
      await until('the first acknowledgements', () => sending.ackedCount() > 20)
      let slowest = 0
      for (let i = 0; i < times; i++) {
        const holder = new pg.Client({ connectionString: house.databaseUrl })
        holder.on('error', () => undefined)
        await holder.connect()
        await holder.query('begin; lock table project in access exclusive mode')
        const before = sending.ackedCount()
        const from = performance.now()
        // More calls than connections. Each gets an answer that says to try again.
        const healthy = await Promise.race([fetch(`${house.origin}/healthz`), pause(5000)])
        expect(healthy).toMatchObject({ status: 200 })
        // Each another question: an answer that is known needs no database.
        const asked = Array.from({ length: 60 }, (_, n) => `/Project/Project/List?ProjectName=locked ${i} ${n}`)
        const answers = await Promise.all(asked.map((path) => house.call(house.admin, 'GET', path)))
        slowest = Math.max(slowest, performance.now() - from)
        expect(new Set(answers.map((a) => a.StatusCode))).toEqual(new Set([503]))
        await until('readings to be stored all the while', () => sending.ackedCount() > before + 20)
        await holder.query('rollback')
        await holder.end()
        expect(await house.call(house.admin, 'GET', '/Project/Project/List')).toMatchObject({ Succeeded: true })
        expect((await fetch(`${house.origin}/readyz`)).status).toBe(200)
      }
      await sending.finish()
      const counts = await tally(sending, byApi(house))
      await sending.stop()
      enter(task, { fault: 'a table locked, connections taken', rounds: times, ...counts, note: `refused within ${seconds(slowest)}` })
      expect(flawless(counts)).toEqual(perfect)
      // Callers wait 55 s at most.
      expect(slowest).toBeLessThan(55_000)
    },
  )
})
