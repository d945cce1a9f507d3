import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { prepareFolder } from './format.ts'
import { day } from './store/store.ts'
import { message, point, registryOf, temporaryFolder } from './telemetry.fixture.ts'
import { openTelemetry, type TelemetryOptions } from './telemetry.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let now = 0
let lines: string[]
beforeEach(async () => {
  folder = await temporaryFolder('telemetry')
  now = Date.UTC(2026, 10, 20, 12)
  lines = []
})
afterEach(() => folder.remove())

const points = [point(1), point(2), point(11, { SN: 'GATEWAY2', EnterpriseId: 8 })]
const registry = registryOf(points)
const open = (more: Partial<TelemetryOptions> = {}) => {
  const log = { warn: (_: object, text: string) => lines.push(text), error: (_: object, text: string) => lines.push(text) }
  return openTelemetry({ folder: folder.folder, registry, clock: () => now, log, ...more })
}

test('latest follows live readings that are not older, never back-fill, and is there after a restart', async () => {
  let telemetry = await open()
  await telemetry.ingest.accept('GATEWAY1', 'data', message(now, { 1: 5 }))
  await telemetry.ingest.accept('GATEWAY1', 'data', message(now - 1, { 1: 4 }))
  await telemetry.ingest.accept('GATEWAY1', 'history', message(now + 1, { 1: 6, 2: 7 }, { history: true }))
  expect(telemetry.latest.get(1)).toMatchObject({ point: 1, time: now, value: 5, quality: 0 })
  expect(telemetry.latest.get(2)).toBeUndefined()
  await telemetry.ingest.accept('GATEWAY1', 'data', message(now, { 1: null }, { Q: { 1: 2 } }))
  expect(telemetry.latest.get(1)).toMatchObject({ value: null, quality: 2 })
  await telemetry.ingest.accept('GATEWAY1', 'data', message(now + 5, { 1: 9 }))
  await telemetry.close()
  telemetry = await open()
  expect(telemetry.latest.get(1)).toMatchObject({ time: now + 5, value: 9 })
  await telemetry.close()
})

test('a gateway whose clock was an hour ahead and is set back goes on at once; one that is a little ahead keeps its order', async () => {
  let telemetry = await open()
  const say = (ahead: number, value: number) => telemetry.ingest.accept('GATEWAY1', 'data', message(now + ahead, { 1: value }))
  const again = async () => {
    await telemetry.close()
    telemetry = await open()
  }
  await say(3_600_000, 1)
  await again()
  expect(telemetry.latest.get(1)).toMatchObject({ time: now + 3_600_000, value: 1 })
  await say(0, 2)
  await say(-1, 3)
  expect(telemetry.latest.get(1)).toMatchObject({ time: now, value: 2 })
  await again()
  expect(telemetry.latest.get(1)).toMatchObject({ time: now, value: 2 })
  await say(240_000, 4)
  await say(239_000, 5)
  expect(telemetry.latest.get(1)).toMatchObject({ time: now + 240_000, value: 4 })
  const { Series } = await telemetry.query.series({ ids: [1], start: now - day, end: now + day, zone: 'UTC' })
  expect(Series[0]!.Time).toEqual([-1, 0, 239_000, 240_000, 3_600_000].map((ms) => now + ms))
  await telemetry.close()
})

test('a removed point leaves the latest values', async () => {
  const own = registryOf(points)
  const telemetry = await open({ registry: own })
  await telemetry.ingest.accept('GATEWAY1', 'data', message(now, { 1: 5 }))
  own.remove(1)
  expect(telemetry.latest.get(1)).toBeUndefined()
  await telemetry.close()
})

test('what was stored before the last restart is counted as replaced when it comes again', async () => {
  let telemetry = await open()
  await telemetry.ingest.accept('GATEWAY1', 'data', message(now, { 1: 5 }))
  await telemetry.close()
  telemetry = await open()
  await telemetry.ingest.accept('GATEWAY1', 'data', message(now, { 1: 5, 2: 5 }))
  expect(telemetry.counters.get(7)).toMatchObject({ received: 2, stored: 1, replaced: 1 })
  await telemetry.close()
})

test('a tenant with retention loses what is older, others nothing', async () => {
  const telemetry = await open({ retention: (EnterpriseId) => (EnterpriseId === 7 ? { days: 30 } : {}), points: async () => points })
  for (const at of [now - 100 * day, now]) {
    await telemetry.ingest.accept('GATEWAY1', 'history', message(at, { 1: 1 }, { history: true }))
    await telemetry.ingest.accept('GATEWAY2', 'history', message(at, { 11: 1 }, { history: true }))
  }
  now += day
  await telemetry.keep()
  const { Series } = await telemetry.query.series({ ids: [1, 11], start: 0, end: now, zone: 'UTC' })
  expect(Series.map((series) => series.Time.length)).toEqual([1, 2])
  await telemetry.close()
})

test('a used up disk budget warns, then readings are refused and what is stored stays readable', async () => {
  const telemetry = await open({ diskBudgetBytes: 1 })
  expect(telemetry.disk()).toMatchObject({ budget: 1, warning: true, full: true })
  expect(lines).toEqual(['telemetry uses 80 % of its disk budget', 'telemetry has used up its disk budget: readings are refused'])
  await expect(telemetry.ingest.accept('GATEWAY1', 'data', message(now, { 1: 5 }))).rejects.toMatchObject({ key: 'unavailable' })
  expect((await telemetry.query.series({ ids: [1], start: 0, end: now, zone: 'UTC' })).Series).toHaveLength(1)
  await telemetry.close()
})

test('a folder of a newer version is refused in clear words and left alone', async () => {
  await writeFile(join(folder.folder, 'format'), '99\n')
  await expect(open()).rejects.toThrow(/newer Penstock \(format 99; this one knows up to 2\)/)
  await writeFile(join(folder.folder, 'format'), 'x\n')
  await expect(open()).rejects.toThrow('holds "x" where a version number belongs')
})

test('a folder of an older version is brought up step by step', async () => {
  const old = join(folder.folder, 'old')
  await mkdir(old)
  await writeFile(join(old, 'format'), '1\n')
  const ran: number[] = []
  const step = (from: number) => ({ from, run: async () => void ran.push(from) })
  await prepareFolder(old, 3, [step(2), step(1)])
  await prepareFolder(old, 3, [])
  expect(ran).toEqual([1, 2])
  await expect(prepareFolder(old, 4, [step(1)])).rejects.toThrow('from which this version cannot upgrade')
})
