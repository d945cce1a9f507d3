// Processes of their own store the readings of gateways; the server that owns the database numbers and judges them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from '../../contract/call.ts'
import { startFleetEngines } from '../../main/testing/fleetEngines.ts'
import { hasNats } from '../../main/testing/nats.ts'
import { clickhouseServer } from '../../server/telemetry/store/clickhouse/clickhouseServer.ts'
import { openClickHouseStore } from '../../server/telemetry/store/clickhouse/clickhouseStore.ts'
import { type FrontDoor, until } from '../front-door.ts'
import { visit } from './console-client.ts'
import { figureOf } from './own-server.ts'
import { makePlant, type Source } from './plant.ts'
import { numberOf, type Senders, startSenders } from './senders.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'
import { byApi, byStore, enter, flawless, perfect, tally, worse } from './tally.ts'
import { inTime, pause, rounds, seconds } from './tiers.ts'

/** The message with which the points of each gateway exceed their limit, once: somewhere in each of the faults. */
const crossings = [200, 450, 800, 1150, 1400, 1650]

describe.skipIf(!clickhouseServer || !hasNats)(
  'two servers, a gateway process and two ingest processes (skipped without ClickHouse or NATS)',
  () => {
    let engines: Awaited<ReturnType<typeof startFleetEngines>>
    let owner: ServerProcess
    let other: ServerProcess
    let broker: ServerProcess
    const storing: ServerProcess[] = []
    let door: FrontDoor
    const sources: Source[] = []
    let sending: Senders
    beforeAll(async () => {
      engines = await startFleetEngines()
      const server = { ...engines.env, ROLES: 'api,ingest,worker' }
      const starting = startServerProcess({ ROLES: 'gateway', NATS_URL: engines.env.NATS_URL })
      owner = await startServerProcess(server)
      broker = await starting
      const { NATS_URL, DATABASE_URL, CLICKHOUSE_URL } = engines.env
      for (let i = 0; i < 2; i++) storing.push(await startServerProcess({ NATS_URL, DATABASE_URL, CLICKHOUSE_URL, ROLES: 'ingest' }))
      other = await startServerProcess(server, { standby: true })
      door = await owner.door()
      for (const [g, seq] of crossings.entries())
        sources.push(...(await makePlant(door, 1, 5, `STORED${g}`, { AlarmHigh: numberOf(seq, 0) })))
      sending = startSenders(sources, { port: broker.mqttPort, messagesPerSecond: 50 })
    })
    afterAll(async () => {
      await sending?.stop()
      for (const process of [broker, ...storing, other, owner]) await process?.stop()
      for (const process of [broker, ...storing, other, owner]) process?.remove()
      await engines?.close()
    })

    const storedBy = (process: ServerProcess) => figureOf(process.origin, 'ingest_readings_total')
    const goesOn = async () => {
      const before = sending.ackedCount()
      await until('acknowledgements', () => sending.ackedCount() > before + 200)
    }
    const storesAgain = async (process: ServerProcess) => {
      const before = await storedBy(process)
      await until('an ingest process to store', async () => (await storedBy(process)) > before)
    }
    /** The longest wait of a message for its acknowledgement since a moment, ms. */
    const longestSince = (at: number) => sending.latencies.filter((l) => l.at > at).reduce((most, { ms }) => Math.max(most, ms), 0)
    /** Everything that was acknowledged is stored, once, and the newest values are those that were sent last. */
    const expectPerfect = async (task: Parameters<typeof enter>[0], fault: string, times: number, note: string) => {
      await sending.finish()
      const store = await openClickHouseStore({ url: engines.clickhouse.url, clock: Date.now })
      const counts = worse(await tally(sending, byApi(door)), await tally(sending, byStore(store)))
      await store.close()
      const sent = sending.senders.flatMap((sender) => sender.source.points.map((id, i) => [id, numberOf(sender.sent() - 1, i)] as const))
      const console = await visit(
        owner.origin,
        door.admin,
        sent.map(([id]) => id),
      )
      expect([...console.latest].toSorted(([x], [y]) => x - y)).toEqual(sent)
      console.socket.close()
      for (const sender of sending.senders) sender.resume()
      enter(task, { fault, rounds: times, ...counts, note })
      expect(flawless(counts)).toEqual(perfect)
    }

    test('both store, and the owner counts all of it', inTime(1), async ({ task }) => {
      await Promise.all(storing.map(storesAgain))
      await expectPerfect(task, 'ingest processes without a fault', 1, '')
    })

    const kills = rounds(1, 6)
    test('an ingest process is killed: its gateways go on by the other one, and come back', inTime(kills), async ({ task }) => {
      let slowest = 0
      for (let i = 0; i < kills; i++) {
        await goesOn()
        const process = storing[i % 2]!
        await process.kill()
        const killed = performance.now()
        await goesOn()
        slowest = Math.max(slowest, longestSince(killed))
        await process.start()
        await storesAgain(process)
      }
      await expectPerfect(task, 'ingest process killed', kills, `acknowledged within ${seconds(slowest)}`)
    })

    test('an ingest process is frozen, and wakes: it spoils nothing', inTime(1), async ({ task }) => {
      await goesOn()
      const frozen = storing[0]!
      process.kill(frozen.pid(), 'SIGSTOP')
      const at = performance.now()
      await pause(3500)
      await goesOn()
      const slowest = longestSince(at)
      process.kill(frozen.pid(), 'SIGCONT')
      await storesAgain(frozen)
      await goesOn()
      await expectPerfect(task, 'ingest process frozen for 3.5 s', 1, `acknowledged within ${seconds(slowest)}`)
    })

    test('an ingest process is stopped: the others take what it had', inTime(1), async ({ task }) => {
      await goesOn()
      const asked = performance.now()
      await storing[1]!.stop()
      await goesOn()
      const slowest = longestSince(asked)
      await storing[1]!.start()
      await storesAgain(storing[1]!)
      await expectPerfect(task, 'ingest process stopped', 1, `acknowledged within ${seconds(slowest)}`)
    })

    test('the owner is killed: ingest processes go on with its successor', inTime(kills), async ({ task }) => {
      let slowest = 0
      for (let i = 0; i < kills; i++) {
        await goesOn()
        await owner.kill()
        const killed = performance.now()
        await other.serving()
        await Promise.all(storing.map(storesAgain))
        slowest = Math.max(slowest, longestSince(killed))
        await owner.stand()
        ;[owner, other] = [other, owner]
        door = await owner.door()
      }
      await expectPerfect(task, 'owner killed, readings stored elsewhere', kills, `acknowledged within ${seconds(slowest)}`)
    })

    test('NATS is away for a moment: nothing is lost', inTime(1), async ({ task }) => {
      await goesOn()
      await engines.nats.kill(0)
      await pause(2000)
      await engines.nats.start(0)
      await Promise.all(storing.map(storesAgain))
      await expectPerfect(task, 'NATS away, ingest processes', 1, '')
    })

    test('ClickHouse is away for a moment: readings wait', inTime(1), async ({ task }) => {
      await goesOn()
      await engines.clickhouse.stop()
      await pause(1500)
      await engines.clickhouse.start()
      await Promise.all(storing.map(storesAgain))
      await expectPerfect(task, 'ClickHouse away, ingest processes', 1, '')
    })

    test('without ingest processes the owner stores', inTime(1), async ({ task }) => {
      for (const process of storing) await process.kill()
      await goesOn()
      await expectPerfect(task, 'all ingest processes killed', 1, '')
    })

    test('each point has raised one alarm, however its readings came', inTime(1), async () => {
      await until('every point to be above its limit', () => sending.senders.every((sender) => sender.sent() > crossings.at(-1)! + 100))
      await sending.finish()
      const alarms = async () =>
        (await door.data<Page<{ ParaId: number; TriggerValue: number }>>('GET', '/Alarm/AlarmInfo/List?PageSize=1000')).Items
      // The first reading above the limit, whichever process stored it.
      const expected = sources.flatMap(({ points }, g) => points.map((id, i) => [id, numberOf(crossings[g]! + (i ? 0 : 1), i)]))
      await until('the alarms', async () => (await alarms()).length >= expected.length)
      expect((await alarms()).map(({ ParaId, TriggerValue }) => [ParaId, TriggerValue]).toSorted(([a], [b]) => a! - b!)).toEqual(expected)
    })
  },
)
