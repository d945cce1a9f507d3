import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { patiently } from './patiently.ts'
import { Waiting } from './Waiting.tsx'

/**
 * A component that is fetched when it is first shown, or before, by `fetch`; `meanwhile` stands in its place. Unlike React's `lazy` it is
 * drawn as soon as it has come: what follows the fallback of a Suspense is held back until that has stood for 300 ms.
 */
export const later = <P extends object>(load: () => Promise<{ default: ComponentType<P> }>, meanwhile: ReactNode = <Waiting />) => {
  let found: ComponentType<P> | undefined
  const fetch = async () => {
    found ??= (await patiently(load)()).default
    return found
  }
  const Later = (props: P) => {
    const [Is, setIs] = useState(() => found)
    const [failure, setFailure] = useState<{ error: unknown }>()
    useEffect(() => {
      if (!Is)
        fetch().then(
          (is) => setIs(() => is),
          (error) => setFailure({ error }),
        )
    }, [Is])
    if (failure) throw failure.error
    return Is ? <Is {...props} /> : meanwhile
  }
  return Object.assign(Later, { fetch })
}
