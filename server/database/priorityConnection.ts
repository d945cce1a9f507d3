import { performance } from 'node:perf_hooks'
import type pg from 'pg'

/** ms between two attempts to connect. */
const retryAfter = 1000

/** One connection beside the pool, so that a short read never waits behind the pool's queue. It opens on demand, and again after it broke. */
export const openPriorityConnection = (create: () => pg.Client) => {
  let current: pg.Client | undefined
  let opening: Promise<void> | undefined
  let triedAt = Number.NEGATIVE_INFINITY

  const open = () => {
    if (current || opening || performance.now() - triedAt < retryAfter) return
    triedAt = performance.now()
    const client = create()
    const drop = () => {
      if (current === client) current = undefined
    }
    client.on('error', drop).on('end', drop)
    opening = client
      .connect()
      .then(() => {
        current = client
      })
      .catch(() => {})
      .finally(() => {
        opening = undefined
      })
  }

  return {
    /** The connection; nothing while it is not open. */
    client: () => {
      open()
      return current
    },
    /** Whether PostgreSQL answers on it. Throws if the connection breaks. */
    alive: async (): Promise<boolean> => {
      open()
      await opening
      await current?.query('select 1')
      return current !== undefined
    },
    close: async () => {
      await opening
      await current?.end().catch(() => {})
    },
  }
}
