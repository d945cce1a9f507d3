import { useEffect } from 'react'
import { hub } from '../live/hub.ts'
import { useThemeSet } from './themeSet.ts'

/** Loads the signed-in person's theme, and again when another browser of his has changed it. What cannot be read stays as it is kept here. */
export const useThemeOf = (userId: number) => {
  const load = useThemeSet((s) => s.load)
  useEffect(() => {
    const read = () => void load(userId).catch(() => undefined)
    read()
    const off = [
      hub.on('Changed', ({ Resource, Id }) => {
        if (Resource === 'themeSet' && (Id === userId || Id === 0)) read()
      }),
      // Changes before the connection, or while it was down, were not announced.
      hub.onState(() => {
        if (hub.state === 'live') read()
      }),
    ]
    return () => {
      for (const stop of off) stop()
    }
  }, [load, userId])
}
