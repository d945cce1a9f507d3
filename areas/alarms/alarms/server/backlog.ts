import type { Stored } from '../../../../server/telemetry/sample.ts'
import type { Prefiltered } from './prefilterReadings.ts'

/** As they came, or what was left of them. */
export type Part = readonly Stored[] | Prefiltered
const isPrefiltered = (part: Part): part is Prefiltered => 'to' in part
const sizeOf = (part: Part) => (isPrefiltered(part) ? part.limited.length + part.ruled.length : part.length)

/** Readings in the order in which they came, at most `most`, in the parts they came in. */
export const createBacklog = (most: number) => {
  let parts: Part[] = []
  /** What of the first part is taken, if that is as it came. */
  let from = 0
  let size = 0
  let unfiltered = 0
  const clear = () => {
    parts = []
    from = size = unfiltered = 0
  }
  return {
    size: () => size,
    /** Whether some wait that nobody has looked at. */
    isUnfiltered: () => unfiltered > 0,
    isEmpty: () => parts.length === 0,
    /** False where they would be too many: nothing waits then, and what waited is to be read from the store. */
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
    /** What was sifted for an engine that is no more: it is to be read from the store. */
    dropPrefiltered() {
      parts = parts.filter((part) => !isPrefiltered(part))
      size = parts.reduce((sum, part) => sum + sizeOf(part), -from)
    },
    /** A part that was sifted, or at most `count` readings. */
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
