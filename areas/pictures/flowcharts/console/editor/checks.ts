// Readability checks of a picture: overlapping texts, low contrast, missing translations. Pure.
import { contrast, mix } from '../../../../../console/theme/contrast.ts'
import { colours, type Mode } from '../../../../../console/theme/tokens.ts'
import { languages as names } from '../../../../../console/words/words.ts'
import { languages } from '../../../../../contract/languages.ts'
import { childrenOf, textIn } from '../../../../../contract/picture/paint.ts'
import type { Box } from '../../../../../contract/picture/path.ts'
import type { Item, Scene } from '../../../../../contract/picture/scene.ts'
import type { Finding } from './findings.ts'
import { outOf } from './layers.ts'
import type { WordsOf } from './Texts.tsx'

/** Limits of cost and list: comparisons, and findings of one kind. */
const [mostPairs, mostOfAKind] = [200_000, 100]

const wordsOf = (item: Item): WordsOf | undefined => (item.kind === 'text' ? item.text : item.kind === 'value' ? item.label : undefined)

/** Approximate width of a text: Chinese and Japanese characters are square. */
const widthOf = (text: string, size: number) => [...text].reduce((sum, c) => sum + (c.codePointAt(0)! > 0x2e80 ? size : size * 0.52), 0)
/** The box of an item's text in the longest language. Undefined if the item is rotated or has no text. */
const letters = (item: Item): Box | undefined => {
  if ((item.kind !== 'text' && item.kind !== 'value') || item.rotate) return undefined
  const words = wordsOf(item)
  const texts = words === undefined ? [] : languages.map((l) => textIn(words, l))
  const lines = texts.map((text) => text.split('\n'))
  const scale = item.kind === 'text' ? 1 : 0.7
  const wide = Math.max(0, ...lines.flat().map((line) => widthOf(line, item.size * scale)))
  const w = item.kind === 'value' ? Math.max(wide, widthOf('000.00', item.size)) : wide
  if (!w) return undefined
  const h =
    item.kind === 'text' ? Math.max(...lines.map(({ length }) => length)) * item.size * 1.25 : item.size * (texts.some(Boolean) ? 2 : 1.2)
  const spare = { start: 0, middle: (item.w - w) / 2, end: item.w - w }[item.align ?? 'start']
  return { x: item.x + spare, y: item.y + Math.max(0, item.h - h) / 2, w, h }
}
const overlap = (a: Box, b: Box) => {
  const w = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x)
  const h = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y)
  // Text boxes have a margin around the letters.
  return w > 3 && h > Math.min(a.h, b.h) * 0.3
}

type Lettered = { item: Item; box: Box }
const overlaps = (of: readonly Lettered[], nameOf: (item: Item) => string): Finding[] => {
  const found: Finding[] = []
  const sorted = of.toSorted((a, b) => a.box.x - b.box.x)
  let pairs = 0
  for (const [i, { item, box }] of sorted.entries())
    for (let j = i + 1; j < sorted.length && sorted[j]!.box.x < box.x + box.w; j++) {
      if (++pairs > mostPairs || found.length >= mostOfAKind) return found
      if (overlap(box, sorted[j]!.box))
        found.push({ item: item.id, rule: 'check.overlap', values: { other: nameOf(sorted[j]!.item) }, isError: false })
    }
  return found
}

const modes: readonly Mode[] = ['light', 'dark']
const hexOf = (name: string, mode: Mode): string | undefined => {
  if (name.startsWith('#')) return name
  const of = colours[mode] as Record<string, string>
  return name === 'fluid' ? mix(of.action!, of.surface!, 0.3) : of[name]
}
/** The fill below a place: the sheet, or the topmost shape that covers it. */
const groundAt = (scene: Scene, below: readonly Item[], { x, y, w, h }: Box): string => {
  const [px, py] = [x + w / 2, y + h / 2]
  const covers = (item: Item) => px >= item.x && px <= item.x + item.w && py >= item.y && py <= item.y + item.h
  const filled = below.findLast(
    (item) => item.kind === 'shape' && item.shape !== 'line' && item.fill && item.fill !== 'none' && covers(item),
  )
  const ground = filled?.kind === 'shape' ? filled.fill : scene.background
  return ground && ground !== 'none' ? ground : 'surface'
}
const faint = (scene: Scene, ordered: readonly Item[], of: readonly Lettered[]): Finding[] => {
  const place = new Map(ordered.map((item, i) => [item, i]))
  const shapes = ordered.filter(({ kind }) => kind === 'shape')
  const ends = shapes.map((item) => place.get(item)!)
  return of
    .flatMap(({ item, box }): Finding[] => {
      if (item.kind !== 'text') return []
      const before = shapes.slice(0, ends.findLastIndex((at) => at < place.get(item)!) + 1)
      const ground = groundAt(scene, before, box)
      const least = item.size >= 24 || (item.size >= 18.66 && item.weight === 600) ? 3 : 4.5
      const ratios = modes.flatMap((mode) => {
        const [ink, paper] = [hexOf(item.fill ?? 'text', mode), hexOf(ground, mode)]
        return ink && paper ? [{ mode, ratio: contrast(ink, paper) }] : []
      })
      const worst = ratios.toSorted((a, b) => a.ratio - b.ratio)[0]
      if (!worst || worst.ratio >= least) return []
      return [{ item: item.id, rule: `check.contrast.${worst.mode}`, values: { ratio: worst.ratio.toFixed(1), least }, isError: false }]
    })
    .slice(0, mostOfAKind)
}

/** A single text applies to all languages; texts by language should exist for each. */
const untranslated = (items: readonly Item[]): Finding[] =>
  items
    .flatMap((item): Finding[] => {
      const words = wordsOf(item)
      if (typeof words !== 'object') return []
      const missing = languages.filter((l) => !words[l]?.trim())
      if (!missing.length || missing.length === languages.length) return []
      return [{ item: item.id, rule: 'check.language', values: { languages: missing.map((l) => names[l]).join(', ') }, isError: false }]
    })
    .slice(0, mostOfAKind)

/** Advice before a picture is published. */
export const adviceOn = (scene: Scene, nameOf: (item: Item) => string): Finding[] => {
  const { hidden } = outOf(scene)
  const shown = scene.items.filter(({ id }) => !hidden.has(id))
  const inside = childrenOf({ ...scene, items: shown })
  const inOrder = (of: string | undefined): Item[] =>
    (inside.get(of) ?? []).flatMap((item) => [item, ...(item.kind === 'group' ? inOrder(item.id) : [])])
  const lettered = shown.flatMap((item) => {
    const box = letters(item)
    return box ? [{ item, box }] : []
  })
  return [...overlaps(lettered, nameOf), ...faint(scene, inOrder(undefined), lettered), ...untranslated(shown)]
}
