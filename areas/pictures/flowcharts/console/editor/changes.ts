// The editor's operations on a scene. Pure: each returns a new scene that shares unchanged parts, so that undo can keep scenes.
import { portsOf } from '../../../../../contract/picture/route.ts'
import type { End, Item, ItemOf, Scene } from '../../../../../contract/picture/scene.ts'
import type { PictureSymbol } from '../../../../../contract/picture/symbol.ts'
import { routesFor } from '../../brush.ts'
import { type Ids, isFree, outOf, withInside } from './layers.ts'
import { carrying } from './ownSymbols.ts'

export type Bounds = { x: number; y: number; w: number; h: number }
type Symbols = ReadonlyMap<string, PictureSymbol>

const withItems = (scene: Scene, items: Item[]): Scene => ({ ...scene, items })
const each = (scene: Scene, change: (item: Item) => Item) => withItems(scene, scene.items.map(change))

const byId = new WeakMap<Scene, ReadonlyMap<string, Item>>()
/** The items of a scene by Id. */
export const itemsOf = (scene: Scene) => {
  const items = byId.get(scene) ?? new Map(scene.items.map((item) => [item.id, item]))
  byId.set(scene, items)
  return items
}

/** The outermost group of an item, or the item itself. */
export const outermost = (scene: Scene, id: string): string => {
  const items = itemsOf(scene)
  let top = id
  for (let group = items.get(id)?.in; group !== undefined && items.has(group); group = items.get(group)!.in) top = group
  return top
}

export const newId = (scene: Scene, taken: Ids = new Set()) => {
  const ids = new Set(scene.items.map(({ id }) => id))
  let n = scene.items.length + 1
  while (ids.has(`i${n}`) || taken.has(`i${n}`)) n++
  return `i${n}`
}

export const add = (scene: Scene, item: Item): Scene => withItems(scene, [...scene.items, item])

const endsAt = (end: End, ids: Ids) => 'item' in end && ids.has(end.item)
/** Removes items, their contents, and the pipes that end at them. */
export const remove = (scene: Scene, given: Ids): Scene => {
  const { fixed } = outOf(scene)
  const ids = new Set([...withInside(scene, given)].filter((id) => !fixed.has(id)))
  return withItems(
    scene,
    scene.items.filter((item) => !ids.has(item.id) && !(item.kind === 'pipe' && (endsAt(item.from, ids) || endsAt(item.to, ids)))),
  )
}

const shiftedEnd = (end: End, dx: number, dy: number): End => ('x' in end ? { x: end.x + dx, y: end.y + dy } : end)
const shifted = (item: Item, dx: number, dy: number): Item => {
  if (item.kind !== 'pipe') return { ...item, x: item.x + dx, y: item.y + dy }
  const bends = item.bends?.map(([x, y]): [number, number] => [x + dx, y + dy])
  return { ...item, from: shiftedEnd(item.from, dx, dy), to: shiftedEnd(item.to, dx, dy), ...(bends ? { bends } : {}) }
}
export const move = (scene: Scene, given: Ids, dx: number, dy: number): Scene => {
  const ids = withInside(scene, given)
  const { fixed } = outOf(scene)
  const goesAlong = ({ from, to, bends }: ItemOf<'pipe'>) => bends && endsAt(from, ids) && endsAt(to, ids)
  return each(scene, (item) =>
    (ids.has(item.id) && !fixed.has(item.id)) || (item.kind === 'pipe' && goesAlong(item)) ? shifted(item, dx, dy) : item,
  )
}

/** Sets fields of items; undefined removes a field. */
export const set = (scene: Scene, ids: Ids, fields: Record<string, unknown>): Scene =>
  each(scene, (item) => {
    if (!ids.has(item.id)) return item
    const next: Record<string, unknown> = { ...item, ...fields }
    for (const [name, value] of Object.entries(fields)) if (value === undefined) delete next[name]
    return next as Item
  })

const boxOf = (item: Item, scene: Scene, symbols: Symbols): Bounds => {
  if (item.kind !== 'pipe') return { x: item.x, y: item.y, w: item.w, h: item.h }
  const { way } = routesFor(scene, symbols).of(item)
  if (!way.length) return { x: item.x, y: item.y, w: 0, h: 0 }
  const [xs, ys] = [way.map(([x]) => x), way.map(([, y]) => y)]
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return { x, y, w: Math.max(...xs) - x, h: Math.max(...ys) - y }
}
/** The bounding box of items and their contents. */
export const boundsOf = (scene: Scene, given: Ids, symbols: Symbols): Bounds | undefined => {
  const ids = withInside(scene, given)
  const boxes = scene.items.filter((item) => ids.has(item.id) && item.kind !== 'group').map((item) => boxOf(item, scene, symbols))
  if (!boxes.length) return undefined
  const [x, y] = [Math.min(...boxes.map((b) => b.x)), Math.min(...boxes.map((b) => b.y))]
  return { x, y, w: Math.max(...boxes.map((b) => b.x + b.w)) - x, h: Math.max(...boxes.map((b) => b.y + b.h)) - y }
}

