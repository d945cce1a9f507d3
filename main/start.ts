// Composition: engines first, then areas, then the calls; closed in the opposite order.
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { startAlarmActions, startAlarmArea } from '../areas/alarms/alarms/server/start.ts'
import { formulaRoutes } from '../areas/analysis/formulas/server/routes.ts'
import { historyRoutes } from '../areas/analysis/history/server/routes.ts'
import { historyKind } from '../areas/analysis/history/server/service.ts'
import { noteRoutes } from '../areas/analysis/notes/server/routes.ts'
import { reportGroupRoutes } from '../areas/analysis/report-groups/server/routes.ts'
import { reportScheduleRoutes } from '../areas/analysis/report-schedules/server/routes.ts'
import { openReportRuns } from '../areas/analysis/report-schedules/server/runner.ts'
import { reportRoutes, reportTemplateRoutes } from '../areas/analysis/reports/server/routes.ts'
import { reportKind } from '../areas/analysis/reports/server/service.ts'
import { telemetryRoutes } from '../areas/analysis/telemetry/server/routes.ts'
import { coldEnergyRoutes } from '../areas/cold-storage/energy/server/routes.ts'
import { startColdExcursions } from '../areas/cold-storage/excursions/server/start.ts'
import { startColdFigures } from '../areas/cold-storage/figures/server/start.ts'
import { startColdReports } from '../areas/cold-storage/reports/server/start.ts'
import { startColdRooms } from '../areas/cold-storage/rooms/server/start.ts'
import { watchDisk } from '../areas/configuration/capacity/server/disk.ts'
import { notifyRateLimit } from '../areas/configuration/capacity/server/floods.ts'
import { panelSocketPath } from '../areas/configuration/device-vnc/contract.ts'
import { startPanels } from '../areas/configuration/device-vnc/server/start.ts'
import { startGatewayArea } from '../areas/configuration/gateways/server/start.ts'
import { seedModelLibrary } from '../areas/configuration/models/server/library/service.ts'
import { openForeignSenders } from '../areas/configuration/network-components/server/start.ts'
import { pointRoutes } from '../areas/configuration/points/server/routes.ts'
import { startProductTasks } from '../areas/configuration/product-tasks/server/start.ts'
import { seedStandardPoints } from '../areas/configuration/standard-points/server/service.ts'
import { taskKind } from '../areas/configuration/tasks/contract.ts'
import { pushMany } from '../areas/configuration/tasks/server/service.ts'
import { startTasks } from '../areas/configuration/tasks/server/start.ts'
import { startThirdParties } from '../areas/configuration/third-party-access/server/start.ts'
import { startDosing } from '../areas/dosing/consumption/server/start.ts'
import { analyticsRoutes } from '../areas/energy/analytics/server/routes.ts'
import { billCheckRoutes } from '../areas/energy/bills/server/routes.ts'
import { startConsumption } from '../areas/energy/consumption/server/start.ts'
import { predictiveRoutes } from '../areas/energy/predictive-models/server/routes.ts'
import { trainKind } from '../areas/energy/predictive-models/server/training.ts'
import { startShiftDuties } from '../areas/maintenance/cards/server/start.ts'
import { draftRoutes } from '../areas/maintenance/knowledge-base/server/routes.ts'
import { offlineRoutes } from '../areas/maintenance/offline/server/routes.ts'
import { startMaintenance } from '../areas/maintenance/orders/server/start.ts'
import { patrol } from '../areas/maintenance/patrols/server/service.ts'
import { startPatrols } from '../areas/maintenance/patrols/server/start.ts'
import { startRequests } from '../areas/maintenance/requests/server/start.ts'
import { plannedOrders, upkeep } from '../areas/maintenance/upkeep/server/service.ts'
import { startUpkeep } from '../areas/maintenance/upkeep/server/start.ts'
import { openGeocoder } from '../areas/people/agents/server/geocoder.ts'
import { openStanding } from '../areas/people/enterprises/server/standing.ts'
import { trialRoutes } from '../areas/people/trial-users/server/routes.ts'
import { trialService } from '../areas/people/trial-users/server/service.ts'
import { boardRoutes } from '../areas/pictures/boards/server/routes.ts'
import { flowchartTemplateRoutes } from '../areas/pictures/flowchart-templates/server/routes.ts'
import { startPulses } from '../areas/pictures/flowcharts/server/pulses.ts'
import { flowchartRoutes } from '../areas/pictures/flowcharts/server/routes.ts'
import { startMaps } from '../areas/pictures/maps/server/start.ts'
import { startShared } from '../areas/pictures/public-screens/server/start.ts'
import { shareRoutes } from '../areas/pictures/shares/server/routes.ts'
import { symbolRoutes } from '../areas/pictures/symbols/server/routes.ts'
import { startTelevisions } from '../areas/pictures/televisions/server/start.ts'
import { exportTaskRoutes } from '../areas/system/exports/server/taskRoutes.ts'
import { openExports } from '../areas/system/exports/server/tasks.ts'
import { firewallRoutes } from '../areas/system/firewall/server/routes.ts'
import { firewallService } from '../areas/system/firewall/server/service.ts'
import { messageRoutes } from '../areas/system/message-templates/server/routes.ts'
import { noticeRoutes } from '../areas/system/notices/server/routes.ts'
import { startNotices } from '../areas/system/notices/server/runner.ts'
import { wechatRoutes } from '../areas/system/wechat/server/routes.ts'
import { wechatService } from '../areas/system/wechat/server/service.ts'
import { wechatSignIn } from '../areas/system/wechat/server/signIn.ts'
import { openSandbox } from '../sandbox/sandbox.ts'
import type { Context } from '../server/context.ts'
import type { OwnerAddress } from '../server/fleet/frames.ts'
import { ownerAddress } from '../server/fleet/ownerAddress.ts'
import { healthRoutes } from '../server/http/health.ts'
import { openLimits, standardLimits } from '../server/http/limits.ts'
import { tlsOf } from '../server/http/tls.ts'
import type { Actor } from '../server/identity/actor.ts'
import { installationKey } from '../server/identity/installation.ts'
import { firstStart } from '../server/identity/setup.ts'
import { negotiateRoute } from '../server/live/negotiate.ts'
import type { HeldLease } from './acquireDatabase.ts'
import { buildApp } from './app.ts'
import { openClosers } from './closers.ts'
import { type Engines, openEngines } from './engines.ts'
import { figuresOf } from './figures.ts'
import { openFiles, type Stored } from './files.ts'
import { intoAlarms, intoIngest, intoPresence } from './flow.ts'
import { balancersOf } from './gatewayProcess.ts'
import { startOperations } from './operations.ts'
import { reportBlocks } from './reportBlocks.ts'
import type { Settings } from './settings.ts'
import { timeSteps } from './steps.ts'

