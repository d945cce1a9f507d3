// The drawing surface of a picture.
import type { Item, Scene } from '../../../../../contract/picture/scene.ts'
import type { Tree } from '../../../../../contract/picture/tree.ts'
import { build, patch } from './dom.ts'
import { flowed, type Moving } from './moving.ts'

export type Surface = {
  /** Pans and zooms through its viewBox. */
  svg: SVGElement
  elements: readonly Element[]
  nodeOf: (id: string) => Element | null
  /** Whether it fetches the tree of an invalid item when it draws instead of immediately. */
  asksLate: boolean
  /** Invalidates an item: its tree is fetched again. */
  refresh: (item: Item) => void
  /** Sets the position of rotation and flow. */
  move: (moving: Moving) => void
  stop: () => void
}

export const svgSurface = (scene: Scene, treeOf: (item: Item) => Tree, whole: Tree): Surface => {
  const svg = build(whole)
  const nodeOf = (id: string) => svg.querySelector(`[data-item="${id}"]`)
  const nodes = new Map([...svg.querySelectorAll('[data-item]')].map((node) => [node.getAttribute('data-item')!, node]))
  const shown = new Map(scene.items.map((item) => [item.id, treeOf(item)]))
  return {
    svg,
    asksLate: false,
    elements: [svg],
    nodeOf,
    refresh: (item) => {
      const [node, before, after] = [nodes.get(item.id), shown.get(item.id)!, treeOf(item)]
      if (!node || before === after) return
      patch(node, before, after, item.kind === 'group')
      shown.set(item.id, after)
    },
    move: ({ angle, offset }) => {
      for (const rotor of svg.querySelectorAll('[data-turns]'))
        rotor.setAttribute('transform', `rotate(${angle} ${rotor.getAttribute('data-turns')})`)
      for (const pipe of svg.querySelectorAll('[data-flow]'))
        pipe.setAttribute('stroke-dashoffset', String(flowed(Number(pipe.getAttribute('data-flow')), offset)))
    },
    stop: () => {},
  }
}
