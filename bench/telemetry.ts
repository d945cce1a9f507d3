// Measures telemetry on this machine: `node bench/telemetry.ts`. Writes to a temporary folder, takes about a minute.
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decode } from '../server/telemetry/decode.ts'
import { createQuery } from '../server/telemetry/query.ts'
import type { PointMeta, PointRegistry } from '../server/telemetry/sample.ts'
import { appendRows } from '../server/telemetry/store/duckdb/append.ts'
import { openDuckDbStore } from '../server/telemetry/store/duckdb/duckdbStore.ts'
import { Engine } from '../server/telemetry/store/duckdb/engine.ts'
import { createHot } from '../server/telemetry/store/duckdb/segments.ts'
import { day, type Incoming, minute } from '../server/telemetry/store/store.ts'
import { openTelemetry } from '../server/telemetry/telemetry.ts'

const folder = await mkdtemp(join(tmpdir(), 'penstock-bench-'))
const results: Record<string, string> = {}
const timed = async <T>(work: () => Promise<T>): Promise<[number, T]> => {
  const start = performance.now()
  const answer = await work()
  return [performance.now() - start, answer]
}
const perSecond = (count: number, ms: number) => `${Math.round(count / ms).toLocaleString('en')} thousand/s`
const median = async (times: number, work: () => Promise<unknown>) => {
  const all: number[] = []
  for (let i = 0; i < times; i++) all.push((await timed(work))[0])
  return `${all.toSorted((a, b) => a - b)[Math.floor(times / 2)]!.toFixed(1)} ms`
}

// A plant: a tenth are switches, a tenth set points, the others sensors with drift, noise and two decimals.
const reading = (point: number, time: number) => {
  if (point % 10 === 0) return Math.floor(time / (point * 300_000)) % 2
  if (point % 10 === 1) return 20 + (Math.floor(time / day) % 5)
  return Math.round((50 + point + 10 * Math.sin(time / (3_600_000 * ((point % 7) + 1))) + Math.random() * 0.5) * 100) / 100
}

const [gateways, values, messages] = [50, 100, 20_000]
const sn = (gateway: number) => `BENCH${String(gateway).padStart(4, '0')}`
const byId = new Map<number, PointMeta>()
for (let Id = 1; Id <= gateways * values; Id++) {
  const gateway = Math.floor((Id - 1) / values)
  const names = { EnterpriseId: 1, ProjectId: 1, GatewayId: gateway, SN: sn(gateway), DeviceId: gateway, DeviceName: '', ParaName: '' }
  byId.set(Id, { Id, ...names, IsStore: 0, AlarmLow: null, AlarmHigh: null, ProjectLow: null, ProjectHigh: null })
}
const registry: PointRegistry = { get: (id) => byId.get(id), ofGateway: () => [], enterpriseOf: () => 1, onChange: () => () => {} }

const now = Date.now()
const payloads = Array.from({ length: messages }, (_, i) => {
  const gateway = i % gateways
  const T = now - 86_400_000 + Math.floor(i / gateways) * 1000
  const V = Object.fromEntries(Array.from({ length: values }, (_, k) => [gateway * values + k + 1, reading(gateway * values + k + 1, T)]))
  return Buffer.from(JSON.stringify({ MsgId: String(i), Ts: T, Data: { Items: [{ D: gateway, T, V }] } }))
})

const [decodeMs] = await timed(async () => {
  for (const [i, payload] of payloads.entries()) decode(sn(i % gateways), 'data', payload, registry, now)
})
results['decode, 100 values a message'] = perSecond(messages * values, decodeMs)

const rowsAt = (from: number, count: number): Incoming[] =>
  Array.from({ length: count }, (_, i) => ({
    point: ((from + i) % 5000) + 1,
    time: now + from + i,
    value: reading((from + i) % 5000, now),
    quality: 0,
    live: true,
  }))
