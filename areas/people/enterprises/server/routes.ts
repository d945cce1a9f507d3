import type { FastifyInstance } from 'fastify'
import { sessionCalls } from '../../../../contract/session.ts'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { platformEnterprise } from '../../../../server/identity/setup.ts'
import { crud, removes } from '../../../../server/resource/crud.ts'
import { readListing } from '../../../../server/resource/list.ts'
import type { usersService } from '../../users/server/service.ts'
import { enterprise, enterpriseCalls, MadeEnterprise, NewEnterprise, version } from '../contract.ts'
import type { grantsService } from './grants.ts'
import type { enterprisesService } from './service.ts'

export const enterpriseRoutes = (
  app: FastifyInstance,
  enterprises: ReturnType<typeof enterprisesService>,
  grants: ReturnType<typeof grantsService>,
  users: ReturnType<typeof usersService>,
) => {
  serve(app, sessionCalls.enterprises, ({ db, actor, request }) =>
    enterprises.list(db, actor, readListing(request.query as Record<string, unknown>)),
  )
  const { find, update, remove } = enterprises
  const create = (_: unknown, actor: Actor, draft: Record<string, unknown>) => enterprises.create(actor, draft)
  crud(app, enterprise, { except: ['list'], own: { find, create, update, remove }, shapes: { draft: NewEnterprise, made: MadeEnterprise } })
  serve(app, enterpriseCalls.setSystem, ({ db, actor, body }) => enterprises.update(db, actor, actor.EnterpriseId, body))
  serve(app, enterpriseCalls.loginUrl, ({ query }) => enterprises.loginUrl(query.Slug))
  serve(app, enterpriseCalls.managers, ({ db, actor, query }) => enterprises.managers(db, actor, query.EnterpriseId))
  serve(app, enterpriseCalls.platformConfig, ({ db, actor, body }) => enterprises.update(db, actor, platformEnterprise, body))
  serve(app, enterpriseCalls.increment, ({ db }) => enterprises.increment(db))
  serve(app, enterpriseCalls.directoryName, ({ db, query }) => enterprises.directoryName(db, query.Name))
  serve(app, enterpriseCalls.map, ({ db, actor, query }) => enterprises.map(db, actor, query.EnterpriseId))
  serve(app, enterpriseCalls.versions, ({ db }) => grants.versions(db))
  serve(app, enterpriseCalls.grant, ({ db, actor, query }) => grants.of(db, actor, query.EnterpriseId))
  serve(app, enterpriseCalls.auth, ({ db, actor }) => grants.of(db, actor, actor.EnterpriseId))
  serve(app, enterpriseCalls.menus, ({ db, actor, query, request }) => grants.menus(db, actor, query.EnterpriseId, languageOf(request)))
  serve(app, enterpriseCalls.authorise, ({ db, actor, body: { EnterpriseId, ...given } }) =>
    grants.authorise(db, actor, EnterpriseId, given),
  )
  serve(app, enterpriseCalls.pushTemplates, ({ db, actor, query, request }) =>
    grants.templates(db, actor, query.EnterpriseId, languageOf(request)),
  )
  serve(app, enterpriseCalls.pushToManagers, ({ db, actor, body: { EnterpriseId, ...text } }) => grants.push(db, actor, EnterpriseId, text))
  crud(app, version)
  serve(app, enterpriseCalls.counts, ({ db, body }) => enterprises.counts(db, body.EnterpriseId))
  const managers = { path: '/System/Enterprise/Manager/BatchDelete', permission: 'm10404.remove' }
  removes(app, managers, users.remove)
}
