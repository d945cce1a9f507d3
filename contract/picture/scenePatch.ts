// What differs between two scenes, item by item: saving a moved item of thousands sends that item. Scenes of the editor share what is
// equal, so that comparing them is quick. Pure.
import type { Scene } from './scene.ts'

/** `Order` only where what is left and what is new do not simply follow each other. */
export type ScenePatch = {
  Frame?: object | undefined
  Items?: object[] | undefined
  Removed?: string[] | undefined
  Order?: string[] | undefined
}

const frameOf = ({ items: _, ...frame }: Scene) => frame
const isSame = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b)

/** The way from one scene to another. */
export const patchOf = (before: Scene, after: Scene): ScenePatch => {
  const old = new Map(before.items.map((item) => [item.id, item]))
  const now = new Set(after.items.map(({ id }) => id))
  const Items = after.items.filter((item) => !isSame(old.get(item.id), item))
  const Removed = before.items.flatMap(({ id }) => (now.has(id) ? [] : [id]))
  const expected = [...before.items.filter(({ id }) => now.has(id)), ...after.items.filter(({ id }) => !old.has(id))]
  const isOrdered = expected.every(({ id }, i) => id === after.items[i]!.id)
  const [frame, was] = [frameOf(after), frameOf(before)]
  return {
    ...(isSame(frame, was) ? {} : { Frame: frame }),
    ...(Items.length ? { Items } : {}),
    ...(Removed.length ? { Removed } : {}),
    ...(isOrdered ? {} : { Order: after.items.map(({ id }) => id) }),
  }
}

/**
 * The scene after a patch. Whether that is a scene is for its reader to judge: a patch comes from outside. Undefined: its order does not name
 * each item once.
 */
export const patched = (before: Scene, { Frame, Items = [], Removed = [], Order }: ScenePatch): Record<string, unknown> | undefined => {
  const items = new Map<unknown, unknown>(before.items.map((item) => [item.id, item]))
  for (const id of Removed) items.delete(id)
  for (const item of Items) items.set('id' in item ? item.id : item, item)
  const frame = Frame ?? frameOf(before)
  if (!Order) return { ...frame, items: [...items.values()] }
  const ordered = Order.flatMap((id) => {
    const item = items.get(id)
    return items.delete(id) ? [item] : []
  })
  return items.size || ordered.length < Order.length ? undefined : { ...frame, items: ordered }
}
