// Plans that follow a counter: creates an order for each multiple of the step. A unique index allows one per plan, machine and
// multiple, also with several servers.
import { sql } from 'kysely'
import { dayMs } from '../../../../contract/days.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { serverActor } from '../../../../server/identity/actor.ts'
import { table } from '../../../../server/resource/sql.ts'
import type { Curve } from '../../../../server/telemetry/meaning/counter.ts'
import type { Meaning } from '../../../../server/telemetry/meaning/statistics.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { meaningsOf } from '../../../analysis/telemetry/server/service.ts'
import { byCounter } from '../contract.ts'
import { type Count, type Reached, reachedBy, shortened, stateOf } from './counted.ts'
import type { Kind } from './kind.ts'
import { insertOrders } from './making.ts'
import { nextDate, type Plan, setNext } from './planning.ts'

const [batch, lookMs, forecastMs] = [100, 5 * 60_000, 14 * 86_400_000]
const isCounter = ({ type }: Meaning) => type === 1

export type Counters = Pick<Telemetry, 'statistics'>
/** `End`: end of the plan's last day. */
type Counting = Plan & { From: number; Multiple: number; End: number | null }

const epoch = (of: string) => sql`(extract(epoch from ${sql.raw(of)}) * 1000)::float8`
const counting = sql`t.*, ${epoch('t."HourFrom"')} as "From", t."HourCount" as "Multiple",
  ${epoch(`((t."EndDate"::date + 1)::timestamp at time zone e."TimeZoneKey")`)} as "End"`

const due = (kind: Kind, db: Db, now: number) =>
  db.rows<Counting>(sql`
    select ${counting} from ${table(kind.plan)} t join enterprise e on e."Id" = t."EnterpriseId"
    where t."PlanStatus" = 1 and t."HourParaId" is not null and t."HourStep" is not null and t."HourFrom" is not null
      and (t."HourTime" is null or t."HourTime" <= ${new Date(now - lookMs)}::timestamptz)
    order by t."HourTime" nulls first, t."Id" limit ${batch}`)

/** Day from which the curve of a plan is read. */
const startOf = ({ From }: Counting, now: number) => Math.floor(Math.min(now - forecastMs, From) / dayMs) * dayMs
/** Counter curves by plan. Formula points and points that are no longer counters have none. A long count does not extend the others. */
const curvesFor = async (database: Database, { statistics }: Counters, plans: readonly Counting[], now: number) => {
  const curves = new Map<number, Curve>()
  for (const [EnterpriseId, ofTenant] of Map.groupBy(plans, (plan) => plan.EnterpriseId)) {
    const ids = ofTenant.map(({ HourParaId }) => HourParaId!)
    const { meanings } = await meaningsOf(database.system, serverActor(EnterpriseId), ids)
    for (const [start, of] of Map.groupBy(ofTenant, (plan) => startOf(plan, now))) {
      const points = new Set(of.map(({ HourParaId }) => HourParaId))
      const read = await statistics.curves(
        meanings.filter((meaning) => isCounter(meaning) && points.has(meaning.id)),
        [start, now],
      )
      for (const { Id, HourParaId } of of) if (read.has(HourParaId!)) curves.set(Id, read.get(HourParaId!)!)
    }
  }
  return curves
}

const at = (time: number | null) => (time === null ? sql`null` : sql`${new Date(time)}::timestamptz`)
const saveCount = (kind: Kind, db: Db, { Id }: Plan, { from, done, multiple }: Count) =>
  db.rows(sql`update ${table(kind.plan)} set "HourFrom" = ${at(from)}, "HourDone" = ${done}, "HourCount" = ${multiple} where "Id" = ${Id}`)

/** Restarts the calendar after a counter-based order. */
const restartCalendar = async (kind: Kind, db: Db, plan: Counting, { time }: Reached) => {
  const [row] = await db.rows<{ day: string }>(
    sql`select (${at(time)} at time zone "TimeZoneKey")::date::text as day from enterprise where "Id" = ${plan.EnterpriseId}`,
  )
  const RestartDate = row!.day
  await db.rows(sql`update ${table(kind.plan)} set "RestartDate" = ${RestartDate} where "Id" = ${plan.Id}`)
  await setNext(kind, db, plan, plan.BasedOn === 2 ? undefined : await nextDate(db, { ...plan, RestartDate }, RestartDate))
}

/** Checks a plan. Returns the number of new orders, or undefined if another server was faster. */
const look = (kind: Kind, database: Database, seen: Counting, curve: Curve | undefined, now: number) =>
  database.system.tx(async (db) => {
    const [plan] = await db.rows<Counting>(sql`
      select ${counting} from ${table(kind.plan)} t join enterprise e on e."Id" = t."EnterpriseId"
      where t."Id" = ${seen.Id} and t."PlanStatus" = 1 and t."HourParaId" = ${seen.HourParaId} and t."HourCount" = ${seen.Multiple}
        and ${epoch('t."HourFrom"')} = ${seen.From}
      for update of t skip locked`)
    if (!plan?.HourStep) return
    const until = plan.End === null ? now : Math.min(now, plan.End - 1)
    const count = { from: plan.From, done: plan.HourDone ?? 0, step: plan.HourStep, multiple: plan.Multiple }
    const waits = plan.BasedOn === 2
    const { reached, next } = curve && count.from <= until ? reachedBy(curve, count, until, waits) : { reached: [], next: count }
    let made = 0
    for (const one of reached) made += await insertOrders(kind, db, [plan], { at: at(one.time), multiple: one.multiple })
    const last = reached.at(-1)
    if (last && plan.CycleType !== byCounter) await restartCalendar(kind, db, plan, last)
    if (curve) await saveCount(kind, db, plan, shortened(curve, next, now))
    const state = curve && stateOf(curve, next, now)
    const isOver = plan.End !== null && plan.End <= now
    await db.rows(sql`
      update ${table(kind.plan)} set "HourTime" = ${at(now)}, "HourUsed" = ${state?.used ?? null}, "HourPerDay" = ${state?.perDay ?? null},
        "HourNext" = ${at(isOver ? null : (state?.next ?? null))}, "OpenEvents" = ${state?.open ?? 0}
        ${last ? sql`, "LastTime" = greatest("LastTime", ${at(last.time)})` : sql``}
        ${last && waits ? sql`, "HourFrom" = null, "HourNext" = null, "HourUsed" = 0, "HourDone" = 0` : sql``}
        ${isOver ? sql`, "PlanStatus" = 2, "NextTime" = null` : sql``}
      where "Id" = ${plan.Id}`)
    if (made || (state?.open ?? 0) !== plan.OpenEvents)
      db.emit({ resource: kind.plan.name, id: plan.Id, verb: 'update', EnterpriseId: plan.EnterpriseId })
    return made
  })

/** Creates orders for steps that counters have reached. Returns how many. */
export const makeCounted = async (kind: Kind, database: Database, counters: Counters, now: number): Promise<number> => {
  let made = 0
  for (;;) {
    const plans = await due(kind, database.system, now)
    const curves = await curvesFor(database, counters, plans, now)
    const looks: (number | undefined)[] = []
    for (const plan of plans) looks.push(await look(kind, database, plan, curves.get(plan.Id), now))
    made += looks.reduce<number>((sum, one) => sum + (one ?? 0), 0)
    // Other servers may hold the locks of all of them.
    if (plans.length < batch || looks.every((one) => one === undefined)) return made
  }
}
