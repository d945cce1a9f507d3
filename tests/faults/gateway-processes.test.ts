// Gateways connect to processes of their own, which carry their messages over NATS to the server that owns the database.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFleetEngines } from '../../main/testing/fleetEngines.ts'
import { hasHaproxy, startHaproxy } from '../../main/testing/haproxy.ts'
import { hasNats } from '../../main/testing/nats.ts'
import { clickhouseServer } from '../../server/telemetry/store/clickhouse/clickhouseServer.ts'
import { openClickHouseStore } from '../../server/telemetry/store/clickhouse/clickhouseStore.ts'
import { type FrontDoor, until } from '../front-door.ts'
import { figureOf, metricsToken } from './own-server.ts'
import { makePlant } from './plant.ts'
import { type Senders, startSenders } from './senders.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'
import { byApi, byStore, enter, flawless, perfect, tally, worse } from './tally.ts'
import { inTime, pause, rounds, seconds } from './tiers.ts'

describe.skipIf(!clickhouseServer || !hasNats || !hasHaproxy)(
  'two servers and two gateway processes (skipped without ClickHouse, NATS or HAProxy)',
  () => {
    let engines: Awaited<ReturnType<typeof startFleetEngines>>
    let balancer: Awaited<ReturnType<typeof startHaproxy>>
    let owner: ServerProcess
    let other: ServerProcess
    const brokers: ServerProcess[] = []
    let door: FrontDoor
    let sending: Senders
    beforeAll(async () => {
      engines = await startFleetEngines({ natsServers: 3 })
      const env = { ...engines.env, ROLES: 'api,ingest,worker' }
      const balanced = { PENSTOCK_TRUST_PROXY: '127.0.0.0/8', PENSTOCK_PROXY_PROTOCOL: 'on', PENSTOCK_METRICS_TOKEN: metricsToken }
      const gatewayEnv = { ROLES: 'gateway', NATS_URL: env.NATS_URL, ...balanced }
      const firstBroker = startServerProcess(gatewayEnv)
      owner = await startServerProcess(env)
      brokers.push(await firstBroker, await startServerProcess(gatewayEnv))
      door = await owner.door()
      other = await startServerProcess(env, { standby: true })
      balancer = await startHaproxy({ gateways: brokers, apis: [], servers: [owner, other] })
      const sources = await makePlant(door, 6, 5, 'FLEET')
      sending = startSenders(sources, { port: balancer.mqttPort, messagesPerSecond: 50 })
    })
    afterAll(async () => {
      await sending?.stop()
      for (const process of [...brokers, other, owner]) await process?.stop()
      for (const process of [...brokers, other, owner]) process?.remove()
      await balancer?.stop()
      await engines?.close()
    })

    const goesOn = async () => {
      const before = sending.ackedCount()
      await until('acknowledgements', () => sending.ackedCount() > before + 100)
    }
    const allConnected = () =>
      until('all gateways to be online', async () => (await figureOf(owner.origin, 'gateways_connected')) === sending.senders.length)
    /** The longest wait of a message for its acknowledgement since a moment, ms. */
    const longestSince = (at: number) => sending.latencies.filter((l) => l.at > at).reduce((most, { ms }) => Math.max(most, ms), 0)
    const swap = async () => {
      ;[owner, other] = [other, owner]
      door = await owner.door()
    }
    /** Everything that was acknowledged is stored, once. */
    const expectPerfect = async (task: Parameters<typeof enter>[0], fault: string, times: number, note: string) => {
      await sending.finish()
      const store = await openClickHouseStore({ url: engines.clickhouse.url, clock: Date.now })
      const counts = worse(await tally(sending, byApi(door)), await tally(sending, byStore(store)))
      await store.close()
      for (const sender of sending.senders) sender.resume()
      enter(task, { fault, rounds: times, ...counts, note })
      expect(flawless(counts)).toEqual(perfect)
    }

    const kills = rounds(1, 6)
    test('the owner is killed: gateways stay connected, and the next owner takes what waited', inTime(kills), async ({ task }) => {
      let slowest = 0
      await allConnected()
      for (let i = 0; i < kills; i++) {
        await goesOn()
        const connections = sending.connections()
        await owner.kill()
        const killed = performance.now()
        await other.serving()
        await goesOn()
        slowest = Math.max(slowest, longestSince(killed))
        expect(sending.connections()).toBe(connections)
        await owner.stand()
        await swap()
        await allConnected()
        // People reach the server that works.
        expect(await (await fetch(`${balancer.origin}/readyz`)).json()).toMatchObject({ status: 'ready' })
      }
      await expectPerfect(task, 'owner killed, gateways elsewhere', kills, `acknowledged within ${seconds(slowest)}`)
    })

    const stops = rounds(1, 4)
    test('the owner is stopped and its successor goes on: no gateway notices', inTime(stops), async ({ task }) => {
      let slowest = 0
      for (let i = 0; i < stops; i++) {
        await goesOn()
        const connections = sending.connections()
        const asked = performance.now()
        await owner.stop()
        await other.serving()
        await goesOn()
        slowest = Math.max(slowest, longestSince(asked))
        expect(sending.connections()).toBe(connections)
        await owner.stand()
        await swap()
      }
      await expectPerfect(task, 'owner stopped, gateways elsewhere', stops, `acknowledged within ${seconds(slowest)}`)
    })

    test('a gateway process is killed: its gateways go on by the other one', inTime(kills), async ({ task }) => {
      for (let i = 0; i < kills; i++) {
        await goesOn()
        const [killed, rest] = i % 2 ? [brokers[0]!, brokers[1]!] : [brokers[1]!, brokers[0]!]
        await killed.kill()
        await until(
          'all gateways at one process',
          async () => (await figureOf(rest.origin, 'gateways_connected')) === sending.senders.length,
        )
        await goesOn()
        await killed.start()
      }
      await allConnected()
      await expectPerfect(task, 'gateway process killed', kills, '')
    })

    test('a gateway process is frozen, and wakes: it spoils nothing', inTime(1), async ({ task }) => {
      await goesOn()
      const frozen = brokers[0]!
      process.kill(frozen.pid(), 'SIGSTOP')
      await pause(8000)
      process.kill(frozen.pid(), 'SIGCONT')
      await goesOn()
      await allConnected()
      await expectPerfect(task, 'gateway process frozen for 8 s', 1, '')
    })

    test('a NATS server of three is killed: acknowledgements pause, and nothing is lost', inTime(3), async ({ task }) => {
      let slowest = 0
      for (let i = 0; i < 3; i++) {
        await goesOn()
        const connections = sending.connections()
        const killed = performance.now()
        await engines.nats.kill(i)
        await goesOn()
        await pause(500)
        slowest = Math.max(slowest, longestSince(killed))
        expect(sending.connections()).toBe(connections)
        await engines.nats.start(i)
      }
      await expectPerfect(task, 'a NATS server of three killed', 3, `acknowledged within ${seconds(slowest)}`)
    })

    test(
      'all NATS servers are away for longer than gateways are kept: they come back, and nothing is lost',
      inTime(1),
      async ({ task }) => {
        await goesOn()
        for (const i of [0, 1, 2]) await engines.nats.kill(i)
        await until('the gateways to be cut', async () => (await figureOf(brokers[0]!.origin, 'gateways_connected')) === 0)
        expect((await owner.ready()).ok).toBe(false)
        for (const i of [0, 1, 2]) await engines.nats.start(i)
        await allConnected()
        await goesOn()
        await expectPerfect(task, 'NATS away', 1, '')
      },
    )
  },
)
