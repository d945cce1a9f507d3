import { Menu } from 'antd'
import { memo, useDeferredValue, useMemo, useState } from 'react'
import type { MenuEntry } from '../session/session.ts'
import { useWords } from '../words/words.ts'
import { menuItems } from './menus.tsx'

type Props = {
  menus: MenuEntry[]
  /** Menus from the root to the current screen. */
  way: MenuEntry[]
  collapsed: boolean
}

const Marked = memo(({ menus, way, collapsed }: Props) => {
  const t = useWords()
  // On a hidden page, the parent of its visible siblings stays open and no entry is selected.
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

/** The main menu. Selecting an entry renders all of them, so the selection is deferred until the new screen shows. */
export const SideMenu = ({ way, ...rest }: Props) => <Marked {...rest} way={useDeferredValue(way)} />
