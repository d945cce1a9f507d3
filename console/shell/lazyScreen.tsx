import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { Waiting } from './Waiting.tsx'
import { withRetry } from './withRetry.ts'

/** Loads a module whose default export is a component. */
export type Lazy<P = object> = () => Promise<{ default: ComponentType<P> }>

/**
 * Loads a component when it first shows, or earlier through `fetch`. `fallback` takes its place until then.
 * React's `lazy` keeps a Suspense fallback on the screen for at least 300 ms; this shows the component as soon as it has loaded.
 */
export const lazyScreen = <P extends object>(load: Lazy<P>, fallback: ReactNode = <Waiting />) => {
  let loaded: ComponentType<P> | undefined
  const fetch = async () => {
    loaded ??= (await withRetry(load)()).default
    return loaded
  }
  const LazyScreen = (props: P) => {
    const [Loaded, setLoaded] = useState(() => loaded)
    const [failure, setFailure] = useState<{ error: unknown }>()
    useEffect(() => {
      if (Loaded) return
      let again = () => {}
      const start = () =>
        fetch().then(
          (component) => setLoaded(() => component),
          // A part that is not on the phone loads when the connection returns; the screen around it stays usable.
          (error) => (fallback === null && !navigator.onLine ? addEventListener('online', again, { once: true }) : setFailure({ error })),
        )
      again = () => void start()
      again()
      return () => removeEventListener('online', again)
    }, [Loaded])
    if (failure) throw failure.error
    return Loaded ? <Loaded {...props} /> : fallback
  }
  return Object.assign(LazyScreen, { fetch })
}
