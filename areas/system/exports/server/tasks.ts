// Exports in the background: a few at once, the others wait; the file lies in the data folder for a day. What is running when the
// server stops has failed, and says so: its person starts it again.
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Page } from '../../../../contract/call.ts'
import { exportLimits, sheetWait } from '../../../../contract/exportLimits.ts'
import { type ExportTask, exportPermission, taskStatus } from '../../../../contract/exports.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Resource } from '../../../../contract/resource.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { inWords } from '../../../../server/files/sheet.ts'
import { openSheet } from '../../../../server/files/sheetWriter.ts'
import { Fault, notFound } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { type KeptScope, keptScope, stillSees } from '../../../../server/identity/keptScope.ts'
import { noteExport } from '../../../../server/identity/note.ts'
import type { Sessions } from '../../../../server/identity/sessions.ts'
import { type Listing, paged } from '../../../../server/resource/list.ts'
import type { Sql } from '../../../../server/resource/sql.ts'
import { resources } from '../../../index.ts'
import { notifyReady } from './ready.ts'
import { parts } from './service.ts'
import { sheetName } from './sheetName.ts'

type Job = {
  id: number
  actor: Actor
  r: Resource
  format: 'xlsx' | 'csv'
  names: readonly string[]
  listing: Listing
  /** As they were asked for, for the log. */
  filters: object
  language: Language
  fileName: string
  /** When the caller stops waiting for the file. */
  waitsUntil: number
  stop: AbortController
}
type Held = Omit<ExportTask, 'Reason'> & { Fault: string | null; FaultValues: Record<string, string | number> | null }

export type ExportNeeds = {
  database: Database
  sessions: Pick<Sessions, 'actorOf' | 'onChanged' | 'onEnd'>
  /** Folder of the files, with no other writer. */
  folder: string
  log: Pick<Logger, 'warn'>
  clock?: () => number
  limits?: { progressMs?: number; atOnce?: number; ofTenant?: number; sweepMs?: number }
}

/** Concurrent exports in total and per tenant. Each reads a page of rows at a time. */
const standard = { progressMs: 500, atOnce: 4, ofTenant: 3, sweepMs: 3_600_000 }

