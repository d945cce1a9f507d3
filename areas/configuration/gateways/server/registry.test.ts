import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { watchedDatabase } from '../../../../main/testing/watchedDatabase.ts'
import { statement } from '../../../../server/database/connect.ts'
import { device } from '../../devices/contract.ts'
import { point } from '../../points/contract.ts'
import { project } from '../../projects/contract.ts'
import { gateway } from '../contract.ts'
import { openRegistry, type Registry } from './registry.ts'

let kit: Kit
let registry: Registry
let create: ReturnType<typeof maker>['create']
beforeAll(async () => {
  kit = await startKit()
  create = maker(kit).create
})
beforeEach(async () => {
  registry = await openRegistry(kit.database)
  return kit.database.onChange((change) => void registry.refresh(change))
})
afterAll(() => kit.close())

test('points made, changed and removed are known shortly after, with their device and gateway, and announced', async () => {
  const listener = vi.fn()
  registry.onChange(listener)
  const made = await create(point, { AlarmHigh: 80 })
  await vi.waitFor(() => expect(registry.get(made.Id)).toMatchObject({ Id: made.Id, AlarmHigh: 80, SN: expect.stringMatching(/^SN/) }))
  const meta = registry.get(made.Id)!
  expect(registry.ofGateway(meta.SN)).toEqual([meta])
  expect(registry.enterpriseOf?.(meta.SN)).toBe(kit.enterprises.ours)
  await kit.data('owner', 'PUT', point.path, { Id: made.Id, AlarmHigh: 90 })
  await vi.waitFor(() => expect(registry.get(made.Id)?.AlarmHigh).toBe(90))
  await kit.data('owner', 'PUT', device.path, { Id: meta.DeviceId, DeviceName: 'renamed' })
  await vi.waitFor(() => expect(registry.get(made.Id)?.DeviceName).toBe('renamed'))
  await kit.data('owner', 'DELETE', `${device.path}?Id=${meta.DeviceId}`)
  await vi.waitFor(() => expect(registry.get(made.Id)).toBeUndefined())
  expect(registry.ofGateway(meta.SN)).toEqual([])
  expect(listener).toHaveBeenLastCalledWith({ Id: made.Id, removed: true })
})

test('what changes together, such as rows of an import, is read together', async () => {
  const made = await create(point)
  const { DeviceId, GatewayId } = await vi.waitFor(() => {
    expect(registry.get(made.Id)).toBeDefined()
    return registry.get(made.Id)!
  })
  let queries = 0
  const counting = await openRegistry(watchedDatabase(kit.database, () => queries++))
  queries = 0
  const resources = ['point', 'device', 'gateway', 'netProtocol', 'serialProtocol', 'gatewayPara']
  const known: Record<string, number> = { point: made.Id, device: DeviceId, gateway: GatewayId }
  const changes = resources.flatMap((resource) => [
    { resource, id: known[resource] ?? 1 },
    ...Array.from({ length: 500 }, (_, i) => ({ resource, id: 1_000_000 + i })),
  ])
  const found = await Promise.all(changes.map((change) => counting.refresh(change)))
  expect([found[0], found[501], found[1002], found.flat().length]).toEqual([[GatewayId], [GatewayId], [GatewayId], 3])
  expect(queries).toBeLessThan(20)
})

test('a point is read after the device that was made before it, also when other points wait to be read', async () => {
  const [other, made] = [await create(point), await create(point)]
  const [row] = await kit.db.rows<{ DeviceId: number }>(sql`select "DeviceId" from point where "Id" = ${made.Id}`)
  const order: string[] = []
  const database = watchedDatabase(kit.database, (query) => {
    const { text, values } = statement(query)
    const [, table] = / from (point|device) where "Id"/.exec(text) ?? []
    if (table) order.push(`${table} ${values}`)
  })
  const watched = await openRegistry(database)
  order.length = 0
  await Promise.all([
    watched.refresh({ resource: 'gateway', id: 1 }),
    watched.refresh({ resource: 'point', id: other.Id }),
    watched.refresh({ resource: 'device', id: row!.DeviceId }),
    watched.refresh({ resource: 'point', id: made.Id }),
  ])
  expect(order).toEqual([`device ${row!.DeviceId}`, `point ${other.Id},${made.Id}`])
})

