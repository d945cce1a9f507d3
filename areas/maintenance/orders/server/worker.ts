// Opens orders requested by alarm rules. The action row is written with the alarm. Order and action commit together, so the order is
// opened exactly once, even after a crash. The worker never gives up an action.
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Delivery } from '../../../../server/channels/delivery.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { serverActor } from '../../../../server/identity/actor.ts'
import { startWorker } from '../../../../server/jobs/worker.ts'
import { alarmInfo } from '../../../alarms/alarms/contract.ts'
import { mtnCheckOrder } from '../../patrols/contract.ts'
import { mtnComponent } from '../../spare-parts/contract.ts'
import { mtnUpKeepOrder } from '../../upkeep/contract.ts'
import { mtnMaintenanceOrder } from '../contract.ts'
import { attach, type Cause, causeColumns, openFor, pairOf } from './open.ts'
import { verifyDue } from './proof.ts'
import type { Reader } from './running.ts'
import { takeStep } from './steps.ts'
import { tellDue } from './templates.ts'

type Payload = { UserId?: number; TeamId?: number; DepartmentId?: number; Urgency?: number }
type Claimed = Cause & { ActionId: number; Payload: Payload; Gone: boolean }
/** Resources with push events. */
const tells = new Set<string>([mtnMaintenanceOrder.name, mtnUpKeepOrder.name, mtnCheckOrder.name, mtnComponent.name])
const batch = 500
const retryMs = 60_000

const claim = (db: Db, now: Date, most: number) =>
  db.rows<Claimed>(sql`
    select c."Id" as "ActionId", c."Payload", a."ProjectId" is null or a."OrderId" is not null as "Gone", ${causeColumns}
    from (select * from alarm_action where "Status" = 0 and "Kind" = 'order' and "NextTime" <= ${now} order by "Id" limit ${most} for update skip locked) c
      join alarm_info a on a."Id" = c."AlmInfoId" join enterprise e on e."Id" = c."EnterpriseId" order by c."Id"`)

/** Assigns a new order to the assignees of the rule. If none of them sees the project, the order waits for a planner. */
const assign = async (db: Db, id: number, { EnterpriseId, Payload: { UserId, TeamId, DepartmentId } }: Claimed) => {
  if (!UserId && !TeamId && !DepartmentId) return
  await takeStep(db, serverActor(EnterpriseId), id, 'dispatch', { UserId, TeamId, DepartmentId }).catch((error) => {
    if (!(error instanceof FieldFaults)) throw error
  })
}

const openAll = async (db: Db, claimed: readonly Claimed[]) => {
  const wanted = claimed.filter(({ Gone }) => !Gone)
  for (const [first, ...more] of Map.groupBy(wanted, pairOf).values()) {
    const { Id, isNew } = await openFor(db, first!, { Urgency: first!.Payload.Urgency })
    await attach(
      db,
      Id,
      [first!, ...more].map((cause) => cause.Id),
    )
    if (isNew) await assign(db, Id, first!)
  }
}

type Needs = {
  database: Database
  delivery?: Pick<Delivery, 'deliver'>
  telemetry?: Reader['telemetry']
  clock: () => number
  log: Pick<Logger, 'warn'>
  isOwner?: () => boolean
  pollMs?: number
}

export const startOrders = ({ database, delivery, telemetry, clock, log, isOwner = () => true, pollMs = 5000 }: Needs) => {
  const one = (most: number) =>
    database.system.tx(async (db) => {
      const claimed = await claim(db, new Date(clock()), most)
      if (!claimed.length) return 0
      await openAll(db, claimed)
      await db.rows(sql`
        update alarm_action set "Status" = 1, "DoneTime" = ${new Date(clock())}, "NextTime" = null where "Id" = any(${claimed.map((c) => c.ActionId)}::bigint[])`)
      return claimed.length
    })
  /** Postpones a failed action, so that it does not block the others. It is retried without limit. */
  const putOff = async (error: unknown) => {
    log.warn({ err: error }, 'an order of an alarm was not opened; trying again')
    await database.system.rows(sql`
      update alarm_action set "NextTime" = ${new Date(clock() + retryMs)}, "Tries" = least("Tries" + 1, 1000) where "Id" = (
        select "Id" from alarm_action where "Status" = 0 and "Kind" = 'order' and "NextTime" <= ${new Date(clock())} order by "Id" limit 1)`)
  }
  const run = async (isStopped: () => boolean) => {
    while (!isStopped() && isOwner()) {
      const done = await one(batch).catch(() => one(1).catch(putOff))
      if (done === 0) break
    }
    if (!isOwner()) return
    await verifyDue(database, clock(), telemetry)
    if (delivery) while (!isStopped() && (await tellDue(database, delivery, clock())));
  }
  return startWorker({
    ...{ database, run, pollMs },
    triggeredBy: ({ resource, verb }) => (resource === alarmInfo.name && verb === 'create') || (tells.has(resource) && verb !== 'remove'),
    failed: (err) => log.warn({ err }, 'orders of alarms were not opened'),
  })
}
