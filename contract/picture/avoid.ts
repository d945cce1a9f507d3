// A way at right angles around boxes: A* over the lines that run beside them.
import type { Box } from './path.ts'
import type { Place } from './route.ts'

/** How far a pipe keeps from what it passes, where there is room. */
const clearance = 12
/** A corner costs as much as this length, so that ways have few. */
const cornerCost = 48
/** Boxes whose edges offer lines, and steps of a search: what bounds the cost of one pipe. */
const [mostBeside, mostSteps] = [40, 4000]

export type Axis = 'across' | 'down'
/** Where a search starts or ends, and the axis of the piece that joins it there. */
export type Stop = { at: Place; axis: Axis | undefined }

/** Whether a piece of a way runs through the inside of a box. */
export const cuts = ([ax, ay]: Place, [bx, by]: Place, { x, y, w, h }: Box) =>
  Math.max(ax, bx) > x + 0.5 && Math.min(ax, bx) < x + w - 0.5 && Math.max(ay, by) > y + 0.5 && Math.min(ay, by) < y + h - 0.5

export const isFree = (way: readonly Place[], boxes: readonly Box[]) =>
  boxes.every((box) => way.every((place, i) => i === 0 || !cuts(way[i - 1]!, place, box)))

/** Entries by rising cost: a binary heap. */
class Queue {
  readonly #entries: (readonly [cost: number, state: number])[] = []
  get size() {
    return this.#entries.length
  }
  push(cost: number, state: number) {
    const entries = this.#entries
    let at = entries.push([cost, state]) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      if (entries[above]![0] <= cost) break
      entries[at] = entries[above]!
      at = above
    }
    entries[at] = [cost, state]
  }
  pop(): number {
    const entries = this.#entries
    const first = entries[0]!
    const last = entries.pop()!
    if (entries.length) {
      let at = 0
      for (;;) {
        let below = 2 * at + 1
        if (below >= entries.length) break
        if (below + 1 < entries.length && entries[below + 1]![0] < entries[below]![0]) below++
        if (entries[below]![0] >= last[0]) break
        entries[at] = entries[below]!
        at = below
      }
      entries[at] = last
    }
    return first[1]
  }
}

const apart = (low: number, high: number, from: number, to: number) => Math.max(low - to, from - high, 0)
/** How far a box is from a way: those nearby are worth passing. */
const distance = ({ x, y, w, h }: Box, way: readonly Place[]) =>
  Math.min(
    ...way.slice(1).map(([bx, by], i) => {
      const [ax, ay] = way[i]!
      return apart(x, x + w, Math.min(ax, bx), Math.max(ax, bx)) + apart(y, y + h, Math.min(ay, by), Math.max(ay, by))
    }),
  )

const lines = (values: readonly number[], low: number, high: number) =>
  Float64Array.from(new Set(values.filter((value) => value >= low && value <= high))).sort()

/** The lines strictly inside a span: from the first up to the last, exclusive. */
const inside = (of: Float64Array, low: number, high: number): [number, number] => {
  const first = (above: number) => {
    let [from, to] = [0, of.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (of[middle]! > above) to = middle
      else from = middle + 1
    }
    return from
  }
  return [first(low + 0.5), first(high - 0.5)]
}

