import type { Language } from '../../../../../contract/languages.ts'
import type { Brush } from '../../../../../contract/picture/paint.ts'
import type { Scene } from '../../../../../contract/picture/scene.ts'
import type { PictureSymbol } from '../../../../../contract/picture/symbol.ts'

/** A colour of the theme or of its own; anything else, such as a text of a binding, is grey. */
export const colourOf = (name: string) =>
  /^(none|#[0-9a-f]{6})$/i.test(name) ? name : /^[a-z]{1,20}$/i.test(name) ? `var(--${name})` : 'var(--soft)'

/** Paints with the theme's colours, so that a picture follows it. */
export const brushFor = (scene: Pick<Scene, 'items'>, symbols: ReadonlyMap<string, PictureSymbol>, language: Language): Brush => {
  const items = new Map(scene.items.map((item) => [item.id, item]))
  return {
    item: (id) => items.get(id),
    symbol: (id) => symbols.get(id),
    colour: colourOf,
    language,
  }
}
