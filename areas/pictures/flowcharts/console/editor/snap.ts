import type { Bounds } from './changes.ts'

export type Guide = { axis: 'x' | 'y'; at: number; from: number; to: number }
const grid = 4

/** Edges and centre of a box along an axis. */
const marks = (box: Bounds, axis: 'x' | 'y') => {
  const size = axis === 'x' ? box.w : box.h
  return [box[axis], box[axis] + size / 2, box[axis] + size]
}

/**
 * The distance by which a box moves to align with others, and the guide lines; otherwise to the grid. `reach` is in picture units.
 */
export const snap = (box: Bounds, others: readonly Bounds[], reach: number): { dx: number; dy: number; guides: Guide[] } => {
  const guides: Guide[] = []
  const along = (axis: 'x' | 'y') => {
    let best: { by: number; at: number; other: Bounds } | undefined
    for (const other of others)
      for (const at of marks(other, axis))
        for (const own of marks(box, axis)) {
          const by = at - own
          if (Math.abs(by) <= reach && (!best || Math.abs(by) < Math.abs(best.by))) best = { by, at, other }
        }
    if (!best) return Math.round(box[axis] / grid) * grid - box[axis]
    const across = axis === 'x' ? 'y' : 'x'
    const ends = [box, best.other].flatMap((one) => [one[across], one[across] + (across === 'x' ? one.w : one.h)])
    guides.push({ axis, at: best.at, from: Math.min(...ends), to: Math.max(...ends) })
    return best.by
  }
  const [dx, dy] = [along('x'), along('y')]
  return { dx, dy, guides }
}
