// Validation and scheduling of plans.
import { sql } from 'kysely'
import type { Answer, Body } from '../../../../contract/call.ts'
import { dayNumber, dayOf } from '../../../../contract/days.ts'
import type { Field } from '../../../../contract/field.ts'
import type { Row } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { ownTurn } from '../../../../server/jobs/ownTurn.ts'
import { readListing } from '../../../../server/resource/list.ts'
import { table, visible } from '../../../../server/resource/sql.ts'
import { type Check, record, store } from '../../../../server/resource/store.ts'
import { shiftPlansIn } from '../../../analysis/shifts/server/service.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { point } from '../../../configuration/points/contract.ts'
import { user } from '../../../people/users/contract.ts'
import { mtnEquipment } from '../../equipment/contract.ts'
import { equipmentOfDevices } from '../../equipment/server/service.ts'
import { itemFaults, itemsOf } from '../../job-sheets/server/service.ts'
import { byCounter, cycleOf, machinesIn, mostMachines, type mtnUpKeepPlan, type upkeepCalls } from '../contract.ts'
import { datesAfter, lastKey } from '../planDates.ts'
import type { Kind } from './kind.ts'

export type Plan = Row<typeof mtnUpKeepPlan>
type Values = Record<string, unknown>
const status = { disabled: 0, enabled: 1, ended: 2 } as const

/** The machines of a changed plan. Equipment that is a device is stored as the device. */
const machinesOf = async (db: Db, actor: Actor, given: Values, { ProjectId, ...held }: Values) => {
  const listOf = (value: unknown) => [...new Set((value ?? []) as number[])]
  const asked = listOf(given.EquipmentIds)
  const seen = await db.rows<{ Id: number; DeviceId: number | null }>(sql`
    select t."Id", t."DeviceId" from mtn_equipment t
    where t."Id" = any(${asked}::bigint[]) and t."ProjectId" = ${ProjectId} and ${visible(mtnEquipment, actor)} for key share of t`)
  if (seen.length < asked.length) throw new FieldFaults([{ field: 'EquipmentIds', rule: 'unknownReference' }])
  const devices = seen.flatMap(({ DeviceId }) => DeviceId ?? [])
  const before = given.DeviceIds === undefined && devices.length ? held.DeviceIds : given.DeviceIds
  const machines = listOf([...listOf(before), ...devices])
  const others = asked.filter((id) => seen.some((row) => row.Id === id && row.DeviceId === null))
  const named = {
    ...(given.DeviceIds || devices.length ? { DeviceIds: machines } : {}),
    ...(given.EquipmentIds ? { EquipmentIds: others.length ? others : null } : {}),
  }
  if (machinesIn({ ...held, ...given, ...named }) > mostMachines)
    throw new FieldFaults([{ field: 'EquipmentIds', rule: 'fault.field.planMachines', values: { max: mostMachines } }])
  return { machines, ...named }
}

/** Machines and points of a plan must belong to its project and be visible to its author. */
const check: Check<typeof mtnUpKeepPlan> = async (db, actor, given, held) => {
  const ProjectId = held?.ProjectId ?? given.ProjectId
  const { machines, ...named } = await machinesOf(db, actor, given, { ...held, ProjectId })
  const counter = (given.HourParaId as number | null | undefined) ?? []
  const [seen, read, counters] = await db.all([
    sql<{ Id: number }>`
      select t."Id" from device t join gateway g on g."Id" = t."GatewayId"
      where t."Id" = any(${machines}::bigint[]) and g."ProjectId" = ${ProjectId} and ${visible(device, actor)}`,
    sql<{ Id: number }>`
      select t."Id" from point t join device d on d."Id" = t."DeviceId" join gateway g on g."Id" = d."GatewayId"
      where t."Id" = any(${[counter].flat()}::bigint[]) and g."ProjectId" = ${ProjectId} and ${visible(point, actor)}`,
    sql<{
      Id: number
    }>`select "PointId" as "Id" from point_meaning where "PointId" = any(${[counter].flat()}::bigint[]) and "CalDataType" = 1`,
  ])
  const [devices, known] = [new Set(seen.map(({ Id }) => Id)), new Set(read.map(({ Id }) => Id))]
  const faults = [
    ...[counter].flat().flatMap((id) => {
      if (!known.has(id)) return [{ field: 'HourParaId', rule: 'unknownReference' }]
      return counters.length ? [] : [{ field: 'HourParaId', rule: 'fault.field.noCounter' }]
    }),
    ...(machines.some((id) => !devices.has(id)) ? [{ field: 'DeviceIds', rule: 'unknownReference' }] : []),
    ...(await itemFaults(db, actor, itemsOf({ Items: given.Items }), ProjectId as number)),
  ]
  if (faults.length) throw new FieldFaults(faults)
  await equipmentOfDevices(db, actor, machines)
  return { ...given, ...named }
}
export const plansOf = (kind: Kind) =>
  store(kind.plan, async (db, actor, given, held) => {
    const checked = await check(db, actor, given, held)
    await kind.check?.(db, actor, checked)
    return checked
  })

