import { statSync } from 'node:fs'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { exportLimits, sheetWait } from '../../../../contract/exportLimits.ts'
import { type ExportTask, taskStatus } from '../../../../contract/exports.ts'
import type { Database } from '../../../../server/database/db.ts'
import { Fault } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { keptScope, stillSees } from '../../../../server/identity/keptScope.ts'
import { noteExport } from '../../../../server/identity/note.ts'
import type { Sessions } from '../../../../server/identity/sessions.ts'
import type { Sql } from '../../../../server/resource/sql.ts'
import type { ExportFolder } from './folder.ts'
import type { Prepared, Running } from './kinds.ts'
import { notifyReady } from './ready.ts'
import { announceTasks } from './taskRows.ts'

export type Format = ExportTask['Format']
export type Job = Prepared & {
  id: number
  actor: Actor
  /** When the caller stops waiting for the file. */
  waitsUntil: number
  /** Restarts after a server restart. */
  again: boolean
  stop: AbortController
}

export type QueueNeeds = {
  database: Database
  sessions: Pick<Sessions, 'actorOf' | 'onChanged' | 'onEnd'>
  folder: ExportFolder
  log: Pick<Logger, 'warn'>
  clock: () => number
  /** Concurrent exports in total and per tenant. */
  limits: { progressMs: number; atOnce: number; ofTenant: number }
}

/** Reports a full disk as the reason; other errors are only logged. */
const faultOf = (error: unknown) => {
  if (error instanceof Fault) return error
  const isFull = error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
  return new Fault(isFull ? 'exportNoRoom' : 'exportFailed')
}

/** Queue of exports with a few workers. An export is cancelled when its owner loses a permission that it needs. */
export class ExportQueue {
  readonly #needs: QueueNeeds
  readonly #waiting: Job[] = []
  readonly #running = new Map<Job, Promise<void>>()
  /** The last export started for each tenant, for a fair order. */
  readonly #begunAt = new Map<number, number>()
  /** Jobs of people whose rights may have changed. Changes are batched; each job is checked once. */
  readonly #unchecked = new Set<Job>()
  #isChecking = false
  #closed = false
  readonly #unwatch: readonly (() => unknown)[]

  constructor(needs: QueueNeeds) {
    this.#needs = needs
    const { sessions } = needs
    this.#unwatch = [
      sessions.onChanged((of) => {
        for (const job of [...this.#running.keys(), ...this.#waiting]) if (of(job.actor)) this.#unchecked.add(job)
        void this.#check()
      }),
      sessions.onEnd(
        (session, reason) => reason !== 'logout' && reason !== 'renewed' && this.#cancelQuietly((job) => job.actor.session === session),
      ),
    ]
  }

  waitingOf(userId: number) {
    return this.#waiting.filter((job) => job.actor.UserId === userId).length
  }
  add(job: Job) {
    this.#waiting.push(job)
    this.#startNext()
  }

  async #set(job: Job, change: Sql) {
    const db = this.#needs.database.system
    await db.rows(sql`update import_export_task set ${change} where "Id" = ${job.id}`)
    announceTasks(db, job.actor)
  }

