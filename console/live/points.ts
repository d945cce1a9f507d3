// Newest values of the points that are on a screen: shared, counted, and told once a frame.
import { useEffect, useSyncExternalStore } from 'react'
import { hub } from './hub.ts'

export type Latest = { Time: number; Value: number | null; Quality: number }

/** A point is kept this long after the last viewer left, so that going back and forth asks for nothing. */
const graceMs = 5000

const latest = new Map<number, Latest>()
const viewers = new Map<number, number>()
const listeners = new Map<number, Set<() => void>>()
const joining = new Set<number>()
const leaving = new Set<number>()
const changed = new Set<number>()

hub.wanted = () => [...viewers.keys()]

const tell = () => {
  for (const id of changed) for (const listener of listeners.get(id) ?? []) listener()
  changed.clear()
}

// A background tab gets no frames; it catches up with one when it is seen again.
hub.on('Values', ({ Values }) => {
  if (!changed.size && Values.length) requestAnimationFrame(tell)
  for (const [id, Time, Value, Quality] of Values) {
    latest.set(id, { Time, Value, Quality })
    changed.add(id)
  }
})

const join = () => {
  const ids = [...joining].filter((id) => viewers.has(id))
  joining.clear()
  void hub.subscribe(ids)
}

const part = () => {
  const ids = [...leaving].filter((id) => !viewers.has(id))
  leaving.clear()
  void hub.unsubscribe(ids)
}

const leave = (id: number) => {
  const left = (viewers.get(id) ?? 1) - 1
  viewers.set(id, left)
  if (left > 0) return
  setTimeout(() => {
    if (viewers.get(id) !== 0) return
    viewers.delete(id)
    latest.delete(id)
    // A dashboard leaves in one call: one call for each of its points is a flood to the hub.
    if (!leaving.size) setTimeout(part)
    leaving.add(id)
  }, graceMs)
}

/** Keeps points subscribed until the answer is called. */
export const watchPoints = (ids: readonly number[]) => {
  for (const id of ids) {
    if (!viewers.has(id)) {
      if (!joining.size) queueMicrotask(join)
      joining.add(id)
    }
    viewers.set(id, (viewers.get(id) ?? 0) + 1)
  }
  return () => {
    for (const id of ids) leave(id)
  }
}

export const listen = (id: number, listener: () => void) => {
  const set = listeners.get(id) ?? new Set()
  listeners.set(id, set.add(listener))
  return () => {
    set.delete(listener)
    if (!set.size) listeners.delete(id)
  }
}

export const latestOf = (id: number) => latest.get(id)

/** The newest reading of a point, live. Undefined until there is one. */
export const useLatest = (id: number): Latest | undefined => {
  useEffect(() => watchPoints([id]), [id])
  return useSyncExternalStore(
    (listener) => listen(id, listener),
    () => latest.get(id),
  )
}
