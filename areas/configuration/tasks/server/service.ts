// Adds project tasks and changes their state.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { column, table, visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { device } from '../../devices/contract.ts'
import { gateway } from '../../gateways/contract.ts'
import { project } from '../../projects/contract.ts'
import { keptChecks, mostTargets, projectTask, projectTaskRow, type TaskKind, taskKind, taskStatus } from '../contract.ts'
import { assertMayRun, createTask, nameOf } from './create.ts'
import { actsOf } from './state.ts'

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
    const found = await db.rows<{ Id: number; EnterpriseId: number; Target: string }>(
      sql`select "Id", "EnterpriseId", ${column(of.title)} as "Target" from ${table(of)} t where "Id" = any(${ids}::bigint[]) and ${visible(of, actor)}`,
    )
    const EnterpriseId = found[0]?.EnterpriseId
    if (!EnterpriseId || found.length !== ids.length || found.some((target) => target.EnterpriseId !== EnterpriseId)) throw notFound()
    const targets = new Map(found.map((target) => [target.Id, target.Target]))
    const rows = ids.map((id) => ({ Target: targets.get(id)!, [ref]: id }))
    const task = await createTask(db, actor, { fields, EnterpriseId, rows })
    if (Kind === taskKind.check) await dropReports(db, EnterpriseId)
    return task
  })

const dropReports = (db: Db, enterprise: number) =>
  db.rows(sql`
    delete from point_check where "TaskId" in (
      select "Id" from project_task where "EnterpriseId" = ${enterprise} and "Kind" = ${taskKind.check} order by "Id" desc offset ${keptChecks})`)

/** Pushes many gateways as a task. */
export const pushMany = (db: Db, actor: Actor, { GatewayIds, Note, ...window }: PushMany & { GatewayIds: number[]; Note?: string }) => {
  const TaskName = Note?.slice(0, 100) || nameOf(actor, taskKind.push, GatewayIds.length)
  return addTask(db, actor, { TaskName, Kind: taskKind.push, GatewayIds, ...window })
}

/** Whether a company has an unfinished task of a kind. `id` narrows the question to one task. */
export const unfinishedTask = async (db: Db, enterprise: number, kind: TaskKind, id?: number) => {
  const rows = await db.rows(sql`
    select 1 from project_task where "EnterpriseId" = ${enterprise} and "Kind" = ${kind} and (${id ?? null}::bigint is null or "Id" = ${id ?? null})
      and "Status" in (${taskStatus.waiting}, ${taskStatus.running}, ${taskStatus.paused}) limit 1`)
  return rows.length > 0
}
/** Cancels a task. Pending rows do not run; running work may poll the status and abort. */
export const stopTask = async (db: Db, actor: Actor, id: number): Promise<number> => {
  const row = await store(projectTask).find(db, actor, id)
  await actsOf({ task: projectTask, row: projectTaskRow }, () => undefined).cancel({ db, actor, row } as never)
  return 1
}

export { addDevicesAsTask } from './adding.ts'
export { copyAsTask } from './copying.ts'
export { fewTaken } from './fewTaken.ts'
export { importAsTask } from './importing.ts'
export { startTaskRunner } from './runner.ts'
export { actsOf, readingOwn } from './state.ts'
export { Refused, type Runs, type Task, type TaskRow } from './work.ts'
export { createTask, nameOf }
