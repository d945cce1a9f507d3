// Which readings leave alarms as they are. For each point a line of numbers says what changes nothing, and until when. Nearly all
// readings are such; they cost a look at their line, as soon as they are stored, and are not kept.
import type { Stored } from '../../../../../server/telemetry/sample.ts'
import type { Span } from './span.ts'

/** A line of numbers a point, in the order in which a reading is held against them. */
const [low, high, time, due, queuedAt, value, noted, touched, width] = [0, 1, 2, 3, 4, 5, 6, 7, 8]

/** Lines are found by pages of so many points: points of a device follow each other. */
const pageBits = 10
const mask = (1 << pageBits) - 1
const most = 2 ** 31

/** Where the line of a point begins; 0 where it has none. */
const createRowIndex = () => {
  const pages: (Int32Array | undefined)[] = []
  /** Of numbers that no plant reaches. */
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
 * Times are epoch ms. A reading that does not pass waits for its engine, and its point with it: what comes later must not go
 * before it. Readings that wait are judged in the order in which they came.
 */
export const createPrefilter = () => {
  const rowIndex = createRowIndex()
  const points = new Set<number>()
  const free: number[] = []
  let all = new Float64Array(64 * width)
  let end = width
  /** Readings that had to wait, and those of them that have been judged since. */
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
    /** Whether a reading changes nothing; a good one is noted then, in place of the one before. */
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
    /** One more reading waits. */
    wait: () => void waited++,
    /** What waits by now has to be judged before anything of this point passes. */
    queue(point: number) {
      const at = rowIndex.get(point)
      if (at) all[at + queuedAt] = waited
    },
    /** So many of those that wait are judged now, or gone. */
    release(count: number) {
      judged = Math.min(waited, judged + count)
    },
    /** What passes from now on: values of the span, not older than `t`, before `until`. */
    set(point: number, [l, h]: Span, t: number, until: number) {
      const at = rowIndex.get(point) || add(point)
      all[at + low] = l
      all[at + high] = h
      all[at + time] = t
      all[at + due] = until
    },
    /** The newest reading that has passed since this was last asked. */
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
    /** Points that have been touched since this was last asked. */
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
