// Composition: engines first, then what stands on them; closed in the opposite order.
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import * as alarmSettings from '../areas/alarms/alarm-settings/server/service.ts'
import { startActions } from '../areas/alarms/alarms/server/alarming/actions/runner.ts'
import { startPushes } from '../areas/alarms/alarms/server/alarming/push/runner.ts'
import { startWebhooks } from '../areas/alarms/alarms/server/alarming/webhooks/runner.ts'
import { alarmRoutes } from '../areas/alarms/alarms/server/routes.ts'
import { alarmRuleRoutes } from '../areas/alarms/alarms/server/ruleRoutes.ts'
import { startAlarms } from '../areas/alarms/alarms/server/runner.ts'
import { startShelf } from '../areas/alarms/alarms/server/shelf.ts'
import { webhookRoutes } from '../areas/alarms/alarms/server/webhooks.ts'
import { telemetryRoutes } from '../areas/analysis/telemetry/server/routes.ts'
import { visiblePoints } from '../areas/analysis/telemetry/server/service.ts'
import { watchDisk } from '../areas/configuration/capacity/server/disk.ts'
import { tellFloods } from '../areas/configuration/capacity/server/floods.ts'
import { openRegistry } from '../areas/configuration/gateways/server/registry.ts'
import { gatewayRoutes } from '../areas/configuration/gateways/server/routes.ts'
import { openGateways, type UplinkHandlers } from '../areas/configuration/gateways/server/service.ts'
import { pointRoutes } from '../areas/configuration/points/server/routes.ts'
import { resources } from '../areas/index.ts'
import { openGeocoder } from '../areas/people/agents/server/geocoder.ts'
import { retentionOf } from '../areas/people/enterprises/server/retention.ts'
import { openStanding } from '../areas/people/enterprises/server/standing.ts'
import { trialRoutes } from '../areas/people/trial-users/server/routes.ts'
import { trialService } from '../areas/people/trial-users/server/service.ts'
import { exportTaskRoutes } from '../areas/system/exports/server/taskRoutes.ts'
import { openExports } from '../areas/system/exports/server/tasks.ts'
import { firewallRoutes } from '../areas/system/firewall/server/routes.ts'
import { firewallService } from '../areas/system/firewall/server/service.ts'
import { messageRoutes } from '../areas/system/message-templates/server/routes.ts'
import { noticeRoutes } from '../areas/system/notices/server/routes.ts'
import { startNotices } from '../areas/system/notices/server/runner.ts'
import { ringBell } from '../areas/system/notices/server/service.ts'
import { wechatRoutes } from '../areas/system/wechat/server/routes.ts'
import { wechatService } from '../areas/system/wechat/server/service.ts'
import { wechatSignIn } from '../areas/system/wechat/server/signIn.ts'
import { openChannels } from '../server/channels/channels.ts'
import { healthRoutes } from '../server/http/health.ts'
import { openLimits, standardLimits } from '../server/http/limits.ts'
import { tlsOf } from '../server/http/tls.ts'
import { seesPart } from '../server/identity/scopedRows.ts'
import { openSessions } from '../server/identity/sessions.ts'
import { firstStart } from '../server/identity/setup.ts'
import { openVault, vaultKey } from '../server/identity/vault.ts'
import { tellChanges } from '../server/live/changes.ts'
import { createHub } from '../server/live/hub.ts'
import { negotiateRoute } from '../server/live/negotiate.ts'
import { startEmbedded } from '../server/mqtt/embedded.ts'
import { startExternal } from '../server/mqtt/external.ts'
import { paged } from '../server/resource/list.ts'
import { openTelemetry } from '../server/telemetry/telemetry.ts'
import { buildApp } from './app.ts'
import { figuresOf } from './figures.ts'
import { lockFolder } from './lock.ts'
import { startOperations } from './operations.ts'
import { type Held, openOwned } from './owned.ts'
import { closeFolder } from './privacy.ts'
import type { Settings } from './settings.ts'
import { timeSteps } from './steps.ts'

/** Durations are measured with a clock that nobody sets: neither an administrator nor summer time. */
const steady = () => performance.now()

/** Closes the server, works with the database that is left, and starts it again. */
export type Restart = (work: (adminUrl: string) => Promise<void>) => void
export type Started = Awaited<ReturnType<typeof startServer>>

