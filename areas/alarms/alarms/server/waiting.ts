import type { Stored } from '../../../../server/telemetry/sample.ts'
import type { Sifted } from './sifting.ts'

/** As they came, or what was left of them. */
export type Part = readonly Stored[] | Sifted
const isSifted = (part: Part): part is Sifted => 'to' in part
const sizeOf = (part: Part) => (isSifted(part) ? part.limited.length + part.ruled.length : part.length)

/** Readings in the order in which they came, at most `most`, in the parts they came in. */
export const createWaiting = (most: number) => {
  let parts: Part[] = []
  /** What of the first part is taken, if that is as it came. */
  let from = 0
  let size = 0
  let unsifted = 0
  const clear = () => {
    parts = []
    from = size = unsifted = 0
  }
  return {
    size: () => size,
    /** Whether some wait that nobody has looked at. */
    isUnsifted: () => unsifted > 0,
    isEmpty: () => parts.length === 0,
    /** False where they would be too many: nothing waits then, and what waited is to be read from the store. */
    add(part: Part): boolean {
      const before = parts.at(-1)
      if (isSifted(part) && !sizeOf(part) && before && isSifted(before)) before.to = part.to
      else parts.push(part)
      size += sizeOf(part)
      if (!isSifted(part)) unsifted++
      if (size <= most) return true
      clear()
      return false
    },
    /** What was sifted for an engine that is no more: it is to be read from the store. */
    dropSifted() {
      parts = parts.filter((part) => !isSifted(part))
      size = parts.reduce((sum, part) => sum + sizeOf(part), -from)
    },
    /** A part that was sifted, or at most `count` readings. */
    take(count: number): Part {
      const [first] = parts
      if (!first) return []
      const rows = isSifted(first) ? first : first.slice(from, from + count)
      size -= sizeOf(rows)
      from += sizeOf(rows)
      if (from < sizeOf(first)) return rows
      parts.shift()
      if (!isSifted(first)) unsifted--
      from = 0
      return rows
    },
  }
}
