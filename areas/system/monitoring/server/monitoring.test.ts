import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { type MachineUse, measures } from '../contract.ts'
import { openMachine, type Reading } from './machine.ts'
import { monitoringRoutes } from './routes.ts'
import { type Monitoring, startMonitoring } from './service.ts'

const minute = 60_000
const begun = Date.UTC(2026, 0, 31, 12)
let now = begun
const calm: Reading = {
  Cpu: 10,
  Cores: 2,
  Load: 0.5,
  MemoryUsed: 4e9,
  MemoryTotal: 8e9,
  DiskUsed: 2e10,
  DiskTotal: 1e11,
  Receive: 1000,
  Send: null,
  Rss: 2e8,
  ProcessCpu: 5,
  LoopMs: 1,
}
let reading = calm
let ready = true

let kit: Kit
let monitoring: Monitoring
beforeAll(async () => {
  kit = await startKit({
    areas: (database) => {
      monitoring = startMonitoring({
        database,
        machine: { read: async () => reading, close: () => undefined },
        probes: [
          { name: 'database', ready: () => ready },
          { name: 'broker', ready: () => true },
        ],
        version: '1.2.3',
        clock: () => now,
        log: { warn: () => undefined },
        everyMs: 1_000_000_000,
      })
      return [(api) => monitoringRoutes(api, monitoring)]
    },
  })
})
afterAll(async () => {
  await monitoring?.close()
  await kit?.close()
})
beforeEach(() => {
  reading = calm
  ready = true
})

const use = (query = '') => kit.data<MachineUse>('platform', 'GET', `/System/Monitor/MachineUseInfo${query}`)
/** Looks every ten seconds until that much time has passed. */
const pass = async (ms: number) => {
  for (const end = now + ms; now < end; now += 10_000) await monitoring.look()
}
const notices = async () =>
  (
    await kit.db.rows<{ Wording: string; WordValues: object; Permission: string }>(
      sql`select "Wording", "WordValues", "Permission" from notice order by "Id"`,
    )
  ).splice(0)
const told = async () => (await notices()).map((n) => n.Wording)
const forget = () => kit.db.rows(sql`delete from notice`)

describe('the use of the machine', () => {
  it('is answered as it is now, with the engines', async () => {
    await monitoring.look()
    expect(await use()).toMatchObject({
      Cpu: 10,
      Cores: 2,
      MemoryUsed: 4e9,
      DiskTotal: 1e11,
      Receive: 1000,
      Send: null,
      Version: '1.2.3',
      Engines: [
        { Name: 'database', Ready: true },
        { Name: 'broker', Ready: true },
      ],
      Limits: { Cpu: 90, Memory: 90, Disk: 85, Minutes: 5 },
    })
  })

  it('is kept as a mean a minute, in columns', async () => {
    now = begun + 10 * minute
    const from = now
    reading = { ...calm, Cpu: 20 }
    await pass(minute / 2)
    reading = { ...calm, Cpu: 40 }
    await pass(minute / 2)
    await pass(minute)
    await monitoring.look()
    const { History } = await use(`?Start=${from}&End=${now}`)
    expect(History.Time.slice(0, 2)).toEqual([from, from + minute])
    expect(History.Cpu[0]).toBeCloseTo(30, 5)
    expect(History.Cpu[1]).toBeCloseTo(40, 5)
    expect(History.Memory[0]).toBeCloseTo(50, 5)
    expect(History.Send).toEqual([null, null])
    for (const name of measures) expect(History[name]).toHaveLength(History.Time.length)
  })

  it('is kept for a week and no longer, and a week is a plot of a few hundred points', async () => {
    await kit.db.rows(sql`
      insert into machine_use ("Time", "Cpu") select to_timestamp(${begun / 1000}::float8) - n * interval '1 minute', 7 from generate_series(1, 12000) n on conflict do nothing`)
    now += minute
    await pass(2 * minute)
    const [row] = await kit.db.rows<{ n: number; oldest: number }>(
      sql`select count(*)::int as n, (extract(epoch from min("Time")) * 1000)::bigint as oldest from machine_use`,
    )
    expect(row!.oldest).toBeGreaterThanOrEqual(now - 7 * 1440 * minute - 2 * minute)
    expect(row!.n).toBeLessThanOrEqual(7 * 1440 + 2)
    const { History } = await use(`?Start=${now - 30 * 1440 * minute}&End=${now}`)
    expect(History.Time.length).toBeGreaterThan(400)
    expect(History.Time.length).toBeLessThanOrEqual(601)
    expect(await kit.call('platform', 'GET', '/System/Monitor/MachineUseInfo?Start=2000&End=1000')).toMatchObject({ StatusCode: 400 })
  })

  it('is the platform’s alone', async () => {
    for (const who of ['owner', 'viewer']) {
      expect((await kit.call(who, 'GET', '/System/Monitor/MachineUseInfo')).StatusCode).toBe(403)
      expect((await kit.call(who, 'PUT', '/System/Monitor/Limits', { Cpu: 1, Memory: 1, Disk: 1, Minutes: 1 })).StatusCode).toBe(403)
    }
  })
})

