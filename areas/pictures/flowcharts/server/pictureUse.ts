// Pictures that a drawing embeds or links to. Drawings are not fields, so the kernel does not know these references.
import { sql } from 'kysely'
import type { Scene } from '../../../../contract/picture/scene.ts'
import type { Row } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults, inUse, type User } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { named, visible } from '../../../../server/resource/sql.ts'
import type { AssertUnused } from '../../../../server/resource/store.ts'
import { flowchart } from '../contract.ts'

type Drawing = Pick<Scene, 'items'>
/** The pictures that clicks open, each with the first item and field that refers to it. */
const linksIn = ({ items }: Drawing) => {
  const found = new Map<number, { item: string; field: string }>()
  for (const { id, acts = [] } of items)
    for (const [i, { picture }] of acts.entries())
      if (picture && !found.has(picture)) found.set(picture, { item: id, field: `acts.${i}.picture` })
  return found
}

const viewsOf = ({ items }: Drawing) => items.flatMap((item) => (item.kind === 'view' ? [item.picture] : []))

/** Locks the pictures that a drawing references until the transaction ends, so that none can be removed until then. */
export const holdPictures = async (db: Db, scene: Drawing) => {
  const ids = [...new Set([...viewsOf(scene), ...linksIn(scene).keys()])]
  if (ids.length) await db.rows(sql`select 1 from flowchart where "Id" = any(${ids}::bigint[]) order by "Id" for key share`)
}

/** Refuses links to pictures that the actor may not see. Those of the previous drawing may have been deleted. */
export const assertLinks = async (db: Db, actor: Actor, { Id, EnterpriseId }: Row<typeof flowchart>, scene: Drawing, before?: Drawing) => {
  const old = before ? linksIn(before) : undefined
  const links = [...linksIn(scene)].filter(([picture]) => picture !== Id && !old?.has(picture))
  if (!links.length) return
  const rows = await db.rows<{ Id: number }>(sql`
    select t."Id" from flowchart t where t."Id" = any(${links.map(([picture]) => picture)}::bigint[])
      and t."EnterpriseId" = ${EnterpriseId} and ${visible(flowchart, actor)}`)
  const seen = new Set(rows.map((row) => row.Id))
  const gone = links.filter(([picture]) => !seen.has(picture))
  if (gone.length) throw new FieldFaults(gone.map(([, { item, field }]) => ({ field: `Scene.${item}.${field}`, rule: 'scene.noLinked' })))
}

/** Refuses to remove pictures that other pictures, in their draft or shown version, or templates use. Those removed together may refer to each other. */
export const assertNotDrawn: AssertUnused = async (db, actor, rows) => {
  const ids = rows.map(({ Id }) => Id)
  const uses = (pictures: ReturnType<typeof sql>) => sql`${pictures} @> any(${ids.map(String)}::jsonb[])`
  const ours = sql`t."EnterpriseId" = any(${rows.map(({ EnterpriseId }) => EnterpriseId)}::bigint[])`
  const shown = sql`t."State" = 1 and v."Version" = case when t."VersionMode" = 1 and t."VersionNo" is not null then t."VersionNo" else t."Version" end`
  const users = await db.rows<User>(sql`
    select * from (
      select 'flowchart' as "Resource", t."Id", t."FlowchartName" as "Title", ${visible(named('flowchart'), actor)} as "Seen"
      from flowchart t where ${ours} and t."Id" <> all(${ids}::bigint[]) and (
        exists (select 1 from flowchart_draft d where d."FlowchartId" = t."Id" and ${uses(sql`d."Pictures"`)})
        or exists (select 1 from flowchart_version v where v."FlowchartId" = t."Id" and ${shown} and ${uses(sql`v."Pictures"`)}))
      union all
      select 'flowChartTemplate', t."Id", t."TemplateName", ${visible(named('flowChartTemplate'), actor)}
      from flow_chart_template t where ${ours} and ${uses(sql`t."Pictures"`)}
    ) u order by u."Seen" desc, u."Resource", u."Id" limit 20`)
  if (users.length) throw inUse(users)
}
