import { useEffect, useEffectEvent, useRef } from 'react'
import { useBeforeUnload, useNavigate } from 'react-router'

type Guard = {
  isDirty: () => boolean
  /** Asks whether what has been entered may be lost. */
  ask: () => PromiseLike<boolean>
  /** Closes what was guarded, once the person has agreed. */
  leave: () => void
}

/**
 * Asks before unsaved entries are lost: by closing the page, and by any way to another address inside it (links, the back
 * button, the command palette), which the browser's Navigation API reports before it happens. A browser without it asks only
 * when the page is closed. The way to the login is never barred: a session that is over must end.
 */
export const useLeaveGuard = ({ isDirty, ask, leave }: Guard) => {
  const navigate = useNavigate()
  const isLeaving = useRef(false)
  useBeforeUnload((event) => isDirty() && event.preventDefault())

  const onNavigate = useEffectEvent((event: NavigateEvent) => {
    const { url, key, sameDocument } = event.destination
    const to = new URL(url)
    const isSamePlace = to.pathname === location.pathname && (event.navigationType === 'replace' || to.search === location.search)
    if (!event.cancelable || !sameDocument || isSamePlace || to.pathname === '/login' || isLeaving.current || !isDirty()) return
    event.preventDefault()
    void ask().then((agreed) => {
      if (!agreed) return
      isLeaving.current = true
      leave()
      if (event.navigationType === 'traverse') window.navigation.traverseTo(key)
      else navigate(to.pathname + to.search + to.hash, { replace: event.navigationType === 'replace' })
    })
  })
  useEffect(() => {
    if (!('navigation' in window)) return
    const listener = (event: NavigateEvent) => onNavigate(event)
    window.navigation.addEventListener('navigate', listener)
    return () => window.navigation.removeEventListener('navigate', listener)
  }, [])
}
