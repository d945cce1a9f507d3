// A picture with very many items is drawn on canvases, as horizontal bands. A transparent SVG above them, which is never painted, handles
// the pointer. Drawing rasterises when a band leaves its back buffer, at most one band per frame. A band with changed values
// is drawn and shown by itself; when the view moves, all bands are shown together.
import { type Brush, childrenOf } from '../../../../../contract/picture/paint.ts'
import type { Item, Scene } from '../../../../../contract/picture/scene.ts'
import type { Tree } from '../../../../../contract/picture/tree.ts'
import { type Band, CanvasView, hasMoved, nextBand, openBand } from './canvasBands.ts'
import { boundsOf, boundsOfPipe, type Frame, isSeen } from './canvasBounds.ts'
import { CanvasPainter } from './canvasTree.ts'
import { build } from './dom.ts'
import type { Moving } from './moving.ts'
import type { Surface } from './surface.ts'

/** A transparent box for each item that reacts to the pointer. */
const boxOf = (item: Item, { attributes }: Tree) => {
  const { transform, class: name, tabindex, role, 'aria-label': label } = attributes
  const rect = { tag: 'rect', attributes: { width: item.w, height: item.h, fill: 'none', 'pointer-events': 'all' }, children: [] }
  const own = { 'data-item': item.id, transform, class: name, tabindex, role, 'aria-label': label }
  return build({ tag: 'g', attributes: own, children: [rect] })
}

/** The theme's colours, and loaded images. */
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
    /** Reads the theme again; returns whether a colour has changed. */
    reread: () => {
      const style = getComputedStyle(svg)
      let isOther = false
      for (const [css, known] of colours) {
        const now = style.getPropertyValue(css.slice(4, -1)).trim()
        if (now === known) continue
        colours.set(css, now)
        isOther = true
      }
      return isOther
    },
  }
}

/** Time budget of drawing per frame, ms: a large picture takes several frames, so that other work can run. */
const sliceMs = 11
/** After this part of the budget, rasterising a band waits for the next frame, because it cannot be interrupted. */
const lateMs = 6
/** Maximum share of a processor for drawing: an expensive picture is drawn less often. */
const share = 0.29
/** Time by which drawing of changed values may exceed its share, ms: about the cost of all bands. Motion waits until the excess is recovered. */
const aheadMs = 500
/** Items drawn between two clock checks. */
const itemsOfStep = 8
/** Items per band, and maximum number of bands. */
const [itemsOfBand, mostBands] = [400, 12]

type Shown = { tree: Tree; bounds: Frame }

