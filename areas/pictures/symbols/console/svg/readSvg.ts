// Converts an SVG file into our drawing format by an allowlist of shapes and attributes. None of its markup is copied. Pure.
import type { Drawing } from '../../../../../contract/picture/drawing.ts'
import { mostParts, mostPathText } from '../../../../../contract/picture/drawingLimits.ts'
import { middles, type Role } from '../../../../../contract/picture/symbol.ts'
import { readCss, type Style, styleOf, usual } from './paint.ts'
import { identity, type Matrix, moved, type Step, times } from './paths.ts'
import { type Dropped, limits, Refusal, type Why } from './refusal.ts'
import { isShape, matrixOf, placed, shapeOf } from './shapes.ts'
import { type Drop, type Node, readXml } from './xml.ts'

export type Read = { drawing: Drawing; dropped: { what: Dropped; count: number }[] } | { refused: Why }

type Drawn = { steps: Step[]; style: Style }
const containers = new Set(['svg', 'g', 'a', 'switch'])
const notDrawn = new Set(['defs', 'style', 'symbol'])
const leftOut: Readonly<Record<string, Dropped>> = {
  ...{
    script: 'script',
    handler: 'script',
    foreignObject: 'foreign',
    iframe: 'foreign',
    video: 'foreign',
    audio: 'foreign',
    canvas: 'foreign',
  },
  ...{ '#foreign': 'foreign', '#metadata': 'metadata', title: 'metadata', desc: 'metadata', metadata: 'metadata', view: 'metadata' },
  ...{ image: 'image', feImage: 'image', text: 'text', textPath: 'text', tspan: 'text' },
  ...{ animate: 'animation', animateTransform: 'animation', animateMotion: 'animation', animateColor: 'animation', set: 'animation' },
  ...{
    linearGradient: 'paint',
    radialGradient: 'paint',
    pattern: 'paint',
    filter: 'effect',
    mask: 'effect',
    clipPath: 'effect',
    marker: 'effect',
  },
}

/** All elements by id; the first element with an id counts. */
const indexed = (root: Node) => {
  const found = new Map<string, Node>()
  const visit = (node: Node) => {
    const id = node.attributes.get('id')
    if (id !== undefined && !found.has(id)) found.set(id, node)
    node.children.forEach(visit)
  }
  visit(root)
  return found
}

/** Names elements that are never drawn, at any position, once each. */
const nameDropped = (node: Node, drop: Drop) => {
  const what = Object.hasOwn(leftOut, node.name) ? leftOut[node.name] : undefined
  if (what) return drop(what)
  if (!containers.has(node.name) && !notDrawn.has(node.name) && !isShape(node) && node.name !== 'use') return drop('other')
  for (const child of node.children) nameDropped(child, drop)
}

const draw = (root: Node, css: string, drop: Drop): Drawn[] => {
  const rules = readCss(css, drop)
  const byId = indexed(root)
  const drawn: Drawn[] = []
  let visits = 0
  /** Unsupported features of a shape are named once, however often it is used. */
  const seen = new Set<Node>()
  const visit = (node: Node, above: Matrix, outer: Style, uses: number) => {
    if (++visits > limits.nodes) throw new Refusal('tooManyShapes')
    const once: Drop = seen.has(node) ? () => {} : drop
    seen.add(node)
    const style = styleOf(node, outer, rules, once)
    if (!style.isShown) return
    const matrix = times(above, matrixOf(node))
    if (isShape(node)) {
      const { steps, isBroken } = shapeOf(node)
      if (isBroken) once('broken')
      if (drawn.length >= limits.shapes) throw new Refusal('tooManyShapes')
      // A line has no area to fill.
      const looks = node.name === 'line' ? { ...style, fill: 'none' } : style
      if (steps.length > 1) drawn.push({ steps: moved(steps, matrix), style: looks })
    } else if (node.name === 'use') {
      const target = byId.get(node.attributes.get('href')?.slice(1) ?? '')
      if (!target) return
      if (uses >= limits.useDepth) throw new Refusal('useDepth')
      const inside = times(matrix, placed(node, target))
      if (target.name === 'symbol') for (const child of target.children) visit(child, inside, styleOf(target, style, rules, once), uses + 1)
      else visit(target, inside, style, uses + 1)
    } else if (containers.has(node.name)) for (const child of node.children) visit(child, matrix, style, uses)
  }
  visit(root, identity, usual, 0)
  return drawn
}

