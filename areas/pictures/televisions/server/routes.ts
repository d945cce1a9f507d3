import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import type { Attempts } from '../../../../server/identity/attempts.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { television, televisionCalls } from '../contract.ts'
import { assertMayWrite, openPairing, televisions, updateTelevision } from './service.ts'

type Needs = { attempts: Attempts; steady: () => number }
export const televisionRoutes = (app: FastifyInstance, { attempts, steady }: Needs) => {
  const { codes, look, pair, replace } = openPairing(attempts, steady)
  crud(app, television, {
    own: {
      ...televisions,
      update: updateTelevision,
      remove: async (db, actor, ids) => {
        for (const id of ids) assertMayWrite(actor, (await televisions.find(db, actor, id)).ProjectId)
        return televisions.remove(db, actor, ids)
      },
    },
  })
  serve(app, televisionCalls.begin, ({ request }) => codes.begin({ Address: request.ip, Browser: request.headers['user-agent'] ?? '' }))
  serve(app, televisionCalls.claim, ({ body }) => ({ Token: codes.claim(body.Code, body.Secret) }))
  serve(app, televisionCalls.look, ({ actor, body }) => look(actor, body.Code))
  serve(app, televisionCalls.replace, ({ db, actor, body }) => replace(db, actor, body))
  serve(app, televisionCalls.pair, ({ db, actor, body }) => pair(db, actor, body))
}
