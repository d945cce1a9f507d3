import { useEffect } from 'react'
import { fetchScreen } from './screens.ts'

const onPointed = ({ target }: Event) => {
  const address = target instanceof Element && target.closest('a[href^="/"]')?.getAttribute('href')
  if (address) void fetchScreen(address)
}

/** Prefetches the screen of a link when the pointer or the keyboard reaches the link. */
export const usePrefetchOnHover = () =>
  useEffect(() => {
    addEventListener('pointerover', onPointed)
    addEventListener('focusin', onPointed)
    return () => {
      removeEventListener('pointerover', onPointed)
      removeEventListener('focusin', onPointed)
    }
  }, [])
