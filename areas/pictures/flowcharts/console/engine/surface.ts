// Where a picture is drawn.
import type { Item } from '../../../../../contract/picture/scene.ts'
import type { Tree } from '../../../../../contract/picture/tree.ts'
import { flowed, type Moving } from './canvasTree.ts'
import { build, patch } from './dom.ts'

export type Surface = {
  /** Pans and zooms by its viewBox. */
  svg: SVGElement
  elements: readonly Element[]
  nodeOf: (id: string) => Element | null
  /** An item looks otherwise. */
  change: (item: Item, before: Tree, after: Tree) => void
  /** So far has turned and flowed what does. */
  move: (moving: Moving) => void
  stop: () => void
}

export const svgSurface = (whole: Tree): Surface => {
  const svg = build(whole)
  const nodeOf = (id: string) => svg.querySelector(`[data-item="${id}"]`)
  const nodes = new Map([...svg.querySelectorAll('[data-item]')].map((node) => [node.getAttribute('data-item')!, node]))
  return {
    svg,
    elements: [svg],
    nodeOf,
    change: (item, before, after) => {
      const node = nodes.get(item.id)
      if (node) patch(node, before, after, item.kind === 'group')
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
