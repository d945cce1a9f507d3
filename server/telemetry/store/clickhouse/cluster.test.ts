import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { heldTimesConformance } from '../heldTimes.conformance.ts'
import { statisticsConformance } from '../statistics.conformance.ts'
import { type Bench, storeConformance } from '../store.conformance.ts'
import { clickhouseServer, startClickHouse, startZooKeeper, zookeeperJar } from './clickhouseServer.ts'
import { openClickHouseStore } from './clickhouseStore.ts'

const until = async (what: string, ask: () => Promise<boolean>) => {
  for (let tries = 0; !(await ask()); tries++) {
    if (tries === 300) throw new Error(`Waited in vain for ${what}`)
    await sleep(100)
  }
}

type Server = Awaited<ReturnType<typeof startClickHouse>>
const missing = [clickhouseServer ? [] : 'clickhouse-server', zookeeperJar ? [] : 'zookeeper'].flat()
const why = missing.length ? ` (skipped, not installed: ${missing.join(', ')})` : ''

/** Two shards: one with two replicas, one with a single server. */
describe.skipIf(missing.length)(`ClickHouse as a cluster${why}`, () => {
  let zookeeper: Awaited<ReturnType<typeof startZooKeeper>>
  let servers: Server[] = []
  let cluster: string
  beforeAll(async () => {
    zookeeper = await startZooKeeper()
    servers = await Promise.all([1, 2, 3].map(() => startClickHouse(clickhouseServer!, zookeeper.port)))
    const [first, second, single] = servers.map((s) => s.url)
    cluster = `${first}|${second},${single}`
  }, 400_000)
  afterAll(async () => {
    await Promise.all(servers.map((s) => s.remove()))
    await zookeeper?.remove()
  })

  const open = async () => {
    const database = `t${randomUUID().replaceAll('-', '')}`
    const at = () => openClickHouseStore({ cluster, database, clock: () => bench.now })
    const bench: Bench = {
      now: Date.UTC(2026, 2, 1),
      store: undefined as never,
      reopen: async () => {
        await bench.store.close()
        bench.store = await at()
        return bench.store
      },
      remove: async () => {
        for (const { url } of servers) {
          const client = createClient({ url, log: { level: ClickHouseLogLevel.OFF } })
          // A server that has just reconnected to ZooKeeper is briefly read-only.
          await until(database, () =>
            client.command({ query: `DROP DATABASE IF EXISTS ${database}` }).then(
              () => true,
              () => false,
            ),
          )
          await client.close()
        }
      },
    }
    bench.store = await at()
    return { ...bench, database }
  }
  storeConformance(open, 2, [statisticsConformance, heldTimesConformance])

  const row = (point: number, time: number, value: number) => ({ point, time, value, quality: 0, live: true })

  test('with one of two servers away, readings of its shard are taken and read; back again, it has what it missed', async () => {
    const { store, remove, now, database } = await open()
    await store.append([row(2, now, 1), row(3, now, 1)])
    // Replication is asynchronous.
    const holds = (of: Server, rows: number) =>
      until(`${rows} readings to be passed on`, async () => {
        const client = createClient({ url: of.url, log: { level: ClickHouseLogLevel.OFF } })
        const answer = await (await client.query({ query: `SELECT 1 FROM ${database}.samples` })).json<object>()
        await client.close()
        return answer.data.length === rows
      })
    await holds(servers[1]!, 1)
    await servers[0]!.stop()
    const { first } = await store.append([row(2, now + 1, 2), row(3, now + 1, 2)])
    expect((await store.read([2, 3], now, now + 9)).map(({ point, value }) => [point, value])).toEqual([
      [2, 1],
      [2, 2],
      [3, 1],
      [3, 2],
    ])
    await servers[0]!.start()
    await holds(servers[0]!, 2)
    await servers[1]!.stop()
    expect((await store.read([2], now, now + 9)).map(({ n }) => n)).toContain(first)
    await servers[1]!.start()
    await store.close()
    await remove()
  }, 400_000)

  test('with a shard away, readings of the other are read, and a batch over both is stored once with the numbers it began with', async () => {
    const { store, remove, now } = await open()
    await store.append([row(2, now, 1), row(3, now, 1)])
    await servers[2]!.stop()
    await expect(store.read([3], now, now + 9)).rejects.toMatchObject({ key: 'unavailable' })
    expect(await store.read([2], now, now + 9)).toHaveLength(1)
    const batch = [row(2, now, 2), row(3, now, 2)]
    for (let tries = 0; tries < 3; tries++) await expect(store.append(batch, [0, 1])).rejects.toMatchObject({ key: 'unavailable' })
    await servers[2]!.start()
    const { first, replaced } = await store.append(batch, [0, 1])
    expect(replaced).toEqual([0, 1])
    expect((await store.since(first - 1)).map(({ point, n }) => [point, n - first])).toEqual([
      [2, 0],
      [3, 1],
    ])
    await store.close()
    await remove()
  }, 400_000)

  test('without ZooKeeper, what is there is read, and nothing is taken on as stored', async () => {
    const { store, remove, now } = await open()
    await store.append([row(2, now, 1)])
    const outcome = (reading: ReturnType<typeof row>) =>
      store.append([reading]).then(
        () => 'stored',
        (e: { key: string }) => e.key,
      )
    await zookeeper.stop()
    await until('a refusal', async () => (await outcome(row(2, now + 1, 2))) === 'unavailable')
    expect(await store.read([2], now, now + 1)).toHaveLength(1)
    await zookeeper.start()
    await until('it to be stored', async () => (await outcome(row(2, now + 2, 3))) === 'stored')
    await store.close()
    await remove()
  }, 400_000)

  test('servers in another order, and a quorum of fewer than three, are refused by name', async () => {
    const { store, remove, database } = await open()
    await store.close()
    const [first, second, single] = servers.map((s) => s.url)
    const moved = openClickHouseStore({ cluster: `${single},${first}|${second}`, database, clock: Date.now })
    await expect(moved).rejects.toThrow(/holds shard \d of 2, and is listed as shard \d of 2/)
    await expect(openClickHouseStore({ cluster, quorum: true, database, clock: Date.now })).rejects.toThrow(
      /at least three servers in each shard/,
    )
    await remove()
  })
})
