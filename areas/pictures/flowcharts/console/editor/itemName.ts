import { language, type Words } from '../../../../../console/words/words.ts'
import { textIn } from '../../../../../contract/picture/paint.ts'
import type { Item } from '../../../../../contract/picture/scene.ts'

/** What people call an item: its name, its text, or what it is. */
export const itemName = (item: Item, t: Words): string => {
  if (item.name) return item.name
  const words = item.kind === 'text' ? item.text : item.kind === 'value' ? item.label : undefined
  const text = words === undefined ? '' : textIn(words, language()).trim()
  const what = item.kind === 'symbol' ? t(`symbol.${item.symbol}`) : t(`scene.kind.${item.kind}`)
  return text || `${what} ${item.id}`
}
