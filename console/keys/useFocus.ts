import { useEffect, useRef } from 'react'

/** Maximum tries until a lazily loaded screen has its heading. */
const mostTries = 60
const tryMs = 50
/** Maximum remembered focus positions. */
const mostPlaces = 20

const isIdle = () => document.activeElement === null || document.activeElement === document.body
const isThere = (element: Element) => element.isConnected && element.checkVisibility() && !element.matches(':disabled')
const heading = () => [...document.querySelectorAll<HTMLElement>('#main h1')].find(isThere)
/** Focuses an element; without `scroll` the page does not jump. */
export const focus = (element: HTMLElement, scroll = false) => {
  if (!element.matches('a, button, input, textarea, [tabindex]')) element.tabIndex = -1
  element.focus({ preventScroll: !scroll })
}

/** Focuses the heading of each new screen. The first screen starts at the skip link, like every page. */
export const useScreenFocus = (key: string) => {
  const shown = useRef(key)
  useEffect(() => {
    if (shown.current === key) return
    shown.current = key
    const from = document.activeElement
    let tries = 0
    // After the new screen has been painted: an earlier focus would force a layout.
    const timer = setInterval(() => {
      const target = heading()
      const moved = document.activeElement !== from && !isIdle()
      if (target && !moved) focus(target)
      tries++
      if (target || moved || tries > mostTries) clearInterval(timer)
    }, tryMs)
    return () => clearInterval(timer)
  }, [key])
}

/** A row may be re-rendered while a dialog is open, so its position is found by its key. */
const inRow = (element: HTMLElement) => {
  const row = element.closest<HTMLElement>('[data-row-key]')
  if (!row) return
  const [list, key, name] = [row.closest('section, article'), row.dataset.rowKey, element.getAttribute('aria-label')]
  return () => {
    const again = [...(list?.querySelectorAll<HTMLElement>(`[data-row-key="${key}"]`) ?? [])].find(isThere)
    const same = [...(again?.querySelectorAll<HTMLElement>('a, button, input') ?? [])].filter(isThere)
    return same.find((other) => other.getAttribute('aria-label') === name) ?? again
  }
}

/**
 * Restores the focus when a dialog, drawer, menu or the palette closes, because unmounted elements cannot do so themselves.
 * They are children of the body, so observing them costs nothing while values change.
 */
export const useFocusReturn = () =>
  useEffect(() => {
    let places: { element: HTMLElement; inLayer: boolean; again: ReturnType<typeof inRow> }[] = []
    const root = document.getElementById('root')!
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement) || target === document.body) return
      const place = { element: target, inLayer: !root.contains(target), again: inRow(target) }
      places = [place, ...places.filter(({ element }) => element !== target)].slice(0, mostPlaces)
    }
    const giveBack = () => {
      const [last] = places
      // After a click outside all controls nothing has the focus; a new screen focuses its heading.
      if (!isIdle() || !last?.inLayer || isThere(last.element)) return
      for (const { element, again } of places) {
        const target = isThere(element) ? element : again?.()
        if (target) return focus(target)
      }
      // Forms can have more fields than the history has entries.
      const title = heading()
      return title && focus(title)
    }
    const watcher = new MutationObserver((changes) => {
      if (changes.some(({ removedNodes }) => removedNodes.length)) giveBack()
    })
    watcher.observe(document.body, { childList: true })
    addEventListener('focusin', remember)
    return () => {
      watcher.disconnect()
      removeEventListener('focusin', remember)
    }
  }, [])
