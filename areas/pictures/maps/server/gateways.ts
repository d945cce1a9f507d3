import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { ownTurn } from '../../../../server/jobs/ownTurn.ts'
import { countable } from '../../../../server/resource/figures.ts'
import { titleOf, visible } from '../../../../server/resource/sql.ts'
import { alarmInfo } from '../../../alarms/alarms/contract.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { gateway } from '../../../configuration/gateways/contract.ts'
import { gatewayPosition } from '../../../people/agents/contract.ts'
import { type MapGateway, mostOnMap } from '../contract.ts'

const isHidden = (actor: Actor, resource: string, field: string) => !!actor.dataScope?.hidden[resource]?.has(field)

/** Gateways at their last position, which the stock has by serial number, with their devices. */
export const gatewaysOnMap = async (db: Db, actor: Actor): Promise<{ Items: MapGateway[] | null; TotalMore: boolean }> => {
  if (!actor.may.has(gateway.permission)) return { Items: null, TotalMore: false }
  if (['SN', 'Lng', 'Lat'].some((field) => isHidden(actor, gatewayPosition.name, field)) || isHidden(actor, gateway.name, 'SN'))
    return { Items: [], TotalMore: false }
  const [seesDevices, seesAlarms] = [actor.may.has(device.permission), actor.may.has(alarmInfo.permission)]
  const online = isHidden(actor, gateway.name, 'OnlineStatus') ? sql`null::int` : sql`t."OnlineStatus"::int`
  const deviceOnline = isHidden(actor, device.name, 'Status') ? sql`null::int` : sql`count(*) filter (where d."Status" = 1)::int`
  const rows = await db.rows<MapGateway>(sql`
    with placed as (
      select t."Id", t."GatewayName", t."ProjectId", ${titleOf(['ProjectName', 'ProjectId', 'project'], actor, gateway)} as "ProjectName",
        ${online} as "OnlineStatus", p."Lng" as "Longitude", p."Lat" as "Latitude",
        to_char(p."PositionTime" at time zone ${actor.zone ?? actor.tenantZone}::text, 'YYYY-MM-DD HH24:MI:SS') as "PositionTime"
      from gateway t cross join lateral (
        select x."Lng", x."Lat", x."PositionTime" from gateway_position x
        where x."EnterpriseId" = t."EnterpriseId" and x."SN" = t."SN" and x."Lng" is not null and x."Lat" is not null
        order by x."PositionTime" desc, x."Id" desc limit 1) p
      where ${visible(gateway, actor)} order by t."GatewayName", t."Id" limit ${mostOnMap + 1}
    ), devices as (
      select d."GatewayId", count(*)::int as n, ${deviceOnline} as online from placed join device d on d."GatewayId" = placed."Id"
      where ${visible(device, actor, 'd')} group by 1
    ), alarms as (
      select t."GatewayId", count(*)::int as n, max(${countable(actor, alarmInfo, 'AlarmLevel')})::int as level
      from alarm_info t join placed on placed."Id" = t."GatewayId" where t."IsActive" = 1 and ${visible(alarmInfo, actor)} group by 1
    )
    select placed.*, case when ${seesDevices} then coalesce(devices.n, 0) end as "Devices", case when ${seesDevices} then coalesce(devices.online, 0) end as "OnlineDevices",
      case when ${seesAlarms} then coalesce(alarms.n, 0) end as "ActiveAlarms", case when ${seesAlarms} then coalesce(alarms.level, 0) end as "AlarmLevel"
    from placed left join devices on devices."GatewayId" = placed."Id" left join alarms on alarms."GatewayId" = placed."Id"
    order by placed."GatewayName", placed."Id"`)
  await ownTurn()
  return { Items: rows.slice(0, mostOnMap), TotalMore: rows.length > mostOnMap }
}
