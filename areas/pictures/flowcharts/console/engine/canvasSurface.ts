// A picture with very many items is drawn on a canvas. An SVG above it, which is never painted, finds what is under the pointer.
import { childrenOf } from '../../../../../contract/picture/paint.ts'
import type { Item, Scene } from '../../../../../contract/picture/scene.ts'
import type { Tree } from '../../../../../contract/picture/tree.ts'
import { CanvasPainter, type Moving } from './canvasTree.ts'
import { build } from './dom.ts'
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
const sliceMs = 7
type Frame = readonly [x: number, y: number, w: number, h: number]

const isSeen = (item: Item, [x, y, w, h]: Frame) => {
  const reach = Math.max(item.w, item.h)
  return item.x < x + w + reach && item.x + item.w > x - reach && item.y < y + h + reach && item.y + item.h > y - reach
}

export class CanvasSurface implements Surface {
  readonly svg: SVGElement
  readonly elements: readonly Element[]
  readonly #canvas = document.createElement('canvas')
  readonly #back = document.createElement('canvas')
  readonly #ctx = this.#back.getContext('2d')!
  readonly #scene: Scene
  readonly #trees: Map<string, Tree>
  readonly #children: ReturnType<typeof childrenOf>
  readonly #hidden: ReadonlySet<string>
  readonly #ground: string | undefined
  readonly #palette: ReturnType<typeof openPalette>
  readonly #painter: CanvasPainter
  readonly #fresh: ReturnType<typeof setInterval>
  #moving: Moving = { angle: 0, offset: 0, blinkOn: true }
  #isDirty = true
  /** What is drawn now, and how far. */
  #pass: Generator<undefined> | undefined
  #shown = ''
  #request = 0

  constructor(scene: Scene, treeOf: (item: Item) => Tree, colour: (name: string) => string) {
    this.#scene = scene
    this.#trees = new Map(scene.items.map((item) => [item.id, treeOf(item)]))
    this.#children = childrenOf(scene)
    this.#hidden = new Set(scene.layers?.flatMap(({ id, hidden }) => (hidden ? [id] : [])))
    this.#ground = scene.background && scene.background !== 'none' ? colour(scene.background) : undefined
    this.svg = build({ tag: 'svg', attributes: { viewBox: `0 0 ${scene.width} ${scene.height}` }, children: [] })
    for (const item of scene.items)
      if (item.kind !== 'pipe' && item.kind !== 'group') this.svg.append(boxOf(item, this.#trees.get(item.id)!))
    this.elements = [this.#canvas, this.svg]
    this.#palette = openPalette(this.svg, () => {
      this.#isDirty = true
    })
    this.#painter = new CanvasPainter(this.#ctx, this.#palette)
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
  change(item: Item, _before: Tree, after: Tree) {
    this.#trees.set(item.id, after)
    this.#isDirty = true
  }
  move(moving: Moving) {
    this.#moving = moving
    this.#isDirty = true
  }
  stop() {
    cancelAnimationFrame(this.#request)
    clearInterval(this.#fresh)
  }

  *#draw(of: string | undefined, frame: Frame): Generator<undefined> {
    for (const item of this.#children.get(of) ?? []) {
      const tree = this.#trees.get(item.id)!
      if (tree.attributes.display === 'none' || (item.layer !== undefined && this.#hidden.has(item.layer))) continue
      if (item.kind === 'group') {
        const alpha = this.#ctx.globalAlpha
        this.#ctx.globalAlpha = alpha * Number(tree.attributes.opacity ?? 1)
        yield* this.#draw(item.id, frame)
        this.#ctx.globalAlpha = alpha
      } else if (item.kind === 'pipe' || isSeen(item, frame)) this.#painter.paint(tree, this.#moving)
      yield
    }
  }
  /** Fits the canvas to its box and the picture into it, as SVG does. */
  #begin() {
    const { clientWidth, clientHeight } = this.svg.parentElement ?? this.svg
    const ratio = Math.min(2, devicePixelRatio)
    const [width, height] = [Math.round(clientWidth * ratio), Math.round(clientHeight * ratio)]
    for (const one of [this.#canvas, this.#back]) if (one.width !== width || one.height !== height) Object.assign(one, { width, height })
    const [x = 0, y = 0, w = 1, h = 1] = this.svg.getAttribute('viewBox')!.split(' ').map(Number)
    const scale = Math.min(width / w, height / h)
    const ctx = this.#ctx
    ctx.setTransform(1, 0, 0, 1, 0, 0)
    ctx.globalAlpha = 1
    ctx.clearRect(0, 0, width, height)
    ctx.setTransform(scale, 0, 0, scale, (width - w * scale) / 2 - x * scale, (height - h * scale) / 2 - y * scale)
    if (this.#ground) {
      ctx.fillStyle = this.#palette.colour(this.#ground)
      ctx.fillRect(0, 0, this.#scene.width, this.#scene.height)
    }
    return this.#draw(undefined, [x, y, w, h])
  }
  #step() {
    this.#request = requestAnimationFrame(() => this.#step())
    const { clientWidth, clientHeight } = this.svg.parentElement ?? this.svg
    const seen = `${this.svg.getAttribute('viewBox')} ${clientWidth} ${clientHeight}`
    if (!this.#pass && !this.#isDirty && seen === this.#shown) return
    const start = performance.now()
    if (!this.#pass) {
      this.#isDirty = false
      this.#shown = seen
      this.#pass = this.#begin()
    }
    while (performance.now() - start < sliceMs) {
      if (!this.#pass.next().done) continue
      const front = this.#canvas.getContext('2d')!
      front.clearRect(0, 0, this.#canvas.width, this.#canvas.height)
      front.drawImage(this.#back, 0, 0)
      this.#pass = undefined
      return
    }
  }
}
