import type { FastifyInstance } from 'fastify'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { serve } from '../../../../server/http/serve.ts'
import { listsOf } from '../../../../server/resource/crud.ts'
import { eventCalls, gatewayEvent } from '../contract.ts'
import { timeline } from './timeline.ts'

/** Events of gateways. */
export const eventRoutes = (app: FastifyInstance) => {
  const r = gatewayEvent
  listsOf(app, r, { path: `${r.path}/List` })
  serve(app, eventCalls.timeline, ({ db, actor, query }) => {
    if (!query.GatewayId && !query.ProjectId) throw new FieldFaults([{ field: 'GatewayId', rule: 'required' }])
    return timeline(db, actor, query)
  })
}
