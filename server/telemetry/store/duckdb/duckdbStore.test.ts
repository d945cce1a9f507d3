import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../telemetry.fixture.ts'
import { heldTimesConformance } from '../heldTimes.conformance.ts'
import { statisticsConformance } from '../statistics.conformance.ts'
import { type Bench, storeConformance } from '../store.conformance.ts'
import { type Buckets, day, hour, minute, quarter } from '../store.ts'
import { readableDays } from './append.ts'
import { openDuckDbStore } from './duckdbStore.ts'
import { Engine } from './engine.ts'

describe('DuckDB store', () => {
  storeConformance(
    async () => {
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
    },
    30,
    [statisticsConformance, heldTimesConformance],
  )

  test('readings that one gateway scatters over ten thousand days are closed, and looking for what they replace reads few files', async () => {
    const { folder, remove } = await temporaryFolder('scattered')
    const now = Date.UTC(2026, 10, 27)
    const store = await openDuckDbStore({ folder, clock: () => now, log: (...problem) => expect.unreachable(problem.join()) })
    const scattered = (count: number, step: number, value: number) =>
      Array.from({ length: count }, (_, i) => ({ point: 1, time: now - (i + 2) * step, value, quality: 0, live: false }))
    for (let i = 0; i < 4; i++) await store.append(scattered(9000, day + i * minute, i))
    await store.settle()
    // A file for each month: those of the newest 64 are read.
    const entry = { kind: 'raw' as const, file: '', rows: 1, bytes: 1, top: 1, low: 1, high: 1 }
    const files = Array.from({ length: 300 }, (_, i) => ({ ...entry, start: 31 * i * day, end: 31 * (i + 1) * day }))
    const days = new Set(Array.from({ length: 9300 }, (_, i) => i))
    expect(readableDays(days, files)).toEqual({ oldest: 31 * 236, wanted: new Set(files.slice(-64)) })
    await store.close()
    await remove()
  })

  test('asked fifty times, sums over rows in tables are the same to the last digit', async () => {
    const { folder, remove } = await temporaryFolder('sums')
    const start = Date.UTC(2026, 2, 1)
    const store = await openDuckDbStore({ folder, clock: () => start + hour, log: (...problem) => expect.unreachable(problem.join()) })
    // Point 1: a thousandth here and there. Point 2: numbers that swallow each other. Point 3: tiny ones.
    const awkward = [
      (i: number) => (i % 1013) * 0.001 + 0.1,
      (i: number) => [1e16, 0.1, -1e16, 1e-9, 3.3][i % 5]!,
      (i: number) => 1e-300 * (0.1 + (i % 7)),
    ]
    const rows = Array.from({ length: 140_000 }, (_, i) => {
      const kind = Math.max(0, (i % 20) - 17)
      return { point: 1 + kind, time: start + i * 30, value: awkward[kind]!(Math.floor(i / 20)), quality: 0, live: true }
    })
    for (let i = 0; i < rows.length; i += 50_000) await store.append(rows.slice(i, i + 50_000))
    const texts = new Set<string>()
    for (let i = 0; i < 50; i++) texts.add(JSON.stringify(await store.buckets([1, 2, 3], start, start + day, { ms: hour, origin: start })))
    expect(texts.size).toBe(1)
    const [usual, swallowed, tiny] = JSON.parse([...texts][0]!) as Buckets[]
    const first = rows.filter((r) => r.point === 1 && r.time < start + hour)
    expect(usual!.avg[0]).toBeCloseTo(first.reduce((sum, r) => sum + r.value, 0) / first.length, 9)
    expect(Math.abs(swallowed!.avg[0]!)).toBeLessThan(10)
    expect(tiny!.avg[0]! / 3.1e-300).toBeCloseTo(1, 3)
    await store.close()
    await remove()
  })

  test('while a table is closed, charts are answered in between and say the same', async () => {
    const { folder, remove } = await temporaryFolder('closing')
    const start = Date.UTC(2026, 2, 1)
    let now = start + hour
    const store = await openDuckDbStore({
      folder,
      clock: () => now,
      log: (...problem) => expect.unreachable(problem.join()),
      sliceRows: 2000,
    })
    const rows = Array.from({ length: 20_000 }, (_, i) => ({ point: 1 + (i % 40), time: start + i, value: i / 8, quality: 0, live: false }))
    await store.append(rows)
    const ask = () => store.buckets([3, 17, 40], start, start + day, { ms: minute, origin: start })
    const before = await ask()
    now += 2 * day
    let [closed, answered] = [false, 0]
    const closing = store.settle('now').then(() => {
      closed = true
    })
    for (; !closed; answered++) expect(await ask()).toEqual(before)
    await closing
    // A closing of ten slices gave way to charts before each of its statements.
    expect(answered).toBeGreaterThan(10)
    expect(await ask()).toEqual(before)
    await store.close()
    await remove()
  })

  test('long work waits for the reads that are under way, but not for ever', async () => {
    const { folder, remove } = await temporaryFolder('yield')
    const engine = await Engine.open(folder, (...problem) => expect.unreachable(problem.join()))
    const events: string[] = []
    let end = () => {}
    let read: Promise<unknown> | undefined
    await new Promise<void>((begun) => {
      const work = () =>
        new Promise<void>((done) => {
          end = done
          begun()
        })
      read = engine.read(work).then(() => events.push('read'))
    })
    await engine.yieldToReads().then(() => events.push('waited long enough'))
    const yielded = engine.yieldToReads().then(() => events.push('goes on'))
    end()
    await Promise.all([read, yielded])
    expect(events).toEqual(['waited long enough', 'read', 'goes on'])
    await engine.close()
    await remove()
  })

  test('roll-ups outlive their readings, take in what comes late, and go in their own time', async () => {
    const { folder, remove } = await temporaryFolder('rollups')
    const start = Date.UTC(2026, 2, 1)
    let now = start + hour
    const problems: unknown[] = []
    const store = await openDuckDbStore({ folder, clock: () => now, log: (...problem) => problems.push(problem) })
    const row = (point: number, time: number, value: number) => ({ point, time: start + time, value, quality: 0, live: true })
    await store.append([row(1, 0, 1), row(1, 1000, 3), row(1, minute, 5), row(2, 0, 7)])
    now += 40 * day
    await store.settle('now')
    await store.retain([{ points: [1], before: start + 35 * day, rollups: start }])
    const minutes = async () =>
      (await store.buckets([1, 2], start, start + day, { ms: minute, origin: start })).map(({ point, avg, min, max, count }) => [
        point,
        avg,
        min,
        max,
        count,
      ])
    expect((await store.read([1, 2], start, now)).map((r) => r.point)).toEqual([2])
    const theirs = [2, [7], [7], [7], [1]]
    expect(await minutes()).toEqual([[1, [2, 5], [1, 5], [3, 5], [2, 1]], theirs])
    // Beside the roll-up at once, part of it once it is merged.
    await store.append([row(1, 2000, 8), row(1, 5 * minute, 9)])
    const after = [[1, [4, 5, 9], [1, 5, 9], [8, 5, 9], [3, 1, 1]], theirs]
    expect(await minutes()).toEqual(after)
    await store.settle('now')
    expect(await minutes()).toEqual(after)
    const [quarters] = await store.buckets([1], start, start + day, { ms: quarter, origin: start })
    expect(quarters).toMatchObject({ avg: [26 / 5], count: [5], first: [1], last: [9] })
    await store.retain([{ points: [1], before: start + 35 * day, rollups: start + 35 * day }])
    expect(await minutes()).toEqual([theirs])
    await store.close()
    await remove()
    expect(problems).toEqual([])
  })

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
  }, 400_000)

  test('a start knows the newest readings of tables that were closed, also of those that an earlier version left without a note', async () => {
    const { folder, remove } = await temporaryFolder('noted')
    const now = Date.UTC(2026, 2, 1, 12)
    const problems: unknown[] = []
    const open = () => openDuckDbStore({ folder, clock: () => now, hotRows: 4, log: (...problem) => problems.push(problem) })
    const row = (point: number, time: number, value: number) => ({ point, time: now + time, value, quality: 0, live: true })
    const latest = async (of: Awaited<ReturnType<typeof open>>) =>
      (await of.latest()).map(({ point, time, value }) => [point, time - now, value]).sort(([a], [b]) => a! - b!)
    let store = await open()
    await store.append([row(1, 5, 1), row(2, 7, 2), row(3, 1, 3), row(3, 1, 4)])
    await store.settle()
    await store.append([row(1, 9, 5), row(2, 6, 6), row(2, 6, 7), row(4, -day, 8)])
    await store.settle()
    await store.append([row(3, 0, 9)])
    const expected = [
      [1, 9, 5],
      [2, 7, 2],
      [3, 1, 4],
      [4, -day, 8],
    ]
    expect(await latest(store)).toEqual(expected)
    await store.close()
    const instance = await DuckDBInstance.create(join(folder, 'telemetry.duckdb'))
    const db = await instance.connect()
    expect((await db.runAndReadAll(`select file from manifest semi join noted using (file) where kind = 'segment'`)).currentRowCount).toBe(
      2,
    )
    await db.run('delete from noted; delete from latest where point <> 4')
    db.closeSync()
    instance.closeSync()
    store = await open()
    expect(await latest(store)).toEqual(expected)
    await store.drop([2])
    expect(await latest(store)).toEqual(expected.filter(([point]) => point !== 2))
    await store.close()
    await remove()
    expect(problems).toEqual([])
  })

  test('reports readiness while charts wait for their turn', async () => {
    const { folder, remove } = await temporaryFolder('busy')
    const now = Date.UTC(2026, 2, 1)
    const store = await openDuckDbStore({ folder, clock: () => now, log: (problem, error) => expect([problem, error]).toBe('') })
    await store.append([{ point: 1, time: now, value: 1, quality: 0, live: true }])
    const told: string[] = []
    // Steps that differ cannot share a look.
    const charts = Array.from({ length: 100 }, (_, i) => store.buckets([1], now, now + hour, { ms: 1000 + i, origin: now }))
    await Promise.all([Promise.all(charts).then(() => told.push('charts')), store.ready().then(() => told.push('ready'))])
    expect(told).toEqual(['ready', 'charts'])
    // More than may wait: some are refused, and answered when they are requested again.
    const ask = (i: number) => store.buckets([1], now, now + hour, { ms: 1000 + i, origin: now })
    const many = await Promise.allSettled(Array.from({ length: 300 }, (_, i) => ask(i)))
    const refused = many.flatMap(({ status }, i) => (status === 'rejected' ? [i] : []))
    expect(refused.length).toBeGreaterThan(0)
    for (const i of refused.slice(0, 5)) expect(await ask(i)).toMatchObject([{ point: 1, rows: [1] }])
    await store.close()
    await expect(store.ready()).rejects.toThrow()
    await remove()
  })
})
