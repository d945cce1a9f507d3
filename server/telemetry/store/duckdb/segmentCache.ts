import { names, type Part } from './parts.ts'

type Column = (number | null)[]
export type Parts = Map<number, Part>
/** Bytes: an array with a null in it stores each number as an object of its own. */
export const bytesOfParts = (parts: Parts) =>
  [...parts.values()]
    .flatMap((part) => names.map((name) => part[name] as Column))
    .reduce((sum, c) => sum + c.length * (c.includes(null) ? 24 : 8), 500)

/**
 * Caches what closed files hold for some points, such as their buckets, by the files' names: a closed file never changes, and its successor
 * has another name. Bounded in bytes; the least recently used entry goes first.
 */
export const segmentCache = <T>(bytesOf: (value: T) => number, mostBytes = 24 * 1024 * 1024) => {
  const cached = new Map<string, { value: T; bytes: number }>()
  let total = 0
  const drop = (key: string) => {
    total -= cached.get(key)?.bytes ?? 0
    cached.delete(key)
  }
  return {
    get: (key: string): T | undefined => {
      const entry = cached.get(key)
      if (!entry) return
      cached.delete(key)
      cached.set(key, entry)
      return entry.value
    },
    put: (key: string, value: T): T => {
      const bytes = bytesOf(value)
      drop(key)
      if (bytes > mostBytes / 2) return value
      cached.set(key, { value, bytes })
      total += bytes
      for (const oldest of cached.keys()) {
        if (total <= mostBytes) break
        drop(oldest)
      }
      return value
    },
    bytes: () => total,
  }
}
export type SegmentCache<T> = ReturnType<typeof segmentCache<T>>
