import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { feed } from '../../../../console/live/points.ts'
import { Fault, invoke } from '../../../../console/session/request.ts'
import type { Standing } from '../../flowcharts/contract.ts'
import { type Opening, type SharedPicture, type SharedScreen, sharedCalls } from '../contract.ts'

const followMs = 1000
const hiddenMs = 30_000
/** What is counted, drawn or long past comes again as often. */
const showMs = 30_000

export type Shared =
  | { is: 'opening' }
  | { is: 'over' }
  | { is: 'full' }
  | { is: 'pin'; wrong?: string; name: string }
  | { is: 'open'; opening: Opening; screen: SharedScreen; alarms: readonly Standing[]; lost?: number }

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))
const picture = (screen: SharedScreen): SharedPicture | undefined => ('Picture' in screen ? screen.Picture : undefined)

/** What a link shows, kept up to date. `enter` gives its PIN. */
export const useShared = (token: string) => {
  const [shared, set] = useState<Shared>({ is: 'opening' })
  const run = useRef(0)

  /** Follows until another run begins. A visit that the server has forgotten is begun again. */
  const follow = async (mine: number, opening: Opening, pin: string | undefined) => {
    const Visit = opening.Visit!
    const here = () => run.current === mine
    let screen: SharedScreen | undefined
    let shownAt = 0
    let Seq: number | undefined
    while (here()) {
      try {
        if (!screen || performance.now() - shownAt > showMs) {
          screen = await invoke(sharedCalls.show, { body: { Visit } })
          shownAt = performance.now()
        }
        const news = await invoke(sharedCalls.follow, { body: { Visit, ...(Seq === undefined ? {} : { Seq }) } })
        Seq = news.Seq
        if (!here()) return
        feed(news.Values)
        if (picture(screen) && news.Version !== picture(screen)!.Version) shownAt = Number.NEGATIVE_INFINITY
        set({ is: 'open', opening, screen, alarms: news.Alarms })
      } catch (error) {
        if (!here()) return
        if (error instanceof Fault && error.status === 404) return void open(pin)
        set((now) => (now.is === 'open' ? { ...now, lost: now.lost ?? Date.now() } : now))
        await pause(2 * followMs)
      }
      await pause(document.hidden ? hiddenMs : followMs)
    }
  }
  const open = async (pin?: string) => {
    const mine = ++run.current
    try {
      const opening = await invoke(sharedCalls.open, { body: { Token: token, ...(pin ? { Pin: pin } : {}) } })
      if (run.current !== mine) return
      if (opening.Visit) return void follow(mine, opening, pin)
      set({ is: 'pin', name: opening.ShareName })
    } catch (error) {
      if (run.current !== mine) return
      const { status, message, details } = error as Fault
      const wrong = Object.values(details?.Fields ?? {}).flat()[0] ?? (pin ? message : undefined)
      if (status === 404) return set({ is: 'over' })
      if (pin && wrong) return set((now) => ({ is: 'pin', wrong, name: now.is === 'pin' ? now.name : '' }))
      if (status === 429) set({ is: 'full' })
      await pause(status === 429 ? 60_000 : 5000)
      if (run.current === mine) void open(pin)
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
