import { type AnchorHTMLAttributes, type MouseEvent, useCallback, useContext } from 'react'
import { UNSAFE_NavigationContext as NavigationContext } from 'react-router'

/** Navigates. Unlike the router's hook, it returns the same function after each navigation, so callers do not render again. */
export const useGo = () => {
  const { navigator } = useContext(NavigationContext)
  return useCallback(
    (to: string, { replace = to === location.pathname + location.search } = {}) => (replace ? navigator.replace(to) : navigator.push(to)),
    [navigator],
  )
}

const isPlain = (e: MouseEvent) => e.button === 0 && !e.metaKey && !e.ctrlKey && !e.shiftKey && !e.altKey

type Props = { to: string } & AnchorHTMLAttributes<HTMLAnchorElement>
/** A link for menus and tabs, which have many. It does not depend on the location, so navigation does not render it. */
export const To = ({ to, ...rest }: Props) => {
  const go = useGo()
  const follow = (e: MouseEvent) => {
    if (!isPlain(e)) return
    e.preventDefault()
    go(to)
  }
  return <a {...rest} href={to} onClick={follow} />
}
