import { useEffect } from 'react'
import type { MenuEntry } from '../session/session.ts'
import { pages } from './menus.tsx'
import { fetchScreen } from './screens.ts'

/** Delay of the prefetch, ms: the first screen loads first. */
const afterMs = 1000

const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
/** Safari has no requestIdleCallback. */
const whenIdle = globalThis.requestIdleCallback ?? ((go: () => void) => setTimeout(go, 100))

/** Prefetches the screens of the person's menus, one at a time while the browser is idle. */
export const usePrefetchMenus = (menus: MenuEntry[]) =>
  useEffect(() => {
    if (savesData()) return
    const queue = pages(menus).map((m) => m.RoutingAddress)
    let stopped = false
    const next = () => {
      const path = queue.shift()
      if (path && !stopped) whenIdle(() => void fetchScreen(path).then(next))
    }
    const timer = setTimeout(next, afterMs)
    return () => {
      stopped = true
      clearTimeout(timer)
    }
  }, [menus])
