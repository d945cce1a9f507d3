import { create } from 'zustand'
import { type Colours, colours, type Mode } from './tokens.ts'

const key = 'penstock.mode'
const stored = localStorage.getItem(key)
const preferred = (): Mode => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')

const paint = (mode: Mode) => {
  const root = document.documentElement
  root.dataset.mode = mode
  root.style.colorScheme = mode
  for (const [name, value] of Object.entries(colours[mode])) root.style.setProperty(`--${name}`, value)
}

export const useMode = create<{ mode: Mode; set: (mode: Mode) => void }>((set) => {
  const mode = stored === 'light' || stored === 'dark' ? stored : preferred()
  paint(mode)
  return {
    mode,
    set: (mode) => {
      localStorage.setItem(key, mode)
      paint(mode)
      set({ mode })
    },
  }
})

export const useColours = (): Colours => colours[useMode((s) => s.mode)]
