import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { trialCalls, trialUser } from '../contract.ts'
import type { Trials } from './service.ts'

export const trialRoutes = (app: FastifyInstance, trials: Trials) => {
  crud(app, trialUser, { except: ['create', 'update', 'remove'] })
  serve(app, trialCalls.offer, ({ query }) => trials.offer(query.Slug))
  serve(app, trialCalls.ask, ({ body, request }) => trials.ask(body, request.ip, languageOf(request)))
  serve(app, trialCalls.grant, ({ actor, body }) => trials.grant(actor, body.Id))
  serve(app, trialCalls.refuse, ({ actor, body }) => trials.refuse(actor, body.Id))
}
