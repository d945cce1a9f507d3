import { create } from 'zustand'
import { createJSONStorage, persist } from 'zustand/middleware'
import { onForget } from '../../session/session.ts'

/** An open screen. `to` is its full address. A refresh increments `version`, which remounts the screen. */
export type Tab = { key: string; to: string; affixed?: boolean; name?: string; version: number }

export const home: Tab = { key: '/', to: '/', affixed: true, version: 0 }
/** Limits of open tabs and of screens that stay mounted. The least recently visited leave first. */
export const mostTabs = 30
export const mostKeptAlive = 12

/** Each record has its own tab. The rest of the query belongs to the screen, not to the key. */
export const tabKey = (pathname: string, search = '') => {
  const id = new URLSearchParams(search).get('Id')
  return pathname.toLowerCase() + (id ? `?Id=${id}` : '')
}

/** Adds a tab for the address or updates the address of its tab. Returns the same array when nothing changes. */
export const visited = (tabs: Tab[], pathname: string, search: string, seen: readonly string[] = []): Tab[] => {
  const key = tabKey(pathname, search)
  const to = pathname + search
  if (tabs.some((tab) => tab.key === key && tab.to === to)) return tabs
  if (tabs.some((tab) => tab.key === key)) return tabs.map((tab) => (tab.key === key ? { ...tab, to } : tab))
  const room = tabs.length < mostTabs ? tabs : tabs.filter((tab) => tab.key !== (oldest(tabs, seen)?.key ?? ''))
  return [...room, { key, to, version: 0 }]
}
/** The least recently visited tab that may close. `seen` starts with the most recent one. */
const oldest = (tabs: readonly Tab[], seen: readonly string[]) => {
  const age = (tab: Tab) => (seen.includes(tab.key) ? seen.indexOf(tab.key) : seen.length)
  return tabs.filter((tab) => !tab.affixed).sort((a, b) => age(b) - age(a))[0]
}

/** Affixed tabs never close. */
export const without = (tabs: readonly Tab[], key: string) => tabs.filter((tab) => tab.affixed || tab.key !== key)
export const only = (tabs: readonly Tab[], key?: string) => tabs.filter((tab) => tab.affixed || tab.key === key)
export const refreshed = (tabs: readonly Tab[], key: string) =>
  tabs.map((tab) => (tab.key === key ? { ...tab, version: tab.version + 1 } : tab))
export const named = (tabs: readonly Tab[], key: string, name: string) =>
  tabs.map((tab) => (tab.key === key && tab.name !== name ? { ...tab, name } : tab))

/** Moves a tab. Affixed tabs stay in front. */
export const moved = (tabs: readonly Tab[], key: string, to: number): Tab[] => {
  const tab = tabs.find((t) => t.key === key)
  if (!tab || tab.affixed) return [...tabs]
  const rest = tabs.filter((t) => t.key !== key)
  const first = rest.filter((t) => t.affixed).length
  const at = Math.min(Math.max(to, first), rest.length)
  return [...rest.slice(0, at), tab, ...rest.slice(at)]
}

/** Address to open after tabs closed: the last visited tab that is still open, or none when the current one is. */
export const nextAfter = (left: readonly Tab[], current: string, seen: readonly string[]): string | undefined => {
  if (left.some((tab) => tab.key === current)) return undefined
  const last = seen.map((key) => left.find((tab) => tab.key === key)).find((tab) => tab !== undefined)
  return (last ?? left.at(-1) ?? home).to
}

type State = { tabs: Tab[] /** Most recent first. */; seen: string[] }
const start: State = { tabs: [home], seen: [] }

/** Tabs that survive a reload: projects, alarms, system and data analysis (specification, section 9). */
const modules = ['/projectmanagement/', '/alarmmanagement/', '/systemmanagement/', '/dataanalysis/']
export const outliving = (tabs: readonly Tab[]) => tabs.filter(({ key }) => modules.some((module) => key.startsWith(module)))

// In sessionStorage: each window has its own tabs.
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

/** Closes tabs. Returns the address to open when the current one closed. */
export const closing = (next: (tabs: readonly Tab[]) => Tab[], current: string) => {
  change((tabs) => next(tabs))
  const { tabs, seen } = useTabs.getState()
  return nextAfter(tabs, current, seen)
}

// Signing out closes all tabs.
onForget(() => useTabs.setState(start))
