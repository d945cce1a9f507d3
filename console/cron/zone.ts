import { createContext, useContext } from 'react'
import { userZone } from '../words/formats.ts'

/** Zone by whose clock the expressions of a screen fire: the tenant's, for timers (ruling 34a). The person's unless one is given. */
export const CronZone = createContext<string | undefined>(undefined)
export const useCronZone = () => useContext(CronZone) ?? userZone()
