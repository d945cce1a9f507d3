// Prefilter for readings that cannot change an alarm. Each point has a row in one Float64Array: the range of values that change
// nothing, and until when. Nearly all readings pass here at the cost of one row lookup and are never queued.
import type { Stored } from '../../../../../server/telemetry/sample.ts'
import type { Span } from './span.ts'

/** Columns of the row of a point, in the order of comparison. */
const [low, high, time, due, queuedAt, value, noted, touched, width] = [0, 1, 2, 3, 4, 5, 6, 7, 8]

/** Rows are indexed by pages of 1,024 points, because points of a device have consecutive ids. */
const pageBits = 10
const mask = (1 << pageBits) - 1
const most = 2 ** 31

/** Index from a point to the offset of its row; 0 = none. */
const createRowIndex = () => {
  const pages: (Int32Array | undefined)[] = []
  /** Points with ids above 2^31. */
  const far = new Map<number, number>()
  return {
    get(point: number): number {
      if (point >= most) return far.get(point) ?? 0
      const page = pages[point >> pageBits]
      return page === undefined ? 0 : page[point & mask]!
    },
    set(point: number, at: number) {
      if (point >= most) return void far.set(point, at)
      const page = pages[point >> pageBits] ?? new Int32Array(mask + 1)
      pages[point >> pageBits] = page
      page[point & mask] = at
    },
  }
}

/**
 * Times are epoch ms, values in the unit of the point. A reading that does not pass is queued for the engine. Later readings of its
 * point must then queue too, because readings are judged in order of arrival.
 */
export const createPrefilter = () => {
  const rowIndex = createRowIndex()
  const points = new Set<number>()
  const free: number[] = []
  let all = new Float64Array(64 * width)
  let end = width
  /** Number of queued readings, and of those evaluated. */
  let [waited, judged] = [0, 0]

  const add = (point: number) => {
    const at = free.pop() ?? end
    if (at === end) end += width
    if (end > all.length) {
      const more = new Float64Array(2 * all.length)
      more.set(all)
      all = more
    }
    all.fill(0, at, at + width)
    all[at + queuedAt] = waited
    rowIndex.set(point, at)
    points.add(point)
    return at
  }

  return {
    /** Whether a reading changes nothing. If so, it becomes the newest reading of its point. */
    pass(s: Stored): boolean {
      const v = s.value
      // Bad quality is no value: it neither raises nor clears (domain.md, 4 (d)).
      if (v === null || s.quality > 1) return true
      const at = rowIndex.get(s.point)
      if (at === 0) return true
      const t = s.time
      if (v < all[at + low]! || v > all[at + high]! || t < all[at + time]! || t >= all[at + due]! || all[at + queuedAt]! > judged)
        return false
      all[at + time] = t
      all[at + value] = v
      all[at + noted] = 1
      all[at + touched] = 1
      return true
    },
    /** Counts one more queued reading. */
    wait: () => void waited++,
    /** Blocks the point until all readings queued so far are evaluated. */
    queue(point: number) {
      const at = rowIndex.get(point)
      if (at) all[at + queuedAt] = waited
    },
    /** Reports that `count` queued readings are evaluated or dropped. */
    release(count: number) {
      judged = Math.min(waited, judged + count)
    },
    /** Sets the values that pass: those of the range, with times from `t` and before `until`, epoch ms. */
    set(point: number, [l, h]: Span, t: number, until: number) {
      const at = rowIndex.get(point) || add(point)
      all[at + low] = l
      all[at + high] = h
      all[at + time] = t
      all[at + due] = until
    },
    /** The newest reading that passed since the last call. */
    take(point: number): { time: number; value: number } | undefined {
      const at = rowIndex.get(point)
      if (!at || !all[at + noted]) return undefined
      all[at + noted] = 0
      return { time: all[at + time]!, value: all[at + value]! }
    },
    touch(point: number) {
      const at = rowIndex.get(point)
      if (at) all[at + touched] = 1
    },
    /** Points with readings since the last call. */
    takeTouched: (): number[] => {
      const touchedPoints: number[] = []
      for (const point of points) {
        const at = rowIndex.get(point)
        if (all[at + touched]) touchedPoints.push(point)
        all[at + touched] = 0
      }
      return touchedPoints
    },
    drop(point: number) {
      const at = rowIndex.get(point)
      if (!at) return
      rowIndex.set(point, 0)
      points.delete(point)
      free.push(at)
    },
  }
}
