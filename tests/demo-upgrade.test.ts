// The past of a demo company that an earlier version made.
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { demoPoints, seedHistory } from '../areas/configuration/demo/server/history.ts'
import { seedDemo } from '../areas/configuration/demo/server/service.ts'
import { startDemo } from '../main/demo.ts'
import { handOver } from '../main/demoState.ts'
import type { Settings } from '../main/settings.ts'
import type { Started } from '../main/start.ts'
import { historyOf } from '../plant/history.ts'
import { startPlant } from '../plant/plant.ts'
import { type House, startHouse } from './house.ts'
import { connectGateway } from './two-tenants.ts'

const day = 86_400_000
const days = 4
const now = Date.UTC(2026, 5, 9, 10, 20)
let house: House
let demo: { Id: number; SN: string; enterprise: number }
const asked: unknown[] = []
const seed = () =>
  seedHistory(
    { ...house, clock: () => now },
    { gateway: demo.Id, enterprise: demo.enterprise, days, fineDays: 0 },
    async (of) => {
      asked.push(of)
      return historyOf(of)
    },
    () => false,
  )

beforeAll(async () => {
  house = await startHouse({}, () => now)
  const { Id, SN, actor } = await seedDemo(house.database, 15_020, 'en')
  demo = { Id, SN, enterprise: actor.EnterpriseId }
})
afterAll(() => house?.close())

it('an existing demo gets history before its first reading, and its totals continue', async () => {
  const { Id, SN } = demo
  const [point] = await house.database.system.rows<{ Id: number; DeviceId: number }>(
    sql`select p."Id", p."DeviceId" from point p join device d on d."Id" = p."DeviceId" where d."GatewayId" = ${Id} order by 1`,
  )
  const { Key } = await house.data<{ Key: string }>('POST', '/Project/Gateway/ResetKey', { Id })
  const client = await connectGateway(house, { SN, Key })
  const first = now - 2 * day - 1000
  const total = (await demoPoints(house.database, Id))[4]!
  const live = {
    MsgId: crypto.randomUUID(),
    Ts: now,
    Data: { Items: [{ D: point!.DeviceId, T: first, V: { [point!.Id]: 1.5, [total]: 812_400 } }], Backfill: 1 },
  }
  await client.publishAsync(`iot/v1/${SN}/up/history`, JSON.stringify(live), { qos: 1 })
  const today = { ...live, MsgId: crypto.randomUUID(), Data: { Items: [{ D: point!.DeviceId, T: now, V: { [total]: 820_000 } }] } }
  await client.publishAsync(`iot/v1/${SN}/up/data`, JSON.stringify(today), { qos: 1 })
  await client.endAsync()
  await seed()
  const readings = await house.telemetry.read([point!.Id], 0, now + day)
  expect(readings.at(-1)).toMatchObject({ time: first, value: 1.5 })
  expect(readings.length).toBeGreaterThan(200)
  const totals = (await house.telemetry.read([total], 0, now + day)).map((r) => r.value!)
  expect(totals).toEqual(totals.toSorted((a, b) => a - b))
  expect(totals.at(-2)! - totals.at(-3)!).toBeLessThan(200)
  const file = join(house.folder, 'plant.json')
  await handOver(file, house, Id)
  const plant = await startPlant({ port: 0, clock: () => now + 3_600_000, state: file })
  await plant.close()
  expect(plant.world.water.rawTotal - 820_000).toBeGreaterThanOrEqual(0)
  expect(plant.world.water.rawTotal - 820_000).toBeLessThan(700)
})

it('a company of an earlier version is given the new devices with their past, once, and nothing else changes', async () => {
  const newer = ['Main incomer meter', 'Treatment power meter', 'Cold store power meter', 'Building power meter']
  const { rows } = house.database.system
  const old = ((await demoPoints(house.database, demo.Id)) as number[]).slice(0, 200)
  const before = await house.telemetry.read(old, 0, now)
  await rows(sql`delete from device where "GatewayId" = ${demo.Id} and "DeviceName" = any(${newer}::text[])`)
  await rows(sql`delete from net_protocol where "GatewayId" = ${demo.Id} and "ProtocolName" = any(${newer}::text[])`)
  await rows(
    sql`update tenant_config set "Config" = "Config" - 'devices' where "EnterpriseId" = ${demo.enterprise} and "Name" = 'demoHistory'`,
  )
  for (const _ of [1, 2]) {
    await seedDemo(house.database, 15_020, 'en')
    asked.length = 0
    await seed()
  }
  // The second start asks the plant for nothing.
  expect(asked).toEqual([])
  const points = await demoPoints(house.database, demo.Id)
  expect(points.filter((id) => id !== undefined)).toHaveLength(243)
  expect(await house.telemetry.read(old, 0, now)).toEqual(before)
  const [energy] = await rows<{ Id: number }>(
    sql`select p."Id" from point p join device d on d."Id" = p."DeviceId" where d."DeviceName" = 'Main incomer meter' and p."ParaName" = 'Active energy'`,
  )
  const read = (await house.telemetry.read([energy!.Id], 0, now)).map((r) => r.value!)
  expect(read.length).toBeGreaterThan(days * 96)
  expect(read).toEqual(read.toSorted((a, b) => a - b))
})

it('a demo company whose gateway has become another one is left out, and the server starts', async () => {
  const rename = (SN: string) => house.database.system.rows(sql`update gateway set "SN" = ${SN} where "Id" = ${demo.Id}`)
  await rename('ANOTHERBOX01')
  const steps: string[] = []
  const log = { warn: () => undefined } as unknown as Parameters<typeof startDemo>[2]
  const settings = { data: house.folder, language: 'en' } as Settings
  const left = await startDemo(house as unknown as Started, settings, log, (...step) => steps.push(step.join(' ')))
  await rename(demo.SN)
  await left.connected
  await (await left.stop())()
  expect(steps).toEqual(['Demo left out: Riverside Waterworks no longer has the gateway PENSTOCKDEMO'])
})
