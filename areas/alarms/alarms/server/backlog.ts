import type { Stored } from '../../../../server/telemetry/sample.ts'
import type { Prefiltered } from './prefilterReadings.ts'

/** A batch as stored, or its prefiltered rest. */
export type Part = readonly Stored[] | Prefiltered
const isPrefiltered = (part: Part): part is Prefiltered => 'to' in part
const sizeOf = (part: Part) => (isPrefiltered(part) ? part.limited.length + part.ruled.length : part.length)

/** The queue of readings to evaluate, in order of arrival, limited to `most` readings. */
export const createBacklog = (most: number) => {
  let parts: Part[] = []
  /** Readings taken of the first batch, if it is unfiltered. */
  let from = 0
  let size = 0
  let unfiltered = 0
  const clear = () => {
    parts = []
    from = size = unfiltered = 0
  }
  return {
    size: () => size,
    /** Whether unfiltered batches are queued. */
    isUnfiltered: () => unfiltered > 0,
    isEmpty: () => parts.length === 0,
    /** False on overflow: the queue is then empty, and the caller reads from the store instead. */
    add(part: Part): boolean {
      const before = parts.at(-1)
      if (isPrefiltered(part) && !sizeOf(part) && before && isPrefiltered(before)) before.to = part.to
      else parts.push(part)
      size += sizeOf(part)
      if (!isPrefiltered(part)) unfiltered++
      if (size <= most) return true
      clear()
      return false
    },
    /** Drops batches that were filtered for a replaced engine; the caller reads them from the store. */
    dropPrefiltered() {
      parts = parts.filter((part) => !isPrefiltered(part))
      size = parts.reduce((sum, part) => sum + sizeOf(part), -from)
    },
    /** A prefiltered batch, or at most `count` readings. */
    take(count: number): Part {
      const [first] = parts
      if (!first) return []
      const rows = isPrefiltered(first) ? first : first.slice(from, from + count)
      size -= sizeOf(rows)
      from += sizeOf(rows)
      if (from < sizeOf(first)) return rows
      parts.shift()
      if (!isPrefiltered(first)) unfiltered--
      from = 0
      return rows
    },
  }
}
