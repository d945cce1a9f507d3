import { sql } from 'kysely'
import type { Answer, Body } from '../../../../contract/call.ts'
import type { Language } from '../../../../contract/languages.ts'
import { emptyScene, liftScene, type Scene } from '../../../../contract/picture/scene.ts'
import { sceneChanges } from '../../../../contract/picture/sceneChanges.ts'
import { patched } from '../../../../contract/picture/scenePatch.ts'
import { referencesIn } from '../../../../contract/picture/sceneReferences.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { copyName } from '../../../../server/resource/copyName.ts'
import { record } from '../../../../server/resource/store.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { flowchart, type flowchartCalls, type Opened } from '../contract.ts'
import { copyPicturesWith } from './copies.ts'
import { pointsOf } from './openPicture.ts'
import { assertLinks, holdPictures } from './pictureUse.ts'
import { pointKeys } from './pointUse.ts'
import { assertChoices, assertPoints, assertViews, assertWritable, stillIn } from './publishing.ts'
import { readScene } from './readScene.ts'
import { assertRoom } from './room.ts'
import { shownAt } from './scenes.ts'
import { type Chart, charts, type Draft, draftOf, versionOf } from './stored.ts'

export { countPictures, type Unbound } from './copies.ts'
export { drawnAt, type StillPicture, stillPicture } from './drawn.ts'
export { curvesOf } from './live.ts'
export { type Named, namedByDevice } from './named.ts'
export { pointsOf, standingAlarms } from './openPicture.ts'
export { assertPoints } from './publishing.ts'
export { forgetRemoved } from './removed.ts'
export { assertRoom } from './room.ts'
export { composedOf, composedWith, innerOf } from './scenes.ts'
export { charts, draftScene, shownScene, shownVersionOf } from './stored.ts'

/** Duration of an editor's lease, seconds. Editors renew it. */
export const leaseSeconds = 60

const templateScene = async (db: Db, id: number | null) => {
  if (!id) return undefined
  const [found] = await db.rows<{ Scene: Scene }>(sql`select "Scene" from flow_chart_template where "Id" = ${id}`)
  return found && liftScene(found.Scene)
}

/** Adds a picture with the given drawing, that of its template, or an empty one. */
export const createPicture = (db: Db, actor: Actor, given: Record<string, unknown>, scene?: Scene) =>
  db.tx(async (db) => {
    const made = await charts.create(db, actor, given)
    const first =
      scene ?? (await templateScene(db, made.FlowChartTemplateId)) ?? (made.PlatformType === 2 ? emptyScene(390, 720) : emptyScene())
    await holdPictures(db, first)
    await db.rows(sql`
      insert into flowchart_draft ("FlowchartId", "EnterpriseId", "Scene", "PointKeys", "Stamp", "UserId")
      values (${made.Id}, ${made.EnterpriseId}, ${JSON.stringify(first)}::jsonb, ${pointKeys(first)}::text[], 1, ${actor.UserId || null})`)
    await assertRoom(db, made.EnterpriseId)
    return made
  })

/** Copies the pictures of a project to its copy, inside the caller's transaction. */
export const copyPictures = copyPicturesWith({ create: createPicture, draft: async (db, id) => (await draftOf(db, id)).Scene })

export const copy = (db: Db, actor: Actor, id: number) =>
  db.tx(async (db) => {
    const { FlowchartName, ProjectId, PlatformType } = await charts.find(db, actor, id)
    const name = await copyName(db, flowchart, FlowchartName.slice(0, 18), sql`t."ProjectId" = ${ProjectId}`)
    const { Scene } = await draftOf(db, id)
    const { Id } = await createPicture(db, actor, { FlowchartName: name, ProjectId, PlatformType }, Scene)
    return { Id }
  })

type Open = Body<typeof flowchartCalls.open> & { language: Language }
export const open = async (
  db: Db,
  actor: Actor,
  latest: Telemetry['latest'],
  { language, ...place }: Open,
): Promise<Answer<typeof flowchartCalls.open>> => {
  const shown = await shownAt(db, actor, place, language)
  const { row, version, stamp, scene, given, inside, device } = shown
  const points = await pointsOf(db, actor, latest, { scene: shown.composed.scene, owner: row, given: {}, language })
  return {
    Flowchart: row as Opened['Flowchart'],
    ...{ Version: version, Stamp: stamp, Scene: scene, Given: given, Inside: inside, Device: device },
    Still: stillIn(shown, points.Named),
    ...points,
  }
}

const assertLatest = (draft: Draft, stamp: number | undefined) => {
  if (stamp !== undefined && stamp !== draft.Stamp) throw new Fault('changedMeanwhile', {}, { Current: { Stamp: draft.Stamp } })
}
const assertFree = ({ LeaseSession, LeaseName }: Draft, actor: Actor) => {
  if (LeaseSession && LeaseSession !== actor.session) throw new Fault('editedByOther', { name: LeaseName ?? '' })
}

/** Writes a draft. Only the first change after a version is logged, since a drawing is saved continuously. */
const writeDraft = async (db: Db, actor: Actor, row: Chart, scene: Scene) => {
  const [draft] = await db.rows<{ Stamp: number }>(sql`
    update flowchart_draft set "Scene" = ${JSON.stringify(scene)}::jsonb, "PointKeys" = ${pointKeys(scene)}::text[], "Stamp" = "Stamp" + 1, "UserId" = ${actor.UserId || null}
    where "FlowchartId" = ${row.Id} returning "Stamp"::float8 as "Stamp"`)
  await assertRoom(db, row.EnterpriseId)
  if (!row.HasChanges) {
    await db.rows(sql`update flowchart set "HasChanges" = 1, "UpdateTime" = now() where "Id" = ${row.Id}`)
    await record(db, actor, flowchart, 'update', row.Id, row.EnterpriseId, row, await charts.find(db, actor, row.Id))
  }
  return { Stamp: draft!.Stamp }
}

