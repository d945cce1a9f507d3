import { useCallback, useState } from 'react'

/** Items per chunk. */
const piece = 60
/** Distance to the end that renders the next chunk, px. */
const near = '1500px'

/** Renders a long page in chunks as people scroll. `end` goes after the items, with a new key for each `count`. */
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
