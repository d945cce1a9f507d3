import { useCallback, useEffect, useState } from 'react'
import { type Fault, invoke } from '../../../../console/session/request.ts'
import { televisionCalls } from '../../televisions/contract.ts'
import { type Playing, sharedCalls } from '../contract.ts'
import { pause } from './followScreen.ts'

const place = 'penstock.television'
const claimMs = 3000

export type Television =
  | { is: 'opening' }
  | { is: 'busy' }
  | { is: 'code'; code: string; removed: boolean }
  | { is: 'playing'; playing: Playing; lost?: number }

type Here = () => boolean
/** Shows codes until one is entered, and stores the token. */
const pairing = async (here: Here, removed: boolean, set: (television: Television) => void) => {
  while (here()) {
    try {
      const { Code, Secret } = await invoke(televisionCalls.begin)
      if (!here()) return
      set({ is: 'code', code: Code, removed })
      for (;;) {
        await pause(claimMs)
        if (!here()) return
        const { Token } = await invoke(televisionCalls.claim, { body: { Code, Secret } })
        if (!Token) continue
        localStorage.setItem(place, Token)
        return
      }
    } catch (error) {
      // An expired code is replaced by a new one.
      if ((error as Fault).status === 404) continue
      if ((error as Fault).status === 429) set({ is: 'busy' })
      await pause((error as Fault).status === 429 ? 60_000 : 5000)
    }
  }
}

/** A display from its first code on: it plays while it is paired. */
export const useTelevision = () => {
  const [television, set] = useState<Television>({ is: 'opening' })
  const [run, setRun] = useState(0)
  const again = useCallback(() => setRun((n) => n + 1), [])
  useEffect(() => {
    let isHere = true
    const here = () => isHere
    const start = async () => {
      let removed = false
      while (here()) {
        const Token = localStorage.getItem(place)
        if (!Token) {
          await pairing(here, removed, set)
          continue
        }
        try {
          const playing = await invoke(sharedCalls.play, { body: { Token } })
          if (here()) set({ is: 'playing', playing })
          return
        } catch (error) {
          if (!here()) return
          set((now) => (now.is === 'playing' ? { ...now, lost: now.lost ?? Date.now() } : now))
          if ((error as Fault).status !== 404) {
            await pause(5000)
            continue
          }
          localStorage.removeItem(place)
          removed = true
        }
      }
    }
    void start()
    return () => {
      isHere = false
    }
  }, [run])
  return { television, again }
}
