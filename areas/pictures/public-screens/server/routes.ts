import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { sharedCalls } from '../contract.ts'
import { type Needs, openShared } from './service.ts'

export const sharedRoutes = (app: FastifyInstance, needs: Needs) => {
  const shared = openShared(needs)
  serve(app, sharedCalls.open, ({ body, request }) => shared.open(body, request.ip))
  serve(app, sharedCalls.play, ({ body, request }) => shared.play(body, request.ip))
  serve(app, sharedCalls.show, ({ body, request, reply }) =>
    shared.show(body, languageOf(request), new Promise((left) => reply.raw.once('close', left))),
  )
  serve(app, sharedCalls.follow, ({ body }) => shared.follow(body))
}
