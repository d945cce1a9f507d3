// Curves of checklist numbers over past rounds, and removal of people's positions.
import { sql } from 'kysely'
import type { Answer, Query } from '../../../../contract/call.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { mtnCheckOrder, type patrolCalls } from '../contract.ts'
import { orderOf } from './rounds.ts'

type Curve = Answer<typeof patrolCalls.curve>
/** Maximum rounds of a curve. */
const mostRounds = 60
export const curve = async (db: Db, actor: Actor, { Id: OrderId, Item }: Query<typeof patrolCalls.curve>): Promise<Curve> => {
  await orderOf(db, actor, OrderId)
  const zone = actor.zone ?? actor.tenantZone
  const Items = await db.rows<Curve['Items'][number]>(sql`
    with asked as (select "PlanId", coalesce("FinishTime", 'infinity') as until, "Items" -> ${Item}::int ->> 'ItemName' as name from mtn_check_order where "Id" = ${OrderId}),
    rounds as (
      select t.* from mtn_check_order t, asked where t."PlanId" = asked."PlanId" and t."FinishTime" <= asked.until and ${visible(mtnCheckOrder, actor)}
      order by t."FinishTime" desc limit ${mostRounds})
    select t."Id", to_char(t."FinishTime" at time zone ${zone}::text, 'YYYY-MM-DD HH24:MI:SS') as "Time", (x.one ->> 'Value')::float8 as "Value"
    from rounds t, asked, jsonb_array_elements(t."Items") with ordinality i (item, n), jsonb_array_elements(t."Results") x (one)
    where i.item ->> 'ItemName' = asked.name and (x.one ->> 'Item')::int = i.n - 1 and jsonb_typeof(x.one -> 'Value') = 'number' and i.item ->> 'ValueType' in ('2', '6')
    order by t."FinishTime", t."Id"`)
  return { Items }
}

/** Deletes people's positions and rejected phone readings after twelve months, other phone readings after five years. */
export const forgetPlaces = async (db: Db, now: number) => {
  await db.rows(sql`
    delete from pro_rfid_history where "ReaderType" = 2 and "ReadTime" < ${new Date(now)}::timestamptz - interval '12 months'
      and ("Result" not in (0, 6) or "ReadTime" < ${new Date(now)}::timestamptz - interval '5 years')`)
  await db.rows(sql`
    update pro_rfid_history set "Longitude" = null, "Latitude" = null, "DistanceM" = null
    where ("Longitude" is not null or "DistanceM" is not null) and "ReadTime" < ${new Date(now)}::timestamptz - interval '12 months'`)
}
