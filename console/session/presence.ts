// Whether somebody is there. What a screen asks by itself (polls, rows that changed elsewhere) is marked, so that it keeps no session
// awake that nobody uses (a tenant's IdleMinutes).
const presentMs = 60_000
let touched = Date.now()
const touch = () => {
  touched = Date.now()
}
// Screens are drawn without a window in tests.
if (typeof window !== 'undefined')
  for (const event of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'])
    window.addEventListener(event, touch, { capture: true, passive: true })

/** Nobody has touched this page for a minute. */
export const alone = () => Date.now() - touched > presentMs
