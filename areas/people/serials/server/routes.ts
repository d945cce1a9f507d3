import type { FastifyInstance } from 'fastify'
import { assertHolds, serve } from '../../../../server/http/serve.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { gatewaySn, serialCalls } from '../contract.ts'
import { addSerials, lifeOf, readSerials, removeSerials, renewCode } from './service.ts'

export const serialRoutes = (app: FastifyInstance) => {
  crud(app, gatewaySn, {
    except: ['create'],
    own: { remove: removeSerials },
    acts: { newCode: ({ db, actor, row }) => renewCode(db, actor, row.Id) },
  })
  serve(app, serialCalls.batchAdd, ({ db, actor, body }) => addSerials(db, actor, body))
  serve(app, serialCalls.readSheet, ({ request }) =>
    app.uploads.receiveImport(request, (file, { actor }) => {
      assertHolds(actor, ['m12005.add'])
      return readSerials(file, actor.EnterpriseId)
    }),
  )
  serve(app, serialCalls.life, ({ db, actor, query }) => lifeOf(db, actor, query.Id))
}
