import { useEffect } from 'react'

/** Scrollable boxes of antd's tables, whose cells may contain no focusable element. */
const boxes = '.ant-table-content, .ant-table-body'
const focusable = ':is(a[href], button, input, select, textarea, [tabindex="0"]):not(:disabled)'
/** Check interval: values change many times a second, boxes rarely. */
const checkMs = 300

const scrolls = (box: Element) => box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1

/** Makes scrollable boxes without focusable content tab stops, so that the arrow keys scroll them (WCAG 2.1.1). */
export const useScrollBoxes = () =>
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const check = () => {
      timer = undefined
      for (const box of document.querySelectorAll<HTMLElement>(boxes)) {
        if (!box.checkVisibility()) continue
        if (scrolls(box) && !box.querySelector(focusable)) box.tabIndex = 0
        else box.removeAttribute('tabindex')
      }
    }
    const later = () => {
      timer ??= setTimeout(check, checkMs)
    }
    const watcher = new MutationObserver(later)
    watcher.observe(document.body, { childList: true, subtree: true })
    addEventListener('resize', later)
    return () => {
      clearTimeout(timer)
      watcher.disconnect()
      removeEventListener('resize', later)
    }
  }, [])
