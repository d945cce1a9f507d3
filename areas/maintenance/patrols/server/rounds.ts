// Tag readings of a patrol round: points, times and order.
import { sql } from 'kysely'
import type { Answer, Body } from '../../../../contract/call.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { type Sql, visible } from '../../../../server/resource/sql.ts'
import { notify } from '../../../system/notices/server/service.ts'
import { normalCardNo } from '../../cards/cardNo.ts'
import { proRfidHistory, proRfidInfo } from '../../cards/contract.ts'
import { mtnEquipment } from '../../equipment/contract.ts'
import type { Kind } from '../../upkeep/server/service.ts'
import { farOff, mtnCheckOrder, mtnCheckPlan, type patrolCalls } from '../contract.ts'

const zone = sql`(select "TimeZoneKey" from enterprise z where z."Id" = o."EnterpriseId")`
/** Whether a time is within the window of a stop. */
const inWindow = (at: Sql, stop: Sql) => {
  const [wall, from, to] = [sql`to_char(${at} at time zone ${zone}, 'HH24:MI')`, sql`(${stop} ->> 'From')`, sql`(${stop} ->> 'To')`]
  return sql`case when coalesce(${from}, '00:00') <= coalesce(${to}, '24:00') then ${wall} between coalesce(${from}, '00:00') and coalesce(${to}, '24:00')
    else ${wall} >= ${from} or ${wall} <= ${to} end`
}
const stopOf = sql`(coalesce(o."Stops", '[]') -> (p.n - 1)::int)`

/**
 * First reading of each point since the order began: `n` counts from 1. A repeated reading within a minute counts as presence; a phone
 * reading of another round does not.
 */
const reads = (order: number, end: Date) => sql`
  select p.n, p.id::bigint as id, min(h."ReadTime") as at, (array_agg(h."DistanceM" order by h."ReadTime"))[1] as distance,
    coalesce((array_agg(h."IsFar" order by h."ReadTime"))[1], 0) as far, coalesce((array_agg(h."IsClockOff" order by h."ReadTime"))[1], 0) as clock,
    ${stopOf} as stop
  from mtn_check_order o cross join jsonb_array_elements_text(coalesce(o."Points", '[]')) with ordinality as p (id, n)
    left join pro_rfid_history h on h."EnterpriseId" = o."EnterpriseId" and h."RfidId" = p.id::bigint and h."Result" in (0, 6)
      and (h."ReaderType" <> 2 or h."Reader" = o."OrderNo")
      and h."ReadTime" between coalesce(o."StartTime", o."PlanTime") and ${end}::timestamptz and ${inWindow(sql`h."ReadTime"`, stopOf)}
  where o."Id" = ${order} group by p.n, p.id, o."Stops"`

/** Notifies planners of missed points. */
const tellMissed = async (db: Db, Id: number, EnterpriseId: number, missed: readonly number[]) => {
  const [of] = await db.rows<{ OrderNo: string; Title: string; ProjectId: number; Names: string | null }>(sql`
    select "OrderNo", "Title", "ProjectId", (select string_agg("CardName", ', ') from (
      select "CardName" from pro_rfid_info where "Id" = any(${missed}::bigint[]) order by array_position(${missed}::bigint[], "Id") limit 5) c) as "Names"
    from mtn_check_order where "Id" = ${Id}`)
  const { OrderNo, Title, ProjectId, Names } = of!
  await notify(db, {
    ...{ EnterpriseId, BizType: 12, Wording: 'pointsMissed', Source: `round/${Id}/missed`, ProjectId },
    WordValues: { OrderNo, Title, Count: missed.length, Names: Names ?? '' },
    ...{ Permission: mtnCheckPlan.permission, ObjectType: mtnCheckOrder.name, ObjectId: Id },
  })
}

