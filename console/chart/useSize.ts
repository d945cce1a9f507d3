import { useEffect, useState } from 'react'

/** Width of the element with the returned ref, px, 0 until it is known; and the element. */
export const useSize = () => {
  const [element, setElement] = useState<HTMLElement | null>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (!element) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])
  return [setElement, width, element] as const
}
