// What a process beside the owner knows of the plant, and its way to the database.
import type { Logger } from 'pino'
import { openRegistry, type Registry } from '../areas/configuration/gateways/server/registry.ts'
import { applicationUrl, connect } from '../server/database/connect.ts'
import type { Database } from '../server/database/db.ts'
import { asApplication, poolUrl } from '../server/database/pooler.ts'
import { withReplica } from '../server/database/replica.ts'
import type { FollowedOwner } from '../server/fleet/followOwner.ts'
import type { News } from '../server/fleet/frames.ts'
import { hearNews } from '../server/fleet/news.ts'
import { serial } from '../server/jobs/serial.ts'
import type { Settings } from './settings.ts'

type DatabaseSettings = Pick<Settings, 'databasePoolUrl' | 'databaseReplicaUrl'> & { databaseUrl: string }

/** Connects without a lock, and without migrations. */
export const openFleetDatabase = async (
  { databaseUrl, databasePoolUrl, databaseReplicaUrl }: DatabaseSettings,
  log: Logger,
): Promise<Database> => {
  const pooled = databasePoolUrl !== undefined
  const own = connect(pooled ? await poolUrl(databasePoolUrl, databaseUrl) : applicationUrl(databaseUrl).url, 16, { pooled })
  return databaseReplicaUrl ? withReplica(own, connect(asApplication(databaseReplicaUrl, databaseUrl)), log) : own
}

type Needs = {
  owner: FollowedOwner
  database: Database
  log: Logger
  /** Hears the owner's news before their changes are followed, and after. */
  hear?: (news: News) => void
  heard?: (news: News) => void
  /** News were lost. */
  missed?: () => void
}

/** Resources whose rows the registry holds. */
const followed = new Set(['gateway', 'device', 'point'])

/** Loads gateways, devices and points, and follows the owner's news of them. After a gap it loads them again. */
export const openFollowedRegistry = async ({ owner, database, log, hear, heard, missed }: Needs) => {
  let current = await openRegistry(database)
  const moved = new Set<Parameters<Registry['onChange']>[0]>()
  const tellMoved: Parameters<Registry['onChange']>[0] = (...change) => {
    for (const listener of moved) listener(...change)
  }
  current.onChange(tellMoved)
  const inTurn = serial()
  const failed = (err: unknown) => log.error({ err }, 'A change could not be read')
  /** At once: the registry keeps their order, and reads what changed together in one query. One after the other, an import would hold up all others. */
  const follow = ({ changes }: News) =>
    Promise.all(changes.filter(({ resource }) => followed.has(resource)).map((change) => current.refresh(change).catch(failed)))
  const reload = async () => {
    current = await openRegistry(database)
    current.onChange(tellMoved)
  }
  const close = hearNews(
    owner.nats,
    owner.isOwner,
    (news) => {
      hear?.(news)
      for (const change of news.changes) database.system.emit(change)
      if (news.changes.length) void inTurn(() => follow(news))
      heard?.(news)
    },
    () => {
      void inTurn(reload).catch(failed)
      missed?.()
    },
  )
  const registry: Registry = {
    get: (id) => current.get(id),
    find: (...asked) => current.find?.(...asked),
    ofGateway: (sn) => current.ofGateway(sn),
    enterpriseOf: (sn) => current.enterpriseOf?.(sn),
    gateway: (sn) => current.gateway(sn),
    formerGateway: (sn) => current.formerGateway(sn),
    gatewayById: (id) => current.gatewayById(id),
    gateways: () => current.gateways(),
    device: (id) => current.device(id),
    devicesOf: (id) => current.devicesOf(id),
    pointsOf: (id) => current.pointsOf(id),
    all: () => current.all(),
    // Changes wait in turn before they are read.
    settled: () => inTurn(() => current.settled()),
    refresh: (change) => current.refresh(change),
    onChange: (listener) => {
      moved.add(listener)
      return () => void moved.delete(listener)
    },
  }
  return { registry, close }
}
