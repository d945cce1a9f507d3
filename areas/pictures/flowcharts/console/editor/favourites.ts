import { useState } from 'react'
import { useUser } from '../../../../../console/session/session.ts'

const keyOf = (user: number) => `penstock.picture.favourites.${user}`
const read = (user: number): string[] => {
  try {
    const found = JSON.parse(localStorage.getItem(keyOf(user)) ?? '[]') as unknown
    return Array.isArray(found) ? found.filter((one) => typeof one === 'string').slice(0, 100) : []
  } catch {
    return []
  }
}

/** The person's favourite palette entries, stored in this browser. */
export const useFavourites = () => {
  const user = useUser()?.Id ?? 0
  const [favourites, setFavourites] = useState(() => read(user))
  const toggle = (key: string) => {
    const next = favourites.includes(key) ? favourites.filter((one) => one !== key) : [...favourites, key]
    setFavourites(next)
    localStorage.setItem(keyOf(user), JSON.stringify(next.slice(-100)))
  }
  return { favourites, toggle }
}
