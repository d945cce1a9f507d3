import { create } from 'zustand'

const useStore = create<{ open: boolean }>(() => ({ open: false }))

/** Whether the tray of exports is open. Every list can open it. */
export const useTrayOpen = () => useStore((s) => s.open)
export const tray = {
  open: () => useStore.setState({ open: true }),
  close: () => useStore.setState({ open: false }),
}

/** Bytes in readable units. */
export const sizeText = (bytes: number, locale: string) => {
  const [value, unit] = bytes < 1e6 ? [bytes / 1e3, 'kilobyte'] : [bytes / 1e6, 'megabyte']
  return value.toLocaleString(locale, { style: 'unit', unit, maximumSignificantDigits: 3 })
}
