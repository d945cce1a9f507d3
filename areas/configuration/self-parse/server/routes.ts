import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { crud, removes } from '../../../../server/resource/crud.ts'
import { store } from '../../../../server/resource/store.ts'
import { selfParse, selfParseCalls } from '../contract.ts'
import { descriptionCheck, tried } from './service.ts'

export const selfParseRoutes = (app: FastifyInstance) => {
  crud(app, selfParse, { check: descriptionCheck })
  removes(app, selfParseCalls.removeMany, store(selfParse).remove)
  serve(app, selfParseCalls.test, ({ db, actor, body }) => tried(db, actor, body))
}
