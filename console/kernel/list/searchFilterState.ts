import { useEffect } from 'react'
import { create } from 'zustand'
import { createJSONStorage, persist } from 'zustand/middleware'
import { onForget } from '../../session/session.ts'

/** Ids of what the search bars of lists were last narrowed to; the names are the specification's (section 3). */
type State = { projectData: number | null; regionData: number | null; departmentData: number | null }
const start: State = { projectData: null, regionData: null, departmentData: null }
const places: Readonly<Record<string, keyof State>> = { project: 'projectData', region: 'regionData', department: 'departmentData' }

// In the window's own storage, like the strip of tabs: two windows may be about two projects.
export const useSearchFilterState = create<State>()(
  persist(() => start, { name: 'penstock.searchFilter', storage: createJSONStorage(() => sessionStorage) }),
)

export const keepChosen = (resource: string, id: number) => {
  const place = places[resource]
  if (place) useSearchFilterState.setState({ [place]: id })
}

/** The Id of the record of this resource that was last chosen in any list; what is chosen here becomes it. */
export const useLastChosen = (resource: string, chosen: number | undefined): number | undefined => {
  const place = places[resource]
  const last = useSearchFilterState((s) => (place ? s[place] : null))
  useEffect(() => {
    if (chosen !== undefined) keepChosen(resource, chosen)
  }, [resource, chosen])
  return last ?? undefined
}

// The next person begins with nothing chosen.
onForget(() => useSearchFilterState.setState(start))
