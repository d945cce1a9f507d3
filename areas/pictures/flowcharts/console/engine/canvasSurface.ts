// A picture with very many items is drawn on canvases: bands, one below the other. An SVG above them, which is never painted, finds what is
// under the pointer. What was drawn becomes pixels when a band leaves its back side: one band a frame, then all are shown.
import { type Brush, childrenOf } from '../../../../../contract/picture/paint.ts'
import { wayOf } from '../../../../../contract/picture/route.ts'
import type { Item, Scene } from '../../../../../contract/picture/scene.ts'
import type { Tree } from '../../../../../contract/picture/tree.ts'
import { CanvasPainter, stepsOf } from './canvasTree.ts'
import { build } from './dom.ts'
import type { Moving } from './moving.ts'
import type { Surface } from './surface.ts'

/** A transparent box for each item that can be pointed at. */
const boxOf = (item: Item, { attributes }: Tree) => {
  const { transform, class: name, tabindex, role, 'aria-label': label } = attributes
  const rect = { tag: 'rect', attributes: { width: item.w, height: item.h, fill: 'none', 'pointer-events': 'all' }, children: [] }
  const own = { 'data-item': item.id, transform, class: name, tabindex, role, 'aria-label': label }
  return build({ tag: 'g', attributes: own, children: [rect] })
}

/** The theme's colours, and images that have loaded. */
const openPalette = (svg: SVGElement, loaded: () => void) => {
  const colours = new Map<string, string>()
  const images = new Map<string, HTMLImageElement>()
  return {
    font: 'sans-serif',
    colour: (css: string) => {
      if (!css.startsWith('var(')) return css
      const known = colours.get(css) ?? getComputedStyle(svg).getPropertyValue(css.slice(4, -1)).trim()
      colours.set(css, known)
      return known
    },
    image: (href: string) => {
      const known = images.get(href)
      if (known) return known.complete && known.naturalWidth ? known : undefined
      const image = new Image()
      image.onload = loaded
      image.src = href
      images.set(href, image)
      return undefined
    },
    forget: () => colours.clear(),
  }
}

/** ms of each frame that drawing may take: a large picture takes several, so that nothing else waits. */
const sliceMs = 5
/** The share of a processor that drawing may take: a picture that costs more is drawn less often. */
const share = 0.35
/** So many items a band, and so many bands at most. */
const [itemsOfBand, mostBands] = [400, 12]

type Frame = readonly [x: number, y: number, w: number, h: number]
/** How far marks and veils reach beyond what they mark. */
const marks = 24

const boundsOfPipe = (pipe: Extract<Item, { kind: 'pipe' }>, brush: Brush): Frame => {
  const way = brush.route?.(pipe).way ?? wayOf(pipe, brush)
  const [xs, ys] = [way.map(([x]) => x), way.map(([, y]) => y)]
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  const reach = marks + (pipe.width ?? 6)
  return [left - reach, top - reach, Math.max(...xs) - left + 2 * reach, Math.max(...ys) - top + 2 * reach]
}
/** Where an item is drawn, by its tree: bindings move, turn and scale it. */
const boundsOf = (item: Item, { attributes }: Tree): Frame => {
  const steps = stepsOf(String(attributes.transform ?? ''))
  const [x = item.x, y = item.y] = steps[0]?.[1] ?? []
  // Texts may be longer than their boxes.
  const reach = item.kind === 'symbol' || item.kind === 'shape' ? marks : Math.max(item.w, item.h, marks)
  if (steps.length < 2) return [x - reach, y - reach, item.w + 2 * reach, item.h + 2 * reach]
  const [scaleX = 1, scaleY = scaleX] = steps.find(([name]) => name === 'scale')?.[1] ?? []
  const half = (Math.hypot(item.w, item.h) / 2 + reach) * Math.max(Math.abs(scaleX), Math.abs(scaleY))
  return [x - half, y - half, 2 * half, 2 * half]
}
const isSeen = ([x, y, w, h]: Frame, [left, top, width, height]: Frame) =>
  x < left + width && x + w > left && y < top + height && y + h > top

