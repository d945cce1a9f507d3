// Creates due orders and closes missed ones. A unique index allows one order for each plan, machine and time,
// also with several servers.
import { sql } from 'kysely'
import type { Database, Db } from '../../../../server/database/db.ts'
import { serverActor } from '../../../../server/identity/actor.ts'
import { columns, type Sql, table } from '../../../../server/resource/sql.ts'
import { notify } from '../../../system/notices/server/service.ts'
import { equipmentOfDevices } from '../../equipment/server/service.ts'
import { BizType, endWork } from '../../orders/server/service.ts'
import { cycleOf } from '../contract.ts'
import { goingOnFrom } from '../planDates.ts'
import type { Kind } from './kind.ts'
import { nextDate, type Plan, setNext } from './planning.ts'

/** Plans per transaction. */
const batch = 500
type Due = Plan & { Day: string }
type Machine = { device: number | null; equipment: number | null }
/** An order of a plan for a machine, or for the whole project. */
type Wanted = Machine & { plan: number }

/** Machines of a plan, otherwise its counter's machine, otherwise one order for the whole project. */
const machinesOf = async (db: Db, { DeviceIds, EquipmentIds, HourParaId }: Plan): Promise<Machine[]> => {
  const named = [
    ...((DeviceIds ?? []) as number[]).map((device) => ({ device, equipment: null })),
    ...((EquipmentIds ?? []) as number[]).map((equipment) => ({ device: null, equipment })),
  ]
  if (named.length) return named
  const [row] = HourParaId ? await db.rows<{ DeviceId: number }>(sql`select "DeviceId" from point where "Id" = ${HourParaId}`) : []
  return [{ device: row?.DeviceId ?? null, equipment: null }]
}

type Made = { Id: number; EnterpriseId: number; ProjectId: number; Title: string; AssignUserId: number | null }
/** Sends one notice per person, regardless of the number of orders. */
const tellAssignees = async (kind: Kind, db: Db, made: readonly Made[]) => {
  for (const [person, [first, ...more]] of Map.groupBy(made, (order) => order.AssignUserId))
    if (person && first)
      await notify(db, {
        ...{ EnterpriseId: first.EnterpriseId, BizType, Wording: 'ordersOfPlan', Source: `${kind.order.name}/${first.Id}/made` },
        ...{ WordValues: { Title: first.Title, Count: more.length + 1 }, UserIds: [person] },
        ...{ ObjectType: kind.order.name, ObjectId: first.Id, ProjectId: first.ProjectId },
      })
}

/** Inserts orders of plans for a due time or a multiple of the counter's step. Returns how many are new. */
export const insertOrders = async (
  kind: Kind,
  db: Db,
  plans: readonly Plan[],
  of: { at: Sql; multiple?: number; now?: number; quiet?: boolean },
) => {
  const wanted: Wanted[] = []
  for (const plan of plans) for (const machine of await machinesOf(db, plan)) wanted.push({ ...machine, plan: plan.Id })
  const by = { ...serverActor(0), ...(of.quiet && of.now && { past: new Date(of.now) }) }
  await equipmentOfDevices(
    db,
    by,
    wanted.flatMap(({ device }) => device ?? []),
  )
  const copied = sql.join(kind.copied.map((name) => sql.ref(name)))
  // Removed machines are left out.
  const made = await db.rows<Made>(sql`
    insert into ${table(kind.order)} ("EnterpriseId", "Title", "PlanId", "ProjectId", "DeviceId", "EquipmentId", "PlanTime", "DueTime", "HourMultiple", "AssignUserId", "TeamId", "ReportTime", ${copied})
    select p."EnterpriseId", left(p."PlanName", 60), p."Id", p."ProjectId", coalesce(m.device, e."DeviceId"), coalesce(e."Id", f."Id"), ${of.at}, ${of.at} + p."DueDays" * interval '1 day', ${of.multiple ?? null}::int, p."AssignUserId", p."TeamId", coalesce(${of.now ? new Date(of.now) : null}::timestamptz, now()), ${copied}
    from unnest(${wanted.map(({ plan }) => plan)}::bigint[], ${wanted.map(({ device }) => device)}::bigint[], ${wanted.map(({ equipment }) => equipment)}::bigint[]) m(plan, device, equipment)
      join ${table(kind.plan)} p on p."Id" = m.plan left join mtn_equipment e on e."Id" = m.equipment left join mtn_equipment f on f."DeviceId" = m.device
    where (m.device is null or exists (select 1 from device d where d."Id" = m.device)) and (m.equipment is null or e."Id" is not null)
    on conflict do nothing returning "Id", "EnterpriseId", "ProjectId", "Title", "AssignUserId"`)
  for (const { Id, EnterpriseId, ProjectId } of made)
    db.emit({ resource: kind.order.name, id: Id, verb: 'create', EnterpriseId, ProjectId })
  if (!of.quiet) await tellAssignees(kind, db, made)
  return made.length
}

