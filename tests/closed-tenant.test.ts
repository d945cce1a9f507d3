// What a tenant's state means for its plant: closed, over, and how long readings are kept.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type House, startHouse, until } from './house.ts'
import { connectGateway, reading } from './two-tenants.ts'

const day = 86_400_000
let house: House
let now = Date.now()
beforeAll(async () => {
  house = await startHouse({}, () => now)
})
afterAll(() => house?.close())

let count = 0
const seed = async () => {
  const SN = `CLOSED${String(++count).padStart(6, '0')}`
  const [row] = await house.database.system.rows<{ Id: number }>(sql`insert into enterprise ("Name") values (${SN}) returning "Id"`)
  const make = (path: string, draft: object) => house.data('POST', path, draft)
  const project = await make('/Project/Project', { ProjectName: SN, EnterpriseId: row!.Id })
  const gateway = await make('/Project/Gateway', { GatewayName: SN, SN, ProjectId: project.Id })
  const device = await make('/Project/Device', { DeviceName: 'Pump', GatewayId: gateway.Id })
  const point = await make('/Project/DevPara', { DeviceId: device.Id, ParaName: 'Pressure', Address: '0' })
  const { Key } = await house.data<{ Key: string }>('POST', '/Project/Gateway/ResetKey', { Id: gateway.Id })
  await until('the point to be known', () => house.registry.get(point.Id))
  const client = await connectGateway(house, { SN, Key })
  /** One reading, now; answers how many the point has then. */
  const send = async (value: number) => {
    await client.publishAsync(`iot/v1/${SN}/up/data`, reading(device.Id, point.Id, value), { qos: 1 })
    return stored()
  }
  const stored = async () => {
    const { Series } = await house.data<{ Series: { Count: number[] }[] }>('POST', '/DataCenter/ReportData/Data', {
      ParaIds: [point.Id],
      Start: 0,
      End: Date.now() + 10 * day,
    })
    return Series[0]!.Count.reduce((sum, n) => sum + n, 0)
  }
  return { EnterpriseId: row!.Id, SN, send, stored, close: () => client.endAsync(true) }
}
const change = (more: object) => house.data('PUT', '/System/Enterprise', more)
/** As the calls of the console write it in the zone of the tests. */
const moment = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
const wait = () => new Promise((done) => setTimeout(done, 15))

it.each([
  ['disabled', (Id: number) => change({ Id, Status: 0 }), (Id: number) => change({ Id, Status: 1 })],
  ['past its time', (Id: number) => change({ Id, GrantTo: moment(now) }), (Id: number) => change({ Id, GrantTo: null })],
] as const)('the gateways of a tenant that is %s go on storing for seven days, and again when it is back', async (_, shut, open) => {
  const { EnterpriseId, SN, send, stored, close } = await seed()
  const began = now
  expect(await send(1)).toBe(1)
  await shut(EnterpriseId)
  await wait()
  now = began + 7 * day - 60_000
  expect(await send(2)).toBe(2)
  now = began + 7 * day + 60_000
  expect(await send(3)).toBe(2)
  const refused = await house.data<{ Items: { reason: string }[] }>('GET', `/Project/Gateway/Rejected?SN=${SN}`).catch(() => undefined)
  const kept = refused?.Items ?? house.telemetry.rejected.list({ EnterpriseId, serials: [SN], page: 1, size: 10 }).Items
  expect(kept.map((r) => r.reason)).toEqual(['tenantClosed'])
  await open(EnterpriseId)
  await until('readings to be stored again', async () => (await send(4)) > 2)
  expect(await stored()).toBeGreaterThan(2)
  now = Date.now()
  await close()
})

it('what the gateways of a closed tenant send is kept in batches, and takes turns with others', async () => {
  const { EnterpriseId, SN, send, close } = await seed()
  await change({ Id: EnterpriseId, Status: 0 })
  await wait()
  now += 8 * day
  const add = vi.spyOn(house.telemetry.rejected, 'add')
  await Promise.all(Array.from({ length: 200 }, (_, i) => send(i)))
  expect(house.telemetry.rejected.count({ EnterpriseId, serials: [SN] })).toBe(200)
  expect(add.mock.calls.length).toBeLessThan(100)
  add.mockRestore()
  now = Date.now()
  await close()
})

it('the days a tenant keeps its readings reach the store as soon as they are changed', async () => {
  const { EnterpriseId, send, stored, close } = await seed()
  expect(await send(1)).toBe(1)
  now = Date.now() + 3 * day
  await house.telemetry.keep()
  expect(await stored()).toBe(1)
  await change({ Id: EnterpriseId, RetentionDays: 1 })
  await wait()
  now += day
  await house.telemetry.keep()
  expect(await stored()).toBe(0)
  now = Date.now()
  await close()
})
