import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { gatewaySn, serialCalls } from '../contract.ts'
import { addSerials, lifeOf, removeSerials, renewCode } from './service.ts'

export const serialRoutes = (app: FastifyInstance) => {
  crud(app, gatewaySn, {
    except: ['create'],
    own: { remove: removeSerials },
    acts: { newCode: ({ db, actor, row }) => renewCode(db, actor, row.Id) },
  })
  serve(app, serialCalls.batchAdd, ({ db, actor, body }) => addSerials(db, actor, body))
  serve(app, serialCalls.life, ({ db, actor, query }) => lifeOf(db, actor, query.Id))
}