/** The bounding box of the drawing; for curves, of points on them. */
const boundsOf = (drawn: readonly Drawn[]) => {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  const add = (x: number, y: number) => {
    ;[left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)]
  }
  for (const { steps } of drawn) {
    let [x, y] = [0, 0]
    for (const { command, at } of steps) {
      if (command === 'C')
        for (let i = 1; i < 8; i++) {
          const [t, u] = [i / 8, 1 - i / 8]
          const on = (p: number, q: number, r: number, s: number) => u * u * u * p + 3 * u * u * t * q + 3 * u * t * t * r + t * t * t * s
          add(on(x, at[0]!, at[2]!, at[4]!), on(y, at[1]!, at[3]!, at[5]!))
        }
      if (at.length) [x, y] = at.slice(-2) as [number, number]
      add(x, y)
    }
  }
  return { left, top, w: right - left, h: bottom - top }
}

/** Longer side of an imported symbol, units. */
const longest = 96
type Placed = { role: Role; fill?: string; stroke?: string; d: string }

const dark = (colour: string) => [1, 3, 5].every((i) => Number.parseInt(colour.slice(i, i + 2), 16) < 0x40)
/** Black becomes the theme's line colour and white its background, so that both suit a dark theme. */
const themed = (colour: string, usual: 'soft' | 'surface') => {
  const own = colour === '#ffffff' ? 'surface' : dark(colour) ? 'soft' : colour
  return own === usual ? undefined : own
}
const looksOf = ({ fill, stroke }: Style): Omit<Placed, 'd'> | undefined => {
  const given = (name: 'fill' | 'stroke', value: string | undefined) => (value === undefined ? {} : { [name]: value })
  if (fill === 'none') return stroke === 'none' ? undefined : { role: 'line', ...given('stroke', themed(stroke, 'soft')) }
  if (stroke === 'none') return { role: 'solid', ...given('stroke', themed(fill, 'soft')) }
  return { role: 'body', ...given('fill', themed(fill, 'surface')), ...given('stroke', themed(stroke, 'soft')) }
}

const textOf = (steps: readonly Step[], digits: number) => {
  const by = 10 ** digits
  return steps.map(({ command, at }) => `${command}${at.map((n) => Math.round(n * by) / by || 0).join(' ')}`).join('')
}

const build = (drawn: readonly Drawn[]): Drawing => {
  const { left, top, w, h } = boundsOf(drawn)
  const side = Math.max(w, h)
  if (!(side > 0)) throw new Refusal('empty')
  const scale = longest / side
  const fit: Matrix = [scale, 0, 0, scale, -left * scale, -top * scale]
  const [width, height] = [Math.max(1, Math.round(w * scale * 100) / 100), Math.max(1, Math.round(h * scale * 100) / 100)]
  for (const digits of [2, 1, 0]) {
    const parts: Placed[] = []
    for (const { steps, style } of drawn) {
      const looks = looksOf(style)
      if (!looks) continue
      const d = textOf(moved(steps, fit), digits)
      const last = parts.at(-1)
      // Merges consecutive shapes with the same style.
      const isAlike = last && last.role === looks.role && last.fill === looks.fill && last.stroke === looks.stroke
      if (isAlike && drawn.length > mostParts) last.d += d
      else parts.push({ ...looks, d })
    }
    if (!parts.length) throw new Refusal('empty')
    const length = parts.reduce((sum, { d }) => sum + d.length, 0)
    if (parts.length <= mostParts && length <= mostPathText)
      return { width, height, parts, ports: [...middles([width, height], 'left', 'right', 'top', 'bottom')] }
  }
  throw new Refusal('tooDetailed')
}

/** Reads a file, or returns the reason for a refusal. */
export const readSvg = (text: string): Read => {
  const counts = new Map<Dropped, number>()
  const drop: Drop = (what) => counts.set(what, (counts.get(what) ?? 0) + 1)
  try {
    const { root, css } = readXml(text, drop)
    nameDropped(root, drop)
    const drawing = build(draw(root, css, drop))
    return { drawing, dropped: [...counts].map(([what, count]) => ({ what, count })) }
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.why }
    throw error
  }
}
