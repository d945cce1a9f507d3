// The role `api` alone: serves the console, answers lists, charts and figures from PostgreSQL and ClickHouse, and forwards all other calls to
// the server that owns the database. It stores nothing and has no background work.
import type { Logger } from 'pino'
import { readingRoutes } from '../areas/analysis/telemetry/server/routes.ts'
import { notifyRateLimit } from '../areas/configuration/capacity/server/floods.ts'
import { openRegistry } from '../areas/configuration/gateways/server/registry.ts'
import { consumptionRoutes } from '../areas/energy/consumption/server/routes.ts'
import { retentionOf } from '../areas/people/enterprises/server/retention.ts'
import { applicationUrl, connect } from '../server/database/connect.ts'
import type { Database } from '../server/database/db.ts'
import { asApplication, poolUrl } from '../server/database/pooler.ts'
import { withReplica } from '../server/database/replica.ts'
import type { BrokerEnd } from '../server/fleet/brokerEnd.ts'
import { type FollowedOwner, followOwner } from '../server/fleet/followOwner.ts'
import type { News } from '../server/fleet/frames.ts'
import { hearNews } from '../server/fleet/news.ts'
import { type Figure, healthRoutes } from '../server/http/health.ts'
import { openLimits, standardLimits } from '../server/http/limits.ts'
import { openRelay } from '../server/http/relay.ts'
import { tlsOf } from '../server/http/tls.ts'
import { openSessions, type Sessions } from '../server/identity/sessions.ts'
import { compareVaultKey } from '../server/identity/sharedVault.ts'
import { openVault, parseVaultKey } from '../server/identity/vault.ts'
import { serial } from '../server/jobs/serial.ts'
import { openTelemetryReader } from '../server/telemetry/reader.ts'
import { buildApp } from './app.ts'
import { clickhouseOf } from './engines.ts'
import { processFigures } from './gatewayProcess.ts'
import { localCalls } from './localCalls.ts'
import type { Settings } from './settings.ts'

type Needs = {
  settings: Settings & { natsUrl: string; databaseUrl: string; vaultKey: string }
  log: Logger
  isStopping: () => boolean
  /** The broker of a process with the role `gateway`, too. */
  broker?: BrokerEnd | undefined
}
type Opened = <T>(thing: T, undo: (thing: T) => unknown) => T
const clock = Date.now

const openDatabase = async ({ databaseUrl, databasePoolUrl, databaseReplicaUrl }: Needs['settings'], log: Logger): Promise<Database> => {
  const pooled = databasePoolUrl !== undefined
  const own = connect(pooled ? await poolUrl(databasePoolUrl, databaseUrl) : applicationUrl(databaseUrl).url, 16, { pooled })
  return databaseReplicaUrl ? withReplica(own, connect(asApplication(databaseReplicaUrl, databaseUrl)), log) : own
}

/** The plant and everybody's rights, as the owner tells of changes to them. */
const openMirror = async (owner: FollowedOwner, database: Database, sessions: Sessions, log: Logger) => {
  let registry = await openRegistry(database)
  const inTurn = serial()
  const failed = (err: unknown) => log.error({ err }, 'A change could not be read')
  const follow = async ({ changes }: News) => {
    for (const change of changes) await registry.refresh(change).catch(failed)
  }
  const reload = async () => {
    registry = await openRegistry(database)
  }
  const hear = (news: News) => {
    for (const { ids, reason } of news.ended) sessions.gone(ids, reason)
    if (news.rights) sessions.changed(() => true)
    for (const change of news.changes) database.system.emit(change)
    if (news.changes.length) void inTurn(() => follow(news))
  }
  const missed = () => {
    sessions.changed(() => true)
    void inTurn(reload).catch(failed)
  }
  return { point: (id: number) => registry.get(id), close: hearNews(owner.nats, owner.isOwner, hear, missed) }
}

const callFigure = (counts: Record<string, number>): Figure => ({
  name: 'http_requests_total',
  help: 'Requests that this process answered itself, or forwarded to the owner',
  read: () => Object.entries(counts).map(([way, value]) => ({ labels: { way }, value })),
})

const openAll = async ({ settings, log, isStopping, broker }: Needs, opened: Opened) => {
  const key = parseVaultKey(settings.vaultKey)!
  const owner = opened(await followOwner(settings.natsUrl, log), (o) => o.close())
  await owner.wait(isStopping)
  await compareVaultKey(settings.databaseUrl, key)
  const database = opened(await openDatabase(settings, log), (d) => d.close())
  const sessions = opened(await openSessions(database, () => performance.now(), clock), (s) => s.close())
  const mirror = opened(await openMirror(owner, database, sessions, log), (m) => m.close())
  const reader = { clickhouse: clickhouseOf(settings)!, clock, retention: await retentionOf(database), registry: { get: mirror.point } }
  const telemetry = opened(await openTelemetryReader(reader), (t) => t.close())

  const counts = { own: 0, forwarded: 0 }
  let isLocal: ReturnType<typeof localCalls> = () => false
  const relay = openRelay({
    target: owner.target,
    isOwn: (method, path) => !/^\/api(\/|$)/i.test(path) || (owner.hasOwnTables() && isLocal(method, path)),
    count: (way) => counts[way]++,
  })
  const probes = [
    { name: 'database', ready: database.ready },
    { name: 'telemetry', ready: telemetry.ready },
    { name: 'owner', ready: () => owner.target() !== undefined },
    ...(broker?.probes ?? []),
  ]
  const figures = [callFigure(counts), ...(broker ? processFigures(broker) : [])]
  const { trustProxy, metricsToken, offline } = settings
  const https = tlsOf(settings)
  const app = opened(
    await buildApp({
      ...{ database, sessions, vault: openVault(database, key), clock, logger: log, trustProxy, offline },
      limits: openLimits(standardLimits(settings.callsPerSecond), notifyRateLimit(database, log, clock)),
      serverFactory: relay.serverFactory,
      ...(https ? { https } : {}),
      areas: [
        (api) => readingRoutes(api, telemetry),
        (api) => consumptionRoutes(api, { telemetry, clock, paper: { font: settings.reportFont } }),
      ],
      root: [(root) => healthRoutes(root, { probes, figures, metricsToken, trustProxy })],
    }),
    (a) => a.close(),
  )
  // Before the app, which waits for every connection to end.
  opened(relay, (r) => r.end())
  isLocal = localCalls(app)
  await app.listen({ host: settings.host, port: settings.port })
}

/** Starts the process once a server of this version owns the database. Returns a close function. */
export const openApiProcess = async (needs: Needs) => {
  const closers: (() => unknown)[] = []
  const close = async () => {
    for (const undo of closers.splice(0).reverse()) await undo()
  }
  const opened: Opened = (thing, undo) => {
    closers.push(() => undo(thing))
    return thing
  }
  await openAll(needs, opened).catch(async (error) => {
    await close()
    throw error
  })
  return close
}
