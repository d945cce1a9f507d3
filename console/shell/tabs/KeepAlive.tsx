import { memo, useDeferredValue, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import type { MenuEntry } from '../../session/session.ts'
import { isUncached } from '../places.ts'
import { Screen } from '../Screen.tsx'
import { FixedLocation } from './FixedLocation.tsx'
import { HiddenPane } from './HiddenPane.tsx'
import { TabKey } from './TabName.tsx'
import { mostKeptAlive, type Tab, tabKey, useTabs } from './tabs.ts'

type Props = { id: string; to: string; menus: MenuEntry[] }
/** A screen at the address of its own tab. */
const Pane = memo(({ id, to, menus }: Props) => (
  <TabKey value={id}>
    <FixedLocation at={to}>
      <Screen menus={menus} />
    </FixedLocation>
  </TabKey>
))

/** The help panel is open beside any screen, so it does not count. */
const hasDialog = () => document.querySelector('[role=dialog]:not(.help)') !== null
const paneKey = ({ key, to, version }: Tab) => `${key} ${version} ${to}`

/**
 * Caches visited screens, so that a tab shows its screen as it was. The least recently visited ones leave the cache first.
 * A cached screen shows first; its effects start in a deferred render, together with the end of the previous screen's.
 * Both take longer than the switch itself. With an open dialog nothing is deferred: it must not stay above the next screen.
 */
export const KeepAlive = ({ menus }: { menus: MenuEntry[] }) => {
  const { pathname, search } = useLocation()
  const { tabs, seen } = useTabs()
  const here = tabKey(pathname, search)
  const recent = new Set(seen.slice(0, mostKeptAlive))
  const others = tabs.filter(({ key }) => key !== here && recent.has(key) && !isUncached(key))
  const current = { version: 0, ...tabs.find(({ key }) => key === here), key: here, to: pathname + search }
  const panes = [...others, current].sort((a, b) => (a.key < b.key ? -1 : 1))

  const cached = useRef(new Set<string>())
  useEffect(() => {
    cached.current = new Set(panes.map(paneKey))
  })
  const awake = useDeferredValue(here)
  const [visit, setVisit] = useState({ to: here, cached: false, deferred: true })
  if (visit.to !== here) {
    // A redirect runs before the deferred render: effects that have ended must not start again.
    const deferred = !hasDialog() && (visit.deferred || awake === visit.to)
    setVisit({ to: here, cached: cached.current.has(paneKey(current)), deferred })
  }
  // Dialogs are outside their pane and close with its effects.
  const isAwake = (key: string) => (visit.deferred ? key === awake || (key === here && !visit.cached) : key === here)
  return panes.map(({ key, to, version }) => (
    <HiddenPane key={`${key} ${version}`} shown={key === here} awake={isAwake(key)}>
      <div className="pane">
        <Pane id={key} to={to} menus={menus} />
      </div>
    </HiddenPane>
  ))
}
