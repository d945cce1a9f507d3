// Newest values of the points on the screen: shared subscriptions with reference counts, and one update per frame.
import { useEffect, useSyncExternalStore } from 'react'
import { hub } from './hub.ts'

export type Latest = { Time: number; Value: number | null; Quality: number }

/** Delay before a point without viewers is unsubscribed, ms: going back and forth causes no calls. */
const graceMs = 5000

const latest = new Map<number, Latest>()
const viewers = new Map<number, number>()
const listeners = new Map<number, Set<() => void>>()
const changed = new Set<number>()

hub.wanted = () => [...viewers.keys()]
hub.left = (ids) => {
  for (const id of ids) if (!viewers.has(id)) latest.delete(id)
}

const notify = () => {
  for (const id of changed) for (const listener of listeners.get(id) ?? []) listener()
  changed.clear()
}

/** Takes newer values. A background tab gets no frames: its first frame in the foreground shows the newest. */
export const feed = (Values: readonly (readonly [id: number, time: number, value: number | null, quality: number])[]) => {
  if (!changed.size && Values.length) requestAnimationFrame(notify)
  for (const [id, Time, Value, Quality] of Values) {
    latest.set(id, { Time, Value, Quality })
    changed.add(id)
  }
}
hub.on('Values', ({ Values }) => feed(Values))

/** Batches subscriptions: one call for each point of a dashboard would flood the hub. */
let isQueued = false
const syncSoon = () => {
  if (isQueued) return
  isQueued = true
  setTimeout(() => {
    isQueued = false
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
    syncSoon()
  }, graceMs)
}

/** Subscribes to points. Returns the function that unsubscribes. */
export const watchPoints = (ids: readonly number[]) => {
  for (const id of ids) {
    if (!viewers.has(id)) syncSoon()
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

/** The latest reading of a point, live. Undefined before the first one, or without a point. */
export const useLatest = (id: number | undefined): Latest | undefined => {
  useEffect(() => (id === undefined ? undefined : watchPoints([id])), [id])
  return useSyncExternalStore(
    (listener) => listen(id ?? 0, listener),
    () => latest.get(id ?? 0),
  )
}
