// The content of a picture: its drawing with parameters and embedded pictures, or one of its faceplates.
import { sql } from 'kysely'
import type { Body } from '../../../../contract/call.ts'
import type { Language } from '../../../../contract/languages.ts'
import { type Composed, compose, type Inner, type Values, viewsIn } from '../../../../contract/picture/compose.ts'
import { deepestView, liftScene, mostSceneBytes, mostViews, type Scene } from '../../../../contract/picture/scene.ts'
import type { Db } from '../../../../server/database/db.ts'
import { notFound } from '../../../../server/http/faults.ts'
import { assertHolds } from '../../../../server/http/serve.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { flowchart, type flowchartCalls, parameterValues } from '../contract.ts'
import { type Face, faceOf } from './faceplate.ts'
import { type Chart, charts, draftOf, shownVersion, versionOf } from './stored.ts'

type Sized = Omit<Inner, 'Scene'> & { Bytes: number }
/** The shown versions of these pictures, as far as visible to the actor, and their sizes. */
const sizesOf = (db: Db, actor: Actor, enterprise: number, ids: readonly number[]) => {
  const isHidden = actor.dataScope?.hidden[flowchart.name]?.has('FlowchartName') ?? false
  return db.rows<Sized>(sql`
    select t."Id", case when ${isHidden} then '' else t."FlowchartName" end as "FlowchartName", v."Version", v."Bytes"
    from flowchart t join flowchart_version v on v."FlowchartId" = t."Id"
      and v."Version" = case when t."VersionMode" = 1 and t."VersionNo" is not null then t."VersionNo" else t."Version" end
    where t."Id" = any(${[...ids]}::bigint[]) and t."State" = 1 and t."EnterpriseId" = ${enterprise} and ${visible(flowchart, actor)} order by t."Id"`)
}

/** The published pictures embedded in a scene, at all depths, up to the size of one more drawing. */
export const innerOf = async (db: Db, actor: Actor, { EnterpriseId }: { EnterpriseId: number }, scene: Scene): Promise<Inner[]> => {
  const found = new Map<number, Inner>()
  let room = mostSceneBytes
  let wanted = [...viewsIn(scene).keys()]
  for (let depth = 0; depth < deepestView && wanted.length; depth++) {
    const fitting: Sized[] = []
    for (const one of await sizesOf(db, actor, EnterpriseId, wanted.slice(0, mostViews))) {
      if (one.Bytes > room) continue
      room -= one.Bytes
      fitting.push(one)
    }
    for (const { Bytes: _, ...one } of fitting) found.set(one.Id, { ...one, Scene: await versionOf(db, one.Id, one.Version) })
    wanted = [...new Set(fitting.flatMap(({ Id }) => [...viewsIn(found.get(Id)!.Scene).keys()]))].filter((id) => !found.has(id))
  }
  return [...found.values()]
}

export type Shown = {
  row: Chart
  version: number
  stamp: number
  scene: Scene
  given: Values
  inside: Inner[]
  composed: Composed
  device: Face['device']
  /** Points that operators may write through embedded pictures and faceplates: those that the publisher may write. */
  targets: ReadonlySet<number>
  /** For a faceplate: the picture from which it was opened. */
  from: Pick<Shown, 'row' | 'version' | 'scene' | 'given'> | undefined
}

/** A drawing with its parameters and these embedded pictures. */
export const composedWith = (inside: readonly Inner[], scene: Scene, given: Values) => {
  const byId = new Map(inside.map((one) => [one.Id, one]))
  return compose(scene, given, { inner: (id) => byId.get(id) })
}
/** A drawing with its parameters and the embedded pictures visible to the actor. */
export const composedOf = async (db: Db, actor: Actor, row: { EnterpriseId: number }, scene: Scene, given: Values) => {
  const inside = await innerOf(db, actor, row, scene)
  return { inside, composed: composedWith(inside, scene, given) }
}

const targetsOf = async (db: Db, id: number, version: number) => {
  const [found] = await db.rows<{ Targets: number[] }>(
    sql`select "Targets"::float8[] as "Targets" from flowchart_version where "FlowchartId" = ${id} and "Version" = ${version}`,
  )
  return new Set(found?.Targets)
}

/** @throws Fault `notFound` if it does not exist, is not published, or is not a faceplate */
export const shownAt = async (
  db: Db,
  actor: Actor,
  { Id, Draft, Version, Parameters, Face }: Body<typeof flowchartCalls.open>,
  language: Language,
): Promise<Shown> => {
  const row = await charts.find(db, actor, Id)
  if (Draft || Version !== undefined) assertHolds(actor, [flowchart.permission])
  const draft = Draft ? await draftOf(db, Id) : undefined
  const version = draft ? 0 : (Version ?? shownVersion(row))
  const scene = draft ? draft.Scene : await versionOf(db, Id, version)
  const given = parameterValues(Parameters)
  const whole = { ...(await composedOf(db, actor, row, scene, given)), targets: await targetsOf(db, Id, version) }
  if (!Face) return { row, version, stamp: draft?.Stamp ?? 0, scene, given, ...whole, device: null, from: undefined }
  const action = whole.composed.scene.items.find((item) => item.id === Face.Item)?.acts?.[Face.Action]
  if (action?.do !== 'faceplate') throw notFound()
  const face = await faceOf(db, actor, row, action, language)
  const from = { row, version, scene, given }
  const faced = face.picture
    ? { row: await charts.find(db, actor, face.picture.Id), version: face.picture.Version, scene: liftScene(face.picture.Scene) }
    : { row, version, scene: face.scene }
  const inner = await composedOf(db, actor, faced.row, faced.scene, face.given)
  return { ...faced, stamp: 0, given: face.given, ...inner, device: face.device, targets: whole.targets, from }
}
