// Sends the latest values of projects to systems of others, every so often. Ingest never waits for it: values are read from memory.
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Within } from '../../../../server/channels/outbound.ts'
import { type Outcome, ofError } from '../../../../server/channels/outcome.ts'
import { postSigned } from '../../../../server/channels/webhook.ts'
import type { Database } from '../../../../server/database/db.ts'
import type { Vault } from '../../../../server/identity/vault.ts'
import { createLanes } from '../../../../server/jobs/lanes.ts'
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

/** Accesses looked at together, readings of one request, and the longest pause after failures, s. */
const [mostDue, mostReadings, longestPause] = [500, 2000, 300]

export const startAccesses = ({ database, vault, latest, allowed, stores, clock, log }: AccessNeeds) => {
  const db = database.system
  const lanes = createLanes({ perTenant: 4, most: 16 })

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
  const run = async () => {
    const due = await db.rows<Due>(sql`
      select a."Id", a."EnterpriseId", a."ProjectId", p."ProjectName", a."Url", a."Format", a."Period", a."Failures", a."UpdateTime"::text
      from third_party_access a join project p on p."Id" = a."ProjectId"
      where a."Enabled" = 1 and a."NextTime" <= ${new Date(clock())} order by a."NextTime" limit ${mostDue}`)
    const candidates = due
      .filter(({ EnterpriseId }) => stores(EnterpriseId))
      .map((one) => ({ ...one, tenant: one.EnterpriseId, lane: String(one.Id) }))
    for (const [, [one]] of lanes.pick(lanes.longestUnserved(candidates))) lanes.start(one!, () => work(one!))
  }
  return startWorker({
    ...{ database, run, lanes, pollMs: 1000 },
    triggeredBy: ({ resource }) => resource === thirdPartyAccess.name,
    failed: (err) => log.warn({ err }, 'readings were not sent to a third party; trying again'),
  })
}
