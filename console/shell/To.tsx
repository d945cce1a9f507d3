import { type AnchorHTMLAttributes, type MouseEvent, useCallback, useContext } from 'react'
import { UNSAFE_NavigationContext as NavigationContext } from 'react-router'

/** Goes to an address of the console. Unlike the router's own it is the same at every step, and what uses it is not drawn anew. */
export const useGo = () => {
  const { navigator } = useContext(NavigationContext)
  return useCallback(
    (to: string, { replace = to === location.pathname + location.search } = {}) => (replace ? navigator.replace(to) : navigator.push(to)),
    [navigator],
  )
}

const isPlain = (e: MouseEvent) => e.button === 0 && !e.metaKey && !e.ctrlKey && !e.shiftKey && !e.altKey

type Props = { to: string } & AnchorHTMLAttributes<HTMLAnchorElement>
/** A link of the menu and of the tabs, of which there are many: they do not depend on where one is. */
export const To = ({ to, ...rest }: Props) => {
  const go = useGo()
  const follow = (e: MouseEvent) => {
    if (!isPlain(e)) return
    e.preventDefault()
    go(to)
  }
  return <a {...rest} href={to} onClick={follow} />
}
