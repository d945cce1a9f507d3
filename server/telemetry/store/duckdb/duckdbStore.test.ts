import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../telemetry.fixture.ts'
import { type Bench, storeConformance } from '../store.conformance.ts'
import { day, quarter } from '../store.ts'
import { openDuckDbStore } from './duckdbStore.ts'

describe('DuckDB store', () => {
  storeConformance(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'penstock-duckdb-'))
    const problems: string[] = []
    const open = () =>
      openDuckDbStore({ folder, clock: () => bench.now, sliceRows: 10, log: (problem, error) => problems.push(`${problem}: ${error}`) })
    const bench: Bench = {
      now: Date.UTC(2026, 2, 1),
      store: undefined as never,
      reopen: async () => {
        await bench.store.close()
        bench.store = await open()
        return bench.store
      },
      remove: async () => {
        await rm(folder, { recursive: true })
        if (problems.length) throw new Error(problems.join('\n'))
      },
    }
    bench.store = await open()
    return bench
  }, 30)

  test('reads during appends and merges see every acknowledged reading once', async () => {
    const { folder, remove } = await temporaryFolder('reads')
    let now = Date.UTC(2026, 2, 1)
    const store = await openDuckDbStore({
      folder,
      clock: () => now,
      sliceRows: 500,
      log: (problem, error) => expect([problem, error]).toBe(''),
    })
    const start = now
    let stored = 0
    let over = false
    const reader = async () => {
      let reads = 0
      while (!over) {
        const before = stored
        const [rows, buckets] = await Promise.all([
          store.read([1, 2], start, start + 100 * day),
          store.buckets([1, 2], start, start + 100 * day, { ms: quarter, origin: start }),
        ])
        const after = Math.max(stored, before) + 200
        const counted = buckets.flatMap((b) => b.rows).reduce((sum, count) => sum + count, 0)
        for (const seen of [rows.length, counted])
          expect(seen >= before && seen <= after ? 'consistent' : [before, seen, after]).toBe('consistent')
        reads++
      }
      return reads
    }
    const readers = [reader(), reader(), reader()]
    for (let i = 0; i < 25; i++) {
      const rows = Array.from({ length: 200 }, (_, k) => ({
        point: (k % 2) + 1,
        time: start + i * 7 * 3_600_000 + k * 1000,
        value: k,
        quality: 0,
        live: true,
      }))
      await store.append(rows)
      stored += 200
      now = start + i * 7 * 3_600_000
      await store.settle(i % 4 ? undefined : 'now')
    }
    over = true
    for (const reads of await Promise.all(readers)) expect(reads).toBeGreaterThan(0)
    await store.close()
    await remove()
  }, 60_000)
})
