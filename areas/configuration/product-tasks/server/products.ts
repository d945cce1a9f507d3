// Projects of serial numbers: a task creates and removes them.
import { sql } from 'kysely'
import type { Resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { inUseBy, notFound } from '../../../../server/http/faults.ts'
import { assertHolds } from '../../../../server/http/serve.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { table, visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { alarmRule } from '../../../alarms/alarm-rules/contract.ts'
import { ruleWrites } from '../../../alarms/alarms/server/service.ts'
import { flowchart } from '../../../pictures/flowcharts/contract.ts'
import { netProtocol, serialProtocol } from '../../channels/contract.ts'
import { device } from '../../devices/contract.ts'
import { gateway } from '../../gateways/contract.ts'
import { planInTurn } from '../../models/server/service.ts'
import { point } from '../../points/contract.ts'
import { project } from '../../projects/contract.ts'
import { copyProject } from '../../projects/server/service.ts'
import { rowStatus } from '../../tasks/contract.ts'
import { Refused, type Runs, type Task, type TaskRow } from '../../tasks/server/service.ts'
import { productTaskRow } from '../contract.ts'

type ProductTask = Task & { TemplateProjectId: number | null }
type ProductRow = TaskRow & { SN: string; ProjectName: string }

/** The one gateway of a template. @throws Refused if there is none, or more than one. */
export const gatewayOf = async (db: Db, actor: Actor, projectId: number) => {
  const found = await db.rows<{ Id: number }>(
    sql`select "Id" from gateway t where "ProjectId" = ${projectId} and ${visible(gateway, actor)} limit 2`,
  )
  return found.length === 1 ? found[0]!.Id : undefined
}

/** Copies the template for one serial number. The project and the row's state commit together. */
export const productKind: Runs<ProductTask, ProductRow> = {
  ...{ needs: `${project.permission}.add`, atOnce: 1, canary: false },
  run: ({ db, actor, task, row, done }) =>
    planInTurn(actor, () =>
      db.tx(async (db) => {
        await done(db)
        const template = task.TemplateProjectId
        const gatewayId = template && (await gatewayOf(db, actor, template))
        if (!template || !gatewayId) throw new Refused(word(task.Language, 'product.template'))
        const copy = await copyProject(db, actor, {
          ...{ ProjectId: template, ProjectName: row.ProjectName },
          Gateways: [{ Id: gatewayId, SN: row.SN }],
        })
        await db.rows(sql`update product_task_row set "ProjectId" = ${copy.Id} where "Id" = ${row.Id}`)
      }),
    ),
}

const idsOf = async (db: Db, actor: Actor, r: Resource, owners: readonly number[]) => {
  const rows = await db.rows<{ Id: number }>(
    sql`select "Id" from ${table(r)} t where t.${sql.ref(r.owner)} = any(${[...owners]}::bigint[]) and ${visible(r, actor)}`,
  )
  return rows.map(({ Id }) => Id)
}

/** Deletes the rows below a project. */
const removeBelow = async (db: Db, actor: Actor, project: number) => {
  for (const [r, remove] of [
    [alarmRule, ruleWrites.remove],
    [flowchart, store(flowchart).remove],
  ] as const) {
    const ids = await idsOf(db, actor, r, [project])
    if (!ids.length) continue
    assertHolds(actor, [`${r.permission}.remove`])
    await remove(db, actor, ids)
  }
}

const removeProduct = async (db: Db, actor: Actor, id: number) => {
  const [row] = await db.rows<{ Id: number; TaskId: number }>(sql`
    select t."Id", t."TaskId" from product_task_row t where t."ProjectId" = ${id} and ${visible(productTaskRow, actor)} for update`)
  if (!row) throw notFound()
  await store(project).find(db, actor, id)
  const gateways = (
    await db.rows<{ Id: number }>(sql`select "Id" from gateway t where "ProjectId" = ${id} and ${visible(gateway, actor)}`)
  ).map((g) => g.Id)
  const used = await db.rows<{ Id: number; Title: string; Seen: boolean }>(sql`
    select "Id", "DeviceName" as "Title", ${visible(device, actor)} as "Seen" from device t
    where "GatewayId" = any(${gateways}::bigint[]) and "LastDataTime" is not null order by "Id" limit 10`)
  if (used.length) throw inUseBy(device.name, used)
  await removeBelow(db, actor, id)
  const devices = await idsOf(db, actor, device, gateways)
  const remove = async (r: Resource, ids: readonly number[]) => ids.length && store(r).remove(db, actor, ids)
  await remove(point, await idsOf(db, actor, point, devices))
  await remove(device, devices)
  for (const channel of [netProtocol, serialProtocol]) await remove(channel, await idsOf(db, actor, channel, gateways))
  await remove(gateway, gateways)
  await remove(project, [id])
  await db.rows(sql`update product_task_row set "Status" = ${rowStatus.cancelled}, "UpdateTime" = now() where "Id" = ${row.Id}`)
  await db.rows(sql`
    update product_task set "UpdateTime" = now(), "Done" = (select count(*) from product_task_row
      where "TaskId" = ${row.TaskId} and "Status" = ${rowStatus.done}) where "Id" = ${row.TaskId}`)
}

/** Removes projects that tasks created, with everything in them, all or none. @throws Fault `inUse` if a device has sent readings */
export const removeProducts = (db: Db, actor: Actor, ids: readonly number[]) =>
  db.tx(async (db) => {
    const removed = [project, gateway, netProtocol, serialProtocol, device, point]
    assertHolds(
      actor,
      removed.map((r) => `${r.permission}.remove`),
    )
    for (const id of ids) await removeProduct(db, actor, id)
    return ids.length
  })
