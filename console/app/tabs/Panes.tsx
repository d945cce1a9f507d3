import { memo } from 'react'
import { useLocation } from 'react-router'
import type { MenuEntry } from '../../session/session.ts'
import { isUncached } from '../places.ts'
import { Screen } from '../Screen.tsx'
import { Kept } from './Kept.tsx'
import { Standing } from './Standing.tsx'
import { TabKey } from './TabName.tsx'
import { mostKept, tabKey, useTabs } from './tabs.ts'

type Props = { id: string; to: string; menus: MenuEntry[] }
/** One screen at its own address, whatever the browser's says meanwhile. */
const Pane = memo(({ id, to, menus }: Props) => (
  <TabKey value={id}>
    <Standing at={to}>
      <Screen menus={menus} />
    </Standing>
  </TabKey>
))

/**
 * Visited screens keep what is on them: hidden ones stand still (their effects are stopped, nothing is polled) and come
 * back as they were. The ones unvisited longest are let go.
 */
export const Panes = ({ menus }: { menus: MenuEntry[] }) => {
  const { pathname, search } = useLocation()
  const { tabs, seen } = useTabs()
  const here = tabKey(pathname, search)
  const kept = new Set(seen.slice(0, mostKept))
  const shown = tabs.filter(({ key }) => key !== here && kept.has(key) && !isUncached(key))
  const current = tabs.find(({ key }) => key === here) ?? { key: here, version: 0 }
  return [...shown, { ...current, to: pathname + search }]
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ key, to, version }) => (
      <Kept key={`${key} ${version}`} shown={key === here}>
        <div className="pane">
          <Pane id={key} to={to} menus={menus} />
        </div>
      </Kept>
    ))
}
