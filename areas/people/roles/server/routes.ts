import type { FastifyInstance } from 'fastify'
import { AnyObject, call, Removed } from '../../../../contract/call.ts'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { crud, idsOf } from '../../../../server/resource/crud.ts'
import { role, roleCalls } from '../contract.ts'
import type { rolesService } from './service.ts'

export const roleRoutes = (app: FastifyInstance, roles: ReturnType<typeof rolesService>) => {
  crud(app, role, { except: ['create', 'update', 'remove'] })
  serve(app, roleCalls.create, ({ db, actor, body }) => roles.create(db, actor, body))
  serve(app, roleCalls.update, ({ db, actor, body }) => roles.update(db, actor, body.Id as number, body))
  for (const suffix of ['', '/BatchDelete'])
    serve(
      app,
      call({ method: 'DELETE', path: `/System/Role${suffix}`, permission: 'm10403.remove', query: AnyObject, answer: Removed }),
      async ({ db, actor, request }) => ({ Removed: await roles.remove(db, actor, idsOf(request.body, request.query)) }),
    )
  serve(app, roleCalls.menuList, ({ db, actor, body, request }) => roles.menuList(db, actor, body.RoleId, languageOf(request)))
  serve(app, roleCalls.setMenus, ({ db, actor, body }) => roles.setMenus(db, actor, body.RoleId, () => body.MenuCodes))
  serve(app, roleCalls.modules, ({ actor, request }) => roles.modules(actor, languageOf(request)))
  serve(app, roleCalls.moduleIds, ({ db, actor, query }) => roles.moduleCodes(db, actor, query.RoleId))
  serve(app, roleCalls.setModules, ({ db, actor, body }) => roles.setModules(db, actor, body.RoleId, body.ModuleCodes))
  serve(app, roleCalls.projectIds, ({ db, actor, query }) => roles.projectIds(db, actor, query.RoleId))
  serve(app, roleCalls.setProjects, ({ db, actor, body }) => roles.setProjects(db, actor, body.RoleId, body.ProjectIds))
  serve(app, roleCalls.users, ({ db, actor, body }) => roles.people(db, actor, body.RoleId))
  serve(app, roleCalls.addUsers, ({ db, actor, body }) => roles.setPeople(db, actor, body.RoleId, body.UserIds, true))
  serve(app, roleCalls.removeUsers, ({ db, actor, body }) => roles.setPeople(db, actor, body.RoleId, body.UserIds, false))
}
