// Sends readings of projects to external systems. Ingest never waits for it: latest values come from memory, the others from the store.
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../../../../server/database/db.ts'
import { createLanes, inTurns, startLanes } from '../../../../server/jobs/lanes.ts'
import { startWorker } from '../../../../server/jobs/worker.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { eachReading, statistics, thirdPartyAccess } from '../contract.ts'
import { type Due, pointsOf, readAccesses } from './accesses.ts'
import { type DeliveryNeeds, openDeliveries } from './deliveries.ts'
import { untilNext } from './intervals.ts'
import { ofFailure } from './outcome.ts'

export type AccessNeeds = DeliveryNeeds & {
  database: Database
  telemetry: DeliveryNeeds['telemetry'] & Pick<Telemetry, 'onRetain'>
  /** Whether readings of a tenant are stored at present. */
  stores(EnterpriseId: number): boolean
  log: Pick<Logger, 'warn'>
}
/** Concurrent receivers. */
const limits = { perTenant: 4, most: 16 }
/** The longest pause after failures, s. */
const longestPause = 300

export const startAccesses = ({ database, vault, telemetry, allowed, stores, clock, log }: AccessNeeds) => {
  const db = database.system
  const { send, backlogOf } = openDeliveries(db, { vault, telemetry, allowed, clock })
  const lanes = createLanes(limits)

  const work = async (due: Due) => {
    const points = stores(due.EnterpriseId) ? await pointsOf(db, due) : []
    const outcome = await send(due, points).catch(ofFailure)
    const isMore = outcome === 'more'
    const fault = outcome && !isMore ? outcome.fault : null
    const failures = fault ? due.Failures + 1 : 0
    const usual = due.Mode === statistics ? untilNext(due.Period * 1000, clock()) / 1000 : due.Period
    const pause = fault ? Math.max(due.Period, Math.min(longestPause, due.Period * 2 ** Math.min(failures, 5))) : isMore ? 0 : usual
    const { count: waiting, earliest } = await backlogOf(due, points, outcome)
    // Skip rows edited during delivery: their update made them due immediately.
    await db.rows(sql`
      update third_party_access set "NextTime" = ${new Date(clock() + pause * 1000)}, "Failures" = ${failures},
        "SendStatus" = ${outcome ? (fault ? 2 : 1) : sql`"SendStatus"`}, "LastFault" = ${fault},
        "FaultStatus" = ${outcome && !isMore ? outcome.status : null}, "Waiting" = ${waiting},
        "WaitingSince" = ${earliest === null ? null : new Date(earliest)}
      where "Id" = ${due.Id} and "UpdateTime"::text = ${due.UpdateTime}`)
  }
  const claim = (ids: readonly number[]) => readAccesses(db, sql`a."Id" = any(${[...ids]}::bigint[]) and a."Enabled" = 1`)
  const run = async () => {
    const due = sql`
      select "Id", "EnterpriseId", "NextTime", "Id"::text as lane from third_party_access
      where "Enabled" = 1 and "NextTime" <= ${new Date(clock())}`
    const candidates = await db.rows<{ Id: number; tenant: number; lane: string }>(inTurns(due, lanes, { ...limits, batch: 1 }))
    await startLanes(lanes, candidates, claim, async ([one]) => one && work(one))
  }
  /** Counts unsent readings that retention deletes as lost, once. They are not sent later, even if a file still has them. */
  const forget = async (due: Due, before: ReadonlyMap<number, number>) => {
    const ids = (await pointsOf(db, due)).map(({ Id }) => Id).filter((id) => before.has(id))
    const to = before.get(ids[0] ?? 0)
    if (to === undefined || !Number.isFinite(to) || to <= due.LostBefore) return
    const { count: lost } = await telemetry.arrived(ids, due.Cursor ?? 0, due.LostBefore, to)
    await db.rows(sql`update third_party_access set "Lost" = "Lost" + ${lost}, "LostBefore" = ${to} where "Id" = ${due.Id}`)
  }
  const stopListening = telemetry.onRetain(async (cutoffs) => {
    const before = new Map(cutoffs.flatMap(({ points, before }) => points.map((point) => [point, before] as const)))
    for (const due of await readAccesses(db, sql`a."Mode" = ${eachReading} and a."Cursor" is not null`)) await forget(due, before)
  })
  const worker = startWorker({
    ...{ database, run, lanes, pollMs: 1000 },
    triggeredBy: ({ resource }) => resource === thirdPartyAccess.name,
    failed: (err) => log.warn({ err }, 'readings were not sent to a third party; trying again'),
  })
  return {
    stop: () => {
      stopListening()
      return worker.stop()
    },
  }
}
