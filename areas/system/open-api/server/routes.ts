import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { apiCredential, openApiCalls, WithSecret } from '../contract.ts'
import type { openApiService } from './service.ts'

export const openApiAreaRoutes = (app: FastifyInstance, api: ReturnType<typeof openApiService>) => {
  crud(app, apiCredential, {
    own: {
      create: (_, actor, draft) => api.create(actor, draft),
      update: (_, actor, id, change) => api.update(actor, id, change),
      remove: (_, actor, ids) => api.remove(actor, ids),
    },
    shapes: { made: WithSecret },
    acts: {
      enable: ({ actor, row }) => api.setStatus(actor, row.Id, 1),
      disable: ({ actor, row }) => api.setStatus(actor, row.Id, 0),
      resetKey: ({ actor, row }) => api.resetKey(actor, row.Id),
    },
  })
  serve(app, openApiCalls.authList, ({ db, actor, query, request }) => api.authList(db, actor, query.Id, languageOf(request)))
  serve(app, openApiCalls.auth, ({ actor, body }) => api.auth(actor, body.Id, body.Permissions))
}