  /** Stores the progress of a job at intervals. */
  #reporting(job: Job): Running {
    const { clock, limits } = this.#needs
    let reportedAt = clock()
    const report = async (done: number, total: number | null, share?: number) => {
      if (clock() - reportedAt < limits.progressMs && (total === null || done < total)) return
      reportedAt = clock()
      const percent = total === null && share !== undefined ? Math.floor(100 * share) : null
      await this.#set(job, sql`"DoneRows" = ${done}, "TotalRows" = ${total}::bigint, "Progress" = ${percent}::smallint`)
    }
    return { signal: job.stop.signal, report }
  }

  async #write(job: Job) {
    const path = this.#needs.folder.pathOf(job.id, job.format)
    const written = await job.write(path, this.#reporting(job))
    const { rows: done, ...proof } = typeof written === 'number' ? { rows: written } : { rows: written.rows, Sha256: written.sha256 }
    const bytes = statSync(path).size
    job.stop.signal.throwIfAborted()
    await this.#needs.database.system.tx(async (db) => {
      await db.rows(sql`
        update import_export_task set "Status" = ${taskStatus.done}, "DoneRows" = ${done}, "TotalRows" = ${done}, "Progress" = null, "FileBytes" = ${bytes},
          "ExpireTime" = ${new Date(this.#needs.clock() + exportLimits.hours * 3_600_000)} where "Id" = ${job.id}`)
      await noteExport(db, job.actor, job.resource, job.fileName, { Filters: job.filters, Rows: done, ...proof })
      if (done > sheetWait.rows || this.#needs.clock() > job.waitsUntil) await notifyReady(db, job, done)
      announceTasks(db, job.actor)
    })
  }

  async #run(job: Job) {
    try {
      await this.#set(job, sql`"Status" = ${taskStatus.running}`)
      await this.#write(job)
    } catch (error) {
      this.#needs.folder.drop(job.id)
      if (this.#closed && job.again) return
      const cancelled = job.stop.signal.aborted && !this.#closed
      const fault = this.#closed ? new Fault('exportInterrupted') : faultOf(error)
      if (!cancelled && !(error instanceof Fault) && !this.#closed) this.#needs.log.warn({ err: error, task: job.id }, 'export failed')
      await this.#set(
        job,
        cancelled
          ? sql`"Status" = ${taskStatus.cancelled}`
          : sql`"Status" = ${taskStatus.failed}, "Fault" = ${fault.key}, "FaultValues" = ${JSON.stringify(fault.values)}::jsonb`,
      ).catch((err) => this.#needs.log.warn({ err, task: job.id }, 'export not ended'))
    }
  }
  #startNext() {
    const { limits } = this.#needs
    if (this.#closed || this.#running.size >= limits.atOnce) return
    const busy = (of: (actor: Actor) => boolean) => [...this.#running.keys()].filter(({ actor }) => of(actor)).length
    const mayRun = ({ actor: { UserId, EnterpriseId } }: Job) =>
      busy((a) => a.UserId === UserId) < exportLimits.running && busy((a) => a.EnterpriseId === EnterpriseId) < limits.ofTenant
    const turn = ({ actor }: Job) => this.#begunAt.get(actor.EnterpriseId) ?? 0
    const [job] = this.#waiting.filter(mayRun).sort((a, b) => turn(a) - turn(b) || a.id - b.id)
    if (!job) return
    this.#waiting.splice(this.#waiting.indexOf(job), 1)
    this.#begunAt.set(job.actor.EnterpriseId, job.id)
    this.#running.set(
      job,
      this.#run(job).finally(() => {
        this.#running.delete(job)
        this.#startNext()
      }),
    )
    this.#startNext()
  }

  async cancel(of: (job: Job) => boolean) {
    for (const job of this.#waiting.filter(of)) {
      this.#waiting.splice(this.#waiting.indexOf(job), 1)
      await this.#set(job, sql`"Status" = ${taskStatus.cancelled}`)
    }
    for (const job of this.#running.keys()) if (of(job)) job.stop.abort()
  }

  #cancelQuietly(of: (job: Job) => boolean) {
    void this.cancel(of).catch((err) => this.#needs.log.warn({ err }, 'exports not cancelled'))
  }
  async #mayGoOn({ actor, permission }: Job) {
    const now = await this.#needs.sessions.actorOf(actor.UserId, actor.session, actor.role)
    return now && !('ended' in now) && now.may.has(permission) && stillSees(now, keptScope(actor))
  }
  async #check() {
    if (this.#isChecking) return
    this.#isChecking = true
    for (const job of this.#unchecked) {
      this.#unchecked.delete(job)
      // Ends the export of a person who has lost rights since its start.
      if (!(await this.#mayGoOn(job).catch(() => false))) this.#cancelQuietly((j) => j === job)
    }
    this.#isChecking = false
  }

  async close() {
    this.#closed = true
    for (const undo of this.#unwatch) undo()
    for (const job of this.#running.keys()) job.stop.abort()
    await Promise.all(this.#running.values())
  }
}
