import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoPlant } from '../contract/demo-plant.ts'
import { seeded } from '../plant/model/random.ts'
import { newWorld, step } from '../plant/model/world.ts'
import { fromWords, toWords } from '../plant/registers.ts'
import { signals } from '../plant/signals.ts'
import { openDuckDbStore } from '../server/telemetry/store/duckdb/duckdbStore.ts'
import { day, type Incoming } from '../server/telemetry/store/store.ts'
import { figure } from './figures.ts'

const everyMs = 1000

/**
 * A day of every point of the simulated plant at 1 s, as the gateway reads it from registers, closed with its roll-ups. The
 * working file of the last hour is not counted: its room is used again.
 */
export const bytes = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-bench-'))
  const start = Date.UTC(2026, 5, 1)
  let clock = start
  const store = await openDuckDbStore({ folder, clock: () => clock, log: console.error })
  const world = newWorld(start / 1000, demoPlant.length)
  const random = seeded(1)
  const all = demoPlant.flatMap((device) => {
    const known = signals(device.DeviceName)
    return device.Points.map((point) => ({ point, signal: known.get(point.ParaName)!, digits: 10 ** (point.DecimalDigits ?? 2) }))
  })
  let [rows, count]: [Incoming[], number] = [[], 0]
  for (let time = start; time < start + day; time += everyMs) {
    step(world, everyMs / 1000, random)
    for (const [i, { point, signal, digits }] of all.entries()) {
      const raw = Number(signal.get(world))
      const read = point.RegisterType < 2 || point.Address.includes('.') ? raw : fromWords(point, toWords(point, raw))
      rows.push({ point: i + 1, time: time + (i % 7), value: Math.round(read * digits) / digits, quality: 0, live: true })
    }
    if (rows.length < 100_000) continue
    count += rows.length
    await store.append(rows)
    rows = []
  }
  count += rows.length
  await store.append(rows)
  clock = start + day + 3_600_000
  await store.settle('now')
  const files = await readdir(join(folder, 'files'))
  const sizes = await Promise.all(files.map(async (name) => (await stat(join(folder, 'files', name))).size))
  const size = sizes.reduce((sum, bytes) => sum + bytes, 0)
  await store.close()
  await rm(folder, { recursive: true })
  return [figure('stored bytes a sample after the day is closed, roll-ups included', size / count, 'bytes')]
}
