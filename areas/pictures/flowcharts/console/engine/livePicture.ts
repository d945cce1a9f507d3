// A picture on the screen. Values go past React: a change of a point repaints the items that read it, at most 20 times a second.
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
/** What turns or flows moves by so much a tick. */
const [turn, flow] = [12, 2]

/** If more items than this change in one tick, tints are off for some ticks: a tint of everything shows nothing and doubles the drawing. */
const [mostTinted, crowdTicks] = [60, 20]

/** Items that are drawn as elements; a picture with more is drawn on a canvas. */
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
  /** What of it goes into the page, from the back to the front. */
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

  /** How an item looks now, without the tint of what has just changed. */
  lookOf(item: Item): Look {
    if (this.#drawn.has(item.id)) this.#treeOf(item)
    const { fresh: _, rows, ...look } = this.#drawn.get(item.id)?.look ?? {}
    return rows ? { ...look, rows: rows.map(({ fresh: _, ...row }) => row) } : look
  }
  /** Looks at everything again. */
  refresh() {
    for (const drawn of this.#drawn.values()) if (drawn.compiled?.keys.length || drawn.compiled?.isTimed) this.#dirty.add(drawn)
  }

  /** Names what is under the pointer, or has the focus. */
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
    // Values grow old by themselves.
    if (++this.#ticks % (1000 / tickMs) === 0) {
      this.refresh()
      if (this.#over) this.#name(this.#over)
    }
    for (const drawn of this.#tints.ended(this.#ticks * tickMs)) this.#dirty.add(drawn)
    for (const drawn of this.#dirty) this.#invalidate(drawn)
    this.#dirty.clear()
    if (!this.#animates) return
    this.#angle = (this.#angle + turn) % 360
    // Dashes are 20 long: what flows at any share of the speed comes around with them.
    this.#offset = (this.#offset + flow) % 400_000
    this.#surface.move({ angle: this.#angle, offset: this.#offset, blinkOn: this.#ticks % (1000 / tickMs) < 1000 / tickMs / 2 })
  }

  /** Where the items that read a point are, the smallest first: the symbol rather than the table. */
  placesOf(point: number) {
    const found = (this.#byPoint.get(point) ?? []).filter(({ item }) => item.kind !== 'pipe' && item.kind !== 'group')
    return found.toSorted((a, b) => a.item.w * a.item.h - b.item.w * b.item.h).map(({ item }) => item)
  }
  /** Marks an item for a moment. */
  point(id: string) {
    const node = this.#surface.nodeOf(id)
    node?.classList.add('picture-found')
    setTimeout(() => node?.classList.remove('picture-found'), 4000)
  }

  /** Subscribes to its points and runs. */
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
