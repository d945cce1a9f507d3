import { Menu } from 'antd'
import { memo, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { dailyMenus } from '../../contract/menus.ts'
import { type MenuEntry, useUser } from '../session/session.ts'
import { useWords } from '../words/words.ts'
import { folds, menuItems, moreKey, shortItems } from './menus.tsx'

type Props = {
  menus: MenuEntry[]
  /** Menus from the root to the current screen. */
  way: MenuEntry[]
  collapsed: boolean
  /** Called for every chosen entry, also that of the current screen. */
  chosen: () => void
}

/** The groups that the person opened or closed, saved in this browser. */
const place = 'penstock.menuGroups'
const read = (): Record<string, boolean> => {
  try {
    return JSON.parse(localStorage.getItem(place) ?? '{}') ?? {}
  } catch {
    return {}
  }
}

const Marked = memo(({ menus, way, collapsed, chosen }: Props) => {
  const t = useWords()
  const isShort = useUser()?.ShortMenu === 1
  const [choices, setChoices] = useState(read)
  // Open the groups of the current screen, even if the page is hidden.
  const here = useMemo(() => {
    const groups = way.filter((m) => m.MenuChildren.length).map((m) => m.RoutingAddress)
    if (!isShort) return new Set(groups)
    return new Set(dailyMenus.includes(way.at(-1)?.MenuEncoding ?? '') ? [] : [moreKey, ...groups])
  }, [way, isShort])
  const entries = useMemo(() => (isShort ? shortItems : menuItems)(menus, t), [menus, isShort, t])
  const begin = useMemo(() => folds(menus, isShort), [menus, isShort])
  const openKeys = [...begin].filter(([key, open]) => choices[key] ?? (open || here.has(key))).map(([key]) => key)
  const fold = (keys: string[]) => {
    const changed = [...begin.keys()].filter((key) => keys.includes(key) !== openKeys.includes(key))
    const next = { ...choices, ...Object.fromEntries(changed.map((key) => [key, keys.includes(key)])) }
    setChoices(next)
    localStorage.setItem(place, JSON.stringify(next))
  }
  const current = way.at(-1)?.RoutingAddress
  useEffect(() => {
    const side = document.querySelector('.side')
    const item = side?.querySelector('.ant-menu-item-selected')
    if (!current || !side || !item) return
    // Scroll manually: `scrollIntoView` would move Tab's starting point past the skip link.
    const [shown, wanted] = [side.getBoundingClientRect(), item.getBoundingClientRect()]
    side.scrollTop += Math.min(0, wanted.top - shown.top) + Math.max(0, wanted.bottom - shown.bottom)
  }, [current])
  return (
    <Menu
      theme="dark"
      mode="inline"
      inlineCollapsed={collapsed}
      inlineIndent={16}
      items={entries}
      selectedKeys={way.map((m) => m.RoutingAddress)}
      onClick={chosen}
      {...(collapsed ? {} : { openKeys, onOpenChange: fold })}
      aria-label={t('shell.navigation')}
    />
  )
})

/** The main menu. Selecting an entry renders all of them, so the selection is deferred until the new screen shows. */
export const SideMenu = ({ way, ...rest }: Props) => <Marked {...rest} way={useDeferredValue(way)} />