test('a gateway that moves to another project takes its points along', async () => {
  const made = await create(point)
  const other = await create(project)
  await vi.waitFor(() => expect(registry.get(made.Id)).toBeDefined())
  await kit.data('owner', 'PUT', gateway.path, { Id: registry.get(made.Id)!.GatewayId, ProjectId: other.Id })
  await vi.waitFor(() => expect(registry.get(made.Id)?.ProjectId).toBe(other.Id))
})

test('a gateway with another serial number, or none, is not found by the old one, and its points stay', async () => {
  const made = await create(point)
  await vi.waitFor(() => expect(registry.get(made.Id)).toBeDefined())
  const { GatewayId: id, SN: first } = registry.get(made.Id)!
  registry.gatewayById(id)!.OnlineStatus = 1
  const becomes = async (sn: string | null, former: string) => {
    await kit.db.rows(sql`update gateway set "SN" = ${sn}, "FormerSN" = ${former} where "Id" = ${id}`)
    await registry.refresh({ resource: 'gateway', id })
  }
  await becomes('SPARE0000001', first)
  expect(registry.gateway(first)).toBeUndefined()
  expect(registry.formerGateway(first)).toMatchObject({ Id: id })
  expect(registry.ofGateway(first)).toEqual([])
  expect(registry.ofGateway('SPARE0000001')).toEqual([expect.objectContaining({ Id: made.Id, SN: 'SPARE0000001' })])
  // Reports of the old box do not apply to the new one.
  expect(registry.gatewayById(id)).toMatchObject({ SN: 'SPARE0000001', OnlineStatus: 2 })
  await becomes(null, 'SPARE0000001')
  expect(registry.gateway('SPARE0000001')).toBeUndefined()
  expect(registry.formerGateway(first)).toBeUndefined()
  expect(registry.enterpriseOf?.('SPARE0000001')).toBe(kit.enterprises.ours)
  expect(registry.pointsOf(id)).toEqual([expect.objectContaining({ Id: made.Id, SN: '' })])
  // The box serves another gateway: both have it, one as its present box.
  const other = await create(gateway, { SN: 'SPARE0000001' })
  await vi.waitFor(() => expect(registry.gateway('SPARE0000001')?.Id).toBe(other.Id))
  expect(registry.formerGateway('SPARE0000001')).toBeUndefined()
  await kit.data('owner', 'DELETE', `${gateway.path}?Id=${other.Id}`)
  await vi.waitFor(() => expect(registry.formerGateway('SPARE0000001')?.Id).toBe(id))
})

test('it starts with everything there is: 100,000 points in pages', async () => {
  const dev = await create(device)
  await kit.db.rows(sql`insert into point ("EnterpriseId", "DeviceId", "ParaName", "Address")
    select ${kit.enterprises.ours}, ${dev.Id}, 'point ' || i, '0' from generate_series(1, 100000) i`)
  const fresh = await openRegistry(kit.database)
  const sn = fresh.gatewayById(dev.GatewayId as number)!.SN!
  expect(fresh.ofGateway(sn)).toHaveLength(100_000)
  expect(new Set(fresh.ofGateway(sn).map((p) => p.Id)).size).toBe(100_000)
})

test('changes that arrive together are read in one batch', async () => {
  const dev = await create(device)
  const rows = await kit.db.rows<{ Id: number }>(sql`insert into point ("EnterpriseId", "DeviceId", "ParaName", "Address")
    select ${kit.enterprises.ours}, ${dev.Id}, 'many ' || i, '0' from generate_series(1, 1000) i returning "Id"`)
  await vi.waitFor(() => expect(registry.device(dev.Id)).toBeDefined())
  const found = await Promise.all(rows.map(({ Id }) => registry.refresh({ resource: 'point', id: Id })))
  expect(new Set(found.flat())).toEqual(new Set([dev.GatewayId]))
  expect(rows.every(({ Id }) => registry.get(Id))).toBe(true)
})
