import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Plant, startPlant } from './harness.ts'

let plant: Plant
beforeAll(async () => {
  plant = await startPlant()
})
afterAll(() => plant.close())

const becomes = (id: number, values: Record<string, unknown>) =>
  vi.waitFor(async () => expect(await plant.row(id)).toMatchObject(values), { timeout: 60_000, interval: 50 })
/** Assigns another box, or none, as one transaction of a call would. */
const give = (id: number, SN: string | null, FormerSN: string) =>
  plant.kit.database.system.tx(async (db) => {
    await db.rows(sql`update gateway set "SN" = ${SN}, "FormerSN" = ${FormerSN}, "BoundTime" = ${new Date(plant.clock.now)}, "SecretHash" = null,
      "OnlineStatus" = 2, "ConfigStatus" = 1, "ConfigVersion" = null where "Id" = ${id}`)
    db.emit({ resource: 'gateway', id, verb: 'update', EnterpriseId: plant.kit.enterprises.ours })
  })

test('a gateway that loses its serial number is cut off, its devices are offline, and nothing the box said stays', async () => {
  const g = await plant.equip(1)
  const { client, report } = await plant.connect(g)
  await report('state', { Online: 1, ConfigVersion: 7 })
  await report('heartbeat', { Devices: [{ DeviceId: g.device, Status: 1, OkCount: 1, ErrCount: 0 }] })
  await becomes(g.Id, { OnlineStatus: 1, ConfigVersion: 7 })
  const closed = new Promise((done) => client.once('close', () => done(undefined)))
  // Not written yet at the time of the release.
  await report('state', { Online: 1, ConfigVersion: 8, Ip: '10.9.9.9' })
  await give(g.Id, null, g.SN)
  await closed
  await becomes(g.Id, { SN: null, FormerSN: g.SN, OnlineStatus: 2, ConfigVersion: null })
  await vi.waitFor(async () => expect(await plant.kit.data('owner', 'GET', `/Project/Device?Id=${g.device}`)).toMatchObject({ Status: 0 }))
  await new Promise((done) => setTimeout(done, 700))
  await becomes(g.Id, { SN: null, OnlineStatus: 2, ConfigVersion: null, ConfigStatus: 1 })
})

test('what needs a box is refused by name while a gateway has none', async () => {
  const g = await plant.equip(1, { ReadWriteType: 1 })
  await give(g.Id, null, g.SN)
  await vi.waitFor(() => expect(plant.registry.gatewayById(g.Id)!.SN).toBeNull())
  for (const [path, body] of [
    ['/Project/Gateway/ResetKey', { Id: g.Id }],
    ['/Project/Gateway/TimeSync', { Id: g.Id }],
    ['/Project/Gateway/NetTest', { Id: g.Id, Ip: '10.0.0.1', Port: 502 }],
    ['/Project/Protocol/OptionPush', { GatewayId: g.Id }],
    ['/Project/DevPara/Write', { ParaId: g.points[0], Value: 1 }],
  ] as const)
    expect(await plant.kit.call('owner', 'POST', path, body), path).toMatchObject({
      StatusCode: 409,
      Details: { Fault: 'gatewayReleased' },
    })
  const why = await plant.kit.data<{ Stage: string; Reason: string }[]>('owner', 'GET', `/Project/Device/WhyNoData?Id=${g.device}`)
  expect(why[0]).toMatchObject({ Stage: 'gateway', Reason: 'released' })
  expect(await plant.kit.call('owner', 'GET', `/Project/Gateway/RemoteLockInfo?Id=${g.Id}`)).toMatchObject({ Data: { SN: null } })
  expect(await plant.kit.call('owner', 'GET', '/Alarm/AlarmInfo/GatewaySNList')).not.toMatchObject({ Data: [{ Name: null }] })
})

test('late readings of the box before are rejected, counted at the gateway, and acknowledged so that they come once', async () => {
  const g = await plant.equip(1)
  const ingest = vi.fn(async () => ({ readings: 0 }))
  plant.ingest(ingest)
  await give(g.Id, 'SPARE0000077', g.SN)
  await vi.waitFor(() => expect(plant.registry.gateway('SPARE0000077')?.Id).toBe(g.Id))
  await plant.says(g.SN, 'history', { MsgId: 'late', Ts: plant.clock.now, Data: { Items: [] } })
  await plant.says(g.SN, 'state', { MsgId: 'birth', Ts: plant.clock.now, Data: { Online: 1 } })
  expect(ingest).not.toHaveBeenCalled()
  expect(plant.rejected.filter((r) => r.SN === g.SN)).toMatchObject([
    { EnterpriseId: plant.kit.enterprises.ours, reason: 'formerGateway', detail: 'history' },
  ])
  await becomes(g.Id, { SN: 'SPARE0000077', OnlineStatus: 2 })
  const why = await plant.kit.data<{ Stage: string; Reason: string }[]>('owner', 'GET', `/Project/Device/WhyNoData?Id=${g.device}`)
  expect(why.find(({ Stage }) => Stage === 'parse')).toMatchObject({ Reason: 'formerGateway' })
})

test('a box that is taken away under a push ends it, and the push says nothing of the next box', async () => {
  const g = await plant.equip(1)
  const asked = Promise.withResolvers<void>()
  await plant.connect(g, async () => {
    asked.resolve()
    return new Promise<object>(() => undefined)
  })
  const pushed = plant.kit.data<{ Code: number }>('owner', 'POST', '/Project/Protocol/OptionPush', { GatewayId: g.Id })
  await asked.promise
  await give(g.Id, 'SPARE0000078', g.SN)
  expect(await pushed).toMatchObject({ Code: 2 })
  await new Promise((done) => setTimeout(done, 600))
  await becomes(g.Id, { SN: 'SPARE0000078', ConfigStatus: 1, ConfigVersion: null })
})
