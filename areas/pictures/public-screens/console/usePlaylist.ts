import { useEffect, useRef, useState } from 'react'
import type { Playing } from '../contract.ts'
import { followScreen, type Seen } from './followScreen.ts'
import { following } from './playlist.ts'

/** Refetch interval of a running playlist, in case it was changed. */
const renewMs = 60_000
/** Retry interval while nothing can be shown. */
const emptyMs = 20_000

/** The playlist entry on the screen. `again` reloads the playlist from the server. */
export const usePlaylist = ({ Playlist, Visit }: Playing, again: () => void) => {
  const hour = () => new Date().getHours()
  const [turn, setTurn] = useState(() => ({ at: following(Playlist, -1, hour()), count: 0 }))
  const [shown, setShown] = useState<{ seen?: Seen; lost?: number }>({})
  /** Consecutive failed entries. */
  const failed = useRef(0)
  const begunAt = useRef(performance.now())
  useEffect(() => {
    begunAt.current = performance.now()
  }, [Visit])
  useEffect(() => {
    const at = turn.at !== undefined && turn.at < Playlist.length ? turn.at : undefined
    let isHere = true
    const next = () => {
      const then = following(Playlist, at ?? -1, hour())
      const wrapped = then === undefined || then <= (at ?? 0)
      setTurn({ at: then, count: turn.count + 1 })
      if (wrapped && performance.now() - begunAt.current > renewMs) again()
    }
    const wait = at === undefined ? emptyMs : Playlist[at]!.Seconds * 1000
    let timer = setTimeout(next, wait)
    const over = () => {
      clearTimeout(timer)
      // Others may still work. If none does, the display was removed or the server restarted.
      if (++failed.current < Playlist.length) return next()
      const isFirst = failed.current === Playlist.length
      setShown({})
      timer = setTimeout(again, isFirst ? 0 : emptyMs)
    }
    if (at === undefined) setShown({})
    else
      void followScreen(
        { Visit, Entry: at },
        {
          here: () => isHere,
          seen: (seen) => {
            failed.current = 0
            setShown({ seen })
          },
          lost: () => setShown((now) => ({ ...now, lost: now.lost ?? Date.now() })),
          over: () => isHere && over(),
        },
      )
    return () => {
      isHere = false
      clearTimeout(timer)
    }
  }, [turn, Visit, Playlist, again])
  return shown
}