/** The bounding boxes of the outermost selectable items. */
export const boundsOfAll = (scene: Scene, symbols: Symbols): ReadonlyMap<string, Bounds> => {
  const found = new Map<string, Bounds>()
  for (const item of scene.items) {
    const top = outermost(scene, item.id)
    if (item.kind === 'group' || !isFree(scene, top)) continue
    const [box, all] = [boxOf(item, scene, symbols), found.get(top)]
    const [x, y] = [Math.min(box.x, all?.x ?? box.x), Math.min(box.y, all?.y ?? box.y)]
    const [right, bottom] = [
      all ? Math.max(box.x + box.w, all.x + all.w) : box.x + box.w,
      all ? Math.max(box.y + box.h, all.y + all.h) : box.y + box.h,
    ]
    found.set(top, { x, y, w: right - x, h: bottom - y })
  }
  return found
}

/** Scales items proportionally into another box. */
export const resize = (scene: Scene, given: Ids, from: Bounds, to: Bounds): Scene => {
  const ids = withInside(scene, given)
  const { fixed } = outOf(scene)
  const [sx, sy] = [from.w ? to.w / from.w : 1, from.h ? to.h / from.h : 1]
  return each(scene, (item) => {
    if (!ids.has(item.id) || fixed.has(item.id) || item.kind === 'pipe' || item.kind === 'group') return item
    return {
      ...item,
      x: to.x + (item.x - from.x) * sx,
      y: to.y + (item.y - from.y) * sy,
      w: Math.max(1, item.w * sx),
      h: Math.max(1, item.h * sy),
    }
  })
}

export const turn = (scene: Scene, given: Ids, degrees: number): Scene => {
  const ids = withInside(scene, given)
  const { fixed } = outOf(scene)
  return each(scene, (item) =>
    ids.has(item.id) && !fixed.has(item.id) && item.kind !== 'pipe' ? { ...item, rotate: ((item.rotate ?? 0) + degrees) % 360 } : item,
  )
}

/** Copies items with their contents and the pipes between them; bindings stay unchanged. Returns the scene and the new items. */
export const copy = (scene: Scene, source: Scene, given: Ids, dx: number, dy: number): { scene: Scene; made: Ids } => {
  const ids = withInside(source, given)
  const names = new Map<string, string>()
  for (const { id } of source.items) if (ids.has(id)) names.set(id, newId(scene, new Set(names.values())))
  const end = (of: End): End => ('item' in of && names.has(of.item) ? { ...of, item: names.get(of.item)! } : of)
  const whole = (item: Item) => item.kind !== 'pipe' || [item.from, item.to].every((of) => 'x' in of || names.has(of.item))
  const made = source.items.flatMap((item): Item[] => {
    if (!ids.has(item.id) || !whole(item)) return []
    const next = { ...shifted(item, dx, dy), id: names.get(item.id)! } as Item
    if (next.in !== undefined) next.in = names.get(next.in) ?? next.in
    return [next.kind === 'pipe' ? { ...next, from: end(next.from), to: end(next.to) } : next]
  })
  const tops = [...given].flatMap((id) => names.get(id) ?? [])
  return { scene: carrying(withItems(scene, [...scene.items, ...made]), source.symbols), made: new Set(tops) }
}

export const group = (scene: Scene, ids: Ids, symbols: Symbols): { scene: Scene; id: string } | undefined => {
  const box = boundsOf(scene, ids, symbols)
  if (!box || ids.size < 2) return undefined
  const id = newId(scene)
  const inside = scene.items.map((item) => (ids.has(item.id) ? { ...item, in: id } : item))
  return { scene: withItems(scene, [...inside, { kind: 'group', id, ...box }]), id }
}
export const ungroup = (scene: Scene, ids: Ids): Scene => {
  const groups = new Map(scene.items.flatMap((item) => (item.kind === 'group' && ids.has(item.id) ? [[item.id, item.in]] : [])))
  const freed = scene.items.flatMap((item): Item[] => {
    if (groups.has(item.id)) return []
    if (item.in === undefined || !groups.has(item.in)) return [item]
    const { in: _, ...rest } = item
    const above = groups.get(item.in)
    return [(above === undefined ? rest : { ...rest, in: above }) as Item]
  })
  return withItems(scene, freed)
}

