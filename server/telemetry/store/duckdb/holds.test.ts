import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../telemetry.fixture.ts'
import { day, minute } from '../store.ts'
import { openDuckDbStore } from './duckdbStore.ts'

test('files of an earlier version get their holds while they are asked, and a start after a kill goes on', async () => {
  const { folder, remove } = await temporaryFolder('holds')
  const start = Date.UTC(2026, 2, 1)
  const now = start + 5 * day
  const problems: unknown[] = []
  const open = () => openDuckDbStore({ folder, clock: () => now, log: (...problem) => problems.push(problem) })
  const ask = (of: Awaited<ReturnType<typeof open>>) =>
    of.stretches([{ point: 1, most: [{ until: Number.POSITIVE_INFINITY, ms: 10 * minute }] }], [start, start + 3 * day])
  const inFiles = async (work: (db: Awaited<ReturnType<DuckDBInstance['connect']>>) => Promise<unknown>) => {
    const instance = await DuckDBInstance.create(join(folder, 'telemetry.duckdb'))
    const db = await instance.connect()
    await work(db)
    db.closeSync()
    instance.closeSync()
  }
  let store = await open()
  for (let d = 0; d < 3; d++)
    await store.append(
      Array.from({ length: 288 }, (_, i) => ({ point: 1, time: start + d * day + i * 5 * minute, value: i % 7, quality: 0, live: true })),
    )
  await store.settle('now')
  const whole = await ask(store)
  expect(whole.unread).toEqual([])
  await store.close()
  // As the version before left it; then as a kill between two files leaves it.
  for (const left of [0, 1]) {
    await inFiles((db) => db.run(`delete from manifest where kind = 'hold' and start >= ${start + left * day}`))
    store = await open()
    expect((await ask(store)).unknown).toEqual([1])
    await store.settle()
    expect(await ask(store)).toEqual(whole)
    await store.close()
  }
  await remove()
  expect(problems).toEqual([])
})
