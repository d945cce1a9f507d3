import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Plant, startPlant } from './harness.ts'

let plant: Plant
beforeAll(async () => {
  plant = await startPlant()
})
afterAll(() => plant.close())

const becomes = (id: number, values: Record<string, unknown>) => vi.waitFor(async () => expect(await plant.row(id)).toMatchObject(values))

test('devices go offline with their gateway, and are back with their first good reading after it', async () => {
  const g = await plant.equip(1, { ReadWriteType: 1 })
  const { report } = await plant.connect(g)
  const point = g.points[0]!
  const status = (wanted: number) =>
    vi.waitFor(async () => expect(await plant.kit.data('owner', 'GET', `/Project/Device?Id=${g.device}`)).toMatchObject({ Status: wanted }))
  const stored = (quality: number) => plant.gateways.stored([{ point, time: plant.clock.now, quality }])
  await report('heartbeat', { Devices: [{ DeviceId: g.device, Status: 1, OkCount: 5, ErrCount: 0 }] })
  await status(1)
  await report('state', { Online: 0 })
  await status(0)
  expect(await plant.kit.call('owner', 'POST', '/Project/DevPara/Write', { ParaId: point, Value: 1 })).toMatchObject({
    Details: { Fault: 'gatewayOffline' },
  })
  stored(0)
  await report('state', { Online: 1 })
  await becomes(g.Id, { OnlineStatus: 1 })
  stored(2)
  await status(0)
  expect(await plant.kit.call('owner', 'POST', '/Project/DevPara/Write', { ParaId: point, Value: 1 })).toMatchObject({
    Details: { Fault: 'deviceOffline' },
  })
  stored(0)
  await status(1)
  // A reading in transit does not override the gateway's own report about a device.
  await report('heartbeat', { Devices: [{ DeviceId: g.device, Status: 2, OkCount: 5, ErrCount: 9 }] })
  await status(2)
  stored(0)
  await report('heartbeat', { Rssi: -33 })
  await becomes(g.Id, { Rssi: -33 })
  await status(2)
})
