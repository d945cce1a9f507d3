import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { invalidate } from '../../../../console/kernel/api.ts'
import { hub } from '../../../../console/live/hub.ts'
import { Fault, invoke } from '../../../../console/session/request.ts'
import { onForget } from '../../../../console/session/session.ts'
import { noticeCalls } from '../contract.ts'
import { countsOf, hasMore, newAlarms, useNotices } from './notices.ts'
import { createPoll } from './poll.ts'

/** Lists already contain changes of this console; the hub's message about them arrives within this time, ms. */
const ownMs = 3000
let ownAt = 0
export const ownChange = () => {
  ownAt = Date.now()
}

/** The last reported count of this session. Shared by all windows, survives a reload. */
const warned = 'penstock.alarmsWarned'
onForget(() => localStorage.removeItem(warned))

/** Updates the counts while a user is signed in: by polling, and immediately on a hub message. */
export const useNoticePoll = () => {
  const client = useQueryClient()
  useEffect(() => {
    const poll = createFor(client)
    const again = (lists: boolean) => {
      if (lists) void invalidate(client, ['notice'])
      poll.now()
    }
    const off = [
      hub.on('Notice', ({ Event }) => again(Event !== 'state' || Date.now() - ownAt > ownMs)),
      hub.on('Alarm', () => again(false)),
    ]
    const online = () => poll.now()
    addEventListener('online', online)
    useNotices.setState({ refresh: poll.now })
    return () => {
      poll.stop()
      for (const stop of off) stop()
      removeEventListener('online', online)
      useNotices.setState({ counts: null, interrupted: false, warning: 0, refresh: () => undefined })
    }
  }, [client])
}

const createFor = (client: ReturnType<typeof useQueryClient>) =>
  createPoll({
    read: async () => countsOf(await invoke(noticeCalls.counts)),
    online: () => navigator.onLine,
    isOver: (error) => error instanceof Fault && (error.status === 401 || error.status === 205),
    interrupted: (interrupted) => useNotices.setState({ interrupted }),
    heard: (counts) => {
      const before = useNotices.getState().counts
      useNotices.setState({ counts })
      const warning = newAlarms(Number(localStorage.getItem(warned)), counts)
      if (warning || !counts.DeviceTotalCount) useNotices.setState({ warning })
      localStorage.setItem(warned, String(counts.DeviceTotalCount))
      if (hasMore(before, counts)) void invalidate(client, ['notice'])
    },
  })
