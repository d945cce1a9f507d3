// Sends the latest values of projects to systems of others, every so often. Ingest never waits for it: values are read from memory.
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Within } from '../../../../server/channels/outbound.ts'
import { type Outcome, ofError } from '../../../../server/channels/outcome.ts'
import { postSigned } from '../../../../server/channels/webhook.ts'
import type { Database } from '../../../../server/database/db.ts'
import type { Vault } from '../../../../server/identity/vault.ts'
import { createLanes, inTurns, startLanes } from '../../../../server/jobs/lanes.ts'
import { startWorker } from '../../../../server/jobs/worker.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { mostSentPoints, thirdPartyAccess } from '../contract.ts'
import { bodyOf, type SentReading } from './format.ts'
import { accessSecret } from './routes.ts'

export type AccessNeeds = {
  database: Database
  vault: Pick<Vault, 'get'>
  latest: Telemetry['latest']
  allowed: Within['allowed']
  /** Whether a tenant's readings are stored now. */
  stores(EnterpriseId: number): boolean
  clock: () => number
  log: Pick<Logger, 'warn'>
}
type Due = {
  Id: number
  EnterpriseId: number
  ProjectId: number
  ProjectName: string
  Url: string
  Format: number
  Period: number
  Failures: number
  /** With microseconds, which a Date does not have. */
  UpdateTime: string
}
type Point = { Id: number; DeviceName: string; ParaName: string }

/** Receivers that are sent to at the same time. */
const limits = { perTenant: 4, most: 16 }
/** Readings of one request, and the longest pause after failures, s. */
const [mostReadings, longestPause] = [2000, 300]

export const startAccesses = ({ database, vault, latest, allowed, stores, clock, log }: AccessNeeds) => {
  const db = database.system
  const lanes = createLanes(limits)

  const readingsOf = async ({ ProjectId }: Due): Promise<SentReading[]> => {
    const points = await db.rows<Point>(sql`
      select t."Id", d."DeviceName", t."ParaName" from point t join device d on d."Id" = t."DeviceId" join gateway g on g."Id" = d."GatewayId"
      where g."ProjectId" = ${ProjectId} order by t."Id" limit ${mostSentPoints}`)
    return points.flatMap(({ Id, DeviceName, ParaName }) => {
      const reading = latest.get(Id)
      if (typeof reading?.value !== 'number' || !Number.isFinite(reading.value)) return []
      return [{ ParaId: Id, Device: DeviceName, Name: ParaName, Time: reading.time, Value: reading.value, Quality: reading.quality }]
    })
  }
  /** Undefined: there was nothing to send. */
  const deliver = async (due: Due): Promise<Outcome | undefined> => {
    if (!stores(due.EnterpriseId)) return
    const readings = await readingsOf(due)
    const secret = (await vault.get(due.EnterpriseId, accessSecret(due.Id))) || undefined
    const to = { url: due.Url, secret, within: { allowed, tenant: due.EnterpriseId } }
    let outcome: Outcome | undefined
    for (let from = 0; from < readings.length; from += mostReadings) {
      const { body, type } = bodyOf(due.Format, due, readings.slice(from, from + mostReadings))
      const at = clock()
      outcome = await postSigned({ ...to, at }, `access-${due.Id}-${at}-${from}`, body, type).catch(ofError)
      if (outcome.is !== 'sent') return outcome
    }
    return outcome
  }
  const work = async (due: Due) => {
    const outcome = await deliver(due)
    const hasFailed = outcome !== undefined && outcome.is !== 'sent'
    const failures = hasFailed ? due.Failures + 1 : 0
    const pause = hasFailed ? Math.min(longestPause, due.Period * 2 ** Math.min(failures, 5)) : due.Period
    const now = clock()
    // Skip rows edited during delivery: their update made them due immediately.
    await db.rows(sql`
      update third_party_access set "NextTime" = ${new Date(now + Math.max(pause, due.Period) * 1000)}, "Failures" = ${failures},
        "SendStatus" = ${outcome ? (hasFailed ? 2 : 1) : sql`"SendStatus"`},
        "LastTime" = ${outcome?.is === 'sent' ? new Date(now) : sql`"LastTime"`},
        "LastFault" = ${hasFailed ? outcome.error.slice(0, 200) : null}
      where "Id" = ${due.Id} and "UpdateTime"::text = ${due.UpdateTime}`)
  }
  const claim = (ids: readonly number[]) =>
    db.rows<Due>(sql`
      select a."Id", a."EnterpriseId", a."ProjectId", p."ProjectName", a."Url", a."Format", a."Period", a."Failures", a."UpdateTime"::text
      from third_party_access a join project p on p."Id" = a."ProjectId" where a."Id" = any(${[...ids]}::bigint[]) and a."Enabled" = 1`)
  const run = async () => {
    const due = sql`
      select "Id", "EnterpriseId", "NextTime", "Id"::text as lane from third_party_access
      where "Enabled" = 1 and "NextTime" <= ${new Date(clock())}`
    const candidates = await db.rows<{ Id: number; tenant: number; lane: string }>(inTurns(due, lanes, { ...limits, batch: 1 }))
    await startLanes(lanes, candidates, claim, async ([one]) => one && work(one))
  }
  return startWorker({
    ...{ database, run, lanes, pollMs: 1000 },
    triggeredBy: ({ resource }) => resource === thirdPartyAccess.name,
    failed: (err) => log.warn({ err }, 'readings were not sent to a third party; trying again'),
  })
}
