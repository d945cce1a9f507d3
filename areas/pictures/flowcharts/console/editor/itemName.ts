import { language, type Words } from '../../../../../console/words/words.ts'
import { ownId } from '../../../../../contract/picture/ownSymbol.ts'
import { textIn } from '../../../../../contract/picture/paint.ts'
import type { Item } from '../../../../../contract/picture/scene.ts'

/** The type of an item, as named in the palette. */
export const kindName = (item: Item, t: Words): string => {
  if (item.kind === 'symbol') return t(ownId(item.symbol) === undefined ? `symbol.${item.symbol}` : 'symbol.own')
  if (item.kind === 'indicator' || item.kind === 'input') return t(`edit.basic.${item.look}`)
  if (item.kind === 'shape') return t(`edit.basic.${item.shape}`)
  // Lists of versions use these words inside sentences.
  const word = t(`scene.kind.${item.kind}`)
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** The display name of an item: its name, its text, or its type. */
export const itemName = (item: Item, t: Words): string => {
  if (item.name) return item.name
  const words = item.kind === 'text' ? item.text : item.kind === 'value' ? item.label : item.kind === 'input' ? item.title : undefined
  const text = words === undefined ? '' : textIn(words, language()).trim()
  return text || `${kindName(item, t)} ${item.id}`
}
