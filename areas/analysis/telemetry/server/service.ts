import { sql } from 'kysely'
import type { Language } from '../../../../contract/languages.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import type { Db } from '../../../../server/database/db.ts'
import { notFound } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { point } from '../../../configuration/points/contract.ts'

const points = point
const devices = device
/** Points that one answer describes at most. */
const described = 10_000

/** Those of the ids that the actor may see. */
export const visiblePoints = async (db: Db, actor: Actor, ids: readonly number[]): Promise<number[]> =>
  (await db.rows<{ Id: number }>(sql`select "Id" from point t where "Id" = any(${ids}::bigint[]) and ${visible(points, actor)}`)).map(
    (r) => r.Id,
  )

/** Every id must be a point the actor sees, or the call is 404 (findings 26); answers the tenant's zone, in which days are days, and digits by point. */
export const chartedPoints = async (db: Db, actor: Actor, ids: readonly number[]) => {
  const rows = await db.rows<{ Id: number; Zone: string; DecimalDigits: number }>(sql`
    select t."Id", t."DecimalDigits", e."TimeZoneKey" as "Zone" from point t join enterprise e on e."Id" = t."EnterpriseId"
    where t."Id" = any(${ids}::bigint[]) and ${visible(points, actor)}`)
  if (rows.length !== new Set(ids).size) throw notFound()
  return { zone: rows[0]!.Zone, digits: new Map(rows.map((row) => [row.Id, row.DecimalDigits])) }
}

type Described = Omit<ParaInfo, 'ParaDataTypeName'> & { ParaDataType: number }

/** Where Ids of points, Ids of devices or the project narrow it: what charts and tables need to know of a point. */
export const paraInfo = async (
  db: Db,
  actor: Actor,
  language: Language,
  { deviceIds, projectId, pointIds }: { deviceIds?: readonly number[]; projectId?: number; pointIds?: readonly number[] },
): Promise<ParaInfo[]> => {
  if (deviceIds) {
    const seen = await db.rows(sql`select 1 from device t where "Id" = any(${deviceIds}::bigint[]) and ${visible(devices, actor)}`)
    if (seen.length !== new Set(deviceIds).size) throw notFound()
  }
  const rows = await db.rows<Described>(sql`
    select t."Id" as "ParaId", t."ParaName", coalesce(t."ParaUnitName", '') as "ParaUnitName", t."ParaDataType", t."AxisMin", t."AxisMax", t."IsChartShow",
      t."DecimalDigits", t."AlarmLow", t."AlarmHigh", t."ReadWriteType",
      coalesce(t."ZeroText", '') as "ZeroText", coalesce(t."OneText", '') as "OneText", d."Id" as "DeviceId", d."DeviceName", d."Status" as "DeviceStatus",
      case t."UploadMode" when 1 then t."CollectPeriod" else greatest(t."UploadPeriod" * 1000, t."CollectPeriod") end as "ExpectedMs"
    from point t join device d on d."Id" = t."DeviceId"
    where ${visible(points, actor)} and ${pointIds ? sql`t."Id" = any(${pointIds}::bigint[])` : sql`true`}
      and ${deviceIds ? sql`t."DeviceId" = any(${deviceIds}::bigint[])` : sql`true`}
      and ${projectId ? sql`d."GatewayId" in (select "Id" from gateway where "ProjectId" = ${projectId})` : sql`true`}
    order by d."DeviceName", t."Id" limit ${described}`)
  return rows.map(({ ParaDataType, ...row }) => ({ ...row, ParaDataTypeName: word(language, `point.ParaDataType.${ParaDataType}`) }))
}
