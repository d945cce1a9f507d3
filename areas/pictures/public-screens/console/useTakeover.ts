import { useEffect, useState } from 'react'
import { type Fault, invoke } from '../../../../console/session/request.ts'
import { type Playing, sharedCalls, type TakingAlarms } from '../contract.ts'
import { pause } from './followScreen.ts'

const everyMs = 3000
/** Time for which alarms stay on a display that cannot reach the server, ms. */
const lostMs = 30_000

/** High alarms that take over the screen now; undefined without one. */
export const useTakeover = ({ Visit, ShowAlarms }: Playing): TakingAlarms | undefined => {
  const [taking, set] = useState<TakingAlarms>()
  useEffect(() => {
    if (!ShowAlarms) return set(undefined)
    let isHere = true
    const watch = async () => {
      let heardAt = performance.now()
      while (isHere) {
        try {
          const now = await invoke(sharedCalls.alarms, { body: { Visit } })
          heardAt = performance.now()
          if (isHere) set(now.Alarms.length ? now : undefined)
        } catch (error) {
          const isOver = (error as Fault).status === 404 || performance.now() - heardAt > lostMs
          if (isHere && isOver) set(undefined)
        }
        await pause(everyMs)
      }
    }
    void watch()
    return () => {
      isHere = false
    }
  }, [Visit, ShowAlarms])
  return taking
}
