import { type ReactNode, useMemo } from 'react'
import { UNSAFE_LocationContext as LocationContext, NavigationType, parsePath, UNSAFE_RouteContext as RouteContext } from 'react-router'

const noRoute = { outlet: null, matches: [], isDataRoute: false }

/**
 * What stands in it is at its own address, whatever the browser's is: the router's news reach a kept screen only when its own
 * address changes. Below the console's one router all screens would be drawn anew at every step.
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
