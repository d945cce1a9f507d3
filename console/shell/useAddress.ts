import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

type Changes = Readonly<Record<string, string | number | null | undefined>>

/**
 * The state of a screen in the query of its address. `put` changes some parameters and keeps the others; empty values are removed. It
 * replaces the history entry, so that Back leaves the screen.
 */
export const useAddress = () => {
  const [params, setParams] = useSearchParams()
  const put = useCallback(
    (changes: Changes) =>
      setParams(
        (old) => {
          const next = new URLSearchParams(old)
          for (const [name, value] of Object.entries(changes)) {
            if (value === null || value === undefined || value === '') next.delete(name)
            else next.set(name, String(value))
          }
          return next
        },
        { replace: true },
      ),
    [setParams],
  )
  return [params, put] as const
}
