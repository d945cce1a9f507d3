import { sql } from 'kysely'
import type { Answer, Body } from '../../../../contract/call.ts'
import type { Language } from '../../../../contract/languages.ts'
import { emptyScene, liftScene, type Scene } from '../../../../contract/picture/scene.ts'
import { sceneChanges } from '../../../../contract/picture/sceneChanges.ts'
import { patched } from '../../../../contract/picture/scenePatch.ts'
import { idOf, referencesIn } from '../../../../contract/picture/sceneReferences.ts'
import type { Row } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import { assertHolds } from '../../../../server/http/serve.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { copyName } from '../../../../server/resource/copyName.ts'
import { type Check, record, store } from '../../../../server/resource/store.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { pointCalls } from '../../../configuration/points/contract.ts'
import { flowchart, type flowchartCalls, type Opened, parameterValues } from '../contract.ts'
import { copyPicturesWith } from './copies.ts'
import { pointsByName, pointsOf, unseenPoints, writeModes, writtenBy } from './openPicture.ts'
import { pointKeys } from './pointUse.ts'
import { readScene } from './readScene.ts'
import { assertRoom } from './room.ts'

export { countPictures, type Unbound } from './copies.ts'
export { type Named, namedByDevice } from './named.ts'
export { pointsOf, standingAlarms } from './openPicture.ts'
export { forgetRemoved } from './removed.ts'
export { assertRoom } from './room.ts'

type Chart = Row<typeof flowchart>
type Draft = { Scene: Scene; Stamp: number; LeaseSession: string | null; LeaseName: string | null }

/** Seconds for which who edits is alone with a draft. Editors renew it. */
export const leaseSeconds = 60

/** A version that viewers are held at must be there. Whoever chooses what they see may publish. */
const checkVersion: Check<typeof flowchart> = async (_db, actor, given, held) => {
  const isOther = (['VersionMode', 'VersionNo'] as const).some((name) => name in given && given[name] !== held?.[name])
  if (held && isOther) assertHolds(actor, [`${flowchart.permission}.publish`])
  const after = { ...held, ...given } as Partial<Chart>
  if (after.VersionMode === 1 && (!after.VersionNo || after.VersionNo > (held?.Version ?? 0)))
    throw new FieldFaults([{ field: 'VersionNo', rule: 'flowchart.noVersion' }])
  return given
}
export const charts = store(flowchart, checkVersion)

const draftOf = async (db: Db, id: number, lock = false): Promise<Draft> => {
  const [draft] = await db.rows<Draft>(sql`
    select d."Scene", d."Stamp"::float8 as "Stamp", case when d."LeaseUntil" > now() then d."LeaseSession" end as "LeaseSession",
      case when d."LeaseUntil" > now() then coalesce(u."UserName", u."UserNO", '') end as "LeaseName"
    from flowchart_draft d left join "user" u on u."Id" = d."LeaseUserId" where d."FlowchartId" = ${id} ${lock ? sql`for update of d` : sql``}`)
  if (!draft) throw notFound()
  return { ...draft, Scene: liftScene(draft.Scene) }
}
const versionOf = async (db: Db, id: number, version: number): Promise<Scene> => {
  const [found] = await db.rows<{ Scene: Scene }>(
    sql`select "Scene" from flowchart_version where "FlowchartId" = ${id} and "Version" = ${version}`,
  )
  if (!found) throw notFound()
  return liftScene(found.Scene)
}

/** The draft of a picture that the actor sees. */
export const draftScene = async (db: Db, actor: Actor, id: number) => {
  await charts.find(db, actor, id)
  return (await draftOf(db, id)).Scene
}

const templateScene = async (db: Db, id: number | null) => {
  if (!id) return undefined
  const [found] = await db.rows<{ Scene: Scene }>(sql`select "Scene" from flow_chart_template where "Id" = ${id}`)
  return found && liftScene(found.Scene)
}

