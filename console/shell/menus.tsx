import { AppstoreOutlined, EllipsisOutlined } from '@ant-design/icons'
import type { MenuProps } from 'antd'
import { dailyMenus, menuList, openMenus } from '../../contract/menus.ts'
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

/** Full addresses: top-level ones get a leading slash, others the address of their parent. */
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
  // Without visible children, a directory disappears and a screen is a plain entry.
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
  // The full title of an entry that the sidebar truncates. The collapsed sidebar shows the titles of the top level itself.
  return [{ key: m.RoutingAddress, icon, label, ...(top ? {} : { title }) }]
}

/** The sidebar's entries: the visible part of the menu tree. */
export const menuItems = (menus: MenuEntry[], t: Words): Item[] => menus.flatMap((m) => entry(m, t, true))

/** Key of the More entry below the daily screens. It is no screen. */
export const moreKey = '#more'
const without = (menus: MenuEntry[], gone: ReadonlySet<MenuEntry>): MenuEntry[] =>
  menus.filter((m) => !gone.has(m)).map((m) => ({ ...m, MenuChildren: without(m.MenuChildren, gone) }))
/** A short sidebar: the daily screens, then all other groups under More. */
export const shortItems = (menus: MenuEntry[], t: Words): Item[] => {
  const daily = dailyMenus.flatMap((code) => pages(menus).filter((m) => m.MenuEncoding === code && m.IsVisible !== 0))
  const rest = menuItems(without(menus, new Set(daily)), t)
  const more: Item[] = rest.length ? [{ key: moreKey, icon: <EllipsisOutlined />, label: t('shell.more'), children: rest }] : []
  return [...menuItems(daily, t), ...more]
}

const foldedCodes = new Set(menuList().flatMap((m) => (m.folded ? [m.code] : [])))
/** Keys of expandable entries, and whether they start expanded. */
export const folds = (menus: MenuEntry[], isShort: boolean): ReadonlyMap<string, boolean> =>
  new Map([[moreKey, false], ...directories(menus).map((m) => [m.RoutingAddress, !isShort && !foldedCodes.has(m.MenuEncoding)] as const)])

/** All menus that are pages, including hidden ones. */
export const pages = (menus: MenuEntry[]): MenuEntry[] => menus.flatMap((m) => [...(m.MenuType === 1 ? [m] : []), ...pages(m.MenuChildren)])

export const directories = (menus: MenuEntry[]): MenuEntry[] =>
  menus.flatMap((m) => [...(m.MenuType === 0 ? [m] : []), ...directories(m.MenuChildren)])

/** The menus from the root to the menu of a path. */
export const wayTo = (menus: MenuEntry[], path: string): MenuEntry[] => {
  for (const m of menus) {
    if (m.MenuType === 1 && m.RoutingAddress.toLowerCase() === path.toLowerCase()) return [m]
    const below = wayTo(m.MenuChildren, path)
    if (below.length) return [m, ...below]
  }
  return []
}

/** Target of a directory: its redirect, or its first visible page. */
export const landing = (m: MenuEntry): string | undefined =>
  m.Redirect || m.MenuChildren.find((c) => c.IsVisible !== 0 && c.MenuType === 1)?.RoutingAddress

/** The start page of people without a home screen: the first screen of their sidebar that requires a permission. */
export const firstPage = (menus: MenuEntry[]): string | undefined => {
  const visible = pages(menus).filter((m) => m.IsVisible !== 0)
  return (visible.find((m) => !openMenus.includes(m.MenuEncoding)) ?? visible[0])?.RoutingAddress
}
