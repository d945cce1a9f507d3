import { create } from 'zustand'
import type { Answer } from '../../contract/call.ts'
import { preferenceCalls } from '../../contract/preferences.ts'
import { invoke } from '../session/request.ts'
import { token } from '../session/token.ts'

type Wire = NonNullable<Answer<typeof preferenceCalls.themeSet>>
/** Colours are `#rrggbb`; names with B are 0 or 1, as on the wire. */
export type ThemeSet = Omit<Wire, 'Id' | 'UserId'>

/** The specification's default (section 9): standard blue, white navigation, dark navy sidebar. */
export const themeDefaults: ThemeSet = {
  ThemeColor: '#1d8df0',
  NavigationBar: '#ffffff',
  Sidebar: '#14202f',
  BSidebarLogo: 1,
  BTabbar: 1,
  BFooter: 1,
  BFixedFooter: 1,
  Mode: 'system',
  BCompact: 0,
  BContrast: 0,
}

/** `#rrggbb` from a picker or a stored set; undefined for anything else. */
export const colourOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^#?[0-9a-f]{6}$/i.test(value) ? `#${value.replace('#', '').toLowerCase()}` : undefined

const modes = ['system', 'light', 'dark'] as const

/** The default with the valid values of `given`, which may be of an older version or edited. */
export const themeFrom = (given: unknown, base = themeDefaults): ThemeSet => {
  const g = (typeof given === 'object' && given !== null ? given : {}) as Record<string, unknown>
  const flag = (name: keyof ThemeSet) => (g[name] === undefined || g[name] === null ? (base[name] as number) : Number(g[name]) ? 1 : 0)
  return {
    ThemeColor: colourOf(g.ThemeColor) ?? base.ThemeColor,
    NavigationBar: colourOf(g.NavigationBar) ?? base.NavigationBar,
    Sidebar: colourOf(g.Sidebar) ?? base.Sidebar,
    BSidebarLogo: flag('BSidebarLogo'),
    BTabbar: flag('BTabbar'),
    BFooter: flag('BFooter'),
    BFixedFooter: flag('BFixedFooter'),
    Mode: modes.find((m) => m === g.Mode) ?? base.Mode,
    BCompact: flag('BCompact'),
    BContrast: flag('BContrast'),
  }
}

const key = 'penstock.theme'
const stored = (): ThemeSet => {
  try {
    return themeFrom(JSON.parse(globalThis.localStorage?.getItem(key) ?? '{}'))
  } catch {
    return themeDefaults
  }
}
const keep = (set: ThemeSet) => localStorage.setItem(key, JSON.stringify(set))

type State = ThemeSet & {
  /** Previewed live; stored and sent by `save`. */
  change(changes: Partial<Record<keyof ThemeSet, unknown>>): void
  reset(): void
  /** Loads the signed-in person's set, at start-up and after a change in another browser. */
  load(userId: number): Promise<void>
  /** Stores the set in this browser and, with a session, on the server. */
  save(): Promise<void>
}

const valuesOf = (state: State): ThemeSet => themeFrom(state)

export const useThemeSet = create<State>((set, get) => ({
  ...stored(),
  change: (changes) => set((old) => themeFrom(changes, valuesOf(old))),
  reset: () => set(themeDefaults),
  load: async (userId) => {
    const answer = await invoke(preferenceCalls.themeSet, { query: { UserId: userId } })
    if (!answer) return
    const next = themeFrom(answer)
    // Keeps unsaved choices.
    if (JSON.stringify(valuesOf(get())) !== JSON.stringify(stored())) return
    keep(next)
    set(next)
  },
  save: async () => {
    const now = valuesOf(get())
    keep(now)
    if (token()) await invoke(preferenceCalls.saveThemeSet, { body: now })
  },
}))
