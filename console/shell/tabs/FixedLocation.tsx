import { type ReactNode, useContext, useMemo } from 'react'
import {
  UNSAFE_LocationContext as LocationContext,
  UNSAFE_NavigationContext as NavigationContext,
  NavigationType,
  parsePath,
  UNSAFE_RouteContext as RouteContext,
} from 'react-router'
import { tabKey } from './tabs.ts'

const noRoute = { outlet: null, matches: [], isDataRoute: false }

/** Ignores `replace` from a screen that is no longer open: a late effect would navigate back to it. */
const useOwnNavigation = (at: string) => {
  const navigation = useContext(NavigationContext)
  return useMemo(() => {
    const { pathname = '/', search = '' } = parsePath(at)
    const { navigator } = navigation
    const replace: typeof navigator.replace = (to, state, options) => {
      if (tabKey(location.pathname, location.search) === tabKey(pathname, search)) navigator.replace(to, state, options)
    }
    return { ...navigation, navigator: Object.create(navigator, { replace: { value: replace } }) as typeof navigator }
  }, [navigation, at])
}

/**
 * Gives its children a fixed location instead of the browser's. Without it, each navigation would render all cached screens.
 * The contexts are private parts of react-router: package.json pins its version.
 */
export const FixedLocation = ({ at, children }: { at: string; children: ReactNode }) => {
  const navigation = useOwnNavigation(at)
  const value = useMemo(
    () => ({
      location: { pathname: '/', search: '', hash: '', state: null, key: 'default', mask: undefined, ...parsePath(at) },
      navigationType: NavigationType.Pop,
    }),
    [at],
  )
  return (
    <NavigationContext value={navigation}>
      <RouteContext value={noRoute}>
        <LocationContext value={value}>{children}</LocationContext>
      </RouteContext>
    </NavigationContext>
  )
}
