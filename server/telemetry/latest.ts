import type { Sample, Stored } from './sample.ts'

/**
 * The newest reading of every point, in memory. Starts with the newest stored; from then on live readings move it that are not
 * older than what it has; back-fill never does.
 */
export const createLatest = (initial: readonly Stored[]) => {
  const byPoint = new Map<number, Sample>()
  for (const { point, time, value, quality } of initial) byPoint.set(point, { point, time, value, quality })
  return {
    get: (point: number): Sample | undefined => byPoint.get(point),
    /** A listener for ingest. */
    take: (stored: readonly Stored[], live: boolean) => {
      if (!live) return
      for (const { point, time, value, quality } of stored)
        if (time >= (byPoint.get(point)?.time ?? 0)) byPoint.set(point, { point, time, value, quality })
    },
    forget: (point: number) => void byPoint.delete(point),
    /** Newest time of each point. */
    times: () => new Map([...byPoint].map(([point, { time }]) => [point, time])),
  }
}
export type Latest = ReturnType<typeof createLatest>