/** Moves items past the next item of the same group that is not selected. */
const stepped = (scene: Scene, ids: Ids, to: 'forward' | 'backward'): Scene => {
  const items = to === 'forward' ? [...scene.items] : scene.items.toReversed()
  for (let i = items.length - 2; i >= 0; i--) {
    if (!ids.has(items[i]!.id)) continue
    const next = items.findIndex((item, at) => at > i && !ids.has(item.id) && item.in === items[i]!.in)
    if (next > 0) items.splice(next, 0, ...items.splice(i, 1))
  }
  return withItems(scene, to === 'forward' ? items : items.reverse())
}

/** To the front, to the back, or by one step. */
export const order = (scene: Scene, given: Ids, to: 'front' | 'forward' | 'backward' | 'back'): Scene => {
  const ids = withInside(scene, given)
  if (to === 'forward' || to === 'backward') return stepped(scene, ids, to)
  const [moved, rest] = [scene.items.filter(({ id }) => ids.has(id)), scene.items.filter(({ id }) => !ids.has(id))]
  return withItems(scene, to === 'front' ? [...rest, ...moved] : [...moved, ...rest])
}

export type Edge = 'left' | 'centre' | 'right' | 'top' | 'middle' | 'bottom'
const towards: Record<Edge, (box: Bounds, all: Bounds) => [dx: number, dy: number]> = {
  left: (box, all) => [all.x - box.x, 0],
  centre: (box, all) => [all.x + all.w / 2 - box.x - box.w / 2, 0],
  right: (box, all) => [all.x + all.w - box.x - box.w, 0],
  top: (box, all) => [0, all.y - box.y],
  middle: (box, all) => [0, all.y + all.h / 2 - box.y - box.h / 2],
  bottom: (box, all) => [0, all.y + all.h - box.y - box.h],
}
export const align = (scene: Scene, ids: Ids, edge: Edge, symbols: Symbols): Scene => {
  const all = boundsOf(scene, ids, symbols)
  if (!all) return scene
  return [...ids].reduce((next, id) => {
    const box = boundsOf(next, new Set([id]), symbols)
    return box ? move(next, new Set([id]), ...towards[edge](box, all)) : next
  }, scene)
}
/** Equal gaps between neighbours, from the first to the last. */
export const distribute = (scene: Scene, ids: Ids, axis: 'x' | 'y', symbols: Symbols): Scene => {
  const size = axis === 'x' ? 'w' : 'h'
  const boxes = [...ids].flatMap((id) => {
    const box = boundsOf(scene, new Set([id]), symbols)
    return box ? [{ id, box }] : []
  })
  boxes.sort((a, b) => a.box[axis] - b.box[axis])
  const [first, last] = [boxes[0], boxes.at(-1)]
  if (!first || !last || boxes.length < 3) return scene
  const used = boxes.reduce((sum, { box }) => sum + box[size], 0)
  const gap = (last.box[axis] + last.box[size] - first.box[axis] - used) / (boxes.length - 1)
  let at = first.box[axis]
  let next = scene
  for (const { id, box } of boxes) {
    const by = at - box[axis]
    next = move(next, new Set([id]), axis === 'x' ? by : 0, axis === 'y' ? by : 0)
    at += box[size] + gap
  }
  return next
}

/** The port nearest to a place, within a maximum distance. */
export const portAt = (scene: Scene, symbols: Symbols, [x, y]: readonly [number, number], within: number) => {
  let best: { item: string; port: string; at: readonly [number, number]; far: number } | undefined
  for (const item of scene.items)
    for (const { id, at } of portsOf(item, item.kind === 'symbol' ? symbols.get(item.symbol) : undefined)) {
      const far = Math.hypot(at[0] - x, at[1] - y)
      if (far <= within && (!best || far < best.far)) best = { item: item.id, port: id, at, far }
    }
  return best
}
export const connect = (scene: Scene, from: End, to: End, layer?: string): { scene: Scene; id: string } => {
  const id = newId(scene)
  const pipe: ItemOf<'pipe'> = { kind: 'pipe', id, ...(layer === undefined ? {} : { layer }), x: 0, y: 0, w: 0, h: 0, from, to }
  return { scene: add(scene, pipe), id }
}
