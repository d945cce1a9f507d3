import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../telemetry.fixture.ts'
import type { Incoming } from '../store.ts'
import { openDuckDbStore } from './duckdbStore.ts'

const { folder, remove } = await temporaryFolder('full')
const disk = join(folder, 'disk')
/** A disk of 24 MB; only root may have one. */
const mounted = (() => {
  try {
    mkdirSync(disk)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()
afterAll(async () => {
  if (mounted) execFileSync('umount', ['-l', disk])
  await remove()
})

const why = mounted ? '' : ' (skipped: a small disk can only be mounted as root)'
test.skipIf(!mounted)(
  `a full disk loses nothing that was acknowledged, and storing goes on when there is room again${why}`,
  async () => {
    const now = Date.UTC(2026, 10, 20, 12)
    const filler = join(disk, 'filler')
    await writeFile(filler, Buffer.alloc(12 * 1024 * 1024))
    const problems: string[] = []
    const store = await openDuckDbStore({ folder: join(disk, 'store'), clock: () => now, log: (problem) => problems.push(problem) })
    const rowsFrom = (from: number) =>
      Array.from({ length: 20_000 }, (_, i): Incoming => ({ point: 1, time: now + from + i, value: Math.random(), quality: 0, live: true }))
    const acknowledged: number[] = []
    let failure: unknown
    for (let from = 0; !failure && from < 100 * 20_000; from += 20_000)
      await store.append(rowsFrom(from)).then(
        () => acknowledged.push(from),
        (error: unknown) => {
          failure = error
        },
      )
    expect(failure).toMatchObject({ key: 'unavailable' })
    expect(acknowledged.length).toBeGreaterThan(0)
    expect(problems[0]).toBe('telemetry store failed, opening it anew')

    await rm(filler)
    const again = 200 * 20_000
    const appended = async () =>
      store.append(rowsFrom(again)).then(
        () => true,
        () => false,
      )
    await expect.poll(appended, { timeout: 60_000, interval: 100 }).toBe(true)
    const found = new Set((await store.read([1], now, now + again + 20_000, 10_000_000)).map((row) => row.time - now))
    for (const from of [...acknowledged, again])
      for (let i = 0; i < 20_000; i++) if (!found.has(from + i)) expect.fail(`reading ${from + i} is lost`)
    await store.close()
  },
  60_000,
)
