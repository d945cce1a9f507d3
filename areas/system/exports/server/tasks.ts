// Exports in the background: a few at once, the others wait; the file lies in the data folder for a day. What is running when the
// server stops has failed, and says so: its person starts it again.
import { sql } from 'kysely'
import type { Page } from '../../../../contract/call.ts'
import { exportLimits, sheetWait } from '../../../../contract/exportLimits.ts'
import { type ExportTask, exportPermission, taskStatus } from '../../../../contract/exports.ts'
import type { Language } from '../../../../contract/languages.ts'
import { Fault, notFound } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { type KeptScope, keptScope, stillSees } from '../../../../server/identity/keptScope.ts'
import { type Listing, paged } from '../../../../server/resource/list.ts'
import { resources } from '../../../index.ts'
import { ExportFolder } from './folder.ts'
import { ExportQueue, type Job, type QueueNeeds } from './queue.ts'
import { sheetName } from './sheetName.ts'
import { announceTasks, columns, endInterrupted, findTask, finishedTasks, type Held, mine, shown, zoneOf } from './taskRows.ts'

export type ExportNeeds = Pick<QueueNeeds, 'database' | 'sessions' | 'log'> & {
  /** Folder of the files, with no other writer. */
  folder: string
  clock?: () => number
  limits?: Partial<typeof standard>
}

/** Concurrent exports in total and per tenant. Each reads a page of rows at a time. */
const standard = { progressMs: 500, atOnce: 4, ofTenant: 3, sweepMs: 3_600_000 }

type Asked = Pick<Job, 'r' | 'format' | 'names' | 'listing' | 'filters' | 'language'>

export class Exports {
  readonly #database: QueueNeeds['database']
  readonly #folder: ExportFolder
  readonly #queue: ExportQueue
  readonly #clock: () => number
  readonly #sweeping: NodeJS.Timeout

  constructor({ clock = Date.now, ...needs }: ExportNeeds) {
    const limits = { ...standard, ...needs.limits }
    this.#clock = clock
    this.#database = needs.database
    this.#folder = new ExportFolder(needs.folder)
    this.#queue = new ExportQueue({ ...needs, folder: this.#folder, clock, limits })
    const sweep = () => void this.sweep().catch((err) => needs.log.warn({ err }, 'exports not cleared'))
    this.#sweeping = setInterval(sweep, limits.sweepMs).unref()
  }

  async begin() {
    const db = this.#database.system
    await endInterrupted(db)
    await this.sweep()
    this.#folder.keep(await finishedTasks(db))
  }

  /** The person's oldest finished files go when he has too many. Throws tooMany while enough of his wait. */
  async start(actor: Actor, { waits, ...given }: Asked & { waits?: boolean }): Promise<ExportTask> {
    if (this.#queue.waitingOf(actor.UserId) >= exportLimits.waiting) throw new Fault('exportsWaiting')
    const scoped = this.#database.as(actor)
    const title = word(given.language, `menu.${given.r.permission}`)
    const fileName = `${await sheetName(scoped, actor, given.r, { ...given, title, time: this.#clock() })}.${given.format}`
    const [row] = await scoped.rows<{ Id: number }>(sql`
      insert into import_export_task ("EnterpriseId", "UserId", "Resource", "Format", "FileName", "ExpireTime", "Scope")
      values (${actor.EnterpriseId}, ${actor.UserId}, ${given.r.name}, ${given.format}, ${fileName}, ${new Date(this.#clock() + exportLimits.hours * 3_600_000)},
        ${JSON.stringify(keptScope(actor))}::jsonb) returning "Id"`)
    const old = await scoped.rows<{ Id: number }>(
      sql`select "Id" from import_export_task where ${mine(actor)} and "Status" not in (0, 1) order by "Id" desc offset ${exportLimits.kept}`,
    )
    if (old.length)
      await this.remove(
        actor,
        old.map((o) => o.Id),
      )
    const job = {
      ...given,
      id: row!.Id,
      actor,
      fileName,
      waitsUntil: waits ? this.#clock() + sheetWait.ms - 2000 : 0,
      stop: new AbortController(),
    }
    announceTasks(this.#database.system, actor)
    this.#queue.add(job)
    return shown(await findTask(this.#database, actor, row!.Id), given.language)
  }

  async list(actor: Actor, { index, size }: Pick<Listing, 'index' | 'size'>, language: Language): Promise<Page<ExportTask>> {
    const [rows, [count]] = await this.#database
      .as(actor)
      .all([
        sql<Held>`select ${columns(zoneOf(actor))} from import_export_task where ${mine(actor)} order by "Id" desc limit ${size} offset ${(index - 1) * size}`,
        sql<{ n: number }>`select count(*)::int as n from import_export_task where ${mine(actor)}`,
      ])
    const Items = rows.map((row) => shown(row, language))
    return paged({ index, size, exact: true }, Items, count!.n)
  }

  /** Path of the finished file. Refused to people who may no longer read the list, or see less of it than when the file was made. */
  async file(actor: Actor, id: number): Promise<{ path: string; name: string }> {
    const task = await findTask(this.#database, actor, id)
    const r = resources.find(({ name }) => name === task.Resource)
    if (task.Status !== taskStatus.done || !r) throw notFound()
    if (!actor.may.has(exportPermission(r))) throw new Fault('forbidden', { permission: exportPermission(r) })
    // Tasks of the version before have none, and end within a day.
    const [kept] = await this.#database.system.rows<{ Scope: KeptScope | null }>(
      sql`select "Scope" from import_export_task where "Id" = ${id}`,
    )
    if (kept?.Scope && !stillSees(actor, kept.Scope)) throw notFound()
    return { path: this.#folder.pathOf(id, task.Format), name: task.FileName }
  }

  /** All or none. */
  async remove(actor: Actor, ids: readonly number[]) {
    const wanted = [...new Set(ids)]
    const removed = await this.#database.as(actor).tx(async (db) => {
      const rows = await db.rows(
        sql`delete from import_export_task where "Id" = any(${wanted}::bigint[]) and ${mine(actor)} returning "Id"`,
      )
      if (rows.length !== wanted.length) throw notFound()
      announceTasks(db, actor)
      return rows.length
    })
    await this.#queue.cancel((job) => wanted.includes(job.id))
    for (const id of wanted) this.#folder.drop(id)
    return removed
  }

  async sweep() {
    const gone = await this.#database.system.rows<{ Id: number; UserId: number; EnterpriseId: number }>(
      sql`delete from import_export_task where "ExpireTime" <= ${new Date(this.#clock())} and "Status" not in (0, 1) returning "Id", "UserId", "EnterpriseId"`,
    )
    for (const row of gone) {
      this.#folder.drop(row.Id)
      announceTasks(this.#database.system, row)
    }
  }

  async close() {
    clearInterval(this.#sweeping)
    await this.#queue.close()
  }
}

export const openExports = async (needs: ExportNeeds): Promise<Exports> => {
  const exports = new Exports(needs)
  await exports.begin()
  return exports
}
