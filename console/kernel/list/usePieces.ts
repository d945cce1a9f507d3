import { useCallback, useState } from 'react'

/** So many at once. */
const piece = 60
/** The next ones are drawn when the end is so near, pixels. */
const near = '1500px'

/** Of many things below each other those that somebody has come to, and some more; `end` stands behind them, anew for each `count`. */
export const usePieces = <T>(all: readonly T[]) => {
  const [count, setCount] = useState(piece)
  const end = useCallback((element: HTMLElement | null) => {
    if (!element) return
    const seen = new IntersectionObserver(([at]) => at?.isIntersecting && setCount((drawn) => drawn + piece), { scrollMargin: near })
    seen.observe(element)
    return () => seen.disconnect()
  }, [])
  return { drawn: all.slice(0, count), count, end, over: count >= all.length }
}
