import type { Stored } from './sample.ts'

/**
 * The newest reading of every point, in memory. Starts with the newest stored; from then on live readings move it that are not
 * older than what it has; back-fill never does.
 */
export const createLatest = (initial: readonly Stored[]) => {
  const byPoint = new Map(initial.map((reading) => [reading.point, reading]))
  return {
    get: (point: number): Stored | undefined => byPoint.get(point),
    /** A listener for ingest. */
    take: (stored: readonly Stored[], live: boolean) => {
      if (!live) return
      for (const reading of stored) {
        const known = byPoint.get(reading.point)
        if (known === undefined || reading.time >= known.time) byPoint.set(reading.point, reading)
      }
    },
    forget: (point: number) => void byPoint.delete(point),
    /** Newest time of each point. */
    times: () => new Map([...byPoint].map(([point, { time }]) => [point, time])),
  }
}
export type Latest = ReturnType<typeof createLatest>
