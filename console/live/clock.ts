import { useSyncExternalStore } from 'react'

let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  // The clock does not tick without listeners.
  if (!timer) now = Date.now()
  timer ??= setInterval(() => {
    now = Date.now()
    for (const listener of listeners) listener()
  }, 1000)
  return () => {
    listeners.delete(listener)
    if (!listeners.size) {
      clearInterval(timer)
      timer = undefined
    }
  }
}

/** A value derived from the current time, which ticks once a second. Re-renders only when the value changes. */
export const useNowAs = <T extends string | number>(read: (now: number) => T) => useSyncExternalStore(subscribe, () => read(now))
/** The current time. Ticks once a second while a component uses it. */
export const useNow = () => useNowAs((time) => time)
