// Layers of a scene, and which of its items are hidden or locked. Pure.
import type { Item, Scene } from '../../../../../contract/picture/scene.ts'

export type Ids = ReadonlySet<string>

/** The items, and all contents of groups among them. */
export const withInside = (scene: Scene, ids: Ids): Ids => {
  const found = new Set(ids)
  // Groups may precede or follow their contents: repeats until nothing new is found.
  for (let size = -1; size !== found.size; ) {
    size = found.size
    for (const { id, in: group } of scene.items) if (group !== undefined && found.has(group)) found.add(id)
  }
  return found
}

export type Layer = NonNullable<Scene['layers']>[number]
export const mostLayers = 50

const withLayers = ({ layers: _, ...scene }: Scene, layers: Layer[]): Scene =>
  layers.length ? ({ ...scene, layers } as Scene) : (scene as Scene)

/** Adds a layer in front of the others. */
export const addLayer = (scene: Scene, name: string): { scene: Scene; id: string } => {
  const layers = scene.layers ?? []
  let n = layers.length + 1
  while (layers.some(({ id }) => id === `l${n}`)) n++
  return { scene: withLayers(scene, [...layers, { id: `l${n}`, name }]), id: `l${n}` }
}
export const setLayer = (scene: Scene, id: string, fields: Partial<Omit<Layer, 'id'>>): Scene =>
  withLayers(
    scene,
    (scene.layers ?? []).map((layer) => (layer.id === id ? { ...layer, ...fields } : layer)),
  )
/** One step to the front or, with -1, to the back. */
export const orderLayer = (scene: Scene, id: string, by: 1 | -1): Scene => {
  const layers = [...(scene.layers ?? [])]
  const at = layers.findIndex((layer) => layer.id === id)
  if (at < 0 || !layers[at + by]) return scene
  ;[layers[at], layers[at + by]] = [layers[at + by]!, layers[at]!]
  return withLayers(scene, layers)
}
const on = (item: Item, layer: string | undefined): Item => {
  const { layer: _, ...rest } = item
  return (layer === undefined ? rest : { ...rest, layer }) as Item
}
/** Moves items with their contents to a layer. Undefined: the base layer. */
export const toLayer = (scene: Scene, given: Ids, layer: string | undefined): Scene => {
  const ids = withInside(scene, given)
  return { ...scene, items: scene.items.map((item) => (ids.has(item.id) ? on(item, layer) : item)) }
}
/** Removes a layer. Its items move to the base layer. */
export const removeLayer = (scene: Scene, id: string): Scene => ({
  ...withLayers(
    scene,
    (scene.layers ?? []).filter((layer) => layer.id !== id),
  ),
  items: scene.items.map((item) => (item.layer === id ? on(item, undefined) : item)),
})

type Out = { fixed: Ids; hidden: Ids }
const known = new WeakMap<Scene, Out>()
/** Locked or hidden items: themselves, by their layer or by an enclosing group. */
export const outOf = (scene: Scene): Out => {
  const found = known.get(scene)
  if (found) return found
  const of = (flag: 'locked' | 'hidden') => {
    const layers = new Set((scene.layers ?? []).flatMap((layer) => (layer[flag] ? [layer.id] : [])))
    const own = new Set(scene.items.flatMap((item) => (item[flag] || (item.layer && layers.has(item.layer)) ? [item.id] : [])))
    return own.size ? withInside(scene, own) : own
  }
  const out = { fixed: of('locked'), hidden: of('hidden') }
  known.set(scene, out)
  return out
}
/** Whether an item can be selected. */
export const isFree = (scene: Scene, id: string) => !outOf(scene).fixed.has(id) && !outOf(scene).hidden.has(id)