export class CanvasSurface implements Surface {
  readonly asksLate = true
  readonly svg: SVGElement
  readonly elements: readonly Element[]
  readonly #bands: readonly Band[]
  readonly #scene: Scene
  readonly #treeOf: (item: Item) => Tree
  readonly #drawn: Map<string, Shown>
  /** Items that may have changed but are not yet assigned to bands, and those outside the view. */
  readonly #waiting = new Set<Item>()
  readonly #outside = new Set<Item>()
  readonly #children: ReturnType<typeof childrenOf>
  readonly #hidden: ReadonlySet<string>
  readonly #ground: string | undefined
  readonly #palette: ReturnType<typeof openPalette>
  readonly #painter: CanvasPainter
  readonly #fresh: ReturnType<typeof setInterval>
  #moving: Moving = { angle: 0, offset: 0, blinkOn: true }
  #view: CanvasView | undefined
  /** The present drawing pass. */
  #pass: Generator<boolean> | undefined
  #painted = 0
  /** Time at which drawing is within its share again. */
  #within = 0
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
    this.#palette = openPalette(this.svg, () => this.#spoil(this.#bands))
    this.#painter = new CanvasPainter(this.#palette)
    this.#request = requestAnimationFrame(() => {
      this.#palette.font = getComputedStyle(this.svg).fontFamily || this.#palette.font
      this.#step()
    })
    // The theme may have changed.
    this.#fresh = setInterval(() => {
      if (!this.#palette.reread()) return
      this.#painter.forget()
      this.#spoil(this.#bands)
    }, 1000)
  }

  nodeOf(id: string) {
    return this.svg.querySelector(`[data-item="${id}"]`)
  }
  refresh(item: Item) {
    this.#waiting.add(item)
  }
  move(moving: Moving) {
    this.#moving = moving
  }
  stop() {
    cancelAnimationFrame(this.#request)
    clearInterval(this.#fresh)
  }

  #spoil(bands: readonly Band[]) {
    const now = performance.now()
    for (const band of bands) {
      band.isDirty = true
      band.since ??= now
    }
  }
  #bandsAt(bounds: Frame) {
    const [first, last] = this.#view!.bandsOf(bounds)
    return first > last ? [] : this.#bands.slice(first, last + 1)
  }
  /** Assigns changed items to the bands that show them. */
  #sort(now: number) {
    for (const item of this.#waiting) {
      const bands = this.#bandsAt(this.#drawn.get(item.id)!.bounds)
      if (!bands.length) this.#outside.add(item)
      for (const band of bands) {
        band.changed.add(item)
        band.since ??= now
      }
    }
    this.#waiting.clear()
  }
  /** Computes the present look of items. Changed items are redrawn in all their bands. */
  *#take(items: Set<Item>): Generator<boolean> {
    for (const item of items) {
      items.delete(item)
      const [{ tree: before, bounds }, tree] = [this.#drawn.get(item.id)!, this.#treeOf(item)]
      if (tree === before) continue
      const now = item.kind === 'pipe' ? bounds : boundsOf(item, tree)
      this.#drawn.set(item.id, { tree, bounds: now })
      this.#spoil(this.#bandsAt(bounds))
      if (now !== bounds) this.#spoil(this.#bandsAt(now))
      if (++this.#painted % itemsOfStep === 0) yield false
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
        if (++this.#painted % itemsOfStep === 0) yield false
      }
    }
  }
  /** Draws a band on its back buffer. Yields true before rasterising, and returns a function that shows the result. */
  *#paint(band: Band, view: CanvasView): Generator<boolean, () => void> {
    const { back, ctx, canvas, front } = band
    const { width, scale, left, top, ratio } = view
    const i = this.#bands.indexOf(band)
    const [from, height] = view.placeOf(i)
    const moving = this.#moving
    band.isDirty = false
    band.since = undefined
    if (back.width !== width || back.height !== height) Object.assign(back, { width, height })
    ctx.setTransform(1, 0, 0, 1, 0, 0)
    ctx.globalAlpha = 1
    ctx.clearRect(0, 0, width, height)
    ctx.setTransform(scale, 0, 0, scale, left, top - from)
    if (this.#ground) {
      ctx.fillStyle = this.#palette.colour(this.#ground)
      ctx.fillRect(0, 0, this.#scene.width, this.#scene.height)
    }
    this.#painter.begin()
    yield* this.#draw(undefined, ctx, view.frameOf(i), moving)
    yield true
    const { moved: moves, blinked: blinks } = this.#painter
    Object.assign(band, { moves, blinks, moving, drawnAt: performance.now() })
    const image = back.transferToImageBitmap()
    return () => {
      Object.assign(canvas.style, { top: `${from / ratio}px`, height: `${height / ratio}px` })
      if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
      front.transferFromImageBitmap(image)
    }
  }
  /** After a move of the view: draws all bands and shows them together. */
  *#passOfAll(view: CanvasView): Generator<boolean> {
    this.#view = view
    const pending = [this.#outside, ...this.#bands.map(({ changed }) => changed)]
    for (const items of pending) yield* this.#take(items)
    const shows: (() => void)[] = []
    for (const band of this.#bands) shows.push(yield* this.#paint(band, view))
    for (const show of shows) show()
  }
  *#passOf(band: Band, view: CanvasView): Generator<boolean> {
    yield* this.#take(band.changed)
    if (band.isDirty || hasMoved(band, this.#moving)) (yield* this.#paint(band, view))()
    else band.since = undefined
  }
  #begin(now: number): Generator<boolean> | undefined {
    const box = this.svg.parentElement ?? this.svg
    const viewBox = this.svg.getAttribute('viewBox')!
    const seen = `${viewBox} ${box.clientWidth} ${box.clientHeight} ${devicePixelRatio}`
    if (!this.#view || seen !== this.#shown) {
      this.#shown = seen
      return this.#passOfAll(new CanvasView(viewBox, box, devicePixelRatio, this.#bands.length))
    }
    if (now < this.#within - aheadMs) return undefined
    this.#sort(now)
    const changed = this.#bands.filter(({ since }) => since !== undefined)
    const band = nextBand(now < this.#within ? changed : this.#bands, now, this.#moving)
    if (band) return this.#passOf(band, this.#view)
    if (now < this.#within) return undefined
    return this.#outside.size ? this.#take(this.#outside) : undefined
  }
  #step() {
    this.#request = requestAnimationFrame(() => this.#step())
    const start = performance.now()
    let [spent, isLast] = [0, false]
    while (spent < sliceMs) {
      if (!this.#pass) {
        this.#pass = this.#begin(start)
        if (!this.#pass) break
        this.#within = Math.max(this.#within, start)
      }
      const { done, value } = this.#pass.next()
      if (done) this.#pass = undefined
      spent = performance.now() - start
      if (value !== true) continue
      if (isLast || spent > lateMs) break
      isLast = true
    }
    this.#within += spent / share
  }
}
