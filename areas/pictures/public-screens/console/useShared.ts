import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Fault, invoke } from '../../../../console/session/request.ts'
import { type Opening, sharedCalls } from '../contract.ts'
import { followScreen, pause, type Seen } from './followScreen.ts'

export type Shared =
  | { is: 'opening' }
  | { is: 'over' }
  | { is: 'full' }
  | { is: 'pin'; wrong?: string; name: string }
  | ({ is: 'open'; opening: Opening; lost?: number } & Seen)

/** Loads and refreshes the content of a share link. `enter` submits its PIN. */
export const useShared = (token: string) => {
  const [shared, set] = useState<Shared>({ is: 'opening' })
  const run = useRef(0)

  const open = async (pin?: string) => {
    const mine = ++run.current
    const here = () => run.current === mine
    try {
      const opening = await invoke(sharedCalls.open, { body: { Token: token, ...(pin ? { Pin: pin } : {}) } })
      if (!here()) return
      if (!opening.Visit) return set({ is: 'pin', name: opening.ShareName })
      void followScreen(
        { Visit: opening.Visit },
        {
          here,
          seen: (seen) => set({ is: 'open', opening, ...seen }),
          lost: () => set((now) => (now.is === 'open' ? { ...now, lost: now.lost ?? Date.now() } : now)),
          // Reopens a visit that the server has dropped.
          over: () => void open(pin),
        },
      )
    } catch (error) {
      if (!here()) return
      const { status, message, details } = error as Fault
      const wrong = Object.values(details?.Fields ?? {}).flat()[0] ?? (pin ? message : undefined)
      if (status === 404) return set({ is: 'over' })
      if (pin && wrong) return set((now) => ({ is: 'pin', wrong, name: now.is === 'pin' ? now.name : '' }))
      if (status === 429) set({ is: 'full' })
      await pause(status === 429 ? 60_000 : 5000)
      if (here()) void open(pin)
    }
  }
  const begin = useEffectEvent(() => void open())
  useEffect(() => {
    begin()
    return () => {
      run.current++
    }
  }, [token])
  return { shared, enter: (pin: string) => void open(pin) }
}
