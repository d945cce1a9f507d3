// PostgreSQL, ClickHouse and the broker are killed under the server, and come back.
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasMosquitto, startMosquitto } from '../../main/testing/mosquitto.ts'
import { clickhouseServer, startClickHouse } from '../../server/telemetry/store/clickhouse/clickhouseServer.ts'
import { openClickHouseStore } from '../../server/telemetry/store/clickhouse/clickhouseStore.ts'
import { type FrontDoor, until } from '../front-door.ts'
import { type House, startHouse } from '../house.ts'
import { makePlant } from './plant.ts'
import { type Senders, startSenders } from './senders.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'
import { byApi, byStore, enter, flawless, openFiles, perfect, tally, worse } from './tally.ts'
import { inTime, pause, rounds, seconds } from './tiers.ts'

const engines = async (origin: string) =>
  (await (await fetch(`${origin}/readyz`)).json()) as { status: string; engines: Record<string, boolean> }
const turns = (origin: string, name: string, is: boolean) =>
  until(`${name} to be ${is ? 'ready' : 'away'} in /readyz`, async () => (await engines(origin)).engines[name] === is)
const goesOn = async (sending: Senders) => {
  const before = sending.ackedCount()
  await until('acknowledgements', () => sending.ackedCount() > before + 50)
}

describe('the embedded PostgreSQL', () => {
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
  const lock = () => readFileSync(join(server.folder, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n').map(Number)

  const kills = rounds(1, 10)
  test(
    'is killed: readings are stored all the while, calls say that it is away, and it comes back by itself',
    inTime(kills),
    async ({ task }) => {
      const sending = startSenders(await makePlant(door), { port: server.mqttPort, messagesPerSecond: 50 })
      await goesOn(sending)
      let slowest = 0
      for (let i = 0; i < kills; i++) {
        const [postmaster, , , port] = lock()
        process.kill(postmaster!, 'SIGKILL')
        const killed = performance.now()
        // As long as its port is taken it cannot come back.
        const thief = await new Promise<Server>((done) => {
          const take = () => {
            const server = createServer((socket) => socket.destroy()).on('error', () => setTimeout(take, 1))
            server.listen(port, '127.0.0.1', () => done(server))
          }
          take()
        })
        await turns(server.origin, 'database', false)
        const asked = performance.now()
        expect(await door.call(door.admin, 'GET', '/Project/Project/List')).toMatchObject({ Succeeded: false, StatusCode: 503 })
        slowest = Math.max(slowest, performance.now() - asked)
        await goesOn(sending)
        await pause(Math.max(0, killed + 1500 - performance.now()))
        await new Promise((done) => thief.close(done))
        await turns(server.origin, 'database', true)
        expect(await door.call(door.admin, 'GET', '/Project/Project/List')).toMatchObject({ Succeeded: true })
      }
      expect(server.alive()).toBe(true)
      await sending.finish()
      const api = await tally(sending, byApi(door))
      await server.stop()
      const files = await openFiles(server.folder)
      const counts = worse(api, await tally(sending, byStore(files)))
      await files.close()
      await sending.stop()
      enter(task, { fault: 'PostgreSQL killed', rounds: kills, ...counts, note: `refusals within ${seconds(slowest)}` })
      expect(flawless(counts)).toEqual(perfect)
      expect(slowest).toBeLessThan(10_000)
    },
  )
})

describe.skipIf(!clickhouseServer)('ClickHouse (skipped where clickhouse-server is not installed)', () => {
  let clickhouse: Awaited<ReturnType<typeof startClickHouse>>
  let house: House
  beforeAll(async () => {
    clickhouse = await startClickHouse(clickhouseServer!)
    house = await startHouse({ CLICKHOUSE_URL: clickhouse.url })
  })
  afterAll(async () => {
    await house?.close()
    await clickhouse?.remove()
  })

  const kills = rounds(1, 5)
  test('is killed: gateways are held back, and everything is stored when it is there again', inTime(kills), async ({ task }) => {
    const sending = startSenders(await makePlant(house), { port: house.mqttPort, messagesPerSecond: 50 })
    await goesOn(sending)
    for (let i = 0; i < kills; i++) {
      await clickhouse.stop()
      await turns(house.origin, 'telemetry', false)
      const before = sending.ackedCount()
      await pause(500)
      expect(sending.ackedCount() - before).toBeLessThan(50)
      await clickhouse.start()
      await turns(house.origin, 'telemetry', true)
      await goesOn(sending)
    }
    await sending.finish()
    const store = await openClickHouseStore({ url: clickhouse.url, clock: Date.now })
    const counts = worse(await tally(sending, byApi(house)), await tally(sending, byStore(store)))
    await store.close()
    await sending.stop()
    enter(task, { fault: 'ClickHouse killed', rounds: kills, ...counts, note: '' })
    expect(flawless(counts)).toEqual(perfect)
  })
})

describe.skipIf(!hasMosquitto)('somebody else’s broker (skipped without mosquitto)', () => {
  const [one, two] = ['BROKER000001', 'BROKER000002']
  let broker: Awaited<ReturnType<typeof startMosquitto>>
  let house: House
  beforeAll(async () => {
    broker = await startMosquitto({ [one]: 'key', [two]: 'key', penstock: 'server' }, 'penstock')
    await broker.stop()
    house = await startHouse({ MQTT_URL: `mqtt://penstock:server@127.0.0.1:${broker.port}` })
  })
  afterAll(async () => {
    await house?.close()
    await broker?.remove()
  })

  const kills = rounds(2, 10)
  test(
    'may be away when the server starts, and is killed: what the server acknowledged is stored, once',
    inTime(kills),
    async ({ task }) => {
      expect(await engines(house.origin)).toMatchObject({ status: 'not ready', engines: { database: true, broker: false } })
      await broker.restart()
      await turns(house.origin, 'broker', true)
      const sources = await makePlant(house, 2, 10, 'BROKER')
      const sending = startSenders(sources, { port: broker.port, messagesPerSecond: 50, ackBy: 'down', password: () => 'key' })
      await goesOn(sending)
      for (let i = 0; i < kills; i++) {
        await broker.stop('SIGKILL')
        await turns(house.origin, 'broker', false)
        await broker.restart()
        await turns(house.origin, 'broker', true)
        await goesOn(sending)
      }
      await sending.finish()
      const counts = await tally(sending, byApi(house))
      await sending.stop()
      enter(task, { fault: 'external broker killed', rounds: kills, ...counts, note: '' })
      expect(flawless(counts)).toEqual(perfect)
    },
  )
})
