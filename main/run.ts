// A server that can restart itself for a restore: nothing in memory outlives its database.
import { join } from 'node:path'
import type { Logger } from 'pino'
import { startPostgres } from '../server/database/embedded.ts'
import { type Lease, openLease } from '../server/database/lease.ts'
import { lockFolder } from './lock.ts'
import type { Settings } from './settings.ts'
import { type Started, startServer } from './start.ts'

/** The database alone, for work while nothing else runs, in this process or another one. */
export const withDatabase = async <T>(
  settings: Pick<Settings, 'data' | 'databaseUrl'>,
  log: Logger,
  work: (adminUrl: string) => Promise<T>,
  held?: Lease,
) => {
  const unlock = await lockFolder(settings.data)
  const lease = held ?? openLease(log, (error) => log.error({ err: error }, 'the work on the database is not alone'))
  const working = async (adminUrl: string) => {
    await lease.hold(adminUrl, () => {
      throw new Error('Penstock is running on this database: stop the process that works on it, and those that stand by.')
    })
    try {
      return await work(adminUrl)
    } finally {
      if (!held || !settings.databaseUrl) await lease.release()
    }
  }
  try {
    if (settings.databaseUrl) return await working(settings.databaseUrl)
    const postgres = await startPostgres({ folder: join(settings.data, 'postgres'), log })
    try {
      return await working(postgres.url)
    } finally {
      await postgres.stop()
    }
  } finally {
    unlock()
  }
}

type Stop = () => Promise<undefined | (() => Promise<unknown>)>

/** Time for the answer to leave before the server closes, ms. */
const partingMs = 300

/**
 * A server that runs from `start` until `close`. Calls `onStart` after each start; it returns what to stop before closing, which may
 * return what to stop after it. While
 * another process works on the database it waits and calls `onStandby`. When it cannot start again, or another one has taken over,
 * `onLost` hears why: the process had better end, for its supervisor to try.
 */
export const runServer = (
  given: Settings,
  log: Logger,
  clock: () => number,
  {
    onStart = async () => async () => undefined,
    onStep,
    onStandby,
    onLost,
  }: {
    onStart?: (started: Started) => Promise<Stop>
    onStep?: (step: string) => void
    onStandby?: () => void
    onLost: (error: unknown) => void
  },
) => {
  let settings = given
  let running: { started: Started; stop: Stop } | undefined
  let restarting: Promise<void> | undefined
  let closed = false
  // Also between two starts, so that no other process starts during a restore.
  const lease = openLease(log, onLost)

  const begin = async () => {
    const started = await startServer(settings, log, clock, restart, { lease, onStandby, onStep })
    // The same ports again, also where they were chosen for us.
    settings = { ...settings, port: started.port, mqttPort: started.mqttPort }
    running = { started, stop: async () => undefined }
    running.stop = await onStart(started)
  }
  const end = async () => {
    const was = running
    running = undefined
    const stopAfter = await was?.stop()
    await was?.started.close()
    await stopAfter?.()
  }
  const restart = (work: (adminUrl: string) => Promise<void>) => {
    restarting ??= (async () => {
      await new Promise((resolve) => setTimeout(resolve, partingMs))
      await end()
      await withDatabase(settings, log, work, lease).catch((err) => log.error({ err }, 'the work between two starts failed'))
      if (!closed) await begin()
    })()
      .catch(onLost)
      .finally(() => {
        restarting = undefined
      })
  }
  let starting: Promise<void> | undefined
  return {
    start: () => {
      starting ??= begin().catch((error) => {
        if (!closed) throw error
      })
      return starting
    },
    started: () => running?.started,
    /** Also in the middle of a start: what has been opened by then is closed. */
    close: async () => {
      closed = true
      lease.giveUp()
      await starting?.catch(() => {})
      await restarting
      await end()
      await lease.release()
    },
  }
}
