import { Activity, type ReactNode, useCallback, useInsertionEffect, useRef } from 'react'

/** Where browsers cannot, it stays at what React does. */
const keepsLayout = CSS.supports('content-visibility', 'hidden')

/** Something important inside a shadow root is more so than outside, where React says `display: none`. */
const keepLaidOut = (element: HTMLElement) => {
  if (element.shadowRoot) return
  const laidOut = new CSSStyleSheet()
  laidOut.replaceSync(':host { display: block !important }')
  const root = element.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [laidOut]
  root.append(document.createElement('slot'))
}

/**
 * Hidden, it stands still and cannot be seen, reached or read aloud. React hides with `display: none`, after which everything is styled
 * and laid out anew to be seen again; `content-visibility` skips it and keeps what it was laid out as. What is shown may be awake, so that
 * its effects run, a little later than it is seen.
 */
export const HiddenPane = ({ shown, awake, children }: { shown: boolean; awake: boolean; children: ReactNode }) => {
  const box = useRef<HTMLDivElement>(null)
  const keep = useCallback((element: HTMLDivElement | null) => {
    // React takes the reference away from what it hides.
    if (!element || !keepsLayout) return
    box.current = element
    keepLaidOut(element)
  }, [])
  // Before any other effect looks at the page and has it laid out.
  useInsertionEffect(() => {
    if (box.current) box.current.style.contentVisibility = shown ? '' : 'hidden'
  }, [shown])
  return (
    <Activity mode={(keepsLayout ? awake : shown) ? 'visible' : 'hidden'}>
      <div ref={keep}>{children}</div>
    </Activity>
  )
}