/** Creates the orders of each plan's due date and sets the next one. */
const advance = async (kind: Kind, db: Db, due: readonly Due[], now: number, quiet = false) => {
  const made = await insertOrders(kind, db, due, { at: sql`p."NextTime"`, now, quiet })
  const next: (string | null)[] = []
  // Plans based on completion wait until their order ends.
  for (const plan of due) next.push(plan.BasedOn === 2 ? null : ((await nextDate(db, plan, plan.Day)) ?? null))
  // The counter restarts, too: at the due time, or at the end of the order.
  await db.rows(sql`
    update ${table(kind.plan)} t set "LastTime" = "NextTime", "HourDone" = 0, "HourUsed" = case when "HourParaId" is null then null else 0 end,
      "HourFrom" = case when "HourParaId" is null or "BasedOn" = 2 then null else "NextTime" end,
      "NextTime" = (n.date || ' ' || t."ExecTime")::timestamp at time zone e."TimeZoneKey",
      "PlanStatus" = case when n.date is null and "BasedOn" = 1 and "HourParaId" is null then 2 else "PlanStatus" end
    from unnest(${due.map(({ Id }) => Id)}::bigint[], ${next}::text[]) n(id, date), enterprise e where t."Id" = n.id and e."Id" = t."EnterpriseId"`)
  for (const { Id, EnterpriseId } of due) db.emit({ resource: kind.plan.name, id: Id, verb: 'update', EnterpriseId })
  return made
}

const selectDue = (kind: Kind, db: Db, which: Sql, now: number) =>
  db.rows<Due>(sql`
    select ${columns(kind.plan, serverActor(0))}, to_char(t."NextTime" at time zone e."TimeZoneKey", 'YYYY-MM-DD') as "Day"
    from ${table(kind.plan)} t join enterprise e on e."Id" = t."EnterpriseId"
    where ${which} and t."PlanStatus" = 1 and t."NextTime" <= ${new Date(now)}::timestamptz + t."AdvanceDays" * interval '1 day'
    order by t."NextTime" limit ${batch} for update of t skip locked`)

/** Creates the orders of one plan that are due at `now`, without notices. For seeded history. */
export const makeOfPlan = async (kind: Kind, db: Db, planId: number, now: number) => {
  for (;;) {
    const due = await selectDue(kind, db, sql`t."Id" = ${planId}`, now)
    if (!due.length) return
    await advance(kind, db, due, now, true)
  }
}

/** Creates due orders, oldest first. Returns how many. */
export const makeDue = async (kind: Kind, database: Database, now: number): Promise<number> => {
  let made = 0
  for (;;) {
    const seen = await database.system.tx(async (db) => {
      const due = await selectDue(kind, db, sql`true`, now)
      if (due.length) made += await advance(kind, db, due, now)
      return due.length
    })
    if (!seen) return made
  }
}

/** Closes overdue orders as missed after the grace period. Returns how many. */
export const closeMissed = (kind: Kind, database: Database, now: number): Promise<number> =>
  database.system.tx(async (db) => {
    const closed = await db.rows<{ Id: number; EnterpriseId: number; PlanId: number | null; ProjectId: number }>(sql`
      update ${table(kind.order)} o set "Status" = 4, "UpdateTime" = now() where o."Id" in (
        select o."Id" from ${table(kind.order)} o left join ${table(kind.plan)} p on p."Id" = o."PlanId"
        where o."Status" in (0, 1) and o."DueTime" + coalesce(p."GraceDays", 7) * interval '1 day' < ${new Date(now)}::timestamptz
        order by o."DueTime" limit 1000 for update of o skip locked)
      returning o."Id", o."EnterpriseId", o."PlanId", o."ProjectId"`)
    const ids = closed.map(({ Id }) => Id)
    if (ids.length) await endWork(db, ids, true, undefined, kind.order)
    for (const { Id, PlanId, ...of } of closed) {
      await addStep(db, { Id, EnterpriseId: of.EnterpriseId }, 'missed', 4)
      const ending = await kind.ending?.(db, { Id, EnterpriseId: of.EnterpriseId }, new Date(now))
      if (ending) await db.rows(sql`update ${table(kind.order)} set ${ending.set} where "Id" = ${Id}`)
      db.emit({ resource: kind.order.name, id: Id, verb: 'update', ...of })
    }
    for (const PlanId of new Set(closed.flatMap(({ PlanId }) => PlanId ?? []))) await goOn(kind, db, PlanId, now)
    return closed.length
  })

/** Adds the timer's entry to the history of an order. */
const addStep = (db: Db, { Id, EnterpriseId }: { Id: number; EnterpriseId: number }, step: string, to: number) =>
  db.rows(
    sql`insert into mtn_order_history ("EnterpriseId", "OrderId", "Step", "FromStatus", "ToStatus") values (${EnterpriseId}, ${Id}, ${step}, 0, ${to})`,
  )

/** For plans based on completion: once no order is open, schedules the next date from today and restarts the counter. */
export const goOn = async (kind: Kind, db: Db, planId: number, now: number) => {
  const [plan] = await db.rows<Due>(sql`
    select ${columns(kind.plan, serverActor(0))}, to_char(${new Date(now)}::timestamptz at time zone e."TimeZoneKey", 'YYYY-MM-DD') as "Day"
    from ${table(kind.plan)} t join enterprise e on e."Id" = t."EnterpriseId"
    where t."Id" = ${planId} and t."BasedOn" = 2 and t."PlanStatus" = 1 and t."NextTime" is null and t."HourFrom" is null
      and not exists (select 1 from ${table(kind.order)} o where o."PlanId" = t."Id" and o."Status" in (0, 1)) for update of t`)
  if (!plan) return
  if (plan.HourParaId)
    await db.rows(sql`
      update ${table(kind.plan)} set "HourFrom" = ${new Date(now)}::timestamptz, "HourDone" = 0, "HourUsed" = 0, "HourTime" = null where "Id" = ${planId}`)
  const cycle = cycleOf(plan)
  if (!cycle) return
  const next = goingOnFrom(cycle, plan.Day)
  await setNext(kind, db, plan, next)
  if (!next && !plan.HourParaId) await db.rows(sql`update ${table(kind.plan)} set "PlanStatus" = 2 where "Id" = ${planId}`)
}