export const openExports = async ({ database, sessions, folder, log, clock = Date.now, ...options }: ExportNeeds) => {
  const limits = { ...standard, ...options.limits }
  mkdirSync(folder, { recursive: true })
  const db = database.system
  const jobs: Job[] = []
  const running = new Map<Job, Promise<void>>()
  let closed = false
  const pathOf = (id: number, format: string) => join(folder, `${id}.${format}`)
  const drop = (id: number) => {
    for (const format of ['xlsx', 'csv']) rmSync(pathOf(id, format), { force: true })
  }
  /** Makes the person's consoles refetch his tasks. The Id is the person's. */
  const tell = ({ UserId, EnterpriseId }: Pick<Actor, 'UserId' | 'EnterpriseId'>, to: Db = db) =>
    to.emit({ resource: 'importExportTask', id: UserId, verb: 'update', EnterpriseId })
  const set = async (job: Job, change: Sql) => {
    await db.rows(sql`update import_export_task set ${change} where "Id" = ${job.id}`)
    tell(job.actor)
  }

  const write = async (job: Job) => {
    const words = inWords(job.r, job.names, job.language)
    const sheet = await openSheet(job.format, pathOf(job.id, job.format), words.header)
    let done = 0
    let told = clock()
    try {
      for await (const { rows, total } of parts(database.as(job.actor), job.actor, job.r, job, exportLimits.rows)) {
        job.stop.signal.throwIfAborted()
        await sheet.write(rows.map(words.row))
        done += rows.length
        if (clock() - told < limits.progressMs && done < total) continue
        told = clock()
        await set(job, sql`"DoneRows" = ${done}, "TotalRows" = ${Math.max(done, total)}`)
      }
      await sheet.close()
    } catch (error) {
      await sheet.abort()
      throw error
    }
    const bytes = statSync(pathOf(job.id, job.format)).size
    job.stop.signal.throwIfAborted()
    await db.tx(async (db) => {
      await db.rows(sql`
        update import_export_task set "Status" = ${taskStatus.done}, "DoneRows" = ${done}, "TotalRows" = ${done}, "FileBytes" = ${bytes},
          "ExpireTime" = ${new Date(clock() + exportLimits.hours * 3_600_000)} where "Id" = ${job.id}`)
      await noteExport(db, job.actor, job.r.name, job.fileName, { Filters: job.filters, Rows: done })
      if (done > sheetWait.rows || clock() > job.waitsUntil) await notifyReady(db, job, done)
      tell(job.actor, db)
    })
  }

  const run = async (job: Job) => {
    try {
      await set(job, sql`"Status" = ${taskStatus.running}`)
      await write(job)
    } catch (error) {
      drop(job.id)
      const cancelled = job.stop.signal.aborted && !closed
      const fault = closed ? new Fault('exportInterrupted') : error instanceof Fault ? error : new Fault('exportFailed')
      if (!cancelled && !(error instanceof Fault) && !closed) log.warn({ err: error, task: job.id }, 'export failed')
      await set(
        job,
        cancelled
          ? sql`"Status" = ${taskStatus.cancelled}`
          : sql`"Status" = ${taskStatus.failed}, "Fault" = ${fault.key}, "FaultValues" = ${JSON.stringify(fault.values)}::jsonb`,
      ).catch((err) => log.warn({ err, task: job.id }, 'export not ended'))
    }
  }
  /** The last export started for each tenant, for a fair order. */
  const begunAt = new Map<number, number>()
  const next = () => {
    if (closed || running.size >= limits.atOnce) return
    const busy = (of: (actor: Actor) => boolean) => [...running.keys()].filter(({ actor }) => of(actor)).length
    const mayRun = ({ actor: { UserId, EnterpriseId } }: Job) =>
      busy((a) => a.UserId === UserId) < exportLimits.running && busy((a) => a.EnterpriseId === EnterpriseId) < limits.ofTenant
    const turn = ({ actor }: Job) => begunAt.get(actor.EnterpriseId) ?? 0
    const [job] = jobs.filter(mayRun).sort((a, b) => turn(a) - turn(b) || a.id - b.id)
    if (!job) return
    jobs.splice(jobs.indexOf(job), 1)
    begunAt.set(job.actor.EnterpriseId, job.id)
    running.set(
      job,
      run(job).finally(() => {
        running.delete(job)
        next()
      }),
    )
    next()
  }

  const cancel = async (of: (job: Job) => boolean) => {
    for (const job of jobs.filter(of)) {
      jobs.splice(jobs.indexOf(job), 1)
      await set(job, sql`"Status" = ${taskStatus.cancelled}`)
    }
    for (const job of running.keys()) if (of(job)) job.stop.abort()
  }
  /** Jobs whose people may have other rights by now. They are checked one by one, however often something changes. */
  const unchecked = new Set<Job>()
  let isChecking = false
  const mayGoOn = async ({ actor, r }: Job) => {
    const now = await sessions.actorOf(actor.UserId, actor.session, actor.role)
    return now && !('ended' in now) && now.may.has(exportPermission(r)) && stillSees(now, keptScope(actor))
  }
  const check = async () => {
    if (isChecking) return
    isChecking = true
    for (const job of unchecked) {
      unchecked.delete(job)
      // Who may read less than when he began gets nothing more.
      if (!(await mayGoOn(job).catch(() => false))) quietly((j) => j === job)
    }
    isChecking = false
  }
  const quietly = (of: (job: Job) => boolean) => void cancel(of).catch((err) => log.warn({ err }, 'exports not cancelled'))
  const unwatch = [
    sessions.onChanged((of) => {
      for (const job of [...running.keys(), ...jobs]) if (of(job.actor)) unchecked.add(job)
      void check()
    }),
    sessions.onEnd((session, reason) => reason !== 'logout' && reason !== 'renewed' && quietly((job) => job.actor.session === session)),
  ]

  const columns = (zone: string) => {
    const at = (name: string) =>
      sql`to_char(${sql.raw(`"${name}"`)} at time zone ${zone}::text, 'YYYY-MM-DD HH24:MI:SS') as ${sql.raw(`"${name}"`)}`
    return sql`"Id", "Resource", "Format", "Status", "FileName", "DoneRows", "TotalRows", "FileBytes", "Fault", "FaultValues", ${at('CreateTime')}, ${at('ExpireTime')}`
  }
  const shown = ({ Fault: key, FaultValues, ...row }: Held, language: Language): ExportTask => ({
    ...row,
    Reason: key && word(language, `fault.${key}`, FaultValues ?? {}),
  })
  const zoneOf = (actor: Actor) => actor.zone ?? actor.tenantZone
  const mine = (actor: Actor) => sql`"UserId" = ${actor.UserId}`
  const find = async (actor: Actor, id: number) => {
    const [row] = await database
      .as(actor)
      .rows<Held>(sql`select ${columns(zoneOf(actor))} from import_export_task where "Id" = ${id} and ${mine(actor)}`)
    if (!row) throw notFound()
    return row
  }

  const remove = async (actor: Actor, ids: readonly number[]) => {
    const wanted = [...new Set(ids)]
    const removed = await database.as(actor).tx(async (db) => {
      const rows = await db.rows(
        sql`delete from import_export_task where "Id" = any(${wanted}::bigint[]) and ${mine(actor)} returning "Id"`,
      )
      if (rows.length !== wanted.length) throw notFound()
      tell(actor, db)
      return rows.length
    })
    await cancel((job) => wanted.includes(job.id))
    wanted.forEach(drop)
    return removed
  }

  const sweep = async () => {
    const gone = await db.rows<{ Id: number; UserId: number; EnterpriseId: number }>(
      sql`delete from import_export_task where "ExpireTime" <= ${new Date(clock())} and "Status" not in (0, 1) returning "Id", "UserId", "EnterpriseId"`,
    )
    for (const row of gone) {
      drop(row.Id)
      tell(row)
    }
  }
  const sweeping = setInterval(() => void sweep().catch((err) => log.warn({ err }, 'exports not cleared')), limits.sweepMs).unref()

  await db.rows(
    sql`update import_export_task set "Status" = ${taskStatus.failed}, "Fault" = 'exportInterrupted' where "Status" in (${taskStatus.waiting}, ${taskStatus.running})`,
  )
  await sweep()
  const kept = new Set(
    (await db.rows<{ Id: number }>(sql`select "Id" from import_export_task where "Status" = ${taskStatus.done}`)).map((row) => `${row.Id}`),
  )
  for (const file of readdirSync(folder)) if (!kept.has(file.split('.')[0]!)) rmSync(join(folder, file), { force: true })

  return {
    /** The person's oldest finished files go when he has too many. Throws tooMany while enough of his wait. */
    async start(
      actor: Actor,
      { waits, ...given }: Pick<Job, 'r' | 'format' | 'names' | 'listing' | 'filters' | 'language'> & { waits?: boolean },
    ): Promise<ExportTask> {
      if (jobs.filter((job) => job.actor.UserId === actor.UserId).length >= exportLimits.waiting) throw new Fault('exportsWaiting')
      const scoped = database.as(actor)
      const title = word(given.language, `menu.${given.r.permission}`)
      const fileName = `${await sheetName(scoped, actor, given.r, { ...given, title, time: clock() })}.${given.format}`
      const [row] = await scoped.rows<{ Id: number }>(sql`
        insert into import_export_task ("EnterpriseId", "UserId", "Resource", "Format", "FileName", "ExpireTime", "Scope")
        values (${actor.EnterpriseId}, ${actor.UserId}, ${given.r.name}, ${given.format}, ${fileName}, ${new Date(clock() + exportLimits.hours * 3_600_000)},
          ${JSON.stringify(keptScope(actor))}::jsonb) returning "Id"`)
      const old = await scoped.rows<{ Id: number }>(
        sql`select "Id" from import_export_task where ${mine(actor)} and "Status" not in (0, 1) order by "Id" desc offset ${exportLimits.kept}`,
      )
      if (old.length)
        await remove(
          actor,
          old.map((o) => o.Id),
        )
      jobs.push({
        ...given,
        id: row!.Id,
        actor,
        fileName,
        waitsUntil: waits ? clock() + sheetWait.ms - 2000 : 0,
        stop: new AbortController(),
      })
      tell(actor)
      next()
      return shown(await find(actor, row!.Id), given.language)
    },
    async list(actor: Actor, { index, size }: Pick<Listing, 'index' | 'size'>, language: Language): Promise<Page<ExportTask>> {
      const [rows, [count]] = await database
        .as(actor)
        .all([
          sql<Held>`select ${columns(zoneOf(actor))} from import_export_task where ${mine(actor)} order by "Id" desc limit ${size} offset ${(index - 1) * size}`,
          sql<{ n: number }>`select count(*)::int as n from import_export_task where ${mine(actor)}`,
        ])
      const Items = rows.map((row) => shown(row, language))
      return paged({ index, size, exact: true }, Items, count!.n)
    },
    remove,
    /** Where the finished file lies. Whoever may no longer read the list, or sees less than when it was made, may not have it either. */
    async file(actor: Actor, id: number): Promise<{ path: string; name: string }> {
      const task = await find(actor, id)
      const r = resources.find(({ name }) => name === task.Resource)
      if (task.Status !== taskStatus.done || !r) throw notFound()
      if (!actor.may.has(exportPermission(r))) throw new Fault('forbidden', { permission: exportPermission(r) })
      // Tasks of the version before have none, and end within a day.
      const [kept] = await db.rows<{ Scope: KeptScope | null }>(sql`select "Scope" from import_export_task where "Id" = ${id}`)
      if (kept?.Scope && !stillSees(actor, kept.Scope)) throw notFound()
      return { path: pathOf(id, task.Format), name: task.FileName }
    },
    sweep,
    async close() {
      closed = true
      clearInterval(sweeping)
      for (const undo of unwatch) undo()
      for (const job of running.keys()) job.stop.abort()
      await Promise.all(running.values())
    },
  }
}
export type Exports = Awaited<ReturnType<typeof openExports>>