/** Monotonic clock for durations: neither administrators nor daylight saving change it. */
const steady = () => performance.now()

/** Closes the server, works with the database that is left, and starts it again. */
export type Restart = (work: (adminUrl: string) => Promise<void>) => void
export type Started = Awaited<ReturnType<typeof startServer>>

/** Starts the areas that have background work, in order. */
const startAreas = async (
  c: Context,
  { registry }: Engines,
  settings: Settings,
  { files, store }: Stored,
  address: () => OwnerAddress | undefined,
) => {
  const { database, sessions, telemetry, hub, log, clock, channels, vault, url } = c
  const standing = c.opened(await openStanding(database, clock), (s) => s.close())
  const reader = { database, telemetry, blocks: reportBlocks(c) }
  const kinds = [historyKind({ database, telemetry }), reportKind({ ...reader, font: settings.reportFont })]
  const exports = c.opened(await openExports({ database, sessions, folder: join(c.data, 'exports'), kinds, log, clock }), (e) => e.close())
  const made = { ...reader, sessions, delivery: channels.delivery, folder: join(c.data, 'reports'), font: settings.reportFont }
  const reports = c.opened(openReportRuns({ ...made, clock, log, url }), (r) => r.close())
  const notices = c.opened(startNotices({ database, hub, log }), (n) => n.stop())
  const alarms = startAlarmArea(c, registry, intoAlarms(telemetry))
  c.opened(watchDisk({ database, telemetry, hub, log, clock }), (d) => d.stop())
  const broker = { ...settings, tls: tlsOf(settings), isBalancer: balancersOf(settings), address }
  const { mqttUrl, host, uplinkPorts } = settings
  const senders = await openForeignSenders(c, { registry, stores: standing.stores, mqttUrl, host, uplinkPorts })
  const flow = { ...intoIngest(telemetry), stores: standing.stores }
  const { gateways, brokerPort } = await startGatewayArea(c, registry, flow, broker, pushMany, senders)
  senders.connect(gateways)
  startAlarmActions(c, gateways.writeForAlarm)
  const copyFile = (actor: Actor, path: string) => files.copy(actor, path)
  startMaintenance(c, plannedOrders([upkeep, patrol], c))
  startUpkeep(c, copyFile)
  startPatrols(c, copyFile)
  startShiftDuties(c)
  startConsumption(c, settings.reportFont)
  startDosing(c)
  startColdRooms(c)
  startColdExcursions(c)
  startColdFigures(c)
  startColdReports(c, { files, store, font: settings.reportFont })
  c.routes.push(
    (app) => billCheckRoutes(app, c),
    (app) => coldEnergyRoutes(app, c),
    (app) => analyticsRoutes(app, c),
    (app) => predictiveRoutes(app, c),
    (app) => offlineRoutes(app, c),
    (app) => draftRoutes(app, copyFile),
  )
  startRequests(c, { files, key: await installationKey(database.system, 'report') })
  intoPresence(telemetry, gateways)
  startTasks(c, gateways, { [taskKind.train]: trainKind(c) })
  startProductTasks(c)
  const tiles = await startMaps(c, { allowed: settings.outbound, addressUrl: settings.baiduMapUrl, files })
  startShared(c, { tiles, store })
  startTelevisions(c)
  startThirdParties(c, { allowed: settings.outbound, stores: standing.stores })
  const pulses = startPulses(c, gateways)
  c.routes.push(
    senders.routes(brokerPort, broker.tls !== undefined),
    pointRoutes,
    (api) => telemetryRoutes(api, telemetry),
    reportGroupRoutes,
    formulaRoutes,
    noteRoutes,
    (api) => flowchartRoutes(api, { ...telemetry, ...gateways, ...pulses, clock }),
    flowchartTemplateRoutes,
    symbolRoutes,
    (api) => boardRoutes(api, { telemetry, copyFile: (actor, path) => files.copy(actor, path) }),
    (api) => shareRoutes(api, c),
    (api) => exportTaskRoutes(api, exports),
    (api) => historyRoutes(api, exports),
    (api) => reportRoutes(api, exports),
    (api) => reportTemplateRoutes(api, reader),
    (api) => reportScheduleRoutes(api, reports, { database, sessions, clock, steady: c.steady }),
    (api) => noticeRoutes(api, notices.changed),
    (api) => firewallRoutes(api, firewallService(database, settings.firewall)),
    (api) => messageRoutes(api, channels.delivery),
    (api) => trialRoutes(api, trialService(database, sessions, channels.delivery, clock)),
    (api) => wechatRoutes(api, wechatService({ database, vault, clock, url, ...channels })),
    (api) => void negotiateRoute(api, hub),
  )
  return { alarms, gateways, brokerPort, senders, reports, panels: startPanels(c, settings.panels) }
}

