import type { FastifyInstance } from 'fastify'
import type { Resource } from '../../../../contract/resource.ts'
import { lists } from '../../../../server/resource/crud.ts'
import { gatewayEvent } from '../contract.ts'

/** What gateways have reported about themselves. */
export const eventRoutes = (app: FastifyInstance) => {
  const r = gatewayEvent as unknown as Resource
  lists(app, r, { path: `${r.path}/List` })
}
