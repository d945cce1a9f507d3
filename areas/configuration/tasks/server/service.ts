// Adds project tasks and changes their state.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults, notFound } from '../../../../server/http/faults.ts'
import { assertHolds } from '../../../../server/http/serve.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { column, table, visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { device } from '../../devices/contract.ts'
import { gateway } from '../../gateways/contract.ts'
import { project } from '../../projects/contract.ts'
import { keptChecks, mostTargets, mostUnfinished, projectTask, taskKind, taskRight, taskStatus } from '../contract.ts'

export type TaskDraft = {
  TaskName: string
  Kind: 1 | 2 | 3
  GatewayIds?: number[]
  DeviceIds?: number[]
  ProjectId?: number
  ModelId?: number | null
  RemoveGone?: 0 | 1
} & Partial<PushMany>
export type PushMany = { StopAfter?: number; PlannedTime?: string | null; UntilTime?: string | null }
const targetsOf = {
  [taskKind.push]: { of: gateway, field: 'GatewayIds', ref: 'GatewayId' },
  [taskKind.apply]: { of: device, field: 'DeviceIds', ref: 'DeviceId' },
  [taskKind.check]: { of: device, field: 'DeviceIds', ref: 'DeviceId' },
} as const

/** Requires the permission for the work of a task. Whoever lets it run decides that the work is done. @throws Fault `forbidden` */
export const assertMayRun = (actor: Actor, Kind: number) => assertHolds(actor, [taskRight[Kind as TaskDraft['Kind']]])

/** The devices of a project, for a task. @throws FieldFaults `task.manyTargets` beyond the limit, `task.noDevices` without any */
const devicesOf = async (db: Db, actor: Actor, projectId: number) => {
  await store(project).find(db, actor, projectId)
  const rows = await db.rows<{ Id: number }>(sql`
    select t."Id" from device t join gateway g on g."Id" = t."GatewayId"
    where g."ProjectId" = ${projectId} and ${visible(device, actor)} order by t."Id" limit ${mostTargets + 1}`)
  if (!rows.length) throw new FieldFaults([{ field: 'ProjectId', rule: 'task.noDevices' }])
  if (rows.length > mostTargets) throw new FieldFaults([{ field: 'ProjectId', rule: 'task.manyTargets', values: { max: mostTargets } }])
  return rows.map(({ Id }) => Id)
}

/** Adds a task with a row for each target, in the given order. */
export const addTask = (db: Db, actor: Actor, draft: TaskDraft) =>
  db.tx(async (db) => {
    const { GatewayIds, ProjectId, DeviceIds = ProjectId ? await devicesOf(db, actor, ProjectId) : undefined, ...fields } = draft
    const { Kind } = fields
    const { of, field, ref } = targetsOf[Kind]
    assertMayRun(actor, Kind)
    const other = Kind === taskKind.push ? 'DeviceIds' : 'GatewayIds'
    if ({ GatewayIds, DeviceIds }[other]) throw new FieldFaults([{ field: other, rule: 'task.otherKind' }])
    const ids = [...new Set({ GatewayIds, DeviceIds }[field] ?? [])]
    const missing = (name: string) => new FieldFaults([{ field: name, rule: 'required' }])
    if (!ids.length) throw missing(field)
    if (Kind === taskKind.apply && !fields.ModelId) throw missing('ModelId')
    const found = await db.rows<{ Id: number; EnterpriseId: number }>(
      sql`select "Id", "EnterpriseId" from ${table(of)} t where "Id" = any(${ids}::bigint[]) and ${visible(of, actor)}`,
    )
    const EnterpriseId = found[0]?.EnterpriseId
    if (found.length !== ids.length || found.some((target) => target.EnterpriseId !== EnterpriseId)) throw notFound()
    const [open] = await db.rows<{ n: number }>(sql`
      select count(*)::integer as n from project_task where "EnterpriseId" = ${EnterpriseId}
        and "Status" in (${taskStatus.waiting}, ${taskStatus.running}, ${taskStatus.paused})`)
    if (open!.n >= mostUnfinished) throw new FieldFaults([{ field: 'TaskName', rule: 'task.tooMany', values: { max: mostUnfinished } }])
    const own = { Total: ids.length }
    const task = await store(projectTask, async (_db, _actor, given) => ({ ...given, ...own })).create(db, actor, {
      ...fields,
      EnterpriseId,
    })
    // An administrator of the platform may be of another company than the task.
    await db.rows(
      sql`update project_task set "UserId" = ${actor.UserId || null}, "RoleId" = ${actor.role ?? null}, "Language" = ${actor.language} where "Id" = ${task.Id}`,
    )
    await db.rows(sql`
      insert into project_task_row ("EnterpriseId", "TaskId", "UserId", "Target", ${sql.ref(ref)})
      select t."EnterpriseId", ${task.Id}, ${actor.UserId || null}, left(${column(of.title)}, 100), t."Id" from ${table(of)} t
      where t."Id" = any(${ids}::bigint[]) order by array_position(${ids}::bigint[], t."Id")`)
    if (Kind === taskKind.check) await dropReports(db, EnterpriseId!)
    return store(projectTask).find(db, actor, task.Id)
  })

const dropReports = (db: Db, enterprise: number) =>
  db.rows(sql`
    delete from point_check where "TaskId" in (
      select "Id" from project_task where "EnterpriseId" = ${enterprise} and "Kind" = ${taskKind.check} order by "Id" desc offset ${keptChecks})`)

const nameOf = ({ language }: Actor, Kind: number, count: number) =>
  word(language, 'task.name', { kind: word(language, `projectTask.Kind.${Kind}`), count })

/** Pushes many gateways as a task. */
export const pushMany = (db: Db, actor: Actor, { GatewayIds, Note, ...window }: PushMany & { GatewayIds: number[]; Note?: string }) => {
  const TaskName = (Note || nameOf(actor, taskKind.push, GatewayIds.length)).slice(0, 100)
  return addTask(db, actor, { TaskName, Kind: taskKind.push, GatewayIds, ...window })
}

export { startTaskRunner } from './runner.ts'
export { actsOf, readingOwn } from './state.ts'
export { Refused, type Runs, type Task, type TaskRow } from './work.ts'
