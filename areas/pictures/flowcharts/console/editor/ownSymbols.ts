// A company's own symbols in a scene, which contains a copy of each one it uses. Pure.
import type { OwnSymbol } from '../../../../../contract/picture/drawing.ts'
import { withOwn } from '../../../../../contract/picture/ownSymbol.ts'
import { portsOf } from '../../../../../contract/picture/route.ts'
import type { End, Item, Scene } from '../../../../../contract/picture/scene.ts'

const drawnWith = ({ items }: Scene) => new Set(items.flatMap((item) => (item.kind === 'symbol' ? [item.symbol] : [])))

/** The scene with copies of the symbols that its items use, taken from the scene itself and from `others`. */
export const carrying = (scene: Scene, others: readonly OwnSymbol[] = []): Scene => {
  const used = drawnWith(scene)
  const { symbols = [], ...rest } = scene
  const known = new Map([...others, ...symbols].map((one) => [one.id, one]))
  const next = [...known.values()].filter(({ id }) => used.has(id))
  const isSame = next.length === symbols.length && next.every((one) => symbols.includes(one))
  return isSame ? scene : { ...rest, ...(next.length ? { symbols: next } : {}) }
}

const isEqual = (a: OwnSymbol, b: OwnSymbol) => a.name === b.name && JSON.stringify(a.drawing) === JSON.stringify(b.drawing)
/** Symbols that the company has changed since they were copied. */
export const outdated = ({ symbols = [] }: Scene, library: readonly OwnSymbol[]): OwnSymbol[] => {
  const now = new Map(library.map((one) => [one.id, one]))
  return symbols.flatMap((one) => {
    const next = now.get(one.id)
    return next && !isEqual(one, next) ? [next] : []
  })
}

/** The scene with updated symbols. Pipes at removed ports keep their end points. */
export const updated = (scene: Scene, library: readonly OwnSymbol[]): Scene => {
  const next = new Map(outdated(scene, library).map((one) => [one.id, one]))
  if (!next.size) return scene
  const [before, after] = [withOwn(new Map(), scene.symbols), withOwn(new Map(), [...next.values()])]
  const items = new Map(scene.items.map((item) => [item.id, item]))
  const end = (of: End): End => {
    const item = 'item' in of ? items.get(of.item) : undefined
    if (!('item' in of) || item?.kind !== 'symbol' || !next.has(item.symbol)) return of
    if (portsOf(item, after.get(item.symbol)).some(({ id }) => id === of.port)) return of
    const at = portsOf(item, before.get(item.symbol)).find(({ id }) => id === of.port)?.at
    return at ? { x: at[0], y: at[1] } : of
  }
  return {
    ...scene,
    items: scene.items.map((item): Item => (item.kind === 'pipe' ? { ...item, from: end(item.from), to: end(item.to) } : item)),
    symbols: (scene.symbols ?? []).map((one) => next.get(one.id) ?? one),
  }
}
