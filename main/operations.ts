// Running the platform: files, timers, logs, backup, monitoring; composed here so that the start stays readable.
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { forgetTrials } from '../areas/people/trial-users/server/service.ts'
import { forgetRemoved } from '../areas/pictures/flowcharts/server/service.ts'
import { scheduledPassphrase } from '../areas/system/backup/server/passphrase.ts'
import { backupRoutes } from '../areas/system/backup/server/routes.ts'
import { type BackupParts, openBackups } from '../areas/system/backup/server/service.ts'
import { fileRoutes } from '../areas/system/files/server/routes.ts'
import { startChain } from '../areas/system/logs/server/chain.ts'
import { openLogKeys, shareLogKeys } from '../areas/system/logs/server/keys.ts'
import { logRoutes } from '../areas/system/logs/server/routes.ts'
import { forgetBefore, verifyChain } from '../areas/system/logs/server/verify.ts'
import { openMachine } from '../areas/system/monitoring/server/machine.ts'
import { monitoringRoutes } from '../areas/system/monitoring/server/routes.ts'
import { startMonitoring } from '../areas/system/monitoring/server/service.ts'
import { forgetNotices, notify } from '../areas/system/notices/server/service.ts'
import { timerRoutes } from '../areas/system/timers/server/routes.ts'
import { type Methods, startTimers } from '../areas/system/timers/server/runner.ts'
import { seedTimers } from '../areas/system/timers/server/service.ts'
import { version } from '../contract/version.ts'
import type { Database } from '../server/database/db.ts'
import { openMonths } from '../server/database/monthly/months.ts'
import { Fault } from '../server/http/faults.ts'
import type { Probe } from '../server/http/health.ts'
import type { Sessions } from '../server/identity/sessions.ts'
import { platformEnterprise } from '../server/identity/setup.ts'
import { openVault, vaultKey } from '../server/identity/vault.ts'
import type { Telemetry } from '../server/telemetry/telemetry.ts'
import type { Stored } from './files.ts'
import type { Settings } from './settings.ts'

const dayMs = 86_400_000

export type OperationsParts = {
  settings: Pick<Settings, 'data' | 'databaseUrl' | 'vaultKey'>
  stored: Stored
  database: Database
  sessions: Sessions
  /** Owner's and application's sign-in. */
  urls: { adminUrl: string; applicationUrl: string }
  telemetry: Pick<Telemetry, 'keep' | 'disk' | 'snapshot'>
  restart?: BackupParts['restart']
  reports: { tick: () => Promise<{ made: number; failed: number }> }
  /** The engines, as `/readyz` asks them. */
  probes: readonly Probe[]
  clock: () => number
  log: { warn: (fields: object, text: string) => void }
}

/** The vault key, and the keys that sign the log; servers of one database share both. */
const openKeys = async ({ data, databaseUrl, vaultKey: given }: OperationsParts['settings'], database: Database) => {
  const key = vaultKey(data, given)
  const folder = join(data, 'keys')
  if (databaseUrl) await shareLogKeys(database, key, folder)
  return { key, keys: openLogKeys(folder) }
}

export const startOperations = async ({
  settings,
  stored,
  database,
  urls,
  sessions,
  telemetry,
  restart,
  reports,
  probes,
  clock,
  log,
}: OperationsParts) => {
  const db = database.system
  const { store, files } = stored
  const { key, keys } = await openKeys(settings, database)
  const chain = startChain({ database, keys, clock, log })
  const months = openMonths(urls.adminUrl, {
    log,
    missing: ({ table, month }) =>
      void notify(db, {
        ...{ EnterpriseId: platformEnterprise, BizType: 11, Wording: 'month', Source: `month/${table}/${month.toISOString()}` },
        ...{ WordValues: { Table: table, Month: month.toISOString().slice(0, 7) }, Permission: 'm10453' },
      }).catch((err: unknown) => log.warn({ err }, 'the notice of a missing month could not be made')),
  })

  const scheduled = scheduledPassphrase(database, openVault(database, key))
  const backups = await openBackups({
    data: settings.data,
    vaultKey: key,
    urls,
    telemetry,
    files: store,
    clock,
    log,
    restart,
  })
  const byTimer = { UserId: null, EnterpriseId: platformEnterprise, UserNO: null }
  const backup = async (kind: 'db' | 'files', keep: number) => {
    const made = await backups.backup(kind, byTimer, await scheduled.get())
    const { Name, Size } = 'Archive' in made ? { Name: made.Name, Size: made.Archive.Size } : made
    await backups.prune(kind, keep)
    return { Wording: 'backedUp', WordValues: { name: Name, megabytes: Math.ceil(Size / 1024 / 1024) } }
  }
  const daysAgo = (days: number) => new Date(clock() - days * dayMs)
  const removed = (count: number) => ({ Wording: 'removed', WordValues: { count } })
  const methods: Methods = {
    backupDb: ({ keep }) => backup('db', keep),
    backupResource: ({ keep }) => backup('files', keep),
    async cleanLogs({ keep }) {
      const { removed: count, unsound } = await forgetBefore(database, urls.adminUrl, keys, daysAgo(keep), clock)
      if (unsound) throw new Fault('logUnsound', { count: unsound })
      return removed(count)
    },
    async verifyLogs() {
      let [count, unsound] = [0, 0]
      for (const { EnterpriseId } of await db.rows<{ EnterpriseId: number }>(sql`select "EnterpriseId" from change_head`)) {
        const { Entries, Sound } = await verifyChain(database, keys, EnterpriseId)
        count += Entries
        if (!Sound) unsound++
      }
      if (unsound) throw new Fault('logUnsound', { count: unsound })
      return { Wording: 'verified', WordValues: { count } }
    },
    cleanSessions: async ({ keep }) =>
      removed((await sessions.sweep(daysAgo(keep))) + (await forgetTrials(database, sessions, daysAgo(0)))),
    cleanNotices: async ({ keep }) => removed(await forgetNotices(db, daysAgo(keep))),
    cleanFiles: async () => removed(await files.sweep()),
    async settleTelemetry() {
      await telemetry.keep()
      return { Wording: 'settled', WordValues: { megabytes: Math.ceil(telemetry.disk().used / 1024 / 1024) } }
    },
    reports: async () => ({ Wording: 'reported', WordValues: await reports.tick() }),
  }
  const monitoring = startMonitoring({ database, machine: openMachine(settings.data), probes, version, clock, log })
  /** Housekeeping in every installation, independent of its timers: files of removed records each minute, all else each hour. */
  let minutes = 0
  const cleaning = setInterval(() => {
    const hourly = minutes++ % 60 === 0
    void (hourly ? files.sweep() : files.release()).catch((err) => log.warn({ err }, 'files not cleaned up'))
    if (hourly) void forgetRemoved(db, clock()).catch((err) => log.warn({ err }, 'removed pictures not cleaned up'))
  }, 60_000).unref()
  const timers = startTimers({ database, clock, log, methods })
  return {
    routes: [
      (api: FastifyInstance) => fileRoutes(api, files, sessions),
      (api: FastifyInstance) => timerRoutes(api, timers, clock),
      (api: FastifyInstance) => logRoutes(api, database, keys),
      (api: FastifyInstance) => backupRoutes(api, backups, scheduled, database),
      (api: FastifyInstance) => monitoringRoutes(api, monitoring),
    ],
    months,
    /** Once the platform has its tenant. */
    seed: () => seedTimers(database, platformEnterprise, clock),
    close: async () => {
      clearInterval(cleaning)
      await timers.close()
      await backups.close()
      await monitoring.close()
      await chain.close()
      await months.close()
    },
  }
}
