import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { startGateway } from './agent.ts'
import { openQueue } from './buffer/queue.ts'
import { pointRow, startPlc, tableOf } from './testing/plc.ts'
import { startServer, type TestServer } from './testing/server.ts'

const sn = 'SOFT000000001'
const key = 'a secret'
type Plc = Awaited<ReturnType<typeof startPlc>>
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
const opens = <T extends { close(): unknown }>(it: T) => {
  closing.push(() => it.close())
  return it
}
const folder = () => {
  const path = mkdtempSync(join(tmpdir(), 'penstock-forward-'))
  closing.push(() => rmSync(path, { recursive: true, force: true }))
  return path
}
const quick = { reconnectMs: { min: 20, max: 50 }, ackTimeoutMs: 400 }

/** A PLC that counts. */
const counting = async () => {
  const plc = opens(await startPlc())
  const timer = setInterval(() => {
    plc.words[0] = plc.words[0]! + 1
  }, 25)
  closing.push(() => clearInterval(timer))
  return plc
}
/** A late answer is no answer, and its value is missing; here every answer counts. */
const counter = pointRow(1, 0, { CollectType: 1, UploadMode: 3, Timeout: 60_000 })
const table = (port: number) => tableOf(port, [counter])

/** Readings by time, repetitions on the same time counted once; two values for one time would be an error. */
const distinct = (servers: TestServer[]) => {
  const byTime = new Map<number, number | null>()
  for (const r of servers.flatMap((s) => s.readings)) {
    if (byTime.has(r.time)) expect(byTime.get(r.time)).toBe(r.value)
    byTime.set(r.time, r.value)
  }
  return [...byTime].sort((a, b) => a[0] - b[0]).map(([, value]) => value)
}
/** The values that the counter had, once each (a value is uploaded again after a reconnect and as a sign of life). */
const runs = (values: (number | null)[]) => values.filter((v, i) => v !== null && v !== values[i - 1])
/** What the PLC has answered, up to the last value that arrived: all of it must be there, once, and nothing else. */
const served = (plc: Plc, values: (number | null)[]) => {
  const all = runs(plc.asked.map((a) => a.served))
  return all.slice(0, all.lastIndexOf(values.at(-1)!) + 1)
}
const historyTimes = (server: TestServer) => server.readings.filter((r) => r.kind === 'history').map((r) => r.time)

test('with the broker away for a while every value arrives, the missed ones as history, oldest first', async () => {
  const plc = await counting()
  const first = opens(await startServer(sn, key))
  const gateway = opens(await startGateway({ server: first.url, sn, key, data: folder(), ...quick }))
  await first.until(() => first.of('state').length > 0)
  await first.push(table(plc.port))
  await first.until(() => first.readings.length > 10)
  await first.close()
  const gone = plc.words[0]!
  await expect.poll(() => plc.words[0]!, { timeout: 60_000 }).toBeGreaterThan(gone + 40)
  expect(gateway.status()).toMatchObject({ online: false })
  expect(gateway.status().queued).toBeGreaterThan(20)
  const second = opens(await startServer(sn, key, first.port))
  await second.until(() => second.readings.some((r) => r.kind === 'history') && second.readings.some((r) => r.kind === 'data'))
  await expect.poll(() => gateway.status().queued, { timeout: 60_000 }).toBeLessThan(10)
  const values = runs(distinct([first, second]))
  expect(values.length).toBeGreaterThan(40)
  expect(values).toEqual(served(plc, values))
  const times = historyTimes(second)
  expect(times).toEqual([...times].sort((a, b) => a - b))
  expect([...first.wrong, ...second.wrong]).toEqual([])
})

test('what arrives but is not acknowledged is stored, and sent again until it is', async () => {
  const plc = await counting()
  const server = opens(await startServer(sn, key))
  const gateway = opens(await startGateway({ server: server.url, sn, key, data: folder(), ...quick }))
  await server.until(() => server.of('state').length > 0)
  server.state.isAcking = false
  await server.push(table(plc.port))
  await server.until(() => server.of('history').length > 0)
  expect(gateway.status().queued).toBeGreaterThan(5)
  server.state.isAcking = true
  await expect.poll(() => gateway.status().queued, { timeout: 60_000 }).toBeLessThan(5)
  const values = runs(distinct([server]))
  expect(values).toEqual(served(plc, values))
})

