import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { trialCalls, trialUser } from '../contract.ts'
import type { Trials } from './service.ts'

export const trialRoutes = (app: FastifyInstance, trials: Trials) => {
  crud(app, trialUser, {
    except: ['create', 'update', 'remove'],
    acts: {
      grant: ({ actor, row }) => trials.grant(actor, row.Id),
      refuse: ({ actor, row }) => trials.refuse(actor, row.Id),
    },
  })
  serve(app, trialCalls.offer, ({ query }) => trials.offer(query.Slug))
  serve(app, trialCalls.ask, ({ body, request }) => trials.ask(body, request.ip, languageOf(request)))
}
