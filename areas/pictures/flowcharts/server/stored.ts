// Stored pictures: records, drafts and versions.
import { sql } from 'kysely'
import { liftScene, type Scene } from '../../../../contract/picture/scene.ts'
import type { Row } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults, notFound } from '../../../../server/http/faults.ts'
import { assertHolds } from '../../../../server/http/serve.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { type Check, store } from '../../../../server/resource/store.ts'
import { pointCalls } from '../../../configuration/points/contract.ts'
import { flowchart } from '../contract.ts'
import { writtenBy } from './openPicture.ts'
import { assertNotDrawn } from './pictureUse.ts'

export type Chart = Row<typeof flowchart>
export type Draft = { Scene: Scene; Stamp: number; LeaseSession: string | null; LeaseName: string | null }

/** A pinned version must exist. Pinning requires the permission to publish. */
const checkVersion: Check<typeof flowchart> = async (db, actor, given, held) => {
  const isOther = (...names: (keyof Chart)[]) => names.some((name) => name in given && given[name] !== held?.[name])
  if (held && isOther('VersionMode', 'VersionNo', 'Purpose', 'ModelId', 'DeviceId')) assertHolds(actor, [`${flowchart.permission}.publish`])
  // Operators write to all devices of a picture's model, so a change of the model requires the permission to write.
  if (held?.Version && isOther('ModelId')) {
    const version = held.VersionMode === 1 && held.VersionNo ? held.VersionNo : held.Version
    if (writtenBy(await versionOf(db, held.Id, version)).length) assertHolds(actor, [pointCalls.write.permission])
  }
  const after = { ...held, ...given } as Partial<Chart>
  if (after.VersionMode === 1 && (!after.VersionNo || after.VersionNo > (held?.Version ?? 0)))
    throw new FieldFaults([{ field: 'VersionNo', rule: 'flowchart.noVersion' }])
  return given
}
export const charts = store(flowchart, checkVersion, assertNotDrawn)

export const draftOf = async (db: Db, id: number, lock = false): Promise<Draft> => {
  const [draft] = await db.rows<Draft>(sql`
    select d."Scene", d."Stamp"::float8 as "Stamp", case when d."LeaseUntil" > now() then d."LeaseSession" end as "LeaseSession",
      case when d."LeaseUntil" > now() then coalesce(u."UserName", u."UserNO", '') end as "LeaseName"
    from flowchart_draft d left join "user" u on u."Id" = d."LeaseUserId" where d."FlowchartId" = ${id} ${lock ? sql`for update of d` : sql``}`)
  if (!draft) throw notFound()
  return { ...draft, Scene: liftScene(draft.Scene) }
}
export const versionOf = async (db: Db, id: number, version: number): Promise<Scene> => {
  const [found] = await db.rows<{ Scene: Scene }>(
    sql`select "Scene" from flowchart_version where "FlowchartId" = ${id} and "Version" = ${version}`,
  )
  if (!found) throw notFound()
  return liftScene(found.Scene)
}

/** The draft of a picture visible to the actor. */
export const draftScene = async (db: Db, actor: Actor, id: number) => {
  await charts.find(db, actor, id)
  return (await draftOf(db, id)).Scene
}

/** The shown version. @throws Fault `notFound` for viewers if the picture is not published */
export const shownVersion = ({ State, Version, VersionMode, VersionNo }: Chart) => {
  if (State !== 1) throw notFound()
  return VersionMode === 1 && VersionNo ? VersionNo : Version
}

/** The number of the shown version. @throws Fault `notFound` */
export const shownVersionOf = async (db: Db, actor: Actor, id: number) => shownVersion(await charts.find(db, actor, id))
/** The shown version of a picture. */
export const shownScene = async (db: Db, actor: Actor, id: number) => {
  const row = await charts.find(db, actor, id)
  const version = shownVersion(row)
  return { row, version, scene: await versionOf(db, id, version) }
}