const ending: Kind['ending'] = async (db, { Id, EnterpriseId }, end, actor) => {
  const [row] = await db.rows<{ done: number; missed: number[]; wrong: boolean; hurried: number[] }>(sql`
    with r as (${reads(Id, end)}), ordered as (select at < max(at) over (order by n rows between unbounded preceding and 1 preceding) as back from r)
    select count(at)::int as done, coalesce(jsonb_agg(id order by n) filter (where at is null), '[]') as missed,
      (select coalesce(bool_or(back), false) from ordered) and (select "InOrder" = 1 from mtn_check_order where "Id" = ${Id}) as wrong,
      (select coalesce(jsonb_agg(x.id order by x.n), '[]') from (
        select r.id, r.n, (o."Stops" -> (r.n - 1)::int ->> 'Minutes')::int as least, r.at, lead(r.at, 1, ${end}::timestamptz) over (order by r.at) as gone
        from r, mtn_check_order o where o."Id" = ${Id} and r.at is not null) x where x.gone - x.at < x.least * interval '1 minute') as hurried
    from r`)
  const { done, missed, wrong, hurried } = row!
  if (missed.length && !actor?.past) await tellMissed(db, Id, EnterpriseId, missed)
  return {
    set: sql`"PointsDone" = ${done}, "MissedPoints" = ${JSON.stringify(missed)}::jsonb, "WrongOrder" = ${wrong ? 1 : 0}, "HurriedPoints" = ${JSON.stringify(hurried)}::jsonb`,
    abnormal: missed.length + hurried.length + (wrong ? 1 : 0),
  }
}
/** Tags of a plan must be visible to its author. */
const check: Kind['check'] = async (db, actor, { Points }) => {
  const ids = [...new Set((Points ?? []) as number[])]
  if (!ids.length) return
  const seen = await db.rows(sql`select 1 from pro_rfid_info t where t."Id" = any(${ids}::bigint[]) and ${visible(proRfidInfo, actor)}`)
  if (seen.length < ids.length) throw new FieldFaults([{ field: 'Points', rule: 'unknownReference' }])
}
export const patrol: Kind = {
  plan: mtnCheckPlan,
  order: mtnCheckOrder,
  copied: ['Items', 'Points', 'Stops', 'InOrder', 'AllowQr'],
  source: 3,
  check,
  ending,
}

type Sent = Omit<Body<typeof patrolCalls.visit>, 'Longitude' | 'Latitude'> & { Longitude?: number | null; Latitude?: number | null }
type Visited = Answer<typeof patrolCalls.visit> & { Id: number }
type Order = {
  Id: number
  EnterpriseId: number
  ProjectId: number
  Status: number
  AllowQr: number
  InOrder: number
  AssignUserId: number | null
  OrderNo: string
}
export const orderOf = async (db: Db, actor: Actor, id: number) => {
  const [order] = await db.rows<Order>(sql`
    select t."Id", t."EnterpriseId", t."ProjectId", t."Status", t."AllowQr", t."InOrder", t."AssignUserId", t."OrderNo" from mtn_check_order t
    where t."Id" = ${id} and ${visible(mtnCheckOrder, actor)}`)
  if (!order) throw notFound()
  return order
}

/** The points of a round, for everyone who may see the round. */
export const routeOf = async (db: Db, actor: Actor, id: number, now: number): Promise<Answer<typeof patrolCalls.route>> => {
  await orderOf(db, actor, id)
  const zone = actor.zone ?? actor.tenantZone
  const Items = await db.rows<Answer<typeof patrolCalls.route>['Items'][number]>(sql`
    select r.id as "RfidId", coalesce(c."CardName", '') as "CardName", coalesce(c."PositionName", '') as "PositionName",
      to_char(r.at at time zone ${zone}::text, 'YYYY-MM-DD HH24:MI:SS') as "ReadTime", c."Longitude", c."Latitude",
      e."Id" as "EquipmentId", e."EquipmentName", r.stop ->> 'From' as "From", r.stop ->> 'To' as "To", (r.stop ->> 'Minutes')::int as "Minutes", r.distance as "DistanceM", r.far as "IsFar", r.clock as "IsClockOff"
    from (${reads(id, new Date(now))}) r left join pro_rfid_info c on c."Id" = r.id
      left join mtn_equipment e on e."Id" = c."EquipmentId" and ${visible(mtnEquipment, actor, 'e')} order by r.n`)
  return { Items }
}

/** Great-circle distance from a tag to a position, m. The clamp guards against rounding at the antipode. */
const metresTo = (longitude: number | null, latitude: number | null) => sql`
  case when num_nulls("Longitude", "Latitude", ${longitude}::float8, ${latitude}::float8) = 0 then round(12742000 * asin(least(1, sqrt(power(sin(radians(${latitude}::float8 - "Latitude") / 2), 2)
    + cos(radians("Latitude")) * cos(radians(${latitude}::float8)) * power(sin(radians(${longitude}::float8 - "Longitude") / 2), 2)))))::int end`

