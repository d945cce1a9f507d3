import {
  AlertOutlined,
  ApartmentOutlined,
  AppstoreOutlined,
  HomeOutlined,
  LineChartOutlined,
  ProjectOutlined,
  SettingOutlined,
} from '@ant-design/icons'
import type { MenuProps } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { MenuEntry } from '../session/session.ts'
import { hasWords, type Words } from '../words/words.ts'

const icons: Record<string, ReactNode> = {
  home: <HomeOutlined />,
  project: <ProjectOutlined />,
  alert: <AlertOutlined />,
  lineChart: <LineChartOutlined />,
  setting: <SettingOutlined />,
  gateway: <ApartmentOutlined />,
}

type Item = NonNullable<MenuProps['items']>[number]

export const menuTitle = (m: MenuEntry, t: Words) => {
  const key = `menu.${m.MenuEncoding}`
  return hasWords(key) ? t(key) : m.MenuName
}

const entry = (m: MenuEntry, t: Words, top: boolean): Item[] => {
  if (m.IsVisible === 0 || m.MenuType === 2) return []
  const children = m.MenuChildren.flatMap((child) => entry(child, t, false))
  const icon = top ? (icons[m.Icon] ?? <AppstoreOutlined />) : undefined
  const title = menuTitle(m, t)
  if (children.length) return [{ key: m.RoutingAddress, icon, label: title, children }]
  if (m.MenuType === 0) return []
  const label =
    m.OpenWith === 3 && m.InternalAndExternalLink ? (
      <a href={m.InternalAndExternalLink} target="_blank" rel="noreferrer">
        {title}
      </a>
    ) : (
      <Link to={m.RoutingAddress}>{title}</Link>
    )
  return [{ key: m.RoutingAddress, icon, label }]
}

/** The sidebar's entries: the visible part of the menu tree. */
export const menuItems = (menus: MenuEntry[], t: Words): Item[] => menus.flatMap((m) => entry(m, t, true))

/** Every menu that is a page, hidden ones too. */
export const pages = (menus: MenuEntry[]): MenuEntry[] => menus.flatMap((m) => [...(m.MenuType === 1 ? [m] : []), ...pages(m.MenuChildren)])

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
