// Readings that came late or replaced another, by point and day of arrival: counted since the start, in bounded memory.
import type { Incoming } from './store/store.ts'
import { day } from './store/store.ts'

export type LateCounts = { late: number; replaced: number }
/** Days of arrival that are kept, and entries over all of them, of some 100 bytes each. */
const [mostDays, mostEntries] = [32, 100_000]

/** By point. `doubtful`: places of readings not newer than all of their point's; `replaced`: of those that took another's place. */
export const lateOf = (rows: readonly Incoming[], doubtful: readonly number[], replaced: readonly number[]) => {
  const counts = new Map<number, LateCounts>()
  const of = (point: number) => {
    const known = counts.get(point) ?? { late: 0, replaced: 0 }
    counts.set(point, known)
    return known
  }
  const [again, older] = [new Set(replaced), new Set(doubtful)]
  for (const i of again) of(rows[i]!.point).replaced++
  for (let i = 0; i < rows.length; i++) if ((!rows[i]!.live || older.has(i)) && !again.has(i)) of(rows[i]!.point).late++
  return counts
}

/** Epoch ms from `clock`. With too many entries, the oldest day is dropped and `since` moves. */
export const createLateCounts = (clock: () => number, most = mostEntries) => {
  const byDay = new Map<number, Map<number, LateCounts>>()
  let since = clock()
  let entries = 0
  const dropOldest = () => {
    const [oldest, counts] = [...byDay][0]!
    byDay.delete(oldest)
    entries -= counts.size
    since = Math.max(since, byDay.size ? (oldest + 1) * day : clock())
  }
  const of = (point: number) => {
    const today = Math.floor(clock() / day)
    const known = byDay.get(today)?.get(point)
    if (known) return known
    while (entries >= most || (byDay.size >= mostDays && !byDay.has(today))) dropOldest()
    const counts = byDay.get(today) ?? new Map<number, LateCounts>()
    byDay.set(today, counts)
    const added = { late: 0, replaced: 0 }
    counts.set(point, added)
    entries++
    return added
  }
  return {
    /** Adds what was stored, by point. */
    add: (stored: Iterable<readonly [number, LateCounts]>) => {
      for (const [point, { late, replaced }] of stored) {
        const counts = of(point)
        counts.late += late
        counts.replaced += replaced
      }
    },
    /** Counts by arrival day within the range. */
    get: (point: number, start: number, end: number): LateCounts => {
      const sum = { late: 0, replaced: 0 }
      for (const [at, counts] of byDay) {
        const found = at * day < end && (at + 1) * day > start ? counts.get(point) : undefined
        sum.late += found?.late ?? 0
        sum.replaced += found?.replaced ?? 0
      }
      return sum
    },
    since: () => since,
    forget: (point: number) => {
      for (const counts of byDay.values()) if (counts.delete(point)) entries--
    },
  }
}
export type Late = ReturnType<typeof createLateCounts>
