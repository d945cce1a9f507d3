import { Menu } from 'antd'
import { memo, useDeferredValue, useMemo, useState } from 'react'
import type { MenuEntry } from '../session/session.ts'
import { useWords } from '../words/words.ts'
import { menuItems } from './menus.tsx'

type Props = {
  menus: MenuEntry[]
  /** From the top to where one is. */
  way: MenuEntry[]
  collapsed: boolean
}

const Marked = memo(({ menus, way, collapsed }: Props) => {
  const t = useWords()
  // A hidden page keeps its visible neighbour's parent open, and marks nothing.
  const groups = menus.filter((m) => m.MenuChildren.length).map((m) => m.RoutingAddress)
  const [closedKeys, setClosedKeys] = useState<string[]>([])
  const openKeys = groups.filter((g) => !closedKeys.includes(g))
  const entries = useMemo(() => menuItems(menus, t), [menus, t])
  return (
    <Menu
      theme="dark"
      mode="inline"
      inlineCollapsed={collapsed}
      inlineIndent={16}
      items={entries}
      selectedKeys={way.map((m) => m.RoutingAddress)}
      {...(collapsed ? {} : { openKeys, onOpenChange: (keys: string[]) => setClosedKeys(groups.filter((g) => !keys.includes(g))) })}
      aria-label={t('shell.navigation')}
    />
  )
})

/** The way to every screen. To mark where one is all of it is drawn anew: the screen that was asked for comes before that. */
export const SideMenu = ({ way, ...rest }: Props) => <Marked {...rest} way={useDeferredValue(way)} />
