import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { LogicOP } from '../../../../contract/call.ts'
import type { Resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { ActHandler } from '../../../../server/resource/acts.ts'
import { crud } from '../../../../server/resource/crud.ts'
import type { Listing } from '../../../../server/resource/list.ts'
import type { Sql } from '../../../../server/resource/sql.ts'
import { record, store } from '../../../../server/resource/store.ts'
import { projectTask, projectTaskRow, rowStatus, taskDraft, taskStatus } from '../contract.ts'
import { announce } from './runner.ts'
import { addTask, assertMayRun, type TaskDraft } from './service.ts'

const isNarrowed = ({ projects, dataScope }: Actor) => projects !== 'all' || dataScope !== undefined

/** Reads a resource; people whose sight is narrowed see their own tasks only. */
const reading = (r: Resource) => ({
  list: (db: Db, actor: Actor, q: Listing) =>
    store(r).list(
      db,
      actor,
      isNarrowed(actor)
        ? { ...q, relation: 1, conditions: [...q.conditions, { Field: 'UserId', Value: actor.UserId, LogicOP: LogicOP.equals }] }
        : q,
    ),
  async find(db: Db, actor: Actor, id: number) {
    const row = (await store(r).find(db, actor, id)) as { UserId?: number }
    if (isNarrowed(actor) && row.UserId !== actor.UserId) throw notFound()
    return row
  },
})

/** Changes the state of a task and of its rows. The statement before it may have changed it: then the act has no effect. */
const act =
  (task: Sql, from: readonly number[], rows?: Sql): ActHandler =>
  ({ db, actor, row }) =>
    db.tx(async (db) => {
      const [changed] = await db.rows(sql`
        update project_task set ${task}, "UpdateTime" = now() where "Id" = ${row.Id} and "Status" = any(${[...from]}::integer[]) returning "Id"`)
      if (!changed) return undefined
      if (rows) await db.rows(sql`update project_task_row set ${rows} and "TaskId" = ${row.Id}`)
      const after = await store(projectTask).find(db, actor, row.Id)
      await record(db, actor, projectTask, 'update', row.Id, row.EnterpriseId, row, after)
      announce(db, row)
      return undefined
    })

/** An act after which rows run, with the rights of the person who started the task. */
const runs =
  (then: ActHandler): ActHandler =>
  (served) => {
    assertMayRun(served.actor, (served.row as { Kind?: number }).Kind!)
    return then(served)
  }

const { waiting, running, paused, doneWithErrors, cancelled } = taskStatus
const acts = {
  pause: act(sql`"Status" = ${paused}, "StopReason" = null`, [waiting, running]),
  resume: runs(act(sql`"Status" = ${waiting}, "StopReason" = null, "FailedBefore" = "Failed"`, [paused])),
  retry: runs(
    act(
      sql`"Status" = ${waiting}, "StopReason" = null, "Failed" = 0, "Failing" = 0, "FailedBefore" = 0, "EndTime" = null`,
      [paused, doneWithErrors],
      sql`"Status" = ${rowStatus.waiting}, "Reason" = null, "StartTime" = null, "EndTime" = null where "Status" = ${rowStatus.failed}`,
    ),
  ),
  cancel: act(
    sql`"Status" = ${cancelled}, "StopReason" = null, "EndTime" = now()`,
    [waiting, running, paused],
    sql`"Status" = ${rowStatus.cancelled} where "Status" = ${rowStatus.waiting}`,
  ),
}

export const taskRoutes = (app: FastifyInstance) => {
  const tasks = reading(projectTask)
  crud(app, projectTaskRow, { except: ['create', 'update', 'remove'], own: reading(projectTaskRow) })
  crud(app, projectTask, {
    acts,
    shapes: { draft: taskDraft },
    own: {
      ...tasks,
      create: (db, actor, draft) => addTask(db, actor, draft as TaskDraft),
      update: async (db, actor, id, change) => {
        const { Kind } = (await tasks.find(db, actor, id)) as { Kind?: number }
        assertMayRun(actor, Kind!)
        return store(projectTask).update(db, actor, id, change)
      },
      remove: async (db, actor, ids) => {
        for (const id of ids) await tasks.find(db, actor, id)
        return store(projectTask).remove(db, actor, ids)
      },
    },
  })
}
