// Errors of a scene, by item. Pure.
import { keyOf, parse, referencesOf } from '../../../../../contract/expression/parse.ts'
import type { Item, Scene } from '../../../../../contract/picture/scene.ts'
import { sceneFaults } from '../../../../../contract/picture/sceneFaults.ts'
import { expressionsOf, idOf, nameOf } from '../../../../../contract/picture/sceneReferences.ts'
import type { PictureSymbol } from '../../../../../contract/picture/symbol.ts'

/** `rule` is a key of words. Errors block publishing; anything else is advice. */
export type Finding = { item: string; rule: string; values?: Record<string, string | number>; isError: boolean }
/** The points available to a picture, by Id and by device and name. */
export type Known = { ids: ReadonlySet<number>; names: ReadonlySet<string> }

type Symbols = ReadonlyMap<string, PictureSymbol>
const pointName = (device: unknown, name: string) => `${device} ${name}`
export const knownOf = (points: readonly { ParaId: number; ParaName: string; DeviceId: number }[], more: readonly number[]): Known => ({
  ids: new Set([...points.map(({ ParaId }) => ParaId), ...more]),
  names: new Set(points.map(({ DeviceId, ParaName }) => pointName(DeviceId, ParaName))),
})

const keysIn = new Map<string, readonly string[]>()
/** The references of an expression, cached: most expressions recur in each check. */
const referencesIn = (text: string): readonly string[] => {
  const cached = keysIn.get(text)
  if (cached) return cached
  const { tree } = parse(text)
  const keys = tree ? [...new Set(referencesOf(tree).map(keyOf))] : []
  if (keysIn.size > 5000) keysIn.clear()
  keysIn.set(text, keys)
  return keys
}
/** Keys of the references of an item. */
export const keysOf = (item: Item): readonly string[] => [...new Set(expressionsOf(item).flatMap(({ text }) => referencesIn(text)))]

/** Points that were deleted, or that a parameter's device does not have. */
const gone = ({ items, parameters = [] }: Scene, known: Known): Finding[] => {
  const values = new Map(parameters.map(({ name, value }) => [name, value]))
  const isThere = (key: string) => {
    const id = idOf(key)
    if (id !== undefined) return known.ids.has(id)
    const name = nameOf(key)
    if (!name || !values.has(name.parameter)) return false
    const value = values.get(name.parameter)
    // In a template, devices are open.
    return value === undefined || name.point === undefined || known.names.has(pointName(value, name.point))
  }
  return items.flatMap((item) =>
    keysOf(item).flatMap((key) => (isThere(key) ? [] : [{ item: item.id, rule: 'scene.noPoint', values: { key }, isError: true }])),
  )
}

/** Errors that prevent saving or publishing. `known`: undefined until the points are loaded. */
export const errorsOf = (scene: Scene, symbols: Symbols, known: Known | undefined): Finding[] => [
  ...sceneFaults(scene, (id) => symbols.get(id)).map(({ item, rule, values }) => ({
    item,
    rule,
    ...(values ? { values } : {}),
    isError: true,
  })),
  ...(known ? gone(scene, known) : []),
]
