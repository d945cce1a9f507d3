// Detects whether a person uses the page. Automatic requests of a screen (polls, refetches) are marked, so that they do not keep an
// unused session alive (a tenant's IdleMinutes).
const presentMs = 60_000
let touched = Date.now()
const touch = () => {
  touched = Date.now()
}
// Tests render screens without a window.
if (typeof window !== 'undefined')
  for (const event of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'])
    window.addEventListener(event, touch, { capture: true, passive: true })

/** No input on this page for a minute. */
export const alone = () => Date.now() - touched > presentMs
