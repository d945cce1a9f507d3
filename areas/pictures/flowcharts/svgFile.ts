// Renders a picture as an SVG file with resolved colours and without interaction. Pure:
// used by the console's downloads and the server's reports.
import type { Language } from '../../../contract/languages.ts'
import type { Look } from '../../../contract/picture/look.ts'
import { paintScene } from '../../../contract/picture/paint.ts'
import type { Item, Scene } from '../../../contract/picture/scene.ts'
import type { PictureSymbol } from '../../../contract/picture/symbol.ts'
import { el, type Tree } from '../../../contract/picture/tree.ts'
import { brushFor } from './brush.ts'

export type Colours = Readonly<Record<'surface' | 'soft', string> & Record<string, string>>

/** The open picture. `viewBox`: its visible part. */
export type Seen = {
  scene: Scene
  symbols: ReadonlyMap<string, PictureSymbol>
  lookOf: (item: Item) => Look
  viewBox: readonly [x: number, y: number, w: number, h: number]
  /** The time of its values, ms. */
  at: number
}
export type Paper = {
  /** By theme name, with `fluid`. */
  colours: Colours
  language: Language
  /** Content of images by address; other images are omitted. */
  images: ReadonlyMap<string, string>
  /** Name, time and company, below the picture. */
  stamp: string
}

const colourIn = (colours: Colours) => (name: string) => {
  if (/^(none|#[0-9a-f]{6})$/i.test(name)) return name
  return new Map(Object.entries(colours)).get(name) ?? colours.soft
}

/** The tree without animations and actions, and with the content of images. */
const still = (tree: Tree, images: Paper['images']): Tree | undefined => {
  const { 'data-turns': _, 'data-flow': __, class: ___, href, ...attributes } = tree.attributes
  const content = href === undefined ? undefined : images.get(String(href))
  if (tree.tag === 'image' && !content) return undefined
  const children = tree.children.flatMap((child) => (typeof child === 'string' ? child : (still(child, images) ?? [])))
  return { tag: tree.tag, attributes: { ...attributes, ...(content ? { href: content } : {}) }, children }
}

/** Height of the line below the picture, relative to its width. */
const line = 0.022
export const svgOf = ({ scene, symbols, lookOf, viewBox: [x, y, w, h] }: Seen, { colours, language, images, stamp }: Paper): Tree => {
  const items = scene.items.map(({ acts: _, ...item }) => item as Item)
  const brush = { ...brushFor(scene, symbols, language), colour: colourIn(colours) }
  const painted = still(paintScene({ ...scene, items }, lookOf, brush), images)!
  const foot = w * line
  return {
    ...painted,
    attributes: { ...painted.attributes, viewBox: `${x} ${y} ${w} ${h + foot}`, width: w, height: h + foot },
    children: [
      el('rect', { x, y, width: w, height: h + foot, fill: colours.surface }),
      ...painted.children,
      el('rect', { x, y: y + h, width: w, height: foot, fill: colours.surface }),
      el('text', { x: x + foot * 0.3, y: y + h + foot * 0.7, 'font-size': foot * 0.55, fill: colours.soft }, stamp),
    ],
  }
}
