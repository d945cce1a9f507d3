import { sql } from 'kysely'
import type { Answer, Query } from '../../../../contract/call.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import type { roomCalls } from '../calls.ts'
import { coldSensorBind } from '../contract.ts'
import { zoneOf } from './sensors.ts'

type Item = Answer<typeof roomCalls.serials>['Items'][number]
/** Sensors with a serial number, the newest binding of each. */
export const serialsOf = async (
  db: Db,
  actor: Actor,
  { SN, Search, PageIndex = 1, PageSize = 20 }: Query<typeof roomCalls.serials>,
): Promise<Answer<typeof roomCalls.serials>> => {
  const like = `%${(Search ?? '').trim().replace(/[\\%_]/g, '\\$&')}%`
  const rows = await db.rows<Item & { Total: number }>(sql`
    with newest as (
      select distinct on (t."ProductSN") t."ProductSN", r."SN", t."SensorType" as "Type", r."StorageName", t."BindTime", (t."UnbindTime" is null)::int as "Status"
      from cold_sensor_bind t join cold_storage r on r."Id" = t."ColdStorageId"
      where t."ProductSN" is not null and ${visible(coldSensorBind, actor)} and ${SN ? sql`r."SN" = ${SN.trim().toUpperCase()}` : sql`true`}
        and t."ProductSN" ilike ${like}
      order by t."ProductSN", t."BindTime" desc)
    select "ProductSN", "SN", "Type", "StorageName", "Status", count(*) over ()::int as "Total",
      to_char("BindTime" at time zone ${zoneOf(actor)}::text, 'YYYY-MM-DD HH24:MI:SS') as "ActiveTime"
    from newest order by "ProductSN" limit ${PageSize} offset ${(PageIndex - 1) * PageSize}`)
  return { PageIndex, PageSize, TotalCount: rows[0]?.Total ?? 0, Items: rows.map(({ Total: _, ...row }) => row) }
}
