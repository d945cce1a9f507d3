// Renders a scene during editing. Unchanged items keep their elements.
import { type Brush, paintItem, paintScene } from '../../../../../contract/picture/paint.ts'
import type { Item, Scene } from '../../../../../contract/picture/scene.ts'
import type { Tree } from '../../../../../contract/picture/tree.ts'
import { build, patch } from '../engine/dom.ts'

type Drawn = { item: Item; node: Element; tree: Tree }
const shape = (scene: Scene) =>
  `${scene.width} ${scene.height} ${scene.background ?? ''} ${scene.items.map(({ id, in: group, layer }) => `${id}/${group ?? ''}/${layer ?? ''}`).join()} ${JSON.stringify(scene.layers ?? [])}`

export class EditPicture {
  svg: SVGElement
  #drawn = new Map<string, Drawn>()
  #shape = ''
  #symbols: unknown
  constructor() {
    this.svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  }
  /** Returns whether the svg element was replaced. */
  show(scene: Scene, brush: Brush, symbols: unknown): boolean {
    const next = shape(scene)
    if (next !== this.#shape || symbols !== this.#symbols) {
      this.#shape = next
      this.#symbols = symbols
      this.svg = build(paintScene(scene, () => ({}), brush))
      this.#drawn = new Map()
      const nodes = new Map([...this.svg.querySelectorAll('[data-item]')].map((node) => [node.getAttribute('data-item'), node]))
      for (const item of scene.items) {
        const node = nodes.get(item.id)
        if (node) this.#drawn.set(item.id, { item, node, tree: paintItem(item, {}, brush) })
      }
      return true
    }
    for (const item of scene.items) {
      const drawn = this.#drawn.get(item.id)
      // Pipes depend on the items at their ends.
      if (!drawn || (drawn.item === item && item.kind !== 'pipe')) continue
      const tree = paintItem(item, {}, brush)
      patch(drawn.node, drawn.tree, tree, item.kind === 'group')
      Object.assign(drawn, { item, tree })
    }
    return false
  }
}
