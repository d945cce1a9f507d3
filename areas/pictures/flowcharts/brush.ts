import type { Language } from '../../../contract/languages.ts'
import type { Brush } from '../../../contract/picture/paint.ts'
import { type Routes, routesOf } from '../../../contract/picture/routes.ts'
import type { Scene } from '../../../contract/picture/scene.ts'
import type { PictureSymbol } from '../../../contract/picture/symbol.ts'

/** A theme colour or a custom colour; anything else, such as text of a binding, is grey. */
export const colourOf = (name: string) =>
  /^(none|#[0-9a-f]{6})$/i.test(name) ? name : /^[a-z]{1,20}$/i.test(name) ? `var(--${name})` : 'var(--soft)'

/** Routes by scene. Scenes are immutable, so each is routed once; unchanged parts are reused from the previous scene. */
const routed = new WeakMap<object, { symbols: unknown; routes: Routes }>()
let last: { symbols: unknown; routes: Routes } | undefined
export const routesFor = (scene: Pick<Scene, 'items' | 'layers'>, symbols: ReadonlyMap<string, PictureSymbol>): Routes => {
  const known = routed.get(scene)
  if (known?.symbols === symbols) return known.routes
  const items = new Map(scene.items.map((item) => [item.id, item]))
  const found = { item: (id: string) => items.get(id), symbol: (id: string) => symbols.get(id) }
  last = { symbols, routes: routesOf(scene, found, last?.symbols === symbols ? last.routes : undefined) }
  routed.set(scene, last)
  return last.routes
}

/** Paints with the theme's colours, so that a picture follows it. */
export const brushFor = (
  scene: Pick<Scene, 'items' | 'layers'>,
  symbols: ReadonlyMap<string, PictureSymbol>,
  language: Language,
): Brush => {
  const items = new Map(scene.items.map((item) => [item.id, item]))
  return {
    item: (id) => items.get(id),
    symbol: (id) => symbols.get(id),
    colour: colourOf,
    route: (pipe) => routesFor(scene, symbols).of(pipe),
    language,
  }
}
