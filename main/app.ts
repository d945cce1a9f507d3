import { randomUUID } from 'node:crypto'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'
import { alarmCode, alarmPlan } from '../areas/alarms/alarm-plans/contract.ts'
import { alarmSettingRoutes } from '../areas/alarms/alarm-settings/server/routes.ts'
import { alarmLists } from '../areas/alarms/alarms/server/lists.ts'
import { eventRoutes } from '../areas/alarms/events/server/routes.ts'
import { ruleSheetRoutes } from '../areas/alarms/rule-sheets/server/routes.ts'
import { shiftRoutes } from '../areas/analysis/shifts/server/routes.ts'
import { channelRoutes } from '../areas/configuration/channels/server/routes.ts'
import { addressCheck } from '../areas/configuration/channels/server/service.ts'
import { commonPointRoutes } from '../areas/configuration/common-points/server/routes.ts'
import { configVersionRoutes } from '../areas/configuration/config-versions/server/routes.ts'
import { dataParseRoutes } from '../areas/configuration/data-parse/server/routes.ts'
import { deviceRoutes } from '../areas/configuration/devices/server/routes.ts'
import { command, gateway } from '../areas/configuration/gateways/contract.ts'
import { gatewayCheck } from '../areas/configuration/gateways/server/service.ts'
import { modelRoutes } from '../areas/configuration/models/server/routes.ts'
import { pluginRoutes } from '../areas/configuration/plugins/server/routes.ts'
import { point } from '../areas/configuration/points/contract.ts'
import { project } from '../areas/configuration/projects/contract.ts'
import { projectRoutes } from '../areas/configuration/projects/server/routes.ts'
import { selfParseRoutes } from '../areas/configuration/self-parse/server/routes.ts'
import { standardPointRoutes } from '../areas/configuration/standard-points/server/routes.ts'
import { addDevicesAsTask, copyAsTask, importAsTask } from '../areas/configuration/tasks/server/service.ts'
import { chemicalLedgerRoutes } from '../areas/dosing/chemical-ledger/server/routes.ts'
import { chemicalRoutes } from '../areas/dosing/chemicals/server/routes.ts'
import { billRoutes } from '../areas/energy/bills/server/routes.ts'
import { circuitRoutes } from '../areas/energy/circuits/server/routes.ts'
import { entryRoutes } from '../areas/energy/manual-readings/server/routes.ts'
import { tariffRoutes } from '../areas/energy/tariffs/server/routes.ts'
import { figures, linkTables, resources, settings } from '../areas/index.ts'
import { cardRoutes } from '../areas/maintenance/cards/server/routes.ts'
import { equipmentRoutes } from '../areas/maintenance/equipment/server/routes.ts'
import { knowledgeRoutes } from '../areas/maintenance/knowledge-base/server/routes.ts'
import { maintenanceTemplateRoutes } from '../areas/maintenance/maintenance-alarm-templates/server/routes.ts'
import { sparePartRoutes } from '../areas/maintenance/spare-parts/server/routes.ts'
import type { Geocoder } from '../areas/people/agents/server/geocoder.ts'
import { agentRoutes } from '../areas/people/agents/server/routes.ts'
import { dataPermissionRoutes } from '../areas/people/data-permissions/server/routes.ts'
import { dataPermissionsService } from '../areas/people/data-permissions/server/service.ts'
import { grantsService } from '../areas/people/enterprises/server/grants.ts'
import { enterpriseRoutes } from '../areas/people/enterprises/server/routes.ts'
import { enterprisesService } from '../areas/people/enterprises/server/service.ts'
import { menuRoutes } from '../areas/people/menus/server/routes.ts'
import { menusService } from '../areas/people/menus/server/service.ts'
import { organRoutes } from '../areas/people/organs/server/routes.ts'
import { postRoutes } from '../areas/people/posts/server/routes.ts'
import { preferenceRoutes } from '../areas/people/preferences/server/routes.ts'
import { roleRoutes } from '../areas/people/roles/server/routes.ts'
import { rolesService } from '../areas/people/roles/server/service.ts'
import { serialRoutes } from '../areas/people/serials/server/routes.ts'
import { sessionRoutes } from '../areas/people/session/server/routes.ts'
import { type ByWechat, sessionService } from '../areas/people/session/server/service.ts'
import { userRoutes } from '../areas/people/users/server/routes.ts'
import { usersService } from '../areas/people/users/server/service.ts'
import { dictionaryRoutes } from '../areas/system/dictionaries/server/routes.ts'
import { exportRoutes } from '../areas/system/exports/server/routes.ts'
import { importRoutes } from '../areas/system/imports/server/routes.ts'
import { notePreviews, noteRefusals } from '../areas/system/logs/server/refused.ts'
import { templateRoutes } from '../areas/system/message-templates/server/routes.ts'
import { openApiAreaRoutes } from '../areas/system/open-api/server/routes.ts'
import { openApiService } from '../areas/system/open-api/server/service.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Database } from '../server/database/db.ts'
import { cleanAddresses, type TrustProxy } from '../server/http/addresses.ts'
import { boundBodies } from '../server/http/bodies.ts'
import { compressAnswers } from '../server/http/compress.ts'
import { countedRequests, guardConnections } from '../server/http/connectionGuard.ts'
import { serveConsole } from '../server/http/console.ts'
import { answerClientError, protectAnswers } from '../server/http/headers.ts'
import { boundLargeAnswers } from '../server/http/largeAnswers.ts'
import type { Limits } from '../server/http/limits.ts'
import { openApiRoutes } from '../server/http/openapi.ts'
import { describeCalls } from '../server/http/openapiDocument.ts'
import { guardRelay, type OpenRelay } from '../server/http/relay.ts'
import { assertMay, guard } from '../server/http/serve.ts'
import { guardStreams } from '../server/http/streamedAnswers.ts'
import { limitTaken } from '../server/http/taken.ts'
import { openUploads } from '../server/http/uploads.ts'
import { useValidators } from '../server/http/validation.ts'
import { refuseAddress, wrapFaults } from '../server/http/wrapper.ts'
import { openAttempts } from '../server/identity/attempts.ts'
import { authenticate } from '../server/identity/authenticate.ts'
import { checkBodies, openCredentials } from '../server/identity/credentials.ts'
import type { Sessions } from '../server/identity/sessions.ts'
import type { Vault } from '../server/identity/vault.ts'
import { pausing } from '../server/jobs/ownTurn.ts'
import { crud, listsOf } from '../server/resource/crud.ts'
import { serveFigure } from '../server/resource/figures.ts'
import { serveLinks } from '../server/resource/links.ts'
import { serveSettings } from '../server/resource/settings.ts'
import type { Check } from '../server/resource/store.ts'