/** Lines beside boxes, and the pieces of them that boxes block. */
const gridOf = (boxes: readonly Box[], simple: readonly Place[], region: Box) => {
  const [from, to] = [simple[0]!, simple.at(-1)!]
  const far = new Map(boxes.length > mostBeside ? boxes.map((box) => [box, distance(box, simple)]) : [])
  const beside = far.size ? boxes.toSorted((a, b) => far.get(a)! - far.get(b)!).slice(0, mostBeside) : boxes
  const xs = lines(
    [from[0], to[0], (from[0] + to[0]) / 2, ...beside.flatMap(({ x, w }) => [x - clearance, x + w + clearance])],
    region.x,
    region.x + region.w,
  )
  const ys = lines(
    [from[1], to[1], (from[1] + to[1]) / 2, ...beside.flatMap(({ y, h }) => [y - clearance, y + h + clearance])],
    region.y,
    region.y + region.h,
  )
  const width = xs.length
  // One bit for the piece to the right of a crossing of lines, one for the piece below it.
  const blocked = new Uint8Array(width * ys.length)
  for (const { x, y, w, h } of boxes) {
    const [[left, right], [top, bottom]] = [inside(xs, x, x + w), inside(ys, y, y + h)]
    for (let row = top; row < bottom; row++)
      for (let column = Math.max(0, left - 1); column < Math.min(right, width - 1); column++)
        if (cuts([xs[column]!, ys[row]!], [xs[column + 1]!, ys[row]!], { x, y, w, h })) blocked[row * width + column]! |= 1
    for (let column = left; column < right; column++)
      for (let row = Math.max(0, top - 1); row < Math.min(bottom, ys.length - 1); row++)
        if (cuts([xs[column]!, ys[row]!], [xs[column]!, ys[row + 1]!], { x, y, w, h })) blocked[row * width + column]! |= 2
  }
  return { xs, ys, width, blocked }
}
type Grid = ReturnType<typeof gridOf>

/** Neighbours of a crossing of lines along an axis that nothing blocks. */
const neighbours = ({ ys, width, blocked }: Grid, node: number, axis: 0 | 1): number[] => {
  const [column, row] = [node % width, Math.floor(node / width)]
  if (axis === 0)
    return [
      ...(column + 1 < width && !(blocked[node]! & 1) ? [node + 1] : []),
      ...(column > 0 && !(blocked[node - 1]! & 1) ? [node - 1] : []),
    ]
  return [
    ...(row + 1 < ys.length && !(blocked[node]! & 2) ? [node + width] : []),
    ...(row > 0 && !(blocked[node - width]! & 2) ? [node - width] : []),
  ]
}

/**
 * The shortest way with few corners that cuts no box and stays in the region; `simple` is the one that boxes block. Undefined where there is
 * none, or where finding it takes too long.
 */
export const wayAround = (from: Stop, to: Stop, simple: readonly Place[], boxes: readonly Box[], region: Box): Place[] | undefined => {
  const grid = gridOf(boxes, [from.at, ...simple, to.at], region)
  const { xs, ys, width } = grid
  const nodeAt = ([x, y]: Place) => ys.indexOf(y) * width + xs.indexOf(x)
  const [start, goal] = [nodeAt(from.at), nodeAt(to.at)]
  const size = width * ys.length
  // A state is a crossing of lines and the axis along which the way reached it.
  const costs = new Float64Array(2 * size).fill(Number.POSITIVE_INFINITY)
  const cameFrom = new Int32Array(2 * size).fill(-1)
  const queue = new Queue()
  const [goalX, goalY] = to.at
  const rest = (node: number) => Math.abs(xs[node % width]! - goalX) + Math.abs(ys[Math.floor(node / width)]! - goalY)
  for (const axis of [0, 1] as const) {
    if (from.axis !== undefined && (from.axis === 'across') !== (axis === 0)) continue
    costs[2 * start + axis] = 0
    queue.push(rest(start), 2 * start + axis)
  }
  const last = to.axis === undefined ? undefined : to.axis === 'across' ? 0 : 1
  for (let steps = 0; queue.size && steps < mostSteps; steps++) {
    const state = queue.pop()
    const node = state >> 1
    if (node === goal) {
      const way: Place[] = []
      for (let at = state; at >= 0; at = cameFrom[at]!) way.push([xs[(at >> 1) % width]!, ys[Math.floor((at >> 1) / width)]!])
      return way.reverse()
    }
    for (const axis of [0, 1] as const)
      for (const next of neighbours(grid, node, axis)) {
        const far = axis === 0 ? xs[node % width]! - xs[next % width]! : ys[Math.floor(node / width)]! - ys[Math.floor(next / width)]!
        const turns = ((state & 1) === axis ? 0 : 1) + (next === goal && last !== undefined && last !== axis ? 1 : 0)
        const cost = costs[state]! + Math.abs(far) + turns * cornerCost
        if (cost >= costs[2 * next + axis]!) continue
        costs[2 * next + axis] = cost
        cameFrom[2 * next + axis] = state
        queue.push(cost + rest(next), 2 * next + axis)
      }
  }
  return undefined
}