/** The stored draft with a patch applied. The patch is only valid for that draft. */
const patchedDraft = async (db: Db, id: number, { Patch, Stamp }: Pick<Body<typeof flowchartCalls.save>, 'Patch' | 'Stamp'>) => {
  if (Stamp === undefined) throw new FieldFaults([{ field: 'Stamp', rule: 'required' }])
  const draft = await draftOf(db, id)
  assertLatest(draft, Stamp)
  const scene = patched(draft.Scene, Patch!)
  if (!scene) throw new FieldFaults([{ field: 'Patch.Order', rule: 'choice' }])
  return scene
}

export const save = async (db: Db, actor: Actor, { Id, Scene: given, Patch, Stamp }: Body<typeof flowchartCalls.save>) => {
  // Another company's picture is not found, regardless of the body.
  await charts.find(db, actor, Id)
  const scene = await readScene(Patch ? await patchedDraft(db, Id, { Patch, Stamp }) : given)
  return db.tx(async (db) => {
    const row = await charts.find(db, actor, Id)
    const draft = await draftOf(db, Id, true)
    assertFree(draft, actor)
    assertLatest(draft, Stamp)
    await holdPictures(db, scene)
    await assertPoints(db, actor, row, scene, draft.Scene)
    await assertViews(db, actor, row, scene, draft.Scene)
    await assertLinks(db, actor, row, scene, draft.Scene)
    return writeDraft(db, actor, row, scene)
  })
}

/** Publishes the draft as the next version, and checks all points against the publisher's permissions. */
export const publishPicture = (db: Db, actor: Actor, { Id, Note, Stamp }: Body<typeof flowchartCalls.publish>) =>
  db.tx(async (db) => {
    const row = await charts.find(db, actor, Id)
    await db.rows(sql`select 1 from flowchart where "Id" = ${Id} for no key update`)
    const draft = await draftOf(db, Id, true)
    assertLatest(draft, Stamp)
    const { Scene } = draft
    await assertPoints(db, actor, row, Scene)
    await assertViews(db, actor, row, Scene)
    await assertLinks(db, actor, row, Scene)
    await assertChoices(db, actor, row, Scene)
    const targets = await assertWritable(db, actor, row, Scene)
    const before = row.Version ? await versionOf(db, Id, row.Version) : { items: [] }
    const Version = row.Version + 1
    const text = JSON.stringify(Scene)
    await db.rows(sql`
      insert into flowchart_version ("EnterpriseId", "FlowchartId", "Version", "Scene", "PointKeys", "Items", "Points", "Changes", "Note", "UserId", "Targets", "Bytes")
      values (${row.EnterpriseId}, ${Id}, ${Version}, ${text}::jsonb, ${pointKeys(Scene)}::text[], ${Scene.items.length}, ${referencesIn(Scene).size},
        ${JSON.stringify(sceneChanges(before, Scene).slice(0, 50))}::jsonb, ${Note ?? null}, ${actor.UserId || null}, ${targets}::bigint[], ${Buffer.byteLength(text)})`)
    await assertRoom(db, row.EnterpriseId)
    await db.rows(sql`update flowchart set "State" = 1, "Version" = ${Version}, "HasChanges" = 0, "UpdateTime" = now() where "Id" = ${Id}`)
    await record(db, actor, flowchart, 'update', Id, row.EnterpriseId, row, await charts.find(db, actor, Id))
    return { Version }
  }, `flowchart ${Id}`)

export const cancelPublish = (db: Db, actor: Actor, id: number) =>
  db.tx(async (db) => {
    const row = await charts.find(db, actor, id)
    if (row.State !== 1) throw new Fault('wrongState', { title: row.FlowchartName })
    await db.rows(sql`update flowchart set "State" = 2, "UpdateTime" = now() where "Id" = ${id}`)
    await record(db, actor, flowchart, 'update', id, row.EnterpriseId, row, await charts.find(db, actor, id))
    return { Id: id }
  }, `flowchart ${id}`)

/** Restores an old version as the draft. */
export const restore = (db: Db, actor: Actor, { Id, Version }: { Id: number; Version: number }) =>
  db.tx(async (db) => {
    const row = await charts.find(db, actor, Id)
    assertFree(await draftOf(db, Id, true), actor)
    const scene = await versionOf(db, Id, Version)
    await holdPictures(db, scene)
    return writeDraft(db, actor, row, scene)
  })

/** Takes, renews or ends the lease of an editor. Returns its holder if another person has it. */
export const lease = (db: Db, actor: Actor, { Id, Take, Release }: Body<typeof flowchartCalls.lease>) =>
  db.tx(async (db) => {
    await charts.find(db, actor, Id)
    const draft = await draftOf(db, Id, true)
    const isMine = !draft.LeaseSession || draft.LeaseSession === actor.session || Take === true
    if (isMine)
      await db.rows(sql`
        update flowchart_draft set "LeaseSession" = ${Release ? null : actor.session}, "LeaseUserId" = ${Release ? null : actor.UserId || null},
          "LeaseUntil" = now() + make_interval(secs => ${leaseSeconds}) where "FlowchartId" = ${Id}`)
    return { Mine: isMine, UserName: isMine ? null : draft.LeaseName, Stamp: draft.Stamp }
  })
