import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { AnyObject, call, Removed } from '../../../../contract/call.ts'
import { Id, schemas } from '../../../../contract/resource.ts'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { crud, idsOf } from '../../../../server/resource/crud.ts'
import { dataPermission, dataPermissionCalls } from '../contract.ts'
import type { dataPermissionsService } from './service.ts'

export const dataPermissionRoutes = (app: FastifyInstance, permissions: ReturnType<typeof dataPermissionsService>) => {
  const r = dataPermission
  const { path, permission } = r
  const { draft, change, row } = schemas(r)
  crud(app, r, { except: ['create', 'update', 'remove'] })
  const body = Type.Object({ ...draft.properties, EnterpriseId: Type.Optional(Id) })
  serve(app, call({ method: 'POST', path, permission: `${permission}.add`, body, answer: row }), ({ db, actor, body }) =>
    permissions.create(db, actor, body),
  )
  serve(app, call({ method: 'PUT', path, permission: `${permission}.edit`, body: change, answer: row }), ({ db, actor, body }) =>
    permissions.update(db, actor, body.Id as number, body),
  )
  // The specification's spelling, and ours.
  for (const suffix of ['', '/BatchDelet', '/BatchDelete'])
    serve(
      app,
      call({ method: 'DELETE', path: `${path}${suffix}`, permission: `${permission}.remove`, query: AnyObject, answer: Removed }),
      async ({ db, actor, request }) => ({ Removed: await permissions.remove(db, actor, idsOf(request.body, request.query)) }),
    )
  serve(app, dataPermissionCalls.modules, ({ request }) => permissions.modules(languageOf(request)))
  serve(app, dataPermissionCalls.ofRole, ({ db, actor, body }) => permissions.ofRole(db, actor, body.RoleId))
  serve(app, dataPermissionCalls.setOfRole, ({ db, actor, body: { RoleId, ...given } }) => permissions.setOfRole(db, actor, RoleId, given))
}
