import { useEffect } from 'react'
import { create } from 'zustand'

export const usePalette = create<{ open: boolean }>(() => ({ open: false }))
export const openPalette = (open = true) => usePalette.setState({ open })

/** Ctrl K or Cmd K toggles the palette. */
export const usePaletteKey = () =>
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      openPalette(!usePalette.getState().open)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
