import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { NewRole, role, roleCalls } from '../contract.ts'
import type { rolesService } from './service.ts'

export const roleRoutes = (app: FastifyInstance, roles: ReturnType<typeof rolesService>) => {
  const { create, update, remove } = roles
  crud(app, role, { own: { create, update, remove }, shapes: { draft: NewRole } })
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
