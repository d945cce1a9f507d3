// The database of this process, and of no other one as long as it runs.
import { join } from 'node:path'
import type { Logger } from 'pino'
import { settleReadings } from '../areas/system/backup/server/archive/restore.ts'
import { connect } from '../server/database/connect.ts'
import { startPostgres } from '../server/database/embedded.ts'
import { type Lease, openLease } from '../server/database/lease.ts'
import { migrate } from '../server/database/migrate.ts'
import { asApplication, poolUrl } from '../server/database/pooler.ts'
import { withReplica } from '../server/database/replica.ts'
import { openStandby, standsBy } from '../server/http/standby.ts'
import { agreeOnVaultKey, compareVaultKey } from '../server/identity/sharedVault.ts'
import { vaultKey } from '../server/identity/vault.ts'
import type { Settings } from './settings.ts'
import type { timeSteps } from './steps.ts'

/** The lease of who holds it over several starts. Without one, the lease ends with the server. */
export type HeldLease = { lease: Lease; onStandby?: (() => void) | undefined; onStep?: ((step: string) => void) | undefined }

type Needs = {
  settings: Settings
  log: Logger
  opened: <T>(thing: T, undo: (thing: T) => unknown) => T
  steps: Pick<ReturnType<typeof timeSteps>, 'over' | 'waited'>
  heldLease: HeldLease | undefined
  onLost: () => void
}

/**
 * PostgreSQL, its lock, its tables of this version, in this order: a newer version on standby changes nothing under an older one
 * that works.
 */
export const acquireDatabase = async ({ settings, log, opened, steps, heldLease, onLost }: Needs) => {
  const { databaseUrl, databasePoolUrl, databaseReplicaUrl } = settings
  const adminUrl = databaseUrl ?? opened(await startPostgres({ folder: join(settings.data, 'postgres'), log }), (p) => p.stop()).url
  steps.over('database')
  const lease = heldLease?.lease ?? openLease(log, onLost)
  if (!heldLease || !databaseUrl) opened(lease, (l) => l.release())
  const key = vaultKey(settings.data, settings.vaultKey)
  await lease.hold(adminUrl, async () => {
    await compareVaultKey(adminUrl, key)
    const stop = await openStandby(settings)
    log.info(standsBy)
    heldLease?.onStandby?.()
    return async () => {
      await stop()
      steps.waited()
    }
  })
  steps.over('lock')
  await settleReadings(adminUrl, settings.data)
  const applicationUrl = await migrate(adminUrl)
  const pooled = databasePoolUrl !== undefined
  const url = pooled ? await poolUrl(databasePoolUrl, adminUrl) : applicationUrl
  const own = connect(url, 16, { pooled })
  const replica = databaseReplicaUrl ? connect(asApplication(databaseReplicaUrl, adminUrl)) : undefined
  const database = opened(replica ? withReplica(own, replica, log) : own, (d) => d.close())
  if (databaseUrl) await agreeOnVaultKey(own, key)
  steps.over('migrations')
  // The embedded PostgreSQL belongs to the data folder, which is locked, so no other process takes it over while it is down.
  return { adminUrl, applicationUrl, database, isOwner: databaseUrl ? lease.isOwner : () => true, sign: () => lease.sign(database) }
}
