// Parts and labor of an order. Each change updates its cost; completed orders keep theirs.
import { sql } from 'kysely'
import type { Answer, Body } from '../../../../contract/call.ts'
import type { Resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { table, visible } from '../../../../server/resource/sql.ts'
import { user } from '../../../people/users/contract.ts'
import { mtnCheckOrder } from '../../patrols/contract.ts'
import { givenBack, mtnComponent, takenOut } from '../../spare-parts/contract.ts'
import { inThousandths, moveStock, type OrderColumn } from '../../spare-parts/server/service.ts'
import { mtnUpKeepOrder } from '../../upkeep/contract.ts'
import { mtnMaintenanceOrder } from '../contract.ts'
import type { workCalls } from '../work.ts'
import { setLabor } from './labor.ts'
import { addHistory, type Late } from './steps.ts'

const zoneOf = (actor: Actor) => actor.zone ?? actor.tenantZone
/** Order types with their foreign key in stock movements and the states that allow work. */
const kinds: readonly { of: Resource; column: OrderColumn; open: readonly number[] }[] = [
  { of: mtnMaintenanceOrder, column: 'OrderId', open: [1, 2, 3] },
  { of: mtnUpKeepOrder, column: 'UpKeepOrderId', open: [0, 1, 4] },
  { of: mtnCheckOrder, column: 'CheckOrderId', open: [0, 1, 4] },
]
export const orderColumnOf = (of: Resource): OrderColumn => kinds.find((kind) => kind.of === of)!.column
type Ordered = { Id: number; EnterpriseId: number; ProjectId: number; DeviceId: number | null; OrderNo: string; Status: number }
type Kind = (typeof kinds)[number]
/** An order of any kind that the actor sees. */
const orderOf = async (db: Db, actor: Actor, id: number, lock = sql``): Promise<Ordered & { kind: Kind }> => {
  for (const kind of kinds) {
    const [order] = await db.rows<Ordered>(sql`
      select t."Id", t."EnterpriseId", t."ProjectId", t."DeviceId", t."OrderNo", t."Status" from ${table(kind.of)} t where "Id" = ${id} and ${visible(kind.of, actor)} ${lock}`)
    if (order) return { ...order, kind }
  }
  throw notFound()
}

/** Locks an order that is open for work. */
const openOrder = async (db: Db, actor: Actor, id: number) => {
  const order = await orderOf(db, actor, id, sql`for no key update`)
  if (!order.kind.open.includes(order.Status))
    throw new Fault('wrongState', { title: order.OrderNo }, { Current: { Status: order.Status } })
  return order
}
const told = (db: Db, { Id, EnterpriseId, ProjectId, kind }: Ordered & { kind: Kind }) =>
  db.emit({ resource: kind.of.name, id: Id, verb: 'update', EnterpriseId, ProjectId })
type Company = { EnterpriseId: number }

const namedPart = async (db: Db, actor: Actor, { ComponentId, PlaceId }: { ComponentId: number; PlaceId?: number }, order: Company) => {
  const of = sql`t."EnterpriseId" = ${order.EnterpriseId}`
  const [[part], [place]] = await db.all([
    sql<{ ComponentName: string; Unit: string }>`
      select "ComponentName", "Unit" from mtn_component t where "Id" = ${ComponentId} and "Status" = 1 and ${of} and ${visible(mtnComponent, actor)}`,
    sql`select 1 from mtn_place t where "Id" = ${PlaceId ?? 0} and ${of}`,
  ])
  if (!part) throw new FieldFaults([{ field: 'ComponentId', rule: 'unknownReference' }])
  if (PlaceId && !place) throw new FieldFaults([{ field: 'PlaceId', rule: 'unknownReference' }])
  return part
}

/** Reserves a quantity of a part. */
export const reserve = (db: Db, actor: Actor, { OrderId, ComponentId, Qty }: Body<typeof workCalls.reserve>) =>
  db.tx(async (db) => {
    const order = await openOrder(db, actor, OrderId)
    await namedPart(db, actor, { ComponentId }, order)
    if (inThousandths(Qty) > 0)
      await db.rows(sql`
        insert into mtn_order_part ("EnterpriseId", "OrderId", "ComponentId", "Qty") values (${order.EnterpriseId}, ${OrderId}, ${ComponentId}, ${inThousandths(Qty)})
        on conflict ("OrderId", "ComponentId") do update set "Qty" = excluded."Qty"`)
    else await db.rows(sql`delete from mtn_order_part where "OrderId" = ${OrderId} and "ComponentId" = ${ComponentId}`)
    told(db, order)
    return { Changed: 1 }
  })

type Moved = Body<typeof workCalls.take>
const textOf = (qty: number, part: { ComponentName: string; Unit: string }) => `${qty} ${part.Unit} ${part.ComponentName}`
/** Describes a taken part in words, with the stock of the place. @throws FieldFaults for a part or place of another company */
export const describePart = async (db: Db, actor: Actor, order: Company, { ComponentId, PlaceId, Qty }: Moved) => {
  const part = await namedPart(db, actor, { ComponentId, PlaceId }, order)
  const [place] = await db.rows<{ PlaceName: string; Qty: number }>(sql`
    select p."PlaceName", coalesce(s."Qty", 0)::float8 as "Qty" from mtn_place p
    left join mtn_component_stock s on s."PlaceId" = p."Id" and s."ComponentId" = ${ComponentId} where p."Id" = ${PlaceId}`)
  return { ...part, ...place!, text: textOf(inThousandths(Qty), part) }
}

/** Takes parts for the order or returns them, once per key. Returns never exceed the taken quantity. `late`: taken offline on a phone. */
export const movePart = (
  db: Db,
  actor: Actor,
  { OrderId, ComponentId, PlaceId, Qty, ClientKey }: Moved,
  { back = false, late }: { back?: boolean; late?: Late } = {},
) =>
  db.tx(async (db) => {
    const order = await openOrder(db, actor, OrderId)
    const step = back ? 'partBack' : 'part'
    const qty = inThousandths(Qty)
    const key = ClientKey ? { ClientKey, Hash: `${step} ${ComponentId} ${PlaceId} ${qty}` } : undefined
    const [sent] = key
      ? await db.rows<{ Hash: string }>(
          sql`select "Hash" from mtn_order_history where "OrderId" = ${OrderId} and "UserId" = ${actor.UserId} and "ClientKey" = ${key.ClientKey}`,
        )
      : []
    if (sent && sent.Hash !== key!.Hash) throw new Fault('clientKeyUsed')
    if (sent) return { Changed: 0 }
    const part = await namedPart(db, actor, { ComponentId, PlaceId }, order)
    if (back) {
      const [taken] = await db.rows<{ Qty: number }>(sql`
        select coalesce(sum("BeforeQty" - "AfterQty"), 0)::float8 as "Qty" from mtn_component_record where ${sql.ref(order.kind.column)} = ${OrderId} and "ComponentId" = ${ComponentId}`)
      if (taken!.Qty < qty) throw new FieldFaults([{ field: 'Qty', rule: 'stockShort', values: { stock: taken!.Qty, unit: part.Unit } }])
    }
    const RecordType = back ? givenBack : takenOut
    await moveStock(db, actor, order.EnterpriseId, [
      { ComponentId, PlaceId, RecordType, Change: back ? qty : -qty, [order.kind.column]: OrderId },
    ])
    if (!back) {
      await db.rows(
        sql`delete from mtn_order_part where "OrderId" = ${OrderId} and "ComponentId" = ${ComponentId} and "Qty" <= ${qty}::numeric`,
      )
      await db.rows(
        sql`update mtn_order_part set "Qty" = "Qty" - ${qty}::numeric where "OrderId" = ${OrderId} and "ComponentId" = ${ComponentId}`,
      )
    }
    await addHistory(db, actor, {
      order,
      step,
      from: order.Status,
      to: order.Status,
      desc: textOf(qty, part),
      ...{ key, late },
    })
    told(db, order)
    return { Changed: 1 }
  })

/** Starts or stops the caller's labor. */
export const runLabor = (db: Db, actor: Actor, OrderId: number, starts: boolean) =>
  db.tx(async (db) => {
    const order = await openOrder(db, actor, OrderId)
    const rows = starts
      ? await db.rows(sql`
          insert into mtn_order_labor ("EnterpriseId", "OrderId", "UserId", "StartTime") values (${order.EnterpriseId}, ${OrderId}, ${actor.UserId}, now())
          on conflict do nothing returning 1`)
      : await db.rows(sql`
          update mtn_order_labor set "EndTime" = now() where "OrderId" = ${OrderId} and "UserId" = ${actor.UserId} and "EndTime" is null returning 1`)
    await setLabor(db, [OrderId], order.kind.of)
    told(db, order)
    return { Changed: rows.length }
  })

const longestHours = 24
/** Maximum labor entries of an order. */
export const mostLabor = 200
export const addLabor = (db: Db, actor: Actor, { OrderId, StartTime, EndTime }: Body<typeof workCalls.addLabor>) =>
  db.tx(async (db) => {
    const order = await openOrder(db, actor, OrderId)
    const wall = (at: string) => sql`(${at}::timestamp at time zone ${zoneOf(actor)}::text)`
    // Locks the person, so that concurrent entries cannot overlap.
    await db.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`labor ${actor.UserId}`}, 0))`)
    const [span] = await db.rows<{ hours: number; ahead: boolean; early: boolean; entries: number; overlaps: boolean }>(sql`
      select (extract(epoch from ${wall(EndTime)} - ${wall(StartTime)}) / 3600)::float8 as hours, ${wall(EndTime)} > now() as ahead,
        ${wall(StartTime)} < (select "ReportTime" from ${table(order.kind.of)} where "Id" = ${OrderId}) - interval '1 day' as early,
        (select count(*) from mtn_order_labor where "OrderId" = ${OrderId})::int as entries, exists (
        select 1 from mtn_order_labor l where l."UserId" = ${actor.UserId} and l."StartTime" < ${wall(EndTime)}
          and coalesce(l."EndTime", 'infinity') > ${wall(StartTime)}) as overlaps`)
    const refuse = (field: string, rule: string) => new FieldFaults([{ field, rule }])
    if (!(span!.hours > 0 && span!.hours <= longestHours)) throw refuse('EndTime', 'fault.field.laborHours')
    if (span!.ahead) throw refuse('EndTime', 'notYet')
    if (span!.early) throw refuse('StartTime', 'fault.field.laborEarly')
    if (span!.entries >= mostLabor) throw refuse('StartTime', 'fault.field.laborMost')
    if (span!.overlaps) throw refuse('StartTime', 'fault.field.laborTwice')
    await db.rows(sql`
      insert into mtn_order_labor ("EnterpriseId", "OrderId", "UserId", "StartTime", "EndTime")
      values (${order.EnterpriseId}, ${OrderId}, ${actor.UserId}, ${wall(StartTime)}, ${wall(EndTime)})`)
    await setLabor(db, [OrderId], order.kind.of)
    told(db, order)
    return { Changed: 1 }
  })

type Work = Answer<typeof workCalls.work>
export const workOf = async (
  db: Db,
  actor: Actor,
  { OrderId, Search }: { OrderId: number; Search?: string | undefined },
): Promise<Work> => {
  const order = await orderOf(db, actor, OrderId)
  const moved = (alias: string) => sql`${sql.ref(`${alias}.${order.kind.column}`)} = ${OrderId}`
  const text = (column: string) => sql`to_char(${sql.raw(column)} at time zone ${zoneOf(actor)}::text, 'YYYY-MM-DD HH24:MI:SS')`
  const found = Search?.trim().toLowerCase()
  const [Parts, Labor, [me]] = await db.all([
    sql<Work['Parts'][number]>`
      with wanted as (
        select m."ComponentId", 1 as of_model from mtn_component_compo m join device d on d."ModelId" = m."DeviceModelId" where d."Id" = ${order.DeviceId}
        union all select "ComponentId", 0 from mtn_order_part where "OrderId" = ${OrderId}
        union all select "ComponentId", 0 from mtn_component_record x where ${moved('x')}
        union all (select t."Id", 0 from mtn_component t where ${found ? sql`position(${found} in lower(t."ComponentName" || ' ' || t."ComponentNo")) > 0` : sql`false`}
          and t."EnterpriseId" = ${order.EnterpriseId} and t."Status" = 1 order by t."ComponentName" limit 20)),
      own as (select "ComponentId" as id, max(of_model) as of_model from wanted group by 1)
      select * from (select c."Id" as "ComponentId", c."ComponentName", c."ComponentNo", c."Unit", own.of_model as "OfModel", c."StockQty"::float8 as "StockQty",
        coalesce((select p."Qty" from mtn_order_part p where p."OrderId" = ${OrderId} and p."ComponentId" = c."Id"), 0)::float8 as "Reserved",
        coalesce((select sum(p."Qty") from mtn_order_part p where p."OrderId" <> ${OrderId} and p."ComponentId" = c."Id"), 0)::float8 as "ReservedByOthers",
        coalesce((select sum(x."BeforeQty" - x."AfterQty") from mtn_component_record x where ${moved('x')} and x."ComponentId" = c."Id"), 0)::float8 as "Taken",
        coalesce((select jsonb_agg(jsonb_build_object('PlaceId', s."PlaceId", 'PlaceName', p."PlaceName", 'Qty', s."Qty") order by s."Qty" desc)
          from mtn_component_stock s join mtn_place p on p."Id" = s."PlaceId" where s."ComponentId" = c."Id" and s."Qty" > 0), '[]') as "Places"
      from own join mtn_component c on c."Id" = own.id
      where c."EnterpriseId" = ${order.EnterpriseId} and ${visible(mtnComponent, actor, 'c')}) p
      order by "Reserved" > 0 desc, "Taken" > 0 desc, "OfModel" desc, "ComponentName" limit 100`,
    sql<Work['Labor'][number]>`
      select coalesce(u."UserName", '') as "UserName", ${text('l."StartTime"')} as "StartTime", ${text('l."EndTime"')} as "EndTime",
        round(extract(epoch from coalesce(l."EndTime", now()) - l."StartTime")::numeric / 3600, 2)::float8 as "Hours"
      from mtn_order_labor l left join "user" u on u."Id" = l."UserId" and ${visible(user, actor, 'u')} where l."OrderId" = ${OrderId} order by l."Id" limit 200`,
    sql<{
      n: number
    }>`select count(*)::int as n from mtn_order_labor where "OrderId" = ${OrderId} and "UserId" = ${actor.UserId} and "EndTime" is null`,
  ])
  return { Parts, Labor, Running: me!.n }
}
