import { sql } from 'kysely'
import type { Answer, Query } from '../../../../contract/call.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { givenBack, mtnComponent, mtnComponentRecord, scrapped, seesCost, type sparePartCalls, takenOut } from '../contract.ts'

const most = 5000
const part = sql`c."Id" as "ComponentId", c."ComponentName", c."ComponentNo", c."Unit"`
const inCurrency = (billionths: ReturnType<typeof sql>, actor: Actor) =>
  actor.may.has(seesCost) ? sql`(${billionths} / 1000000000)::float8` : sql`null::float8`

/** Movements by part, type and month, in the caller's time zone. */
export const sums = async (
  db: Db,
  actor: Actor,
  { ComponentId, DateFrom, DateTo }: Query<typeof sparePartCalls.sums>,
): Promise<Answer<typeof sparePartCalls.sums>> => {
  const zone = actor.zone ?? actor.tenantZone
  const from = DateFrom ? sql`${DateFrom}::date` : sql`(date_trunc('month', now() at time zone ${zone}::text) - interval '11 months')`
  const to = DateTo ? sql`${DateTo}::date + 1` : sql`'infinity'::timestamp`
  const Items = await db.rows<Answer<typeof sparePartCalls.sums>['Items'][number]>(sql`
    select ${part}, t."RecordType", to_char(t."Time" at time zone ${zone}::text, 'YYYY-MM') as "Month", count(*)::int as "Count", sum(t."Qty") as "Qty",
      ${inCurrency(sql`sum(t."Qty" * t."Price")`, actor)} as "Amount"
    from mtn_component_record t join mtn_component c on c."Id" = t."ComponentId"
    where ${visible(mtnComponentRecord, actor)} and (${ComponentId ?? null}::bigint is null or c."Id" = ${ComponentId ?? null})
      and t."Time" >= ((${from})::timestamp at time zone ${zone}::text) and t."Time" < ((${to})::timestamp at time zone ${zone}::text)
    group by c."Id", t."RecordType", 6 order by "Month", c."ComponentName", t."RecordType" limit ${most}`)
  return { Items }
}

/**
 * Proposes the minimum plus the use during the delivery time, up to the maximum. The use is the average of twelve months, or of the part's
 * age if it is newer, but at least one month.
 */
export const proposals = async (db: Db, actor: Actor): Promise<Answer<typeof sparePartCalls.proposals>> => {
  const Items = await db.rows<Answer<typeof sparePartCalls.proposals>['Items'][number]>(sql`
    with low as (select t.* from mtn_component t where t."IsLow" = 1 and ${visible(mtnComponent, actor)} order by t."ComponentName" limit ${most}),
    used as (
      select low."Id", greatest(coalesce(sum(case r."RecordType" when ${givenBack} then -r."Qty" else r."Qty" end), 0), 0) as qty,
        greatest(least(extract(day from now() - low."CreateTime"), 365), 30) as days
      from low left join mtn_component_record r on r."ComponentId" = low."Id" and r."RecordType" in (${takenOut}, ${givenBack}, ${scrapped}) and r."Time" > now() - interval '12 months'
      group by low."Id", low."CreateTime"),
    wanted as (
      select c.*, used.qty as used, greatest(c."MinQty", least(coalesce(c."MaxQty", 'infinity'), c."MinQty" + ceil(used.qty * coalesce(c."LeadDays", 0) / used.days))) - c."StockQty" as buy
      from low c join used using ("Id"))
    select ${part}, c."SupplierName", c."StockQty", c."MinQty", c."MaxQty", c.used as "UsedQty", c."LeadDays", c.buy as "BuyQty",
      ${inCurrency(sql`c.buy * c."Price"`, actor)} as "Amount"
    from wanted c order by c."SupplierName" nulls last, c."ComponentName"`)
  return { Items }
}
