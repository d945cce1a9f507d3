import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { endReasons } from '../../contract/session.ts'
import { invalidate } from '../kernel/api.ts'
import { sessionEnded } from '../session/request.ts'
import { startSession } from '../session/session.ts'
import { token } from '../session/token.ts'
import { words } from '../words/words.ts'
import { hub } from './hub.ts'

/** Batching window of changes before lists refetch, ms. */
const batchMs = 400
/** Typical duration of opening a screen or saving a change, ms. */
const settleMs = 1000
/** Window over which pages spread their reading of a changed session, ms. */
const spreadMs = 1000

/** Connects while a person is signed in. Invalidates the queries that other people's changes affect. */
export const useHub = (userId: number | undefined) => {
  const client = useQueryClient()
  useEffect(() => {
    if (userId === undefined) return
    const batch = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const enqueue = (name: string) => {
      batch.add(name)
      timer ??= setTimeout(() => {
        timer = undefined
        void invalidate(client, batch)
        batch.clear()
      }, batchMs)
    }
    let refetchTimer: ReturnType<typeof setTimeout> | undefined
    /** Refetches the queries that existed when the connection came up, but not during a mutation. */
    const refetch = (before: ReadonlySet<unknown>, afterMs: number) => {
      clearTimeout(refetchTimer)
      refetchTimer = setTimeout(() => {
        if (client.isMutating()) refetch(before, settleMs)
        else void client.invalidateQueries({ predicate: (query) => before.has(query) })
      }, afterMs)
    }
    let sessionTimer: ReturnType<typeof setTimeout> | undefined
    /** Spreads the refetch after a changed role, because many pages receive it at the same time. */
    const rereadSession = () => {
      clearTimeout(sessionTimer)
      sessionTimer = setTimeout(() => void startSession().catch(() => undefined), Math.random() * spreadMs)
    }
    let isFirst = true
    const off = [
      hub.on('Changed', ({ Resource }) => {
        if (Resource === 'session') rereadSession()
        else enqueue(Resource)
      }),
      hub.on('Alarm', () => enqueue('alarmInfo')),
      // A new password ends the old token, too. The session is over only when no new token has replaced it.
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
        // Changes before the connection, or while it was down, are unknown. The first screen loads before the refetch.
        refetch(new Set(client.getQueryCache().getAll()), isFirst ? settleMs : 0)
        if (!isFirst) rereadSession()
        isFirst = false
      }),
    ]
    void hub.start(userId)
    return () => {
      clearTimeout(timer)
      clearTimeout(refetchTimer)
      clearTimeout(sessionTimer)
      for (const stop of off) stop()
      void hub.stop()
    }
  }, [client, userId])
}

export const useConnection = () => useSyncExternalStore(hub.onState, () => hub.state)