const openBand = () => {
  const canvas = document.createElement('canvas')
  const back = new OffscreenCanvas(1, 1)
  return { canvas, front: canvas.getContext('bitmaprenderer')!, back, ctx: back.getContext('2d')! }
}
type Shown = { tree: Tree; bounds: Frame }

export class CanvasSurface implements Surface {
  readonly svg: SVGElement
  readonly elements: readonly Element[]
  readonly #bands: readonly ReturnType<typeof openBand>[]
  readonly #scene: Scene
  readonly #treeOf: (item: Item) => Tree
  readonly #drawn: Map<string, Shown>
  readonly #waiting = new Set<Item>()
  readonly #children: ReturnType<typeof childrenOf>
  readonly #hidden: ReadonlySet<string>
  readonly #ground: string | undefined
  readonly #palette: ReturnType<typeof openPalette>
  readonly #painter: CanvasPainter
  readonly #fresh: ReturnType<typeof setInterval>
  #moving: Moving = { angle: 0, offset: 0, blinkOn: true }
  #isDirty = true
  /** What is drawn now, and how many ms it took so far. */
  #pass: Generator<boolean> | undefined
  #cost = 0
  /** When the next may begin. */
  #next = 0
  #shown = ''
  #request = 0

  /** `treeOf` returns the current tree of an item. */
  constructor(scene: Scene, treeOf: (item: Item) => Tree, brush: Brush) {
    this.#scene = scene
    this.#treeOf = treeOf
    this.#drawn = new Map(
      scene.items.map((item) => {
        const tree = treeOf(item)
        return [item.id, { tree, bounds: item.kind === 'pipe' ? boundsOfPipe(item, brush) : boundsOf(item, tree) }]
      }),
    )
    this.#children = childrenOf(scene)
    this.#hidden = new Set(scene.layers?.flatMap(({ id, hidden }) => (hidden ? [id] : [])))
    this.#ground = scene.background && scene.background !== 'none' ? brush.colour(scene.background) : undefined
    this.svg = build({ tag: 'svg', attributes: { viewBox: `0 0 ${scene.width} ${scene.height}` }, children: [] })
    for (const item of scene.items)
      if (item.kind !== 'pipe' && item.kind !== 'group') this.svg.append(boxOf(item, this.#drawn.get(item.id)!.tree))
    this.#bands = Array.from({ length: Math.min(mostBands, Math.ceil(scene.items.length / itemsOfBand)) }, openBand)
    this.elements = [...this.#bands.map(({ canvas }) => canvas), this.svg]
    this.#palette = openPalette(this.svg, () => {
      this.#isDirty = true
    })
    this.#painter = new CanvasPainter(this.#palette)
    this.#request = requestAnimationFrame(() => {
      this.#palette.font = getComputedStyle(this.svg).fontFamily || this.#palette.font
      this.#step()
    })
    // The theme may have changed.
    this.#fresh = setInterval(this.#palette.forget, 1000)
  }

  nodeOf(id: string) {
    return this.svg.querySelector(`[data-item="${id}"]`)
  }
  refresh(item: Item) {
    this.#waiting.add(item)
  }
  move(moving: Moving) {
    const { moved, blinked } = this.#painter
    if (moved || (blinked && moving.blinkOn !== this.#moving.blinkOn)) this.#isDirty = true
    this.#moving = moving
  }
  stop() {
    cancelAnimationFrame(this.#request)
    clearInterval(this.#fresh)
  }

  /** Takes what has changed, as it looks at this moment. */
  *#take(): Generator<boolean> {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const item of waiting) {
      const [{ tree: before, bounds }, tree] = [this.#drawn.get(item.id)!, this.#treeOf(item)]
      if (tree === before) continue
      this.#drawn.set(item.id, { tree, bounds: item.kind === 'pipe' ? bounds : boundsOf(item, tree) })
      this.#isDirty = true
      yield false
    }
  }
  *#draw(of: string | undefined, ctx: OffscreenCanvasRenderingContext2D, frame: Frame, moving: Moving): Generator<boolean> {
    for (const item of this.#children.get(of) ?? []) {
      const { tree, bounds } = this.#drawn.get(item.id)!
      if (tree.attributes.display === 'none' || (item.layer !== undefined && this.#hidden.has(item.layer))) continue
      if (item.kind === 'group') {
        const alpha = ctx.globalAlpha
        ctx.globalAlpha = alpha * Number(tree.attributes.opacity ?? 1)
        yield* this.#draw(item.id, ctx, frame, moving)
        ctx.globalAlpha = alpha
      } else if (isSeen(bounds, frame)) {
        this.#painter.paint(ctx, tree, moving)
        yield false
      }
    }
  }
  /** Draws what is seen and fits it into its box, as SVG does. Yields true where a frame has had enough. */
  *#drawBands(): Generator<boolean> {
    const { clientWidth, clientHeight } = this.svg.parentElement ?? this.svg
    const ratio = Math.min(2, devicePixelRatio)
    const [width, height] = [Math.max(1, Math.round(clientWidth * ratio)), Math.max(1, Math.round(clientHeight * ratio))]
    const [x = 0, y = 0, w = 1, h = 1] = this.svg.getAttribute('viewBox')!.split(' ').map(Number)
    const scale = Math.min(width / w, height / h)
    const [left, top] = [(width - w * scale) / 2 - x * scale, (height - h * scale) / 2 - y * scale]
    const moving = this.#moving
    const tall = Math.ceil(height / this.#bands.length)
    const images: ImageBitmap[] = []
    this.#painter.begin()
    for (const [i, { back, ctx, canvas }] of this.#bands.entries()) {
      const from = i * tall
      const own = Math.max(1, Math.min(tall, height - from))
      if (back.width !== width || back.height !== own) Object.assign(back, { width, height: own })
      ctx.setTransform(1, 0, 0, 1, 0, 0)
      ctx.globalAlpha = 1
      ctx.clearRect(0, 0, width, own)
      ctx.setTransform(scale, 0, 0, scale, left, top - from)
      if (this.#ground) {
        ctx.fillStyle = this.#palette.colour(this.#ground)
        ctx.fillRect(0, 0, this.#scene.width, this.#scene.height)
      }
      yield* this.#draw(undefined, ctx, [-left / scale, (from - top) / scale, width / scale, own / scale], moving)
      Object.assign(canvas.style, { top: `${from / ratio}px`, height: `${own / ratio}px` })
      images.push(back.transferToImageBitmap())
      yield true
    }
    for (const [i, { canvas, front }] of this.#bands.entries()) {
      const { width, height } = images[i]!
      if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
      front.transferFromImageBitmap(images[i]!)
    }
  }
  *#passOf(isMoved: boolean): Generator<boolean> {
    yield* this.#take()
    if (!isMoved && !this.#isDirty) return
    this.#isDirty = false
    yield* this.#drawBands()
  }
  #step() {
    this.#request = requestAnimationFrame(() => this.#step())
    const { clientWidth, clientHeight } = this.svg.parentElement ?? this.svg
    const start = performance.now()
    if (!this.#pass) {
      const seen = `${this.svg.getAttribute('viewBox')} ${clientWidth} ${clientHeight}`
      const isMoved = seen !== this.#shown
      if (!isMoved && ((!this.#isDirty && !this.#waiting.size) || start < this.#next)) return
      this.#shown = seen
      this.#cost = 0
      this.#next = start
      this.#pass = this.#passOf(isMoved)
    }
    let isEnough = false
    while (this.#pass && !isEnough && performance.now() - start < sliceMs) {
      const { done, value } = this.#pass.next()
      if (done) this.#pass = undefined
      isEnough = value === true
    }
    this.#cost += performance.now() - start
    if (!this.#pass) this.#next += this.#cost / share
  }
}
