import { create } from 'zustand'
import { createJSONStorage, persist } from 'zustand/middleware'
import { onForget } from '../../session/session.ts'

/** A visited screen. `to` is its whole address; `version` grows with each refresh. */
export type Tab = { key: string; to: string; affixed?: boolean; name?: string; version: number }

export const home: Tab = { key: '/', to: '/', affixed: true, version: 0 }
/** So many screens stay open, and so many of them keep their state: the longest unvisited ones go first. */
export const mostTabs = 30
export const mostKeptAlive = 12

/** Screens of different records are different tabs; what else an address says belongs to the screen. */
export const tabKey = (pathname: string, search = '') => {
  const id = new URLSearchParams(search).get('Id')
  return pathname.toLowerCase() + (id ? `?Id=${id}` : '')
}

/** A visit adds the screen at the end, or brings its address up to date; the same tabs when it says nothing new. */
export const visited = (tabs: Tab[], pathname: string, search: string, seen: readonly string[] = []): Tab[] => {
  const key = tabKey(pathname, search)
  const to = pathname + search
  if (tabs.some((tab) => tab.key === key && tab.to === to)) return tabs
  if (tabs.some((tab) => tab.key === key)) return tabs.map((tab) => (tab.key === key ? { ...tab, to } : tab))
  const room = tabs.length < mostTabs ? tabs : tabs.filter((tab) => tab.key !== (oldest(tabs, seen)?.key ?? ''))
  return [...room, { key, to, version: 0 }]
}
/** The longest unvisited that can be closed; `seen` begins with the latest. */
const oldest = (tabs: readonly Tab[], seen: readonly string[]) => {
  const age = (tab: Tab) => (seen.includes(tab.key) ? seen.indexOf(tab.key) : seen.length)
  return tabs.filter((tab) => !tab.affixed).sort((a, b) => age(b) - age(a))[0]
}

/** Affixed tabs cannot be closed, whichever way. */
export const without = (tabs: readonly Tab[], key: string) => tabs.filter((tab) => tab.affixed || tab.key !== key)
export const only = (tabs: readonly Tab[], key?: string) => tabs.filter((tab) => tab.affixed || tab.key === key)
export const refreshed = (tabs: readonly Tab[], key: string) =>
  tabs.map((tab) => (tab.key === key ? { ...tab, version: tab.version + 1 } : tab))
export const named = (tabs: readonly Tab[], key: string, name: string) =>
  tabs.map((tab) => (tab.key === key && tab.name !== name ? { ...tab, name } : tab))

/** Dragged before or behind another; affixed ones stay in front. */
export const moved = (tabs: readonly Tab[], key: string, to: number): Tab[] => {
  const tab = tabs.find((t) => t.key === key)
  if (!tab || tab.affixed) return [...tabs]
  const rest = tabs.filter((t) => t.key !== key)
  const first = rest.filter((t) => t.affixed).length
  const at = Math.min(Math.max(to, first), rest.length)
  return [...rest.slice(0, at), tab, ...rest.slice(at)]
}

/** Where one goes when a tab closes: stays, else to what was seen before it. */
export const nextAfter = (left: readonly Tab[], current: string, seen: readonly string[]): string | undefined => {
  if (left.some((tab) => tab.key === current)) return undefined
  const last = seen.map((key) => left.find((tab) => tab.key === key)).find((tab) => tab !== undefined)
  return (last ?? left.at(-1) ?? home).to
}

type State = { tabs: Tab[] /** Latest first. */; seen: string[] }
const start: State = { tabs: [home], seen: [] }

/** What of the strip outlives a reload: screens of projects, alarms, system and data analysis (specification, section 9). */
const modules = ['/projectmanagement/', '/alarmmanagement/', '/systemmanagement/', '/dataanalysis/']
export const outliving = (tabs: readonly Tab[]) => tabs.filter(({ key }) => modules.some((module) => key.startsWith(module)))

// In the window's own storage: two windows have a strip each.
export const useTabs = create<State>()(
  persist(() => start, {
    name: 'penstock.tabs',
    storage: createJSONStorage(() => sessionStorage),
    partialize: ({ tabs }) => ({ tabs: outliving(tabs) }),
    merge: (kept, now) => ({ ...now, tabs: [home, ...outliving((kept as Partial<State> | undefined)?.tabs ?? [])] }),
  }),
)
const change = (next: (tabs: Tab[]) => Tab[]) => useTabs.setState(({ tabs }) => ({ tabs: next(tabs) }))

export const visit = (pathname: string, search: string) =>
  useTabs.setState(({ tabs, seen }) => {
    const key = tabKey(pathname, search)
    return { tabs: visited(tabs, pathname, search, seen), seen: [key, ...seen.filter((k) => k !== key)].slice(0, mostTabs) }
  })
export const refresh = (key: string) => change((tabs) => refreshed(tabs, key))
export const nameTab = (key: string, name: string) => change((tabs) => named(tabs, key, name))
export const moveTab = (key: string, to: number) => change((tabs) => moved(tabs, key, to))

/** Closes, and answers where to go when the current one went. */
export const closing = (next: (tabs: readonly Tab[]) => Tab[], current: string) => {
  change((tabs) => next(tabs))
  const { tabs, seen } = useTabs.getState()
  return nextAfter(tabs, current, seen)
}

// The next person begins with an empty strip.
onForget(() => useTabs.setState(start))
