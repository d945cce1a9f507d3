// Reads tasks and changes their state.
import { sql } from 'kysely'
import { LogicOP } from '../../../../contract/call.ts'
import type { Resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { ActHandler } from '../../../../server/resource/acts.ts'
import type { Listing } from '../../../../server/resource/list.ts'
import { type Sql, table } from '../../../../server/resource/sql.ts'
import { record, store } from '../../../../server/resource/store.ts'
import { rowStatus, taskStatus } from '../contract.ts'
import { announce } from './runner.ts'
import type { TaskTables } from './work.ts'

const isNarrowed = ({ projects, dataScope }: Actor) => projects !== 'all' || dataScope !== undefined

/** Reads a resource; people with restricted data scope see only their own tasks. */
export const readingOwn = (r: Resource) => ({
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

/** Changes the state of a task and of its rows. No effect if an earlier statement has changed the state. */
const act =
  (of: TaskTables, task: Sql, from: readonly number[], rows?: Sql): ActHandler =>
  ({ db, actor, row }) =>
    db.tx(async (db) => {
      const [changed] = await db.rows(sql`
        update ${table(of.task)} set ${task}, "UpdateTime" = now() where "Id" = ${row.Id} and "Status" = any(${[...from]}::integer[]) returning "Id"`)
      if (!changed) return undefined
      if (rows) await db.rows(sql`update ${table(of.row)} set ${rows} and "TaskId" = ${row.Id}`)
      const after = await store(of.task).find(db, actor, row.Id)
      await record(db, actor, of.task, 'update', row.Id, row.EnterpriseId, row, after)
      announce(db, of, row)
      return undefined
    })

const { waiting, running, paused, doneWithErrors, cancelled } = taskStatus
/** An action that makes rows run, with the rights of the person who started the task. */
const runs =
  (mayRun: MayRun, then: ActHandler): ActHandler =>
  (served) => {
    mayRun(served.actor, served.row as { Kind?: number })
    return then(served)
  }

/** Requires the permission for the work of a task. @throws Fault `forbidden` */
type MayRun = (actor: Actor, row: { Kind?: number }) => void

/** Actions on tasks of these tables. */
export const actsOf = (of: TaskTables, mayRun: MayRun) => ({
  pause: act(of, sql`"Status" = ${paused}, "StopReason" = null`, [waiting, running]),
  resume: runs(mayRun, act(of, sql`"Status" = ${waiting}, "StopReason" = null, "FailedBefore" = "Failed"`, [paused])),
  retry: runs(
    mayRun,
    act(
      of,
      sql`"Status" = ${waiting}, "StopReason" = null, "Failed" = 0, "Failing" = 0, "FailedBefore" = 0, "EndTime" = null`,
      [paused, doneWithErrors],
      sql`"Status" = ${rowStatus.waiting}, "Reason" = null, "StartTime" = null, "EndTime" = null where "Status" = ${rowStatus.failed}`,
    ),
  ),
  cancel: act(
    of,
    sql`"Status" = ${cancelled}, "StopReason" = null, "EndTime" = now()`,
    [waiting, running, paused],
    sql`"Status" = ${rowStatus.cancelled} where "Status" = ${rowStatus.waiting}`,
  ),
})
