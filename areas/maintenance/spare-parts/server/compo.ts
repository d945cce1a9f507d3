// Compositions: the parts of a model's devices.
import { sql } from 'kysely'
import type { Answer } from '../../../../contract/call.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { table, visible } from '../../../../server/resource/sql.ts'
import type { AssertUnused, Check } from '../../../../server/resource/store.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { proModel } from '../../../configuration/models/contract.ts'
import { deepestCompo, mtnComponentCompo, type sparePartCalls } from '../contract.ts'

type Given = { DeviceModelId?: number; ParentComponentId?: number | null; ComponentId?: number }

/**
 * A part may be below parts of the same model only, never below itself, and within the maximum depth. The check locks the model, because
 * two concurrent changes could otherwise form a cycle.
 */
export const compoCheck: Check<typeof mtnComponentCompo> = async (db, actor, given, held) => {
  const { DeviceModelId: model, ParentComponentId: above = null, ComponentId: part } = { ...held, ...given } as Given
  if (!model || !part || above === null) return given
  const refuse = (rule: string, values = {}) => new FieldFaults([{ field: 'ParentComponentId', rule, values }])
  if (above === part) throw refuse('treeCircle')
  await db.rows(sql`select 1 from ${table(proModel)} t where "Id" = ${model} and ${visible(proModel, actor)} for no key update`)
  const of = sql`t."DeviceModelId" = ${model} and t."Id" <> ${held?.Id ?? 0}`
  const [[way], [below]] = await db.all([
    sql<{ Depth: number | null; Circle: boolean | null }>`
      with recursive way as (
        select t."ComponentId" as id, t."ParentComponentId" as up, 1 as depth from mtn_component_compo t where ${of} and t."ComponentId" = ${above}
        union all select t."ComponentId", t."ParentComponentId", depth + 1 from mtn_component_compo t join way on t."ComponentId" = way.up where ${of} and depth < 50)
      select max(depth) as "Depth", bool_or(id = ${part} or up = ${part}) as "Circle" from way`,
    sql<{ Height: number | null }>`
      with recursive tree as (
        select ${part}::bigint as id, 1 as depth
        union all select t."ComponentId", depth + 1 from mtn_component_compo t join tree on t."ParentComponentId" = tree.id where ${of} and depth < 50)
      select max(depth) as "Height" from tree`,
  ])
  if (way?.Circle) throw refuse('treeCircle')
  if (way?.Depth === null || way === undefined) throw refuse('notInModel')
  if (way.Depth + (below?.Height ?? 1) > deepestCompo) throw refuse('treeDeep', { max: deepestCompo })
  return given
}

/** Refuses to remove parts that contain other parts. */
export const assertNothingIn: AssertUnused = async (db, _actor, rows) => {
  const [below] = await db.rows<{ ComponentName: string }>(sql`
    select c."ComponentName" from mtn_component_compo t join mtn_component_compo b on b."DeviceModelId" = t."DeviceModelId" and b."ParentComponentId" = t."ComponentId"
    join mtn_component c on c."Id" = b."ComponentId"
    where t."Id" = any(${rows.map((r) => r.Id)}::bigint[]) and not b."Id" = any(${rows.map((r) => r.Id)}::bigint[]) limit 1`)
  if (below) throw new FieldFaults([{ field: 'ComponentId', rule: 'partsBelow', values: { name: below.ComponentName } }])
}

/** The parts of a device's model, top level first. @throws notFound for an invisible device */
export const partsOfDevice = async (db: Db, actor: Actor, id: number) => {
  const [of] = await db.rows<{ ModelId: number | null }>(
    sql`select "ModelId" from ${table(device)} t where "Id" = ${id} and ${visible(device, actor)}`,
  )
  if (!of) throw notFound()
  const Items = await db.rows<Answer<typeof sparePartCalls.ofDevice>['Items'][number]>(sql`
    select t."ComponentId", t."ParentComponentId", c."ComponentName", c."ComponentNo", c."Unit", t."Qty", c."StockQty"
    from mtn_component_compo t join mtn_component c on c."Id" = t."ComponentId"
    where t."DeviceModelId" = ${of.ModelId} and c."Status" = 1 and ${visible(mtnComponentCompo, actor)}
    order by t."ParentComponentId" nulls first, c."ComponentName" limit 1000`)
  return { Items }
}
