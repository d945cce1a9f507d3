import { AppstoreOutlined } from '@ant-design/icons'
import type { MenuProps } from 'antd'
import type { MenuEntry } from '../session/session.ts'
import { hasWords, language, type Words } from '../words/words.ts'
import { icons } from './icons.tsx'
import { To } from './To.tsx'

type Item = NonNullable<MenuProps['items']>[number]

export const menuTitle = (m: MenuEntry, t: Words) => {
  const own = (m.Names as Record<string, string> | undefined)?.[language()]
  if (own) return own
  const key = `menu.${m.MenuEncoding}`
  return hasWords(key) ? t(key) : m.MenuName
}

/** OpenWith (ruling 34b): 1 a tab of the console, 2 a window of the browser, 3 an external link. Only web addresses are followed. */
export const outsideOf = (m: MenuEntry): string | undefined => {
  if (m.OpenWith === 2) return m.RoutingAddress
  return m.OpenWith === 3 && /^https?:\/\//i.test(m.InternalAndExternalLink) ? m.InternalAndExternalLink : undefined
}

/** Addresses from the root: top-level ones get their leading slash, others stand below their parent's. */
export const withPaths = (menus: MenuEntry[], parent = ''): MenuEntry[] =>
  menus.map((m) => {
    const RoutingAddress = m.RoutingAddress.startsWith('/') ? m.RoutingAddress : `${parent}/${m.RoutingAddress}`
    return { ...m, RoutingAddress, MenuChildren: withPaths(m.MenuChildren, RoutingAddress === '/' ? '' : RoutingAddress) }
  })

const entry = (m: MenuEntry, t: Words, top: boolean): Item[] => {
  if (m.IsVisible === 0 || m.MenuType === 2) return []
  const children = m.MenuChildren.flatMap((child) => entry(child, t, false))
  const icon = top ? (icons[m.Icon as keyof typeof icons] ?? <AppstoreOutlined />) : undefined
  const title = menuTitle(m, t)
  // A parent without visible children is not expanded: a directory is left out, a screen stays a plain entry.
  if (children.length) return [{ key: m.RoutingAddress, icon, label: title, children }]
  if (m.MenuType === 0) return []
  const outside = outsideOf(m)
  const label = outside ? (
    <a href={outside} target="_blank" rel="noreferrer">
      {title}
    </a>
  ) : (
    <To to={m.RoutingAddress}>{title}</To>
  )
  // In full where the sidebar cuts it; folded, it shows the name of those at its top itself.
  return [{ key: m.RoutingAddress, icon, label, ...(top ? {} : { title }) }]
}

/** The sidebar's entries: the visible part of the menu tree. */
export const menuItems = (menus: MenuEntry[], t: Words): Item[] => menus.flatMap((m) => entry(m, t, true))

/** Every menu that is a page, hidden ones too. */
export const pages = (menus: MenuEntry[]): MenuEntry[] => menus.flatMap((m) => [...(m.MenuType === 1 ? [m] : []), ...pages(m.MenuChildren)])

export const directories = (menus: MenuEntry[]): MenuEntry[] =>
  menus.flatMap((m) => [...(m.MenuType === 0 ? [m] : []), ...directories(m.MenuChildren)])

/** The way from the top of the tree to the menu of a path. */
export const wayTo = (menus: MenuEntry[], path: string): MenuEntry[] => {
  for (const m of menus) {
    if (m.MenuType === 1 && m.RoutingAddress.toLowerCase() === path.toLowerCase()) return [m]
    const below = wayTo(m.MenuChildren, path)
    if (below.length) return [m, ...below]
  }
  return []
}

/** Where a directory leads: its redirect, else its first visible page. */
export const landing = (m: MenuEntry): string | undefined =>
  m.Redirect || m.MenuChildren.find((c) => c.IsVisible !== 0 && c.MenuType === 1)?.RoutingAddress
