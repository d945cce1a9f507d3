// Replaces a device by another one: each point becomes the point of the same name. Pure.
import type { Item, Scene } from '../../../../../contract/picture/scene.ts'
import { expressionsOf, idOf, nameOf } from '../../../../../contract/picture/sceneReferences.ts'
import { keysOf } from './findings.ts'
import { type Ids, withInside } from './layers.ts'
import type { Points } from './Source.tsx'

/** A point of an item and its replacement. `after` is undefined if the other device has no point of that name. */
export type Swap = { item: Item; before: Points[number]; after: Points[number] | undefined }

const among = (scene: Scene, ids: Ids) => {
  const all = ids.size ? withInside(scene, ids) : undefined
  return scene.items.filter(({ id }) => !all || all.has(id))
}
const pointOf = (scene: Scene, points: Points) => {
  const byId = new Map(points.map((point) => [point.ParaId, point]))
  const byName = new Map(points.map((point) => [`${point.DeviceId} ${point.ParaName}`, point]))
  const values = new Map(scene.parameters?.map(({ name, value }) => [name, value]))
  return (key: string) => {
    const id = idOf(key)
    if (id !== undefined) return byId.get(id)
    const name = nameOf(key)
    return name && byName.get(`${values.get(name.parameter)} ${name.point}`)
  }
}

/** Devices whose points the items use; without items, those of the whole picture. */
export const devicesIn = (scene: Scene, ids: Ids, points: Points): Map<number, string> => {
  const find = pointOf(scene, points)
  const found = among(scene, ids).flatMap((item) => keysOf(item).flatMap((key) => find(key) ?? []))
  return new Map(found.map(({ DeviceId, DeviceName }) => [DeviceId, DeviceName]))
}

/** The point replacements for a device. A parameter's device is replaced only in the whole picture. */
export const swapsOf = (scene: Scene, ids: Ids, points: Points, from: number, to: number): Swap[] => {
  const find = pointOf(scene, points)
  const others = new Map(points.flatMap((point) => (point.DeviceId === to ? [[point.ParaName, point]] : [])))
  return among(scene, ids).flatMap((item) =>
    keysOf(item).flatMap((key) => {
      const before = find(key)
      if (before?.DeviceId !== from || (ids.size > 0 && idOf(key) === undefined)) return []
      return [{ item, before, after: others.get(before.ParaName) }]
    }),
  )
}

/** An expression with replaced points. Names in braces stay. */
const renamed = (text: string, ids: ReadonlyMap<number, number>) =>
  text.replace(/\{[^{}]*\}|#(\d+)/g, (found, id: string | undefined) => (id === undefined ? found : `#${ids.get(Number(id)) ?? id}`))

const withText = (of: unknown, [key, ...rest]: readonly string[], text: string): unknown => {
  if (key === undefined) return text
  if (Array.isArray(of)) return of.map((one, i) => (String(i) === key ? withText(one, rest, text) : one))
  return { ...(of as object), [key]: withText((of as Record<string, unknown>)[key], rest, text) }
}

/** Replaces the device itself in faceplates and lists of alarms. */
const renamedDevice = (item: Item, from: number, to: number): Item => {
  const isNamed = ({ device }: { device?: string | number }) => device !== undefined && Number(device) === from
  const next = item.acts?.some(isNamed) ? { ...item, acts: item.acts.map((act) => (isNamed(act) ? { ...act, device: to } : act)) } : item
  return next.kind === 'alarms' && isNamed(next) ? { ...next, device: to } : next
}

/** The scene after the replacement. Points without a counterpart stay. */
export const replaceDevice = (scene: Scene, ids: Ids, points: Points, from: number, to: number): Scene => {
  const pairs = new Map(
    swapsOf(scene, ids, points, from, to).flatMap(({ before, after }) => (after ? [[before.ParaId, after.ParaId]] : [])),
  )
  const chosen = new Set(among(scene, ids).map(({ id }) => id))
  const items = scene.items.map((item) =>
    chosen.has(item.id)
      ? expressionsOf(item).reduce<Item>(
          (next, { field, text }) => {
            const other = renamed(text, pairs)
            return other === text ? next : (withText(next, field.split('.'), other) as Item)
          },
          renamedDevice(item, from, to),
        )
      : item,
  )
  const parameters = scene.parameters?.map((one) =>
    !ids.size && one.type === 'device' && Number(one.value) === from ? { ...one, value: to } : one,
  )
  return { ...scene, items, ...(parameters ? { parameters } : {}) }
}
