import type { Language } from '../../../../../contract/languages.ts'
import type { Brush } from '../../../../../contract/picture/paint.ts'
import type { Scene } from '../../../../../contract/picture/scene.ts'
import type { PictureSymbol } from '../../../../../contract/picture/symbol.ts'

/** Paints with the theme's colours, so that a picture follows it. */
export const brushFor = (scene: Pick<Scene, 'items'>, symbols: ReadonlyMap<string, PictureSymbol>, language: Language): Brush => {
  const items = new Map(scene.items.map((item) => [item.id, item]))
  return {
    item: (id) => items.get(id),
    symbol: (id) => symbols.get(id),
    colour: (name) => (name === 'none' || name.startsWith('#') ? name : `var(--${name})`),
    language,
  }
}
