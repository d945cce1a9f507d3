// Checks of a drawing before it is stored or published.
import { sql } from 'kysely'
import { keyOf, parse } from '../../../../contract/expression/parse.ts'
import { type Inner, type Value, viewsIn } from '../../../../contract/picture/compose.ts'
import { type Action, deepestView, type Scene, writing } from '../../../../contract/picture/scene.ts'
import { idOf, referencesIn } from '../../../../contract/picture/sceneReferences.ts'
import type { Db } from '../../../../server/database/db.ts'
import { type FieldFault, FieldFaults } from '../../../../server/http/faults.ts'
import { assertHolds } from '../../../../server/http/serve.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { named, table, visible } from '../../../../server/resource/sql.ts'
import { pointCalls } from '../../../configuration/points/contract.ts'
import { faceOf } from './faceplate.ts'
import { pointsByName, unseenPoints, writeModes, writtenBy } from './openPicture.ts'
import { composedOf, innerOf, type Shown } from './scenes.ts'
import type { Chart } from './stored.ts'

const refuse = (faults: FieldFault[]) => {
  if (faults.length) throw new FieldFaults(faults)
}

/** Refuses new points that the person may not see; points that the scene already used stay. */
export const assertPoints = async (db: Db, actor: Actor, row: Chart, scene: Scene, before?: Scene) => {
  const old = before ? referencesIn(before) : undefined
  const unseen = (await unseenPoints(db, actor, row, scene)).filter(({ key }) => !old?.has(key))
  refuse(unseen.map(({ item, field, key }) => ({ field: `Scene.${item}.${field}`, rule: 'scene.noPoint', values: { key } })))
}

type Chosen = { of: 'point' | 'device'; value: Value | undefined; field: string }
/** Points and devices that a drawing selects by parameters, its own and those of embedded pictures, and for lists of alarms. */
const chosenIn = ({ items, parameters = [] }: Scene, inside: readonly Inner[]): Chosen[] => {
  const isChoice = (type: string) => type === 'point' || type === 'device'
  const parametersOf = (picture: number) => inside.find(({ Id }) => Id === picture)?.Scene.parameters ?? []
  return [
    ...parameters.flatMap(({ name, type, value }): Chosen[] =>
      isChoice(type) ? [{ of: type as 'point', value, field: `Scene.parameters.${name}` }] : [],
    ),
    ...items.flatMap((item): Chosen[] => {
      if (item.kind === 'alarms') return [{ of: 'device', value: item.device, field: `Scene.${item.id}.device` }]
      if (item.kind !== 'view') return []
      return parametersOf(item.picture).flatMap(({ name, type }) =>
        isChoice(type) ? [{ of: type as 'point', value: item.parameters?.[name], field: `Scene.${item.id}.parameters` }] : [],
      )
    }),
  ]
}
/** Refuses selections that the publisher may not see: links and reports show a picture with another person's rights. Deleted records show nothing. */
export const assertChoices = async (db: Db, actor: Actor, row: Chart, scene: Scene) => {
  const chosen = chosenIn(scene, await innerOf(db, actor, row, scene)).flatMap(({ value, ...one }) => {
    const id = Number(value)
    return value !== undefined && value !== '' && Number.isSafeInteger(id) ? [{ ...one, id }] : []
  })
  const unseen = async (of: Chosen['of']) => {
    const ids = chosen.flatMap((one) => (one.of === of ? [one.id] : []))
    const rows = ids.length
      ? await db.rows<{ Id: number }>(
          sql`select "Id" from ${table(named(of))} t where "Id" = any(${ids}::bigint[]) and not (${visible(named(of), actor)})`,
        )
      : []
    return new Set(rows.map(({ Id }) => Id))
  }
  const [points, devices] = [await unseen('point'), await unseen('device')]
  refuse(chosen.flatMap(({ of, id, field }) => ((of === 'point' ? points : devices).has(id) ? [{ field, rule: 'unknownReference' }] : [])))
}

/** Nesting depth of embedded pictures from this one; infinite if they contain the outermost. */
const depthOf = (picture: number, outermost: number, inside: ReadonlyMap<number, Inner>, path: readonly number[] = []): number => {
  if (picture === outermost) return Number.POSITIVE_INFINITY
  if (path.length > deepestView || path.includes(picture)) return path.length
  const inner = [...viewsIn(inside.get(picture)?.Scene ?? { items: [] }).keys()]
  return Math.max(path.length + 1, ...inner.map((one) => depthOf(one, outermost, inside, [...path, picture])))
}

