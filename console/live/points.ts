// Newest values of the points that are on a screen: shared, counted, and told once a frame.
import { useEffect, useSyncExternalStore } from 'react'
import { hub } from './hub.ts'

export type Latest = { Time: number; Value: number | null; Quality: number }

/** A point is kept this long after the last viewer left, so that going back and forth asks for nothing. */
const graceMs = 5000

const latest = new Map<number, Latest>()
const viewers = new Map<number, number>()
const listeners = new Map<number, Set<() => void>>()
const changed = new Set<number>()

hub.wanted = () => [...viewers.keys()]
hub.left = (ids) => {
  for (const id of ids) if (!viewers.has(id)) latest.delete(id)
}

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

/** A dashboard joins and leaves in one call: one call for each of its points is a flood to the hub. */
let isChanging = false
const change = () => {
  if (isChanging) return
  isChanging = true
  setTimeout(() => {
    isChanging = false
    void hub.sync()
  })
}

const leave = (id: number) => {
  const left = (viewers.get(id) ?? 1) - 1
  viewers.set(id, left)
  if (left > 0) return
  setTimeout(() => {
    if (viewers.get(id) !== 0) return
    viewers.delete(id)
    change()
  }, graceMs)
}

/** Keeps points subscribed until the answer is called. */
export const watchPoints = (ids: readonly number[]) => {
  for (const id of ids) {
    if (!viewers.has(id)) change()
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
