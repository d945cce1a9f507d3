import { useEffect, useState } from 'react'

/** Debounces a value: returns it once it has not changed for `ms`. */
export const useSettled = <T>(value: T, ms = 300): T => {
  const [settled, settle] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => settle(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