/** Adds a picture with the drawing that is given, that of its template, or an empty one. */
export const createPicture = (db: Db, actor: Actor, given: Record<string, unknown>, scene?: Scene) =>
  db.tx(async (db) => {
    const made = await charts.create(db, actor, given)
    const first =
      scene ?? (await templateScene(db, made.FlowChartTemplateId)) ?? (made.PlatformType === 2 ? emptyScene(390, 720) : emptyScene())
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

/** The version that viewers see. @throws Fault `notFound` of a picture that is not published, for those who only look */
const shownVersion = ({ State, Version, VersionMode, VersionNo }: Chart) => {
  if (State !== 1) throw notFound()
  return VersionMode === 1 && VersionNo ? VersionNo : Version
}

/** The number of the version that viewers see now. @throws Fault `notFound` */
export const shownVersionOf = async (db: Db, actor: Actor, id: number) => shownVersion(await charts.find(db, actor, id))
/** The version of a picture that viewers see now. */
export const shownScene = async (db: Db, actor: Actor, id: number) => {
  const row = await charts.find(db, actor, id)
  const version = shownVersion(row)
  return { row, version, scene: await versionOf(db, id, version) }
}

type Open = Body<typeof flowchartCalls.open> & { language: Language }
export const open = async (
  db: Db,
  actor: Actor,
  latest: Telemetry['latest'],
  { Id, Version, Draft, Parameters, language }: Open,
): Promise<Answer<typeof flowchartCalls.open>> => {
  const row = await charts.find(db, actor, Id)
  if (Draft || Version !== undefined) assertHolds(actor, [flowchart.permission])
  const version = Draft ? 0 : (Version ?? shownVersion(row))
  const draft = Draft ? await draftOf(db, Id) : undefined
  const scene = draft?.Scene ?? (await versionOf(db, Id, version))
  const points = await pointsOf(db, actor, latest, { scene, owner: row, given: parameterValues(Parameters), language })
  return { Flowchart: row as Opened['Flowchart'], Version: version, Stamp: draft?.Stamp ?? 0, Scene: scene, ...points }
}

const assertLatest = (draft: Draft, stamp: number | undefined) => {
  if (stamp !== undefined && stamp !== draft.Stamp) throw new Fault('changedMeanwhile', {}, { Current: { Stamp: draft.Stamp } })
}
const assertFree = ({ LeaseSession, LeaseName }: Draft, actor: Actor) => {
  if (LeaseSession && LeaseSession !== actor.session) throw new Fault('editedByOther', { name: LeaseName ?? '' })
}

/** Writes a draft. The first change after a version is an entry in the log; those that follow are not, since a drawing is saved while it is drawn. */
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

/** Refuses points that the scene names anew and that the person does not see; those that were there stay. */
export const assertPoints = async (db: Db, actor: Actor, row: Chart, scene: Scene, before?: Scene) => {
  const old = before ? referencesIn(before) : undefined
  const unseen = (await unseenPoints(db, actor, row, scene)).filter(({ key }) => !old?.has(key))
  if (unseen.length)
    throw new FieldFaults(
      unseen.map(({ item, field, key }) => ({ field: `Scene.${item}.${field}`, rule: 'scene.noPoint', values: { key } })),
    )
}

/** The stored draft with a patch, which counts for that draft alone. */
const patchedDraft = async (db: Db, id: number, { Patch, Stamp }: Pick<Body<typeof flowchartCalls.save>, 'Patch' | 'Stamp'>) => {
  if (Stamp === undefined) throw new FieldFaults([{ field: 'Stamp', rule: 'required' }])
  const draft = await draftOf(db, id)
  assertLatest(draft, Stamp)
  const scene = patched(draft.Scene, Patch!)
  if (!scene) throw new FieldFaults([{ field: 'Patch.Order', rule: 'choice' }])
  return scene
}

export const save = async (db: Db, actor: Actor, { Id, Scene: given, Patch, Stamp }: Body<typeof flowchartCalls.save>) => {
  // Another company's picture is missing, whatever is sent for it.
  await charts.find(db, actor, Id)
  const scene = await readScene(Patch ? await patchedDraft(db, Id, { Patch, Stamp }) : given)
  return db.tx(async (db) => {
    const row = await charts.find(db, actor, Id)
    const draft = await draftOf(db, Id, true)
    assertFree(draft, actor)
    assertLatest(draft, Stamp)
    await assertPoints(db, actor, row, scene, draft.Scene)
    return writeDraft(db, actor, row, scene)
  })
}

/** Points that a scene writes must be there and writable, also for who publishes it: operators write what he allows. */
const assertWritable = async (db: Db, actor: Actor, row: Chart, scene: Scene) => {
  const written = writtenBy(scene)
  if (!written.length) return
  assertHolds(actor, [pointCalls.write.permission])
  const named = await pointsByName(db, actor, row, scene, {})
  const idFor = (key: string) => idOf(key) ?? named.get(key) ?? 0
  const modes = await writeModes(db, actor, row, [...new Set(written.map(({ key }) => idFor(key)))])
  const refused = written.flatMap(({ item, field, key }) => {
    const mode = modes.get(idFor(key))
    const at = { field: `Scene.${item}.${field}`, values: { key } }
    if (mode === undefined) return [{ ...at, rule: 'scene.noPoint' }]
    return mode === 0 ? [{ ...at, rule: 'scene.readOnly' }] : []
  })
  if (refused.length) throw new FieldFaults(refused)
}

/** Publishes the draft as the next version, with every point judged by the rights of who publishes. */
export const publishPicture = (db: Db, actor: Actor, { Id, Note, Stamp }: Body<typeof flowchartCalls.publish>) =>
  db.tx(async (db) => {
    const row = await charts.find(db, actor, Id)
    await db.rows(sql`select 1 from flowchart where "Id" = ${Id} for no key update`)
    const draft = await draftOf(db, Id, true)
    assertLatest(draft, Stamp)
    const { Scene } = draft
    await assertPoints(db, actor, row, Scene)
    await assertWritable(db, actor, row, Scene)
    const before = row.Version ? await versionOf(db, Id, row.Version) : { items: [] }
    const Version = row.Version + 1
    await db.rows(sql`
      insert into flowchart_version ("EnterpriseId", "FlowchartId", "Version", "Scene", "PointKeys", "Items", "Points", "Changes", "Note", "UserId")
      values (${row.EnterpriseId}, ${Id}, ${Version}, ${JSON.stringify(Scene)}::jsonb, ${pointKeys(Scene)}::text[], ${Scene.items.length}, ${referencesIn(Scene).size},
        ${JSON.stringify(sceneChanges(before, Scene).slice(0, 50))}::jsonb, ${Note ?? null}, ${actor.UserId || null})`)
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

/** Makes an old version the draft. */
export const restore = (db: Db, actor: Actor, { Id, Version }: { Id: number; Version: number }) =>
  db.tx(async (db) => {
    const row = await charts.find(db, actor, Id)
    assertFree(await draftOf(db, Id, true), actor)
    return writeDraft(db, actor, row, await versionOf(db, Id, Version))
  })

/** Takes, renews or ends the lease of an editor. Who does not get it hears who has it. */
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
