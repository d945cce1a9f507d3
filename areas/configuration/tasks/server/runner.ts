// Runs project tasks, several rows at a time. Tenants take turns. A completed row never runs again, even after a crash.
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database, Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import { asFault } from '../../../../server/http/wrapper.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Sessions } from '../../../../server/identity/sessions.ts'
import { createLanes, inTurns, startLanes } from '../../../../server/jobs/lanes.ts'
import { startWorker } from '../../../../server/jobs/worker.ts'
import { type Sql, table } from '../../../../server/resource/sql.ts'
import { rowStatus, stopReason, taskStatus } from '../contract.ts'
import { Refused, type Runs, type Task, type TaskRow, type TaskTables } from './work.ts'

export type RunnerNeeds = {
  database: Database
  sessions: Pick<Sessions, 'actorOf'>
  /** By the column "Kind". */
  kinds: Readonly<Partial<Record<number, Runs>>>
  of: TaskTables
  isOwner: () => boolean
  log: Pick<Logger, 'warn'>
  clock: () => number
}

const limits = { perTenant: 2, most: 6, batch: 1 }
const pollMs = 1000
const { waiting, running, paused, done: isDone, doneWithErrors, cancelled } = taskStatus
const undone = sql`"Status" in (${rowStatus.waiting}, ${rowStatus.running})`

/** The reason of a failure, in the language of the task. */
const reasonOf = (error: unknown, { Id, Language }: Task): string => {
  if (error instanceof Refused) return error.message
  const fault = asFault(error as Parameters<typeof asFault>[0])
  const [first] = fault instanceof FieldFaults ? fault.fields : []
  if (first) return word(Language, first.rule.includes('.') ? first.rule : `fault.field.${first.rule}`, first.values)
  // The log names the task.
  return word(Language, `fault.${fault.key}`, { requestId: Id, ...fault.values })
}

export const announce = (db: Db, of: TaskTables, { Id, EnterpriseId }: { Id: number; EnterpriseId: number }) => {
  for (const { name } of Object.values(of)) db.emit({ resource: name, id: Id, verb: 'update', EnterpriseId })
}

export const startTaskRunner = ({ database, sessions, kinds, of, isOwner, log, clock }: RunnerNeeds) => {
  const system = database.system
  const [tasks, rowsOf] = [table(of.task), table(of.row)]
  const lanes = createLanes(limits)

  /** The person who started the task, with their present rights. */
  const actorFor = async (task: Task, needs: string): Promise<Actor> => {
    const who = await sessions.actorOf(task.UserId, 'task', task.RoleId)
    if (!who || 'ended' in who) throw new Refused(word(task.Language, 'task.personGone'))
    if (!who.may.has(needs)) throw new Refused(word(task.Language, 'task.rightGone'))
    return who
  }

  const setRow = async (db: Db, row: TaskRow, change: Sql) => {
    const rows = await db.rows(sql`update ${rowsOf} set ${change} where "Id" = ${row.Id} and ${undone} returning "Id"`)
    if (!rows.length) throw new Fault('notFound')
  }

  const runRow = async (task: Task, row: TaskRow) => {
    const kind = kinds[task.Kind]!
    try {
      const actor = await actorFor(task, kind.needs)
      if (row.Status === rowStatus.waiting) await setRow(system, row, sql`"Status" = ${rowStatus.running}, "StartTime" = now()`)
      const done = (db: Db, note: string | null = null) =>
        setRow(db, row, sql`"Status" = ${rowStatus.done}, "Reason" = ${note}, "EndTime" = now()`)
      await kind.run({ db: database.as(actor), actor, task, row, done })
    } catch (error) {
      if (asFault(error as never).key === 'internal' && !(error instanceof Refused))
        log.warn({ err: error, task: task.Id }, 'task row failed')
      const Reason = reasonOf(error, task).slice(0, 500)
      await system.rows(
        sql`update ${rowsOf} set "Status" = ${rowStatus.failed}, "Reason" = ${Reason}, "EndTime" = now() where "Id" = ${row.Id} and ${undone}`,
      )
    }
  }

  /** Counts the rows, and ends or pauses the task. */
  const settle = async (task: Task) => {
    const count = (status: number) => sql`count(*) filter (where "Status" = ${status})::integer`
    await system.rows(sql`
      update ${tasks} t set "Done" = c.done, "Failed" = c.failed, "Failing" = (c.failed > 0)::integer, "UpdateTime" = now(),
        "EndTime" = case when c.undone = 0 then now() end,
        "Status" = case when t."Status" = ${cancelled} then ${cancelled}::smallint
          when c.undone = 0 then case when c.failed > 0 then ${doneWithErrors}::smallint else ${isDone}::smallint end
          when t."Status" = ${running} and c.failed - t."FailedBefore" >= t."StopAfter" then ${paused}::smallint else t."Status" end,
        "StopReason" = case when t."Status" = ${running} and c.undone > 0 and c.failed - t."FailedBefore" >= t."StopAfter"
          then ${stopReason.failures}::smallint else t."StopReason" end
      from (select ${count(rowStatus.done)} as done, ${count(rowStatus.failed)} as failed, count(*) filter (where ${undone})::integer as undone
        from ${rowsOf} where "TaskId" = ${task.Id}) c
      where t."Id" = ${task.Id}`)
    announce(system, of, task)
  }

  const slice = async (task: Task) => {
    const { atOnce, canary } = kinds[task.Kind]!
    const rows = await system.rows<TaskRow>(sql`
      select * from ${rowsOf} where "TaskId" = ${task.Id} and ${undone}
      order by "Status" desc, "Id" limit ${canary && task.Done === 0 ? 1 : atOnce}`)
    await Promise.all(rows.map((row) => runRow(task, row)))
    await settle(task)
  }

  const closeWindows = async () => {
    const ended = await system.rows<Task>(sql`
      update ${tasks} set "Status" = ${paused}, "StopReason" = ${stopReason.window}, "UpdateTime" = now()
      where "Status" in (${waiting}, ${running}) and "UntilTime" <= ${new Date(clock())} returning "Id", "EnterpriseId"`)
    for (const task of ended) announce(system, of, task)
  }
  const due = () => sql`
    select "Id", "EnterpriseId", coalesce("ServedTime", "PlannedTime", "CreateTime") as "NextTime", "Id"::text as lane from ${tasks}
    where "Status" = ${running} or ("Status" = ${waiting} and ("PlannedTime" is null or "PlannedTime" <= ${new Date(clock())}))`
  const claim = (ids: readonly number[]) =>
    system.rows<Task>(sql`
      update ${tasks} set "Status" = ${running}, "ServedTime" = now(), "StartTime" = coalesce("StartTime", now()), "StopReason" = null
      where "Id" = any(${[...ids]}::bigint[]) and "Status" in (${waiting}, ${running}) returning *`)
  const run = async (isStopped: () => boolean) => {
    if (!isOwner()) return
    await closeWindows()
    const candidates = () => system.rows(inTurns(due(), lanes, limits))
    while (!isStopped() && isOwner() && (await startLanes(lanes, await candidates(), claim, async ([task]) => task && slice(task))));
  }

  return startWorker({
    database,
    run,
    lanes,
    pollMs,
    triggeredBy: ({ resource }) => resource === of.task.name,
    failed: (err) => log.warn({ err }, 'tasks'),
  })
}
