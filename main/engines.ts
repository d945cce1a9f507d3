// The engines below all areas, opened in the order that each needs.
import { join } from 'node:path'
import { sql } from 'kysely'
import { openRegistry, type Registry } from '../areas/configuration/gateways/server/registry.ts'
import { retentionOf } from '../areas/people/enterprises/server/retention.ts'
import { createNotice } from '../areas/system/notices/server/service.ts'
import type { LiveValue } from '../contract/hub.ts'
import { openChannels } from '../server/channels/channels.ts'
import type { Context } from '../server/context.ts'
import type { Database } from '../server/database/db.ts'
import { openSessions } from '../server/identity/sessions.ts'
import { openVault, vaultKey } from '../server/identity/vault.ts'
import { openTelemetry } from '../server/telemetry/telemetry.ts'
import { acquireDatabase, type HeldLease } from './acquireDatabase.ts'
import { intoHub } from './flow.ts'
import { openHub } from './hub.ts'
import { lockFolder } from './lock.ts'
import { closeFolder } from './privacy.ts'
import type { Settings } from './settings.ts'
import type { timeSteps } from './steps.ts'

type Needs = Pick<Context, 'log' | 'clock' | 'steady' | 'opened'> & {
  settings: Settings
  steps: ReturnType<typeof timeSteps>
  heldLease: HeldLease | undefined
  onLost: () => void
}

/** Includes removed points: their readings stay until the tenant's retention ends. */
const allPoints = async (database: Database, registry: Registry) => [
  ...registry.all(),
  ...(await database.system.rows<{ Id: number; EnterpriseId: number }>(sql`select "Id", "EnterpriseId" from point_removed`)),
]

export const clickhouseOf = ({ clickhouseUrl: url, clickhouseCluster: cluster, clickhouseQuorum: quorum }: Settings) =>
  cluster ? { cluster, quorum } : url ? { url } : undefined

/** Locks the data folder and the database, and opens the engines that areas use. */
export const openEngines = async (needs: Needs) => {
  const { settings, log, clock, steady, opened, steps, heldLease, onLost } = needs
  opened(await lockFolder(settings.data), (unlock) => unlock())
  const foreign = closeFolder(settings.data)
  if (foreign) log.warn({ path: foreign }, 'files of the data folder belong to another account, and stay as open as they are')
  const { adminUrl, applicationUrl, database, isOwner, sign } = await acquireDatabase({ settings, log, opened, steps, heldLease, onLost })
  const sessions = opened(await openSessions(database, steady, clock), (s) => s.close())
  const registry = await openRegistry(database)
  steps.over('registry')
  const telemetry = opened(
    await openTelemetry({
      folder: join(settings.data, 'telemetry'),
      clickhouse: clickhouseOf(settings),
      registry,
      clock,
      log,
      isOwner,
      retention: await retentionOf(database),
      points: () => allPoints(database, registry),
      diskBudgetBytes: settings.diskGb * 1024 ** 3,
    }),
    (t) => t.close(),
  )
  // Not in a database whose readings are of a newer version: that is left as it is.
  await sign()
  steps.over('readings')
  const newest = (id: number): LiveValue | undefined => {
    const s = telemetry.latest.get(id)
    return s && [id, s.time, s.value, s.quality]
  }
  const hub = openHub({ database, sessions, onPointChange: registry.onChange, log, clock: steady, opened }, { latest: newest })
  intoHub(telemetry, hub)
  const vault = openVault(database, vaultKey(settings.data, settings.vaultKey))
  const bell: Parameters<typeof openChannels>[0]['bell'] = (m) => createNotice(database.system, m)
  const channels = opened(
    openChannels({ database, vault, settings, clock, log, isOwner, bell, files: join(settings.data, 'reports') }),
    (c) => c.delivery.stop(),
  )
  return { urls: { adminUrl, applicationUrl }, database, isOwner, sessions, registry, telemetry, hub, vault, channels }
}

export type Engines = Awaited<ReturnType<typeof openEngines>>
