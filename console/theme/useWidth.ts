import { useSyncExternalStore } from 'react'

const watch = (query: string) => {
  const list = matchMedia(query)
  return (listener: () => void) => {
    list.addEventListener('change', listener)
    return () => list.removeEventListener('change', listener)
  }
}

/** Below this the layout is the mobile one (ruling 24). */
export const mobileWidth = 992
/** Below this lists become cards and drawers become sheets. */
export const phoneWidth = 640

const phone = watch(`(max-width: ${phoneWidth - 1}px)`)
const mobile = watch(`(max-width: ${mobileWidth - 1}px)`)
export const usePhone = () => useSyncExternalStore(phone, () => innerWidth < phoneWidth)
export const useMobile = () => useSyncExternalStore(mobile, () => innerWidth < mobileWidth)

/** Tablets always show the row icons, in a wider column. */
export const noHover = matchMedia('(hover: none)').matches
