import { useEffect } from 'react'
import { fetchScreen } from './screens.ts'

const near = ({ target }: Event) => {
  const address = target instanceof Element && target.closest('a[href^="/"]')?.getAttribute('href')
  if (address) void fetchScreen(address)
}

/** Who points at a link, or reaches it by keyboard, is likely to follow it: its screen is fetched meanwhile. */
export const useNear = () =>
  useEffect(() => {
    addEventListener('pointerover', near)
    addEventListener('focusin', near)
    return () => {
      removeEventListener('pointerover', near)
      removeEventListener('focusin', near)
    }
  }, [])
