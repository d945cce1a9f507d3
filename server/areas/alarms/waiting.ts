import type { Stored } from '../../telemetry/sample.ts'

/** Readings in the order in which they came, at most `most`, in the arrays they came in. */
export const createWaiting = (most: number) => {
  let parts: (readonly Stored[])[] = []
  /** What of the first array is taken. */
  let from = 0
  let size = 0
  return {
    size: () => size,
    /** False where they would be too many: nothing waits then, and what waited is to be read from the store. */
    add(rows: readonly Stored[]): boolean {
      size += rows.length
      parts.push(rows)
      if (size <= most) return true
      parts = []
      from = size = 0
      return false
    },
    take(count: number): readonly Stored[] {
      const [first] = parts
      if (!first) return []
      const rows = first.slice(from, from + count)
      size -= rows.length
      from += rows.length
      if (from < first.length) return rows
      parts.shift()
      from = 0
      return rows
    },
  }
}
