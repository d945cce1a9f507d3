import type { FastifyInstance } from 'fastify'
import { lists } from '../../../../server/resource/crud.ts'
import { gatewayEvent } from '../contract.ts'

/** What gateways have reported about themselves. */
export const eventRoutes = (app: FastifyInstance) => {
  const r = gatewayEvent
  lists(app, r, { path: `${r.path}/List` })
}
