import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { dataPermission, dataPermissionCalls } from '../contract.ts'
import type { dataPermissionsService } from './service.ts'

export const dataPermissionRoutes = (app: FastifyInstance, permissions: ReturnType<typeof dataPermissionsService>) => {
  const { create, update, remove } = permissions
  crud(app, dataPermission, { own: { create, update, remove } })
  serve(app, dataPermissionCalls.modules, ({ request }) => permissions.modules(languageOf(request)))
  serve(app, dataPermissionCalls.ofRole, ({ db, actor, body }) => permissions.ofRole(db, actor, body.RoleId))
  serve(app, dataPermissionCalls.setOfRole, ({ db, actor, body: { RoleId, ...given } }) => permissions.setOfRole(db, actor, RoleId, given))
}
