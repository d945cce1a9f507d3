// Pictures of the plant in PDFs: sets their text in the PDF's fonts.
import { type Attributes, el, type Tree } from '../../../../../contract/picture/tree.ts'
import type { Fonts } from './fonts.ts'

/** Text attributes inherited from groups. */
type Style = { anchor: string; size: number; fill: string }
type Piece = { text: string; size: number; fill: string }
type Line = { x: number; y: number; pieces: Piece[] }

const styleOf = (style: Style, at: Attributes): Style => ({
  anchor: String(at['text-anchor'] ?? style.anchor),
  size: Number(at['font-size'] ?? style.size),
  fill: String(at.fill ?? style.fill),
})

/** Text runs by line. A run with its own position starts a line. */
const linesOf = ({ attributes, children }: Tree, style: Style): Line[] => {
  const lines: Line[] = [{ x: Number(attributes.x ?? 0), y: Number(attributes.y ?? 0), pieces: [] }]
  for (const child of children) {
    if (typeof child === 'string') lines.at(-1)!.pieces.push({ text: child, size: style.size, fill: style.fill })
    else if (child.tag === 'tspan') {
      const { x, y } = child.attributes
      const { size, fill } = styleOf(style, child.attributes)
      if (x !== undefined || y !== undefined) lines.push({ x: Number(x ?? lines.at(-1)!.x), y: Number(y ?? lines.at(-1)!.y), pieces: [] })
      lines.at(-1)!.pieces.push({ text: child.children.filter((c) => typeof c === 'string').join(''), size, fill })
    }
  }
  return lines.filter(({ pieces }) => pieces.length)
}

const outlined = ({ x, y, pieces }: Line, { anchor }: Style, fonts: Fonts): Tree[] => {
  const shapes = pieces.map(({ text, size, fill }) => ({ ...(fonts.outline(text, size, true) ?? { d: '', width: 0 }), fill }))
  const whole = shapes.reduce((sum, { width }) => sum + width, 0)
  let left = x - ({ end: whole, middle: whole / 2 }[anchor] ?? 0)
  return shapes.map(({ d, width, fill }) => {
    const path = el('path', { d: d || 'M0 0', fill, transform: `translate(${left} ${y})` })
    left += width
    return path
  })
}

/** `judge` throws for characters that no font has. */
export const onPaper = (
  tree: Tree,
  fonts: Fonts,
  judge: (text: string) => void,
  style: Style = { anchor: 'start', size: 12, fill: '#000' },
): Tree => {
  const { tag, attributes, children } = tree
  const own = styleOf(style, attributes)
  if (tag !== 'text')
    return {
      tag,
      attributes: 'font-family' in attributes ? { ...attributes, 'font-family': 'Latin' } : attributes,
      children: children.flatMap((child) => (typeof child === 'string' ? [] : [onPaper(child, fonts, judge, own)])),
    }
  const lines = linesOf(tree, own)
  const texts = lines.flatMap(({ pieces }) => pieces.map(({ text }) => text))
  texts.forEach(judge)
  if (texts.every((text) => !fonts.outline(text, 1))) return { ...tree, attributes: { ...attributes, 'font-family': 'Latin' } }
  return el('g', { transform: attributes.transform }, ...lines.flatMap((line) => outlined(line, own, fonts)))
}
