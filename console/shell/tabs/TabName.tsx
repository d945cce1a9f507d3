import { createContext, useContext, useEffect } from 'react'
import { nameTab } from './tabs.ts'

/** Key of the tab a screen stands in. */
export const TabKey = createContext('')

/** A screen about one record gives its tab the record's name. */
export const useTabName = (name: string) => {
  const key = useContext(TabKey)
  useEffect(() => {
    if (key.includes('?') && name) nameTab(key, name)
  }, [key, name])
}
