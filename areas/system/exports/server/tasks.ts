// Background exports: a few run concurrently, the others are queued; files stay in the data folder for a day. A list export that is running when
// the server stops fails, and its owner can start it again. Exports of readings restart automatically.
import { sql } from 'kysely'
import type { Page } from '../../../../contract/call.ts'
import { exportLimits, sheetWait } from '../../../../contract/exportLimits.ts'
import { type ExportTask, exportPermission, taskKind, taskStatus } from '../../../../contract/exports.ts'
import type { Language } from '../../../../contract/languages.ts'
import { Fault, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { type KeptScope, keptScope, stillSees } from '../../../../server/identity/keptScope.ts'
import { type Listing, paged } from '../../../../server/resource/list.ts'
import { resources } from '../../../index.ts'
import { ExportFolder } from './folder.ts'
import type { Prepared, TaskKind } from './kinds.ts'
import { type AskedList, prepareList } from './lists.ts'
import { ExportQueue, type QueueNeeds } from './queue.ts'
import {
  announceTasks,
  columns,
  endInterrupted,
  findTask,
  finishedTasks,
  type Held,
  type Interrupted,
  mine,
  shown,
  zoneOf,
} from './taskRows.ts'

export type ExportNeeds = Pick<QueueNeeds, 'database' | 'sessions' | 'log'> & {
  /** Folder of the files, with no other writer. */
  folder: string
  /** Kinds of exports other than lists. */
  kinds?: readonly TaskKind[]
  clock?: () => number
  limits?: Partial<typeof standard>
}

/** Concurrent exports in total and per tenant. Each reads a page of rows at a time. */
const standard = { progressMs: 500, atOnce: 4, ofTenant: 3, sweepMs: 3_600_000 }

export class Exports {
  readonly #database: QueueNeeds['database']
  readonly #folder: ExportFolder
  readonly #queue: ExportQueue
  readonly #clock: () => number
  readonly #sweeping: NodeJS.Timeout
  readonly #kinds: readonly TaskKind[]
  readonly #sessions: ExportNeeds['sessions']

  constructor({ clock = Date.now, ...needs }: ExportNeeds) {
    const limits = { ...standard, ...needs.limits }
    this.#clock = clock
    this.#kinds = needs.kinds ?? []
    this.#sessions = needs.sessions
    this.#database = needs.database
    this.#folder = new ExportFolder(needs.folder)
    this.#queue = new ExportQueue({ ...needs, folder: this.#folder, clock, limits })
    const sweep = () => void this.sweep().catch((err) => needs.log.warn({ err }, 'exports not cleared'))
    this.#sweeping = setInterval(sweep, limits.sweepMs).unref()
  }

  async begin() {
    const db = this.#database.system
    const interrupted = await endInterrupted(db)
    await this.sweep()
    this.#folder.keep(await finishedTasks(db))
    for (const task of interrupted) await this.#resume(task)
  }

  /** Requeues a task with its owner's current permissions. Fails it if the owner may now see less. */
  async #resume(task: Interrupted) {
    const of = this.#kinds.find(({ kind }) => kind === task.Kind)
    const language = task.Language ?? 'en'
    try {
      const actor = await this.#sessions.actorOf(task.UserId, 'task', task.RoleId)
      const may = actor && !('ended' in actor) && of && actor.may.has(of.permission) && task.Scope && stillSees(actor, task.Scope)
      if (!may) throw new Fault('exportInterrupted')
      const prepared = await of.prepare(actor, task.Ask ?? {}, { language, time: this.#clock() })
      this.#queue.add({ ...prepared, fileName: task.FileName, id: task.Id, actor, again: true, waitsUntil: 0, stop: new AbortController() })
    } catch (error) {
      const { key, values } = error instanceof Fault ? error : new Fault('exportFailed')
      await this.#database.system.rows(sql`
        update import_export_task set "Status" = ${taskStatus.failed}, "Fault" = ${key}, "FaultValues" = ${JSON.stringify(values)}::jsonb
        where "Id" = ${task.Id}`)
      announceTasks(this.#database.system, task)
    }
  }

  /** A list as a file. */
  async startList(actor: Actor, { waits, ...asked }: AskedList & { waits?: boolean }): Promise<ExportTask> {
    this.#assertRoom(actor)
    const prepared = await prepareList(this.#database, actor, asked, this.#clock())
    return this.#start(actor, prepared, { kind: taskKind.list, language: asked.language, waits })
  }
  /** Starts an export of another kind. */
  async start(actor: Actor, kind: number, ask: object, { language, waits }: { language: Language; waits?: boolean }): Promise<ExportTask> {
    this.#assertRoom(actor)
    const of = this.#kinds.find((one) => one.kind === kind)
    if (!of) throw notFound()
    const prepared = await of.prepare(actor, ask, { language, time: this.#clock() })
    return this.#start(actor, prepared, { kind, language, waits, ask })
  }

  #assertRoom({ UserId }: Actor) {
    if (this.#queue.waitingOf(UserId) >= exportLimits.waiting) throw new Fault('exportsWaiting')
  }

  /** Adds a task. Removes the person's oldest finished files above the limit. Throws tooMany if too many are pending. */
  async #start(
    actor: Actor,
    prepared: Prepared,
    { kind, language, waits, ask }: { kind: number; language: Language; waits: boolean | undefined; ask?: object },
  ): Promise<ExportTask> {
    const scoped = this.#database.as(actor)
    const [row] = await scoped.rows<{ Id: number }>(sql`
      insert into import_export_task ("EnterpriseId", "UserId", "RoleId", "Kind", "Resource", "Format", "FileName", "Language", "Ask", "ExpireTime", "Scope")
      values (${actor.EnterpriseId}, ${actor.UserId}, ${actor.role ?? null}, ${kind}, ${prepared.resource}, ${prepared.format}, ${prepared.fileName},
        ${language}, ${ask ? JSON.stringify(ask) : null}::jsonb, ${new Date(this.#clock() + exportLimits.hours * 3_600_000)},
        ${JSON.stringify(keptScope(actor))}::jsonb) returning "Id"`)
    const old = await scoped.rows<{ Id: number }>(
      sql`select "Id" from import_export_task where ${mine(actor)} and "Status" not in (0, 1) order by "Id" desc offset ${exportLimits.kept}`,
    )
    if (old.length)
      await this.remove(
        actor,
        old.map((o) => o.Id),
      )
    announceTasks(this.#database.system, actor)
    const waitsUntil = waits ? this.#clock() + sheetWait.ms - 2000 : 0
    this.#queue.add({ ...prepared, id: row!.Id, actor, waitsUntil, again: ask !== undefined, stop: new AbortController() })
    return shown(await findTask(this.#database, actor, row!.Id), language)
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

  /** Path of the finished file. Refused to people who may no longer read the list, or whose scope is smaller than at its creation. */
  async file(actor: Actor, id: number): Promise<{ path: string; name: string }> {
    const task = await findTask(this.#database, actor, id)
    const permission = this.#permissionOf(task)
    if (task.Status !== taskStatus.done || !permission) throw notFound()
    if (!actor.may.has(permission)) throw new Fault('forbidden', { permission })
    // Tasks of the previous version have no scope, and expire within a day.
    const [kept] = await this.#database.system.rows<{ Scope: KeptScope | null }>(
      sql`select "Scope" from import_export_task where "Id" = ${id}`,
    )
    if (kept?.Scope && !stillSees(actor, kept.Scope)) throw notFound()
    return { path: this.#folder.pathOf(id, task.Format), name: task.FileName }
  }

  #permissionOf({ Kind, Resource }: Pick<ExportTask, 'Kind' | 'Resource'>) {
    const r = resources.find(({ name }) => name === Resource)
    return Kind === taskKind.list ? r && exportPermission(r) : this.#kinds.find(({ kind }) => kind === Kind)?.permission
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
