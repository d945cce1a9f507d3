// Removed pictures, which can be restored for a while.
import { sql } from 'kysely'
import type { Page } from '../../../../contract/call.ts'
import type { Scene } from '../../../../contract/picture/scene.ts'
import type { Row } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { paged, readListing } from '../../../../server/resource/list.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { record } from '../../../../server/resource/store.ts'
import { flowchart, type RemovedChart, removedDays } from '../contract.ts'
import { pointKeys } from './pointUse.ts'

/** A picture without its project cannot be restored. */
const withProject = sql`exists (select 1 from project p where p."Id" = t."ProjectId")`

/** Removed pictures of the projects visible to the actor, latest first. */
export const listRemoved = async (db: Db, actor: Actor, given: Record<string, unknown>): Promise<Page<RemovedChart>> => {
  const { index, size } = readListing(given)
  const company = Number(given.EnterpriseId) || undefined
  const of = sql`flowchart_removed t where ${visible(flowchart, actor)} and ${withProject} and ${company ? sql`t."EnterpriseId" = ${company}` : sql`true`}`
  const [Items, count] = await db.all([
    sql<RemovedChart>`
      select t."Id", t."FlowchartName", p."ProjectName", to_char(t."RemoveTime" at time zone ${actor.zone ?? actor.tenantZone}::text, 'YYYY-MM-DD HH24:MI:SS') as "RemoveTime"
      from (select * from ${of} order by t."RemoveTime" desc, t."Id" limit ${size} offset ${(index - 1) * size}) t
      join project p on p."Id" = t."ProjectId" order by t."RemoveTime" desc, t."Id"`,
    sql<{ n: number }>`select count(*)::int as n from ${of}`,
  ])
  return paged({ index, size, exact: true }, Items!, Number((count as unknown as { n: number }[])[0]!.n))
}

type Find = (db: Db, actor: Actor, id: number) => Promise<Row<typeof flowchart>>
/** Restores a removed picture: its Id, state, draft and versions. */
export const undoRemoveWith = (find: Find) => (db: Db, actor: Actor, id: number) =>
  db.tx(async (db) => {
    const [found] = await db.rows<{ ProjectId: number; FlowchartName: string }>(
      sql`select t."ProjectId", t."FlowchartName" from flowchart_removed t where t."Id" = ${id} and ${visible(flowchart, actor)} and ${withProject} for update of t`,
    )
    if (!found) throw notFound()
    const taken = await db.rows(
      sql`select 1 from flowchart where "ProjectId" = ${found.ProjectId} and "FlowchartName" = ${found.FlowchartName} limit 1`,
    )
    if (taken.length) throw new FieldFaults([{ field: 'FlowchartName', rule: 'taken' }])
    await db.rows(sql`
      insert into flowchart overriding system value
      select (jsonb_populate_record(null::flowchart, '{"Purpose": 0}' || r."Row" || jsonb_build_object('UpdateTime', now(),
        'ModelId', (select "Id" from pro_model where "Id" = (r."Row" ->> 'ModelId')::bigint),
        'DeviceId', (select "Id" from device where "Id" = (r."Row" ->> 'DeviceId')::bigint),
        'FlowChartTemplateId', (select "Id" from flow_chart_template where "Id" = (r."Row" ->> 'FlowChartTemplateId')::bigint)))).*
      from flowchart_removed r where r."Id" = ${id}`)
    const [draft] = await db.rows<{ Scene: Scene }>(sql`
      insert into flowchart_draft ("FlowchartId", "EnterpriseId", "Scene", "Stamp", "UserId")
      select "Id", "EnterpriseId", "Scene", "Stamp" + 1, ${actor.UserId || null} from flowchart_removed where "Id" = ${id} returning "Scene"`)
    await db.rows(sql`update flowchart_draft set "PointKeys" = ${pointKeys(draft!.Scene)}::text[] where "FlowchartId" = ${id}`)
    await db.rows(sql`delete from flowchart_removed where "Id" = ${id}`)
    const row = await find(db, actor, id)
    await record(db, actor, flowchart, 'create', id, row.EnterpriseId, null, row)
    return { Id: id }
  }, `flowchart ${id}`)

/** Deletes pictures that were removed long ago, with their versions. Returns their number. */
export const forgetRemoved = (db: Db, now: number) =>
  db.tx(async (db) => {
    const gone = await db.rows<{ Id: number }>(
      sql`delete from flowchart_removed where "RemoveTime" < ${new Date(now - removedDays * 86_400_000)} returning "Id"`,
    )
    await db.rows(sql`delete from flowchart_version where "FlowchartId" = any(${gone.map(({ Id }) => Id)}::bigint[])`)
    return gone.length
  })