test('a reading on disk that is another one now is reported as event 13, and the others arrive', async () => {
  const data = folder()
  const file = join(data, 'readings.db')
  const queue = openQueue(file, 1e6)
  const from = Date.now() - 60_000
  for (let n = 0; n < 5; n++)
    queue.apply([{ do: 'append', MsgId: `m${n}`, Items: `{"D":1,"T":${from + n},"V":{"1":21.${n}5}}`, Count: 1, Live: false }])
  queue.close()
  const bytes = readFileSync(file)
  bytes[bytes.indexOf('21.35') + 1]! ^= 1
  writeFileSync(file, bytes)
  const server = opens(await startServer(sn, key))
  const gateway = opens(await startGateway({ server: server.url, sn, key, data, ...quick }))
  await server.until(() => server.of('event').some(({ Data }) => Data.Type === 13))
  await expect.poll(() => gateway.status(), { timeout: 60_000 }).toMatchObject({ queued: 0, dropped: 1 })
  expect(server.of('event').find(({ Data }) => Data.Type === 13)!.Data.Text).toMatch(/^1 readings in the buffer/)
  expect(distinct([server])).toEqual([21.05, 21.15, 21.25, 21.45])
})

test('values of live-only points are not stored', async () => {
  const plc = await counting()
  const server = opens(await startServer(sn, key))
  const gateway = opens(await startGateway({ server: server.url, sn, key, data: folder(), ...quick }))
  await server.until(() => server.of('state').length > 0)
  await server.push(tableOf(plc.port, [{ ...counter, IsCache: 1 }]))
  await server.until(() => server.readings.length > 5)
  expect(gateway.status().queued).toBe(0)
})

test('back-fill keeps to its pace', async () => {
  const plc = await counting()
  const data = folder()
  const server = opens(await startServer(sn, key))
  const gateway = opens(await startGateway({ server: server.url, sn, key, data, ...quick, ackTimeoutMs: 60_000, backfillPerSecond: 5 }))
  await server.until(() => server.of('state').length > 0)
  server.state.isAcking = false
  await server.push(table(plc.port))
  await server.until(() => server.readings.length > 20)
  server.cut()
  await server.until(() => server.of('history').length >= 2)
  const [a, b] = server.of('history')
  expect(b!.Ts - a!.Ts).toBeGreaterThan(150)
  expect(gateway.status().online).toBe(true)
})

const main = fileURLToPath(new URL('./main.ts', import.meta.url))
const spawnGateway = (server: TestServer, data: string) => {
  const child: ChildProcess = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, EDGE_SERVER: server.url, EDGE_SN: sn, EDGE_KEY: key, EDGE_DATA: data },
    stdio: 'ignore',
  })
  closing.push(() => child.kill('SIGKILL'))
  return child
}

test('a gateway that is killed brings what it had read when it comes back, and ends cleanly on a signal', async () => {
  const plc = await counting()
  const data = folder()
  const server = opens(await startServer(sn, key))
  const first = spawnGateway(server, data)
  await server.until(() => server.of('state').length > 0)
  await server.push(table(plc.port))
  await server.until(() => server.readings.length > 10)
  // From here on the server receives readings but does not store them.
  server.state.isAcking = false
  const lost = server.readings.length
  await server.until(() => server.readings.length > lost + 60)
  // Sending overlaps the commit: of the very last ones only the server's ear may know.
  const delivered = server.readings.slice(lost).filter((r) => r.time < Date.now() - 1000)
  expect(delivered.length).toBeGreaterThan(5)
  first.kill('SIGKILL')
  await once(first, 'exit')
  server.readings.splice(lost)
  server.state.isAcking = true
  const second = spawnGateway(server, data)
  const had = (r: { time: number; value: number | null }) => server.readings.some((x) => x.time === r.time && x.value === r.value)
  await server.until(() => delivered.every(had))
  const again = server.readings.slice(lost).filter((r) => delivered.some((s) => s.time === r.time))
  expect(new Set(again.map((r) => r.kind))).toEqual(new Set(['history']))
  second.kill('SIGTERM')
  const [code] = await once(second, 'exit')
  expect(code).toBe(0)
  expect(server.of('state').at(-1)!.Data.Online).toBe(0)
})
