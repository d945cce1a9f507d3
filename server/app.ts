import { randomUUID } from 'node:crypto'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import { alarmCode, alarmPlan } from '../contract/areas/alarm-plans.ts'
import { netProtocol, serialProtocol } from '../contract/areas/channels.ts'
import { device } from '../contract/areas/devices.ts'
import { command, gateway } from '../contract/areas/gateways.ts'
import { point } from '../contract/areas/points.ts'
import { project } from '../contract/areas/projects.ts'
import type { Resource } from '../contract/base/resource.ts'
import type { Geocoder } from './areas/agents/geocoder.ts'
import { agentRoutes } from './areas/agents/routes.ts'
import { alarmSettingRoutes } from './areas/alarm-settings/routes.ts'
import { alarmLists } from './areas/alarms/lists.ts'
import { dashboardRoutes } from './areas/dashboard-stats/routes.ts'
import { dataPermissionRoutes } from './areas/data-permissions/routes.ts'
import { dataPermissionsService } from './areas/data-permissions/service.ts'
import { dictionaryRoutes } from './areas/dictionaries/routes.ts'
import { grantsService } from './areas/enterprises/grants.ts'
import { enterpriseRoutes } from './areas/enterprises/routes.ts'
import { enterprisesService } from './areas/enterprises/service.ts'
import { eventRoutes } from './areas/events/routes.ts'
import { exportRoutes } from './areas/exports/routes.ts'
import { importRoutes } from './areas/imports/routes.ts'
import { notePreviews, noteRefusals } from './areas/logs/refused.ts'
import { maintenanceTemplateRoutes } from './areas/maintenance-alarm-templates/routes.ts'
import { menuRoutes } from './areas/menus/routes.ts'
import { menusService } from './areas/menus/service.ts'
import { templateRoutes } from './areas/message-templates/routes.ts'
import { modelRoutes } from './areas/models/routes.ts'
import { openApiAreaRoutes } from './areas/open-api/routes.ts'
import { openApiService } from './areas/open-api/service.ts'
import { organRoutes } from './areas/organs/routes.ts'
import { postRoutes } from './areas/posts/routes.ts'
import { preferenceRoutes } from './areas/preferences/routes.ts'
import { regionRoutes } from './areas/regions/routes.ts'
import { roleRoutes } from './areas/roles/routes.ts'
import { rolesService } from './areas/roles/service.ts'
import { ruleSheetRoutes } from './areas/rule-sheets/routes.ts'
import { sessionRoutes } from './areas/session/routes.ts'
import { type ByWechat, sessionService } from './areas/session/service.ts'
import { userRoutes } from './areas/users/routes.ts'
import { usersService } from './areas/users/service.ts'
import type { Database } from './database/db.ts'
import { cleanAddresses, type TrustProxy } from './http/addresses.ts'
import { compressAnswers } from './http/compress.ts'
import { serveConsole } from './http/console.ts'
import { answerClientError, protectAnswers } from './http/headers.ts'
import type { Limits } from './http/limits.ts'
import { openApi, openApiRoutes } from './http/openapi.ts'
import { guard } from './http/serve.ts'
import { limitTaken } from './http/taken.ts'
import { openUploads } from './http/uploads.ts'
import { useValidators } from './http/validation.ts'
import { refuseAddress, wrapFaults } from './http/wrapper.ts'
import { openAttempts } from './identity/attempts.ts'
import { authenticate } from './identity/authenticate.ts'
import { checkBodies, openCredentials } from './identity/credentials.ts'
import type { Sessions } from './identity/sessions.ts'
import type { Vault } from './identity/vault.ts'
import { crud, lists } from './resource/crud.ts'

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
  /** Areas that need engines beside PostgreSQL bring their routes. */
  areas: readonly ((api: FastifyInstance) => void)[]
  /** Routes outside `/api`. */
  root?: readonly ((app: FastifyInstance) => void)[]
}

export const buildApp = async (parts: Parts) => {
  const app = Fastify({
    ...(parts.logger ? { loggerInstance: parts.logger } : {}),
    ...(parts.https ? { https: parts.https } : {}),
    trustProxy: parts.trustProxy,
    frameworkErrors: refuseAddress(Boolean(parts.https)),
    clientErrorHandler: answerClientError(Boolean(parts.https)),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: 1024 * 1024,
    requestTimeout: 60_000,
    connectionTimeout: 120_000,
    forceCloseConnections: 'idle',
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 200 },
  }) as unknown as FastifyInstance
  // A form of another origin can send text without asking first (S44).
  app.removeContentTypeParser('text/plain')
  useValidators(app)
  wrapFaults(app)
  protectAnswers(app, { https: Boolean(parts.https) })
  compressAnswers(app)
  await app.register(multipart, { limits: { fileSize: 20 * 1024 * 1024, files: 1, fields: 10 } })
  // Paths carry no secrets: tokens travel in headers (S15).
  app.addHook('onResponse', async (request, reply) =>
    request.log.debug(
      {
        method: request.method,
        path: request.url.split('?')[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        user: request.actor?.UserId,
      },
      'request',
    ),
  )
  cleanAddresses(app)
  guard(app)
  limitTaken(app, parts.clock)
  noteRefusals(app, parts.database, parts.clock)
  notePreviews(app, parts.sessions, parts.database, parts.clock)
  checkBodies(app)
  parts.limits?.before(app, parts.trustProxy)
  authenticate(app, parts.sessions, openCredentials(parts.database, parts.vault, parts.sessions, parts.clock), parts.limits?.stranger)
  parts.limits?.after(app)
  app.decorate('uploads', openUploads(parts.clock))
  app.decorate('dbOf', (actor) => parts.database.as(actor))
  await openApi(app)
  await app.register(
    async (api) => {
      openApiRoutes(api)
      const menus = menusService(parts.database)
      const attempts = openAttempts(parts.database.system, parts.clock)
      sessionRoutes(api, sessionService(parts.database, parts.sessions, attempts, parts.clock, parts.wechat), menus)
      menuRoutes(api, menus)
      const users = usersService(parts.database, parts.sessions, parts.clock)
      userRoutes(api, users)
      roleRoutes(api, rolesService(parts.sessions, users))
      dataPermissionRoutes(api, dataPermissionsService(parts.sessions))
      enterpriseRoutes(
        api,
        enterprisesService(parts.database, parts.sessions, users, parts.clock),
        grantsService(parts.database, parts.sessions),
        users,
      )
      for (const r of [project, gateway, netProtocol, serialProtocol, device, point, alarmPlan, alarmCode])
        crud(api, r as unknown as Resource)
      alarmLists(api)
      alarmSettingRoutes(api)
      maintenanceTemplateRoutes(api)
      ruleSheetRoutes(api)
      eventRoutes(api)
      for (const routes of [organRoutes, regionRoutes, dictionaryRoutes, templateRoutes, dashboardRoutes]) routes(api)
      agentRoutes(api, parts.geocode)
      lists(api, command as unknown as Resource, { path: '/Project/Gateway/CommandList' })
      postRoutes(api)
      modelRoutes(api)
      preferenceRoutes(api)
      openApiAreaRoutes(api, openApiService(parts.database, parts.vault))
      exportRoutes(api)
      importRoutes(api)
      for (const routes of parts.areas) routes(api)
    },
    { prefix: '/api' },
  )
  for (const routes of parts.root ?? []) routes(app)
  await serveConsole(app)
  return app
}
