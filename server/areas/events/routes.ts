import type { FastifyInstance } from 'fastify'
import { gatewayEvent } from '../../../contract/areas/events.ts'
import type { Resource } from '../../../contract/base/resource.ts'
import { lists } from '../../resource/crud.ts'

/** What gateways have reported about themselves. */
export const eventRoutes = (app: FastifyInstance) => {
  const r = gatewayEvent as unknown as Resource
  lists(app, r, { path: `${r.path}/List` })
}
