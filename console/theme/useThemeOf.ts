import { useEffect } from 'react'
import { hub } from '../live/hub.ts'
import { useThemeSet } from './themeSet.ts'

/** Loads the signed-in person's theme, and reloads it after a change in another browser. Keeps the local theme if that fails. */
export const useThemeOf = (userId: number) => {
  const load = useThemeSet((s) => s.load)
  useEffect(() => {
    const read = () => void load(userId).catch(() => undefined)
    read()
    const off = [
      hub.on('Changed', ({ Resource, Id }) => {
        if (Resource === 'themeSet' && (Id === userId || Id === 0)) read()
      }),
      // Changes before the connection, or during an outage, were not announced.
      hub.onState(() => {
        if (hub.state === 'live') read()
      }),
    ]
    return () => {
      for (const stop of off) stop()
    }
  }, [load, userId])
}
