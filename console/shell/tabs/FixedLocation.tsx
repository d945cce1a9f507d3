import { type ReactNode, useMemo } from 'react'
import { UNSAFE_LocationContext as LocationContext, NavigationType, parsePath, UNSAFE_RouteContext as RouteContext } from 'react-router'

const noRoute = { outlet: null, matches: [], isDataRoute: false }

/**
 * Gives its children a location of their own instead of the browser's. Without it, each navigation would render all cached screens.
 * The two contexts are private parts of react-router: package.json pins its version.
 */
export const FixedLocation = ({ at, children }: { at: string; children: ReactNode }) => {
  const value = useMemo(
    () => ({
      location: { pathname: '/', search: '', hash: '', state: null, key: 'default', mask: undefined, ...parsePath(at) },
      navigationType: NavigationType.Pop,
    }),
    [at],
  )
  return (
    <RouteContext value={noRoute}>
      <LocationContext value={value}>{children}</LocationContext>
    </RouteContext>
  )
}
