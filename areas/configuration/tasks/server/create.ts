// Writes a new task with its rows.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { assertHolds } from '../../../../server/http/serve.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { store } from '../../../../server/resource/store.ts'
import { mostTargets, mostUnfinished, projectTask, type TaskKind, taskRight, taskStatus } from '../contract.ts'

/** Requires the permission for the task's work. @throws Fault `forbidden` */
export const assertMayRun = (actor: Actor, Kind: number) => assertHolds(actor, [taskRight[Kind as TaskKind]])
/** The same for a call that adds a task in addition to its own work. */
export const assertMayAdd = (actor: Actor, Kind: TaskKind) => assertHolds(actor, [taskRight[Kind], `${projectTask.permission}.add`])

export type NewRow = { Target: string; GatewayId?: number; DeviceId?: number; Given?: object }
/** Independent steps continue after failures. */
export const independent = { StopAfter: mostTargets }

export type NewTask = {
  fields: { TaskName: string; Kind: TaskKind; PlannedTime?: string | null } & Record<string, unknown>
  EnterpriseId: number
  /** Data that all rows share. */
  Given?: object
  rows: readonly NewRow[]
  /** Rows per statement. */
  atOnce?: number
}

/** A name such as `Push configurations (3)` or `Copy project: Site 2`. */
export const nameOf = ({ language }: Actor, Kind: TaskKind, of: number | string) => {
  const kind = word(language, `projectTask.Kind.${Kind}`)
  const name = typeof of === 'number' ? word(language, 'task.name', { kind, count: of }) : word(language, 'task.named', { kind, name: of })
  return name.slice(0, 100)
}

const assertRoom = async (db: Db, enterprise: number) => {
  const [open] = await db.rows<{ n: number }>(sql`
    select count(*)::integer as n from project_task where "EnterpriseId" = ${enterprise}
      and "Status" in (${taskStatus.waiting}, ${taskStatus.running}, ${taskStatus.paused})`)
  if (open!.n >= mostUnfinished) throw new FieldFaults([{ field: 'TaskName', rule: 'task.tooMany', values: { max: mostUnfinished } }])
}

/** Adds a task with its rows in the given order, inside the caller's transaction. */
export const createTask = async (db: Db, actor: Actor, { fields, EnterpriseId, Given, rows, atOnce = 1000 }: NewTask) => {
  await assertRoom(db, EnterpriseId)
  const own = { Total: rows.length }
  const task = await store(projectTask, async (_db, _actor, given) => ({ ...given, ...own })).create(db, actor, {
    ...fields,
    EnterpriseId,
  } as never)
  // A platform administrator may belong to another company than the task.
  await db.rows(sql`
    update project_task set "UserId" = ${actor.UserId || null}, "RoleId" = ${actor.role ?? null}, "Language" = ${actor.language},
      "Given" = ${Given ? JSON.stringify(Given) : null}::jsonb where "Id" = ${task.Id}`)
  for (let i = 0; i < rows.length; i += atOnce)
    await db.rows(sql`
      insert into project_task_row ("EnterpriseId", "TaskId", "UserId", "Target", "GatewayId", "DeviceId", "Given")
      select ${EnterpriseId}, ${task.Id}, ${actor.UserId || null}, left(r."Target", 100), r."GatewayId", r."DeviceId", r."Given"
      from jsonb_to_recordset(${JSON.stringify(rows.slice(i, i + atOnce).map((row, N) => ({ ...row, N })))}::jsonb)
        as r ("N" integer, "Target" text, "GatewayId" bigint, "DeviceId" bigint, "Given" jsonb) order by r."N"`)
  return store(projectTask).find(db, actor, task.Id)
}
