import { isEqual } from './look.ts'
import type { Item, Kind, Scene } from './scene.ts'

/** `count` items of a kind that were added, removed, moved or otherwise changed. Words at `scene.change.<change>`. */
export type SceneChange = { Kind: Kind; Change: 'added' | 'removed' | 'moved' | 'bound' | 'changed'; Count: number }

const place = ({ x, y }: Item) => `${x} ${y}`
const rest = ({ x: _x, y: _y, bind: _bind, ...item }: Item) => ('of' in item ? { ...item, of: '' } : item)
const bindings = (item: Item) => [item.bind ?? [], 'of' in item ? item.of : '']

/** Changes between two scenes, in short. An item with a new binding that also moved counts twice. */
export const sceneChanges = (before: Pick<Scene, 'items'>, after: Pick<Scene, 'items'>): SceneChange[] => {
  const counts = new Map<string, SceneChange>()
  const add = (Kind: Kind, Change: SceneChange['Change']) => {
    const key = `${Change} ${Kind}`
    const entry = counts.get(key) ?? { Kind, Change, Count: 0 }
    entry.Count++
    counts.set(key, entry)
  }
  const old = new Map(before.items.map((item) => [item.id, item]))
  for (const item of after.items) {
    const was = old.get(item.id)
    old.delete(item.id)
    if (!was || was.kind !== item.kind) add(item.kind, 'added')
    else {
      if (place(was) !== place(item)) add(item.kind, 'moved')
      if (!isEqual(bindings(was), bindings(item))) add(item.kind, 'bound')
      if (!isEqual(rest(was), rest(item))) add(item.kind, 'changed')
    }
  }
  for (const item of old.values()) add(item.kind, 'removed')
  return [...counts.values()]
}
