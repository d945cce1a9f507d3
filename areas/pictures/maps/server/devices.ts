import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { ownTurn } from '../../../../server/jobs/ownTurn.ts'
import { countable } from '../../../../server/resource/figures.ts'
import { titleOf, visible } from '../../../../server/resource/sql.ts'
import { alarmInfo } from '../../../alarms/alarms/contract.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { gateway } from '../../../configuration/gateways/contract.ts'
import { type MapDevice, mostOnMap } from '../contract.ts'

/** Devices with their own position, by name. */
export const devicesOnMap = async (db: Db, actor: Actor): Promise<{ Items: MapDevice[] | null; TotalMore: boolean }> => {
  if (!actor.may.has(device.permission)) return { Items: null, TotalMore: false }
  const hidden = actor.dataScope?.hidden[device.name]
  if (hidden?.has('Longitude') || hidden?.has('Latitude')) return { Items: [], TotalMore: false }
  const seesAlarms = actor.may.has(alarmInfo.permission)
  const rows = await db.rows<MapDevice>(sql`
    with placed as (
      select d."Id", d."DeviceName", t."ProjectId", ${titleOf(['ProjectName', 'ProjectId', 'project'], actor, gateway)} as "ProjectName",
        d."Longitude", d."Latitude", ${hidden?.has('Status') ? sql`null::int` : sql`d."Status"::int`} as "Status"
      from device d join gateway t on t."Id" = d."GatewayId"
      where d."Longitude" is not null and d."Latitude" is not null and ${visible(device, actor, 'd')}
      order by d."DeviceName", d."Id" limit ${mostOnMap + 1}
    ), alarms as (
      select t."DeviceId", count(*)::int as n, max(${countable(actor, alarmInfo, 'AlarmLevel')})::int as level
      from alarm_info t join placed on placed."Id" = t."DeviceId" where t."IsActive" = 1 and ${visible(alarmInfo, actor)} group by 1
    )
    select placed.*, case when ${seesAlarms} then coalesce(alarms.n, 0) end as "ActiveAlarms", case when ${seesAlarms} then coalesce(alarms.level, 0) end as "AlarmLevel"
    from placed left join alarms on alarms."DeviceId" = placed."Id" order by placed."DeviceName", placed."Id"`)
  await ownTurn()
  return { Items: rows.slice(0, mostOnMap), TotalMore: rows.length > mostOnMap }
}