/** Rejects embedded pictures that are unpublished, invisible to the author, or recursive. Earlier ones may have been deleted since. */
export const assertViews = async (db: Db, actor: Actor, row: Chart, scene: Scene, before?: Scene) => {
  const views = scene.items.filter((item) => item.kind === 'view')
  if (!views.length) return
  const old = before ? viewsIn(before) : undefined
  const inside = new Map((await innerOf(db, actor, row, scene)).map((one) => [one.Id, one]))
  refuse(
    views.flatMap(({ id, picture }) => {
      const field = `Scene.${id}.picture`
      const depth = depthOf(picture, row.Id, inside)
      if (depth === Number.POSITIVE_INFINITY) return [{ field, rule: 'scene.viewLoop' }]
      if (depth > deepestView) return [{ field, rule: 'scene.viewTooDeep', values: { most: deepestView } }]
      return inside.has(picture) || old?.has(picture) ? [] : [{ field, rule: 'scene.noPicture' }]
    }),
  )
}

/** Maximum faceplates whose writes a picture may contain. */
const mostFaces = 100
/** The distinct faceplates of a drawing. */
const facesIn = (scene: Scene): Action[] => {
  const faces = scene.items.flatMap(({ acts = [] }) => acts.filter(({ do: does }) => does === 'faceplate'))
  const keyOf = ({ picture, device, parameters }: Action) => JSON.stringify([picture, device, parameters])
  return [...new Map(faces.map((face) => [keyOf(face), face])).values()].slice(0, mostFaces)
}

type Owner = Pick<Chart, 'EnterpriseId'>
const writtenIn = async (db: Db, actor: Actor, row: Owner, scene: Scene) => {
  const written = writtenBy(scene)
  if (!written.length) return []
  const named = await pointsByName(db, actor, row, scene, {})
  const ids = written.map((one) => ({ ...one, id: idOf(one.key) ?? named.get(one.key) ?? 0 }))
  const modes = await writeModes(db, actor, row, [...new Set(ids.map(({ id }) => id))])
  return ids.map((one) => ({ ...one, mode: modes.get(one.id) }))
}

/**
 * Requires that points which a scene writes exist and that the publisher may write them: operators act with this permission. Returns the
 * points that embedded pictures and faceplates write, as far as the publisher may: these are published separately and may change later.
 */
export const assertWritable = async (db: Db, actor: Actor, row: Chart, drawn: Scene): Promise<number[]> => {
  const { composed } = await composedOf(db, actor, row, drawn, {})
  const written = await writtenIn(db, actor, row, composed.scene)
  if (written.length) assertHolds(actor, [pointCalls.write.permission])
  refuse(
    written.flatMap(({ item, field, key, mode }) => {
      const at = { field: `Scene.${item}.${field}`, values: { key } }
      if (mode === undefined) return [{ ...at, rule: 'scene.noPoint' }]
      return mode === 0 ? [{ ...at, rule: 'scene.readOnly' }] : []
    }),
  )
  const targets = new Set(written.flatMap(({ item, id }) => (composed.inside.has(item) ? [id] : [])))
  if (!actor.may.has(pointCalls.write.permission)) return [...targets]
  for (const action of facesIn(composed.scene)) {
    const face = await faceOf(db, actor, row, action, 'en').catch(() => undefined)
    if (!face?.picture) continue
    const inner = await composedOf(db, actor, row, face.scene, face.given)
    for (const { id, mode } of await writtenIn(db, actor, row, inner.composed.scene)) if (mode) targets.add(id)
  }
  return [...targets]
}

/** The point that an action writes. */
export const targetOf = (of: string | undefined, named: Readonly<Record<string, number>>): number | undefined => {
  const tree = of === undefined ? undefined : parse(of).tree
  const key = tree?.kind === 'reference' ? keyOf(tree.of) : ''
  return idOf(key) ?? named[key]
}

/** Items of embedded pictures, or of a faceplate, whose writes are not among those the publisher allowed. */
export const stillIn = ({ composed, targets, from }: Shown, named: Readonly<Record<string, number>>): string[] =>
  composed.scene.items.flatMap(({ id, acts = [] }) => {
    if (!from && !composed.inside.has(id)) return []
    const writes = acts.filter((act) => writing.includes(act.do))
    return writes.some((act) => !targets.has(targetOf(act.of, named) ?? 0)) ? [id] : []
  })