/** Starts everything that the settings name, once no other process works on the database. What was opened before something failed is closed again. */
export const startServer = async (settings: Settings, log: Logger, clock: () => number = Date.now, restart?: Restart, held?: Held) => {
  const closers: (() => unknown)[] = []
  const close = async () => {
    for (const undo of closers.splice(0).reverse())
      try {
        await undo()
      } catch (err) {
        log.error({ err }, 'closing')
      }
  }
  const opened = <T>(thing: T, undo: (thing: T) => unknown): T => {
    closers.push(() => undo(thing))
    return thing
  }

  const steps = timeSteps(log, steady)
  let complete = false
  try {
    opened(await lockFolder(settings.data), (unlock) => unlock())
    const foreign = closeFolder(settings.data)
    if (foreign) log.warn({ path: foreign }, 'files of the data folder belong to another account, and stay as open as they are')
    const { adminUrl, applicationUrl, database, isOwner, sign } = await openOwned({
      ...{ settings, log, opened, steps, held },
      onLost: () => void close(),
    })
    const sessions = opened(await openSessions(database, steady, clock), (s) => s.close())
    const registry = await openRegistry(database)
    steps.over('registry')

    const telemetry = opened(
      await openTelemetry({
        folder: join(settings.data, 'telemetry'),
        clickhouseUrl: settings.clickhouseUrl,
        registry,
        clock,
        log,
        isOwner,
        retention: await retentionOf(database),
        points: async () => [
          ...registry.all(),
          ...(await database.system.rows<{ Id: number; EnterpriseId: number }>(sql`select "Id", "EnterpriseId" from point_removed`)),
        ],
        diskBudgetBytes: settings.diskGb * 1024 ** 3,
      }),
      (t) => t.close(),
    )
    // Not in a database whose readings are of a newer version: that is left as it is.
    await sign()
    steps.over('readings')
    const latestOf = (id: number) => {
      const s = telemetry.latest.get(id)
      return s && { Time: s.time, Value: s.value, Quality: s.quality }
    }

    const hub = createHub({
      // A connection lives on, and comes back, without anybody there.
      authenticate: async (token, role) => {
        const who = token ? await sessions.who(token, false) : undefined
        return role && who && !('ended' in who) ? sessions.asRole(who, role) : who
      },
      // Live values need one of the screens that show them.
      visible: async (actor, ids) =>
        ['m10108', 'm10301', 'm10107'].some((code) => actor.may.has(code)) ? visiblePoints(database.as(actor), actor, ids) : [],
      latest: (id) => {
        const s = telemetry.latest.get(id)
        return s && [id, s.time, s.value, s.quality]
      },
      log,
      clock: steady,
    })
    sessions.onEnd((session, reason) => hub.endSessions((actor) => actor.session === session, reason))
    sessions.onChanged((of) => void hub.recheck(of).catch((err) => log.warn({ err }, 'hub sessions not rechecked')))
    const permissions = new Map(resources.map((r) => [r.name, r.permission]))
    opened(tellChanges(database, hub, { permissionOf: (name) => permissions.get(name), seesPart }), (stop) => stop())

    const standing = opened(await openStanding(database, clock), (s) => s.close())
    const exports = opened(await openExports({ database, sessions, folder: join(settings.data, 'exports'), log, clock }), (e) => e.close())
    const notices = opened(startNotices({ database, hub, log }), (n) => n.stop())
    const alarms = opened(
      startAlarms({
        database,
        registry,
        telemetry: {
          onStored: (listener) => telemetry.ingest.onStored((rows, live) => live && listener(rows)),
          since: telemetry.since,
          newest: telemetry.latest.get,
        },
        hub,
        log,
        clock,
      }),
      (a) => a.stop(),
    )
    opened(startShelf({ database, log, clock }), (s) => s.stop())
    opened(watchDisk({ database, telemetry, hub, log, clock }), (d) => d.stop())
    const vault = openVault(database, vaultKey(settings.data))
    const channels = opened(
      openChannels({ database, vault, settings, clock, log, isOwner, bell: (m) => ringBell(database.system, m) }),
      (c) => c.delivery.stop(),
    )
    opened(startPushes({ database, delivery: channels.delivery, clock, own: alarmSettings, log }), (p) => p.stop())
    opened(startWebhooks({ database, delivery: channels.delivery, clock, log }), (w) => w.stop())
    telemetry.latest.onMoved((rows) => hub.pushValues(rows.map((r) => [r.point, r.time, r.value, r.quality])))

    const tls = tlsOf(settings)
    const brokers = {
      embedded: (handlers: UplinkHandlers) =>
        startEmbedded({ host: settings.host, port: settings.mqttPort, ...(tls ? { tls } : {}), ...handlers }),
      external: (handlers: UplinkHandlers) =>
        startExternal({ url: settings.mqttUrl!, clientId: `penstock-${sessions.installation}`, ...handlers }),
    }
    const gateways = opened(
      await openGateways({
        database,
        registry,
        now: clock,
        steady,
        log,
        ingest: telemetry.ingest.accept,
        stores: standing.stores,
        reject: (rejected) => telemetry.rejected.add([rejected]),
        startUplink: settings.mqttUrl ? brokers.external : brokers.embedded,
        evidence: {
          latest: latestOf,
          lastStored: async (ids) =>
            ids.reduce<number | undefined>(
              (newest, id) => Math.max(newest ?? 0, telemetry.latest.get(id)?.time ?? 0) || undefined,
              undefined,
            ),
          rejections: async (EnterpriseId, SN) =>
            [
              ...Map.groupBy(
                telemetry.rejected.list({ EnterpriseId, SN, page: 1, size: 1000 }).Items.filter((r) => r.received > clock() - 3_600_000),
                (r) => r.reason,
              ),
            ].map(([reason, rows]) => ({ reason, count: rows.length })),
        },
      }),
      (g) => g.close(),
    )
    const brokerPort = () => ('port' in gateways.uplink ? (gateways.uplink.port as number) : settings.mqttPort)
    steps.over('gateways')
    opened(startActions({ database, delivery: channels.delivery, write: gateways.writeForAlarm, clock, log, isOwner }), (a) => a.stop())
    telemetry.latest.onMoved(gateways.stored)
    telemetry.ingest.onStored((rows, live) => live && gateways.timed(rows))

    const probes = [
      // The first account is made last.
      { name: 'start', ready: () => complete },
      { name: 'database', ready: async () => isOwner() && (await database.ready()) },
      { name: 'telemetry', ready: telemetry.ready },
      { name: 'disk', ready: () => !telemetry.disk().full },
      { name: 'broker', ready: gateways.uplink.ready },
    ]
    const operations = opened(
      await startOperations({ settings, database, urls: { adminUrl, applicationUrl }, sessions, telemetry, restart, probes, clock, log }),
      (o) => o.close(),
    )
    const limits = openLimits(standardLimits(settings.callsPerSecond), tellFloods(database, log, clock))
    const app = opened(
      await buildApp({
        database,
        sessions,
        vault,
        clock,
        logger: log,
        trustProxy: settings.trustProxy,
        limits,
        geocode: openGeocoder(database, settings.baiduMapUrl),
        wechat: await wechatSignIn({ database, vault, clock, url: settings.url, ...channels }),
        ...(tls ? { https: tls } : {}),
        areas: [
          ...operations.routes,
          pointRoutes,
          (api) => telemetryRoutes(api, telemetry),
          alarmRoutes,
          (api) => exportTaskRoutes(api, exports),
          (api) => alarmRuleRoutes(api, { registry, newest: telemetry.latest.get, read: telemetry.read, clock }),
          (api) => noticeRoutes(api, notices.changed),
          (api) => firewallRoutes(api, firewallService(database, settings.firewall)),
          (api) => messageRoutes(api, channels.delivery),
          (api) => webhookRoutes(api, { database, vault, delivery: channels.delivery }),
          (api) => trialRoutes(api, trialService(database, sessions, channels.delivery, clock)),
          (api) => wechatRoutes(api, wechatService({ database, vault, clock, url: settings.url, ...channels })),
          (api) => void negotiateRoute(api, hub),
          (api) =>
            gatewayRoutes(api, {
              gateways,
              address: (request) => ({ Host: settings.url ? new URL(settings.url).hostname : request.hostname, Port: brokerPort() }),
              rejected: async (EnterpriseId, SN, { index, size }) => {
                const { Items, TotalCount } = telemetry.rejected.list({ EnterpriseId, SN, page: index, size })
                return paged({ index, size, exact: true }, Items, TotalCount)
              },
            }),
        ],
        root: [
          (root) =>
            healthRoutes(root, {
              probes,
              figures: figuresOf({ telemetry, hub, alarms, gateways, registry, limits }),
              metricsToken: settings.metricsToken,
              trustProxy: settings.trustProxy,
            }),
        ],
      }),
      (a) => a.close(),
    )
    // Before the app, which waits for every connection to end.
    closers.push(hub.close)
    hub.attach(app.server as Server)
    await app.listen({ host: settings.host, port: settings.port })
    // Last, so that a password that was made is also printed.
    const firstPassword = await firstStart(database, settings.adminPassword)
    await operations.furnish()
    await gateways.uplink.open?.()
    complete = true
    steps.over('calls')
    steps.tell()
    const { port } = app.server.address() as AddressInfo
    const mqttPort = brokerPort()
    return { app, database, sessions, registry, telemetry, hub, alarms, gateways, firstPassword, port, mqttPort, tls: Boolean(tls), close }
  } catch (error) {
    await close()
    throw error
  }
}
