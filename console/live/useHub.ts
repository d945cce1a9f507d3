import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { endReasons } from '../../contract/session.ts'
import { invalidate } from '../kernel/api.ts'
import { sessionEnded } from '../session/request.ts'
import { token } from '../session/token.ts'
import { words } from '../words/words.ts'
import { hub } from './hub.ts'

/** Changes are gathered this long before lists are read again. */
const gatherMs = 400
/** A page that is being opened, or a change that is being written, takes about this long. */
const calmMs = 1000

/** Connects while somebody is signed in; what others change is read again. */
export const useHub = (userId: number | undefined) => {
  const client = useQueryClient()
  useEffect(() => {
    if (userId === undefined) return
    const gathered = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const gather = (name: string) => {
      gathered.add(name)
      timer ??= setTimeout(() => {
        timer = undefined
        void invalidate(client, gathered)
        gathered.clear()
      }, gatherMs)
    }
    let again: ReturnType<typeof setTimeout> | undefined
    /** Reads again what was there when the line stood; not in the middle of a change that is being written. */
    const readAgain = (before: ReadonlySet<unknown>, afterMs: number) => {
      clearTimeout(again)
      again = setTimeout(() => {
        if (client.isMutating()) readAgain(before, calmMs)
        else void client.invalidateQueries({ predicate: (query) => before.has(query) })
      }, afterMs)
    }
    let isFirst = true
    const off = [
      hub.on('Changed', ({ Resource }) => gather(Resource)),
      hub.on('Alarm', () => gather('alarmInfo')),
      // A change of password ends the old token, too: it is over only when no other has taken its place.
      hub.on('Ended', ({ Reason }) =>
        setTimeout(() => {
          if (token() !== hub.token) return
          const displaced = Reason === 'displaced'
          const why = displaced ? 'session.displaced' : `fault.${endReasons[Reason] ?? 'sessionOver'}`
          sessionEnded({ kind: displaced ? 'displaced' : 'over', message: words(why) })
        }, 1000),
      ),
      hub.onState(() => {
        if (hub.state !== 'live') return
        // What changed before there was a line, or while it was cut, is not known. A page that has just been opened is drawn first.
        readAgain(new Set(client.getQueryCache().getAll()), isFirst ? calmMs : 0)
        isFirst = false
      }),
    ]
    void hub.start(userId)
    return () => {
      clearTimeout(timer)
      clearTimeout(again)
      for (const stop of off) stop()
      void hub.stop()
    }
  }, [client, userId])
}

export const useConnection = () => useSyncExternalStore(hub.onState, () => hub.state)
