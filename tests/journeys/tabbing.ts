// Walks a screen with the Tab key and notes where nothing shows that an element has the focus, where something covers it, and where it
// comes back before the round is over.
import type { Page } from 'playwright-core'

export type Stop = { name: string; ring: boolean; covered: boolean; named: boolean; trapped: boolean }
type Watched = Window & { stops: Stop[]; met: Set<Element>; leave?: () => void; settle: () => Promise<void> }

/** Runs in the page. A shadow that stays when the focus has left is no ring. */
const watch = () => {
  const page = window as unknown as Watched
  page.stops = []
  const elements = new WeakMap<Stop, HTMLElement>()
  const later = () => new Promise((done) => setTimeout(done, 300))
  const around = (el: Element) => {
    const near: Element[] = [el]
    for (let up = el.parentElement, i = 0; up && i < 4; up = up.parentElement, i++) near.push(up)
    // A hidden input of a switch or choice shows its focus beside it.
    if (el.nextElementSibling) near.push(el.nextElementSibling)
    return near
  }
  const outlined = (el: Element) => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(el)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 && !/, 0\)$|transparent/.test(outlineColor)
  }
  const shadow = (el: Element) => getComputedStyle(el).boxShadow
  const isCovered = (el: Element) => {
    const { left, right, top, bottom } = el.getBoundingClientRect()
    const seen = {
      left: Math.max(0, left),
      right: Math.min(innerWidth, right),
      top: Math.max(0, top),
      bottom: Math.min(innerHeight, bottom),
    }
    if (right - left < 2) return false
    if (seen.right <= seen.left || seen.bottom <= seen.top) return true
    const over = document.elementFromPoint((seen.left + seen.right) / 2, (seen.top + seen.bottom) / 2)
    return over !== null && !el.contains(over) && !over.contains(el) && !over.closest('label')?.contains(el)
  }
  // Ten keys are pressed within a frame: what fades in has not begun to. Whatever showed no ring gets the focus once more, and time.
  page.settle = async () => {
    isSettling = true
    for (const stop of page.stops.filter(({ ring }) => !ring)) {
      const el = elements.get(stop)
      if (!el?.isConnected) continue
      const near = around(el)
      const shadows = near.map(shadow)
      el.focus({ focusVisible: true } as FocusOptions)
      await later()
      stop.ring = near.some((n, i) => outlined(n) || shadows[i] !== shadow(n))
      el.blur()
    }
    isSettling = false
  }
  let isSettling = false
  document.addEventListener('focusin', ({ target }) => {
    if (isSettling) return
    page.leave?.()
    const el = target as HTMLElement
    const near = around(el)
    const trapped = page.met.has(el)
    if (el.matches('a.skip')) page.met.clear()
    else page.met.add(el)
    const shadows = near.map(shadow)
    const text = el.getAttribute('aria-label') ?? (el.textContent?.trim() || el.getAttribute('placeholder') || el.title || el.id)
    const stop: Stop = {
      name: `${el.tagName.toLowerCase()}.${el.className} "${text.slice(0, 40)}"`,
      ring: near.some(outlined),
      covered: false,
      named: text !== '' || el.matches('[aria-labelledby], label *'),
      trapped,
    }
    page.stops.push(stop)
    elements.set(stop, el)
    // It scrolls into view after this event.
    requestAnimationFrame(() => {
      stop.covered = document.activeElement === el && isCovered(el)
    })
    page.leave = () => {
      stop.ring ||= near.some((n, i) => n.isConnected && shadows[i] !== shadow(n))
    }
  })
}

/** Presses Tab from where the focus is until it is at the end, and answers all stops. */
export const tabThrough = async (page: Page, most = 60): Promise<Stop[]> => {
  if (!(await page.evaluate(() => 'stops' in window))) await page.evaluate(watch)
  await page.evaluate(() => {
    const p = window as unknown as Watched
    p.stops = []
    p.met = new Set()
    delete p.leave
  })
  for (let i = 0; i < most; i += 10) {
    for (let press = 0; press < 10; press++) await page.keyboard.press('Tab')
    const isRound = () => {
      const { stops } = window as unknown as Watched
      return document.activeElement === document.body || stops.slice(1).some(({ name }) => name.startsWith('a.skip'))
    }
    if (await page.evaluate(isRound)) break
  }
  return page.evaluate(() => {
    const p = window as unknown as Watched
    ;(document.activeElement as HTMLElement).blur()
    p.leave?.()
    delete p.leave
    return p.settle().then(() => p.stops)
  })
}
