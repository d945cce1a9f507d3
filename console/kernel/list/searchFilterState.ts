import { useEffect } from 'react'
import { create } from 'zustand'
import { createJSONStorage, persist } from 'zustand/middleware'
import { onForget } from '../../session/session.ts'

/** Ids of the last filters of all lists. The names are the specification's (section 3). */
type State = { projectData: number | null; regionData: number | null; departmentData: number | null }
const start: State = { projectData: null, regionData: null, departmentData: null }
const places: Readonly<Record<string, keyof State>> = { project: 'projectData', region: 'regionData', department: 'departmentData' }

// In sessionStorage, as the tabs are: two windows may show two projects.
export const useSearchFilterState = create<State>()(
  persist(() => start, { name: 'penstock.searchFilter', storage: createJSONStorage(() => sessionStorage) }),
)

export const keepChosen = (resource: string, id: number) => {
  const place = places[resource]
  if (place) useSearchFilterState.setState({ [place]: id })
}

/** The last filter by this resource in any list. A filter set here becomes the last one. */
export const useLastChosen = (resource: string, chosen: number | undefined): number | undefined => {
  const place = places[resource]
  const last = useSearchFilterState((s) => (place ? s[place] : null))
  useEffect(() => {
    if (chosen !== undefined) keepChosen(resource, chosen)
  }, [resource, chosen])
  return last ?? undefined
}

// Signing out forgets the filters.
onForget(() => useSearchFilterState.setState(start))
