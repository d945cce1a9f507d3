import type { Db } from '../../../../server/database/db.ts'
import { boundedQueue } from '../../../../server/jobs/boundedQueue.ts'
import { buildConfig, buildSettings, type Config, configHash } from './config.ts'

/** What a push is compared by: the heartbeat period travels beside the hashed tables. */
const fingerprint = (config: Config, hash: string) => `${hash}/${config.HeartbeatPeriod}`

/** Rests for each part of reading: a tenant's changes take a fifth of the time at most. */
const restFactor = 4

/**
 * Reads configurations with their hashes, one at a time. Tenants take turns.
 * A gateway with 100,000 points takes seconds, and every change of a point asks for it again.
 */
export const openConfigReader = () => {
  const queued = boundedQueue({ concurrency: 1, backlog: Number.POSITIVE_INFINITY })
  const restsUntil = new Map<number, number>()
  return {
    read: (db: Db, id: number, tenant: number) =>
      queued(
        async () => {
          const began = performance.now()
          const config = { ...(await buildConfig(db, id)), ...(await buildSettings(db, id)) }
          const Hash = await configHash(config)
          const end = performance.now()
          restsUntil.set(tenant, Math.max(restsUntil.get(tenant) ?? 0, end) + (end - began) * restFactor)
          return { config, Hash, Fingerprint: fingerprint(config, Hash) }
        },
        { key: tenant },
      ),
    /** For how many ms the tenant's changes must wait. */
    restOf: (tenant: number) => Math.max(0, (restsUntil.get(tenant) ?? 0) - performance.now()),
  }
}
