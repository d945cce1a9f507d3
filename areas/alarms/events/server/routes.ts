import type { FastifyInstance } from 'fastify'
import { listsOf } from '../../../../server/resource/crud.ts'
import { gatewayEvent } from '../contract.ts'

/** What gateways have reported about themselves. */
export const eventRoutes = (app: FastifyInstance) => {
  const r = gatewayEvent
  listsOf(app, r, { path: `${r.path}/List` })
}