/** What `/readyz` asks; `complete` once the first account is made, which comes last. */
const probesOf = (
  { database, isOwner, telemetry }: Engines,
  uplink: { ready: () => boolean | Promise<boolean> },
  complete: () => boolean,
) => [
  { name: 'start', ready: complete },
  { name: 'database', ready: async () => isOwner() && (await database.ready()) },
  { name: 'telemetry', ready: telemetry.ready },
  { name: 'disk', ready: () => !telemetry.disk().full },
  { name: 'broker', ready: uplink.ready },
]

/** Starts everything that the settings name, once no other process works on the database. What was opened before something failed is closed again. */
export const startServer = async (
  settings: Settings,
  log: Logger,
  clock: () => number = Date.now,
  restart?: Restart,
  heldLease?: HeldLease,
) => {
  const { opened, close } = openClosers(log)
  const steps = timeSteps(log, steady, heldLease?.onStep)
  let complete = false
  try {
    const engines = await openEngines({ settings, log, clock, steady, opened, steps, heldLease, onLost: () => void close() })
    const { database, sessions, telemetry, hub, vault, channels, registry } = engines
    const sandbox = opened(openSandbox({ now: clock }), (s) => s.close())
    const limits = openLimits(standardLimits(settings.callsPerSecond), notifyRateLimit(database, log, clock))
    const context: Context = {
      ...engines,
      sandbox,
      callLimits: limits,
      log,
      clock,
      steady,
      opened,
      data: settings.data,
      url: settings.url,
      routes: [],
    }
    const stored = await openFiles(settings, database, clock)
    const { alarms, gateways, brokerPort, senders, panels, reports } = await startAreas(context, engines, settings, stored, () =>
      complete ? ownerAddress(settings, (app.server.address() as AddressInfo).port) : undefined,
    )
    steps.over('gateways')
    const probes = probesOf(engines, gateways.uplink, () => complete)
    const operations = opened(await startOperations({ ...engines, reports, settings, stored, restart, probes, clock, log }), (o) =>
      o.close(),
    )
    const tls = tlsOf(settings)
    const { metricsToken, trustProxy } = settings
    const figures = figuresOf({ telemetry, hub, alarms, gateways, registry, limits, monthsAhead: () => operations.months.ahead(clock()) })
    const app = opened(
      await buildApp({
        ...{ database, sessions, vault, clock, logger: log, trustProxy, limits, sandbox, offline: settings.offline },
        geocode: openGeocoder(database, settings.baiduMapUrl),
        wechat: await wechatSignIn({ database, vault, clock, url: settings.url, ...channels }),
        ...(tls ? { https: tls } : {}),
        areas: [...operations.routes, ...context.routes],
        root: [(root) => healthRoutes(root, { probes, figures, metricsToken, trustProxy }), senders.root],
      }),
      (a) => a.close(),
    )
    // Before the app, which waits for every connection to end.
    opened(hub, (h) => h.close())
    opened(panels, (p) => p.close())
    hub.attach(app.server as Server, { [panelSocketPath]: panels.upgrade })
    await app.listen({ host: settings.host, port: settings.port })
    // Last, so that a password that was made is also printed.
    const firstPassword = await firstStart(database, settings.adminPassword)
    await seedStandardPoints(database)
    await seedModelLibrary(database)
    await operations.seed()
    await gateways.uplink.open?.()
    complete = true
    steps.over('calls')
    steps.tell(firstPassword !== undefined)
    const { port } = app.server.address() as AddressInfo
    const mqttPort = brokerPort()
    const { store } = stored
    return {
      app,
      database,
      sessions,
      registry,
      telemetry,
      hub,
      alarms,
      gateways,
      store,
      firstPassword,
      port,
      mqttPort,
      tls: Boolean(tls),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
