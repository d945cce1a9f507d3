// Draws a picture's tree on a canvas: the same tree that becomes SVG, for pictures with so many items that SVG is too slow.
import type { Tree } from '../../../../../contract/picture/tree.ts'
import { flowed, type Moving } from './moving.ts'
import { isRun, Sprites, type Still } from './sprites.ts'

/** Attributes that elements inherit from their parents. */
type Given = { anchor: string; size: number; weight: string; style: string; baseline: string; fill: string }
export type Palette = { colour: (css: string) => string; font: string; image: (href: string) => CanvasImageSource | undefined }

const mostKept = 20_000
const paths = new Map<string, Path2D>()
const pathOf = (d: string) => {
  const known = paths.get(d)
  if (known) return known
  if (paths.size >= mostKept) paths.clear()
  const path = new Path2D(d)
  paths.set(d, path)
  return path
}

const steps = new Map<string, readonly (readonly [string, readonly number[]])[]>()
/** `translate(1 2) rotate(90)` as steps, cached across frames. */
export const stepsOf = (transform: string) => {
  const known = steps.get(transform)
  if (known) return known
  if (steps.size >= mostKept) steps.clear()
  const found = [...transform.matchAll(/(\w+)\(([^)]*)\)/g)].map(
    ([, name, numbers]) =>
      [
        name!,
        numbers!
          .trim()
          .split(/[\s,]+/)
          .map(Number),
      ] as const,
  )
  steps.set(transform, found)
  return found
}
const move = (ctx: OffscreenCanvasRenderingContext2D, transform: string) => {
  for (const [name, [a = 0, b = 0, c = 0]] of stepsOf(transform)) {
    if (name === 'translate') ctx.translate(a, b)
    else if (name === 'rotate') {
      ctx.translate(b, c)
      ctx.rotate((a * Math.PI) / 180)
      ctx.translate(-b, -c)
    } else if (name === 'scale') ctx.scale(a, b || a)
  }
}

const hatched = new WeakMap<OffscreenCanvasRenderingContext2D, { ink: string; pattern: CanvasPattern | null }>()
/** The hatch over values with bad quality. */
const hatchOf = (ctx: OffscreenCanvasRenderingContext2D, ink: string) => {
  const known = hatched.get(ctx)
  if (known?.ink === ink) return known.pattern
  const tile = new OffscreenCanvas(8, 8)
  const on = tile.getContext('2d')!
  on.strokeStyle = ink
  on.globalAlpha = 0.5
  on.lineWidth = 1.5
  for (const shift of [-8, 0, 8]) {
    on.beginPath()
    on.moveTo(shift, 8)
    on.lineTo(shift + 8, 0)
    on.stroke()
  }
  const pattern = ctx.createPattern(tile, 'repeat')
  hatched.set(ctx, { ink, pattern })
  return pattern
}

const number = (value: unknown, or = 0) => (value === undefined ? or : Number(value))

const plain: Given = { anchor: 'start', size: 16, weight: '400', style: 'normal', baseline: '', fill: '#000' }
const textual = (given: Given, a: Tree['attributes']): Given => ({
  anchor: String(a['text-anchor'] ?? given.anchor),
  size: number(a['font-size'], given.size),
  weight: String(a['font-weight'] ?? given.weight),
  style: String(a['font-style'] ?? given.style),
  baseline: String(a['dominant-baseline'] ?? given.baseline),
  fill: String(a.fill ?? given.fill),
})

/** Paints trees on a canvas. Measurements and paths are cached across frames. */
export class CanvasPainter {
  #ctx!: OffscreenCanvasRenderingContext2D
  readonly #palette: Palette
  readonly #widths = new Map<string, number>()
  readonly #sprites = new Sprites()
  /** Whether a moving or blinking item was drawn since the start. */
  moved = false
  blinked = false

  constructor(palette: Palette) {
    this.#palette = palette
  }

  /** Clears the caches after a change of colours. */
  forget() {
    this.#sprites.clear()
  }
  begin() {
    this.moved = false
    this.blinked = false
  }
  paint(ctx: OffscreenCanvasRenderingContext2D, tree: Tree, moving: Moving) {
    this.#ctx = ctx
    this.#draw(tree, plain, moving)
  }

