// Computes reports in the background, oldest first per company. Computation restarts after a crash.
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database, Db } from '../../../../server/database/db.ts'
import type { FileStore } from '../../../../server/files/store.ts'
import { serverActor } from '../../../../server/identity/actor.ts'
import { startWorker } from '../../../../server/jobs/worker.ts'
import { coldReport } from '../contract.ts'
import { gather, type Reads, type Report } from './gather.ts'
import { dropFiles, giveFile, pathOf, putFile } from './keep.ts'
import { ownReports } from './own.ts'
import { askRecord } from './recording.ts'

const pollMs = 5000
/** Maximum attempts and retry delay. */
const [mostTries, waitMs] = [3, 60_000]

export type WorkerNeeds = Reads & {
  database: Database
  store: Pick<FileStore, 'put' | 'get'>
  isOwner: () => boolean
  clock: () => number
  log: Pick<Logger, 'warn'>
}
type Due = { Id: number; EnterpriseId: number; Tries: number }

const nextDue = async (db: Db, now: number) => {
  const [due] = await db.rows<Due>(sql`
    select "Id", "EnterpriseId", "Tries" from (
      select *, row_number() over (partition by "EnterpriseId" order by "Id") as turn from cold_report
      where "Result" = 0 and "NextTime" <= ${new Date(now)}) due
    order by turn, "Id" limit 1`)
  return due
}

/** Computes one report and stores its record, unless it was deleted or recomputed in the meantime. `system` bypasses user permissions. */
export const computeReport = async (
  db: Db,
  system: Db,
  { store, clock, telemetry }: Pick<WorkerNeeds, 'store' | 'clock' | 'telemetry'>,
  { Id, EnterpriseId }: Pick<Due, 'Id' | 'EnterpriseId'>,
  signal?: AbortSignal,
) => {
  const actor = serverActor(EnterpriseId)
  const report: Report = await ownReports.find(db, actor, Id)
  const gathered = await gather(system, report, { telemetry }, clock())
  const { bytes, sha256, Result } = await askRecord<'make'>({ kind: 'make', gathered }, signal)
  const file = await putFile(store as FileStore, EnterpriseId, 'json', Buffer.from(bytes))
  await db.tx(async (db) => {
    const [row] = await db.rows(sql`select 1 from cold_report where "Id" = ${Id} and "Result" = 0 for no key update`)
    if (!row) return
    await dropFiles(db, [Id])
    await giveFile(db, file, report)
    await ownReports.update(db, actor, Id, { Result, RecordPath: pathOf(file), RecordSha256: sha256, IsFailed: 0 })
  })
}

/** A report that cannot be computed gets the result insufficient data. */
const giveUp = async ({ database, clock }: WorkerNeeds, { Id, EnterpriseId, Tries }: Due) => {
  await database.system.rows(
    sql`update cold_report set "Tries" = "Tries" + 1, "NextTime" = ${new Date(clock() + waitMs)} where "Id" = ${Id} and "Result" = 0`,
  )
  if (Tries + 1 < mostTries) return
  const actor = serverActor(EnterpriseId)
  await ownReports.update(database.as(actor), actor, Id, { Result: 3, IsFailed: 1, RecordPath: null, RecordSha256: null })
}

export const startReportWorker = (needs: WorkerNeeds) => {
  const { database, isOwner, clock, log } = needs
  const stopping = new AbortController()
  const run = async (isStopped: () => boolean) => {
    while (isOwner() && !isStopped()) {
      const due = await nextDue(database.system, clock())
      if (!due) return
      const db = database.as(serverActor(due.EnterpriseId))
      await computeReport(db, database.system, needs, due, stopping.signal).catch(async (err) => {
        if (stopping.signal.aborted) return
        log.warn({ err, report: due.Id }, 'a report of a cold room was not computed')
        await giveUp(needs, due)
      })
    }
  }
  const worker = startWorker({
    ...{ database, run, pollMs },
    triggeredBy: ({ resource, verb }) => resource === coldReport.name && verb !== 'remove',
    failed: (err) => log.warn({ err }, 'reports of cold rooms were not looked for; trying again'),
  })
  return {
    ...worker,
    stop: () => {
      stopping.abort()
      return worker.stop()
    },
  }
}
