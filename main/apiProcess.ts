// The role `api` alone: serves the console, answers lists, records, charts and figures from PostgreSQL and ClickHouse, and forwards all other calls to
// the owner of the database. Stores nothing and runs no background jobs.
import type { Server } from 'node:http'
import type { Logger } from 'pino'
import { notifyRateLimit } from '../areas/configuration/capacity/server/floods.ts'
import { panelSocketPath } from '../areas/configuration/device-vnc/contract.ts'
import { retentionOf } from '../areas/people/enterprises/server/retention.ts'
import type { Context } from '../server/context.ts'
import type { Database } from '../server/database/db.ts'
import type { BrokerEnd } from '../server/fleet/brokerEnd.ts'
import { type FollowedOwner, followOwner } from '../server/fleet/followOwner.ts'
import type { News } from '../server/fleet/frames.ts'
import { newMemberName } from '../server/fleet/natsConnection.ts'
import { shareLimits } from '../server/fleet/sharedLimits.ts'
import { openWatches } from '../server/fleet/watches.ts'
import { Fault } from '../server/http/faults.ts'
import { type Figure, healthRoutes } from '../server/http/health.ts'
import { openLimits, standardLimits } from '../server/http/limits.ts'
import { openRelay } from '../server/http/relay.ts'
import { tlsOf } from '../server/http/tls.ts'
import { openSessions, type Sessions } from '../server/identity/sessions.ts'
import { compareVaultKey } from '../server/identity/sharedVault.ts'
import { openVault, parseVaultKey } from '../server/identity/vault.ts'
import { type Hub, hubPath } from '../server/live/hub.ts'
import { negotiateRoute } from '../server/live/negotiate.ts'
import { sendAgain } from '../server/live/sent.ts'
import { openTelemetryReader } from '../server/telemetry/reader.ts'
import { buildApp } from './app.ts'
import { openProcess } from './closers.ts'
import { clickhouseOf } from './engines.ts'
import { openFleetDatabase, openFollowedRegistry } from './followedRegistry.ts'
import { processFigures } from './gatewayProcess.ts'
import { openHub } from './hub.ts'
import { figureAreas, localCalls } from './localCalls.ts'
import type { Settings } from './settings.ts'

type Needs = {
  settings: Settings & { natsUrl: string; databaseUrl: string; vaultKey: string }
  log: Logger
  isStopping: () => boolean
  /** The broker of a process with the role `gateway`, too. */
  broker?: BrokerEnd | undefined
}
type Opened = Context['opened']
const clock = Date.now
const negotiatePath = `${hubPath}/negotiate`
/** Calls, and `/write` of external senders. All other paths are files of the console. */
const callPath = /^\/(api|write)(\/|$)/i

type Live = { hub: () => Hub | undefined; watches: ReturnType<typeof openWatches> }
type Mirrored = { owner: FollowedOwner; database: Database; sessions: Sessions; log: Logger }
/** Keeps registry, sessions and consoles up to date with the owner's news. */
const openMirror = ({ sessions, ...mirrored }: Mirrored, { hub, watches }: Live) => {
  const hear = (news: News) => {
    for (const { ids, reason } of news.ended) sessions.gone(ids, reason)
    const { rights } = news
    for (const whose of Array.isArray(rights) ? rights : rights ? (['all'] as const) : []) sessions.changed(whose)
  }
  const heard = (news: News) => {
    watches.take(news.values)
    const consoles = hub()
    if (!consoles) return
    consoles.pushValues(news.values)
    for (const sent of news.sent) sendAgain(consoles, sent)
  }
  const missed = () => {
    sessions.changed('all')
    renewConsoles(hub(), watches)
  }
  return openFollowedRegistry({ ...mirrored, hear, heard, missed })
}

/** Makes consoles reconnect, resubscribe and refetch, because messages may be lost. */
const renewConsoles = (hub: Hub | undefined, watches: Live['watches']) => {
  watches.reset()
  hub?.endSessions(() => true, 'renewed')
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
  const database = opened(await openFleetDatabase(settings, log), (d) => d.close())
  const sessions = opened(await openSessions(database, () => performance.now(), clock), (s) => s.close())
  const process = newMemberName()
  let hub: Hub | undefined
  const renew = () => renewConsoles(hub, watches)
  const watches: Live['watches'] = opened(openWatches({ nats: owner.nats, process, owner: owner.name, missed: renew }), (w) => w.close())
  const mirror = opened(await openMirror({ owner, database, sessions, log }, { hub: () => hub, watches }), (m) => m.close())
  const steady = () => performance.now()
  hub = openHub(
    { database, sessions, onPointChange: mirror.registry.onChange, log, clock: steady, opened },
    { latest: watches.latest, watches },
  )
  // Without live values, consoles must show that they are disconnected.
  owner.onAway(renew)
  const reader = { clickhouse: clickhouseOf(settings)!, clock, retention: await retentionOf(database), registry: mirror.registry }
  const telemetry = opened(await openTelemetryReader(reader), (t) => t.close())

  const counts = { own: 0, forwarded: 0 }
  let isLocal: ReturnType<typeof localCalls> = () => false
  const relay = openRelay({
    target: owner.target,
    trustProxy: settings.trustProxy,
    isOwn: (method, path) =>
      !callPath.test(path) || path.toLowerCase() === negotiatePath || (owner.hasOwnTables() && isLocal(method, path)),
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
  const limits = openLimits(standardLimits(settings.callsPerSecond), notifyRateLimit(database, log, clock))
  opened(shareLimits({ nats: owner.nats, process, limits }), (stop) => stop())
  const app = opened(
    await buildApp({
      ...{ database, sessions, vault: openVault(database, key), clock, logger: log, trustProxy, offline },
      limits,
      relay,
      ...(https ? { https } : {}),
      areas: [
        ...figureAreas({ telemetry, clock, reportFont: settings.reportFont }),
        (api) =>
          void negotiateRoute(api, {
            negotiate: (...asked) => (owner.target() ? hub.negotiate(...asked) : Promise.reject(new Fault('unavailable'))),
          }),
      ],
      root: [(root) => healthRoutes(root, { probes, figures, metricsToken, trustProxy })],
    }),
    (a) => a.close(),
  )
  // Close before the app, which waits for open connections.
  opened(hub, (h) => h.close())
  opened(relay, (r) => r.end())
  hub.attach(app.server as Server, { [panelSocketPath]: relay.door })
  isLocal = localCalls(app)
  await app.listen({ host: settings.host, port: settings.port })
}

/** Waits for an owner of this version, then starts the process. Returns a close function. */
export const openApiProcess = (needs: Needs) => openProcess(needs.log, (opened) => openAll(needs, opened))