/** Screens of their own show these. */
const served = [project, gateway, point, alarmPlan, alarmCode]
const checks: Record<string, Check | undefined> = { [point.name]: addressCheck, [gateway.name]: gatewayCheck }

export type Parts = {
  database: Database
  sessions: Sessions
  vault: Vault
  clock: () => number
  /** Where requests are logged, or false for silence. */
  logger: Logger | false
  trustProxy: TrustProxy | false
  /** None in tests of single areas. */
  limits?: Limits
  https?: { cert: Buffer; key: Buffer }
  /** Finds the area of a position; none in tests of single areas. */
  geocode?: Geocoder | undefined
  /** Sign-in by WeChat; none in tests of single areas. */
  wechat?: ByWechat | undefined
  /** Runs scripts of people; one of its own in tests of single areas. */
  sandbox?: Sandbox
  /** Whether phones may cache orders for offline work; true by default. */
  offline?: boolean
  /** Areas that need engines beside PostgreSQL bring their routes. */
  areas: readonly ((api: FastifyInstance) => void)[]
  /** Forwards calls that this process does not answer. */
  relay?: Pick<OpenRelay, 'serverFactory' | 'isOwn'>
  /** Routes outside `/api`. */
  root?: readonly ((app: FastifyInstance) => void)[]
}

/** Who may call: asked before the body is read, and again once it is there. */
const admit = (app: FastifyInstance, { database, sessions, vault, clock, limits, trustProxy, https }: Parts) => {
  checkBodies(app)
  limits?.before(app, trustProxy)
  guardConnections(app.server, Boolean(https), { delayOf: limits?.delayOf(trustProxy) })
  const identifyAgain = authenticate(app, sessions, openCredentials(database, vault, sessions, clock), limits?.stranger)
  guard(app)
  limits?.after(app)
  boundBodies(app)
  const mayStill = (request: FastifyRequest) => identifyAgain(request).then(() => assertMay(request))
  app.decorate('uploads', openUploads(clock, mayStill))
  boundLargeAnswers(app)
  guardStreams(app, mayStill)
}

/** Tokens of foreign senders and people's words are part of some paths: they stay out of the log, as queries do. */
const loggedPath = (url: string) => {
  const [path = ''] = url.split('?')
  return path.replace(/^(\/api\/v1\/)[^/]+/i, '$1…').replace(/(\/HandleOrder\/\d+\/).*/i, '$1…')
}

/** Areas that need nothing beside the application. */
const ordinary = [
  ...[alarmLists, alarmSettingRoutes, maintenanceTemplateRoutes, ruleSheetRoutes, eventRoutes],
  ...[
    organRoutes,
    dictionaryRoutes,
    templateRoutes,
    serialRoutes,
    postRoutes,
    selfParseRoutes,
    sparePartRoutes,
    cardRoutes,
    equipmentRoutes,
    circuitRoutes,
    entryRoutes,
    chemicalRoutes,
    chemicalLedgerRoutes,
    tariffRoutes,
    billRoutes,
    shiftRoutes,
  ],
]
/** A path can list 500 points (CalDataType). */
const longestParameter = 8000

