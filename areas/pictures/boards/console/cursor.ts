import { useEffect, useMemo, useSyncExternalStore } from 'react'

/** The pointer's time, shared by all widgets of a board. Kept outside React state, because pointers move often. */
export const createCursor = () => {
  let at: number | undefined
  const listeners = new Set<() => void>()
  return {
    at: () => at,
    move: (next: number | undefined) => {
      if (next === at) return
      at = next
      for (const listener of listeners) listener()
    },
    listen: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
export type Cursor = ReturnType<typeof createCursor>
export const useCursor = () => useMemo(createCursor, [])

/** The pointer's time as state, for the few components that show it as text. */
export const useMoment = (cursor: Cursor) => useSyncExternalStore(cursor.listen, cursor.at)

/** Calls `draw` with each move, and once at the start. */
export const useCursorDraw = (cursor: Cursor, draw: (at: number | undefined) => void) =>
  useEffect(() => {
    const now = () => draw(cursor.at())
    now()
    return cursor.listen(now)
  })