const engine = await Engine.open(join(folder, 'bare'), console.error)
await engine.write((db) => createHot(db, 1, now))
const batches = Array.from({ length: 200 }, (_, i) => rowsAt(i * 10_000, 10_000))
const [bareMs] = await timed(async () => {
  for (const [i, rows] of batches.entries()) await engine.write((db) => appendRows(db, 'hot_1', rows, i * 10_000))
})
await engine.close()
results['bare appender, commit every 10,000'] = perSecond(2_000_000, bareMs)

const log = { warn: console.warn, error: console.error }
const telemetry = await openTelemetry({ folder: join(folder, 'telemetry'), registry, log })
const latencies: number[] = []
const [acceptMs] = await timed(async () => {
  // As many connections as gateways, each with four messages under way.
  const send = async (lane: number) => {
    for (let i = lane; i < messages; i += gateways * 4) {
      const [ms] = await timed(() => telemetry.ingest.accept(sn(i % gateways), 'data', payloads[i]!))
      latencies.push(ms)
    }
  }
  await Promise.all(Array.from({ length: gateways * 4 }, (_, lane) => send(lane)))
})
results['accept(), acknowledged after commit'] = perSecond(messages * values, acceptMs)
latencies.sort((a, b) => a - b)
results['accept() latency p50, p99'] = [0.5, 0.99].map((p) => `${latencies[Math.floor(p * latencies.length)]!.toFixed(0)} ms`).join(', ')
await telemetry.close()

// 20 points, 30 days at 10 s.
const start = Math.floor(now / day) * day - 30 * day
let clock = start
const store = await openDuckDbStore({ folder: join(folder, 'history'), clock: () => clock, log: console.error })
const query = createQuery(store, () => clock)
for (let d = 0; d < 30; d++) {
  for (let from = 0; from < day; from += 6 * 3_600_000) {
    const rows: Incoming[] = []
    for (let at = start + d * day + from; at < start + d * day + from + 6 * 3_600_000; at += 10_000) {
      const time = at + Math.floor(Math.random() * 30)
      for (let point = 1; point <= 20; point++) rows.push({ point, time, value: reading(point, time), quality: 0, live: true })
    }
    await store.append(rows)
  }
  if (d === 29) {
    const asked = { ids: [7], start: start + 29 * day, end: start + 30 * day, buckets: 2000, zone: 'UTC' }
    clock = start + 30 * day
    results['1 day of a point in 2,000 buckets, hot'] = await median(9, () => query.series(asked))
  }
  clock = start + (d + 1) * day + 20 * minute
  await store.settle()
}
const whole = { ids: [7], start, end: start + 30 * day, buckets: 2000, zone: 'Asia/Shanghai' }
const seven = { ...whole, ids: [2, 3, 4, 5, 6, 7, 8] }
results['30 days of a point in 2,000 buckets'] = await median(9, () => query.series(whole))
results['30 days of 7 points in 2,000 buckets'] = await median(9, () => query.series(seven))
results['30 days of a point in local hours'] = await median(9, () => query.units('hour', whole))
results['30 days of a point, all 259,200 readings'] = await median(3, () => store.read([7], start, start + 30 * day))
const sizeOf = async (kinds: string[]) => {
  const files = await readdir(join(folder, 'history', 'files'))
  const sizes = files
    .filter((name) => kinds.some((kind) => name.startsWith(kind)))
    .map(async (name) => (await stat(join(folder, 'history', 'files', name))).size)
  return ((await Promise.all(sizes)).reduce((a, b) => a + b, 0) / (20 * 30 * 8640)).toFixed(2)
}
results['bytes a sample, readings'] = await sizeOf(['raw'])
results['bytes a sample, with both roll-ups'] = await sizeOf(['raw', 'minute', 'quarter'])
clock += 31 * day
await store.settle('now')
results['30 days of a point in 2,000 buckets, months merged'] = await median(9, () => query.series(whole))
await store.close()
await rm(folder, { recursive: true })
console.table(results)