/** Decorates the app with database handles, and marks writers before the response is sent. */
const decorate = (app: FastifyInstance, database: Database) =>
  app
    .decorate('dbOf', (actor) => database.as(actor))
    .decorate('listDbOf', (actor) => database.lists(actor))
    .addHook('onSend', async ({ actor, routeOptions }) => {
      if (actor && !routeOptions.config.reads) database.wrote(actor)
    })

const logRequests = (app: FastifyInstance) =>
  // Tokens travel in headers (S15), those of ThingsBoard's devices in paths.
  app.addHook('onResponse', async (request, reply) =>
    request.log.debug(
      {
        method: request.method,
        path: loggedPath(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        user: request.actor?.UserId,
      },
      'request',
    ),
  )

export const buildApp = async (parts: Parts) => {
  const app = Fastify({
    ...(parts.logger ? { loggerInstance: parts.logger } : {}),
    ...countedRequests(parts.https),
    ...(parts.relay ? { serverFactory: parts.relay.serverFactory } : {}),
    trustProxy: parts.trustProxy,
    frameworkErrors: refuseAddress(Boolean(parts.https)),
    clientErrorHandler: answerClientError(Boolean(parts.https)),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: 1024 * 1024,
    requestTimeout: 60_000,
    connectionTimeout: 120_000,
    // To register all calls takes as long as a busy machine takes: late is no reason not to start.
    pluginTimeout: 0,
    forceCloseConnections: 'idle',
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: longestParameter },
  }) as unknown as FastifyInstance
  // A form of another origin can send text without asking first (S44).
  app.removeContentTypeParser('text/plain')
  useValidators(app)
  wrapFaults(app)
  protectAnswers(app, { https: Boolean(parts.https) })
  compressAnswers(app)
  await app.register(multipart, { limits: { fileSize: 20 * 1024 * 1024, files: 1, fields: 10 } })
  logRequests(app)
  cleanAddresses(app)
  if (parts.relay) guardRelay(app, parts.relay)
  limitTaken(app, parts.clock)
  noteRefusals(app, parts.database, parts.clock)
  notePreviews(app, parts.sessions, parts.database, parts.clock)
  admit(app, parts)
  decorate(app, parts.database)
  const describe = describeCalls(app)
  await app.register(
    async (api) => {
      openApiRoutes(api, describe)
      const menus = menusService(parts.database)
      const attempts = openAttempts(parts.database.system, parts.clock)
      sessionRoutes(api, sessionService(parts.database, parts.sessions, attempts, parts.clock, parts.wechat), menus)
      menuRoutes(api, menus)
      const users = usersService(parts.database, parts.sessions, parts.clock)
      userRoutes(api, users, attempts)
      roleRoutes(api, rolesService(parts.sessions, users))
      dataPermissionRoutes(api, dataPermissionsService(parts.sessions))
      enterpriseRoutes(
        api,
        enterprisesService(parts.database, parts.sessions, users, parts.clock),
        grantsService(parts.database, parts.sessions),
        users,
      )
      // Registering all calls takes a second of CPU time. It yields to the event loop, so that incoming readings are not delayed.
      const pause = pausing()
      const each = async <T>(all: readonly T[], serve: (one: T) => void) => {
        for (const one of all) {
          serve(one)
          await pause()
        }
      }
      await each(settings, (s) => serveSettings(api, s, parts))
      await each(figures, (f) => serveFigure(api, f))
      await each(linkTables, (l) => serveLinks(api, l))
      await each([...resources.filter((r) => r.columns), ...served], (r) => crud(api, r, { check: checks[r.name] }))
      await each(ordinary, (routes) => routes(api))
      knowledgeRoutes(api, parts.database)
      agentRoutes(api, parts.geocode)
      listsOf(api, command, { path: '/Project/Gateway/CommandList' })
      deviceRoutes(api, { addAsTask: addDevicesAsTask })
      modelRoutes(api)
      standardPointRoutes(api)
      commonPointRoutes(api)
      projectRoutes(api, { copyAsTask })
      configVersionRoutes(api)
      preferenceRoutes(api)
      openApiAreaRoutes(api, openApiService(parts.database, parts.vault))
      exportRoutes(api)
      importRoutes(api, { importAsTask })
      channelRoutes(api, parts)
      for (const routes of [dataParseRoutes, pluginRoutes]) routes(api, parts.sandbox)
      await each(parts.areas, (routes) => routes(api))
    },
    { prefix: '/api' },
  )
  for (const routes of parts.root ?? []) routes(app)
  await serveConsole(app, { offline: parts.offline ?? true })
  return app
}
