import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'vitest'
import { type Bench, storeConformance } from '../store.conformance.ts'
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
})