/** Maximum readings of a person's phones per day. */
export const mostReads = 2000
const assertRoom = async (db: Db, { UserId }: Actor) => {
  const [row] = await db.rows<{ n: number }>(sql`
    select count(*)::int as n from pro_rfid_history where "UserId" = ${UserId} and "UploadTime" > now() - interval '1 day' and "ReaderType" = 2`)
  if (row!.n >= mostReads) throw new Fault('tooMany')
}
/** The reading stored under a key. The same key for another tag or round is refused. */
const sentBefore = async (db: Db, { UserId }: Actor, { OrderId, CardNo, ClientKey }: Sent) => {
  if (!ClientKey) return
  const [sent] = await db.rows<Answer<typeof patrolCalls.visit> & { same: boolean }>(sql`
    select h."Result", h."IsFar", h."IsClockOff", coalesce(c."CardName", '') as "CardName",
      h."CardNo" = ${normalCardNo(CardNo) ?? ''} and h."Reader" = coalesce((select "OrderNo" from mtn_check_order where "Id" = ${OrderId}), h."Reader") as same
    from pro_rfid_history h left join pro_rfid_info c on c."Id" = h."RfidId" where h."UserId" = ${UserId} and h."ClientKey" = ${ClientKey}`)
  if (!sent) return
  const { same, ...answer } = sent
  if (!same) throw new Fault('clientKeyUsed')
  return answer
}

/** Stores a reading by the person's phone, whatever its result. */
export const visit = (db: Db, actor: Actor, given: Sent, now: number) =>
  db.tx(async (db) => {
    const { OrderId, CardNo, Way = 2, Longitude = null, Latitude = null, DeviceTime, ClientKey } = given
    const sent = await sentBefore(db, actor, given)
    if (sent) return sent
    await assertRoom(db, actor)
    const order = await orderOf(db, actor, OrderId)
    const title = order.OrderNo
    if (order.Status !== 1) throw new Fault('wrongState', { title })
    if (order.AssignUserId !== null && order.AssignUserId !== actor.UserId) throw new Fault('orderOthers', { title })
    if (Way === 5 && !order.AllowQr) throw new FieldFaults([{ field: 'Way', rule: 'fault.field.tagOnly' }])
    const no = normalCardNo(CardNo)
    if (!no) throw new FieldFaults([{ field: 'CardNo', rule: 'cardNo' }])
    const at = new Date(now)
    const clockOff = DeviceTime !== undefined && Math.abs(DeviceTime - now) > farOff.seconds * 1000 ? 1 : 0
    const [made] = await db.rows<Visited>(sql`
      with card as (select "Id", "CardName", "Status", ${metresTo(Longitude, Latitude)} as metres from pro_rfid_info where "EnterpriseId" = ${order.EnterpriseId} and "CardNo" = ${no}),
      r as (${reads(OrderId, at)}),
      made as (
        insert into pro_rfid_history ("EnterpriseId", "CardNo", "RfidId", "ReadTime", "ReaderType", "Reader", "UserId", "Longitude", "Latitude", "DistanceM", "IsFar", "IsClockOff", "ClientKey", "Result")
        select ${order.EnterpriseId}, ${no}, card."Id", ${at}, 2, ${order.OrderNo}, ${actor.UserId}, ${Longitude}::float8, ${Latitude}::float8, card.metres, case when card.metres > ${farOff.metres} then 1 else 0 end, ${clockOff}::smallint, ${ClientKey ?? null}, case
          when card."Id" is null then 1 when card."Status" <> 1 then 2 when not exists (select 1 from r where r.id = card."Id") then 3
          when exists (select 1 from pro_rfid_history h where h."RfidId" = card."Id" and h."UserId" = ${actor.UserId} and h."Result" in (0, 6)
            and h."ReadTime" > ${at}::timestamptz - interval '1 minute' and h."ReadTime" <= ${at}::timestamptz) then 6
          when ${order.InOrder} = 1 and exists (select 1 from r, r as me where me.id = card."Id" and r.n < me.n and r.at is null) then 4
          when not (select ${inWindow(sql`${at}::timestamptz`, sql`r.stop`)} from r, mtn_check_order o where r.id = card."Id" and o."Id" = ${OrderId} limit 1) then 5
          else 0 end
        from (select 1) one left join card on true returning "Id", "Result", "IsFar", "IsClockOff")
      select made.*, coalesce((select c."CardName" from pro_rfid_info c, card where c."Id" = card."Id"
        and (exists (select 1 from r where r.id = c."Id") or ${visible(proRfidInfo, actor, 'c')})), '') as "CardName" from made`)
    const { Id, ...answer } = made!
    db.emit({
      resource: proRfidHistory.name,
      id: Id,
      verb: 'create',
      EnterpriseId: order.EnterpriseId,
      ProjectId: order.ProjectId,
    })
    return answer
  })
