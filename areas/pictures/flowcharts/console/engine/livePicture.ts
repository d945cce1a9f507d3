// A picture on the screen. Values go past React: a change of a point repaints the items that read it, at most 20 times a second.
import { listen, watchPoints } from '../../../../../console/live/points.ts'
import { isAlike, type Look } from '../../../../../contract/picture/look.ts'
import { type Brush, paintItem, paintScene } from '../../../../../contract/picture/paint.ts'
import type { Item, Scene } from '../../../../../contract/picture/scene.ts'
import type { Tree } from '../../../../../contract/picture/tree.ts'
import { build, patch } from './dom.ts'
import type { Compiled, Looks } from './looks.ts'

const tickMs = 50
/** What turns or flows moves by so much a tick. */
const [turn, flow] = [12, 2]

type Drawn = { item: Item; node: Element; tree: Tree; look: Look; compiled: Compiled | undefined }

export class LivePicture {
  readonly svg: SVGElement
  readonly #drawn = new Map<string, Drawn>()
  readonly #byPoint = new Map<number, Drawn[]>()
  readonly #dirty = new Set<Drawn>()
  readonly #brush: Brush
  readonly #looks: Looks | undefined
  readonly #clock: () => number
  #stops: (() => void)[] = []
  #timer: ReturnType<typeof setInterval> | undefined
  #over: Drawn | undefined
  #angle = 0
  #offset = 0
  #ticks = 0

  /** Without looks, the picture looks as it was drawn. */
  constructor(scene: Scene, brush: Brush, looks?: Looks, clock: () => number = Date.now) {
    this.#clock = clock
    this.#brush = brush
    this.#looks = looks
    const compiled = new Map(looks?.compiled.map((one) => [one.item.id, one]))
    const now = this.#clock()
    const lookOf = (item: Item): Look => {
      const own = compiled.get(item.id)
      return own && looks ? looks.look(own, now) : {}
    }
    this.svg = build(paintScene(scene, lookOf, brush))
    for (const item of scene.items) {
      const node = this.svg.querySelector(`[data-item="${item.id}"]`)
      if (!node) continue
      const look = lookOf(item)
      const drawn = { item, node, look, tree: paintItem(item, look, brush), compiled: compiled.get(item.id) }
      this.#drawn.set(item.id, drawn)
      for (const id of drawn.compiled?.ids ?? []) this.#byPoint.set(id, [...(this.#byPoint.get(id) ?? []), drawn])
    }
  }

  #repaint(drawn: Drawn, now: number) {
    const { item, node, tree, compiled } = drawn
    if (!compiled || !this.#looks) return
    const look = this.#looks.look(compiled, now)
    if (isAlike(look, drawn.look)) return
    drawn.look = look
    const next = paintItem(item, look, this.#brush)
    patch(node, tree, next, item.kind === 'group')
    drawn.tree = next
  }

  /** Looks at everything again. */
  refresh() {
    for (const drawn of this.#drawn.values()) if (drawn.compiled?.keys.length) this.#dirty.add(drawn)
  }

  /** Names what is under the pointer, or has the focus. */
  #name(drawn: Drawn) {
    if (!drawn.compiled?.keys.length || !this.#looks) return
    const text = this.#looks.title(drawn.compiled, this.#clock())
    const there = [...drawn.node.children].find(({ tagName }) => tagName === 'title')
    const title = there ?? drawn.node.appendChild(document.createElementNS(this.svg.namespaceURI, 'title'))
    if (title.textContent !== text) title.textContent = text
  }
  readonly #onOver = ({ target }: Event) => {
    const id = (target as Element).closest('[data-item]')?.getAttribute('data-item')
    this.#over = id ? this.#drawn.get(id) : undefined
    if (this.#over) this.#name(this.#over)
  }

  #tick(animates: boolean) {
    const now = this.#clock()
    // Values grow old by themselves.
    if (++this.#ticks % (1000 / tickMs) === 0) {
      this.refresh()
      if (this.#over) this.#name(this.#over)
    }
    for (const drawn of this.#dirty) this.#repaint(drawn, now)
    this.#dirty.clear()
    if (!animates) return
    this.#angle = (this.#angle + turn) % 360
    this.#offset = (this.#offset + flow) % 20
    for (const rotor of this.svg.querySelectorAll('[data-turns]'))
      rotor.setAttribute('transform', `rotate(${this.#angle} ${rotor.getAttribute('data-turns')})`)
    for (const pipe of this.svg.querySelectorAll('[data-flow]'))
      pipe.setAttribute('stroke-dashoffset', String(Number(pipe.getAttribute('data-flow')) < 0 ? this.#offset : -this.#offset))
  }

  /** Subscribes to its points and runs. */
  start() {
    const ids = this.#looks?.ids ?? []
    this.#stops = [
      watchPoints(ids),
      ...ids.map((id) =>
        listen(id, () => {
          for (const drawn of this.#byPoint.get(id) ?? []) this.#dirty.add(drawn)
        }),
      ),
    ]
    for (const type of ['pointerover', 'focusin']) this.svg.addEventListener(type, this.#onOver)
    const animates = !matchMedia('(prefers-reduced-motion: reduce)').matches
    this.#timer = setInterval(() => this.#tick(animates), tickMs)
  }
  stop() {
    clearInterval(this.#timer)
    for (const type of ['pointerover', 'focusin']) this.svg.removeEventListener(type, this.#onOver)
    for (const stop of this.#stops) stop()
    this.#stops = []
  }
}
