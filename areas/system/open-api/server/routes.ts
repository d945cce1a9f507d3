import type { FastifyInstance } from 'fastify'
import { AnyObject, call, Removed } from '../../../../contract/call.ts'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { crud, idsOf } from '../../../../server/resource/crud.ts'
import { apiCredential, openApiCalls } from '../contract.ts'
import type { openApiService } from './service.ts'

export const openApiAreaRoutes = (app: FastifyInstance, api: ReturnType<typeof openApiService>) => {
  const r = apiCredential
  crud(app, r, { except: ['create', 'update', 'remove'] })
  serve(app, openApiCalls.create, ({ actor, body }) => api.create(actor, body))
  serve(app, openApiCalls.update, ({ actor, body }) => api.update(actor, body.Id as number, body))
  const remove = {
    method: 'DELETE',
    permission: `${r.permission}.remove`,
    query: AnyObject,
    answer: Removed,
  } as const
  for (const suffix of ['', '/BatchDelete'])
    serve(app, call({ ...remove, path: `${r.path}${suffix}` }), async ({ actor, request }) => ({
      Removed: await api.remove(actor, idsOf(request.body, request.query)),
    }))
  serve(app, openApiCalls.authList, ({ db, actor, query, request }) => api.authList(db, actor, query.Id, languageOf(request)))
  serve(app, openApiCalls.auth, ({ actor, body }) => api.auth(actor, body.Id, body.Permissions))
  serve(app, openApiCalls.enable, ({ actor, body }) => api.setStatus(actor, body.Id, 1))
  serve(app, openApiCalls.disable, ({ actor, body }) => api.setStatus(actor, body.Id, 0))
  serve(app, openApiCalls.resetKey, ({ actor, body }) => api.resetKey(actor, body.Id))
}
