import { createContext, useContext } from 'react'
import { userZone } from '../words/formats.ts'

/** Time zone of a screen's expressions: the tenant's for timers (ruling 34a), by default the user's. */
export const CronZone = createContext<string | undefined>(undefined)
export const useCronZone = () => useContext(CronZone) ?? userZone()
