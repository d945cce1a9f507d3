// Discovers the server that owns the database, for API processes.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { newestMigration } from '../database/migrate.ts'
import { type Hello, parse } from './frames.ts'
import { openNats } from './natsConnection.ts'
import { followOwners } from './owners.ts'

/** ms: interval of checks for silent owners; interval of log messages while the process waits. */
const times = { look: 500, told: 10_000 }

/** Connects to NATS and follows the owner's announcements. */
export const followOwner = async (natsUrl: string, log: Logger) => {
  const nats = await openNats(natsUrl, 'penstock calls', log)
  const owners = followOwners(() => performance.now(), log)
  const awayListeners: (() => void)[] = []
  let wasThere = false
  const look = () => {
    owners.tick()
    const isThere = owners.isThere()
    if (wasThere && !isThere) for (const listener of awayListeners) listener()
    wasThere = isThere
  }
  const timer = setInterval(look, times.look)
  /** Schema of the last owner: without an owner, no process changes tables. */
  let schema: string | undefined
  const stops = [
    nats.subscribe(nats.subject('hello'), (data) => {
      owners.heard(parse<Hello>(data))
      schema = owners.current()?.http?.schema ?? schema
    }),
    nats.subscribe(nats.subject('bye'), (data) => owners.left(parse<Pick<Hello, 'owner'>>(data).owner)),
  ]
  const newest = newestMigration()
  const hasOwnTables = () => schema === newest
  nats.publish(nats.subject('who'), '')
  return {
    nats,
    isOwner: (owner: string) => owners.current()?.owner === owner,
    /** Undefined while there is none. */
    name: () => (owners.isThere() ? owners.current()?.owner : undefined),
    /** Called when the owner becomes unavailable. */
    onAway: (listener: () => void) => void awayListeners.push(listener),
    /** The owner's URL; undefined while none serves. */
    target: () => (owners.isThere() ? owners.current()?.http?.url : undefined),
    /** Whether the database has the schema of this version. */
    hasOwnTables,
    /** Waits for an owner of this version. */
    wait: async (isStopping: () => boolean) => {
      for (let waited = 0; !isStopping() && !hasOwnTables(); waited += times.look) {
        if (waited % times.told === 0) log.info('Waiting for a server of this version that owns the database.')
        await sleep(times.look)
      }
    },
    close: async () => {
      clearInterval(timer)
      for (const stop of stops) stop()
      await nats.close()
    },
  }
}
export type FollowedOwner = Awaited<ReturnType<typeof followOwner>>
