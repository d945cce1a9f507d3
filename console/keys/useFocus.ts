import { useEffect, useRef } from 'react'

/** A screen that loads late has this many tries to show its heading. */
const mostTries = 60
const tryMs = 50
/** How many places of the focus are remembered. */
const mostPlaces = 20

const isIdle = () => document.activeElement === null || document.activeElement === document.body
const isThere = (element: Element) => element.isConnected && element.checkVisibility() && !element.matches(':disabled')
const heading = () => [...document.querySelectorAll<HTMLElement>('#main h1')].find(isThere)
/** Focuses anything; without `scroll` the page does not jump. */
export const focus = (element: HTMLElement, scroll = false) => {
  if (!element.matches('a, button, input, textarea, [tabindex]')) element.tabIndex = -1
  element.focus({ preventScroll: !scroll })
}

/** Each screen that one goes to begins at its heading. The first one begins at the skip link, as every page does. */
export const useScreenFocus = (key: string) => {
  const shown = useRef(key)
  useEffect(() => {
    if (shown.current === key) return
    shown.current = key
    const from = document.activeElement
    let tries = 0
    // After the new screen has been painted: to focus it earlier would force a layout.
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

/** A row is drawn again while a dialog is open: its place is found by its key. */
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
 * Gives the focus back to where it was when a dialog, drawer, menu or the palette goes: what is not drawn any longer cannot do so itself.
 * They are children of the body, so that watching costs nothing while values change.
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
      // After a click outside of all controls nothing has the focus; a new screen moves it to the heading.
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