  #draw(tree: Tree, given: Given, moving: Moving): void {
    const { tag, attributes: a } = tree
    if (tag === 'g') this.#group(tree, given, moving)
    else if (tag === 'svg') this.#clipped(tree, given, moving)
    else if (tag === 'text') this.#text(tree, given)
    else if (tag === 'path') this.#path(tree, moving)
    else if (tag === 'rect') {
      const path = new Path2D()
      path.roundRect(number(a.x), number(a.y), number(a.width), number(a.height), number(a.rx))
      this.#shape(tree, path, moving)
    } else if (tag === 'ellipse') {
      const path = new Path2D()
      path.ellipse(number(a.cx), number(a.cy), number(a.rx), number(a.ry), 0, 0, 2 * Math.PI)
      this.#shape(tree, path, moving)
    } else if (tag === 'image') {
      const image = this.#palette.image(String(a.href))
      if (image) this.#ctx.drawImage(image, 0, 0, number(a.width), number(a.height))
    }
  }

  #still(run: Still, moving: Moving) {
    const ctx = this.#ctx
    const paint = (on: OffscreenCanvasRenderingContext2D) => {
      this.#ctx = on
      for (const path of run.paths) this.#path(path, moving)
      this.#ctx = ctx
    }
    if (!this.#sprites.draw(ctx, run, paint)) paint(ctx)
  }
  #group(tree: Tree, given: Given, moving: Moving) {
    const { attributes: a } = tree
    const blinks = a.class !== undefined && String(a.class).includes('picture-blinks')
    if (blinks) this.blinked = true
    if (a.display === 'none' || (blinks && !moving.blinkOn)) return
    const ctx = this.#ctx
    const changes = a.transform !== undefined || a.opacity !== undefined
    if (changes) ctx.save()
    if (a.transform !== undefined) move(ctx, String(a.transform))
    if (a.opacity !== undefined) ctx.globalAlpha *= number(a.opacity, 1)
    const own = textual(given, { ...a, fill: undefined })
    for (const run of this.#sprites.runsOf(tree)) {
      if (typeof run === 'string') continue
      if (isRun(run)) this.#still(run, moving)
      else this.#draw(run, own, moving)
    }
    if (changes) ctx.restore()
  }

  #clipped({ attributes: a, children }: Tree, given: Given, moving: Moving) {
    const ctx = this.#ctx
    ctx.save()
    ctx.beginPath()
    ctx.rect(number(a.x), number(a.y), number(a.width), number(a.height))
    ctx.clip()
    for (const child of children) if (typeof child !== 'string') this.#draw(child, given, moving)
    ctx.restore()
  }

  #path(tree: Tree, moving: Moving) {
    const { d, 'data-turns': turns } = tree.attributes
    if (turns === undefined) return this.#shape(tree, pathOf(String(d)), moving)
    this.moved = true
    this.#ctx.save()
    move(this.#ctx, `rotate(${moving.angle} ${turns})`)
    this.#shape(tree, pathOf(String(d)), moving)
    this.#ctx.restore()
  }

  #ink(css: unknown) {
    const name = String(css)
    return name.startsWith('url(') ? hatchOf(this.#ctx, this.#palette.colour('var(--faint)')) : this.#palette.colour(name)
  }

  #shape({ attributes: a }: Tree, path: Path2D, { offset }: Moving) {
    const ctx = this.#ctx
    const fill = a.fill === undefined ? '#000' : a.fill === 'none' ? null : this.#ink(a.fill)
    if (fill) {
      ctx.fillStyle = fill
      ctx.fill(path)
    }
    if (a.stroke === undefined || a.stroke === 'none') return
    ctx.strokeStyle = this.#ink(a.stroke) ?? '#000'
    ctx.lineWidth = number(a['stroke-width'], 1)
    ctx.lineJoin = (a['stroke-linejoin'] as CanvasLineJoin) ?? 'miter'
    ctx.lineCap = (a['stroke-linecap'] as CanvasLineCap) ?? 'butt'
    const dashes = a['stroke-dasharray']
    if (dashes) ctx.setLineDash(String(dashes).split(' ').map(Number))
    if (a['data-flow'] !== undefined) {
      this.moved = true
      ctx.lineDashOffset = flowed(number(a['data-flow']), offset)
    }
    ctx.stroke(path)
    if (!dashes) return
    ctx.setLineDash([])
    ctx.lineDashOffset = 0
  }

  #width(text: string) {
    const key = `${this.#ctx.font} ${text}`
    const known = this.#widths.get(key)
    if (known !== undefined) return known
    if (this.#widths.size >= mostKept) this.#widths.clear()
    const { width } = this.#ctx.measureText(text)
    this.#widths.set(key, width)
    return width
  }
  /** Returns the start of the next run of the line. */
  #write(text: string, x: number, y: number, { anchor, size, weight, style, baseline, fill }: Given) {
    const ctx = this.#ctx
    ctx.font = `${style} ${weight} ${size}px ${this.#palette.font}`
    ctx.textBaseline = baseline === 'central' ? 'middle' : 'alphabetic'
    ctx.fillStyle = this.#ink(fill) ?? '#000'
    const width = this.#width(text)
    const start = anchor === 'middle' ? x - width / 2 : anchor === 'end' ? x - width : x
    ctx.fillText(text, start, y)
    return start + width
  }
  /** Runs of one line follow each other; a run with its own position starts a line. */
  #text({ attributes: a, children }: Tree, given: Given) {
    const own = textual(given, a)
    let [x, y, line] = [number(a.x), number(a.y), own]
    for (const child of children) {
      const isRun = typeof child !== 'string'
      const ink = isRun ? textual(line, child.attributes) : line
      if (isRun && child.attributes.y !== undefined) {
        this.#write(child.children.join(''), number(child.attributes.x, x), number(child.attributes.y), ink)
        continue
      }
      x = this.#write(isRun ? child.children.join('') : child, x, y, ink)
      line = { ...own, anchor: 'start' }
    }
  }
}
