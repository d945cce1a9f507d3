// Checks shifts periodically: a person without a reading at the end of the grace period is missing.
import { sql } from 'kysely'
import type { Context } from '../../../../server/context.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { startWorker } from '../../../../server/jobs/worker.ts'
import { mtnPunchRecord } from '../contract.ts'
import { dutiesIn, judgeDuties } from './duties.ts'

const [pollMs, lookback, atOnce] = [60_000, 3 * 86_400_000, 500]

const judgeCompany = async (system: Db, EnterpriseId: number, now: number, isStopped: () => boolean) => {
  const duties = await dutiesIn(system, EnterpriseId, now - lookback, now)
  for (let i = 0; i < duties.length && !isStopped(); i += atOnce)
    await system.tx(async (db) => {
      for (const { Id } of await judgeDuties(db, EnterpriseId, duties.slice(i, i + atOnce), now))
        db.emit({ resource: mtnPunchRecord.name, id: Id, verb: 'update', EnterpriseId })
    })
}
/** Checks recent duties of all companies. A failure in one company does not delay the others. */
export const judgeShifts = async ({ system }: Database, now: number, isStopped = () => false) => {
  const companies = await system.rows<{ Id: number }>(sql`select distinct "EnterpriseId" as "Id" from mtn_shift_duty`)
  const failures: unknown[] = []
  for (const { Id } of companies) await judgeCompany(system, Id, now, isStopped).catch((error) => failures.push(error))
  if (failures.length) throw new AggregateError(failures)
}

export const startShiftDuties = (c: Context) => {
  const { database, clock, log } = c
  const worker = startWorker({
    database,
    run: async (isStopped) => void (c.isOwner() && (await judgeShifts(database, clock(), isStopped))),
    triggeredBy: ({ resource }) => resource === 'mtnShiftDuty',
    failed: (err) => log.warn({ err }, 'shifts were not judged; trying again'),
    pollMs,
  })
  c.opened(worker, () => worker.stop())
}
