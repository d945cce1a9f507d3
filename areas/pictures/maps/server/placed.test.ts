// Gateways and devices on the map.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { permissions } from '../../../../contract/menus.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { gateway } from '../../../configuration/gateways/contract.ts'
import { project } from '../../../configuration/projects/contract.ts'
import type { MapDevice, MapGateway } from '../contract.ts'
import { mapRoutes } from './routes.ts'

type Row = { Id: number }
let kit: Kit
let make: ReturnType<typeof maker>
let north = 0
beforeAll(async () => {
  kit = await startKit({ areas: () => [mapRoutes] })
  make = maker(kit)
  north = ((await make.create(project, { ProjectName: 'North works' })) as Row).Id
  await kit.person('northern', kit.enterprises.ours, { projects: [north] })
  await kit.person('looker', kit.enterprises.ours, { menus: permissions.filter((p) => p === 'm10311' || p === 'm100') })
})
afterAll(() => kit.close())

it('gateways stand where the stock last knew them, with their devices, for those who see them', async () => {
  const { Id, SN } = (await make.create(gateway, { ProjectId: north, GatewayName: 'Harbour box' })) as Row & { SN: string }
  const { Id: other } = (await make.create(gateway, {})) as Row
  await make.create(device, { GatewayId: Id })
  const stand = (Lng: number | null, time: string) =>
    kit.db.rows(
      sql`insert into gateway_position ("EnterpriseId", "SN", "AreaCode", "Lng", "Lat", "PositionTime") values (${kit.enterprises.ours}, ${SN}, '110000', ${Lng}, 41, ${time})`,
    )
  await stand(1, '2026-01-01 00:00Z')
  await stand(2, '2026-01-02 00:00Z')
  await stand(null, '2026-01-03 00:00Z')
  const on = async (as: string) => kit.data<{ Items: MapGateway[] | null }>(as, 'GET', '/System/Map/Gateways')
  const { Items } = await on('owner')
  expect(Items!.map((g) => g.Id)).not.toContain(other)
  expect(Items).toMatchObject([
    {
      Id,
      GatewayName: 'Harbour box',
      ProjectId: north,
      ProjectName: 'North works',
      Longitude: 2,
      Latitude: 41,
      Devices: 1,
      ActiveAlarms: 0,
    },
  ])
  expect((await on('northern')).Items).toHaveLength(1)
  expect((await on('stranger')).Items).toEqual([])
  expect((await on('looker')).Items).toBeNull()
})

it('devices stand at their own position, with their alarms, for those who see them', async () => {
  const { Id: GatewayId } = (await make.create(gateway, { ProjectId: north })) as Row
  const { Id } = (await make.create(device, { GatewayId, DeviceName: 'Well 3', Longitude: 2.5, Latitude: 41.5 })) as Row
  const { Id: bare } = (await make.create(device, { GatewayId, Longitude: null, Latitude: null })) as Row
  await kit.db.rows(sql`
    insert into alarm_info ("EnterpriseId", "AlmNo", "RuleName", "AlarmLevel", "ProjectId", "GatewayId", "DeviceId", "Subject", "IsActive", "StartTime")
    values (${kit.enterprises.ours}, 'W3', 'Level', 2, ${north}, ${GatewayId}, ${Id}, 's', 1, now())`)
  const on = async (as: string) => {
    const { Items } = await kit.data<{ Items: MapDevice[] | null }>(as, 'GET', '/System/Map/Devices')
    return Items?.filter((d) => [Id, bare].includes(d.Id))
  }
  const well = {
    Id,
    DeviceName: 'Well 3',
    ProjectName: 'North works',
    Longitude: 2.5,
    Latitude: 41.5,
    Status: 3,
    ActiveAlarms: 1,
    AlarmLevel: 2,
  }
  expect(await on('owner')).toEqual([{ ...well, ProjectId: north }])
  expect(await on('northern')).toHaveLength(1)
  expect(await on('stranger')).toEqual([])
  expect(await on('looker')).toBeUndefined()
})
