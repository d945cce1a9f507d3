// Finds the pictures that use a point.
import { sql } from 'kysely'
import type { Answer } from '../../../../contract/call.ts'
import type { Scene } from '../../../../contract/picture/scene.ts'
import { idOf, nameOf, referencesIn } from '../../../../contract/picture/sceneReferences.ts'
import type { Db } from '../../../../server/database/db.ts'
import { notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { point } from '../../../configuration/points/contract.ts'
import { flowchart, type flowchartCalls, mostUses } from '../contract.ts'

/**
 * Lookup keys of a drawing's references: `#12`, or the Id of a parameter's device and a point name, such as `7.Speed`. Names with an
 * open device are omitted.
 */
export const pointKeys = (scene: Pick<Scene, 'items' | 'parameters'>): string[] => {
  const values = new Map(scene.parameters?.map((one) => [one.name, one]))
  const keys = [...referencesIn(scene).keys()].flatMap((key) => {
    if (idOf(key) !== undefined) return [key]
    const name = nameOf(key)
    const { type, value } = (name && values.get(name.parameter)) ?? {}
    if (!/^\d{1,15}$/.test(String(value ?? '')) || type !== (name!.point === undefined ? 'point' : 'device')) return []
    return [name!.point === undefined ? `#${value}` : `${value}.${name!.point}`]
  })
  return [...new Set(keys)]
}

/** The pictures, visible to the caller, that use a point: in the shown version and, for editors, in the draft. */
export const picturesOfPoint = async (db: Db, actor: Actor, id: number): Promise<Answer<typeof flowchartCalls.byPoint>> => {
  const [found] = await db.rows<{ Key: string; ParaName: string; DeviceName: string }>(sql`
    select t."DeviceId" || '.' || t."ParaName" as "Key", t."ParaName", d."DeviceName"
    from point t join device d on d."Id" = t."DeviceId" where t."Id" = ${id} and ${visible(point, actor)}`)
  if (!found) throw notFound()
  const keys = [`#${id}`, found.Key]
  const draws = actor.may.has(flowchart.permission)
  const rows = await db.rows<{ Id: number; FlowchartName: string; ProjectName: string; Shown: boolean; Drawn: boolean }>(sql`
    with named as (
      select v."FlowchartId" as "Id", v."Version" from flowchart_version v where v."PointKeys" && ${keys}::text[]
    ), drawn as (
      select d."FlowchartId" as "Id" from flowchart_draft d where ${draws} and d."PointKeys" && ${keys}::text[]
    ), used as (
      select t."Id", t."FlowchartName", t."ProjectId", t."Id" in (select "Id" from drawn) as "Drawn",
        t."State" = 1 and exists (
          select 1 from named n where n."Id" = t."Id"
            and n."Version" = case when t."VersionMode" = 1 and t."VersionNo" is not null then t."VersionNo" else t."Version" end
        ) as "Shown"
      from flowchart t where t."Id" in (select "Id" from named union select "Id" from drawn) and ${visible(flowchart, actor)}
    )
    select u."Id", u."FlowchartName", p."ProjectName", u."Shown", u."Drawn" from used u join project p on p."Id" = u."ProjectId"
    where u."Shown" or u."Drawn" order by p."ProjectName", u."FlowchartName", u."Id" limit ${mostUses + 1}`)
  return { ParaName: found.ParaName, DeviceName: found.DeviceName, Pictures: rows.slice(0, mostUses), More: rows.length > mostUses }
}
