// A picture on the screen. Values bypass React: a change of a point repaints the items that read it, at most 20 times a second.
import { listen, watchPoints } from '../../../../../console/live/points.ts'
import { isAlike, type Look } from '../../../../../contract/picture/look.ts'
import { type Brush, paintItem, paintScene } from '../../../../../contract/picture/paint.ts'
import type { Item, Scene } from '../../../../../contract/picture/scene.ts'
import type { Tree } from '../../../../../contract/picture/tree.ts'
import type { Compiled } from '../../compiled.ts'
import type { Looks } from '../../looks.ts'
import type { CanvasSurface } from './canvasSurface.ts'
import { type Surface, svgSurface } from './surface.ts'
import { Tints } from './tints.ts'

const tickMs = 50
/** Step of rotation and flow per tick. */
const [turn, flow] = [12, 2]

/** If more items than this change in one tick, tints are off for some ticks: a tint of everything shows nothing and doubles the drawing. */
const [mostTinted, crowdTicks] = [60, 20]

/** Maximum items drawn as elements; a larger picture is drawn on a canvas. */
export const mostElements = 400

export type Canvas = typeof CanvasSurface
type Drawn = { item: Item; tree: Tree; look: Look; compiled: Compiled | undefined; isStale: boolean }

export class LivePicture {
  readonly #surface: Surface
  readonly #drawn = new Map<string, Drawn>()
  readonly #byPoint = new Map<number, Drawn[]>()
  readonly #dirty = new Set<Drawn>()
  readonly #brush: Brush
  readonly #looks: Looks
  readonly #clock: () => number
  readonly #tints = new Tints<Drawn>()
  #animates = false
  #stops: (() => void)[] = []
  #timer: ReturnType<typeof setInterval> | undefined
  #over: Drawn | undefined
  #angle = 0
  #offset = 0
  #ticks = 0
  /** Items changed in this tick, and the tick at which tints resume. */
  #changes = 0
  #tintsFrom = 0

  get svg() {
    return this.#surface.svg
  }
  /** Its elements for the page, from back to front. */
  get elements() {
    return this.#surface.elements
  }

