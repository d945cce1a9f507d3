// The engines below all areas, opened in the order that each needs.
import { join } from 'node:path'
import { sql } from 'kysely'
import { visiblePoints } from '../areas/analysis/telemetry/server/service.ts'
import { openRegistry, type Registry } from '../areas/configuration/gateways/server/registry.ts'
import { resources } from '../areas/index.ts'
import { retentionOf } from '../areas/people/enterprises/server/retention.ts'
import { createNotice } from '../areas/system/notices/server/service.ts'
import { openChannels } from '../server/channels/channels.ts'
import type { Context } from '../server/context.ts'
import type { Database } from '../server/database/db.ts'
import { seesPart } from '../server/identity/scopedRows.ts'
import { openSessions, type Sessions } from '../server/identity/sessions.ts'
import { openVault, vaultKey } from '../server/identity/vault.ts'
import { broadcastChanges } from '../server/live/changes.ts'
import { Hub } from '../server/live/hub.ts'
import { openTelemetry, type Telemetry } from '../server/telemetry/telemetry.ts'
import { acquireDatabase, type HeldLease } from './acquireDatabase.ts'
import { intoHub } from './flow.ts'
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

const openHub = (database: Database, sessions: Sessions, registry: Registry, telemetry: Telemetry, { log, steady, opened }: Needs): Hub => {
  const hub = new Hub({
    // A connection lives on, and comes back, without anybody there.
    authenticate: async (token, role) => {
      const who = token ? await sessions.who(token, false) : undefined
      return role && who && !('ended' in who) ? sessions.asRole(who, role) : who
    },
    // Live values need one of the screens that show them.
    visible: async (actor, ids) =>
      ['m10108', 'm10301', 'm10107', 'm10125'].some((code) => actor.may.has(code)) ? visiblePoints(database.as(actor), actor, ids) : [],
    latest: (id) => {
      const s = telemetry.latest.get(id)
      return s && [id, s.time, s.value, s.quality]
    },
    log,
    clock: steady,
  })
  sessions.onEnd((session, reason) => hub.endSessions((actor) => actor.session === session, reason))
  sessions.onChanged((of) => void hub.recheck(of))
  registry.onChange((changed, before) => {
    if (before && 'ProjectId' in changed && changed.ProjectId !== before.ProjectId) hub.pointMoved(changed.Id)
  })
  const permissions = new Map(resources.map((r) => [r.name, r.permission]))
  opened(broadcastChanges(database, hub, { permissionOf: (name) => permissions.get(name), seesPart }), (stop) => stop())
  intoHub(telemetry, hub)
  return hub
}

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
  const hub = openHub(database, sessions, registry, telemetry, needs)
  const vault = openVault(database, vaultKey(settings.data, settings.vaultKey))
  const bell: Parameters<typeof openChannels>[0]['bell'] = (m) => createNotice(database.system, m)
  const channels = opened(
    openChannels({ database, vault, settings, clock, log, isOwner, bell, files: join(settings.data, 'reports') }),
    (c) => c.delivery.stop(),
  )
  return { urls: { adminUrl, applicationUrl }, database, isOwner, sessions, registry, telemetry, hub, vault, channels }
}

export type Engines = Awaited<ReturnType<typeof openEngines>>
