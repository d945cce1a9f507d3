// Bounding boxes of canvas items, in scene units.
import type { Brush } from '../../../../../contract/picture/paint.ts'
import { wayOf } from '../../../../../contract/picture/route.ts'
import type { Item } from '../../../../../contract/picture/scene.ts'
import type { Tree } from '../../../../../contract/picture/tree.ts'
import { stepsOf } from './canvasTree.ts'

export type Frame = readonly [x: number, y: number, w: number, h: number]
/** Margin for marks and veils around an item. */
const marks = 24

export const boundsOfPipe = (pipe: Extract<Item, { kind: 'pipe' }>, brush: Brush): Frame => {
  const way = brush.route?.(pipe).way ?? wayOf(pipe, brush)
  const [xs, ys] = [way.map(([x]) => x), way.map(([, y]) => y)]
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  const reach = marks + (pipe.width ?? 6)
  return [left - reach, top - reach, Math.max(...xs) - left + 2 * reach, Math.max(...ys) - top + 2 * reach]
}
/** The bounding box of an item, from its tree: bindings move, rotate and scale it. */
export const boundsOf = (item: Item, { attributes }: Tree): Frame => {
  const steps = stepsOf(String(attributes.transform ?? ''))
  const [x = item.x, y = item.y] = steps[0]?.[1] ?? []
  // Texts may exceed their boxes.
  const reach = item.kind === 'symbol' || item.kind === 'shape' ? marks : Math.max(item.w, item.h, marks)
  if (steps.length < 2) return [x - reach, y - reach, item.w + 2 * reach, item.h + 2 * reach]
  const [scaleX = 1, scaleY = scaleX] = steps.find(([name]) => name === 'scale')?.[1] ?? []
  const half = (Math.hypot(item.w, item.h) / 2 + reach) * Math.max(Math.abs(scaleX), Math.abs(scaleY))
  return [x - half, y - half, 2 * half, 2 * half]
}
export const isSeen = ([x, y, w, h]: Frame, [left, top, width, height]: Frame) =>
  x < left + width && x + w > left && y < top + height && y + h > top
