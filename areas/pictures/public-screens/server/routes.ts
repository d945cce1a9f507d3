import type { FastifyInstance, FastifyReply } from 'fastify'
import { headersOf } from '../../../../server/http/headers.ts'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { sharedCalls } from '../contract.ts'
import { type Needs, openShared } from './service.ts'

const sent = (reply: FastifyReply) => new Promise((left) => reply.raw.once('close', left))

export const sharedRoutes = (app: FastifyInstance, needs: Needs) => {
  const shared = openShared(needs)
  serve(app, sharedCalls.open, ({ body, request }) => shared.open(body, request.ip))
  serve(app, sharedCalls.play, ({ body, request }) => shared.play(body, request.ip))
  serve(app, sharedCalls.show, ({ body, request, reply }) => shared.show(body, languageOf(request), sent(reply)))
  serve(app, sharedCalls.tile, async ({ body, reply }) => {
    const tile = await shared.tile(body)
    return reply.headers(headersOf.ownFile).type('application/octet-stream').send(tile)
  })
  serve(app, sharedCalls.image, async ({ query, reply }) => {
    const { content, Size, ContentType } = await shared.image(query.Of, sent(reply))
    return reply
      .headers(headersOf.ownFile)
      .header('content-disposition', 'attachment')
      .header('content-length', Size)
      .type(ContentType)
      .send(content)
  })
  serve(app, sharedCalls.alarms, ({ body }) => shared.alarms(body))
  serve(app, sharedCalls.follow, ({ body }) => shared.follow(body))
}
