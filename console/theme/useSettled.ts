import { useEffect, useRef, useState } from 'react'

/** Debounces a value by `ms` (trailing edge). With `takesFirst`, also returns the first change immediately (leading edge). */
export const useSettled = <T>(value: T, ms = 300, takesFirst = false): T => {
  const [settled, settle] = useState(value)
  const isMoving = useRef(false)
  useEffect(() => {
    if (takesFirst && !isMoving.current) settle(value)
    isMoving.current = true
    const timer = setTimeout(() => {
      isMoving.current = false
      settle(value)
    }, ms)
    return () => clearTimeout(timer)
  }, [value, ms, takesFirst])
  return settled
}
