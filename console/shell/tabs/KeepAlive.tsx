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
/** One screen at its own address, whatever the browser's says meanwhile. */
const Pane = memo(({ id, to, menus }: Props) => (
  <TabKey value={id}>
    <FixedLocation at={to}>
      <Screen menus={menus} />
    </FixedLocation>
  </TabKey>
))

const named = ({ key, to, version }: Tab) => `${key} ${version} ${to}`

/**
 * Visited screens keep what is on them: hidden ones stand still (their effects are stopped, nothing is polled) and come
 * back as they were. The ones unvisited longest are let go. One that stands already is seen first and wakes then, and the one before it goes
 * to rest as late: to stop and start all of their effects takes longer than to show them.
 */
export const KeepAlive = ({ menus }: { menus: MenuEntry[] }) => {
  const { pathname, search } = useLocation()
  const { tabs, seen } = useTabs()
  const here = tabKey(pathname, search)
  const kept = new Set(seen.slice(0, mostKeptAlive))
  const others = tabs.filter(({ key }) => key !== here && kept.has(key) && !isUncached(key))
  const current = { version: 0, ...tabs.find(({ key }) => key === here), key: here, to: pathname + search }
  const panes = [...others, current].sort((a, b) => (a.key < b.key ? -1 : 1))

  const drawn = useRef(new Set<string>())
  useEffect(() => {
    drawn.current = new Set(panes.map(named))
  })
  const awake = useDeferredValue(here)
  const [step, setStep] = useState({ to: here, stood: false })
  if (step.to !== here) setStep({ to: here, stood: drawn.current.has(named(current)) })
  return panes.map(({ key, to, version }) => (
    <HiddenPane key={`${key} ${version}`} shown={key === here} awake={key === awake || (key === here && !step.stood)}>
      <div className="pane">
        <Pane id={key} to={to} menus={menus} />
      </div>
    </HiddenPane>
  ))
}
