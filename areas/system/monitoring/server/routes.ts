import type { FastifyInstance } from 'fastify'
import type { Database } from '../../../../server/database/db.ts'
import { serve } from '../../../../server/http/serve.ts'
import { note } from '../../../../server/identity/note.ts'
import { monitoringCalls } from '../contract.ts'
import type { Monitoring } from './service.ts'

export const monitoringRoutes = (app: FastifyInstance, monitoring: Pick<Monitoring, 'use' | 'setLimits'>, database: Database) => {
  serve(app, monitoringCalls.use, ({ query }) => monitoring.use(query))
  serve(app, monitoringCalls.setLimits, async ({ actor, body }) => {
    const set = await monitoring.setLimits(body)
    const of = { EnterpriseId: actor.EnterpriseId, UserId: actor.UserId, Ip: actor.origin?.ip, RequestId: actor.origin?.requestId }
    await note(database.system, { ...of, Resource: 'machineLimits', RecordId: 0, Verb: 'update' }, { ...set })
    return set
  })
}