/** Returns the holidays of the project's shifts, if the plan skips them. */
export const freeDays = async (db: Db, { SkipHolidays, ProjectId }: Pick<Plan, 'SkipHolidays' | 'ProjectId'>) => {
  if (!SkipHolidays) return () => false
  const shifts = await shiftPlansIn(db, ProjectId!)
  return (date: string) => {
    const key = dayNumber(date)
    const plan = shifts.findLast(({ from }) => from <= key)
    return !!plan?.holidays.has(key) && !plan.makeUps.has(key)
  }
}
/** The first date of a plan after the given day. */
export const nextDate = async (db: Db, plan: Plan, after: string) => {
  const cycle = cycleOf(plan)
  return cycle ? datesAfter(cycle, after, 1, await freeDays(db, plan))[0] : undefined
}

const zoneOf = (EnterpriseId: number) => sql`(select "TimeZoneKey" from enterprise where "Id" = ${EnterpriseId})`
/** Sets the next due time: a day at the plan's time, in the company's time zone. Without a day, ends the plan. */
export const setNext = (kind: Kind, db: Db, { Id, EnterpriseId, ExecTime }: Plan, date: string | undefined) =>
  db.rows(sql`
    update ${table(kind.plan)} set "NextTime" = ${date ? sql`(${`${date} ${ExecTime}`}::timestamp at time zone ${zoneOf(EnterpriseId)})` : sql`null`} where "Id" = ${Id}`)

/** Yesterday or the last day with orders, whichever is later, in the company's time zone. */
const lastDay = async (kind: Kind, db: Db, { Id, EnterpriseId }: Plan, now: number): Promise<string> => {
  const [row] = await db.rows<{ day: string }>(sql`
    select greatest((${new Date(now)}::timestamptz at time zone z.z)::date - 1, ("LastTime" at time zone z.z)::date)::text as day
    from ${table(kind.plan)}, lateral (select ${zoneOf(EnterpriseId)} as z) z where "Id" = ${Id}`)
  return row!.day
}
export const reschedule = async (kind: Kind, db: Db, plan: Plan, now: number) =>
  setNext(kind, db, plan, plan.PlanStatus === status.enabled ? await nextDate(db, plan, await lastDay(kind, db, plan, now)) : undefined)

/** Starts the count of an enabled plan now or on its first day. A previous count continues, even with another meter. */
const startCount = (kind: Kind, db: Db, { Id, EnterpriseId, StartDate }: Plan, now: number) =>
  db.rows(sql`
    update ${table(kind.plan)} set "HourDone" = coalesce("HourUsed", "HourDone"), "HourTime" = null,
      "HourFrom" = case when "HourParaId" is not null and "PlanStatus" = ${status.enabled}
        then greatest(${new Date(now)}::timestamptz, ${StartDate}::timestamp at time zone ${zoneOf(EnterpriseId)}) end,
      "HourNext" = null, "OpenEvents" = 0
    where "Id" = ${Id}`)

export const updatePlan = (kind: Kind, db: Db, actor: Actor, id: number, change: Values, now: number) =>
  db.tx(async (db) => {
    const before = await plansOf(kind).find(db, actor, id)
    const after = await plansOf(kind).update(db, actor, id, change)
    if (after.HourParaId !== before.HourParaId) await startCount(kind, db, after, now)
    // The forecast depends on the step.
    else await db.rows(sql`update ${table(kind.plan)} set "HourTime" = null where "Id" = ${id}`)
    await reschedule(kind, db, after, now)
    return plansOf(kind).find(db, actor, id)
  })

/** Enables, disables or ends plans, all or none. */
export const setPlanStatus = (
  kind: Kind,
  db: Db,
  actor: Actor,
  { Id, Ids, PlanStatus }: Body<typeof upkeepCalls.planStatus>,
  now: number,
) =>
  db.tx(async (db) => {
    const ids = [...new Set([...(Ids ?? []), ...(Id ? [Id] : [])])].toSorted((a, b) => a - b)
    if (!ids.length) throw new FieldFaults([{ field: 'Ids', rule: 'required' }])
    let Changed = 0
    for (const id of ids) {
      const before = await plansOf(kind).find(db, actor, id)
      if (before.PlanStatus === PlanStatus) continue
      await db.rows(sql`update ${table(kind.plan)} set "PlanStatus" = ${PlanStatus}, "UpdateTime" = now() where "Id" = ${id}`)
      if (before.HourParaId && PlanStatus === status.enabled) await startCount(kind, db, before, now)
      await reschedule(kind, db, { ...before, PlanStatus }, now)
      await record(db, actor, kind.plan, 'update', id, before.EnterpriseId, before, await plansOf(kind).find(db, actor, id))
      Changed++
    }
    return { Changed }
  })

