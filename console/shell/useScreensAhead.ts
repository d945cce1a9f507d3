import { useEffect } from 'react'
import type { MenuEntry } from '../session/session.ts'
import { pages } from './menus.tsx'
import { fetchScreen } from './screens.ts'

/** What a visit begins with comes first, ms. */
const afterMs = 1000

const saves = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
/** Safari does not tell when it is idle. */
const whenIdle = globalThis.requestIdleCallback ?? ((go: () => void) => setTimeout(go, 100))

/** Fetches the screens of somebody's menus, one after the other while nothing else is to be done, so that they are there when he goes there. */
export const useScreensAhead = (menus: MenuEntry[]) =>
  useEffect(() => {
    if (saves()) return
    const paths = pages(menus).map((m) => m.RoutingAddress)
    let over = false
    const next = () => {
      const path = paths.shift()
      if (path && !over) whenIdle(() => void fetchScreen(path).then(next))
    }
    const timer = setTimeout(next, afterMs)
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [menus])
