import { believedAheadMs, type Stored } from './sample.ts'

/**
 * The newest reading of every point, in memory. Starts with the newest stored; from then on live readings move it that are not
 * older than what it has; back-fill never does. What is too far ahead of `clock` (epoch ms) gives way to any live reading.
 */
export const createLatest = (initial: readonly Stored[], clock: () => number = Date.now) => {
  const byPoint = new Map(initial.map((reading) => [reading.point, { reading, batch: 0 }]))
  const listeners = new Set<(moved: readonly Stored[]) => void>()
  let batch = 0
  return {
    get: (point: number): Stored | undefined => byPoint.get(point)?.reading,
    /** Told after each commit: the newest reading of every point that it moved, once a point. */
    onMoved: (listener: (moved: readonly Stored[]) => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** A listener for ingest. */
    take: (stored: readonly Stored[], live: boolean) => {
      if (!live) return
      batch++
      const believedTo = clock() + believedAheadMs
      const moved: { reading: Stored }[] = []
      for (const reading of stored) {
        let known = byPoint.get(reading.point)
        if (known === undefined) {
          known = { reading, batch: 0 }
          byPoint.set(reading.point, known)
        } else if (reading.time < known.reading.time && known.reading.time <= believedTo) continue
        known.reading = reading
        if (known.batch !== batch) moved.push(known)
        known.batch = batch
      }
      const readings = moved.map((known) => known.reading)
      for (const listener of listeners) listener(readings)
    },
    forget: (point: number) => void byPoint.delete(point),
    /** Newest time of each point. */
    times: () => new Map([...byPoint].map(([point, { reading }]) => [point, reading.time])),
  }
}
export type Latest = ReturnType<typeof createLatest>
