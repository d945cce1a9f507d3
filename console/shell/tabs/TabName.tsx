import { createContext, useContext, useEffect } from 'react'
import { nameTab } from './tabs.ts'

/** Key of the tab that shows this screen. */
export const TabKey = createContext('')

/** Names the tab of a detail screen after its record. */
export const useTabName = (name: string) => {
  const key = useContext(TabKey)
  useEffect(() => {
    if (key.includes('?') && name) nameTab(key, name)
  }, [key, name])
}