/** Maximum plans per calendar query, dates per plan, and dates in total. */
const mostPlans = 1000
const mostDates = 400
export const mostShown = 10_000
/** Forecast days of the counter steps. With a calendar as well, only the next one: it restarts both. */
export const forecastDays = (
  { HourNext, HourStep, HourPerDay, CycleType }: Pick<Plan, 'HourNext' | 'HourStep' | 'HourPerDay' | 'CycleType'>,
  from: number,
  to: number,
): string[] => {
  if (!HourNext) return []
  const [first, until] = [dayNumber(HourNext.slice(0, 10)), Math.min(to, lastKey)]
  const repeats = CycleType === byCounter && !!HourStep && !!HourPerDay && HourPerDay > 0
  if (!repeats) return first >= from && first <= until ? [dayOf(first)] : []
  // At most one date a day, even for a small step.
  const every = Math.max(1, HourStep / HourPerDay)
  const days: string[] = []
  for (let key = first + Math.max(0, Math.ceil((from - first) / every)) * every; key <= until && days.length < mostDates; key += every)
    days.push(dayOf(Math.floor(key)))
  return days
}
/** Due dates between two days. */
export const calendar = async (
  kind: Kind,
  db: Db,
  actor: Actor,
  { From, To }: { From: string; To: string },
): Promise<Answer<typeof upkeepCalls.calendar>> => {
  const days = dayNumber(To) - dayNumber(From)
  if (!(days >= 0 && days <= 366)) throw new FieldFaults([{ field: 'To', rule: 'fault.rangeTooLong' }])
  const listing = readListing({ PageSize: mostPlans })
  // The calendar does not show checklists, which are long.
  const { Items: _, Files: __, ...fields } = kind.plan.fields as Record<string, Field>
  const conditions = [...listing.conditions, sql`"PlanStatus" = 1`]
  const enabled = await store({ ...kind.plan, fields } as typeof kind.plan).list(db, actor, { ...listing, conditions })
  const free = new Map<unknown, Promise<(date: string) => boolean>>()
  const freeOf = (plan: Plan) => {
    const key = `${plan.SkipHolidays} ${plan.ProjectId}`
    const days = free.get(key) ?? freeDays(db, plan)
    free.set(key, days)
    return days
  }
  const before = dayOf(dayNumber(From) - 1)
  const Dates = []
  const until = dayNumber(To)
  const nameOf = (plan: Plan) => (plan as { AssignUserName?: string | null }).AssignUserName ?? null
  for (const plan of enabled.Items as Plan[]) {
    if (Dates.length > mostShown) break
    await ownTurn()
    const cycle = cycleOf({ ...plan, EndDate: plan.EndDate && plan.EndDate < To ? plan.EndDate : To })
    const Machines = machinesIn(plan)
    for (const date of cycle ? datesAfter(cycle, before, mostDates, await freeOf(plan)) : [])
      Dates.push({ PlanId: plan.Id, PlanName: plan.PlanName, Date: date, Machines, AssignUserName: nameOf(plan), Forecast: 0 })
    for (const date of forecastDays(plan, dayNumber(From), until))
      Dates.push({ PlanId: plan.Id, PlanName: plan.PlanName, Date: date, Machines, AssignUserName: nameOf(plan), Forecast: 1 })
  }
  const zone = actor.zone ?? actor.tenantZone
  const Orders = await db.rows<Answer<typeof upkeepCalls.calendar>['Orders'][number]>(sql`
    select t."Id", t."OrderNo", t."Title", t."Status", to_char(t."PlanTime" at time zone ${zone}::text, 'YYYY-MM-DD HH24:MI:SS') as "PlanTime", t."PlanId", u."UserName" as "AssignUserName"
    from ${table(kind.order)} t left join "user" u on u."Id" = t."AssignUserId" and ${visible(user, actor, 'u')} where t."PlanTime" >= (${From}::timestamp at time zone ${zone}::text) and t."PlanTime" < ((${To}::date + 1)::timestamp at time zone ${zone}::text)
      and ${visible(kind.order, actor)} order by t."PlanTime", t."Id" limit 2001`)
  const TotalMore = enabled.TotalMore || Orders.length > 2000 || Dates.length > mostShown
  return { Dates: Dates.slice(0, mostShown), Orders: Orders.slice(0, 2000), TotalMore }
}
