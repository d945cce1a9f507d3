import { randomUUID } from 'node:crypto'
import { createClient } from '@clickhouse/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { heldTimesConformance } from '../heldTimes.conformance.ts'
import { statisticsConformance } from '../statistics.conformance.ts'
import { type Bench, storeConformance } from '../store.conformance.ts'
import { clickhouseServer, startClickHouse } from './clickhouseServer.ts'
import { openClickHouseStore } from './clickhouseStore.ts'

const why = clickhouseServer ? '' : ' (skipped: clickhouse-server is not installed)'

describe.skipIf(!clickhouseServer)(`ClickHouse store${why}`, () => {
  let server: Awaited<ReturnType<typeof startClickHouse>>
  beforeAll(async () => {
    server = await startClickHouse(clickhouseServer!)
  }, 400_000)
  afterAll(() => server?.remove())

  const open = async () => {
    const database = `t${randomUUID().replaceAll('-', '')}`
    const bench: Bench = {
      now: Date.UTC(2026, 2, 1),
      store: undefined as never,
      reopen: async () => {
        await bench.store.close()
        bench.store = await openClickHouseStore({ url: server.url, database, clock: () => bench.now })
        return bench.store
      },
      remove: async () => {
        const client = createClient({ url: server.url })
        await client.command({ query: `DROP DATABASE ${database}` })
        await client.close()
      },
    }
    bench.store = await openClickHouseStore({ url: server.url, database, clock: () => bench.now })
    return bench
  }
  storeConformance(open, 10, [statisticsConformance, heldTimesConformance])

  test('buckets that take several queries are answered in the order of points', async () => {
    const bench = await open()
    const time = bench.now - 86_400_000
    await bench.store.append([3, 1, 2].map((point) => ({ point, time, value: point, quality: 0, live: true })))
    const answer = await bench.store.buckets([3, 1, 2], time - 5 * 86_400_000, bench.now, { ms: 1000, origin: 0 })
    expect(answer.map(({ point, last }) => [point, last])).toEqual([1, 2, 3].map((point) => [point, [point]]))
    await bench.store.close()
    await bench.remove()
  }, 400_000)

  test('while the server is away calls fail as unavailable, and go on when it is back', async () => {
    const bench = await open()
    const row = { point: 1, time: bench.now, value: 1, quality: 0, live: true }
    await bench.store.append([row])
    await server.stop()
    await expect(bench.store.append([row])).rejects.toMatchObject({ key: 'unavailable' })
    await expect(bench.store.read([1], 0, bench.now + 1)).rejects.toMatchObject({ key: 'unavailable' })
    await expect(openClickHouseStore({ url: server.url.replace('//', '//me:secret@'), clock: () => 0 })).rejects.toThrow(
      /^(?!.*secret)ClickHouse at 127/,
    )
    await server.start()
    expect(await bench.store.read([1], 0, bench.now + 1)).toHaveLength(1)
    await bench.store.close()
    await bench.remove()
  }, 400_000)
})
