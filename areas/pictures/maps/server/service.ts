// Projects on maps: their positions and states.
import { sql } from 'kysely'
import type { Page } from '../../../../contract/call.ts'
import type { Row } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { ownTurn } from '../../../../server/jobs/ownTurn.ts'
import { countable } from '../../../../server/resource/figures.ts'
import { type Listing, readListing } from '../../../../server/resource/list.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { alarmInfo } from '../../../alarms/alarms/contract.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { gateway } from '../../../configuration/gateways/contract.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { type MapProject, mostOnMap } from '../contract.ts'

export { drawnLayers } from './layers.ts'
export type { Tiles } from './tiles.ts'

type Project = Row<typeof project> & { RegionName: string | null }
type Counted = { Id: number; n: number; online: number | null }
type Alarms = { Id: number; n: number; level: number | null }
const projects = store(project)

const isHidden = (actor: Actor, resource: string, field: string) => !!actor.dataScope?.hidden[resource]?.has(field)
const byProject = <T extends { Id: number }>(rows: readonly T[]) => new Map(rows.map((row) => [row.Id, row]))

/** Counts of the rows that the actor sees in these projects, one statement per kind. */
const countsOf = async (db: Db, actor: Actor, ids: readonly number[]) => {
  const of = sql`any(${[...ids]}::bigint[])`
  // A device belongs to the project of its gateway.
  const deviceStatus = isHidden(actor, 'device', 'Status') ? sql`null::smallint` : sql`d."Status"`
  const [gateways, devices, alarms] = await db.all([
    sql<Counted>`
      select t."ProjectId" as "Id", count(*)::int as n, count(*) filter (where ${countable(actor, gateway, 'OnlineStatus')} = 1)::int as online
      from gateway t where t."ProjectId" = ${of} and ${visible(gateway, actor)} group by 1`,
    sql<Counted>`
      select g."ProjectId" as "Id", count(*)::int as n, count(*) filter (where ${deviceStatus} = 1)::int as online
      from gateway g join device d on d."GatewayId" = g."Id" where g."ProjectId" = ${of} and ${visible(device, actor, 'd')} group by 1`,
    sql<Alarms>`
      select t."ProjectId" as "Id", count(*)::int as n, max(${countable(actor, alarmInfo, 'AlarmLevel')})::int as level
      from alarm_info t where t."IsActive" = 1 and t."ProjectId" = ${of} and ${visible(alarmInfo, actor)} group by 1`,
  ])
  return {
    gateways: byProject(gateways as Counted[]),
    devices: byProject(devices as Counted[]),
    alarms: byProject(alarms as Alarms[]),
  }
}

const stateOf = (gateways: number, online: number) => {
  if (!gateways) return 0
  if (online === gateways) return 1
  return online ? 2 : 3
}

/** Adds state and counts. Omits counts of rows that the actor may not open. */
const described = async (db: Db, actor: Actor, rows: readonly Project[]): Promise<MapProject[]> => {
  const ids = rows.map(({ Id }) => Id)
  const counts = ids.length ? await countsOf(db, actor, ids) : undefined
  const may = (r: { permission: string }) => actor.may.has(r.permission)
  const known = { gateways: may(gateway), devices: may(device), alarms: may(alarmInfo) }
  const online = known.gateways && !isHidden(actor, 'gateway', 'OnlineStatus')
  const onlineDevices = known.devices && !isHidden(actor, 'device', 'Status')
  return rows.map(({ Id, ProjectName, Address, RegionId, RegionName, Longitude, Latitude }) => {
    const [gateways, devices, alarms] = [counts?.gateways.get(Id), counts?.devices.get(Id), counts?.alarms.get(Id)]
    const placed = Longitude !== null && Latitude !== null
    return {
      ...{ Id, ProjectName, Address, RegionId, RegionName },
      ...(placed ? { Longitude, Latitude } : { Longitude: null, Latitude: null }),
      State: online ? stateOf(gateways?.n ?? 0, gateways?.online ?? 0) : null,
      Gateways: known.gateways ? (gateways?.n ?? 0) : null,
      OnlineGateways: online ? (gateways?.online ?? 0) : null,
      Devices: known.devices ? (devices?.n ?? 0) : null,
      OnlineDevices: onlineDevices ? (devices?.online ?? 0) : null,
      ActiveAlarms: known.alarms ? (alarms?.n ?? 0) : null,
      AlarmLevel: known.alarms ? (alarms?.level ?? 0) : null,
    }
  })
}

/** A page of projects, with or without a position. */
export const projectPage = async (db: Db, actor: Actor, listing: Listing): Promise<Page<MapProject>> => {
  const { Items, ...rest } = await projects.list(db, actor, listing)
  return { ...rest, Items: await described(db, actor, Items as Project[]) }
}

/** One project as maps describe it. @throws Fault `notFound` */
export const projectOnMap = async (db: Db, actor: Actor, id: number): Promise<MapProject> => {
  const [one] = await described(db, actor, [(await projects.find(db, actor, id)) as Project])
  return one!
}

const placed = sql`t."Longitude" is not null and t."Latitude" is not null`

/** The projects of one map. Empty if positions are hidden from the actor. */
export const projectsOnMap = async (
  db: Db,
  actor: Actor,
  given: { RegionId?: number; Search?: string; EnterpriseId?: number; Id?: number },
) => {
  const listing = readListing(given)
  const hidden = isHidden(actor, 'project', 'Longitude') || isHidden(actor, 'project', 'Latitude')
  const only = (where: typeof placed, size: number): Listing => ({ ...listing, size, conditions: [...listing.conditions, where] })
  const [on, off] = await Promise.all([
    hidden ? undefined : projects.list(db, actor, only(sql`(${placed})`, mostOnMap)),
    projects.list(db, actor, only(hidden ? sql`true` : sql`not (${placed})`, 1)),
  ])
  // Reading, describing and sending 10,000 rows take some 30 ms each.
  await ownTurn()
  const Items = await described(db, actor, (on?.Items ?? []) as Project[])
  await ownTurn()
  return {
    Items,
    TotalMore: on?.TotalMore ?? false,
    Unplaced: off.TotalCount,
  }
}
