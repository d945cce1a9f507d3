import { sql } from 'kysely'
import { type DemoDevice, demoPlant, demoZone } from '../../../../contract/demo-plant.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { type Actor, serverActor } from '../../../../server/identity/actor.ts'
import { addRoles, platformEnterprise } from '../../../../server/identity/setup.ts'
import { saveMany } from '../../../../server/resource/bulk.ts'
import { store } from '../../../../server/resource/store.ts'
import { netProtocol } from '../../channels/contract.ts'
import { device } from '../../devices/contract.ts'
import { gateway } from '../../gateways/contract.ts'
import { point } from '../../points/contract.ts'
import { project } from '../../projects/contract.ts'
import { demoSN } from '../contract.ts'
import { seedBoard } from './board.ts'
import { markNew, takeNewDevices } from './history.ts'
import { addPictures } from './pictures.ts'
import { standards } from './standards.ts'
import { seedTelevision } from './television.ts'

const tenantName = 'Riverside Waterworks'

/** Updates the plant's port, which may change in the settings between two starts. */
const movePlant = async (database: Database, actor: Actor, gatewayId: number, plantPort: number) => {
  const db = database.as(actor)
  const channels = await db.rows<{ Id: number; ProtocolName: string; Port: number }>(
    sql`select "Id", "ProtocolName", "Port" from net_protocol where "GatewayId" = ${gatewayId} and "Ip" = '127.0.0.1'`,
  )
  for (const { DeviceName, PortOffset } of demoPlant) {
    const channel = channels.find((c) => c.ProtocolName === DeviceName)
    if (channel && channel.Port !== plantPort + PortOffset)
      await store(netProtocol).update(db, actor, channel.Id, { Port: plantPort + PortOffset })
  }
}

/** Devices of the table behind a gateway, each with its channel and points. */
const addDevices = async (db: Db, actor: Actor, GatewayId: number, devices: readonly DemoDevice[], plantPort: number) => {
  const library = await db.rows<{ Id: number; Code: string }>(
    sql`select "Id", "Code" from standard_para where "EnterpriseId" = ${platformEnterprise}`,
  )
  const standardIds = new Map(library.map(({ Id, Code }) => [Code, Id]))
  for (const { DeviceName, PortOffset, SlaveNumber, ProtocolType, Points } of devices) {
    const channel = await store(netProtocol).create(db, actor, {
      ...{ ProtocolName: DeviceName, GatewayId, ProtocolType, Ip: '127.0.0.1', Port: plantPort + PortOffset },
    })
    const { Id: DeviceId } = await store(device).create(db, actor, {
      ...{ DeviceName, GatewayId, CommType: 0, NetProtocolId: channel.Id, SlaveNumber },
    })
    const codes = standards[DeviceName] ?? {}
    const named = Points.map((p) => ({ ...p, DeviceId, StandardParaId: standardIds.get(codes[p.ParaName] ?? '') ?? null }))
    await saveMany(db, actor, point, actor.EnterpriseId, { add: named, change: [] })
  }
}

/** Adds devices of a newer version to an existing demo company, once. Existing devices and channels with the same name stay unchanged. */
const addNewDevices = (database: Database, actor: Actor, gatewayId: number, plantPort: number) =>
  database.system.tx(async (db) => {
    const known = await db.rows<{ DeviceName: string }>(sql`
      select "DeviceName" from device where "GatewayId" = ${gatewayId} union select "ProtocolName" from net_protocol where "GatewayId" = ${gatewayId}`)
    const missing = await takeNewDevices(db, actor.EnterpriseId, new Set(known.map(({ DeviceName }) => DeviceName)))
    await addDevices(db, actor, gatewayId, missing, plantPort)
  })

/** Creates the simulated water works, once: a tenant with a project, gateway, channels, devices and points. Returns the gateway. */
export const seedDemo = async (
  database: Database,
  plantPort: number,
  language: Language,
): Promise<{ Id: number; SN: string; actor: Actor }> => {
  const [held] = await database.system.rows<{ Id: number; EnterpriseId: number }>(
    sql`select "Id", "EnterpriseId" from gateway where "SN" = ${demoSN}`,
  )
  if (held) {
    const actor = serverActor(held.EnterpriseId)
    await movePlant(database, actor, held.Id, plantPort)
    await addNewDevices(database, actor, held.Id, plantPort)
    return { Id: held.Id, SN: demoSN, actor }
  }
  return database.system.tx(async (db) => {
    if ((await db.rows(sql`select 1 from enterprise where "Name" = ${tenantName}`)).length)
      throw new Error(`${tenantName} no longer has the gateway ${demoSN}`)
    const [tenant] = await db.rows<{ Id: number }>(
      sql`insert into enterprise ("Name", "TimeZoneKey", "Language") values (${tenantName}, ${demoZone}, ${language}) returning "Id"`,
    )
    const actor = serverActor(tenant!.Id)
    await addRoles(db, tenant!.Id)
    await markNew(db, tenant!.Id)
    const { Id: ProjectId } = await store(project).create(db, actor, {
      ProjectName: 'River intake and clear water',
      ProjectNo: 'WW-1',
      Longitude: 2.11,
      Latitude: 41.48,
    })
    const made = await store(gateway).create(db, actor, { GatewayName: 'Soft gateway', SN: demoSN, ProjectId })
    await addDevices(db, actor, made.Id, demoPlant, plantPort)
    const pictures = await addPictures(db, actor, ProjectId, language)
    const board = await seedBoard(db, actor, ProjectId)
    await seedTelevision(db, actor, { ProjectId, board, pictures }, language)
    return { Id: made.Id, SN: demoSN, actor }
  })
}