describe('limits', () => {
  beforeEach(async () => {
    await pass(minute)
    await forget()
  })

  it('raise a notice when something stays over them, once, and one when it is over', async () => {
    reading = { ...calm, Cpu: 95 }
    await pass(4 * minute)
    expect(await told()).toEqual([])
    await pass(10 * minute)
    expect(await notices()).toMatchObject([
      { Wording: 'machineCpu', WordValues: { value: 95, limit: 90, minutes: 5 }, Permission: 'm10453' },
    ])
    reading = { ...calm, Cpu: 88 }
    await pass(minute)
    expect(await told()).toEqual(['machineCpu'])
    reading = { ...calm, Cpu: 50 }
    await pass(minute)
    expect(await told()).toEqual(['machineCpu', 'machineCpuOver'])
  })

  it('are quiet about a short peak', async () => {
    reading = { ...calm, MemoryUsed: 7.9e9 }
    await pass(3 * minute)
    reading = calm
    await pass(3 * minute)
    reading = { ...calm, MemoryUsed: 7.9e9 }
    await pass(3 * minute)
    expect(await told()).toEqual([])
  })

  it('can be set, and hold at once', async () => {
    const limits = { Cpu: 90, Memory: 90, Disk: 15, Minutes: 1 }
    expect(await kit.data('platform', 'PUT', '/System/Monitor/Limits', limits)).toEqual({ ...limits, UpdateStamp: expect.any(Number) })
    expect((await use()).Limits).toEqual(limits)
    await pass(2 * minute)
    expect(await told()).toEqual(['machineDisk'])
    expect(await kit.call('platform', 'PUT', '/System/Monitor/Limits', { ...limits, Cpu: 101 })).toMatchObject({ StatusCode: 400 })
    const [entry] = await kit.db.rows(sql`select "Verb", "After" from change where "Resource" = 'machineLimits'`)
    expect(entry).toEqual({ Verb: 'update', After: limits })
    await kit.data('platform', 'PUT', '/System/Monitor/Limits', { Cpu: 90, Memory: 90, Disk: 85, Minutes: 5 })
  })

  it('report an engine that does not answer', async () => {
    ready = false
    await pass(minute)
    expect(await notices()).toMatchObject([{ Wording: 'engineDown', WordValues: { engine: 'database' } }])
    expect((await use()).Engines).toContainEqual({ Name: 'database', Ready: false })
  })
})

describe('the machine itself', () => {
  it('is measured: work shows, and nothing is out of its range', async () => {
    const machine = openMachine(tmpdir())
    await machine.read()
    await pause(200)
    const idle = await machine.read()
    await pause(100)
    for (const end = performance.now() + 600; performance.now() < end; );
    await pause(50)
    const busy = await machine.read()
    expect(busy.ProcessCpu).toBeGreaterThan(idle.ProcessCpu)
    expect(busy.LoopMs).toBeGreaterThan(100)
    for (const r of [idle, busy]) {
      expect(r.Cpu).toBeGreaterThanOrEqual(0)
      expect(r.Cpu).toBeLessThanOrEqual(100)
      for (const [used, total] of [
        [r.MemoryUsed, r.MemoryTotal],
        [r.DiskUsed, r.DiskTotal],
      ] as const) {
        expect(used).toBeGreaterThan(0)
        expect(used).toBeLessThanOrEqual(total)
      }
      expect(r.Rss).toBeGreaterThan(10_000_000)
      expect(r.Cores).toBeGreaterThan(0)
    }
    if (process.platform === 'linux') expect(busy.Receive).not.toBeNull()
    machine.close()
  })
})
