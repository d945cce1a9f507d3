import { create } from 'zustand'
import { useThemeSet } from './themeSet.ts'
import { type Colours, coloursOf, type Mode } from './tokens.ts'

const prefersDark = matchMedia('(prefers-color-scheme: dark)')

const paint = (mode: Mode, colours: Colours) => {
  const root = document.documentElement
  root.dataset.mode = mode
  root.style.colorScheme = mode
  for (const [name, value] of Object.entries(colours)) root.style.setProperty(`--${name}`, value)
}

const now = () => {
  const set = useThemeSet.getState()
  const mode: Mode = set.Mode === 'system' ? (prefersDark.matches ? 'dark' : 'light') : set.Mode
  const colours = coloursOf(mode, set)
  paint(mode, colours)
  return { mode, colours }
}

/** The present mode and colours; `set` chooses and stores a mode. */
export const useMode = create<{ mode: Mode; colours: Colours; set: (mode: Mode) => void }>(() => ({
  ...now(),
  set: (mode) => {
    useThemeSet.getState().change({ Mode: mode })
    useThemeSet
      .getState()
      .save()
      .catch(() => undefined)
  },
}))
const repaint = () => useMode.setState(now())
useThemeSet.subscribe(repaint)
prefersDark.addEventListener('change', repaint)

export const useColours = (): Colours => useMode((s) => s.colours)
