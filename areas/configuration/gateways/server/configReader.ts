import type { Db } from '../../../../server/database/db.ts'
import type { Vault } from '../../../../server/identity/vault.ts'
import { boundedQueue } from '../../../../server/jobs/boundedQueue.ts'
import { openSecrets } from '../../channels/server/service.ts'
import { buildConfig, buildSettings, type Config, channelKey, configHash } from './config.ts'

/** Identifies a configuration: the heartbeat period is outside the hashed tables. */
const fingerprint = (config: Config, hash: string) => `${hash}/${config.HeartbeatPeriod}`

/** Pause per unit of reading time: a tenant's changes take at most a fifth of the time. */
const restFactor = 4

/** Replaces secrets by their vault keys: the stored push reveals no secret, but its hash changes with them. */
const withKeys = (config: Config): Config => ({
  ...config,
  Channels: config.Channels.map((c) => {
    const sealed = config.sealed.get(channelKey(c.CommType, c.Id))
    return sealed ? { ...c, Settings: { ...c.Settings, Secrets: sealed.Key } } : c
  }),
})

/** Adds the channel secrets for the gateway. `lost` names channels whose secrets were entered for another address. */
export const withSecrets = async (vault: Vault, enterprise: number, config: Config): Promise<{ config: Config; lost: string[] }> => {
  const lost: string[] = []
  const Channels: Config['Channels'] = []
  for (const c of config.Channels) {
    const key = channelKey(c.CommType, c.Id)
    const sealed = config.sealed.get(key)
    const secrets = sealed && (await openSecrets(vault, enterprise, sealed.Key, c))
    if (sealed && !secrets) lost.push(key)
    Channels.push(secrets ? { ...c, Settings: { ...c.Settings, ...secrets } } : c)
  }
  return { config: { ...config, Channels }, lost }
}

/**
 * Reads configurations with their hashes, one at a time. Tenants take turns.
 * A gateway with 100,000 points takes seconds, and every change of a point triggers another read.
 */
export const openConfigReader = () => {
  const queued = boundedQueue({ concurrency: 1, backlog: Number.POSITIVE_INFINITY })
  const restsUntil = new Map<number, number>()
  return {
    /** A configuration without its secrets, and its hash. */
    read: (db: Db, id: number, tenant: number) =>
      queued(
        async () => {
          const began = performance.now()
          const plain = { ...(await buildConfig(db, id)), ...(await buildSettings(db, id)) }
          const hash = await configHash(withKeys(plain))
          const end = performance.now()
          restsUntil.set(tenant, Math.max(restsUntil.get(tenant) ?? 0, end) + (end - began) * restFactor)
          return { config: plain, Hash: hash, Fingerprint: fingerprint(plain, hash) }
        },
        { key: tenant },
      ),
    /** Remaining pause for the tenant's changes, ms. */
    restOf: (tenant: number) => Math.max(0, (restsUntil.get(tenant) ?? 0) - performance.now()),
  }
}
