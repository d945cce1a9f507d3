import { Activity, type ReactNode, useCallback, useInsertionEffect, useRef } from 'react'

/** Other browsers hide the pane as React does, with `display: none`. */
const hidesByVisibility = CSS.supports('content-visibility', 'hidden')

/** Overrides React's `display: none !important`: an important rule of a shadow root's `:host` beats an inline one. */
const keepLayout = (element: HTMLElement) => {
  if (element.shadowRoot) return
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(':host { display: block !important }')
  const root = element.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [sheet]
  root.append(document.createElement('slot'))
}

/**
 * Hides a screen from sight, keyboard and screen readers, and stops its effects: no queries, no timers, no live values.
 * React's Activity alone uses `display: none`, which costs a full layout when the screen shows again; `content-visibility` keeps it.
 * `awake` may follow `shown` later: it starts the effects.
 */
export const HiddenPane = ({ shown, awake, children }: { shown: boolean; awake: boolean; children: ReactNode }) => {
  const pane = useRef<HTMLDivElement>(null)
  const attach = useCallback((element: HTMLDivElement | null) => {
    // React detaches the ref of what it hides.
    if (!element || !hidesByVisibility) return
    pane.current = element
    keepLayout(element)
  }, [])
  // An insertion effect runs before any effect that measures the page.
  useInsertionEffect(() => {
    if (pane.current) pane.current.style.contentVisibility = shown ? '' : 'hidden'
  }, [shown])
  return (
    <Activity mode={(hidesByVisibility ? awake : shown) ? 'visible' : 'hidden'}>
      <div ref={attach}>{children}</div>
    </Activity>
  )
}