  constructor(scene: Scene, brush: Brush, looks: Looks, { clock, Canvas }: { clock: () => number; Canvas: Canvas | null }) {
    this.#clock = clock
    this.#brush = brush
    this.#looks = looks
    const compiled = new Map(looks.compiled.map((one) => [one.item.id, one]))
    const now = this.#clock()
    for (const item of scene.items) {
      const own = compiled.get(item.id)
      const look = own ? looks.look(own, now) : {}
      const drawn = { item, look, tree: paintItem(item, look, brush), compiled: own, isStale: false }
      this.#drawn.set(item.id, drawn)
      for (const id of own?.ids ?? []) this.#byPoint.set(id, [...(this.#byPoint.get(id) ?? []), drawn])
    }
    this.#surface = Canvas
      ? new Canvas(scene, this.#treeOf, brush)
      : svgSurface(
          scene,
          this.#treeOf,
          paintScene(scene, (item) => this.lookOf(item), brush),
        )
  }

  /** The current tree of an item, computed on demand. A canvas does not ask for items out of view. */
  readonly #treeOf = (item: Item): Tree => {
    const drawn = this.#drawn.get(item.id)!
    if (!drawn.isStale) return drawn.tree
    drawn.isStale = false
    if (!drawn.compiled) return drawn.tree
    const plain = this.#looks.look(drawn.compiled, this.#clock())
    const look =
      this.#animates && this.#ticks >= this.#tintsFrom ? this.#tints.tinted(drawn, drawn.look, plain, this.#ticks * tickMs) : plain
    if (isAlike(look, drawn.look)) return drawn.tree
    drawn.look = look
    drawn.tree = paintItem(item, look, this.#brush)
    return drawn.tree
  }

  /** The present look of an item, without the tint of a recent change. */
  lookOf(item: Item): Look {
    if (this.#drawn.has(item.id)) this.#treeOf(item)
    const { fresh: _, rows, ...look } = this.#drawn.get(item.id)?.look ?? {}
    return rows ? { ...look, rows: rows.map(({ fresh: _, ...row }) => row) } : look
  }
  /** Recomputes everything. */
  refresh() {
    for (const drawn of this.#drawn.values()) if (drawn.compiled?.keys.length || drawn.compiled?.isTimed) this.#dirty.add(drawn)
  }

  /** Shows the name of the item under the pointer or with the focus. */
  #name(drawn: Drawn) {
    if (!drawn.compiled?.keys.length) return
    const text = this.#looks.title(drawn.compiled, this.#clock())
    const node = this.#surface.nodeOf(drawn.item.id)
    if (!node) return
    const there = [...node.children].find(({ tagName }) => tagName === 'title')
    const title = there ?? node.appendChild(document.createElementNS(node.namespaceURI, 'title'))
    if (title.textContent !== text) title.textContent = text
  }
  readonly #onOver = ({ target }: Event) => {
    const id = (target as Element).closest('[data-item]')?.getAttribute('data-item')
    this.#over = id ? this.#drawn.get(id) : undefined
    if (this.#over) this.#name(this.#over)
  }

  #change(drawn: Drawn) {
    if (++this.#changes > mostTinted) this.#tintsFrom = this.#ticks + crowdTicks
    if (this.#surface.asksLate) this.#invalidate(drawn)
    else this.#dirty.add(drawn)
  }
  #invalidate(drawn: Drawn) {
    drawn.isStale = true
    this.#surface.refresh(drawn.item)
  }
  #tick() {
    this.#changes = 0
    // The age of values changes with time.
    if (++this.#ticks % (1000 / tickMs) === 0) {
      this.refresh()
      if (this.#over) this.#name(this.#over)
    }
    for (const drawn of this.#tints.ended(this.#ticks * tickMs)) this.#dirty.add(drawn)
    for (const drawn of this.#dirty) this.#invalidate(drawn)
    this.#dirty.clear()
    if (!this.#animates) return
    this.#angle = (this.#angle + turn) % 360
    // Dashes are 20 long: a multiple of their length for any share of the speed.
    this.#offset = (this.#offset + flow) % 400_000
    this.#surface.move({ angle: this.#angle, offset: this.#offset, blinkOn: this.#ticks % (1000 / tickMs) < 1000 / tickMs / 2 })
  }

  /** Places of the items that read a point, smallest first: the symbol before the table. */
  placesOf(point: number) {
    const found = (this.#byPoint.get(point) ?? []).filter(({ item }) => item.kind !== 'pipe' && item.kind !== 'group')
    return found.toSorted((a, b) => a.item.w * a.item.h - b.item.w * b.item.h).map(({ item }) => item)
  }
  /** Highlights an item briefly. */
  point(id: string) {
    const node = this.#surface.nodeOf(id)
    node?.classList.add('picture-found')
    setTimeout(() => node?.classList.remove('picture-found'), 4000)
  }

  /** Subscribes to its points and starts the ticks. */
  start() {
    const { ids } = this.#looks
    this.#stops = [
      watchPoints(ids),
      ...ids.map((id) =>
        listen(id, () => {
          for (const drawn of this.#byPoint.get(id) ?? []) this.#change(drawn)
        }),
      ),
    ]
    for (const type of ['pointerover', 'focusin']) this.svg.addEventListener(type, this.#onOver)
    this.#animates = !matchMedia('(prefers-reduced-motion: reduce)').matches
    this.#timer = setInterval(() => this.#tick(), tickMs)
  }
  stop() {
    clearInterval(this.#timer)
    this.#surface.stop()
    for (const type of ['pointerover', 'focusin']) this.svg.removeEventListener(type, this.#onOver)
    for (const stop of this.#stops) stop()
    this.#stops = []
  }
}
